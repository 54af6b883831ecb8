// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/newrun/memory_bar.h"
#include "core/base/format_bytes.h"
#include "widgets/style/theme.h"
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <algorithm>

namespace mooring {

// Parts from left to right, those of a step lighter, and a line where the free memory ends.
class MemoryBar::Picture : public QWidget {
public:
    explicit Picture(QWidget* parent)
        : QWidget(parent) {
        setFixedHeight(16);
    }
    std::vector<MemoryPart> fixed, step;
    double free = 0;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const ThemeColors& colors = themeColors(*this);
        painter.fillRect(rect(), colors.canvas);
        double total = 0;
        for (const auto* parts : {&fixed, &step})
            for (const MemoryPart& part : *parts)
                total += part.bytes;
        const double scale = std::max(total, free);
        if (scale <= 0)
            return;
        double at = 0;
        for (const auto* parts : {&fixed, &step}) {
            QColor fill = total > free && free > 0 ? colors.error : colors.accent;
            if (parts == &step)
                fill.setAlphaF(0.5F);
            for (const MemoryPart& part : *parts) {
                const QRectF bar(
                    at / scale * width(), 2, part.bytes / scale * width(), height() - 4);
                painter.fillRect(bar, fill);
                painter.setPen(colors.canvas);
                painter.drawLine(bar.topRight(), bar.bottomRight());
                at += part.bytes;
            }
        }
        if (free > 0) {
            const double x = std::min(free / scale * width(), width() - 1.0);
            painter.setPen(QPen(colors.text, 2));
            painter.drawLine(QPointF(x, 0), QPointF(x, height()));
        }
    }
};

namespace {

QString sentenceOf(const MemoryEstimate& e, double free, const QString& advice) {
    const QString needed = QString::fromStdString(formatBytes(e.total()));
    if (free <= 0)
        return MemoryBar::tr("%1 in total; free device memory is unknown.").arg(needed);
    const QString there = QString::fromStdString(formatBytes(free));
    if (e.total() <= free)
        return MemoryBar::tr("%1 in total, %2 free: it fits.").arg(needed, there);
    return MemoryBar::tr("%1 in total, %2 free: it does not fit. %3").arg(needed, there, advice);
}

QString linesOf(const std::vector<MemoryPart>& parts) {
    QString text;
    for (const MemoryPart& part : parts)
        text += QStringLiteral("%1 %2\n")
                    .arg(QString::fromStdString(part.name), -42)
                    .arg(QString::fromStdString(formatBytes(part.bytes)), 10);
    return text;
}

} // namespace

MemoryBar::MemoryBar(QWidget* parent)
    : QWidget(parent)
    , m_picture(new Picture(this))
    , m_sentence(new QLabel(this))
    , m_parts(new QPlainTextEdit(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_picture);
    column->addWidget(m_sentence);
    column->addWidget(m_parts);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_parts->setReadOnly(true);
    m_parts->setTabChangesFocus(true);
    m_parts->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_parts->setFixedHeight(10 * m_parts->fontMetrics().lineSpacing() + 12);
    m_parts->setAccessibleName(tr("Memory by part"));
    setEstimate({}, 0, {});
}

void MemoryBar::setEstimate(
    const std::optional<MemoryEstimate>& estimate, double free, const QString& advice) {
    m_picture->fixed = estimate ? estimate->fixed : std::vector<MemoryPart>{};
    m_picture->step = estimate ? estimate->step : std::vector<MemoryPart>{};
    m_picture->free = free;
    m_picture->update();
    m_sentence->setText(estimate ? sentenceOf(*estimate, free, advice) : QString());
    const QString parts = estimate ? linesOf(estimate->fixed)
            + tr("peak of a step (%1 tokens per micro-batch):").arg(estimate->microTokens)
            + QLatin1Char('\n') + linesOf(estimate->step)
            + QStringLiteral("%1 %2")
                  .arg(tr("disk for the run's checkpoints"), -42)
                  .arg(QString::fromStdString(formatBytes(estimate->runBytes)), 10)
                                   : QString();
    if (m_parts->toPlainText() != parts)
        m_parts->setPlainText(parts);
}

QString MemoryBar::sentence() const {
    return m_sentence->text();
}

QString MemoryBar::partsText() const {
    return m_parts->toPlainText();
}

} // namespace mooring
