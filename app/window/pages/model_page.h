// SPDX-License-Identifier: GPL-3.0-or-later A base model without
// training: its facts, and what its router does on texts of the user's
// choice.
#pragma once
#include "core/measure/model_facts.h"
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
    void addLine(const QString& title, const QString& text);
    void showProblems(const ModelFacts& facts);
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

} // namespace mooring
