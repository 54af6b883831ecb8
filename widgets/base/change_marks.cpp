// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/change_marks.h"
#include "core/config/run_config.h"
#include "widgets/base/method_title.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QObject>
#include <algorithm>

namespace mooring {
namespace {

const QString kArrow = QStringLiteral(" \u2192 ");
const std::string kTerm = "also.";

bool isNull(const std::string& json) {
    return json.empty() || json == "null";
}

} // namespace

bool isLiveChange(const RunEvent& event) {
    for (const char* what : {"beta", "method", "strength", "lr_scale"})
        if (event.what == what)
            return true;
    return event.what.starts_with(kTerm);
}

QString readableValue(const std::string& json) {
    // Only arrays and objects are documents of their own.
    const QByteArray wrapped = '[' + QByteArray::fromStdString(json) + ']';
    const QJsonValue value = QJsonDocument::fromJson(wrapped).array().at(0);
    if (value.isDouble()) {
        QString text = QString::number(value.toDouble(), 'g', 6);
        text.replace(QLatin1String("e+0"), QLatin1String("e"));
        text.replace(QLatin1String("e-0"), QLatin1String("e-"));
        return text.replace(QLatin1Char('-'), QChar(0x2212));
    }
    if (value.isString())
        return value.toString();
    if (value.isBool())
        return value.toBool() ? QObject::tr("on") : QObject::tr("off");
    return QStringLiteral("-");
}

namespace {

// Marks have room for one word only; lists have the full name.
QString nameOf(const std::string& what, bool whole) {
    if (what == "lr_scale")
        return whole ? QObject::tr("learning rate \u00d7") : QObject::tr("lr \u00d7");
    if (!what.starts_with(kTerm))
        return QString::fromStdString(what); // as in control.jsonl
    const std::string id = what.substr(kTerm.size());
    return whole ? methodTitle(id) : QString::fromStdString(id);
}

QString textOf(const RunEvent& event, bool whole) {
    QString text = nameOf(event.what, whole) + QLatin1Char(' ');
    if (!isNull(event.before))
        text += readableValue(event.before) + kArrow;
    return text + readableValue(event.after);
}

} // namespace

QString changeText(const RunEvent& event) {
    return textOf(event, false);
}

QString overSteps(std::int64_t steps) {
    return steps == 1 ? QObject::tr("over 1 step") : QObject::tr("over %1 steps").arg(steps);
}

QString changeDetail(const RunEvent& event) {
    QString text = textOf(event, true);
    if (event.rampSteps > 0)
        text += QLatin1Char(' ') + overSteps(event.rampSteps);
    if (event.source == "schedule")
        text += QObject::tr(" (planned)");
    else if (event.source == "control")
        text += QObject::tr(" (control file)");
    return text;
}

std::vector<ChangeMark> changeMarks(const RunRecord& run) {
    std::vector<ChangeMark> marks;
    std::vector<const RunEvent*> events;
    for (const RunEvent& event : run.events)
        if (isLiveChange(event))
            events.push_back(&event);
    std::stable_sort(events.begin(), events.end(),
        [](const RunEvent* a, const RunEvent* b) { return a->step < b->step; });
    for (const RunEvent* event : events) {
        if (marks.empty() || marks.back().step != event->step) {
            marks.push_back(
                {event->step, event->rampSteps, changeText(*event), changeDetail(*event)});
            continue;
        }
        ChangeMark& mark = marks.back();
        mark.rampSteps = std::max(mark.rampSteps, event->rampSteps);
        mark.text += QStringLiteral(", ") + changeText(*event);
        mark.detail += QStringLiteral(", ") + changeDetail(*event);
    }
    return marks;
}

} // namespace mooring
