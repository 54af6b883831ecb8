// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/study_config.h"
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class StudyFile : public ::testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(m_folder / "model");
        write("model/config.json", "{}");
        write("rows.jsonl", "");
        write("task.jsonl", "");
        write("base.toml", R"(
model.path = "model"
data.train = ["rows.jsonl"]
optimizer.steps = 100
optimizer.lr = 1e-3
method.id = "sft"
evaluate.tasks = [{name = "old", file = "task.jsonl", split = "ood"}]
)");
    }
    void TearDown() override { fs::remove_all(m_folder); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(m_folder / name) << text;
    }
    Result<StudyConfig> load(const std::string& text) const {
        write("study.toml", text);
        return loadStudyConfig(m_folder / "study.toml");
    }
    std::string errorOf(const std::string& text) const {
        const auto study = load(text);
        if (!study.ok())
            return study.error().message();
        const auto run = studyRunConfig(*study, study->conditions.front(), study->seeds.front());
        return run.ok() ? "no error" : run.error().message();
    }
    RunConfig first(const std::string& text) const {
        const auto study = load(text);
        if (!study.ok()) {
            ADD_FAILURE() << study.error().message();
            return {};
        }
        const auto run = studyRunConfig(*study, study->conditions.front(), study->seeds.front());
        if (!run.ok()) {
            ADD_FAILURE() << run.error().message();
            return {};
        }
        return *run;
    }
    const fs::path m_folder
        = fs::temp_directory_path() / ("mooring-study-" + std::to_string(::getpid()));
};

const std::string kHead = "[study]\nbase = \"base.toml\"\nseeds = [7, 8]\nout = \"/somewhere/s\"\n";

TEST_F(StudyFile, DottedAndNestedKeysOfSetAreTheSame) {
    const auto dotted = first(
        kHead + "[[run]]\nname = \"a\"\nset = {\"method.id\" = \"rpb\", \"method.beta\" = 0.5}");
    const auto bare
        = first(kHead + "[[run]]\nname = \"a\"\nset = {method.id = \"rpb\", method.beta = 0.5}");
    const auto nested
        = first(kHead + "[[run]]\nname = \"a\"\n[run.set.method]\nid = \"rpb\"\nbeta = 0.5");
    EXPECT_EQ(dotted.method.id, "rpb");
    EXPECT_EQ(dotted.method.beta, 0.5);
    EXPECT_EQ(bare, dotted);
    EXPECT_EQ(nested, dotted);
}

TEST_F(StudyFile, AScheduleCanBeSetAndTakenAway) {
    const auto run = first(kHead + R"([[run]]
name = "released"
set = {"method.id" = "rpb", schedule = [{at = 0.5, set = {beta = 0.0}, ramp_until = 0.9}]})");
    ASSERT_EQ(run.schedule.size(), 1u);
    EXPECT_EQ(run.schedule[0].at, 0.5);
    EXPECT_EQ(run.schedule[0].rampUntil, 0.9);
    write("base.toml", R"(
model.path = "model"
data.train = ["rows.jsonl"]
optimizer.steps = 100
method.id = "rpb"
schedule = [{at = 0.5, set = {beta = 0.0}}]
evaluate.tasks = [{name = "old", file = "task.jsonl"}]
)");
    EXPECT_TRUE(first(kHead + "[[run]]\nname = \"a\"\nset = {schedule = []}").schedule.empty());
}

TEST_F(StudyFile, ARunHasItsSeedItsFolderAndAnEvaluationAtItsEnd) {
    const auto run = first(kHead + "[[run]]\nname = \"plain\"");
    EXPECT_EQ(run.run.seed, 7u);
    EXPECT_EQ(run.run.name, "plain-s7");
    EXPECT_EQ(run.run.out, "/somewhere/s/runs/plain-s7");
    EXPECT_TRUE(run.evaluate.atEnd);
    EXPECT_EQ(run.optimizer.lr, 1e-3);
}

TEST_F(StudyFile, ItsTasksJoinTheBasesAndReplaceThoseOfTheSameName) {
    const auto run = first("[study]\nbase = \"base.toml\"\nseeds = [1]\n"
                           "tasks = [{name = \"old\", file = \"task.jsonl\", split = \"apart\"}, "
                           "{name = \"more\", file = \"task.jsonl\", limit = 3}]\n"
                           "[[run]]\nname = \"a\"");
    ASSERT_EQ(run.evaluate.tasks.size(), 2u);
    EXPECT_EQ(run.evaluate.tasks[0].split, "apart");
    EXPECT_EQ(run.evaluate.tasks[1].name, "more");
    EXPECT_EQ(run.evaluate.tasks[1].file, (m_folder / "task.jsonl").string());
}

TEST_F(StudyFile, MistakesNameTheConditionAndTheKey) {
    EXPECT_THAT(errorOf(kHead + "[[run]]\nname = \"a\"\nset = {\"optimizer.lrr\" = 1}"),
        AllOf(HasSubstr("run \"a\""), HasSubstr("optimizer.lrr"), HasSubstr("lr")));
    EXPECT_THAT(errorOf(kHead + "[[run]]\nname = \"a\"\nset = {\"run.seed\" = 1}"),
        HasSubstr("the study sets it itself"));
    EXPECT_THAT(errorOf(kHead + "[[run]]\nname = \"a\"\nset = {\"method.id\" = \"nothing\"}"),
        AllOf(HasSubstr("run \"a\""), HasSubstr("method.id")));
    EXPECT_THAT(errorOf(kHead + "[[run]]\nname = \"a b\""), HasSubstr("letters, digits"));
    EXPECT_THAT(errorOf(kHead + "[[run]]\nname = \"a\"\n[[run]]\nname = \"a\""),
        HasSubstr("duplicate run name"));
    EXPECT_THAT(errorOf(kHead + "[[run]]\nname = \"base\""), HasSubstr("base model"));
    EXPECT_THAT(errorOf(kHead), HasSubstr("no run"));
    EXPECT_THAT(errorOf("[study]\nbase = \"base.toml\"\nseeds = [1, 1]\n[[run]]\nname = \"a\""),
        HasSubstr("twice"));
    EXPECT_THAT(
        errorOf("[study]\nbase = \"base.toml\"\n[[run]]\nname = \"a\""), HasSubstr("no seeds"));
    EXPECT_THAT(errorOf("[study]\nbase = \"bose.toml\"\nseeds = [1]\n[[run]]\nname = \"a\""),
        AllOf(HasSubstr("does not exist"), HasSubstr("bose.toml")));
    EXPECT_THAT(errorOf(kHead + "sedes = 1\n[[run]]\nname = \"a\""),
        AllOf(HasSubstr("sedes"), HasSubstr("seeds"), HasSubstr("line 5")));
}

TEST_F(StudyFile, TasksMustExist) {
    EXPECT_THAT(
        errorOf("[study]\nbase = \"base.toml\"\nseeds = [1]\n"
                "tasks = [{name = \"gone\", file = \"gone.jsonl\"}]\n[[run]]\nname = \"a\""),
        HasSubstr("gone.jsonl"));
}

} // namespace
} // namespace mooring
