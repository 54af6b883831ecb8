// SPDX-License-Identifier: GPL-3.0-or-later
// A slider over real numbers, linear or logarithmic, with named marks and a second marker for the
// value in force.
#pragma once
#include <QDoubleSpinBox>
#include <QSlider>
#include <optional>
#include <vector>

namespace mooring {

// Logarithmic scales have 0 at their left end, set apart from the rest.
struct SliderScale {
    double low = 0;
    double high = 1;
    double step = 0.01; // linear only
    bool logarithmic = false;

    int positions() const;
    int positionOf(double value) const; // the nearest
    double valueAt(int position) const;
};

struct SliderMark {
    double value = 0;
    QString label;
};

class ValueSlider : public QSlider {
    Q_OBJECT
public:
    explicit ValueSlider(QWidget* parent = nullptr);

    void setScale(const SliderScale& scale);
    const SliderScale& scale() const { return m_scale; }
    void setMarks(std::vector<SliderMark> marks);
    void setReal(double value); // without a signal; may lie between positions
    double real() const { return m_real; }
    void setInForce(std::optional<double> value);
    std::optional<double> inForce() const { return m_inForce; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void realMoved(double value); // by a person
    void resetRequested(); // a double click, or Delete

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    double xOf(int position) const;
    int positionAt(double x) const;
    int snapped(double x) const; // positions near a mark snap to it
    void paintMarks(QPainter& painter) const;

    SliderScale m_scale;
    std::vector<SliderMark> m_marks;
    double m_real = 0;
    std::optional<double> m_inForce;
    bool m_quiet = false;
};

// A number box without padding zeros and with steps that suit its scale.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberBox(QWidget* parent = nullptr);
    void setLogarithmic(bool on) { m_logarithmic = on; }
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;

private:
    bool m_logarithmic = false;
};

} // namespace mooring
