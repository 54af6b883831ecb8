// SPDX-License-Identifier: GPL-3.0-or-later
// How many tokens the training data of a configuration has, counted beside the window.
#pragma once
#include "core/config/run_config.h"
#include <QObject>
#include <QString>
#include <optional>

namespace mooring {

class Job;

// Small data only: counting 10 GB would take an hour. Lives in the GUI thread.
class TokenCount : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void ask(const RunConfig& config); // the same question again costs nothing
    std::optional<std::int64_t> tokens() const { return m_tokens; } // none: unknown

Q_SIGNALS:
    void counted();

private:
    QString m_question;
    std::optional<std::int64_t> m_tokens;
};

} // namespace mooring
