// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <fstream>

namespace mooring {

// A CSV file that notices at the end whether everything was written.
class CsvFile {
public:
    CsvFile(std::filesystem::path path, const std::string& header);
    void cell(const std::string& text); // quoted where it must be
    void cell(std::int64_t number);
    void cell(double number); // the shortest text that reads back equal; empty without a number
    void endRow();
    Result<void> finish();

private:
    void separate();
    std::filesystem::path m_path;
    std::ofstream m_file;
    bool m_rowOpen = false;
};

} // namespace mooring
