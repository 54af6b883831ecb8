// SPDX-License-Identifier: GPL-3.0-or-later
// The base of every view: values in, a picture, a table of the same numbers, Copy and Export. Lives
// in the GUI thread; a live run, a finished run and a snapshot are shown alike.
#pragma once
#include "core/view/communities.h"
#include "core/view/run_record.h"
#include "widgets/base/selection.h"
#include "widgets/base/value_table.h"
#include "widgets/style/theme.h"
#include <QWidget>
#include <optional>

class QMimeData;
class QStackedWidget;
class QToolButton;

namespace mooring {

class Caption;
class EmptyState;
class WrapLayout;

// What the button of an empty state requests from the window.
enum class ViewAction { TryDemo, OpenModel, OpenRun, NewRun, Probe };

using RunPtr = std::shared_ptr<const RunRecord>;

// A view derives from this, adds its controls with addControl() and its picture with setContent(),
// and calls contentChanged() whenever what it shows has changed.
class View : public QWidget {
    Q_OBJECT
public:
    explicit View(SelectionModel* selection, QWidget* parent = nullptr);
    ~View() override;

    virtual QString title() const = 0; // of the tab, with a mnemonic-free name
    virtual QString explanation() const = 0; // one sentence: what to look for

    virtual void setRun(RunPtr run);
    virtual void setFrames(FramePtr base, FramePtr tuned); // tuned may be null: base only
    virtual void setPartitions(CommunitiesPtr communities); // null: unknown (yet)

    QAbstractTableModel* table(); // the numbers now shown; the same object all the time
    QString csv() const;

    // The drawing of this view inside `area`: what vector formats, Copy and PNG use.
    virtual void paint(QPainter& painter, const QRectF& area) const = 0;
    virtual QSizeF pictureSize() const; // what exports draw at, in logical pixels
    virtual QString pictureTitle() const; // what is shown, in one line: run, step, domain, source

    virtual QString readOut() const; // exact numbers at the pointer or the cell in focus
    bool isEmpty() const; // the empty state is shown

    void copy(); // picture and CSV, to the clipboard
    // By extension: .png .svg .pdf .csv. The file is written completely or not at all.
    bool exportTo(const QString& path, QString* error = nullptr) const;
    // Theme of exported pictures; none (default): as on the screen.
    void setExportTheme(std::optional<ThemeKind> theme) { m_exportTheme = theme; }

    void showTable(); // a window with the table, kept up to date
    void chooseExport(const QString& ending); // asks for a file name, then exportTo()

Q_SIGNALS:
    void readOutChanged(const QString& text);
    void actionRequested(mooring::ViewAction action);
    void message(const QString& sentence); // "Exported to ...", or why not

protected:
    const RunPtr& run() const { return m_run; }
    const FramePtr& baseFrame() const { return m_base; }
    const FramePtr& tunedFrame() const { return m_tuned; }
    const CommunitiesPtr& communities() const { return m_communities; }
    SelectionModel* selection() const { return m_selection; }
    const ThemeColors& colors() const; // of the screen, or of the export under way
    // Writes pictureTitle() at the top of an exported picture; returns the area below it.
    QRectF paintPictureTitle(QPainter& painter, const QRectF& area) const;

    virtual void refresh() = 0; // run, frames or partitions changed
    virtual void selectionChanged(const Selection& now, const Selection& before);
    virtual ValueRows tableRows() const = 0;

    void addControl(QWidget* control); // into the toolbar, from the left
    void addEndControl(QWidget* control); // before Copy and Export
    void setContent(QWidget* content);
    void showContent();
    void showEmpty(
        const QString& headline, const QString& sentence, const QString& button, ViewAction action);
    void contentChanged(); // table and read-out follow
    void setReadOut(const QString& text);
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void buildToolBar();
    void addEndButtons();
    QMenu* exportMenu();
    QByteArray encode(const QString& ending, QString* error) const;
    void paintOn(QPaintDevice& device, qreal scale) const;

    SelectionModel* m_selection;
    RunPtr m_run;
    FramePtr m_base;
    FramePtr m_tuned;
    CommunitiesPtr m_communities;
    ValueTable* m_table;
    bool m_tableStale = true;
    std::optional<ThemeKind> m_exportTheme;
    mutable std::optional<ThemeKind> m_paintTheme;
    WrapLayout* m_controls;
    QWidget* m_endControls;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    Caption* m_caption;
    QString m_readOut;
};

} // namespace mooring
