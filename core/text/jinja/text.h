// SPDX-License-Identifier: GPL-3.0-or-later
// Strings of a template: UTF-8 bytes, and for every byte the message it came from.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mooring::jinja {

// Where a character came from: a message of the conversation (-1: the template itself), and whether
// a {% generation %} block marked it.
struct Origin {
    std::int32_t message = -1;
    bool generated = false;
    bool operator==(const Origin&) const = default;
    bool none() const { return message < 0 && !generated; }
};

// Bytes [begin, end) with one origin. Runs are ordered, do not touch where they are equal, and
// leave out what came from the template.
struct Run {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Origin origin;
};

// Bytes [begin, end) that were written while a loop over the messages held this one.
struct Turn {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::int32_t message = -1;
};

// A string with origins. Positions in this class are bytes; characters are code points, and a byte
// that is not valid UTF-8 counts as a character of its own.
class Text {
public:
    Text() = default;
    explicit Text(std::string bytes, Origin origin = {});

    const std::string& bytes() const { return m_bytes; }
    std::size_t size() const { return m_bytes.size(); }
    bool empty() const { return m_bytes.empty(); }
    const std::vector<Run>& runs() const { return m_runs; }
    Origin originAt(std::size_t byte) const;
    // Ordered, without overlaps. Kept by append and slice, which is how a template passes on what
    // it wrote.
    const std::vector<Turn>& turns() const { return m_turns; }

    void append(std::string_view bytes, Origin origin = {});
    void append(const Text& other);
    void append(const Text& other, std::size_t begin, std::size_t end);
    Text slice(std::size_t begin, std::size_t end) const;
    // Characters that the template itself wrote get this origin; others keep theirs.
    void inherit(Origin origin);
    void markGenerated(std::size_t begin);
    // All bytes from here to the end belong to the turn of this message.
    void markTurn(std::size_t begin, std::int32_t message);
    // Bytes that belong to no turn belong to this one.
    void fillTurns(std::int32_t message);

    // The reference's Markup: joined to a plain string with +, it escapes that string.
    bool markup() const { return m_markup; }
    void setMarkup(bool markup) { m_markup = markup; }

private:
    std::string m_bytes;
    std::vector<Run> m_runs;
    std::vector<Turn> m_turns;
    bool m_markup = false;
};

std::size_t characterLength(std::string_view bytes, std::size_t at); // in bytes, at least 1
char32_t characterAt(std::string_view bytes, std::size_t at); // an invalid byte is 0xDC00 + byte
std::size_t countCharacters(std::string_view bytes);
std::vector<std::uint32_t> characterStarts(std::string_view bytes); // and the size as the last
void appendCharacter(std::string& bytes, char32_t character);
bool isWhiteSpace(char32_t character); // as Python's str.isspace

// Linear in time for any input, unlike std::string::find.
std::size_t findBytes(std::string_view text, std::string_view what, std::size_t from = 0);

// The text with every character mapped to bytes; origins stay.
Text mapCharacters(
    const Text& text, const std::function<void(std::string& bytes, char32_t character)>& map);

enum class Side { Left, Right, Both };
// Without characters: whitespace, as Python's strip.
Text strip(const Text& text, Side side, const std::string* characters = nullptr);
// What replaces a message's characters belongs to that message, unless it has an origin itself.
Text replaceAll(const Text& text, std::string_view from, const Text& to, std::int64_t count = -1);
Text upperCase(const Text& text);
Text lowerCase(const Text& text);
Text capitalized(const Text& text); // first character upper, the others lower
Text titleCase(const Text& text, std::string_view separators); // empty: any non-letter separates
Text htmlEscaped(const Text& text);
std::vector<Text> splitLines(const Text& text);
// Python's split and rsplit; without a separator runs of whitespace separate.
std::vector<Text> splitText(
    const Text& text, const std::string* separator, std::int64_t limit, bool fromRight);

} // namespace mooring::jinja
