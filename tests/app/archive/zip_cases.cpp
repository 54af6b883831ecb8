// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/archive/zip_cases.h"

namespace mooring {
namespace {

void put16(std::string& out, std::uint32_t value) {
    out += static_cast<char>(value & 0xff);
    out += static_cast<char>(value >> 8 & 0xff);
}

void put32(std::string& out, std::uint32_t value) {
    put16(out, value & 0xffff);
    put16(out, value >> 16);
}

// CRC-32 as ZIP has it, bit by bit.
std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char byte : bytes) {
        crc ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

// What local and central headers have in common: version to name length and extra length.
std::string commonPart(const ZipCase& entry, const std::string& name) {
    std::string out;
    put16(out, 20);
    put16(out, 0x0800); // names are UTF-8
    put16(out, 0); // stored
    put16(out, 0);
    put16(out, 0x5821); // a date
    put32(out, checksum(entry.bytes));
    put32(out, static_cast<std::uint32_t>(entry.bytes.size()));
    put32(out,
        static_cast<std::uint32_t>(entry.claimedSize < 0 ? entry.bytes.size() : entry.claimedSize));
    put16(out, static_cast<std::uint32_t>(name.size()));
    put16(out, 0);
    return out;
}

} // namespace

std::string zipOf(const std::vector<ZipCase>& entries) {
    std::string file, directory;
    for (const ZipCase& entry : entries) {
        const std::string& name = entry.name;
        const auto offset = static_cast<std::uint32_t>(file.size());
        put32(file, 0x04034b50);
        file += commonPart(entry, name) + name + entry.bytes;
        put32(directory, 0x02014b50);
        put16(directory, 3 << 8 | 20); // made on Unix
        directory += commonPart(entry, name);
        put16(directory, 0);
        put16(directory, 0);
        put16(directory, 0);
        put32(directory, entry.unixMode << 16);
        put32(directory, offset);
        directory += name;
    }
    const auto begin = static_cast<std::uint32_t>(file.size());
    file += directory;
    put32(file, 0x06054b50);
    put16(file, 0);
    put16(file, 0);
    put16(file, static_cast<std::uint32_t>(entries.size()));
    put16(file, static_cast<std::uint32_t>(entries.size()));
    put32(file, static_cast<std::uint32_t>(directory.size()));
    put32(file, begin);
    put16(file, 0);
    return file;
}

} // namespace mooring
