// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them in bars and lists.
#pragma once
#include "core/view/run_progress.h"
#include "core/view/run_record.h"
#include <QString>

namespace mooring {

QString clockText(double seconds); // 0:48, 12:05, 3:04:05
QString rateText(double tokensPerSecond); // "9.8k tok/s"
QString bytesText(double bytes); // "0.61 GB"
QString parametersText(std::int64_t count); // "2.43 M"
QString stateText(const RunInfo& info, std::int64_t lastStep); // "57 %", "finished", "failed"

QString phaseLabel(const RunProgress& progress); // "prior pass", "evaluating gsm8k"

} // namespace mooring
