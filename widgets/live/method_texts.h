// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of methods for the user, and slider scales for their strengths.
#pragma once
#include "widgets/base/method_title.h"
#include "widgets/base/value_slider.h"
#include <QString>
#include <string>

namespace mooring {

QString methodSentence(const std::string& id); // what it does; empty where it is not known
QString methodTip(const std::string& id); // the sentence, and what the paper found for it

// Logarithmic, over the usual strengths of a penalty (docs/methods.md#the-methods).
SliderScale strengthScale(const std::string& id);

} // namespace mooring
