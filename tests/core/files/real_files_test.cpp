// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_folder.h"
#include "tests/core/files/test_files.h"
#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using test::put;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

fs::path realData() {
    const char* shared = std::getenv("MOORING_SHARED");
    return (shared ? fs::path(shared) : fs::path(MOORING_SOURCE_DIR) / "../shared") / "data/real";
}

// The published indexes: every tensor is placed, no shard is there, all are counted.
TEST(RealFiles, PublishedIndexesAreReadAndTheirShardsCounted) {
    const fs::path data = realData();
    if (!fs::exists(data))
        GTEST_SKIP() << "the real files are not here: set MOORING_SHARED";
    const std::pair<const char*, const char*> expected[]
        = {{"gpt-oss-20b", "names 3 of 3 shards that are missing, first 'model-00000-of-00002"},
            {"WizardLM-2-8x22B",
                "names 59 of 59 shards that are missing, first 'model-00059-of-00059"}};
    for (const auto& [name, text] : expected) {
        test::TemporaryFolder folder;
        put(folder / "config.json", "{}");
        fs::copy(data / "index" / name / "model.safetensors.index.json", folder.path());
        EXPECT_THAT(ModelFolder::open(folder.path()).error().message(), HasSubstr(text));
    }
    test::TemporaryFolder granite;
    fs::copy(data / "configs/granite-3.1-1b-a400m-instruct/config.json", granite.path());
    fs::copy(data / "configs/granite-3.1-1b-a400m-instruct/model.safetensors.lfs-pointer",
        granite / "model.safetensors");
    EXPECT_THAT(ModelFolder::open(granite.path()).error().message(), HasSubstr("git lfs pull"));
}

TEST(RealFiles, PublishedConfigsAreReadAndTheQuantizedOnesNamed) {
    const fs::path configs = realData() / "configs";
    if (!fs::exists(configs))
        GTEST_SKIP() << "the real files are not here: set MOORING_SHARED";
    std::vector<std::string> quantised;
    for (const auto& entry : fs::directory_iterator(configs)) {
        test::TemporaryFolder folder;
        fs::copy(entry.path() / "config.json", folder.path());
        put(folder / "model.safetensors", test::safetensors("{}", ""));
        const auto model = ModelFolder::open(folder.path());
        if (model.ok())
            continue;
        EXPECT_THAT(model.error().message(), HasSubstr("is quantized with '"));
        quantised.push_back(entry.path().filename().string());
    }
    std::sort(quantised.begin(), quantised.end());
    EXPECT_THAT(quantised,
        ElementsAre("MiniMaxAI--MiniMax-M2.5", "Qwen--Qwen3-30B-A3B-FP8",
            "deepseek-ai--DeepSeek-R1", "deepseek-ai--DeepSeek-V3",
            "deepseek-ai--DeepSeek-V4-Flash", "moonshotai--Kimi-K2-Instruct",
            "moonshotai--Kimi-K2.5"));
}

} // namespace
} // namespace mooring
