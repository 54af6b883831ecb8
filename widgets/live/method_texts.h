// SPDX-License-Identifier: GPL-3.0-or-later
// What people read about methods, and where their strengths lie on a slider.
#pragma once
#include "widgets/base/value_slider.h"
#include <QString>
#include <string>

namespace mooring {

QString methodTitle(const std::string& id); // the id itself where it is not known
QString methodSentence(const std::string& id); // what it does; empty where it is not known
QString methodTip(const std::string& id); // the sentence, and what the paper found for it

// Logarithmic, over the strengths that a penalty is used with (docs/methods.md#the-methods).
SliderScale strengthScale(const std::string& id);

} // namespace mooring
