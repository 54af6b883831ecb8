// SPDX-License-Identifier: GPL-3.0-or-later
// Additional soft terms beside a method ([[method.also]]): a penalty and its strength a row.
#pragma once
#include "core/config/run_config.h"
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace mooring {

class TermsEditor : public QWidget {
    Q_OBJECT
public:
    explicit TermsEditor(QWidget* parent = nullptr);

    void setMethod(const std::string& id); // the method's own penalty is not offered
    void setTerms(const std::vector<MethodTerm>& terms);
    std::vector<MethodTerm> terms() const; // NaN where a strength is invalid
    bool hasNonNumbers() const;

    void addTerm(); // the first unused penalty, at its default
    void removeTerm(int row);
    int count() const { return static_cast<int>(m_rows.size()); }
    QComboBox* choice(int row) const { return m_rows[static_cast<std::size_t>(row)].choice; }
    QLineEdit* strength(int row) const { return m_rows[static_cast<std::size_t>(row)].strength; }
    QPushButton* addButton() const { return m_add; }

Q_SIGNALS:
    void edited();

private:
    struct Row {
        QWidget* line;
        QComboBox* choice;
        QLineEdit* strength;
    };
    void addRow(const MethodTerm& term);
    void removeLine(const QWidget* line);
    void offer();
    std::string freePenalty() const; // empty: all are used

    std::string m_method;
    std::vector<Row> m_rows;
    QVBoxLayout* m_lines;
    QPushButton* m_add;
};

} // namespace mooring
