// SPDX-License-Identifier: GPL-3.0-or-later
// Compare: runs side by side. Scatter plots of ID against OOD and against overlap above, the table
// of conditions and their runs below.
#pragma once
#include "core/view/study_table.h"
#include "widgets/base/view.h"

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace mooring {

class ChoiceButton;
class ScatterCanvas;

class CompareView : public View {
    Q_OBJECT
public:
    explicit CompareView(SelectionModel* selection, QWidget* parent = nullptr);

    // What is compared: its name ("the open runs", a study's folder) and its numbers. Null:
    // nothing.
    void setTable(const QString& name, ComparedTablePtr table);
    // What can be compared if there is a choice: a study or the open runs.
    void setSources(const QStringList& names, int current);
    void setSecondMetric(const QString& id); // against ID in the second panel
    const ComparedTablePtr& compared() const { return m_table; }
    ScatterCanvas* canvas() const { return m_canvas; }
    QTreeWidget* tree() const { return m_tree; }

    QString title() const override;
    QString explanation() const override;
    QString pictureTitle() const override;
    void paint(QPainter& painter, const QRectF& area) const override;

Q_SIGNALS:
    void runActivated(const QString& path);
    void sourceChosen(int index);

protected:
    void refresh() override;
    void selectionChanged(const Selection& now, const Selection& before) override;
    ValueRows tableRows() const override;

private:
    void buildContent();
    void fillSeconds();
    std::string secondMetric() const;
    void fillAxes();
    void fillTree();
    void addRow(int row);
    void showTexts();
    void chooseRow(int row);
    void activateItem(const QTreeWidgetItem* item);
    double paintLegend(QPainter& painter, const QRectF& area) const; // its height

    QString m_name;
    ComparedTablePtr m_table;
    ChoiceButton* m_source;
    ChoiceButton* m_second; // the metric against ID in the second panel
    std::vector<std::string> m_seconds; // ids of its choices
    ScatterCanvas* m_canvas = nullptr;
    QTreeWidget* m_tree = nullptr;
    QLabel* m_texts = nullptr;
};

} // namespace mooring
