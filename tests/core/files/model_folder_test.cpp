// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/files/model_folder.h"
#include "tests/core/files/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using test::put;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Tensors of U8, each of one byte.
std::string shardOf(const std::vector<std::string>& names, const std::string& data) {
    std::string header = "{\"__metadata__\":{\"format\":\"pt\"}";
    for (std::size_t i = 0; i < names.size(); ++i)
        header += ",\"" + names[i] + "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":["
            + std::to_string(i) + "," + std::to_string(i + 1) + "]}";
    return test::safetensors(header + "}", data);
}

class ModelFolderTest : public ::testing::Test {
protected:
    test::TemporaryFolder m_folder;

    void SetUp() override { put(m_folder / "config.json", R"({"model_type":"olmoe"})"); }
    void index(const std::string& weightMap) {
        put(m_folder / "model.safetensors.index.json",
            R"({"metadata":{"total_size":3},"weight_map":)" + weightMap + "}");
    }
    // Moonlight's names: not padded, so that 10 sorts before 2.
    void twoShards() {
        index(R"({"c":"model-2-of-10.safetensors","a":"model-10-of-10.safetensors",)"
              R"("b":"model-2-of-10.safetensors"})");
        put(m_folder / "model-2-of-10.safetensors", shardOf({"c", "b"}, "CB"));
        put(m_folder / "model-10-of-10.safetensors", shardOf({"a"}, "A"));
    }
    std::string problem() const {
        const auto model = ModelFolder::open(m_folder.path());
        if (model.ok())
            return "";
        EXPECT_EQ(model.error().code, ErrorCode::Input);
        return model.error().message();
    }
};

TEST_F(ModelFolderTest, OpensASingleFileWithoutAnIndex) {
    put(m_folder / "model.safetensors", shardOf({"x", "y"}, "XY"));
    const auto model = ModelFolder::open(m_folder.path());
    ASSERT_TRUE(model.ok()) << model.error().message();
    EXPECT_FALSE(model->sharded());
    EXPECT_EQ(model->config()["model_type"], "olmoe");
    ASSERT_EQ(model->tensors().size(), 2u);
    EXPECT_EQ(model->tensors().at("y").bytes()[0], std::byte{'Y'});
    ASSERT_EQ(model->shards().size(), 1u);
    EXPECT_EQ(model->shards()[0].fileName, "model.safetensors");
    EXPECT_EQ(model->shards()[0].metadata.at("format"), "pt");
}

TEST_F(ModelFolderTest, ShardsComeInIndexOrderAndTheirTensorsInFileOrder) {
    twoShards();
    const auto model = ModelFolder::open(m_folder.path());
    ASSERT_TRUE(model.ok()) << model.error().message();
    EXPECT_TRUE(model->sharded());
    ASSERT_EQ(model->shards().size(), 2u);
    EXPECT_EQ(model->shards()[0].fileName, "model-2-of-10.safetensors");
    ASSERT_EQ(model->shards()[0].tensors.size(), 2u);
    EXPECT_EQ(model->shards()[0].tensors[0].name, "c");
    EXPECT_EQ(model->shards()[0].tensors[1].name, "b");
    EXPECT_EQ(model->shards()[1].fileName, "model-10-of-10.safetensors");
    EXPECT_EQ(model->tensors().at("a").bytes()[0], std::byte{'A'});
    EXPECT_EQ(model->tensors().at("b").info->name, "b");
}

TEST_F(ModelFolderTest, AFolderOfLinksAsInTheHuggingFaceCacheIsRead) {
    fs::create_directory(m_folder / "blobs");
    put(m_folder / "blobs/0a1b", shardOf({"x"}, "X"));
    fs::create_symlink("blobs/0a1b", m_folder / "model.safetensors");
    EXPECT_EQ(problem(), "");
    const auto model = ModelFolder::open(m_folder.path());
    EXPECT_EQ(model->shards()[0].fileName, "model.safetensors");
    fs::remove(m_folder / "blobs/0a1b");
    EXPECT_THAT(problem(), HasSubstr("has neither model.safetensors nor"));
}

TEST_F(ModelFolderTest, AMissingOrInvalidConfigIsNamed) {
    put(m_folder / "model.safetensors", shardOf({"x"}, "X"));
    put(m_folder / "config.json", "{\"model_type\":");
    EXPECT_THAT(problem(), AllOf(HasSubstr("not valid JSON"), HasSubstr("config.json")));
    put(m_folder / "config.json", "[]");
    EXPECT_THAT(problem(), HasSubstr("is not a JSON object"));
    put(m_folder / "config.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    EXPECT_THAT(problem(), HasSubstr("git lfs pull"));
    fs::remove(m_folder / "config.json");
    EXPECT_THAT(problem(), HasSubstr("has no config.json"));
    put(m_folder / "adapter_config.json", "{}");
    EXPECT_THAT(problem(), HasSubstr("is an adapter"));
    EXPECT_THAT(
        ModelFolder::open(m_folder / "absent").error().message(), HasSubstr("does not exist"));
    EXPECT_THAT(ModelFolder::open(m_folder / "model.safetensors").error().message(),
        HasSubstr("is not a folder"));
}

TEST_F(ModelFolderTest, AFolderWithoutSafetensorsSaysWhatItHas) {
    EXPECT_THAT(problem(), HasSubstr("has neither model.safetensors nor"));
    put(m_folder / "pytorch_model.bin", "PK");
    EXPECT_THAT(problem(), HasSubstr("pickled .bin files"));
}

TEST_F(ModelFolderTest, MissingShardsAreCountedAndTheFirstIsNamed) {
    twoShards();
    fs::remove(m_folder / "model-10-of-10.safetensors");
    EXPECT_THAT(problem(),
        HasSubstr("names 1 of 2 shards that are missing, first 'model-10-of-10.safetensors'"));
}

TEST_F(ModelFolderTest, AShardNameThatLeavesTheFolderIsRejected) {
    put(m_folder / "model-1.safetensors", shardOf({"x"}, "X"));
    for (const char* name : {"../model-1.safetensors", "/etc/passwd", "sub/m.safetensors", "..",
             ".", "", "a\\\\b", "a\\u0000b"}) {
        index(R"({"x":")" + std::string(name) + R"("})");
        EXPECT_THAT(problem(), HasSubstr("which is not a file name")) << name;
    }
    index(R"({"x":["model-1.safetensors"]})");
    EXPECT_THAT(problem(), HasSubstr("which is not a file name"));
}

TEST_F(ModelFolderTest, AnIndexWithoutAWeightMapIsRejected) {
    for (const char* text : {"{}", R"({"weight_map":[]})", R"({"weight_map":{}})"}) {
        put(m_folder / "model.safetensors.index.json", text);
        EXPECT_THAT(problem(), HasSubstr("has no weight_map")) << text;
    }
    index(R"({"x":"m.safetensors","x":"n.safetensors"})");
    EXPECT_THAT(problem(), HasSubstr("the key 'x' twice"));
}

TEST_F(ModelFolderTest, ATensorThatItsShardDoesNotHoldIsNamed) {
    twoShards();
    put(m_folder / "model-2-of-10.safetensors", shardOf({"c"}, "C"));
    EXPECT_THAT(problem(),
        HasSubstr("places the tensor 'b' in 'model-2-of-10.safetensors', which does not hold it"));
}

TEST_F(ModelFolderTest, ATensorThatTheIndexDoesNotNameIsNamed) {
    twoShards();
    put(m_folder / "model-10-of-10.safetensors", shardOf({"a", "mtp"}, "AM"));
    EXPECT_THAT(problem(), HasSubstr("does not name the tensor 'mtp'"));
}

TEST_F(ModelFolderTest, ATensorHeldTwiceOrInAnotherShardIsNamedWithBoth) {
    twoShards();
    put(m_folder / "model-10-of-10.safetensors", shardOf({"a", "b"}, "AB"));
    EXPECT_THAT(problem(),
        HasSubstr("has the tensor 'b' twice, in 'model-2-of-10.safetensors' and in "
                  "'model-10-of-10.safetensors'"));
    put(m_folder / "model-2-of-10.safetensors", shardOf({"c"}, "C"));
    EXPECT_THAT(problem(),
        HasSubstr("places the tensor 'b' in 'model-2-of-10.safetensors', but "
                  "'model-10-of-10.safetensors' holds it"));
}

TEST_F(ModelFolderTest, ATruncatedShardOrAnLfsPointerIsNamed) {
    twoShards();
    put(m_folder / "model-10-of-10.safetensors", shardOf({"a"}, ""));
    EXPECT_THAT(
        problem(), AllOf(HasSubstr("is truncated"), HasSubstr("model-10-of-10.safetensors")));
    put(m_folder / "model-10-of-10.safetensors",
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 28\n");
    EXPECT_THAT(problem(), AllOf(HasSubstr("git lfs pull"), HasSubstr("model-10-of-10.safe")));
}

TEST_F(ModelFolderTest, ASingleFileBesideAnIndexOfOthersIsTheModelAsForTransformers) {
    twoShards();
    put(m_folder / "model.safetensors", shardOf({"x"}, "X"));
    const auto model = ModelFolder::open(m_folder.path());
    ASSERT_TRUE(model.ok()) << model.error().message();
    EXPECT_FALSE(model->sharded());
    EXPECT_EQ(model->tensors().size(), 1u);
    index(R"({"x":"model.safetensors","y":"model.safetensors"})");
    EXPECT_THAT(problem(), HasSubstr("places the tensor 'y' in 'model.safetensors'"));
}

TEST_F(ModelFolderTest, QuantizedModelsAreRejectedWithTheirMethod) {
    put(m_folder / "model.safetensors", shardOf({"x"}, "X"));
    put(m_folder / "config.json", R"({"quantization_config":{"quant_method":"fp8"}})");
    EXPECT_THAT(problem(), AllOf(HasSubstr("is quantized with 'fp8'"), HasSubstr("bf16")));
    put(m_folder / "config.json",
        R"({"text_config":{"quantization_config":{"quant_method":"compressed-tensors"}}})");
    EXPECT_THAT(problem(), HasSubstr("is quantized with 'compressed-tensors'"));
    put(m_folder / "config.json", R"({"quantization_config":{"bits":4}})");
    EXPECT_THAT(problem(), HasSubstr("unnamed method"));
    put(m_folder / "config.json", R"({"quantization_config":null})");
    EXPECT_EQ(problem(), "");
    put(m_folder / "hf_quant_config.json",
        R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"NVFP4"}})");
    EXPECT_THAT(problem(), HasSubstr("is quantized with 'modelopt' (NVFP4)"));
    put(m_folder / "hf_quant_config.json",
        R"({"quantization":{"quant_algo":null,"kv_cache_quant_algo":"FP8"}})");
    EXPECT_EQ(problem(), "");
}

TEST_F(ModelFolderTest, Mxfp4PassesForGptOssAlone) {
    put(m_folder / "model.safetensors", shardOf({"x"}, "X"));
    put(m_folder / "config.json",
        R"({"model_type":"gpt_oss","quantization_config":{"quant_method":"mxfp4"}})");
    EXPECT_EQ(problem(), "");
    EXPECT_TRUE(ModelFolder::open(m_folder.path())->packedAsMxfp4());
    put(m_folder / "config.json",
        R"({"model_type":"gpt_oss","quantization_config":{"quant_method":"fp8"}})");
    EXPECT_THAT(problem(), HasSubstr("is quantized with 'fp8'"));
    put(m_folder / "config.json",
        R"({"model_type":"qwen3_moe","quantization_config":{"quant_method":"mxfp4"}})");
    EXPECT_THAT(problem(), HasSubstr("is quantized with 'mxfp4'"));
    put(m_folder / "config.json", R"({"model_type":"gpt_oss"})");
    EXPECT_FALSE(ModelFolder::open(m_folder.path())->packedAsMxfp4());
}

TEST_F(ModelFolderTest, PackedTensorNamesGiveAwayAwqAndGptq) {
    put(m_folder / "model.safetensors", shardOf({"q.qweight", "q.qzeros", "q.scales"}, "123"));
    EXPECT_THAT(problem(), HasSubstr("is quantized with AWQ (tensor 'q.qweight')"));
    put(m_folder / "model.safetensors",
        shardOf({"q.qweight", "q.qzeros", "q.scales", "q.g_idx"}, "1234"));
    EXPECT_THAT(problem(), HasSubstr("is quantized with GPTQ"));
}

TEST_F(ModelFolderTest, TheContentHashIsThatOfConfigNamesTypesShapesAndBytesInNameOrder) {
    twoShards();
    const std::string expected = sha256Hex("config 22\n{\"model_type\":\"olmoe\"}"
                                           "\ntensor 1 a U8 [1] 1\nA"
                                           "\ntensor 1 b U8 [1] 1\nB"
                                           "\ntensor 1 c U8 [1] 1\nC");
    EXPECT_EQ(ModelFolder::open(m_folder.path())->contentHash(), expected);
    // The same tensors in one file are the same model.
    fs::remove(m_folder / "model.safetensors.index.json");
    put(m_folder / "model.safetensors", shardOf({"b", "c", "a"}, "BCA"));
    EXPECT_EQ(ModelFolder::open(m_folder.path())->contentHash(), expected);
    put(m_folder / "model.safetensors", shardOf({"b", "c", "a"}, "BCa"));
    EXPECT_NE(ModelFolder::open(m_folder.path())->contentHash(), expected);
}

} // namespace
} // namespace mooring
