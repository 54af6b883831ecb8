// SPDX-License-Identifier: GPL-3.0-or-later
// Strict loading and the byte-equal round trip (docs/models.md#loading-and-saving,
// docs/design-notes.md#correction-biases-stay-fp32).
#include "core/files/atomic_folder.h"
#include "core/model/families/describe_model.h"
#include "tests/core/model/tiny.h"
#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using test::freshFolder;

// A folder with the weights of a random model, in the dtypes of its config.
fs::path savedModel(
    const std::string& name, nlohmann::ordered_json config, const std::string& dtype = "bfloat16") {
    config["torch_dtype"] = dtype;
    const auto folder = freshFolder(name);
    auto model = test::tinyModel(config, false);
    EXPECT_TRUE(model->save(folder).ok());
    return folder;
}

std::string bytesOf(const fs::path& path) {
    return *readFile(path);
}

TEST(Model, LoadThenSaveIsByteEqualForEveryTensor) {
    for (const auto& config : {test::deepseekConfig(), test::qwenConfig()}) {
        const auto folder = savedModel("round-trip", config);
        auto model = Model::load(folder, at::kCPU, at::kFloat);
        ASSERT_TRUE(model.ok()) << model.error().message();
        const auto again = freshFolder("round-trip-again");
        ASSERT_TRUE((*model)->save(again).ok());
        EXPECT_EQ(bytesOf(folder / "model.safetensors"), bytesOf(again / "model.safetensors"));
        EXPECT_EQ(bytesOf(folder / "config.json"), bytesOf(again / "config.json"));
    }
}

TEST(Model, CorrectionBiasStaysFp32FromLoadToSave) {
    const auto folder = savedModel("correction", test::deepseekConfig());
    auto model = Model::load(folder, at::kCPU, at::kBFloat16); // bf16 compute must not touch it
    ASSERT_TRUE(model.ok()) << model.error().message();
    auto& correction = *(*model)->moe(0).correction;
    EXPECT_EQ(correction.compute.scalar_type(), at::kFloat);
    for (int e = 0; e < 8; ++e)
        EXPECT_EQ(correction.compute[e].item<float>(), static_cast<float>(e) * 0.03F - 0.1F);
    const auto file = SafetensorsFile::open(folder / "model.safetensors");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ((*file)->find("model.layers.2.mlp.gate.e_score_correction_bias")->dtype, DType::F32);
    EXPECT_EQ((*file)->find("model.layers.2.mlp.gate.weight")->dtype, DType::BF16);
}

TEST(Model, DenseLayersDoNotShiftTheIndexOfAMoeLayer) {
    EXPECT_EQ(test::tinyModel(test::deepseekConfig())->architecture().moeLayerIndices(),
        (std::vector<int>{2, 3}));
    EXPECT_EQ(test::tinyModel(test::qwenConfig())->architecture().moeLayerIndices(),
        (std::vector<int>{0, 2}));
    EXPECT_EQ(
        test::tinyModel(test::qwenConfig())->moe(1).router->name, "model.layers.2.mlp.gate.weight");
}

// Rewrites the only weight file with a changed list of tensors; bytes are zeros.
void rewrite(const fs::path& folder, const std::function<void(std::vector<TensorSpec>&)>& change) {
    std::vector<TensorSpec> specs;
    {
        const auto file = SafetensorsFile::open(folder / "model.safetensors");
        for (const auto& info : (*file)->tensors())
            specs.push_back({info.name, info.dtype, info.shape});
    }
    change(specs);
    auto writer = SafetensorsWriter::create(folder / "model.safetensors", specs);
    for (const auto& spec : specs) {
        std::size_t size = dtypeSize(spec.dtype);
        for (const auto n : spec.shape)
            size *= static_cast<std::size_t>(n);
        ASSERT_TRUE(writer->write(spec.name, std::vector<std::byte>(size)).ok());
    }
    ASSERT_TRUE(writer->finish().ok());
}

std::string loadError(const fs::path& folder) {
    const auto model = Model::load(folder, at::kCPU, at::kFloat);
    EXPECT_FALSE(model.ok());
    if (model.ok())
        return {};
    EXPECT_EQ(model.error().code, ErrorCode::Input);
    return model.error().message();
}

TEST(Model, AMissingTensorIsNamed) {
    const auto folder = savedModel("missing", test::qwenConfig());
    rewrite(folder, [](auto& specs) {
        std::erase_if(specs,
            [](const auto& s) { return s.name == "model.layers.0.mlp.experts.3.up_proj.weight"; });
    });
    EXPECT_NE(loadError(folder).find("lacks model.layers.0.mlp.experts.3.up_proj.weight"),
        std::string::npos);
}

TEST(Model, AnExtraTensorIsNamed) {
    const auto folder = savedModel("extra", test::qwenConfig());
    rewrite(folder, [](auto& specs) {
        specs.push_back({"model.layers.0.mlp.surprise", DType::F32, {2}});
    });
    EXPECT_NE(loadError(folder).find("model.layers.0.mlp.surprise"), std::string::npos);
}

TEST(Model, ATensorOfAnotherShapeIsNamedWithBothShapes) {
    const auto folder = savedModel("shape", test::qwenConfig());
    rewrite(folder, [](auto& specs) {
        for (auto& s : specs)
            if (s.name == "model.norm.weight")
                s.shape = {31};
    });
    const auto message = loadError(folder);
    EXPECT_NE(message.find("model.norm.weight has shape [31], but the config expects [32]"),
        std::string::npos)
        << message;
}

TEST(Model, KnownUnusedTensorsAreWrittenBackUnchanged) {
    const auto folder = savedModel("unused", test::deepseekConfig());
    rewrite(folder, [](auto& specs) {
        specs.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", DType::F32, {4}});
        specs.push_back({"model.layers.4.eh_proj.weight", DType::BF16,
            {2, 2}}); // a layer beyond num_hidden_layers
    });
    auto model = Model::load(folder, at::kCPU, at::kFloat);
    ASSERT_TRUE(model.ok()) << model.error().message();
    const auto again = freshFolder("unused-again");
    ASSERT_TRUE((*model)->save(again).ok());
    EXPECT_EQ(bytesOf(folder / "model.safetensors"), bytesOf(again / "model.safetensors"));
}

TEST(Model, AFrozenWeightIsSavedAsTheFileHasItUnlessAnotherValueTookItsPlace) {
    const auto folder = savedModel("frozen", test::qwenConfig(), "float32");
    auto model = Model::load(folder, at::kCPU, at::kBFloat16);
    ASSERT_TRUE(model.ok()) << model.error().message();
    auto& parameters = (*model)->parameters().parameters();
    const auto named = [&](const std::string& name) -> Parameter& {
        return *std::find_if(
            parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
    };
    const std::string replaced = "model.layers.0.self_attn.q_proj.weight";
    named(replaced).master.fill_(0.25);
    const auto again = freshFolder("frozen-again");
    ASSERT_TRUE((*model)->save(again).ok());
    const auto before = SafetensorsFile::open(folder / "model.safetensors");
    const auto after = SafetensorsFile::open(again / "model.safetensors");
    ASSERT_TRUE(before.ok() && after.ok());
    for (const auto& info : (*after)->tensors()) {
        const auto bytes = (*after)->bytes(info);
        if (info.name == replaced) {
            const auto* values = reinterpret_cast<const float*>(bytes.data());
            EXPECT_TRUE(std::all_of(
                values, values + bytes.size() / 4, [](float value) { return value == 0.25F; }));
        } else { // fp32 on disk, though only bf16 was in memory
            EXPECT_TRUE(std::ranges::equal(bytes, (*before)->bytes(*(*before)->find(info.name))))
                << info.name;
        }
    }
}

TEST(Model, OneThatCannotBeLoadedIsNamedBeforeItsWeightsAreSearchedFor) {
    const auto folder = freshFolder("no-weights");
    ASSERT_TRUE(writeFileAtomically(folder / "config.json", R"({"model_type": "llama"})").ok());
    EXPECT_THAT(loadError(folder), ::testing::HasSubstr("dense"));
    ASSERT_TRUE(writeFileAtomically(folder / "config.json", test::qwenConfig().dump()).ok());
    EXPECT_THAT(loadError(folder), ::testing::HasSubstr("download the weights"));
}

TEST(Families, AnotherModelTypeIsRejectedByNameWithWhatIsLoaded) {
    const auto refused = describeModel({{"model_type", "llama"}}, "config.json");
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message().find("this is Llama (llama)"), std::string::npos);
    EXPECT_NE(refused.error().message().find("deepseek_v3"), std::string::npos);
}

TEST(Families, BothSpellingsOfTheConfigGiveTheSameArchitecture) {
    auto classic = test::qwenConfig(), modern = test::qwenConfig();
    classic["rope_theta"] = 5000;
    modern["rope_parameters"] = {{"rope_theta", 5000.0}, {"rope_type", "default"}};
    modern.erase("num_experts");
    modern["num_local_experts"] = 8;
    const auto a = describeModel(classic, ""), b = describeModel(modern, "");
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(a->rope.theta, 5000);
    EXPECT_EQ(b->rope.theta, 5000);
    EXPECT_EQ(a->gate.experts, b->gate.experts);
}

TEST(Families, ConfigsThatCannotBeAreErrorsNotCrashes) {
    for (const auto& [key, value] :
        std::initializer_list<std::pair<std::string, nlohmann::ordered_json>>{{"hidden_size", -1},
            {"hidden_size", "many"}, {"num_hidden_layers", 100000000}, {"n_routed_experts", 0},
            {"n_group", 3}, {"num_experts_per_tok", 9}, {"vocab_size", 1e18},
            {"qk_rope_head_dim", 7}}) {
        auto config = test::deepseekConfig();
        config[key] = value;
        EXPECT_FALSE(describeModel(config, "config.json").ok()) << key << " " << value;
    }
}

TEST(Model, ASaveThatRunsOutOfSpaceIsAnOutputError) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    const auto result = model->save("/nonexistent-folder/model");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::Output);
}

} // namespace
} // namespace mooring
