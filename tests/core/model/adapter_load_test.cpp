// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters as files that PEFT could have written: W + scale B A by the formula, and every way in
// which they may be broken. tests/oracle/lora_oracle.py holds the logits against PEFT's.
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include "tests/core/model/tiny.h"
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;
using Tensors = std::map<std::string, at::Tensor>;

const std::string kBase = "base_model.model.";
const std::string kQ = "model.layers.0.self_attn.q_proj", kV = "model.layers.2.self_attn.v_proj";
const std::string kExperts = "model.layers.2.mlp.experts";

at::Tensor numbers(std::vector<std::int64_t> shape, double phase) {
    const auto n = at::numel(at::empty(shape));
    return at::arange(n, at::kFloat).mul(0.37).add(phase).sin().mul(0.2).view(shape);
}

void put(Tensors& tensors, const std::string& module, std::int64_t rank, std::int64_t out,
    std::int64_t in) {
    tensors[kBase + module + ".lora_A.weight"] = numbers({rank, in}, 1);
    tensors[kBase + module + ".lora_B.weight"] = numbers({out, rank}, 2);
}

Json configOf(const Json& changes = Json::object()) {
    Json config = {{"peft_type", "LORA"}, {"r", 4}, {"lora_alpha", 6},
        {"target_modules", {"q_proj", "v_proj"}}};
    for (const auto& [key, value] : changes.items())
        config[key] = value;
    return config;
}

fs::path written(const std::string& name, const Json& config, const Tensors& tensors) {
    const auto folder = test::freshFolder("adapter-" + name);
    std::vector<TensorSpec> specs;
    for (const auto& [key, value] : tensors) {
        const auto type = value.scalar_type();
        specs.push_back({key,
            type == at::kBFloat16   ? DType::BF16
                : type == at::kHalf ? DType::F16
                : type == at::kLong ? DType::I64
                                    : DType::F32,
            value.sizes().vec()});
    }
    auto writer = SafetensorsWriter::create(folder / "adapter_model.safetensors", specs);
    for (const auto& [key, value] : tensors) {
        const auto host = value.contiguous();
        EXPECT_TRUE(writer
                        ->write(key,
                            {static_cast<const std::byte*>(host.data_ptr()),
                                static_cast<std::size_t>(host.nbytes())})
                        .ok());
    }
    EXPECT_TRUE(writer->finish().ok());
    EXPECT_TRUE(writeFileAtomically(folder / "adapter_config.json", config.dump()).ok());
    return folder;
}

Tensors attention(std::int64_t rankOfQ = 4) {
    Tensors tensors;
    put(tensors, kQ, rankOfQ, 32, 32);
    put(tensors, kV, 4, 16, 32);
    return tensors;
}
// Only some layers: the config selects no others.
Json attentionConfig(const Json& changes = Json::object()) {
    auto config = configOf({{"target_modules", {kQ, kV}}});
    for (const auto& [key, value] : changes.items())
        config[key] = value;
    return config;
}

Parameter& named(Model& model, const std::string& module) {
    for (auto& p : model.parameters().parameters())
        if (p.module == module)
            return p;
    throw std::runtime_error(module);
}

std::vector<std::string> loaded(Model& model, const fs::path& folder) {
    const auto notices = loadAdapter(model, folder);
    EXPECT_TRUE(notices.ok()) << (notices.ok() ? "" : notices.error().message());
    return notices.ok() ? *notices : std::vector<std::string>{"failed"};
}

void expectClose(const at::Tensor& a, const at::Tensor& b) {
    ASSERT_EQ(a.sizes(), b.sizes());
    EXPECT_LT((a - b).norm().item<double>(), 1e-6 * b.norm().item<double>() + 1e-9);
}

TEST(AdapterLoad, EachWeightHasTheRankAndScaleThatTheConfigGivesIt) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    const auto q = named(*model, kQ + ".weight").master.clone();
    const auto v = named(*model, kV + ".weight").master.clone();
    const auto tensors = attention(9);
    const auto notices = loaded(*model,
        written("scales",
            attentionConfig({{"use_rslora", true}, {"rank_pattern", {{"q_proj", 9}}},
                {"alpha_pattern", {{R"(layers\.2\..*)", 10}}}}),
            tensors));
    EXPECT_THAT(notices, IsEmpty());
    const auto product = [&](const std::string& module) {
        return at::mm(tensors.at(kBase + module + ".lora_B.weight"),
            tensors.at(kBase + module + ".lora_A.weight"));
    };
    expectClose(effectiveWeight(named(*model, kQ + ".weight")), q + product(kQ) * (6 / 3.0));
    expectClose(effectiveWeight(named(*model, kV + ".weight")), v + product(kV) * (10 / 2.0));
    EXPECT_FALSE(named(*model, "model.layers.1.self_attn.q_proj.weight").adapter);
}

TEST(AdapterLoad, NarrowTypesAreReadAsTheyAre) {
    for (const auto type : {at::kBFloat16, at::kHalf}) {
        auto model = test::tinyModel(test::qwenConfig(), false);
        auto tensors = attention();
        for (auto& [name, value] : tensors)
            value = value.to(type);
        loaded(*model, written("narrow", attentionConfig(), tensors));
        EXPECT_TRUE(at::equal(named(*model, kQ + ".weight").adapter.a->master,
            tensors.at(kBase + kQ + ".lora_A.weight").to(at::kFloat)));
    }
}

// [E r, in] and [out, r E] with the expert running fastest.
TEST(AdapterLoad, StackedExpertsOutsideInUnlessGateAndUpAreAlone) {
    Tensors tensors;
    put(tensors, kExperts + ".base_layer", 8 * 4, 24, 32);
    put(tensors, kExperts, 8 * 4, 32, 12);
    const auto check = [&](Model& model, const std::string& stem, const std::string& weight) {
        const auto& low = named(model, kExperts + "." + weight).adapter;
        ASSERT_TRUE(low);
        const auto b = tensors.at(kBase + stem + ".lora_B.weight").view({low.b->shape[1], 4, 8});
        const auto a = tensors.at(kBase + stem + ".lora_A.weight").view({8, 4, -1});
        for (int e = 0; e < 8; ++e) {
            expectClose(low.b->master[e], b.select(2, e));
            expectClose(low.a->master[e], a[e]);
        }
    };
    const Json both = {"layers.2.mlp.experts.gate_up_proj", "layers.2.mlp.experts.down_proj"};
    auto model = test::tinyModel(test::qwenConfig(), false);
    loaded(*model,
        written("both", configOf({{"target_modules", Json::array()}, {"target_parameters", both}}),
            tensors));
    check(*model, kExperts + ".base_layer", "gate_up_proj");
    check(*model, kExperts, "down_proj");
    tensors.clear();
    put(tensors, kExperts, 8 * 4, 24, 32);
    auto alone = test::tinyModel(test::qwenConfig(), false);
    loaded(*alone,
        written("alone",
            configOf({{"target_modules", Json::array()}, {"target_parameters", {both[0]}}}),
            tensors));
    check(*alone, kExperts, "gate_up_proj");
    // And back: the name on disk is that of a single wrapper.
    const auto again = test::freshFolder("alone-again");
    ASSERT_TRUE(saveAdapter(*alone, again).ok());
    auto reread = test::tinyModel(test::qwenConfig(), false);
    EXPECT_THAT(loaded(*reread, again), IsEmpty());
    check(*reread, kExperts, "gate_up_proj");
}

Tensors oneByOne(int experts = 8) {
    Tensors tensors;
    for (const int layer : {0, 2})
        for (int e = 0; e < experts; ++e) {
            const auto stem = "model.layers." + std::to_string(layer) + ".mlp.experts."
                + std::to_string(e) + ".";
            put(tensors, stem + "gate_proj", 4, 12, 32);
            put(tensors, stem + "up_proj", 4, 12, 32);
            put(tensors, stem + "down_proj", 4, 32, 12);
            tensors[kBase + stem + "up_proj.lora_B.weight"] = numbers({12, 4}, 3 + e);
        }
    return tensors;
}

TEST(AdapterLoad, ExpertsThatStandOneByOneAreStacked) {
    const auto tensors = oneByOne();
    auto model = test::tinyModel(test::qwenConfig(), false);
    const auto& gateUp = named(*model, kExperts + ".gate_up_proj");
    const auto before = gateUp.master.clone();
    loaded(*model,
        written("one-by-one", configOf({{"target_modules", {"gate_proj", "up_proj", "down_proj"}}}),
            tensors));
    const auto delta = effectiveWeight(gateUp) - before;
    for (int e = 0; e < 8; ++e) {
        const auto product = [&](const std::string& projection) {
            const auto stem = kBase + kExperts + "." + std::to_string(e) + "." + projection;
            return at::mm(tensors.at(stem + ".lora_B.weight"), tensors.at(stem + ".lora_A.weight"))
                * 1.5;
        };
        expectClose(delta[e].narrow(0, 0, 12), product("gate_proj"));
        expectClose(delta[e].narrow(0, 12, 12), product("up_proj"));
    }
}

TEST(AdapterLoad, SavedModulesReplaceWeights) {
    auto tensors = attention();
    tensors[kBase + "model.norm.weight"] = numbers({32}, 4);
    tensors[kBase + "model.layers.2.mlp.gate.weight"] = numbers({8, 32}, 5).to(at::kBFloat16);
    tensors[kBase + kExperts + ".down_proj"] = numbers({8, 32, 12}, 6);
    tensors[kBase + "lm_head.weight"] = numbers({50, 32}, 7);
    auto model = test::tinyModel(test::qwenConfig(), false);
    loaded(*model,
        written("saved",
            attentionConfig(
                {{"modules_to_save", {"model.norm", "mlp.gate", "experts", "lm_head"}}}),
            tensors));
    expectClose(named(*model, "model.norm.weight").master, numbers({32}, 4));
    expectClose(model->moe(1).router->master, numbers({8, 32}, 5).to(at::kBFloat16).to(at::kFloat));
    expectClose(model->moe(1).down->master, numbers({8, 32, 12}, 6));
    expectClose(model->head().master, numbers({50, 32}, 7));
}

TEST(AdapterLoad, TheBiasOfBIsScaledIntoTheLayersOwn) {
    auto config = test::qwenConfig();
    config["attention_bias"] = true;
    auto model = test::tinyModel(config, false);
    const auto before = named(*model, kQ + ".bias").master.clone();
    auto tensors = attention();
    tensors[kBase + kQ + ".lora_B.bias"] = numbers({32}, 8);
    tensors[kBase + kV + ".lora_B.bias"] = numbers({16}, 9);
    loaded(*model, written("bias", attentionConfig({{"lora_bias", true}}), tensors));
    expectClose(named(*model, kQ + ".bias").master, before + numbers({32}, 8) * 1.5);
}

TEST(AdapterLoad, AHeadThatIsAdaptedLeavesTheEmbeddingAsItWas) {
    auto config = test::qwenConfig();
    config["tie_word_embeddings"] = true;
    for (const std::string module : {"lm_head", "model.embed_tokens"}) {
        const auto source = test::freshFolder("tied");
        ASSERT_TRUE(test::tinyModel(config, false)->save(source).ok());
        auto model = std::move(Model::load(source, at::kCPU, at::kFloat)).value();
        const auto shared = model->head().master.clone();
        Tensors tensors;
        at::Tensor delta;
        if (module == "lm_head") {
            put(tensors, module, 4, 50, 32);
            delta = at::mm(tensors.at(kBase + module + ".lora_B.weight"),
                tensors.at(kBase + module + ".lora_A.weight"));
        } else {
            const auto a = tensors[kBase + module + ".lora_embedding_A"] = numbers({4, 50}, 1);
            const auto b = tensors[kBase + module + ".lora_embedding_B"] = numbers({32, 4}, 2);
            delta = at::mm(b, a).t();
        }
        loaded(*model, written("head", configOf({{"target_modules", {module}}}), tensors));
        const bool head = module == "lm_head";
        expectClose(model->head().master, head ? shared + delta * 1.5 : shared);
        expectClose(model->embedding().master, head ? shared : shared + delta * 1.5);
        // Saved as two weights that no program ties again.
        const auto merged = test::freshFolder("untied");
        ASSERT_TRUE(model->save(merged).ok());
        EXPECT_EQ(Json::parse(*readFile(merged / "config.json"))["tie_word_embeddings"], false);
        const auto again = Model::load(merged, at::kCPU, at::kFloat);
        ASSERT_TRUE(again.ok()) << again.error().message();
        EXPECT_THAT((*again)->notices(), IsEmpty());
        expectClose((*again)->head().master, model->head().master);
        expectClose((*again)->embedding().master, model->embedding().master);
    }
}

TEST(AdapterLoad, WeightsThatTheConfigNamesAndTheFileLacksRestAndAreNamed) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    const auto notices = loaded(*model, written("part", configOf(), attention()));
    ASSERT_EQ(notices.size(), 1U); // q_proj of layers 1 and 2, v_proj of 0 and 1
    EXPECT_THAT(notices[0], HasSubstr("4 weights"));
    EXPECT_THAT(notices[0], HasSubstr("model.layers.0.self_attn.v_proj.weight"));
}

TEST(AdapterLoad, RanksAndScalesOfTheirOwnAreWrittenAndReadAgain) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    loaded(*model,
        written("own",
            attentionConfig(
                {{"rank_pattern", {{"q_proj", 9}}}, {"alpha_pattern", {{"v_proj", 7}}}}),
            attention(9)));
    const auto folder = test::freshFolder("own-again");
    ASSERT_TRUE(saveAdapter(*model, folder).ok());
    auto again = test::tinyModel(test::qwenConfig(), false);
    EXPECT_THAT(loaded(*again, folder), IsEmpty());
    for (const auto& name : {kQ + ".weight", kV + ".weight"}) {
        const auto &a = named(*model, name).adapter, &b = named(*again, name).adapter;
        ASSERT_TRUE(b) << name;
        EXPECT_DOUBLE_EQ(a.scale, b.scale);
        EXPECT_TRUE(at::equal(a.a->master, b.a->master));
        EXPECT_TRUE(at::equal(a.b->master, b.b->master));
    }
}

TEST(AdapterLoad, ARunFromAnAdapterTrainsItsWeights) {
    const auto folder = written("from", attentionConfig({{"use_rslora", true}}), attention());
    auto model = test::tinyModel(test::qwenConfig(), false);
    TrainConfig train{"lora", {}, LoraConfig{}, "auto"};
    train.lora->from = folder.string();
    const auto table = trainableTable(*model, train);
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(table->trainable, 4 * (32 + 32) + 4 * (16 + 32));
    const auto ready = prepareTraining(*model, train, 1);
    ASSERT_TRUE(ready.ok()) << ready.error().message();
    EXPECT_EQ(model->parameters().trained().size(), 4U);
    const auto& low = named(*model, kQ + ".weight").adapter;
    EXPECT_DOUBLE_EQ(low.scale, 3);
    EXPECT_TRUE(low.a->trains());
    expectClose(low.a->master, attention().at(kBase + kQ + ".lora_A.weight"));
    // What such a run would not hold: a base that the adapter changes.
    auto tensors = attention();
    tensors[kBase + "model.norm.weight"] = numbers({32}, 4);
    train.lora->from
        = written("from-saved", attentionConfig({{"modules_to_save", {"model.norm"}}}), tensors)
              .string();
    const auto refused = trainableTable(*test::tinyModel(test::qwenConfig(), false), train);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message(), HasSubstr("modules_to_save"));
    EXPECT_THAT(refused.error().message(), HasSubstr("mooring-cli merge"));
}

std::string problem(const fs::path& folder) {
    auto model = test::tinyModel(test::qwenConfig(), false);
    const auto found = loadAdapter(*model, folder);
    EXPECT_FALSE(found.ok());
    if (found.ok())
        return {};
    EXPECT_EQ(found.error().code, ErrorCode::Input);
    EXPECT_FALSE(found.error().hint.empty());
    return found.error().message();
}

TEST(AdapterLoad, BrokenFilesAreNamedByTheirTensor) {
    const std::string a = kBase + kQ + ".lora_A.weight", b = kBase + kQ + ".lora_B.weight";
    const auto with = [&](const std::function<void(Tensors&)>& change) {
        auto tensors = attention();
        change(tensors);
        return problem(written("broken", attentionConfig(), tensors));
    };
    EXPECT_THAT(with([&](Tensors& t) { t.erase(a); }), HasSubstr("lacks " + a));
    EXPECT_THAT(with([&](Tensors& t) { t.erase(b); }), HasSubstr("lacks " + b));
    EXPECT_THAT(with([&](Tensors& t) {
        t[a] = numbers({4, 31}, 0);
    }),
        HasSubstr(a + " has shape [4, 31]"));
    EXPECT_THAT(with([&](Tensors& t) { t[b] = numbers({32, 5}, 0); }), HasSubstr("[32, 4]"));
    EXPECT_THAT(with([&](Tensors& t) { t[a] = numbers({128}, 0); }), HasSubstr(a));
    EXPECT_THAT(with([&](Tensors& t) { t[a][1][2] = NAN; }),
        HasSubstr(a + " holds numbers that are not finite"));
    EXPECT_THAT(with([&](Tensors& t) { t[b][1][2] = INFINITY; }), HasSubstr(b));
    EXPECT_THAT(with([&](Tensors& t) { t[a] = t[a].to(at::kLong); }), HasSubstr("I64"));
    EXPECT_THAT(with([&](Tensors& t) { t["model.layers.0.x.lora_A.weight"] = t[a]; }),
        HasSubstr("no place"));
    EXPECT_THAT(with([&](Tensors& t) { put(t, "model.layers.9.self_attn.q_proj", 4, 32, 32); }),
        HasSubstr("layers.9"));
    EXPECT_THAT(with([&](Tensors& t) { put(t, "model.layers.1.self_attn.q_proj", 4, 32, 32); }),
        HasSubstr("does not select"));
    EXPECT_THAT(with([&](Tensors& t) { t[kBase + "model.norm.weight"] = numbers({32}, 0); }),
        HasSubstr("norm"));
    EXPECT_THAT(
        with([&](Tensors& t) { t[kBase + kQ + ".lora_magnitude_vector"] = numbers({32}, 0); }),
        HasSubstr("lora_magnitude_vector"));
    EXPECT_THAT(problem(written("empty", attentionConfig(), {})), HasSubstr("no tensor"));
}

TEST(AdapterLoad, BrokenExpertsAreNamed) {
    const auto with
        = [&](const std::function<void(Tensors&)>& change, const Json& more = Json::object()) {
              auto tensors = oneByOne();
              change(tensors);
              auto config = configOf({{"target_modules", {"gate_proj", "up_proj", "down_proj"}}});
              config.update(more);
              return problem(written("broken-experts", config, tensors));
          };
    const auto third = kBase + kExperts + ".3.";
    EXPECT_THAT(with([&](Tensors& t) { t.erase(third + "down_proj.lora_A.weight"); }),
        HasSubstr("lacks expert 3"));
    EXPECT_THAT(with([&](Tensors& t) {
        std::erase_if(
            t, [](const auto& e) { return e.first.find("up_proj") != std::string::npos; });
    }),
        HasSubstr("alone"));
    EXPECT_THAT(with([&](Tensors& t) {
        t[third + "up_proj.lora_B.weight"] = numbers({13, 4}, 0);
    }),
        HasSubstr("another shape"));
    EXPECT_THAT(with([&](Tensors& t) {
        std::erase_if(
            t, [](const auto& e) { return e.first.find("experts.7.") != std::string::npos; });
    }),
        HasSubstr("shape"));
    EXPECT_THAT(with([](Tensors&) {}, {{"use_rslora", true}}), HasSubstr("use_rslora"));
}

TEST(AdapterLoad, FilesThatAreNotThereOrCutOffAreNamed) {
    const auto folder = written("files", attentionConfig(), attention());
    fs::resize_file(folder / "adapter_model.safetensors", 1500);
    EXPECT_THAT(problem(folder), HasSubstr("truncated"));
    fs::remove(folder / "adapter_model.safetensors");
    EXPECT_THAT(problem(folder), HasSubstr("adapter_model.safetensors"));
    std::ofstream(folder / "adapter_model.bin") << "pickle";
    EXPECT_THAT(problem(folder), HasSubstr("adapter_model.bin"));
    EXPECT_THAT(problem(test::freshFolder("nothing")), HasSubstr("adapter_config.json"));
    const auto dora = written("dora", attentionConfig({{"use_dora", true}}), attention());
    EXPECT_THAT(problem(dora), HasSubstr("'use_dora'"));
    // A layer of this model has no bias to add to.
    auto tensors = attention();
    tensors[kBase + kQ + ".lora_B.bias"] = numbers({32}, 8);
    EXPECT_THAT(problem(written("no-bias", attentionConfig({{"lora_bias", true}}), tensors)),
        HasSubstr("'lora_bias'"));
}

} // namespace
} // namespace mooring
