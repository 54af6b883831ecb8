// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "tests/core/text/tokenizer_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string openError(const nlohmann::json& json) {
    const TokenizerFolder folder;
    folder.writeJson("tokenizer.json", json);
    const auto opened = Tokenizer::open(folder.path());
    if (opened.ok())
        return "opened";
    EXPECT_EQ(opened.error().code, ErrorCode::Input);
    EXPECT_FALSE(opened.error().hint.empty());
    return opened.error().message();
}

nlohmann::json splitBy(const nlohmann::json& pattern, const std::string& behavior = "Isolated") {
    auto json = smallTokenizer();
    json["pre_tokenizer"] = {{"type", "Sequence"},
        {"pretokenizers",
            {{{"type", "Split"}, {"pattern", pattern}, {"behavior", behavior}},
                json["pre_tokenizer"]}}};
    return json;
}

TEST(TokenizerOpen, NamesTheFileTheKeyAndTheConstruct) {
    auto json = smallTokenizer();
    json["normalizer"] = {{"type", "Precompiled"}};
    EXPECT_THAT(openError(json),
        AllOf(HasSubstr("tokenizer.json, normalizer"), HasSubstr("Precompiled is unknown")));
    json = smallTokenizer();
    json["normalizer"]
        = {{"type", "Sequence"}, {"normalizers", {{{"type", "NFC"}}, {{"type", "Nmt"}}}}};
    EXPECT_THAT(openError(json), HasSubstr("normalizer.normalizers[1]"));
    json = smallTokenizer();
    json["pre_tokenizer"] = {{"type", "UnicodeScripts"}};
    EXPECT_THAT(openError(json), AllOf(HasSubstr("pre_tokenizer"), HasSubstr("UnicodeScripts")));
    json["pre_tokenizer"] = {{"type", "Metaspace"}, {"prepend_scheme", "last"}};
    EXPECT_THAT(openError(json), HasSubstr("the scheme \"last\""));
    json = smallTokenizer();
    json["decoder"] = {{"type", "CTC"}};
    EXPECT_THAT(openError(json), AllOf(HasSubstr("decoder"), HasSubstr("CTC is unknown")));
    json = smallTokenizer();
    for (const char* model : {"WordPiece", "Unigram", "WordLevel"}) {
        json["model"]["type"] = model;
        EXPECT_THAT(openError(json), AllOf(HasSubstr("model.type"), HasSubstr(model)));
    }
    json = smallTokenizer();
    json["model"]["dropout"] = 0.1;
    EXPECT_THAT(openError(json), HasSubstr("model.dropout"));
}

TEST(TokenizerOpen, RejectsPatternsWhoseMeaningIsNotKnown) {
    EXPECT_THAT(openError(splitBy({{"Regex", "\\w+"}})),
        AllOf(HasSubstr("pre_tokenizer.pretokenizers[0].pattern"), HasSubstr("the escape \\w")));
    EXPECT_THAT(openError(splitBy({{"Regex", "(a"}})), HasSubstr("cannot be used"));
    EXPECT_THAT(openError(splitBy({{"Glob", "*"}})), HasSubstr("neither Regex nor String"));
    EXPECT_THAT(openError(splitBy({{"Regex", "a"}}, "Doubled")), HasSubstr("\"Doubled\""));
}

TEST(TokenizerOpen, RejectsBrokenVocabulariesAndMerges) {
    auto json = smallTokenizer();
    json["model"]["merges"].push_back("a z");
    EXPECT_THAT(openError(json), AllOf(HasSubstr("model.merges[5]"), HasSubstr("\"a\" + \"z\"")));
    json["model"]["merges"] = nlohmann::json::array({"a b c"});
    EXPECT_THAT(openError(json), HasSubstr("model.merges[0]"));
    json = smallTokenizer();
    json["model"]["vocab"]["big"] = 4000000000;
    EXPECT_THAT(openError(json), HasSubstr("4000000000"));
    json["model"]["vocab"]["big"] = -1;
    EXPECT_THAT(openError(json), HasSubstr("\"big\" is -1"));
    json.erase("model");
    EXPECT_THAT(openError(json), HasSubstr("no model"));
}

TEST(TokenizerOpen, SaysWhatIsWrongWithAFolder) {
    const TokenizerFolder folder;
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("no tokenizer.json"));
    folder.write("tiktoken.model", "x");
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("line 1"));
    folder.write("tokenizer.json",
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 11421896\n");
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("git lfs pull"));
    folder.write("tokenizer.json", smallTokenizer().dump().substr(0, 300));
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("not a JSON object"));
}

TEST(TokenizerOpen, TellsPiecesFromRanksAndRejectsBothWhenBroken) {
    const TokenizerFolder folder;
    folder.write("tokenizer.model", "\n\x05nonsense");
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("tokenizer.model"));
    folder.write("tokenizer.model", "\n\x07\n\x05\xFF\xFE\x80zz"); // one piece that is not text
    EXPECT_FALSE(Tokenizer::open(folder.path()).ok());
    folder.write("tokenizer.model", "IQ== zero\n");
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("line 1"));
    folder.write("vocab.json", "{}");
    std::filesystem::remove(folder.path() / "tokenizer.model");
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("vocab.json"));
}

TEST(TokenizerOpen, RejectsFilesThatAreMadeToOverflow) {
    const TokenizerFolder folder;
    folder.write("tokenizer.json",
        "{\"pre_tokenizer\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}");
    EXPECT_THAT(Tokenizer::open(folder.path()).error().message(), HasSubstr("too deeply"));
}

TEST(TokenizerOpen, ReadsNamedTokensAsTextOrObject) {
    const TokenizerFolder folder;
    folder.write("tokenizer_config.json", R"({"bos_token": {"__type": "AddedToken",
        "content": "<s>"}, "eos_token": "</s>", "pad_token": null,
        "model_max_length": 1000000000000000019884624838656})");
    folder.write("special_tokens_map.json", R"({"pad_token": "<pad>"})");
    const auto tokenizer = openTokenizer(smallTokenizer(), folder);
    EXPECT_EQ(tokenizer->bosToken(), "<s>");
    EXPECT_EQ(tokenizer->eosToken(), "</s>");
    EXPECT_EQ(tokenizer->padToken(), "<pad>"); // the map counts, as in transformers
}

TEST(TokenizerOpen, FallsBackToTheMapAndThenToTheIdsOfTheModel) {
    const TokenizerFolder folder;
    folder.write("tokenizer_config.json", R"({"tokenizer_class": "PreTrainedTokenizerFast"})");
    folder.write("special_tokens_map.json", R"({"pad_token": {"content": "<pad>"}})");
    folder.write("config.json", R"({"bos_token_id": 900, "eos_token_id": [11, 2],
        "pad_token_id": 3})");
    const auto tokenizer = openTokenizer(smallTokenizer(), folder);
    EXPECT_EQ(tokenizer->bosToken(), std::nullopt); // no token has this id
    EXPECT_EQ(tokenizer->eosToken(), "abc");
    EXPECT_EQ(tokenizer->padToken(), "<pad>");
}

TEST(TokenizerOpen, HashesTheFileAsItIs) {
    EXPECT_EQ(openTokenizer(smallTokenizer())->contentHash(), sha256Hex(smallTokenizer().dump()));
}

} // namespace
} // namespace mooring
