// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/language.h"
#include "app/window/base/settings.h"
#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace mooring {
namespace {

const QString kSetting = QStringLiteral("language");
const QString kFolder = QStringLiteral(":/translations");
const QString kPrefix = QStringLiteral("mooring_");

// The program's own words, and those of Qt's dialogs where the system has them.
void install(const QString& name, const QString& folder) {
    auto* translator = new QTranslator(qApp);
    if (translator->load(name, folder))
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
}

} // namespace

std::vector<std::pair<QString, QString>> languageChoices() {
    std::vector<std::pair<QString, QString>> choices
        = {{QString(), QString()}, {QStringLiteral("en"), QStringLiteral("English")}};
    for (const QString& file : QDir(kFolder).entryList({kPrefix + QStringLiteral("*.qm")})) {
        const QString code = file.mid(kPrefix.size()).chopped(3);
        choices.emplace_back(code, QLocale(code).nativeLanguageName());
    }
    return choices;
}

void useLanguage(const QString& asked) {
    QString code = asked.isEmpty() ? chosenLanguage() : asked;
    if (code.isEmpty())
        code = QLocale::system().name(); // de_AT: Qt looks for de_AT, then for de
    install(QStringLiteral("qtbase_") + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(kPrefix + code, kFolder);
}

QString chosenLanguage() {
    return openSettings()->value(kSetting).toString();
}

void chooseLanguage(const QString& code) {
    openSettings()->setValue(kSetting, code);
}

} // namespace mooring
