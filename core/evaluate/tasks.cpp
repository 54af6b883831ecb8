// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/samples.h"
#include "core/evaluate/evaluate.h"
#include "core/model/model.h"
#include <algorithm>

namespace mooring {

namespace {

struct Question {
    nlohmann::ordered_json prompt; // messages up to the last user turn
    std::string expected;
};

std::string contentOf(const nlohmann::ordered_json& message) {
    return message.contains("content") && message["content"].is_string()
        ? message["content"].get<std::string>()
        : "";
}

// A row is a question where its last message is the assistant's: that one is the reference.
Result<std::vector<Question>> readQuestions(const TaskConfig& task) {
    std::vector<Question> questions;
    std::string problem;
    DataFile file;
    file.path = task.file;
    file.limit = task.limit;
    MOORING_CHECK(readRows(file, [&](SourceRow row) {
        const bool chat = row.row && !row.row->isText && row.row->messages.size() >= 2
            && row.row->messages.back().value("role", "") == "assistant";
        if (!chat) {
            problem = row.file + ", line " + std::to_string(row.line) + ": "
                + (row.problem.empty() ? "no question with an answer" : row.problem);
            return true;
        }
        auto messages = row.row->messages;
        const auto answer = contentOf(messages.back());
        messages.erase(messages.size() - 1);
        questions.push_back({std::move(messages), extractAnswer(answer, task.kind)});
        return true;
    }));
    if (questions.empty())
        return Error{ErrorCode::Input,
            "the task has no question with an answer" + (problem.empty() ? "" : ", " + problem),
            task.file,
            "use rows with question and answer, or messages that end with the assistant"};
    return questions;
}

} // namespace

Result<std::vector<TaskResult>> evaluateTasks(Model& model, const Renderer& renderer,
    const EvaluateConfig& config,
    const std::function<bool(const std::string&, std::int64_t, std::int64_t)>& progress) {
    std::vector<TaskResult> results;
    if (config.tasks.empty())
        return Error{ErrorCode::Usage, "there is no task to evaluate", "evaluate.tasks",
            "add a task with name, file and kind"};
    for (const auto& task : config.tasks) {
        MOORING_TRY(const auto questions, readQuestions(task));
        std::vector<std::vector<std::int32_t>> prompts;
        for (const auto& question : questions) {
            MOORING_TRY(auto ids, renderer.prompt(question.prompt));
            if (!ids.empty()
                && *std::max_element(ids.begin(), ids.end()) >= model.architecture().vocabulary)
                return Error{ErrorCode::Input,
                    "the tokenizer gives ids beyond the model's embeddings", task.file,
                    "use the tokenizer that belongs to the model"};
            prompts.push_back(std::move(ids));
        }
        bool goOn = true;
        const auto answers = generateGreedy(model, renderer.tokenizer(), prompts,
            config.maxNewTokens, [&](std::int64_t done, std::int64_t total) {
                return goOn = progress(task.name, done, total);
            });
        if (!goOn)
            return Error{
                ErrorCode::Interrupted, "the evaluation was stopped", task.name, "start it again"};
        TaskResult result;
        result.name = task.name;
        result.split = task.split;
        for (std::size_t i = 0; i < questions.size(); ++i) {
            TaskAnswer answer;
            answer.prompt = contentOf(questions[i].prompt.back());
            answer.expected = questions[i].expected;
            answer.text = renderer.tokenizer().decode(answers[i], true);
            answer.given = extractAnswer(answer.text, task.kind);
            answer.correct = answersAgree(answer.given, answer.expected, task.kind);
            result.answers.push_back(std::move(answer));
        }
        results.push_back(std::move(result));
    }
    return results;
}

} // namespace mooring
