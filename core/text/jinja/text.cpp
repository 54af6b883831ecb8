// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/text.h"
#include <algorithm>
#include <cstring>

namespace mooring::jinja {

Text::Text(std::string bytes, Origin origin)
    : m_bytes(std::move(bytes)) {
    if (!origin.none() && !m_bytes.empty())
        m_runs.push_back({0, static_cast<std::uint32_t>(m_bytes.size()), origin});
}

Origin Text::originAt(std::size_t byte) const {
    const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), byte,
        [](std::size_t position, const Run& run) { return position < run.begin; });
    if (after == m_runs.begin() || std::prev(after)->end <= byte)
        return {};
    return std::prev(after)->origin;
}

namespace {

void appendRun(std::vector<Run>& runs, Run run) {
    if (run.begin >= run.end || run.origin.none())
        return;
    if (!runs.empty() && runs.back().end == run.begin && runs.back().origin == run.origin)
        runs.back().end = run.end;
    else
        runs.push_back(run);
}

void appendTurn(std::vector<Turn>& turns, Turn turn) {
    if (turn.begin >= turn.end)
        return;
    if (!turns.empty() && turns.back().end == turn.begin && turns.back().message == turn.message)
        turns.back().end = turn.end;
    else
        turns.push_back(turn);
}

} // namespace

void Text::append(std::string_view bytes, Origin origin) {
    const auto begin = static_cast<std::uint32_t>(m_bytes.size());
    m_bytes.append(bytes);
    appendRun(m_runs, {begin, static_cast<std::uint32_t>(m_bytes.size()), origin});
}

void Text::append(const Text& other) {
    append(other, 0, other.size());
}

void Text::append(const Text& other, std::size_t begin, std::size_t end) {
    const auto shift = static_cast<std::int64_t>(m_bytes.size()) - static_cast<std::int64_t>(begin);
    m_bytes.append(other.m_bytes, begin, end - begin);
    auto run = std::lower_bound(other.m_runs.begin(), other.m_runs.end(), begin,
        [](const Run& candidate, std::size_t position) { return candidate.end <= position; });
    for (; run != other.m_runs.end() && run->begin < end; ++run)
        appendRun(m_runs,
            {static_cast<std::uint32_t>(std::max<std::int64_t>(run->begin, begin) + shift),
                static_cast<std::uint32_t>(std::min<std::int64_t>(run->end, end) + shift),
                run->origin});
    for (const Turn& turn : other.m_turns)
        if (turn.begin < end && turn.end > begin)
            appendTurn(m_turns,
                {static_cast<std::uint32_t>(std::max<std::int64_t>(turn.begin, begin) + shift),
                    static_cast<std::uint32_t>(std::min<std::int64_t>(turn.end, end) + shift),
                    turn.message});
}

Text Text::slice(std::size_t begin, std::size_t end) const {
    Text part;
    part.m_markup = m_markup;
    if (begin < end)
        part.append(*this, begin, end);
    return part;
}

void Text::inherit(Origin origin) {
    if (origin.none())
        return;
    std::vector<Run> runs;
    std::uint32_t at = 0;
    for (const Run& run : m_runs) {
        appendRun(runs, {at, run.begin, origin});
        appendRun(runs, run);
        at = run.end;
    }
    appendRun(runs, {at, static_cast<std::uint32_t>(m_bytes.size()), origin});
    m_runs = std::move(runs);
}

void Text::markGenerated(std::size_t begin) {
    std::vector<Run> runs;
    auto at = static_cast<std::uint32_t>(begin);
    for (Run run : m_runs) {
        if (run.end <= begin) {
            runs.push_back(run);
            continue;
        }
        if (run.begin < begin) {
            runs.push_back({run.begin, static_cast<std::uint32_t>(begin), run.origin});
            run.begin = static_cast<std::uint32_t>(begin);
        }
        appendRun(runs, {at, run.begin, {-1, true}});
        appendRun(runs, {run.begin, run.end, {run.origin.message, true}});
        at = run.end;
    }
    appendRun(runs, {at, static_cast<std::uint32_t>(m_bytes.size()), {-1, true}});
    m_runs = std::move(runs);
}

void Text::markTurn(std::size_t begin, std::int32_t message) {
    const auto from = static_cast<std::uint32_t>(begin);
    while (!m_turns.empty() && m_turns.back().begin >= from)
        m_turns.pop_back();
    if (!m_turns.empty())
        m_turns.back().end = std::min(m_turns.back().end, from);
    appendTurn(m_turns, {from, static_cast<std::uint32_t>(m_bytes.size()), message});
}

void Text::fillTurns(std::int32_t message) {
    std::vector<Turn> turns;
    std::uint32_t at = 0;
    for (const Turn& turn : m_turns) {
        appendTurn(turns, {at, turn.begin, message});
        appendTurn(turns, turn);
        at = turn.end;
    }
    appendTurn(turns, {at, static_cast<std::uint32_t>(m_bytes.size()), message});
    m_turns = std::move(turns);
}

std::size_t characterLength(std::string_view bytes, std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = first < 0xC2 ? 1
        : first < 0xE0                      ? 2
        : first < 0xF0                      ? 3
        : first < 0xF5                      ? 4
                                            : 1;
    if (at + length > bytes.size())
        return 1;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(bytes[at + i]) & 0xC0) != 0x80)
            return 1;
    return length;
}

char32_t characterAt(std::string_view bytes, std::size_t at) {
    const std::size_t length = characterLength(bytes, at);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
    if (length == 1)
        return byte(0) < 0x80 ? byte(0) : 0xDC00u + byte(0);
    char32_t character = byte(0) & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        character = (character << 6) | (byte(i) & 0x3Fu);
    return character;
}

std::size_t countCharacters(std::string_view bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); at += characterLength(bytes, at))
        ++count;
    return count;
}

std::vector<std::uint32_t> characterStarts(std::string_view bytes) {
    std::vector<std::uint32_t> starts;
    for (std::size_t at = 0; at < bytes.size(); at += characterLength(bytes, at))
        starts.push_back(static_cast<std::uint32_t>(at));
    starts.push_back(static_cast<std::uint32_t>(bytes.size()));
    return starts;
}

void appendCharacter(std::string& bytes, char32_t character) {
    const auto put = [&bytes](char32_t byte) { bytes.push_back(static_cast<char>(byte)); };
    if (character >= 0xDC80 && character <= 0xDCFF) {
        put(character - 0xDC00); // a byte that was not valid UTF-8 stays what it was
    } else if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xC0 | (character >> 6));
        put(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        put(0xE0 | (character >> 12));
        put(0x80 | ((character >> 6) & 0x3F));
        put(0x80 | (character & 0x3F));
    } else {
        put(0xF0 | (character >> 18));
        put(0x80 | ((character >> 12) & 0x3F));
        put(0x80 | ((character >> 6) & 0x3F));
        put(0x80 | (character & 0x3F));
    }
}

bool isWhiteSpace(char32_t c) {
    return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xA0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F
        || c == 0x3000;
}

std::size_t findBytes(std::string_view text, std::string_view what, std::size_t from) {
    if (from > text.size())
        return std::string_view::npos;
    if (what.empty())
        return from;
    const void* found = memmem(text.data() + from, text.size() - from, what.data(), what.size());
    if (!found)
        return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

} // namespace mooring::jinja
