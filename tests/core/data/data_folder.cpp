// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_folder.h"
#include <cstdlib>
#include <zlib.h>

namespace mooring {
namespace {

// 256 bytes without merges, `<b>` and `<e>`.
nlohmann::json byteTokenizer() {
    nlohmann::json vocabulary;
    int shifted = 256;
    for (int b = 0; b < 256; ++b) {
        const bool printable
            = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
        const int c = printable ? b : shifted++;
        std::string entry;
        if (c >= 0x80)
            entry += static_cast<char>(0xC0 | (c >> 6));
        entry += static_cast<char>(c < 0x80 ? c : 0x80 | (c & 0x3F));
        vocabulary[entry] = b;
    }
    const nlohmann::json special = {{"single_word", false}, {"lstrip", false}, {"rstrip", false},
        {"normalized", false}, {"special", true}};
    auto bos = special, end = special;
    bos["content"] = "<b>";
    end["content"] = "<e>";
    return {{"added_tokens", nlohmann::json::array({bos, end})},
        {"pre_tokenizer",
            {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}},
        {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", nlohmann::json::array()}}}};
}

} // namespace

Renderer byteRenderer(const std::string& chatTemplate) {
    const DataFolder folder;
    folder.write("tokenizer.json", byteTokenizer().dump());
    folder.write("tokenizer_config.json", R"({"bos_token": "<b>", "eos_token": "<e>"})");
    auto tokenizer = Tokenizer::open(folder.path());
    auto parsed = ChatTemplate::parse(chatTemplate, "test");
    EXPECT_TRUE(tokenizer.ok() && parsed.ok());
    return Renderer(*tokenizer, *parsed);
}

std::vector<SourceRow> rowsOf(const DataFile& file) {
    std::vector<SourceRow> rows;
    const auto read = readRows(file, [&](SourceRow row) {
        rows.push_back(std::move(row));
        return true;
    });
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().message());
    return rows;
}

std::string readError(const DataFile& file) {
    const auto read = readRows(file, [](const SourceRow&) { return true; });
    return read.ok() ? "read" : read.error().message();
}

std::string shown(const SourceRow& row) {
    if (!row.row)
        return "[" + row.problem + "]";
    if (row.row->isText)
        return row.row->text;
    std::string text;
    for (const auto& message : row.row->messages)
        text += (text.empty() ? "" : " | ") + message["role"].get<std::string>() + ": "
            + (message["content"].is_string() ? message["content"].get<std::string>()
                                              : message["content"].dump());
    return text;
}

std::string packed(const std::string& text) {
    const DataFolder folder;
    const auto path = folder.path() / "packed.gz";
    gzFile file = gzopen(path.c_str(), "wb");
    EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
        static_cast<int>(text.size()));
    gzclose(file);
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::filesystem::path sharedData() {
    const char* shared = std::getenv("MOORING_SHARED");
    return (shared ? std::filesystem::path(shared)
                   : std::filesystem::path(MOORING_SOURCE_DIR) / "../shared")
        / "data";
}

} // namespace mooring
