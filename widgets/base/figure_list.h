// SPDX-License-Identifier: GPL-3.0-or-later
// Names on the left, figures on the right, and an explanation of each in its tooltip.
#pragma once
#include <QWidget>
#include <vector>

class QGridLayout;

namespace mooring {

struct Figure {
    QString name;
    QString value; // empty: the name is a sentence over both columns
    QString tip;
    bool operator==(const Figure&) const = default;
};

class FigureList : public QWidget {
    Q_OBJECT
public:
    explicit FigureList(const QString& accessibleName, QWidget* parent = nullptr);
    void setFigures(const std::vector<Figure>& figures);
    const std::vector<Figure>& figures() const { return m_figures; }

private:
    QGridLayout* m_grid;
    std::vector<Figure> m_figures;
};

} // namespace mooring
