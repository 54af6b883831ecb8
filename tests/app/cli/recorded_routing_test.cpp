// SPDX-License-Identifier: GPL-3.0-or-later
// compare and snapshot: recorded routing, without a model. docs/formats.md#snapshot,
// docs/formats.md#recorded-routing.
#include "tests/app/cli/cli_testing.h"
#include <sstream>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

Json compared(const Words& paths) {
    Words words = {"compare"};
    words.insert(words.end(), paths.begin(), paths.end());
    words.push_back("--json");
    const auto outcome = runCli(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
}

fs::path snapshot(const fs::path& out, const Words& more = {}) {
    Words words = {"snapshot", plainRun().string(), "--out", out.string()};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = runCli(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return out;
}

std::vector<std::vector<std::string>> csvRows(const fs::path& path) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream text(readText(path));
    for (std::string line; std::getline(text, line);) {
        std::istringstream cells(line);
        auto& row = rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
            row.push_back(cell);
    }
    return rows;
}

TEST(Compare, OfTwoFramesGivesTheRetentionThatTheRunLoggedWithoutKlAndDrift) {
    const auto rows = compared({(plainRun() / "frames" / "base.safetensors").string(),
        (plainRun() / "frames" / "step-000006.safetensors").string()});
    ASSERT_EQ(rows.size(), 3U);
    int matched = 0;
    for (const auto& line : readLines(plainRun() / "retention.jsonl"))
        for (const auto& row : rows) {
            if (line["step"] != kSteps || line["domain"] != row["domain"])
                continue;
            ++matched;
            for (const char* key : {"tvd", "jsd", "overlap", "nmi", "q", "q_base"})
                EXPECT_NEAR(row["mean"][key].get<double>(), line["mean"][key].get<double>(), 1e-6)
                    << key;
            EXPECT_TRUE(row["mean"]["kl"].is_null());
            EXPECT_TRUE(row["mean"]["drift"].is_null());
        }
    EXPECT_EQ(matched, 3);
}

TEST(Compare, OfARunTakesItsBaseAndItsLastFrame) {
    EXPECT_EQ(compared({plainRun().string()}),
        compared({(plainRun() / "frames" / "base.safetensors").string(),
            (plainRun() / "frames" / "step-000006.safetensors").string()}));
}

TEST(Compare, OfTheBaseWithItselfIsPerfect) {
    const auto base = (plainRun() / "frames" / "base.safetensors").string();
    for (const auto& row : compared({base, base})) {
        EXPECT_EQ(row["mean"]["tvd"], 0.0);
        EXPECT_EQ(row["mean"]["jsd"], 0.0);
        EXPECT_DOUBLE_EQ(row["mean"]["overlap"], 1.0);
        EXPECT_DOUBLE_EQ(row["mean"]["nmi"], 1.0);
        EXPECT_EQ(row["mean"]["q"], row["mean"]["q_base"]);
    }
}

TEST(Compare, OfRunsIsATable) {
    const TemporaryFolder folder;
    const auto other = train(folder.path(), {{"method", {{"id", "sft"}}}});
    const auto table = compared({plainRun().string(), other.string()});
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[0]["method"], "rpb");
    EXPECT_EQ(table[1]["method"], "sft");
    EXPECT_EQ(table[1]["ce"], stepsOf(other).back()["ce"]);
    EXPECT_TRUE(table[0]["retention"]["overlap"].is_number());
}

TEST(Compare, RejectsNmiAtDifferentRho) {
    const TemporaryFolder folder;
    const auto other
        = train(folder.path(), {{"probe", {{"rho", 0.2}}}, {"optimizer", {{"steps", 1}}}});
    expectError(runCli({"compare", plainRun().string(), other.string()}), 2, {"rho"});
}

TEST(Compare, RejectsNmiAtAnotherResolution) {
    const TemporaryFolder folder;
    const auto other
        = train(folder.path(), {{"probe", {{"resolution", 1.5}}}, {"optimizer", {{"steps", 1}}}});
    expectError(runCli({"compare", plainRun().string(), other.string()}), 2, {"resolution"});
}

TEST(Compare, SaysWhetherNmiIsInformativeAndHowTransitionsHeld) {
    const auto rows = compared({plainRun().string()});
    for (const auto& row : rows) {
        EXPECT_TRUE(row["validity"]["mean"]["ceiling"].is_number());
        EXPECT_TRUE(row["validity"]["mean"]["null_q"].is_number());
        EXPECT_EQ(row["validity"]["mean"]["nmi"], row["mean"]["nmi"]);
        EXPECT_EQ(row["transitions"]["tokens"]["layers"].size(), 3U);
        EXPECT_EQ(row["transitions"]["layers"]["layers"].size(), 2U);
    }
}

TEST(Compare, FindsTheTransitionsThatTheRunLogged) {
    const auto rows = compared({plainRun().string()});
    int matched = 0;
    for (const auto& line : readLines(plainRun() / "transitions.jsonl"))
        for (const auto& row : rows)
            if (line["step"] == kSteps && line["domain"] == row["domain"]) {
                ++matched;
                EXPECT_EQ(line, row["transitions"][line["kind"].get<std::string>()]);
            }
    EXPECT_EQ(matched, 6);
}

TEST(Compare, RejectsFramesOfDifferentTexts) {
    const TemporaryFolder folder;
    const auto other
        = train(folder.path(), {{"probe", {{"tokens", 200}}}, {"optimizer", {{"steps", 1}}}});
    const auto outcome = runCli({"compare", (plainRun() / "frames" / "base.safetensors").string(),
        (other / "frames" / "base.safetensors").string()});
    EXPECT_THAT(outcome.code, ::testing::AnyOf(2, 3));
    EXPECT_THAT(outcome.err, HasSubstr("error: "));
}

TEST(Compare, RejectsATruncatedFrame) {
    const TemporaryFolder folder;
    const auto frame = plainRun() / "frames" / "base.safetensors";
    fs::copy_file(frame, folder / "cut.safetensors");
    fs::resize_file(folder / "cut.safetensors", fs::file_size(frame) - 100);
    expectError(runCli({"compare", frame.string(), (folder / "cut.safetensors").string()}), 3,
        {"cut.safetensors"});
}

TEST(Snapshot, HasTheLayoutOfTheContract) {
    const TemporaryFolder folder;
    const auto out = snapshot(folder / "s");
    for (const char* name : {"manifest.json", "run.toml", "events.jsonl", "metrics.jsonl",
             "retention.jsonl", "training.jsonl", "transitions.jsonl", "validity.jsonl",
             "tables/validity.csv", "tables/transitions.csv", "graphs/transitions-layer-1.graphml",
             "graphs/transitions-layer-2-to-3-base.graphml", "frames/base.safetensors",
             "frames/step-000003.safetensors", "frames/step-000006.safetensors",
             "tables/utilisation.csv", "tables/overlap.csv", "tables/communities.csv",
             "tables/communities-moved.csv", "graphs/layer-1-base.graphml",
             "graphs/layer-1.graphml", "graphs/layer-2-base.graphml", "graphs/layer-2.graphml",
             "graphs/layer-3-base.graphml", "graphs/layer-3.graphml"})
        EXPECT_TRUE(fs::is_regular_file(out / name)) << name;
    for (const char* name : {"metrics.jsonl", "training.jsonl", "retention.jsonl", "run.toml"})
        EXPECT_EQ(readText(out / name), readText(plainRun() / name)) << name;
    EXPECT_FALSE(fs::exists(out / "checkpoints"));
}

TEST(Snapshot, OfAStepHoldsTheBaseAndThatFrameOnly) {
    const TemporaryFolder folder;
    const auto out = snapshot(folder / "s", {"--step", "3"});
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(out / "frames"))
        names.push_back(entry.path().filename().string());
    EXPECT_THAT(
        names, ::testing::UnorderedElementsAre("base.safetensors", "step-000003.safetensors"));
    expectError(
        runCli({"snapshot", plainRun().string(), "--step", "4", "--out", (folder / "t").string()}),
        3, {"4"});
    EXPECT_FALSE(fs::exists(folder / "t"));
}

TEST(Snapshot, OpensWithoutTheRunAndTheModel) {
    const TemporaryFolder folder;
    const auto expected = compared({plainRun().string()});
    fs::rename(snapshot(folder / "s"), folder / "moved");
    // Nothing of the paths in its files exists where it is read now.
    auto config = readText(folder / "moved" / "run.toml");
    const auto demo = demoFolder().string();
    for (auto at = config.find(demo); at != std::string::npos; at = config.find(demo))
        config.replace(at, demo.size(), "/elsewhere");
    writeText(folder / "moved" / "run.toml", config);
    EXPECT_EQ(compared({(folder / "moved").string()}), expected);
    EXPECT_EQ(
        runCli({"snapshot", (folder / "moved").string(), "--out", (folder / "s2").string()}).code,
        0);
}

TEST(Snapshot, DoesNotReplaceWhatIsNoSnapshot) {
    const TemporaryFolder folder;
    writeText(folder / "mine" / "note.txt", "keep me");
    expectError(runCli({"snapshot", plainRun().string(), "--out", (folder / "mine").string()}), 5,
        {(folder / "mine").string()});
    EXPECT_EQ(readText(folder / "mine" / "note.txt"), "keep me");
}

TEST(Tables, HoldTheSharesOfEveryExpertBeforeAndAfter) {
    const TemporaryFolder folder;
    const auto rows = csvRows(snapshot(folder / "s") / "tables" / "utilisation.csv");
    EXPECT_THAT(
        rows.at(0), ::testing::ElementsAre("step", "domain", "layer", "expert", "base", "tuned"));
    std::map<std::string, std::pair<double, double>> sums;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        auto& sum = sums[rows[i].at(0) + " " + rows[i].at(1) + " " + rows[i].at(2)];
        sum.first += std::stod(rows[i].at(4));
        sum.second += std::stod(rows[i].at(5));
    }
    EXPECT_EQ(rows.size(), 1U + sums.size() * kExperts);
    EXPECT_EQ(sums.size(), 2U * 3U * kLayers); // two frames; new, math and their pool
    for (const auto& [place, sum] : sums) {
        EXPECT_NEAR(sum.first, 1.0, 1e-9) << place;
        EXPECT_NEAR(sum.second, 1.0, 1e-9) << place;
    }
}

TEST(Tables, OverlapHoldsTheRetentionThatTheRunLogged) {
    const TemporaryFolder folder;
    const auto rows = csvRows(snapshot(folder / "s") / "tables" / "overlap.csv");
    EXPECT_THAT(rows.at(0),
        ::testing::ElementsAre(
            "step", "domain", "layer", "overlap", "tvd", "jsd", "nmi", "q", "q_base"));
    std::map<std::string, Json> logged;
    for (const auto& line : readLines(plainRun() / "retention.jsonl"))
        for (const auto& layer : line["layers"])
            logged[std::to_string(line["step"].get<int>()) + " " + line["domain"].get<std::string>()
                + " " + std::to_string(layer["layer"].get<int>())]
                = layer;
    ASSERT_EQ(rows.size(), logged.size() + 1);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& layer = logged.at(rows[i][0] + " " + rows[i][1] + " " + rows[i][2]);
        for (std::size_t c = 3; c < rows[0].size(); ++c)
            EXPECT_NEAR(std::stod(rows[i][c]), layer[rows[0][c]].get<double>(), 1e-6) << rows[0][c];
    }
}

TEST(Graphs, AreGraphMlWithWeightUseAndCommunity) {
    const TemporaryFolder folder;
    const auto out = snapshot(folder / "s");
    for (const char* name : {"layer-2-base.graphml", "layer-2.graphml"}) {
        const auto text = readText(out / "graphs" / name);
        for (const char* part : {"<graphml", "attr.name=\"weight\"", "attr.name=\"use\"",
                 "attr.name=\"community\"", "</graphml>"})
            EXPECT_THAT(text, HasSubstr(part));
        std::size_t nodes = 0, edges = 0;
        for (auto at = text.find("<node "); at != std::string::npos;
             at = text.find("<node ", at + 1))
            ++nodes;
        for (auto at = text.find("<edge "); at != std::string::npos;
             at = text.find("<edge ", at + 1))
            ++edges;
        EXPECT_EQ(nodes, static_cast<std::size_t>(kExperts));
        EXPECT_EQ(edges, 201U); // floor(0.10 * 64 * 63 / 2)
    }
}

} // namespace
} // namespace mooring::testing
