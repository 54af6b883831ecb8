// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/value_slider.h"
#include "widgets/style/theme.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr int kPerDecade = 40;
constexpr double kHandle = 7; // radius
constexpr double kTrackY = 11;
constexpr double kSnap = 4; // pixels

} // namespace

int SliderScale::positions() const {
    if (logarithmic)
        return 1 + static_cast<int>(std::lround(std::log10(high / low) * kPerDecade));
    return static_cast<int>(std::lround((high - low) / step));
}

int SliderScale::positionOf(double value) const {
    if (!logarithmic)
        return std::clamp(static_cast<int>(std::lround((value - low) / step)), 0, positions());
    if (!(value > 0))
        return 0;
    const double place = 1 + std::log10(value / low) * kPerDecade;
    return static_cast<int>(std::lround(std::clamp(place, 1.0, double(positions()))));
}

double SliderScale::valueAt(int position) const {
    if (!logarithmic) // whole steps: 0.4, not 0.4000000000000001
        return std::round((low + position * step) / step) / std::round(1 / step);
    if (position <= 0)
        return 0;
    // Three digits are precise enough for a position on a logarithmic scale.
    const double exact = low * std::pow(10.0, double(position - 1) / kPerDecade);
    return QString::number(exact, 'g', 3).toDouble();
}

ValueSlider::ValueSlider(QWidget* parent)
    : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setScale({});
    connect(this, &QSlider::valueChanged, this, [this](int position) {
        if (m_quiet)
            return;
        m_real = m_scale.valueAt(position);
        Q_EMIT realMoved(m_real);
    });
}

void ValueSlider::setScale(const SliderScale& scale) {
    m_scale = scale;
    m_quiet = true;
    setRange(0, scale.positions());
    setSingleStep(1);
    setPageStep(scale.logarithmic ? kPerDecade / 4 : std::max(1, scale.positions() / 15));
    setValue(scale.positionOf(m_real));
    m_quiet = false;
    update();
}

void ValueSlider::setMarks(std::vector<SliderMark> marks) {
    m_marks = std::move(marks);
    updateGeometry();
    update();
}

void ValueSlider::setReal(double value) {
    m_real = value;
    m_quiet = true;
    setValue(m_scale.positionOf(value));
    m_quiet = false;
}

void ValueSlider::setInForce(std::optional<double> value) {
    if (value == m_inForce)
        return;
    m_inForce = value;
    update();
}

QSize ValueSlider::sizeHint() const {
    const int labels = m_marks.empty() ? 0 : QFontMetrics(smallFont(font())).height() + 2;
    return {180, static_cast<int>(2 * kTrackY) + labels};
}

QSize ValueSlider::minimumSizeHint() const {
    return {96, sizeHint().height()};
}

double ValueSlider::xOf(int position) const {
    const double span = std::max(1, maximum());
    return kHandle + 1 + (width() - 2 * kHandle - 2) * position / span;
}

int ValueSlider::positionAt(double x) const {
    const double along = (x - kHandle - 1) / std::max(1.0, width() - 2 * kHandle - 2);
    return static_cast<int>(std::lround(std::clamp(along, 0.0, 1.0) * maximum()));
}

int ValueSlider::snapped(double x) const {
    for (const SliderMark& mark : m_marks)
        if (const int position = m_scale.positionOf(mark.value);
            std::abs(xOf(position) - x) <= kSnap)
            return position;
    return positionAt(x);
}

void ValueSlider::paintEvent(QPaintEvent*) {
    const ThemeColors& c = themeColors(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double x = xOf(value());
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.kind == ThemeKind::Dark ? c.raised.lighter(125) : c.border);
    painter.drawRoundedRect(QRectF(xOf(0), kTrackY - 2, xOf(maximum()) - xOf(0), 4), 2, 2);
    QColor ink = isEnabled() ? c.accent : c.mutedText;
    if (x - xOf(0) > 1) {
        QColor filled = ink;
        filled.setAlpha(150);
        painter.setBrush(filled);
        painter.drawRoundedRect(QRectF(xOf(0), kTrackY - 2, x - xOf(0), 4), 2, 2);
    }
    paintMarks(painter);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(QPointF(x, kTrackY), kHandle - 1, kHandle - 1);
    if (m_inForce) {
        const double at = std::round(xOf(m_scale.positionOf(*m_inForce)));
        painter.setBrush(c.window);
        painter.drawRect(QRectF(at - 2, kTrackY - 10, 4, 20));
        painter.setBrush(c.change);
        painter.drawRect(QRectF(at - 1, kTrackY - 9, 2, 18));
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(c.text, 1.5));
        painter.drawEllipse(QPointF(x, kTrackY), kHandle + 1, kHandle + 1);
    }
}

// Labels that would touch are dropped; the first and last have priority.
void ValueSlider::paintMarks(QPainter& painter) const {
    const ThemeColors& c = themeColors(*this);
    const QFont small = smallFont(numberFont(font()));
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    std::vector<QRectF> taken;
    std::vector<SliderMark> order = m_marks;
    if (order.size() > 2)
        std::rotate(order.begin() + 1, order.end() - 1, order.end());
    for (const SliderMark& mark : order) {
        const double x = xOf(m_scale.positionOf(mark.value));
        painter.setPen(QPen(c.mutedText, 1));
        painter.drawLine(
            QPointF(std::round(x) + 0.5, kTrackY + 5), QPointF(std::round(x) + 0.5, kTrackY + 9));
        const double labelWidth = metrics.horizontalAdvance(mark.label);
        QRectF box(x - labelWidth / 2, 2 * kTrackY - 1, labelWidth, metrics.height());
        box.moveLeft(std::clamp(box.left(), 0.0, std::max(0.0, width() - labelWidth)));
        const bool free = std::none_of(taken.begin(), taken.end(),
            [&](const QRectF& other) { return other.adjusted(-4, 0, 4, 0).intersects(box); });
        if (!free)
            continue;
        taken.push_back(box);
        painter.setPen(c.mutedText);
        painter.drawText(box.adjusted(-1, 0, 1, 0), Qt::AlignCenter, mark.label);
    }
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    setSliderDown(true);
    setValue(snapped(event->position().x()));
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (isSliderDown())
        setValue(snapped(event->position().x()));
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && isSliderDown())
        setSliderDown(false);
}

void ValueSlider::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        Q_EMIT resetRequested();
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        Q_EMIT resetRequested();
    else
        QSlider::keyPressEvent(event);
}

// Scrolling the panel must not change a run.
void ValueSlider::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QSlider::wheelEvent(event);
    else
        event->ignore();
}

NumberBox::NumberBox(QWidget* parent)
    : QDoubleSpinBox(parent) {
    setDecimals(12);
    setKeyboardTracking(false);
    setFocusPolicy(Qt::StrongFocus);
    setAlignment(Qt::AlignRight);
    setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
}

QString NumberBox::textFromValue(double value) const {
    const double hundredths = value * 100;
    if (!m_logarithmic && std::abs(hundredths - std::round(hundredths)) < 1e-9)
        return locale().toString(value, 'f', 2);
    return locale().toString(value, 'g', 6);
}

double NumberBox::valueFromText(const QString& text) const {
    bool ok = false;
    const double value = locale().toDouble(text.trimmed(), &ok);
    return ok ? value : QLocale::c().toDouble(text.trimmed());
}

QValidator::State NumberBox::validate(QString& text, int&) const {
    bool ok = false;
    const QString trimmed = text.trimmed();
    double value = locale().toDouble(trimmed, &ok);
    if (!ok)
        value = QLocale::c().toDouble(trimmed, &ok);
    if (ok)
        return value >= minimum() && value <= maximum() ? QValidator::Acceptable
                                                        : QValidator::Intermediate;
    const auto partial
        = [](QChar c) { return c.isDigit() || QStringLiteral("+-.,eE").contains(c); };
    return std::all_of(trimmed.begin(), trimmed.end(), partial) ? QValidator::Intermediate
                                                                : QValidator::Invalid;
}

void NumberBox::stepBy(int steps) {
    if (!m_logarithmic) {
        QDoubleSpinBox::stepBy(steps);
        return;
    }
    const double factor = std::pow(10.0, steps / 10.0);
    setValue(QString::number(value() * factor, 'g', 3).toDouble());
}

} // namespace mooring
