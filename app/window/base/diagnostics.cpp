// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/diagnostics.h"
#include "widgets/style/theme.h"
#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QOpenGLContext>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QThread>
#include <QVBoxLayout>

namespace mooring {
namespace {

struct Diagnostics {
    Q_DECLARE_TR_FUNCTIONS(mooring::Diagnostics)
};

} // namespace

QString diagnosticsText(const EventLoopWatchdog& watchdog) {
    QStringList lines;
    lines << Diagnostics::tr("Mooring %1, Qt %2, %3")
                 .arg(QStringLiteral(MOORING_VERSION), QString::fromLatin1(qVersion()),
                     QSysInfo::prettyProductName());
    lines << Diagnostics::tr("%1 processor cores, platform %2")
                 .arg(QThread::idealThreadCount())
                 .arg(QGuiApplication::platformName());
    if (const QScreen* screen = QGuiApplication::primaryScreen())
        lines << Diagnostics::tr("screen %1 x %2 at scale %3")
                     .arg(screen->size().width())
                     .arg(screen->size().height())
                     .arg(screen->devicePixelRatio());
    lines << QString();
    lines << Diagnostics::tr("Event loop: checked every %1 ms, %2 times")
                 .arg(EventLoopWatchdog::kTickMs)
                 .arg(watchdog.ticks());
    lines << Diagnostics::tr("longest gap %1 ms, longest work of its own %2 ms")
                 .arg(watchdog.longestMs(), 0, 'f', 1)
                 .arg(watchdog.longestBusyMs(), 0, 'f', 1);
    lines << Diagnostics::tr(
        "gaps over %1 ms: %2, of which %3 due to the window's own work; in the rest it "
        "waited for a CPU or a disk")
                 .arg(EventLoopWatchdog::kLongMs)
                 .arg(watchdog.longGaps())
                 .arg(watchdog.busyGaps());
    for (auto it = watchdog.recent().rbegin();
         it != watchdog.recent().rend() && it - watchdog.recent().rbegin() < 8; ++it)
        lines << Diagnostics::tr("  at %1 s: %2 ms, own work %3 ms")
                     .arg(static_cast<double>(it->atMs) / 1e3, 0, 'f', 1)
                     .arg(it->ms, 0, 'f', 0)
                     .arg(it->busyMs, 0, 'f', 0);
    return lines.join(QLatin1Char('\n'));
}

void showDiagnostics(QWidget* parent, EventLoopWatchdog* watchdog) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Diagnostics::tr("Diagnostics"));
    auto* column = new QVBoxLayout(dialog);
    auto* label = new QLabel(dialog);
    label->setFont(numberFont(dialog->font()));
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setMinimumWidth(560);
    label->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy = buttons->addButton(Diagnostics::tr("&Copy"), QDialogButtonBox::ActionRole);
    QPushButton* reset
        = buttons->addButton(Diagnostics::tr("&Reset"), QDialogButtonBox::ActionRole);
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon({});
    column->addWidget(label, 1);
    column->addWidget(buttons);
    const auto update = [label, watchdog] { label->setText(diagnosticsText(*watchdog)); };
    auto* timer = new QTimer(dialog);
    QObject::connect(timer, &QTimer::timeout, label, update);
    QObject::connect(reset, &QPushButton::clicked, watchdog, &EventLoopWatchdog::reset);
    QObject::connect(copy, &QPushButton::clicked, label,
        [label] { QGuiApplication::clipboard()->setText(label->text()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    timer->start(500);
    update();
    dialog->show();
}

void showAbout(QWidget* parent) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, Diagnostics::tr("About Mooring"),
        Diagnostics::tr(
            "<h3>Mooring %1</h3><p>Anchored post-training of mixture-of-experts language models, "
            "with their routing in view.</p><p>GPL-3.0-or-later. Built on Qt, Qt Charts, "
            "LibTorch, igraph and QuaZip.</p>")
            .arg(QStringLiteral(MOORING_VERSION)),
        QMessageBox::Close, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace mooring
