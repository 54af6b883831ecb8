// SPDX-License-Identifier: GPL-3.0-or-later
// Two tokens (or three) of a model with MoE layers 1 and 2 after a dense layer 0, 4 experts, top-2.
#include "core/base/base64.h"
#include "core/routing/compare.h"
#include "core/routing/frame_file.h"
#include "core/routing/traces/import_traces.h"
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const RoutingShape kModel{{1, 2}, 3, 4, 2};

class Traces : public ::testing::Test {
protected:
    Traces()
        : m_folder(fs::path(::testing::TempDir())
            / ("mooring-traces-"
                + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        fs::create_directories(m_folder);
    }
    ~Traces() override { fs::remove_all(m_folder); }

    fs::path write(const std::string& name, const std::string& text) {
        std::ofstream(m_folder / name, std::ios::binary) << text;
        return m_folder / name;
    }
    Result<ImportedTrace> import(const std::string& text, const RoutingShape& model = kModel) {
        return importTraces({{"d", {write("trace.jsonl", text)}}}, model, 7);
    }
    std::string problemOf(const std::string& text, const RoutingShape& model = kModel) {
        const auto imported = import(text, model);
        return imported.ok() ? "" : imported.error().message();
    }
    fs::path m_folder;
};

TEST_F(Traces, MegatronRecordsBecomeCountsPairsAndChoices) {
    const auto imported = import(
        R"({"step":0,"stage":"pre_dispatch","block":"decoder","layer":1,"rank":0,"num_tokens":2,"topk":2,"top_indices":[[3,1],[1,0]]})"
        "\n"
        R"({"step":0,"stage":"pre_dispatch","block":"decoder","layer":2,"rank":0,"num_tokens":2,"topk":2,"top_indices":[[2,0],[2,3]]})"
        "\n");
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    const auto& frame = imported->frame;
    EXPECT_EQ(frame.step, 7);
    EXPECT_THAT(frame.layers, ElementsAre(1, 2));
    EXPECT_EQ(frame.experts, 4);
    EXPECT_EQ(frame.topK, 2);
    const auto& d = frame.domains.front();
    EXPECT_EQ(d.tokens, 2);
    EXPECT_THAT(d.counts_LE, ElementsAre(1, 2, 0, 1, 1, 0, 2, 1));
    EXPECT_THAT(d.topkIds_TLK, ElementsAre(3, 1, 2, 0, 1, 0, 2, 3));
    // Layer 1: pairs {3,1} and {1,0}; layer 2: {2,0} and {2,3}.
    EXPECT_THAT(d.coactivation_LEE,
        ElementsAre(0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, //
            0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0));
    EXPECT_TRUE(std::isnan(d.probMean_LE[0]) && std::isnan(d.topkWeights_TLK[0]));
    EXPECT_THAT(d.tokenIds_T, ElementsAre(-1, -1));
}

TEST_F(Traces, PipelineStagesOfOneBatchAreJoinedByTheirOrder) {
    const auto first = write("rank0.jsonl",
        R"({"step":0,"block":"decoder","layer":1,"top_indices":[[0,1]]})"
        "\n"
        R"({"step":1,"block":"decoder","layer":1,"top_indices":[[2,3]]})");
    const auto second = write("rank1.jsonl",
        R"({"step":0,"block":"decoder","layer":2,"top_indices":[[1,2]]})"
        "\n"
        R"({"step":1,"block":"decoder","layer":2,"top_indices":[[3,0]]})"
        "\n"
        R"({"step":1,"block":"mtp","layer":0,"mtp_idx":0,"top_indices":[[3,0]]})");
    const auto imported = importTraces({{"d", {first, second}}}, kModel, 1);
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    EXPECT_THAT(imported->frame.domains.front().topkIds_TLK, ElementsAre(0, 1, 1, 2, 2, 3, 3, 0));
    EXPECT_THAT(imported->notices, Contains(HasSubstr("1 records of multi-token-prediction")));
}

TEST_F(Traces, LayersMayCountMoeLayersAloneOrFromOne) {
    const auto at = [](int layer) {
        return R"({"layer":)" + std::to_string(layer) + R"(,"top_indices":[[0,1]]})" + "\n";
    };
    const auto ordinals = import(at(0) + at(1));
    ASSERT_TRUE(ordinals.ok()) << ordinals.error().message();
    EXPECT_THAT(ordinals->frame.layers, ElementsAre(1, 2));
    EXPECT_THAT(ordinals->notices, Contains(HasSubstr("only the MoE layers")));
    const auto fromOne = import(at(2) + at(3));
    ASSERT_TRUE(fromOne.ok()) << fromOne.error().message();
    EXPECT_THAT(fromOne->notices, Contains(HasSubstr("number layers from 1")));
    EXPECT_THAT(problemOf(at(1)), HasSubstr("has no record of the MoE layer 2"));
}

TEST_F(Traces, RouteLinesJoinTheirTokensAcrossPassesAndKeepWeights) {
    const auto line = [](const char* request, int token, int layer, const char* ids) {
        return R"({"type":"route","req_id":")" + std::string(request) + R"(","token_idx":)"
            + std::to_string(token) + R"(,"layer":)" + std::to_string(layer) + R"(,"topk_ids":)"
            + ids + R"(,"topk_weights":[0.75,0.25]})" + "\n";
    };
    const std::string meta = R"({"type":"meta","model_id":"m","layers_logged":[1,2],"top_k":2})"
                             "\n";
    // A prefill of one token and a decode step, whose key is the same again; the second layer of
    // the decode step was truncated.
    const auto imported = import(meta + line("a", 0, 1, "[3,1]") + line("a", 0, 2, "[0,2]")
        + line("a", 0, 1, "[1,2]") + line("a", 0, 2, "[2,1]") + line("a", 0, 1, "[0,1]"));
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    const auto& d = imported->frame.domains.front();
    EXPECT_THAT(d.topkIds_TLK, ElementsAre(3, 1, 0, 2, 1, 2, 2, 1));
    EXPECT_EQ(d.topkWeights_TLK.front(), 0.75F);
    EXPECT_THAT(imported->notices, Contains(HasSubstr("1 of 3 tokens lack a record")));
}

TEST_F(Traces, BatchTracesAreJoinedByTheirOriginRows) {
    const auto imported = import(
        R"({"layer":1,"batch_id":0,"origin_rows":[0,1],"topk_experts":[[0,1],[2,3]]})"
        "\n"
        R"({"layer":2,"batch_id":0,"origin_rows":[1,0],"topk_experts":[[1,3],[0,2]],"topk_weights":[[0.5,0.5],[0.75,0.25]]})");
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    EXPECT_THAT(imported->frame.domains.front().topkIds_TLK, ElementsAre(0, 1, 0, 2, 2, 3, 1, 3));
}

TEST_F(Traces, AtlasActivationsAreOrderedByWeightAndCarryTokenIds) {
    const auto imported = import(
        R"({"num_experts":4,"top_k":2,"token_ids":[11],"activations":[)"
        R"({"layer":1,"token_idx":0,"expert_idx":0,"gate_weight":0.25},{"layer":1,"token_idx":0,"expert_idx":3,"gate_weight":0.5},)"
        R"({"layer":2,"token_idx":0,"expert_idx":2,"gate_weight":0.5},{"layer":2,"token_idx":0,"expert_idx":1,"gate_weight":0.125}]})",
        {});
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    const auto& d = imported->frame.domains.front();
    EXPECT_EQ(imported->frame.experts, 4);
    EXPECT_THAT(d.tokenIds_T, ElementsAre(11));
    EXPECT_THAT(d.topkIds_TLK, ElementsAre(3, 0, 2, 1));
    EXPECT_THAT(d.topkWeights_TLK, ElementsAre(0.5F, 0.25F, 0.5F, 0.125F));
}

// numpy: np.array([[[3, 1], [2, 0]], [[1, 3], [0, 2]]], "u1"), np.save, base64. Two layers: the MoE
// layers alone.
TEST_F(Traces, VllmRepliesHoldANumpyArray) {
    const std::string npy
        = "k05VTVBZAQB2AHsnZGVzY3InOiAnfHUxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIs"
          "IDIsIDIpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          "IAoDAQIAAQMAAg==";
    const auto imported
        = import(R"({"prompt_token_ids":[5,6],"choices":[{"index":0,"token_ids":[7],)"
                 R"("routed_experts":")"
            + npy + R"("}]})");
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    const auto& d = imported->frame.domains.front();
    EXPECT_THAT(d.topkIds_TLK, ElementsAre(3, 1, 2, 0, 1, 3, 0, 2));
    EXPECT_THAT(d.tokenIds_T, ElementsAre(5, 6));
}

// struct.pack("<6i", 0, 0, 3, 1, 2, 0): one token, three layers, the dense one holds nothing of
// worth.
TEST_F(Traces, SglangRepliesHoldIntegersOfEveryLayer) {
    const std::string raw = "AAAAAAAAAAADAAAAAQAAAAIAAAAAAAAA";
    const std::string reply = R"([{"text":"x","meta_info":{"routed_experts":")" + raw + R"("}}])";
    const auto imported = import(reply);
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    EXPECT_THAT(imported->frame.domains.front().topkIds_TLK, ElementsAre(3, 1, 2, 0));
    EXPECT_THAT(problemOf(reply, {{}, 0, 4, 0}), HasSubstr("--model"));
    EXPECT_THAT(problemOf(R"({"routed_experts":"AAAA"})"),
        AllOf(HasSubstr("3 bytes"), HasSubstr("do not divide"), Not(HasSubstr("--model"))));
    EXPECT_THAT(problemOf(R"({"routed_experts":"?"})"), HasSubstr("not base64"));
}

// Servers that fuse shared experts with the routed ones record K + 1 experts, the last one E.
TEST_F(Traces, SharedExpertsThatWereFusedAreLeftOut) {
    const auto nested = import(R"({"routed_experts":[[[3,1,4],[4,2,0]],[[1,4,0],[0,2,4]]]})");
    ASSERT_TRUE(nested.ok()) << nested.error().message();
    EXPECT_EQ(nested->frame.topK, 2);
    EXPECT_THAT(nested->frame.domains.front().topkIds_TLK, ElementsAre(3, 1, 2, 0, 1, 0, 0, 2));
    EXPECT_THAT(nested->notices, Contains(HasSubstr("shared experts as experts 4 and above")));
    // struct.pack("<9i", 0, 1, 4, 3, 1, 4, 2, 0, 4): one token, three layers.
    const auto packed
        = import(R"({"routed_experts":"AAAAAAEAAAAEAAAAAwAAAAEAAAAEAAAAAgAAAAAAAAAEAAAA"})");
    ASSERT_TRUE(packed.ok()) << packed.error().message();
    EXPECT_THAT(packed->frame.domains.front().topkIds_TLK, ElementsAre(3, 1, 2, 0));
    // struct.pack("<18i", *[0, 1, 4] * 6): two tokens, whose bytes divide into three of K = 2 too.
    std::string two;
    for (int i = 0; i < 6; ++i)
        two += "AAAAAAEAAAAEAAAA";
    const auto divided = import(R"({"routed_experts":")" + two + R"("})");
    ASSERT_TRUE(divided.ok()) << divided.error().message();
    EXPECT_EQ(divided->frame.domains.front().tokens, 2);
    // Not every token has one: these are no shared experts.
    const auto problem = problemOf(R"({"routed_experts":[[[3,1,4],[3,2,0]]]})");
    EXPECT_THAT(problem,
        AllOf(HasSubstr("has 3 experts per token, the model 2"),
            HasSubstr("only the routed experts")));
}

TEST_F(Traces, FilesOfOtherKindsAreRejectedByTheirKind) {
    for (const auto& [start, kind] : {std::pair<std::string, const char*>{"PK\x03\x04", ".pt"},
             {"\x80\x05\x95", ".pkl"}, {"PAR1", "Parquet"}, {"\x1F\x8B", "gzip"}})
        EXPECT_THAT(problemOf(start + " bytes"), AllOf(HasSubstr(kind), HasSubstr("top_indices")));
    EXPECT_THAT(problemOf(std::string(300, '[')), HasSubstr("nested too deeply"));
    EXPECT_THAT(problemOf(R"({"num_experts":32767,"top_k":1,"token_ids":[1],"activations":[)"
                          R"({"layer":1,"token_idx":0,"expert_idx":0,"gate_weight":1}]})",
                    {}),
        HasSubstr("expert-pair counts"));
}

TEST_F(Traces, NestedExpertsOfAPrettyPrintedReplyAreRead) {
    const auto imported = import("{\n \"tokens\": [8, 9],\n \"rollout_routed_experts\": [[[3, 1], "
                                 "[2, 0]], [[0, 1], [1, 2]]]\n}\n");
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    EXPECT_THAT(imported->frame.domains.front().tokenIds_T, ElementsAre(8, 9));
    EXPECT_THAT(imported->frame.domains.front().topkIds_TLK, ElementsAre(3, 1, 2, 0, 0, 1, 1, 2));
}

TEST_F(Traces, WhatCannotBeIsSaidWithFileAndLine) {
    EXPECT_THAT(
        problemOf("{\"layer\":1,\"top_indices\":[[0,1]]}\n{\"layer\":1,\"top_indices\":[[0]]}"),
        AllOf(HasSubstr("has a token with 1 experts"), HasSubstr("trace.jsonl, line 2")));
    EXPECT_THAT(problemOf(R"({"layer":1,"top_indices":[[0,"1"]]})"),
        HasSubstr("not an integer in 'top_indices'"));
    EXPECT_THAT(problemOf("{\"layer\":1,\"top_indices\":[[0,9]]}\n"
                          "{\"layer\":2,\"top_indices\":[[0,1]]}"),
        AllOf(HasSubstr("names expert 9 of 4"), HasSubstr("shared experts")));
    EXPECT_THAT(problemOf("{\"layer\":1,\"top_indices\":[[2,2]]}\n"
                          "{\"layer\":2,\"top_indices\":[[0,1]]}"),
        HasSubstr("names expert 2 twice"));
    EXPECT_THAT(
        problemOf("{\"layer\":99999999999,\"top_indices\":[[0,1]]}"), HasSubstr("names layer"));
    EXPECT_THAT(problemOf("{\"messages\":[]}"), HasSubstr("has no routing record"));
    EXPECT_THAT(problemOf(std::string("PK\x03\x04 torch")), HasSubstr("torch.save"));
    EXPECT_THAT(problemOf(""), HasSubstr("has no routing record"));
    for (const char* strange :
        {"[]", "[1,[2]]", "7", "null", "[[{}]]", "{\"type\":[1]}", "{\"routed_experts\":[[1]]}",
            "{\"routed_experts\":{\"data\":1}}", "{\"activations\":7,\"token_ids\":{}}",
            "{\"layer\":[],\"top_indices\":{}}", "{\"topk_experts\":1,\"origin_rows\":2}"})
        EXPECT_NE(problemOf(strange), "") << strange;
    EXPECT_THAT(problemOf(R"({"layer":1,"top_indices":[[0,1]]})", {}), HasSubstr("--experts"));
    EXPECT_THAT(importTraces({{"d", {m_folder / "absent"}}}, kModel, 0).error().message(),
        HasSubstr("cannot be read"));
}

TEST_F(Traces, TwoTracesAreComparedLikeFramesOfOurOwn) {
    const auto frameOf = [&](const std::string& name, const std::string& a, const std::string& b) {
        const auto imported = importTraces({{"d",
                                               {write(name + ".jsonl",
                                                   R"({"layer":1,"top_indices":)" + a
                                                       + "}\n"
                                                         R"({"layer":2,"top_indices":)"
                                                       + b + "}\n")}}},
            kModel, 0);
        const auto path = m_folder / (name + ".safetensors");
        EXPECT_TRUE(writeFrame(path, imported->frame, true).ok());
        return path;
    };
    // Layer 1: one of four choices moves (2 -> 0): overlap 3/4, TVD 1/4. Layer 2 stays.
    const auto base = frameOf("base", "[[0,1],[2,3]]", "[[0,1],[2,3]]");
    const auto tuned = frameOf("tuned", "[[0,1],[0,3]]", "[[0,1],[2,3]]");
    ProbeSettings probe;
    probe.rho = 0.5;
    const auto found = compareFrames(base, tuned, probe);
    ASSERT_TRUE(found.ok()) << found.error().message();
    const auto& row = found->retention.front();
    EXPECT_DOUBLE_EQ(row.values[0].overlap, 0.75);
    EXPECT_DOUBLE_EQ(row.values[0].tvd, 0.25);
    EXPECT_DOUBLE_EQ(row.values[1].overlap, 1);
}

// RFC 4648, section 10.
TEST(Base64, GivesTheBytesOfTheStandardsExamples) {
    EXPECT_EQ(decodeBase64(""), "");
    EXPECT_EQ(decodeBase64("Zg=="), "f");
    EXPECT_EQ(decodeBase64("Zm8="), "fo");
    EXPECT_EQ(decodeBase64("Zm9v"), "foo");
    EXPECT_EQ(decodeBase64("Zm9vYg=="), "foob");
    EXPECT_EQ(decodeBase64("Zm9vYmFy"), "foobar");
    EXPECT_EQ(decodeBase64("Zm9"), std::nullopt);
    EXPECT_EQ(decodeBase64("Zm9v\n"), std::nullopt);
    EXPECT_EQ(decodeBase64("Zm*v"), std::nullopt);
}

} // namespace
} // namespace mooring
