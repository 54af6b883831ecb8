// SPDX-License-Identifier: GPL-3.0-or-later
// trace: the choices of a run, written as other programs record them, come back as its own frames.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// One domain of a frame as Megatron's router tracer writes it: a record a layer.
void writeMegatron(const fs::path& frame, const std::string& domain, const fs::path& out) {
    const auto file = openTensors(frame);
    const auto layers = tensorValues<std::int64_t>(*file, "layers");
    const auto ids_TLK = tensorValues<std::int16_t>(*file, domain + ".topk_ids");
    const std::size_t L = layers.size(), K = kTopK, T = ids_TLK.size() / (L * K);
    std::string text;
    for (std::size_t l = 0; l < L; ++l) {
        Json tokens = Json::array();
        for (std::size_t t = 0; t < T; ++t) {
            const auto* chosen = ids_TLK.data() + (t * L + l) * K;
            tokens.push_back(std::vector<int>(chosen, chosen + K));
        }
        text += Json{{"step", 0}, {"block", "decoder"}, {"layer", layers[l]}, {"num_tokens", T},
                    {"topk", K}, {"top_indices", tokens}}
                    .dump()
            + "\n";
    }
    writeText(out, text);
}

struct Recorded {
    Words domains; // NAME=FILE
};
Recorded record(const fs::path& frame, const fs::path& folder, const std::string& tag) {
    Recorded recorded;
    for (const char* domain : {"new", "math"}) {
        const auto file = folder / (tag + "-" + domain + ".jsonl");
        writeMegatron(frame, domain, file);
        recorded.domains.push_back(std::string(domain) + "=" + file.string());
    }
    return recorded;
}

Outcome trace(Words words, const Words& more) {
    words.insert(words.begin(), "trace");
    words.insert(words.end(), {"--model", (demoFolder() / "model").string()});
    words.insert(words.end(), more.begin(), more.end());
    return runCli(words);
}

TEST(Trace, OfARunsOwnChoicesIsItsFrame) {
    const TemporaryFolder folder;
    const auto own = plainRun() / "frames" / "base.safetensors";
    const auto out = folder / "base.safetensors";
    const auto outcome = trace(record(own, folder.path(), "base").domains, {"--out", out.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* domain : {"new", "math"})
        for (const char* tensor : {".counts", ".coactivation", ".topk_ids"})
            EXPECT_EQ(tensorBytes(out, domain + std::string(tensor)),
                tensorBytes(own, domain + std::string(tensor)))
                << domain << tensor;
    EXPECT_THAT(outcome.err, HasSubstr("do not identify their tokens"));
}

TEST(Trace, WithItsBaseIsASnapshotWithTheRetentionThatTheRunLogged) {
    const TemporaryFolder folder;
    const auto base = plainRun() / "frames" / "base.safetensors";
    const auto tuned = plainRun() / "frames" / "step-000006.safetensors";
    const auto out = folder / "compared";
    const auto words = record(tuned, folder.path(), "tuned").domains;
    const auto outcome
        = trace(words, {"--base", base.string(), "--step", "6", "--out", out.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    int matched = 0;
    for (const auto& logged : readLines(plainRun() / "retention.jsonl"))
        for (const auto& row : readLines(out / "retention.jsonl")) {
            if (logged["step"] != kSteps || logged["domain"] != row["domain"])
                continue;
            ++matched;
            EXPECT_EQ(row["step"], kSteps);
            for (const char* key : {"tvd", "jsd", "overlap", "nmi", "q", "q_base"})
                EXPECT_NEAR(row["mean"][key].get<double>(), logged["mean"][key].get<double>(), 1e-6)
                    << key;
        }
    EXPECT_EQ(matched, 3);
    for (const char* name : {"tables/utilisation.csv", "graphs/layer-1.graphml",
             "frames/step-000006.safetensors", "manifest.json"})
        EXPECT_TRUE(fs::exists(out / name)) << name;
    // It is what compare and snapshot take, and may be written again.
    EXPECT_EQ(runCli({"compare", out.string()}).code, 0);
    EXPECT_EQ(
        trace(words, {"--base", base.string(), "--step", "6", "--out", out.string()}).code, 0);
}

TEST(Trace, OfAnotherModelOrTextIsRejected) {
    const TemporaryFolder folder;
    const auto base = plainRun() / "frames" / "base.safetensors";
    const auto recorded = record(base, folder.path(), "base").domains;
    writeText(folder / "short.jsonl",
        R"({"layer":1,"top_indices":[[0,1,2,3,4,5]]})"
        "\n"
        R"({"layer":2,"top_indices":[[0,1,2,3,4,5]]})"
        "\n"
        R"({"layer":3,"top_indices":[[0,1,2,3,4,5]]})");
    const Words one = {"new=" + (folder / "short.jsonl").string(), recorded[1]};
    expectError(trace(one, {"--base", base.string(), "--out", (folder / "x").string()}), 3,
        {"their tokens differ", "'new'"});
    writeText(folder / "wide.jsonl", R"({"layer":1,"top_indices":[[0,1]]})");
    expectError(trace({"new=" + (folder / "wide.jsonl").string()},
                    {"--out", (folder / "x.safetensors").string()}),
        3, {"wide.jsonl"});
    expectError(trace({"new"}, {"--out", "x.safetensors"}), 2, {"is not of the form NAME=FILE"});
    expectError(trace({recorded[0], recorded[0]}, {"--out", "x.safetensors"}), 2, {"'new'"});
    expectError(trace(recorded, {"--base", base.string(), "--out", demoFolder().string()}), 5,
        {"is not a snapshot"});
}

} // namespace
} // namespace mooring::testing
