// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for data files, and a tokenizer whose ids are bytes, so that expectations can be
// written.
#pragma once
#include "core/data/samples.h"
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace mooring {

class DataFolder {
public:
    DataFolder() {
        static std::atomic<int> count = 0;
        m_path = std::filesystem::temp_directory_path()
            / ("mooring-data-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(m_path);
    }
    DataFolder(const DataFolder&) = delete;
    DataFolder& operator=(const DataFolder&) = delete;
    ~DataFolder() {
        std::error_code code;
        std::filesystem::remove_all(m_path, code);
    }
    DataFile write(const std::string& name, const std::string& text) const {
        std::ofstream(m_path / name, std::ios::binary) << text;
        DataFile file;
        file.path = (m_path / name).string();
        return file;
    }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

constexpr std::int32_t kBos = 256; // "<b>"
constexpr std::int32_t kEnd = 257; // "<e>"

inline constexpr const char* kTemplate
    = "{% for m in messages %}{{ m.role[0] }}:{{ m.content }}<e>{% endfor %}"
      "{% if add_generation_prompt %}a:{% endif %}";

// A token is a byte, `<b>` or `<e>`. A conversation becomes "u:question<e>a:answer<e>".
Renderer byteRenderer(const std::string& chatTemplate = kTemplate);

std::vector<SourceRow> rowsOf(const DataFile& file);
std::string readError(const DataFile& file); // "read" where there is none

// "user: question | assistant: answer", the text of a text row, or the problem in brackets.
std::string shown(const SourceRow& row);

std::string packed(const std::string& text); // as gzip

std::filesystem::path sharedData();

} // namespace mooring
