// SPDX-License-Identifier: GPL-3.0-or-later
// A small tokenizer written out, in a folder of its own that goes away with the object.
#pragma once
#include "core/text/tokenizer/tokenizer.h"
#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace mooring {

class TokenizerFolder {
public:
    TokenizerFolder() {
        static std::atomic<int> count = 0;
        m_path = std::filesystem::temp_directory_path()
            / ("mooring-tokenizer-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(m_path);
    }
    TokenizerFolder(const TokenizerFolder&) = delete;
    TokenizerFolder& operator=(const TokenizerFolder&) = delete;
    ~TokenizerFolder() {
        std::error_code code;
        std::filesystem::remove_all(m_path, code);
    }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(m_path / name, std::ios::binary) << text;
    }
    void writeJson(const std::string& name, const nlohmann::json& json) const {
        write(name, json.dump());
    }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

// Bytes of a few letters, of a blank, a line feed, the two of U+00E9 and the three of U+FFFD.
// "b c" ranks before "a b": the word abc becomes a + bc.
inline nlohmann::json smallTokenizer() {
    return nlohmann::json::parse(R"json({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
            "use_regex": true},
        "post_processor": null, "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "dropout": null, "unk_token": null,
            "continuing_subword_prefix": null, "end_of_word_suffix": "", "fuse_unk": false,
            "byte_fallback": false, "ignore_merges": false,
            "vocab": {"a": 0, "b": 1, "c": 2, "d": 3, "Ġ": 4, "Ã": 5, "©": 6, "1": 7, "2": 8,
                "bc": 9, "ab": 10, "abc": 11, "Ġa": 12, "Ã©": 13, "abcd": 14, "'": 15, "s": 16,
                "Ċ": 17, "ï": 18, "¿": 19, "½": 20},
            "merges": ["b c", "a b", "ab c", "Ġ a", "Ã ©"]}
    })json");
}

inline std::shared_ptr<const Tokenizer> openTokenizer(
    const nlohmann::json& json, const TokenizerFolder& folder) {
    folder.writeJson("tokenizer.json", json);
    auto opened = Tokenizer::open(folder.path());
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message());
    return opened.ok() ? *opened : nullptr;
}

inline std::shared_ptr<const Tokenizer> openTokenizer(const nlohmann::json& json) {
    const TokenizerFolder folder;
    return openTokenizer(json, folder);
}

inline std::vector<std::int32_t> idsOf(const Tokenizer& tokenizer, std::string_view text) {
    std::vector<std::int32_t> ids;
    for (const Token& token : tokenizer.encode(text))
        ids.push_back(token.id);
    return ids;
}

using Bytes = std::vector<std::pair<int, int>>;
inline Bytes bytesOf(const Tokenizer& tokenizer, std::string_view text) {
    Bytes bytes;
    for (const Token& token : tokenizer.encode(text))
        bytes.emplace_back(token.begin, token.end);
    return bytes;
}

} // namespace mooring
