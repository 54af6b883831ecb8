// SPDX-License-Identifier: GPL-3.0-or-later
// The wire format of protocol buffers: a key, which is a field number and a kind, then a value.
// Numbers of fields are those of sentencepiece_model.proto.
#include "core/text/tokenizer/piece_model.h"
#include <cstdint>
#include <optional>

namespace mooring::tok {
namespace {

struct Field {
    std::uint32_t number = 0;
    std::uint64_t value = 0; // of a variable-length integer
    std::string_view bytes; // of a string or a message
};

class MessageReader {
public:
    explicit MessageReader(std::string_view bytes)
        : m_left(bytes) { }

    // Nothing at the end, and where the bytes are broken.
    std::optional<Field> next() {
        if (m_left.empty())
            return std::nullopt;
        Field field;
        const std::uint64_t key = integer();
        field.number = static_cast<std::uint32_t>(key >> 3);
        switch (key & 7) {
        case 0:
            field.value = integer();
            break;
        case 1:
            skip(8);
            break;
        case 2: {
            const std::uint64_t size = integer();
            field.bytes = m_left.substr(0, size);
            skip(size);
            break;
        }
        case 5:
            skip(4);
            break;
        default:
            m_broken = true;
        }
        return m_broken ? std::nullopt : std::optional(field);
    }
    bool isBroken() const { return m_broken; }

private:
    std::uint64_t integer() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (m_left.empty())
                break;
            const auto byte = static_cast<unsigned char>(m_left.front());
            m_left.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80)
                return value;
        }
        m_broken = true;
        return 0;
    }
    void skip(std::uint64_t count) {
        if (count > m_left.size())
            m_broken = true;
        else
            m_left.remove_prefix(count);
    }

    std::string_view m_left;
    bool m_broken = false;
};

void readTrainerSpec(std::string_view bytes, PieceModelSettings& settings) {
    MessageReader reader(bytes);
    while (const auto field = reader.next()) {
        if (field->number == 3) // model_type
            settings.isBpe = field->value == 2;
        if (field->number == 24)
            settings.marksBehind = field->value != 0;
    }
}

void readNormalizerSpec(std::string_view bytes, PieceModelSettings& settings) {
    MessageReader reader(bytes);
    while (const auto field = reader.next()) {
        if (field->number == 2)
            settings.normalizes = !field->bytes.empty();
        if (field->number == 3)
            settings.addsDummyPrefix = field->value != 0;
        if (field->number == 4)
            settings.removesExtraSpaces = field->value != 0;
        if (field->number == 5)
            settings.escapesSpaces = field->value != 0;
    }
}

bool isUserDefined(std::string_view piece) {
    MessageReader reader(piece);
    while (const auto field = reader.next())
        if (field->number == 3) // type
            return field->value == 4;
    return false;
}

} // namespace

Result<PieceModelSettings> readPieceModel(std::string_view bytes, const std::string& path) {
    PieceModelSettings settings;
    MessageReader reader(bytes);
    int pieces = 0;
    while (const auto field = reader.next()) {
        if (field->number == 1 && isUserDefined(field->bytes))
            settings.userDefined.insert(pieces);
        pieces += field->number == 1 ? 1 : 0;
        if (field->number == 2)
            readTrainerSpec(field->bytes, settings);
        if (field->number == 3)
            readNormalizerSpec(field->bytes, settings);
    }
    if (reader.isBroken() || pieces == 0)
        return Error{ErrorCode::Input, "the file is not a SentencePiece model", path,
            "it may be truncated; download it again"};
    return settings;
}

} // namespace mooring::tok
