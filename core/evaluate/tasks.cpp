// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_files.h"
#include "core/evaluate/choice_rows.h"
#include "core/evaluate/evaluate.h"
#include "core/evaluate/generate.h"
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
    const auto take = [&](SourceRow row) {
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
    };
    std::uint64_t rows = 0;
    MOORING_RETURN_IF_ERROR(task.kind == "choice"
            ? readRows(file, take, [&](const auto& object) { return choiceRow(object, rows++); })
            : readRows(file, take));
    if (questions.empty())
        return Error{ErrorCode::Input,
            "the task has no question with an answer" + (problem.empty() ? "" : ", " + problem),
            task.file,
            "use rows with question and answer, or messages that end with the assistant"};
    return questions;
}

// Each question `repeats` times, one after the other, with a stream of its own each.
Result<std::vector<Prompt>> promptsOf(const std::vector<Question>& questions,
    const TaskConfig& task, std::int64_t repeats, const Renderer& renderer,
    std::int64_t vocabulary) {
    std::vector<Prompt> prompts;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        MOORING_TRY(const auto ids, renderer.prompt(questions[i].prompt));
        if (!ids.empty() && *std::max_element(ids.begin(), ids.end()) >= vocabulary)
            return Error{ErrorCode::Input,
                "the tokenizer produces ids beyond the model's embeddings", task.file,
                "use the tokenizer that came with the model"};
        for (std::int64_t r = 0; r < repeats; ++r)
            prompts.push_back({ids, (i << 20) + static_cast<std::uint64_t>(r)});
    }
    return prompts;
}

TaskAnswer answerOf(const Question& question, const std::vector<std::int32_t>& ids,
    const TaskConfig& task, const Tokenizer& tokenizer) {
    TaskAnswer answer;
    answer.prompt = contentOf(question.prompt.back());
    answer.expected = question.expected;
    answer.text = tokenizer.decode(ids, true);
    answer.given = extractAnswer(answer.text, task.kind);
    answer.correct = answersAgree(answer.given, answer.expected, task.kind);
    return answer;
}

} // namespace

Result<std::vector<TaskResult>> evaluateTasks(Model& model, const Renderer& renderer,
    const EvaluateConfig& config, std::uint64_t seed,
    const std::function<bool(const std::string&, std::int64_t, std::int64_t)>& progress) {
    std::vector<TaskResult> results;
    if (config.tasks.empty())
        return Error{ErrorCode::Usage, "no tasks to evaluate", "evaluate.tasks",
            "add a task with name, file and kind"};
    for (const auto& task : config.tasks) {
        MOORING_TRY(const auto questions, readQuestions(task));
        MOORING_TRY(const auto prompts,
            promptsOf(questions, task, config.repeats, renderer, model.architecture().vocabulary));
        bool keepGoing = true;
        const auto texts = generate(model, renderer.stopTokens(), prompts,
            {config.maxNewTokens, config.temperature, config.topP, seed},
            [&](std::int64_t done, std::int64_t total) {
                return keepGoing = progress(task.name, done, total);
            });
        if (!keepGoing)
            return Error{ErrorCode::Interrupted, "the evaluation was interrupted", task.name,
                "start it again"};
        TaskResult result{task.name, task.split, config.repeats, {}};
        for (std::size_t i = 0; i < texts.size(); ++i)
            result.answers.push_back(
                answerOf(questions[i / static_cast<std::size_t>(config.repeats)], texts[i], task,
                    renderer.tokenizer()));
        results.push_back(std::move(result));
    }
    return results;
}

} // namespace mooring
