// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/method_title.h"
#include "core/config/run_config.h"
#include <QCoreApplication>

namespace mooring {

QString methodTitle(const std::string& id) {
    const MethodTraits* traits = findMethodTraits(id);
    return traits ? QCoreApplication::translate("mooring::MethodTitles", traits->title.c_str())
                  : QString::fromStdString(id);
}

} // namespace mooring
