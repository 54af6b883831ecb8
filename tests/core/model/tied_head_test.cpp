// SPDX-License-Identifier: GPL-3.0-or-later
// Folders whose config says that embedding and head are one weight, and whose files may say more.
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include "core/model/memory_estimate.h"
#include "tests/core/model/tiny.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kEmbedding = "model.embed_tokens.weight", kHead = "lm_head.weight";

// A folder of a model with two weights, whose config says that they are one. `leaveOut`: a tensor
// that its file does not hold.
fs::path claimsTied(const std::string& name, bool same = false, const std::string& leaveOut = {}) {
    const auto source = test::freshFolder(name + "-source"), folder = test::freshFolder(name);
    auto model = test::tinyModel(test::qwenConfig(), false);
    if (same)
        model->head().master.copy_(model->embedding().master);
    EXPECT_TRUE(model->save(source).ok());
    const auto file = *SafetensorsFile::open(source / "model.safetensors");
    std::vector<TensorSpec> specs;
    for (const auto& info : file->tensors())
        if (info.name != leaveOut)
            specs.push_back({info.name, info.dtype, info.shape});
    auto writer = SafetensorsWriter::create(folder / "model.safetensors", specs);
    for (const auto& spec : specs)
        EXPECT_TRUE(writer->write(spec.name, file->bytes(*file->find(spec.name))).ok());
    EXPECT_TRUE(writer->finish().ok());
    auto config = test::qwenConfig();
    config["tie_word_embeddings"] = true;
    EXPECT_TRUE(writeFileAtomically(folder / "config.json", config.dump()).ok());
    return folder;
}

std::unique_ptr<Model> loaded(const fs::path& folder, at::ScalarType compute = at::kFloat) {
    auto model = Model::load(folder, at::kCPU, compute);
    EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().message());
    return model.ok() ? std::move(*model) : nullptr;
}

at::Tensor inFile(const fs::path& folder, const std::string& name) {
    const auto file = *SafetensorsFile::open(folder / "model.safetensors");
    const auto* info = file->find(name);
    return info
        ? at::from_blob(const_cast<std::byte*>(file->bytes(*info).data()), info->shape).clone()
        : at::Tensor();
}

TEST(TiedHead, AHeadThatDiffersIsUsedAndKept) {
    const auto folder = claimsTied("differs");
    auto model = loaded(folder);
    ASSERT_EQ(model->notices().size(), 1U);
    EXPECT_THAT(model->notices()[0], HasSubstr("tie_word_embeddings"));
    EXPECT_NE(&model->head(), &model->embedding());
    EXPECT_TRUE(at::equal(model->head().master, inFile(folder, kHead)));
    const auto again = test::freshFolder("differs-again");
    ASSERT_TRUE(model->save(again).ok());
    for (const auto& name : {kEmbedding, kHead})
        EXPECT_TRUE(at::equal(inFile(again, name), inFile(folder, name))) << name;
    EXPECT_EQ(
        nlohmann::json::parse(*readFile(again / "config.json"))["tie_word_embeddings"], false);
    const auto reloaded = loaded(again);
    EXPECT_THAT(reloaded->notices(), IsEmpty());
    EXPECT_TRUE(at::equal(reloaded->head().master, model->head().master));
}

TEST(TiedHead, AHeadThatIsTheEmbeddingIsTied) {
    const auto folder = claimsTied("same", true);
    auto model = loaded(folder);
    EXPECT_THAT(model->notices(), IsEmpty());
    EXPECT_EQ(&model->head(), &model->embedding());
    const auto again = test::freshFolder("same-again");
    ASSERT_TRUE(model->save(again).ok());
    EXPECT_EQ(*readFile(again / "config.json"), *readFile(folder / "config.json"));
    EXPECT_TRUE(at::equal(inFile(again, kHead), inFile(folder, kHead)));
}

TEST(TiedHead, AHeadAloneIsTheEmbeddingToo) {
    const auto folder = claimsTied("alone", false, kEmbedding);
    for (const auto compute : {at::kFloat, at::kBFloat16}) {
        auto model = loaded(folder, compute);
        EXPECT_EQ(&model->head(), &model->embedding());
        EXPECT_TRUE(at::equal(model->embedding().master, inFile(folder, kHead).to(compute)));
        model->prepareTraining([](const Parameter&) { return true; });
        EXPECT_TRUE(
            at::equal(model->embedding().master, inFile(folder, kHead))); // from the file itself
        const auto again = test::freshFolder("alone-again");
        ASSERT_TRUE(model->save(again).ok());
        EXPECT_FALSE(inFile(again, kEmbedding).defined());
        EXPECT_TRUE(at::equal(inFile(again, kHead), inFile(folder, kHead)));
    }
}

TEST(TiedHead, TheEmbeddingAloneIsTiedAsEver) {
    const auto folder = claimsTied("embedding", false, kHead);
    EXPECT_THAT(loaded(folder)->notices(), IsEmpty());
}

TEST(TiedHead, TablesAndEstimatesCountTheHeadThatTheFilesHold) {
    RunConfig own, tied;
    own.model.path = claimsTied("estimate").string();
    tied.model.path = claimsTied("estimate-same", true).string();
    const auto groups = TrainConfig{"groups", {"head"}, {}, "auto"};
    const auto table = trainableTable(fs::path(own.model.path), groups);
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(table->trainable, 50 * 32);
    EXPECT_FALSE(trainableTable(fs::path(tied.model.path), groups).ok());
    EXPECT_EQ(estimateMemory(own)->parameters - estimateMemory(tied)->parameters, 50 * 32);
}

} // namespace
} // namespace mooring
