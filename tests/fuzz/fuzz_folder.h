// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of one fuzz process, for readers that take paths. Emptied before each input and removed
// at the end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace mooring::fuzz {

class FuzzFolder {
public:
    FuzzFolder()
        : m_path(std::filesystem::temp_directory_path()
            / ("mooring-fuzz-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(m_path);
    }
    FuzzFolder(const FuzzFolder&) = delete;
    FuzzFolder& operator=(const FuzzFolder&) = delete;
    ~FuzzFolder() {
        std::error_code code;
        std::filesystem::remove_all(m_path, code);
    }

    const std::filesystem::path& path() const { return m_path; }

    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        const auto file = m_path / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return file;
    }

    void clear() const {
        std::error_code code;
        for (const auto& entry : std::filesystem::directory_iterator(m_path, code))
            std::filesystem::remove_all(entry.path(), code);
    }

private:
    std::filesystem::path m_path;
};

inline const FuzzFolder& folder() {
    static const FuzzFolder one;
    return one;
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

} // namespace mooring::fuzz
