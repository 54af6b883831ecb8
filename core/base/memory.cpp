// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include <algorithm>
#include <fstream>
#include <string>

namespace mooring {

namespace {

// "Key: 123 kB" lines of /proc.
double kilobyteLine(const char* file, const std::string& key) {
    std::ifstream lines(file);
    std::string line;
    while (std::getline(lines, line))
        if (line.starts_with(key))
            return std::strtod(line.c_str() + key.size(), nullptr) * 1024;
    return 0;
}

// A single number, or the number behind a word; "max" gives 0.
double numberIn(const char* file, const std::string& word = "") {
    std::ifstream stream(file);
    std::string text;
    while (stream >> text)
        if (word.empty() || text == word) {
            double number = 0;
            if (word.empty())
                return std::strtod(text.c_str(), nullptr);
            return stream >> number ? number : 0;
        }
    return 0;
}

} // namespace

double availableMemory() {
    const double machine = kilobyteLine("/proc/meminfo", "MemAvailable:");
    const double limit = numberIn("/sys/fs/cgroup/memory.max");
    if (limit <= 0)
        return machine;
    const double used = numberIn("/sys/fs/cgroup/memory.current")
        - numberIn("/sys/fs/cgroup/memory.stat", "inactive_file");
    return std::min(machine, std::max(limit - used, 1.0));
}

double residentMemory() {
    return kilobyteLine("/proc/self/status", "VmRSS:");
}

double peakMemory() {
    return kilobyteLine("/proc/self/status", "VmHWM:");
}

} // namespace mooring
