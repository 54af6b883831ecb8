// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/view_controls.h"
#include <QSignalBlocker>
#include <QToolButton>

namespace mooring {
namespace {

QString pooledText() {
    return QObject::tr("all, pooled");
}

QToolButton* flatButton(QWidget* parent, const QString& text, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

SegmentedControl* makeSourceControl(QWidget* parent) {
    auto* control = new SegmentedControl(QObject::tr("Source"), parent);
    control->addSegment(QObject::tr("&Probe, bias-free"),
        QObject::tr("Held-out tokens without the bias; the metrics are defined on these"));
    control->addSegment(QObject::tr("Trainin&g tokens, with bias"),
        QObject::tr(
            "This step's batch with the bias in force, compared with the base's stored choices"));
    return control;
}

QString sourceText(bool probe) {
    return probe ? QObject::tr("probe, bias-free") : QObject::tr("training tokens, with bias");
}

RangeButtons makeRangeButtons(QWidget* parent) {
    RangeButtons buttons{};
    buttons.fit = flatButton(
        parent, QObject::tr("F&it"), QObject::tr("Fit the colors to the shown values (F)"));
    buttons.lock = flatButton(parent, QObject::tr("&Lock"),
        QObject::tr("Lock this range for all runs (L, or click the legend)"));
    buttons.lock->setCheckable(true);
    QObject::connect(buttons.lock, &QToolButton::toggled, buttons.fit,
        [fit = buttons.fit](bool locked) { fit->setEnabled(!locked); });
    return buttons;
}

void fillDomainChoice(ChoiceButton* choice, const RoutingFrame* frame, const QString& domain) {
    QStringList names{pooledText()};
    if (frame)
        for (const DomainFrame& part : frame->domains)
            names.append(QString::fromStdString(part.name));
    const QSignalBlocker quiet(choice);
    choice->setChoices(names);
    choice->setCurrent(domain.isEmpty() ? 0 : static_cast<int>(names.indexOf(domain, 1)));
}

void connectDomainChoice(ChoiceButton* choice, SelectionModel* selection) {
    QObject::connect(choice, &ChoiceButton::chosen, selection, [choice, selection](int index) {
        selection->setDomain(index <= 0 ? QString() : choice->currentText());
    });
}

QString domainText(const QString& domain) {
    return domain.isEmpty() ? QObject::tr("all domains") : QObject::tr("domain %1").arg(domain);
}

const TrainingFrame* trainingFrameAt(const RunRecord& run, std::int64_t step) {
    const TrainingFrame* found = nullptr;
    for (const TrainingFrame& frame : run.training)
        if ((step < 0 || frame.step <= step) && (!found || frame.step >= found->step))
            found = &frame;
    return found;
}

} // namespace mooring
