// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/field_numbers.h"
#include <QLocale>
#include <limits>

namespace mooring {

QString fieldText(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

double fieldNumber(const QString& text) {
    bool good = false;
    const double value = text.trimmed().toDouble(&good);
    return good ? value : std::numeric_limits<double>::quiet_NaN();
}

} // namespace mooring
