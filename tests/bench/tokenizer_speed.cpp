// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a tokenizer encodes, on one core; tokenizer_speed.py sets it against the references.
//   tokenizer_speed FOLDER TEXT_FILE...     prints MB/s of the fastest of some runs a file
#include "core/text/tokenizer/tokenizer.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <time.h>

namespace {

constexpr std::size_t kDocument = 1 << 16; // texts come as rows, not as one
constexpr double kSeconds = 1.0;

std::vector<std::string> documentsOf(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> documents;
    for (std::size_t at = 0; at < text.size(); at += kDocument)
        documents.push_back(text.substr(at, kDocument));
    return documents;
}

// Of the CPU, since others may use the machine too.
double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double secondsOf(const mooring::Tokenizer& tokenizer, const std::vector<std::string>& documents) {
    const double begin = now();
    std::size_t tokens = 0;
    for (const std::string& document : documents)
        tokens += tokenizer.encode(document).size();
    return tokens > 0 ? now() - begin : 1e9;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: tokenizer_speed FOLDER TEXT_FILE...\n");
        return 2;
    }
    const auto tokenizer = mooring::Tokenizer::open(arguments[1]);
    if (!tokenizer) {
        std::fprintf(stderr, "%s\n", tokenizer.error().message().c_str());
        return 3;
    }
    for (int i = 2; i < count; ++i) {
        const auto documents = documentsOf(arguments[i]);
        std::size_t bytes = 0;
        for (const std::string& document : documents)
            bytes += document.size();
        double best = 1e9, total = 0;
        while (total < kSeconds) {
            const double seconds = secondsOf(**tokenizer, documents);
            best = std::min(best, seconds);
            total += seconds;
        }
        std::printf("%.1f\n", static_cast<double>(bytes) / 1e6 / best);
    }
    return 0;
}
