// SPDX-License-Identifier: GPL-3.0-or-later
// A base model without a run: its facts, and its routing on texts of the user's choice.
#pragma once
#include "app/window/shell/window_parts.h"
#include "core/routing/scope.h"
#include <QObject>
#include <QPointer>
#include <QTemporaryDir>
#include <memory>

namespace mooring {

class RunSession;
class SessionBook;

class ModelMeasuring : public QObject {
    Q_OBJECT
public:
    ModelMeasuring(const WindowParts& parts, SessionBook* book, QObject* parent);

    void openModel(const QString& folder);
    bool isBusy() const { return m_busy; } // a model is at work

Q_SIGNALS:
    void opened();

private:
    void measure(const QStringList& files);
    void showMeasured(
        const QString& model, const ScopeFigures& scope, std::unique_ptr<QTemporaryDir> place);

    WindowParts m_parts;
    SessionBook* m_book;
    QPointer<RunSession> m_measured; // the latest
    bool m_busy = false;
};

} // namespace mooring
