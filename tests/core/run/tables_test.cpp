// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/snapshot.h"
#include "core/run/tables.h"
#include "tests/core/run/run_folder_maker.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace mooring {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> linesOf(const std::filesystem::path& path) {
    std::istringstream text(readText(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

ProbeSettings wholeGraph() {
    return {.rho = 1.0, .resolution = 1.0, .detectorSeed = 0};
}

FramePtr shared(std::int64_t step) {
    return std::make_shared<const RoutingFrame>(smallFrame(step));
}

TEST(Tables, HoldEveryDomainLayerAndExpertUnderTheAgreedColumns) {
    const TemporaryFolder folder("tables");
    ASSERT_TRUE(
        writeTables(folder.path(), smallFrame(0), {shared(7), shared(9)}, wholeGraph()).ok());
    const auto use = linesOf(folder / "tables/utilisation.csv");
    EXPECT_EQ(use[0], "step,domain,layer,expert,base,tuned");
    ASSERT_EQ(use.size(), 1u + 2 * 3 * 2 * 4);
    // Layer 1 of math: base shares 2 2 1 1 of 6, tuned 2 0 1 3.
    EXPECT_THAT(use, Contains("7,math,1,3,0.16666666666666666,0.5"));
    EXPECT_THAT(use, Contains("9,math,1,1,0.3333333333333333,0"));
    // Pooled, layer 1: base 3 3 2 2 of 10, tuned 3 1 2 4.
    EXPECT_THAT(use, Contains("7,pooled,1,3,0.2,0.4"));

    const auto overlap = linesOf(folder / "tables/overlap.csv");
    EXPECT_EQ(overlap[0], "step,domain,layer,overlap,tvd,jsd,nmi,q,q_base");
    ASSERT_EQ(overlap.size(), 1u + 2 * 3 * 2);
    EXPECT_THAT(overlap[1], testing::StartsWith("7,math,1,0.6666666666666666,0.33333333333333"));
    EXPECT_THAT(overlap[2], testing::StartsWith("7,math,2,1,0,0,1,"));
}

TEST(Tables, TunedCommunitiesKeepTheBasesLabelsAndTheMovedOnesAreListedApart) {
    const TemporaryFolder folder("tables-moved");
    ASSERT_TRUE(writeTables(folder.path(), smallFrame(0), {shared(7)}, wholeGraph()).ok());
    const auto all = linesOf(folder / "tables/communities.csv");
    EXPECT_EQ(all[0], "step,domain,layer,expert,base,tuned");
    ASSERT_EQ(all.size(), 1u + 3 * 2 * 4);
    // Layer 1 of math: base {0,1} {2,3}; tuned {0,2,3} {1}. The larger overlap is {2,3}, so label 1
    // stays with them, expert 0 moves to it, and {1} keeps label 0.
    EXPECT_THAT(std::vector(all.begin() + 1, all.begin() + 5),
        ElementsAre("7,math,1,0,0,1", "7,math,1,1,0,0", "7,math,1,2,1,1", "7,math,1,3,1,1"));
    const auto moved = linesOf(folder / "tables/communities-moved.csv");
    EXPECT_EQ(moved[0], "step,domain,layer,expert,base,tuned");
    EXPECT_EQ(moved[1], "7,math,1,0,0,1");
    for (std::size_t i = 2; i < moved.size(); ++i)
        EXPECT_THAT(moved[i], testing::Not(HasSubstr("math")));
}

TEST(Tables, OfABaseAloneLeaveTheTunedColumnEmpty) {
    const TemporaryFolder folder("tables-base");
    ASSERT_TRUE(writeTables(folder.path(), smallFrame(0), {}, wholeGraph()).ok());
    EXPECT_EQ(linesOf(folder / "tables/utilisation.csv")[1], "0,math,1,0,0.3333333333333333,");
    EXPECT_EQ(linesOf(folder / "tables/communities.csv")[1], "0,math,1,0,0,");
    EXPECT_THAT(
        linesOf(folder / "tables/overlap.csv")[1], testing::StartsWith("0,math,1,,,,,,0.444"));
    EXPECT_EQ(linesOf(folder / "tables/communities-moved.csv").size(), 1u);
    EXPECT_TRUE(std::filesystem::exists(folder / "graphs/layer-1-base.graphml"));
    EXPECT_FALSE(std::filesystem::exists(folder / "graphs/layer-1.graphml"));
}

TEST(Tables, ADomainWithoutTokensHasEmptyCells) {
    const TemporaryFolder folder("tables-empty");
    RoutingFrame base = smallFrame(0), tuned = smallFrame(7);
    base.domains[1] = smallDomain("chat", base, {});
    tuned.domains[1] = smallDomain("chat", tuned, {});
    ASSERT_TRUE(writeTables(
        folder.path(), base, {std::make_shared<const RoutingFrame>(tuned)}, wholeGraph())
                    .ok());
    EXPECT_THAT(linesOf(folder / "tables/overlap.csv"), Contains("7,chat,1,,,,,,"));
    EXPECT_THAT(linesOf(folder / "tables/utilisation.csv"), Contains("7,chat,1,0,,"));
}

TEST(Tables, ADomainNameThatWouldBreakARowIsQuoted) {
    const TemporaryFolder folder("tables-quotes");
    RoutingFrame base = smallFrame(0);
    base.domains[0].name = "a,\"b\"";
    ASSERT_TRUE(writeTables(folder.path(), base, {}, wholeGraph()).ok());
    EXPECT_THAT(linesOf(folder / "tables/communities.csv")[1],
        testing::StartsWith("0,\"a,\"\"b\"\"\",1,0,"));
}

TEST(GraphMl, HoldsEveryExpertWithItsUseAndCommunityAndEveryKeptPair) {
    // Pooled, layer 1: {0,1} three times and {2,3} twice of five tokens.
    const std::string xml = graphMl(smallFrame(0), 0, wholeGraph());
    EXPECT_EQ(xml, R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="use" for="node" attr.name="use" attr.type="double"/>
  <key id="community" for="node" attr.name="community" attr.type="int"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="0"><data key="use">0.3</data><data key="community">0</data></node>
    <node id="1"><data key="use">0.3</data><data key="community">0</data></node>
    <node id="2"><data key="use">0.2</data><data key="community">1</data></node>
    <node id="3"><data key="use">0.2</data><data key="community">1</data></node>
    <edge source="0" target="1"><data key="weight">0.6</data></edge>
    <edge source="2" target="3"><data key="weight">0.4</data></edge>
  </graph>
</graphml>
)");
}

TEST(Tables, AFolderThatCannotBeMadeIsAnOutputError) {
    const TemporaryFolder folder("tables-blocked");
    writeText(folder / "tables", "a file in the place of the folder");
    const auto written = writeTables(folder.path(), smallFrame(0), {}, wholeGraph());
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code, ErrorCode::Output);
}

} // namespace
} // namespace mooring
