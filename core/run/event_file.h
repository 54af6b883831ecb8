// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's event files: records framed as TFRecord (length, masked CRC-32C, bytes, masked
// CRC-32C), each a protobuf `Event` of TensorFlow's event.proto and summary.proto.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mooring {

// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78).
std::uint32_t crc32c(std::string_view bytes);

// Gathers the bytes of one event file.
class EventFile {
public:
    EventFile(); // begins with the version record that readers ask for
    // wallTime: seconds since 1970. Values that are not finite are left out, as nothing was
    // measured.
    void addScalar(const std::string& tag, double value, std::int64_t step, double wallTime);
    void addText(
        const std::string& tag, const std::string& text, std::int64_t step, double wallTime);
    const std::string& bytes() const { return m_bytes; }

private:
    void addRecord(const std::string& event);
    std::string m_bytes;
};

} // namespace mooring
