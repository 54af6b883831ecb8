// SPDX-License-Identifier: GPL-3.0-or-later A base model without
// training: its facts, and what its router does on texts of the user's
// choice.
#pragma once
#include "app/window/pages/model_facts.h"
#include "core/config/run_config.h"
#include "core/routing/scope.h"
#include <QWidget>

class QFormLayout;
class QLabel;
class QPushButton;
class QTableWidget;

namespace mooring {

class ModelPage : public QWidget {
    Q_OBJECT
public:
    explicit ModelPage(QWidget* parent = nullptr);

    void show(const QString& folder); // facts and figures follow
    const QString& folder() const { return m_folder; }
    void setFacts(const ModelFacts& facts);
    void setScope(const ScopeFigures& scope);
    QString verdict() const;

Q_SIGNALS:
    void newRunWanted();
    void measureWanted(const QStringList& files); // one probe domain each
    void routingWanted(); // of the last measurement

private:
    void arrange();
    void chooseTexts();
    void fillFigures(const ScopeFigures& scope);
    QString m_folder;
    QLabel* m_title;
    QFormLayout* m_lines;
    QLabel* m_problems;
    QLabel* m_verdict;
    QLabel* m_legend;
    QTableWidget* m_figures;
    QPushButton* m_routing;
};

// A probe of `model` on files, one domain each, named by the file.
RunConfig probeConfig(const QString& model, const QStringList& files);

} // namespace mooring
