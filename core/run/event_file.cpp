// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/event_file.h"
#include <array>
#include <bit>
#include <cmath>

namespace mooring {

namespace {

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0x82F63B78U : crc >> 1;
        table[byte] = crc;
    }
    return table;
}();

template <typename T>
std::string littleEndian(T value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

std::string maskedCrc(std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return littleEndian<std::uint32_t>((crc >> 15 | crc << 17) + 0xa282ead8U);
}

// A protobuf message, field by field.
class Message {
public:
    Message& varint(int field, std::uint64_t value) {
        put(static_cast<std::uint64_t>(field) << 3);
        put(value);
        return *this;
    }
    Message& real64(int field, double value) {
        put(static_cast<std::uint64_t>(field) << 3 | 1);
        m_bytes += littleEndian(std::bit_cast<std::uint64_t>(value));
        return *this;
    }
    Message& real32(int field, float value) {
        put(static_cast<std::uint64_t>(field) << 3 | 5);
        m_bytes += littleEndian(std::bit_cast<std::uint32_t>(value));
        return *this;
    }
    Message& bytes(int field, std::string_view value) {
        put(static_cast<std::uint64_t>(field) << 3 | 2);
        put(value.size());
        m_bytes += value;
        return *this;
    }
    const std::string& text() const { return m_bytes; }

private:
    void put(std::uint64_t value) {
        for (; value >= 128; value >>= 7)
            m_bytes += static_cast<char>((value & 127) | 128);
        m_bytes += static_cast<char>(value);
    }
    std::string m_bytes;
};

// Event {wall_time = 1, step = 2, summary = 5}, Summary {value = 1}.
std::string event(double wallTime, std::int64_t step, const Message& value) {
    return Message()
        .real64(1, wallTime)
        .varint(2, static_cast<std::uint64_t>(step))
        .bytes(5, Message().bytes(1, value.text()).text())
        .text();
}

} // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char byte : bytes)
        crc = kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 255] ^ crc >> 8;
    return ~crc;
}

EventFile::EventFile() {
    addRecord(Message().real64(1, 0).bytes(3, "brain.Event:2").text());
}

void EventFile::addScalar(
    const std::string& tag, double value, std::int64_t step, double wallTime) {
    if (!std::isfinite(value))
        return;
    // Value {tag = 1, simple_value = 2}
    addRecord(event(wallTime, step, Message().bytes(1, tag).real32(2, static_cast<float>(value))));
}

void EventFile::addText(
    const std::string& tag, const std::string& text, std::int64_t step, double wallTime) {
    // Value {tag = 1, tensor = 8, metadata = 9}; TensorProto {dtype = 1: DT_STRING 7, tensor_shape
    // = 2, string_val = 8}; SummaryMetadata {plugin_data = 1: {plugin_name = 1}}
    const auto shape = Message().bytes(2, Message().varint(1, 1).text()); // one dimension of 1
    const auto tensor = Message().varint(1, 7).bytes(2, shape.text()).bytes(8, text);
    const auto plugin = Message().bytes(1, Message().bytes(1, "text").text());
    addRecord(event(
        wallTime, step, Message().bytes(1, tag).bytes(8, tensor.text()).bytes(9, plugin.text())));
}

void EventFile::addRecord(const std::string& event) {
    const std::string length = littleEndian<std::uint64_t>(event.size());
    m_bytes += length + maskedCrc(length) + event + maskedCrc(event);
}

} // namespace mooring
