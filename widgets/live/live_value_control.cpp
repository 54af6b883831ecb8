// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/live_value_control.h"
#include "widgets/live/live_state.h"
#include "widgets/live/method_texts.h"
#include "widgets/style/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace mooring {

QLabel* makePartTitle(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = smallFont(parent->font());
    font.setCapitalization(QFont::AllUppercase);
    font.setLetterSpacing(QFont::PercentageSpacing, 104);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void useStrengthScale(LiveValueControl& control, const std::string& method) {
    const SliderScale scale = strengthScale(method);
    const double usual = findMethodTraits(method)->defaultStrength;
    control.setScale(scale,
        {{0, QObject::tr("off")}, {usual, liveNumber(usual)},
            {scale.high, liveNumber(scale.high)}});
    control.setDefault(usual);
}

void retire(QWidget* widget) {
    if (!widget)
        return;
    widget->hide();
    widget->deleteLater();
}

void tell(QLabel& label, const QString& sentence, const QColor& color) {
    QPalette palette = label.palette();
    palette.setColor(QPalette::WindowText, color);
    label.setPalette(palette);
    label.setText(sentence);
    label.setVisible(!sentence.isEmpty());
}

LiveValueControl::LiveValueControl(const QString& name, bool large, QWidget* parent)
    : QWidget(parent)
    , m_head(new QHBoxLayout)
    , m_name(makePartTitle({}, this))
    , m_box(new NumberBox(this))
    , m_slider(new ValueSlider(this))
    , m_pending(new QLabel(this))
    , m_problem(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_head->setSpacing(4);
    m_name->setWordWrap(true); // the panel may be narrower than the name
    m_head->addWidget(m_name, 1);
    if (large) {
        auto* figures = new QHBoxLayout;
        figures->setSpacing(8);
        m_figure = new QLabel(this);
        QFont font = numberFont(this->font());
        font.setPixelSize(font.pixelSize() * 17 / 10);
        m_figure->setFont(font);
        m_towards = new QLabel(this);
        m_towards->setForegroundRole(QPalette::PlaceholderText);
        figures->addWidget(m_figure);
        figures->addWidget(m_towards, 1, Qt::AlignBottom);
        figures->addWidget(m_box);
        column->addLayout(m_head);
        column->addLayout(figures);
    } else {
        m_head->addWidget(m_box);
        column->addLayout(m_head);
    }
    m_box->setFont(numberFont(font()));
    m_box->setFixedWidth(84);
    column->addWidget(m_slider);
    for (QLabel* sentence : {m_pending, m_problem}) {
        sentence->setWordWrap(true);
        sentence->hide();
        column->addWidget(sentence);
    }
    setName(name);
    connect(m_slider, &ValueSlider::realMoved, this, &LiveValueControl::requestFor);
    connect(m_slider, &QSlider::sliderReleased, this, &LiveValueControl::released);
    connect(m_slider, &ValueSlider::resetRequested, this, [this] { requestFor(m_default); });
    connect(m_box, qOverload<double>(&QDoubleSpinBox::valueChanged), this,
        &LiveValueControl::requestFor);
}

void LiveValueControl::setName(const QString& name) {
    m_name->setText(name);
    setAccessibleName(name);
    m_slider->setAccessibleName(tr("%1: slider").arg(name));
    m_box->setAccessibleName(tr("%1: number").arg(name));
    m_slider->setToolTip(tr("The circle is the requested value, the line the value in force. "
                            "Double-click or press Delete to restore the method's default."));
}

void LiveValueControl::setScale(const SliderScale& scale, std::vector<SliderMark> marks) {
    const QSignalBlocker quiet(m_box);
    m_slider->setScale(scale);
    m_slider->setMarks(std::move(marks));
    m_box->setLogarithmic(scale.logarithmic);
    // Typed numbers may be outside the slider's range, which is only a convenience.
    m_box->setRange(0, 1e9);
    m_box->setSingleStep(scale.logarithmic ? scale.low : scale.step * 5);
}

void LiveValueControl::setRequest(double value) {
    const QSignalBlocker quiet(m_box);
    m_slider->setReal(value);
    if (!m_box->hasFocus() || m_box->value() != value)
        m_box->setValue(value);
    updateFigures();
}

void LiveValueControl::requestFor(double value) {
    setRequest(value);
    Q_EMIT requested(value);
}

void LiveValueControl::setInForce(std::optional<double> value) {
    m_slider->setInForce(value);
    updateFigures();
}

void LiveValueControl::updateFigures() {
    if (!m_figure)
        return;
    const std::optional<double> now = m_slider->inForce();
    const bool round = now && liveNumber(*now).size() <= 4;
    m_figure->setText(!now ? QStringLiteral("-") : round ? liveNumber(*now) : formatNumber(*now));
    const bool differs = now && *now != request();
    m_towards->setText(differs ? QStringLiteral("\u2192 ") + liveNumber(request()) : QString());
}

void LiveValueControl::setPending(const QString& sentence) {
    tell(*m_pending, sentence, themeColors(*this).change);
    m_slider->setAccessibleDescription(sentence);
}

void LiveValueControl::setProblem(const QString& sentence) {
    tell(*m_problem, sentence, themeColors(*this).error);
}

QString LiveValueControl::problem() const {
    return m_problem->text();
}

QString LiveValueControl::pending() const {
    return m_pending->text();
}

void LiveValueControl::addHeadWidget(QWidget* widget) {
    m_head->addWidget(widget);
}

} // namespace mooring
