// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the lines of a form.
#pragma once
#include <QString>

namespace mooring {

QString fieldText(double value); // shortest that reads back as the same number
double fieldNumber(const QString& text); // NaN where the text is none

} // namespace mooring
