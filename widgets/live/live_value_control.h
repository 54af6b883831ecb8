// SPDX-License-Identifier: GPL-3.0-or-later
// One live value: its name, the value in force, the request as slider and number, pending changes.
#pragma once
#include "widgets/base/value_slider.h"
#include <QWidget>
#include <string>

class QHBoxLayout;
class QLabel;

namespace mooring {

class LiveValueControl : public QWidget {
    Q_OBJECT
public:
    // `large` shows the value in force in large figures.
    LiveValueControl(const QString& name, bool large, QWidget* parent = nullptr);

    void setName(const QString& name);
    void setScale(const SliderScale& scale, std::vector<SliderMark> marks);
    void setDefault(double value) { m_default = value; }
    void setRequest(double value); // without a signal
    double request() const { return m_slider->real(); }
    void setInForce(std::optional<double> value);
    void setPending(const QString& sentence); // "1.00 → 0.40 over 20 steps, from step 313"
    QString pending() const;
    void setProblem(const QString& sentence); // why a request was rejected
    QString problem() const;
    void addHeadWidget(QWidget* widget); // after the number box
    bool isHeld() const { return m_slider->isSliderDown(); }

    ValueSlider* slider() const { return m_slider; }
    NumberBox* box() const { return m_box; }

Q_SIGNALS:
    void requested(double value); // by a person
    void released(); // the slider's handle

private:
    void requestFor(double value);
    void updateFigures();

    QHBoxLayout* m_head;
    QLabel* m_name;
    NumberBox* m_box;
    QLabel* m_figure = nullptr;
    QLabel* m_towards = nullptr;
    ValueSlider* m_slider;
    QLabel* m_pending;
    QLabel* m_problem;
    double m_default = 0;
};

// Off, and the range over which this penalty is used.
void useStrengthScale(LiveValueControl& control, const std::string& method);

// Hidden at once; deleted when none of its slots can be running anymore.
void retire(QWidget* widget);

// A sentence in a theme color; hidden if empty.
void tell(QLabel& label, const QString& sentence, const QColor& color);

// "METHOD": the small title of a panel section.
QLabel* makePartTitle(const QString& text, QWidget* parent);

} // namespace mooring
