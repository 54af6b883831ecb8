// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/newrun/schedule_lines.h"
#include "core/config/live/live_control.h"
#include "core/config/text_forms.h"
#include <QCoreApplication>
#include <QRegularExpression>
#include <nlohmann/json.hpp>

namespace mooring {
namespace {

using nlohmann::json;

QString valueText(const json& value) {
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_number())
        return QString::fromStdString(shortNumber(value.get<double>()));
    return QString::fromStdString(value.dump());
}

// The method first, since the rest belongs to it.
QString setText(const std::string& text) {
    const json set = json::parse(text, nullptr, false);
    if (!set.is_object() || set.empty())
        return QString::fromStdString(text).simplified();
    QStringList parts;
    const auto add = [&](const std::string& key, const json& value) {
        const QString part = QString::fromStdString(key) + QStringLiteral(" = ") + valueText(value);
        key == "method" ? parts.prepend(part) : parts.append(part);
    };
    for (const auto& [key, value] : set.items()) {
        if (key == "also" && value.is_object())
            for (const auto& [id, strength] : value.items())
                add("also." + id, strength);
        else
            add(key, value);
    }
    return parts.join(QStringLiteral(", "));
}

QString lineOf(const ScheduledChange& change) {
    QString line = change.at
        ? QStringLiteral("at ") + QString::fromStdString(shortNumber(*change.at))
        : QStringLiteral("step %1").arg(change.step);
    line += QStringLiteral(": ") + setText(change.set);
    if (change.rampUntil)
        line += QStringLiteral(" until ") + QString::fromStdString(shortNumber(*change.rampUntil));
    else if (change.rampSteps != 0)
        line += QStringLiteral(" over %1 steps").arg(change.rampSteps);
    return line;
}

// "beta = 0, also.lbl = 0.001" or a JSON object; discarded if it is neither.
json readSet(const QString& text) {
    if (text.startsWith(QLatin1Char('{')))
        return json::parse(text.toStdString(), nullptr, false);
    json set = json::object();
    for (const QString& part : text.split(QLatin1Char(','))) {
        const QString key = part.section(QLatin1Char('='), 0, 0).trimmed();
        const QString value = part.section(QLatin1Char('='), 1).trimmed();
        if (key.isEmpty() || value.isEmpty())
            return json(json::value_t::discarded);
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        const json read = isNumber ? json(number) : json(value.toStdString());
        if (key.startsWith(QLatin1String("also.")))
            set["also"][key.mid(5).toStdString()] = read;
        else
            set[key.toStdString()] = read;
    }
    return set;
}

struct ScheduleLines {
    Q_DECLARE_TR_FUNCTIONS(mooring::ScheduleLines)
};

// Fills in the change or says what is wrong with the line.
QString readLine(const QString& line, ScheduledChange& change) {
    static const QRegularExpression kLine(
        QStringLiteral("^(at|step)\\s+(\\S+?)\\s*:\\s*(.+?)(?:\\s+until\\s+(\\S+)|\\s+over\\s+(\\S+"
                       ")\\s+steps?)?$"));
    const auto match = kLine.match(line);
    if (!match.hasMatch())
        return ScheduleLines::tr("not understood; write it like: at 0.5: beta = 0 until 0.9");
    bool when = false, ramp = true;
    if (match.captured(1) == QLatin1String("at"))
        change.at = match.captured(2).toDouble(&when);
    else
        change.step = match.captured(2).toLongLong(&when);
    if (!when)
        return ScheduleLines::tr("\"%1\" is not a number").arg(match.captured(2));
    if (!match.captured(4).isEmpty())
        change.rampUntil = match.captured(4).toDouble(&ramp);
    if (!match.captured(5).isEmpty())
        change.rampSteps = match.captured(5).toLongLong(&ramp);
    if (!ramp)
        return ScheduleLines::tr("\"%1\" is not a number")
            .arg(match.captured(4) + match.captured(5));
    const json set = readSet(match.captured(3));
    if (!set.is_object())
        return ScheduleLines::tr("\"%1\" is not a change; write it like: beta = 0, lr_scale = 0.5")
            .arg(match.captured(3));
    change.set = set.dump();
    if (const auto command = parseCommand("{\"set\":" + change.set + "}"); !command.ok())
        return QString::fromStdString(command.error().what);
    return {};
}

} // namespace

QString scheduleText(const std::vector<ScheduledChange>& changes) {
    QStringList lines;
    for (const ScheduledChange& change : changes)
        lines.append(lineOf(change));
    return lines.join(QLatin1Char('\n'));
}

ScheduleRead readSchedule(const QString& text, const std::vector<ScheduledChange>& before) {
    ScheduleRead read;
    for (const QString& raw : text.split(QLatin1Char('\n'))) {
        const QString line = raw.simplified();
        if (line.isEmpty())
            continue;
        ScheduledChange change;
        const auto known = std::find_if(before.begin(), before.end(),
            [&](const ScheduledChange& one) { return lineOf(one).simplified() == line; });
        if (known != before.end())
            change = *known;
        else if (const QString problem = readLine(line, change); !problem.isEmpty())
            read.problems.push_back({"schedule[" + std::to_string(read.changes.size()) + "]",
                (QStringLiteral("\"") + line + QStringLiteral("\": ") + problem).toStdString()});
        read.changes.push_back(std::move(change));
    }
    return read;
}

} // namespace mooring
