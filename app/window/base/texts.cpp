// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/texts.h"
#include "core/base/format_bytes.h"
#include "widgets/style/theme.h"
#include <QCoreApplication>
#include <cmath>

namespace mooring {
namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(mooring::Texts)
};

} // namespace

QString clockText(double seconds) {
    const auto whole = static_cast<qint64>(std::lround(std::max(seconds, 0.0)));
    const QChar zero = QLatin1Char('0');
    const QString tail = QStringLiteral(":%1").arg(whole % 60, 2, 10, zero);
    if (whole < 3600)
        return QString::number(whole / 60) + tail;
    return QStringLiteral("%1:%2").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, zero) + tail;
}

QString rateText(double tokensPerSecond) {
    if (!(tokensPerSecond > 0))
        return {};
    return tokensPerSecond >= 1000 ? Texts::tr("%1k tok/s").arg(tokensPerSecond / 1000, 0, 'f', 1)
                                   : Texts::tr("%1 tok/s").arg(tokensPerSecond, 0, 'f', 0);
}

QString bytesText(double bytes) {
    return bytes > 0 ? QString::fromStdString(formatBytes(bytes)) : QString();
}

QString parametersText(std::int64_t count) {
    const auto value = static_cast<double>(count);
    if (count >= 1'000'000'000)
        return Texts::tr("%1 B").arg(formatNumber(value / 1e9));
    if (count >= 1'000'000)
        return Texts::tr("%1 M").arg(formatNumber(value / 1e6));
    return formatCount(count);
}

QString stateText(const RunInfo& info, std::int64_t lastStep) {
    switch (info.state) {
    case RunState::Running:
    case RunState::Paused: {
        if (info.totalSteps <= 0)
            return Texts::tr("running");
        const auto share = Texts::tr("%1 %").arg(100 * lastStep / info.totalSteps);
        return info.state == RunState::Paused ? Texts::tr("paused, %1").arg(share) : share;
    }
    case RunState::Finished:
        return Texts::tr("finished");
    case RunState::Stopped:
        return Texts::tr("stopped");
    case RunState::Failed:
        return Texts::tr("failed");
    case RunState::Interrupted:
        return Texts::tr("interrupted");
    default:
        return {};
    }
}

QString phaseLabel(const RunProgress& progress) {
    const char* words = phaseWords(progress.phase);
    if (!*words)
        return {};
    const QString label = QCoreApplication::translate("mooring::RunPhase", words);
    return label.contains(QLatin1String("%1")) ? label.arg(QString::fromStdString(progress.detail))
                                               : label;
}

} // namespace mooring
