// SPDX-License-Identifier: GPL-3.0-or-later
// Marks words that the window shows in the language of its user; here they stay English.
#pragma once

// As Qt's QT_TRANSLATE_NOOP, for code that knows no Qt: lupdate finds the text under `context`.
#define MOORING_TRANSLATE_NOOP(context, text) text
