// SPDX-License-Identifier: GPL-3.0-or-later
// Broken model folders: each gives one sentence and exit code 3, before a run folder is made.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

struct Tensor {
    TensorSpec spec;
    std::vector<std::byte> bytes;
};

// A copy of the demo model to break.
class BadModel : public ::testing::Test {
protected:
    BadModel() {
        fs::copy(demoFolder() / "model", model());
        writeText(m_folder / "ids.json", "[[1, 2, 3, 4]]");
    }
    fs::path model() const { return m_folder / "model"; }
    fs::path weights() const { return model() / "model.safetensors"; }
    fs::path out() const { return m_folder / "f.safetensors"; }

    void rewrite(const std::function<void(std::vector<Tensor>&)>& change) const {
        std::vector<Tensor> tensors;
        const auto file = openTensors(weights());
        for (const auto& info : file->tensors()) {
            const auto bytes = file->bytes(info);
            tensors.push_back({{info.name, info.dtype, info.shape}, {bytes.begin(), bytes.end()}});
        }
        change(tensors);
        std::vector<TensorSpec> specs;
        for (const auto& tensor : tensors)
            specs.push_back(tensor.spec);
        auto writer = SafetensorsWriter::create(weights(), specs);
        ASSERT_TRUE(writer.ok());
        for (const auto& tensor : tensors)
            ASSERT_TRUE(writer->write(tensor.spec.name, tensor.bytes).ok());
        ASSERT_TRUE(writer->finish().ok());
    }
    static Tensor& named(std::vector<Tensor>& tensors, const std::string& name) {
        for (auto& tensor : tensors)
            if (tensor.spec.name == name)
                return tensor;
        throw std::runtime_error("no tensor " + name);
    }

    // Both ways in say the same.
    void expectRefused(const Words& parts) const {
        const auto forward = runCli({"forward", model().string(), "--ids",
            (m_folder / "ids.json").string(), "--out", out().string()});
        expectError(forward, 3, parts);
        EXPECT_FALSE(fs::exists(out()));
        const auto trained = runCli({"train",
            writeConfig(m_folder.path(), {{"model", {{"path", model().string()}}}}).string()});
        expectError(trained, 3, parts);
        EXPECT_FALSE(fs::exists(m_folder / "run" / "metrics.jsonl"));
    }

private:
    TemporaryFolder m_folder;
};

constexpr const char* kTensor = "model.layers.2.mlp.experts.7.down_proj.weight";

TEST_F(BadModel, TruncatedFileIsNamedWithItsSize) {
    fs::resize_file(weights(), fs::file_size(weights()) / 2);
    expectRefused({"model.safetensors", "truncated"});
}

TEST_F(BadModel, HeaderBeyondTheFileIsRejectedWithoutAllocatingIt) {
    std::string bytes(8, '\0');
    bytes[7] = 0x10; // 2^60
    writeText(weights(), bytes + "{}");
    expectRefused({"model.safetensors", "header"});
}

TEST_F(BadModel, EmptyFileIsRejected) {
    writeText(weights(), "");
    expectRefused({"model.safetensors"});
}

TEST_F(BadModel, GitLfsPointerIsRecognized) {
    writeText(weights(),
        "version https://git-lfs.github.com/spec/v1\noid sha256:"
        "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n");
    expectRefused({"model.safetensors", "LFS"});
}

TEST_F(BadModel, MissingTensorIsNamed) {
    rewrite([](std::vector<Tensor>& tensors) {
        std::erase_if(tensors, [](const Tensor& each) { return each.spec.name == kTensor; });
    });
    expectRefused({kTensor});
}

TEST_F(BadModel, UnusedTensorIsNamed) {
    rewrite([](std::vector<Tensor>& tensors) {
        tensors.push_back(
            {{"model.layers.2.mlp.extra.weight", DType::F32, {1}}, std::vector<std::byte>(4)});
    });
    expectRefused({"model.layers.2.mlp.extra.weight"});
}

TEST_F(BadModel, TensorOfAnotherShapeIsNamedWithBothShapes) {
    rewrite([](std::vector<Tensor>& tensors) {
        auto& shape = named(tensors, kTensor).spec.shape;
        ASSERT_EQ(shape, (std::vector<std::int64_t>{128, 24}));
        std::swap(shape[0], shape[1]);
    });
    expectRefused({kTensor, "128", "24"});
}

TEST_F(BadModel, IndexThatNamesAMissingFileSaysWhich) {
    fs::rename(weights(), model() / "model-00001-of-00002.safetensors");
    Json map;
    for (const auto& [name, kind] : tensorKinds(model() / "model-00001-of-00002.safetensors"))
        map[name] = name == "lm_head.weight" ? "model-00002-of-00002.safetensors"
                                             : "model-00001-of-00002.safetensors";
    writeText(model() / "model.safetensors.index.json",
        Json{{"metadata", Json::object()}, {"weight_map", map}}.dump());
    expectRefused({"model-00002-of-00002.safetensors"});
}

TEST_F(BadModel, ConfigThatIsNotJsonIsRejected) {
    writeText(model() / "config.json", "{\"model_type\": ");
    expectRefused({"config.json"});
}

TEST_F(BadModel, UnknownArchitectureIsNamed) {
    auto config = readJson(model() / "config.json");
    config["model_type"] = "gpt2";
    config["architectures"] = Json::array({"GPT2LMHeadModel"});
    writeText(model() / "config.json", config.dump());
    expectRefused({"gpt2"});
}

TEST_F(BadModel, ExpertCountOfAnotherModelIsRejected) {
    auto config = readJson(model() / "config.json");
    config["n_routed_experts"] = 1 << 30;
    writeText(model() / "config.json", config.dump());
    expectRefused({});
}

TEST_F(BadModel, TokenizerOfAnotherModelIsRejectedBeforeItIndexesTheEmbedding) {
    auto tokenizer = readJson(model() / "tokenizer.json");
    tokenizer["added_tokens"].push_back(
        {{"id", 5000}, {"content", "starts"}, {"single_word", false}, {"lstrip", false},
            {"rstrip", false}, {"normalized", false}, {"special", false}});
    writeText(model() / "tokenizer.json", tokenizer.dump());
    const TemporaryFolder folder;
    const auto config
        = writeConfig(folder.path(), {{"model", {{"path", model().string()}}}}).string();
    expectError(runCli({"train", config}), 3, {"tokenizer", "1024"});
    const auto probe = runCli({"probe", model().string(), "--texts",
        "new=" + (demoFolder() / "probe" / "new.jsonl").string(), "--tokens", "300", "--out",
        (folder / "probe").string()});
    expectError(probe, 3, {"tokenizer"});
    const auto eval = runCli(
        {"eval", model().string(), "--tasks", (demoFolder() / "eval" / "new.jsonl").string(),
            "--limit", "1", "--max-new-tokens", "2", "--out", (folder / "eval.jsonl").string()});
    expectError(eval, 3, {"tokenizer"});
}

TEST_F(BadModel, WeightsThatAreNotFiniteStopTheRunBeforeStepOne) {
    rewrite([](std::vector<Tensor>& tensors) {
        auto& bytes = named(tensors, "model.norm.weight").bytes;
        bytes.at(0) = std::byte{0xc0};
        bytes.at(1) = std::byte{0x7f}; // a bf16 NaN
    });
    const TemporaryFolder folder;
    const auto config
        = writeConfig(folder.path(), {{"model", {{"path", model().string()}}}}).string();
    expectError(runCli({"train", config}), 6, {"loss"});
    EXPECT_TRUE(stepsOf(folder / "run").empty());
    EXPECT_EQ(readJson(folder / "run" / "manifest.json")["state"], "failed");
}

TEST_F(BadModel, AbsentFolderIsNamed) {
    fs::remove_all(model());
    expectRefused({model().string()});
}

} // namespace
} // namespace mooring::testing
