// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/data/token_count.h"
#include "app/window/jobs/job.h"
#include "core/data/samples.h"
#include <memory>

namespace mooring {
namespace {

constexpr std::uintmax_t kMostBytes = 16'000'000; // a few seconds of work

std::filesystem::path tokenizerFolder(const ModelConfig& model) {
    return model.init ? model.init->tokenizer : model.path;
}

// Everything the count depends on; empty if it cannot be known or takes too long.
QString questionOf(const RunConfig& config) {
    if (tokenizerFolder(config.model).empty() || config.data.train.empty())
        return {};
    QString question = QString::fromStdString(tokenizerFolder(config.model).string() + '\n'
                           + config.model.templateFile + '\n' + config.data.tooLong)
        + QStringLiteral("\n%1").arg(config.data.maxLength);
    std::uintmax_t bytes = 0;
    for (const DataFile& file : config.data.train) {
        std::error_code failed;
        const auto size = std::filesystem::file_size(file.path, failed);
        if (failed || (bytes += size) > kMostBytes)
            return {};
        question += QStringLiteral("\n%1 %2 %3")
                        .arg(QString::fromStdString(file.path))
                        .arg(size)
                        .arg(file.limit);
    }
    return question;
}

Result<std::int64_t> countTokens(const RunConfig& config) {
    MOORING_TRY(auto tokenizer, Tokenizer::open(tokenizerFolder(config.model)));
    MOORING_TRY(auto chat,
        ChatTemplate::forModel(tokenizerFolder(config.model), config.model.templateFile));
    const Renderer renderer(std::move(tokenizer), std::move(chat));
    const SampleOptions options{
        config.data.maxLength, config.data.tooLong == "truncate", config.data.questionWeight};
    MOORING_TRY(const SampleSet set, loadSamples(config.data.train, renderer, options));
    return static_cast<std::int64_t>(set.tokens());
}

} // namespace

void TokenCount::ask(const RunConfig& config) {
    const QString question = questionOf(config);
    if (question == m_question)
        return;
    m_question = question;
    m_tokens.reset();
    if (question.isEmpty())
        return;
    auto found = std::make_shared<std::int64_t>(0);
    auto* job = new Job(
        tr("Counting tokens"),
        [config, found](JobSteps&) -> Result<void> {
            MOORING_TRY(*found, countTokens(config));
            return {};
        },
        this);
    connect(job, &Job::finished, this, [this, question, found](const Result<void>& outcome) {
        if (!outcome.ok() || question != m_question)
            return; // problems with the data are shown next to their field and in the preview
        m_tokens = *found;
        Q_EMIT counted();
    });
}

} // namespace mooring
