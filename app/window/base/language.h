// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window: what a translation in resources/translations offers, or English.
#pragma once
#include <QString>
#include <utility>
#include <vector>

namespace mooring {

// "" is the desktop's; then English and every translation, each by its own name ("Deutsch").
std::vector<std::pair<QString, QString>> languageChoices(); // code and name

// `asked` counts first (--language), then what was chosen in the View menu, then the desktop.
// Before any widget is made. A language without a translation is English.
void useLanguage(const QString& asked);

QString chosenLanguage(); // in the settings; empty: the desktop's
void chooseLanguage(const QString& code); // from the next start on

} // namespace mooring
