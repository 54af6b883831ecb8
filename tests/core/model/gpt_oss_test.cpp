// SPDX-License-Identifier: GPL-3.0-or-later
// What only gpt-oss has: sinks, biases of experts and router, files that are transposed or packed.
#include "core/files/atomic_folder.h"
#include "core/model/families/describe_model.h"
#include "core/model/layers/sinks.h"
#include "core/train/training_step.h"
#include "tests/core/model/family_configs.h"
#include <cmath>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using test::with;

at::Tensor waves(const std::vector<std::int64_t>& shape, double step) {
    std::int64_t n = 1;
    for (const auto size : shape)
        n *= size;
    return at::arange(n, at::kFloat).mul(step).sin().view(shape);
}

Parameter sinksOf(const at::Tensor& values) {
    Parameter p;
    p.shape = values.sizes().vec();
    p.master = p.compute = values;
    p.grad = at::zeros_like(values);
    return p;
}

// Attention with the sink written out: exp(s) / (sum exp(s) + exp(sink)).
at::Tensor plainAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
    const at::Tensor& sinks, double scale) {
    const std::int64_t S = q.size(2);
    const auto hidden = at::ones({S, S}, at::kBool).triu(1);
    const auto e = at::matmul(q, k.transpose(2, 3)).mul(scale).exp().masked_fill(hidden, 0);
    return at::matmul(e / (e.sum(-1, true) + sinks.exp().view({1, -1, 1, 1})), v);
}

TEST(Sinks, AreOneMoreTermOfEverySoftmaxWithItsGradient) {
    const std::int64_t B = 2, H = 3, S = 5, d = 7;
    const double scale = 0.4;
    auto q = waves({B, H, S, d}, 0.9).requires_grad_(true);
    const auto k = waves({B, H, S, d}, 1.7), v = waves({B, H, S, d}, 0.3);
    auto sinks = sinksOf(at::tensor({-1.0F, 0.5F, 3.0F}));
    auto leaf = sinks.master.clone().requires_grad_(true);

    const auto wide = queriesWithSink(q, sinks, scale);
    EXPECT_EQ(wide.size(3), 8);
    const auto own = at::scaled_dot_product_attention(at::constant_pad_nd(wide, {0, 0, 1, 0}),
        keysWithSink(k), valuesWithSink(v), {}, 0.0, true, scale)
                         .narrow(2, 1, S)
                         .narrow(3, 0, d);
    const auto expected = plainAttention(q, k, v, leaf, scale);
    EXPECT_TRUE(at::allclose(own, expected, 1e-5, 1e-6));

    const auto d1 = waves({B, H, S, d}, 2.1);
    const auto dq = torch::autograd::grad({expected}, {q, leaf}, {d1}, true);
    torch::autograd::backward({own}, {d1});
    EXPECT_TRUE(at::allclose(q.grad(), dq[0], 1e-4, 1e-6));
    EXPECT_TRUE(at::allclose(sinks.grad, dq[1], 1e-4, 1e-6));
}

TEST(Sinks, ReachAWidthThatFusedKernelsTake) {
    EXPECT_EQ(widthWithSink(64), 72);
    EXPECT_EQ(widthWithSink(63), 64);
    EXPECT_EQ(widthWithSink(6), 8);
}

TEST(Sinks, AreSeenFromEveryBlockOfALongRow) {
    // 200 tokens are four blocks of a windowed layer; a prefix gives the logits of the whole row.
    auto model = test::tinyModel(
        with(test::gptOssConfig(), {{"sliding_window", 40}, {"max_position_embeddings", 256}}),
        false);
    std::vector<std::int32_t> row;
    for (int i = 0; i < 200; ++i)
        row.push_back((i * i + 7 * i) % 50);
    const auto logitsOf = [&](std::size_t n) {
        RoutingPlan plain;
        const std::vector<std::span<const std::int32_t>> rows = {std::span(row).first(n)};
        return model->logits(model->forward(makeBatch(rows, at::kCPU), plain));
    };
    const auto whole = logitsOf(200);
    for (const std::size_t n : {30, 64, 65, 129, 193}) {
        const auto last = static_cast<std::int64_t>(n) - 1;
        EXPECT_TRUE(at::allclose(logitsOf(n)[last], whole[last], 1e-4, 1e-5)) << n;
    }
    const auto before = whole[199].clone();
    for (int l = 0; l < 3; l += 2) // the windowed layers
        model->layers()[static_cast<std::size_t>(l)].attention.sinks->master.add_(1.0);
    EXPECT_FALSE(at::allclose(logitsOf(200)[199], before, 1e-3, 1e-4));
}

// Moves one element of every parameter in turn; the loss must move by its gradient.
TEST(GptOss, EveryGradientIsTheSlopeOfTheLoss) {
    auto model = test::tinyModel(test::gptOssConfig());
    const auto step = test::stepOf(test::tinySamples(), 6);
    TrainingStep training(*model, StepBase{});
    model->parameters().flatGrad().zero_();
    training.run(step, LiveValues{});
    const auto lossAt = [&](at::Tensor element, double value) {
        element.fill_(value);
        return training.run(step, LiveValues{}).ce;
    };
    std::vector<std::pair<Parameter*, at::Tensor>> vectors;
    for (auto& p : model->parameters().parameters())
        if (p.shape.size() == 1 && p.layer >= 0)
            vectors.emplace_back(&p, p.grad.clone());
    EXPECT_EQ(vectors.size(), 3U * 10); // 2 norms, 4 projections, sinks, router, 2 of the experts
    for (const auto& [p, grad] : vectors) {
        const auto i = grad.abs().argmax().item<std::int64_t>();
        const auto element = p->master.view({-1})[i];
        const double before = element.item<double>(), h = 2e-3,
                     slope = grad.view({-1})[i].item<double>();
        const double change = lossAt(element, before + h) - lossAt(element, before - h);
        element.fill_(before);
        EXPECT_NEAR(change / (2 * h), slope, 3e-2 * std::abs(slope) + 2e-3) << p->name;
    }
}

TEST(GptOss, BiasesOfExpertsHaveNoDecayAndNoAdapter) {
    const auto model = test::tinyModel(test::gptOssConfig());
    const auto& moe = model->moe(0);
    for (const auto* p : {moe.gateUpBias, moe.downBias, moe.routerBias}) {
        EXPECT_FALSE(p->decays());
        EXPECT_TRUE(p->trains());
    }
    EXPECT_EQ(moe.gateUpBias->group, ParameterGroup::RoutedExperts);
    EXPECT_EQ(moe.routerBias->group, ParameterGroup::Router);
}

at::Tensor tensorIn(const fs::path& folder, const std::string& key) {
    const auto file = SafetensorsFile::open(folder / "model.safetensors");
    const auto* info = (*file)->find(key);
    EXPECT_NE(info, nullptr) << key;
    return at::from_blob(const_cast<std::byte*>((*file)->bytes(*info).data()), info->shape,
        at::TensorOptions().dtype(scalarType(info->dtype)))
        .clone();
}

TEST(GptOss, FilesHoldTheTransposedExpertsWithGateAndUpByTurns) {
    const auto folder = test::freshFolder("gpt-oss-layout");
    auto model = test::tinyModel(test::gptOssConfig(), false);
    ASSERT_TRUE(model->save(folder).ok());
    const std::string experts = "model.layers.1.mlp.experts.";
    const auto gateUp = tensorIn(folder, experts + "gate_up_proj"),
               down = tensorIn(folder, experts + "down_proj"),
               gateUpBias = tensorIn(folder, experts + "gate_up_proj_bias"),
               downBias = tensorIn(folder, experts + "down_proj_bias");
    const auto& moe = model->moe(1);
    const std::int64_t E = 8, I = 12, D = 32;
    ASSERT_EQ(gateUp.sizes(), (std::vector<std::int64_t>{E, D, 2 * I}));
    ASSERT_EQ(down.sizes(), (std::vector<std::int64_t>{E, I, D}));
    for (const std::int64_t e : {0, 7})
        for (const std::int64_t i : {0, 5, 11}) {
            for (const std::int64_t half : {0, 1}) {
                EXPECT_TRUE(at::equal(
                    gateUp[e].select(1, 2 * i + half), moe.gateUp->master[e][half * I + i]));
                EXPECT_EQ(gateUpBias[e][2 * i + half].item<float>(),
                    moe.gateUpBias->master[e * 2 * I + half * I + i].item<float>());
            }
            EXPECT_TRUE(at::equal(down[e][i], moe.down->master[e].select(1, i)));
        }
    EXPECT_TRUE(at::equal(downBias.flatten(), moe.downBias->master));
    EXPECT_EQ(tensorIn(folder, "model.layers.1.mlp.router.bias").numel(), E);
    EXPECT_EQ(tensorIn(folder, "model.layers.1.self_attn.sinks").numel(), 4);
}

TEST(GptOss, DefaultsAreThoseOfTransformers) {
    const auto a
        = describeModel({{"model_type", "gpt_oss"}, {"hidden_size", 2880}, {"vocab_size", 201088},
                            {"num_hidden_layers", 3}, {"num_attention_heads", 64},
                            {"intermediate_size", 2880}, {"num_experts_per_tok", 4}},
            "config.json");
    ASSERT_TRUE(a.ok()) << a.error().message();
    EXPECT_EQ(a->attention.headDim, 64);
    EXPECT_EQ(a->attention.kvHeads, 8);
    EXPECT_TRUE(a->attention.qkvBias && a->attention.outputBias && a->attention.sinks);
    EXPECT_EQ(a->gate.experts, 128);
    EXPECT_EQ(a->rope.kind, RopeSpec::Kind::Yarn);
    EXPECT_EQ(a->rope.theta, 150000);
    EXPECT_EQ(a->rope.factor, 32);
    EXPECT_EQ(a->rope.originalPositions, 4096);
    EXPECT_EQ(a->rmsEps, 1e-5);
    EXPECT_EQ(a->gluClamp, 7);
    EXPECT_EQ(a->windows, (std::vector<std::int64_t>{128, 0, 128}));
}

// A folder like the published ones: two experts of width 32, one layer, everything but the experts'
// weights at zero; block b of a row has the scale 120 + b, its values are the codes 0, 1, 2 ..
class PackedFolder {
public:
    explicit PackedFolder(const std::string& name)
        : m_path(test::freshFolder(name)) {
        auto config = with(test::gptOssConfig(),
            {{"num_hidden_layers", 1}, {"hidden_size", 64}, {"intermediate_size", 32},
                {"num_local_experts", 2}, {"num_experts", 2}});
        EXPECT_TRUE(test::tinyModel(config, false)->save(m_path).ok());
        const auto file = SafetensorsFile::open(m_path / "model.safetensors");
        for (const auto& info : (*file)->tensors())
            if (!info.name.ends_with("_proj"))
                add(info.name, info.dtype, info.shape,
                    std::vector<std::byte>((*file)->bytes(info).size()));
        addPacked("model.layers.0.mlp.experts.gate_up_proj", 64, 2);
        addPacked("model.layers.0.mlp.experts.down_proj", 64, 1);
        config["quantization_config"] = {{"quant_method", "mxfp4"}};
        EXPECT_TRUE(writeFileAtomically(m_path / "config.json", config.dump()).ok());
    }
    // The value that is at `column` of a row of the blocks.
    static float value(std::int64_t expert, std::int64_t row, std::int64_t column) {
        constexpr float kMagnitudes[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
        const auto code = static_cast<unsigned>(expert + row + column) % 16;
        const int scale = 120 + static_cast<int>(column / 32);
        return std::ldexp((code < 8 ? 1.0F : -1.0F) * kMagnitudes[code % 8], scale - 127);
    }
    // Into one file, or into two with an index.
    void write(bool sharded) {
        const std::size_t half = sharded ? m_specs.size() / 2 : m_specs.size();
        auto map = nlohmann::json::object();
        for (std::size_t i = 0; i < m_specs.size(); ++i)
            map[m_specs[i].name] = i < half ? "model-00000-of-00001.safetensors"
                                            : "model-00001-of-00001.safetensors";
        writeShard(sharded ? "model-00000-of-00001.safetensors" : "model.safetensors", 0, half);
        if (!sharded)
            return;
        writeShard("model-00001-of-00001.safetensors", half, m_specs.size());
        fs::remove(m_path / "model.safetensors");
        EXPECT_TRUE(writeFileAtomically(m_path / "model.safetensors.index.json",
            nlohmann::json{{"metadata", {{"total_size", 1}}}, {"weight_map", map}}.dump())
                        .ok());
    }
    const fs::path& path() const { return m_path; }
    std::vector<TensorSpec>& specs() { return m_specs; }
    std::vector<std::vector<std::byte>>& bytes() { return m_bytes; }

private:
    void add(const std::string& name, DType type, std::vector<std::int64_t> shape,
        std::vector<std::byte> bytes) {
        m_specs.push_back({name, type, std::move(shape)});
        m_bytes.push_back(std::move(bytes));
    }
    void addPacked(const std::string& key, std::int64_t rows, std::int64_t groups) {
        std::vector<std::byte> blocks, scales;
        for (std::int64_t e = 0; e < 2; ++e)
            for (std::int64_t row = 0; row < rows; ++row)
                for (std::int64_t g = 0; g < groups; ++g) {
                    scales.push_back(static_cast<std::byte>(120 + g));
                    for (std::int64_t i = 0; i < 16; ++i) {
                        const auto low = static_cast<unsigned>(e + row + 32 * g + 2 * i) % 16;
                        blocks.push_back(static_cast<std::byte>(low | (low + 1) % 16 << 4));
                    }
                }
        add(key + "_blocks", DType::U8, {2, rows, groups, 16}, std::move(blocks));
        add(key + "_scales", DType::U8, {2, rows, groups}, std::move(scales));
    }
    void writeShard(const std::string& name, std::size_t begin, std::size_t end) {
        auto writer = SafetensorsWriter::create(
            m_path / name, {m_specs.begin() + begin, m_specs.begin() + end});
        for (std::size_t i = begin; i < end; ++i)
            EXPECT_TRUE(writer->write(m_specs[i].name, m_bytes[i]).ok());
        EXPECT_TRUE(writer->finish().ok());
    }

    fs::path m_path;
    std::vector<TensorSpec> m_specs;
    std::vector<std::vector<std::byte>> m_bytes;
};

void expectUnpacked(Model& model) {
    const auto& moe = model.moe(0);
    for (const std::int64_t e : {0, 1})
        for (std::int64_t row = 0; row < 64; ++row) {
            const auto gateUp = moe.gateUp->master[e][row % 2 * 32 + row / 2].to(at::kFloat);
            const auto down = moe.down->master[e][row].to(at::kFloat);
            for (std::int64_t column = 0; column < 64; ++column) {
                EXPECT_EQ(gateUp[column].item<float>(), PackedFolder::value(e, row, column));
            }
            for (std::int64_t column = 0; column < 32; ++column)
                EXPECT_EQ(down[column].item<float>(), PackedFolder::value(e, row, column));
        }
}

TEST(PackedGptOss, LoadsIntoTheSameLayoutAndIsSavedInBf16) {
    for (const bool sharded : {false, true})
        for (const auto compute : {at::kFloat, at::kBFloat16}) {
            PackedFolder packed("gpt-oss-packed");
            packed.write(sharded);
            auto model = Model::load(packed.path(), at::kCPU, compute);
            ASSERT_TRUE(model.ok()) << model.error().message();
            expectUnpacked(**model);
            const auto saved = test::freshFolder("gpt-oss-unpacked");
            ASSERT_TRUE((*model)->save(saved).ok());
            const auto config = nlohmann::json::parse(*readFile(saved / "config.json"));
            EXPECT_FALSE(config.contains("quantization_config"));
            EXPECT_EQ(config["model_type"], "gpt_oss");
            const auto folder = ModelFolder::open(saved);
            ASSERT_TRUE(folder.ok()) << folder.error().message();
            const auto& gateUp
                = *folder->tensors().at("model.layers.0.mlp.experts.gate_up_proj").info;
            EXPECT_EQ(gateUp.dtype, DType::BF16);
            EXPECT_EQ(gateUp.shape, (std::vector<std::int64_t>{2, 64, 64}));
            EXPECT_FALSE(
                folder->tensors().contains("model.layers.0.mlp.experts.gate_up_proj_scales"));
            auto again = Model::load(saved, at::kCPU, at::kFloat);
            ASSERT_TRUE(again.ok()) << again.error().message();
            expectUnpacked(**again);
        }
}

TEST(PackedGptOss, MastersOfWhatTrainsComeFromTheFile) {
    PackedFolder packed("gpt-oss-packed-trains");
    packed.write(false);
    auto model = Model::load(packed.path(), at::kCPU, at::kBFloat16);
    ASSERT_TRUE(model.ok()) << model.error().message();
    (*model)->prepareTraining([](const Parameter&) { return true; });
    EXPECT_EQ((*model)->moe(0).gateUp->master.scalar_type(), at::kFloat);
    expectUnpacked(**model);
}

TEST(PackedGptOss, PartsThatDoNotFitAreNamed) {
    PackedFolder packed("gpt-oss-packed-broken");
    auto& last = packed.specs().back();
    ASSERT_TRUE(last.name.ends_with("down_proj_scales"));
    last.shape = {2, 1, 64};
    packed.write(false);
    const auto model = Model::load(packed.path(), at::kCPU, at::kFloat);
    ASSERT_FALSE(model.ok());
    EXPECT_NE(model.error().message().find("down_proj_scales are not the MXFP4"), std::string::npos)
        << model.error().message();
}

} // namespace
} // namespace mooring
