// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of methods for the user, and slider scales for their strengths.
#pragma once
#include "widgets/base/value_slider.h"
#include <QString>
#include <string>

namespace mooring {

QString methodTitle(const std::string& id); // the id itself if unknown
QString methodSentence(const std::string& id); // what it does; empty if unknown
QString methodTip(const std::string& id); // the description, with the paper's result

// Logarithmic, over the usual strengths of a penalty (docs/methods.md#the-methods).
SliderScale strengthScale(const std::string& id);

} // namespace mooring
