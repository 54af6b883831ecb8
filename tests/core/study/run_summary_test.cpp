// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/run_summary.h"
#include "core/study/study.h"
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;

class RunFolders : public ::testing::Test {
protected:
    void TearDown() override { fs::remove_all(m_folder); }
    void write(const fs::path& path, const std::string& text) const {
        fs::create_directories((m_folder / path).parent_path());
        std::ofstream(m_folder / path) << text;
    }
    void makeRun(const std::string& name, std::uint64_t seed, const std::string& more = {}) const {
        const fs::path run = fs::path("runs") / name;
        write(run / "run.toml",
            "run.name = \"" + name + "\"\nrun.seed = " + std::to_string(seed)
                + "\nmodel.path = \"/m\"\ndata.train = [\"/d\"]\noptimizer.steps = 10\n" + more);
        write(run / "manifest.json", R"({"state": "finished", "steps": 10})");
        write(run / "retention.jsonl",
            R"({"step": 10, "domain": "math", "layers": [], "mean": {"tvd": 0.9}}
{"step": 10, "domain": "pooled", "layers": [], "mean": {"tvd": 0.25, "overlap": 0.5, "nmi": null}}
)");
        write(run / "metrics.jsonl",
            "{\"step\": 0, \"held_out_ce\": 3.5}\n{\"step\": 9, \"ce\": 1}\n"
            "{\"step\": 10, \"ce\": 1, \"held_out_ce\": 0.5}\n");
        write(run / "eval.jsonl",
            R"({"step": 10, "task": "new", "split": "id", "correct": 1, "total": 4, "accuracy": 0.1}
{"step": 10, "task": "new", "split": "id", "correct": 2, "total": 4, "accuracy": 0.5}
{"step": 10, "task": "code", "split": "ood", "correct": 1, "total": 4, "accuracy": 0.25}
{"step": 10, "task": "facts", "split": "ood", "correct": 3, "total": 4, "accuracy": 0.75}
{"step": 10, "task": "math", "split": "apart", "correct": 4, "total": 4, "accuracy": 1.0}
)");
    }
    const fs::path m_folder
        = fs::temp_directory_path() / ("mooring-summary-" + std::to_string(::getpid()));
};

// ID .5; OOD (.25 + .75) / 2; overall (.5 + .25 + .75) / 3; math stands apart. A later line of a
// task takes the place of the earlier.
TEST_F(RunFolders, MeansLeaveOutTasksSetApart) {
    makeRun("a-s1", 1);
    const auto run = summariseRun(m_folder / "runs" / "a-s1");
    ASSERT_TRUE(run.ok()) << run.error().message();
    EXPECT_DOUBLE_EQ(run->value("id"), 0.5);
    EXPECT_DOUBLE_EQ(run->value("ood"), 0.5);
    EXPECT_DOUBLE_EQ(run->value("overall"), 0.5);
    EXPECT_DOUBLE_EQ(run->value("task:math"), 1.0);
    EXPECT_DOUBLE_EQ(run->value("task:facts"), 0.75);
}

TEST_F(RunFolders, RetentionIsThatOfThePooledProbesAndNullIsNotZero) {
    makeRun("a-s1", 1);
    const auto run = summariseRun(m_folder / "runs" / "a-s1");
    ASSERT_TRUE(run.ok());
    EXPECT_DOUBLE_EQ(run->value("tvd"), 0.25);
    EXPECT_DOUBLE_EQ(run->value("ce"), 0.5);
    EXPECT_TRUE(std::isnan(run->value("nmi")));
    EXPECT_EQ(run->condition, "a");
}

TEST_F(RunFolders, SeedsOfOneConditionShareARowAndOtherSettingsDoNot) {
    makeRun("a-s1", 1);
    makeRun("a-s2", 2);
    makeRun("b-s1", 1, "optimizer.lr = 0.5\n");
    write("study.json", R"({"conditions": ["b", "a"]})");
    ASSERT_TRUE(isStudyFolder(m_folder));
    const auto table = readStudyFolder(m_folder);
    ASSERT_TRUE(table.ok()) << table.error().message();
    ASSERT_EQ(table->rows.size(), 2u);
    EXPECT_EQ(table->rows[0].condition, "b"); // in the study's order
    EXPECT_EQ(table->rows[1].condition, "a");
    EXPECT_EQ(table->rows[1].seeds, (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(RunFolders, AFolderWithoutRunsIsNoStudy) {
    fs::create_directories(m_folder / "runs");
    EXPECT_FALSE(isStudyFolder(m_folder));
    const auto table = readStudyFolder(m_folder);
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(table.error().code, ErrorCode::Input);
}

TEST(StrengthText, SaysBetaStrengthReferenceAndSchedule) {
    RunConfig config;
    config.method.id = "sft";
    EXPECT_EQ(strengthText(config), "");
    config.method.beta = 1;
    config.schedule.emplace_back();
    EXPECT_EQ(strengthText(config), "1 scheduled");
    config = {};
    config.method.strength = 0.1;
    config.method.reference = "token";
    config.method.also = {{"lbl", 0.001}};
    EXPECT_EQ(strengthText(config), "0.1 token + lbl 0.001");
}

} // namespace
} // namespace mooring
