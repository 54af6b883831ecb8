// SPDX-License-Identifier: GPL-3.0-or-later
// The German translation: complete, with the places of its source, and what the window shows.
#include "app/window/base/language.h"
#include "app/window/base/texts.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/main_window.h"
#include <QAction>
#include <QDir>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

namespace mooring {
namespace {

struct Message {
    QString source;
    QStringList translations; // more than one: by number
    QString type; // "unfinished", "vanished"; empty: finished
};

// One text, or a numerusform for each grammatical number.
void readTranslation(QXmlStreamReader& xml, Message& message) {
    QString text;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement() && xml.name() == QLatin1String("translation"))
            break;
        if (xml.isStartElement())
            message.translations.append(xml.readElementText());
        else if (xml.isCharacters())
            text += xml.text();
    }
    if (message.translations.isEmpty())
        message.translations.append(text);
}

QList<Message> messagesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&file);
    QList<Message> messages;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("message"))
            messages.append(Message{});
        else if (xml.name() == QLatin1String("source"))
            messages.last().source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            messages.last().type = xml.attributes().value(QLatin1String("type")).toString();
            readTranslation(xml, messages.last());
        }
    }
    return messages;
}

QStringList placesOf(const QString& text) {
    static const QRegularExpression kPlace(QStringLiteral("%(n|[1-9])"));
    QStringList places;
    for (auto match = kPlace.globalMatch(text); match.hasNext();)
        places.append(match.next().captured());
    places.sort();
    return places;
}

QString plain(QString text) {
    return text.remove(QLatin1Char('&'));
}

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyTranslationIsFinishedAndFillsInWhatItsSourceDoes_data();
    void everyTranslationIsFinishedAndFillsInWhatItsSourceDoes();
    void theMenuIsGermanWhereGermanIsChosen();
    void phasesOfTheTrainerAreTold();
    void theLanguagesOfferedAreThoseOfTheProgram();

private:
    QTemporaryDir m_home;
};

void TranslationTest::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
    useLanguage(QStringLiteral("de"));
}

void TranslationTest::everyTranslationIsFinishedAndFillsInWhatItsSourceDoes_data() {
    QTest::addColumn<QString>("file");
    const QDir folder(QStringLiteral(MOORING_SOURCE_DIR "/resources/translations"));
    for (const QString& file : folder.entryList({QStringLiteral("*.ts")}))
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void TranslationTest::everyTranslationIsFinishedAndFillsInWhatItsSourceDoes() {
    QFETCH(QString, file);
    const auto messages = messagesOf(file);
    QVERIFY(messages.size() > 900);
    for (const Message& message : messages) {
        QVERIFY2(message.type.isEmpty(), qPrintable(message.source));
        for (const QString& translation : message.translations) {
            QVERIFY2(!translation.isEmpty(), qPrintable(message.source));
            if (message.translations.size() == 1)
                QVERIFY2(
                    placesOf(message.source) == placesOf(translation), qPrintable(message.source));
        }
    }
}

void TranslationTest::theMenuIsGermanWhereGermanIsChosen() {
    MainWindow window;
    QStringList titles;
    for (const QAction* menu : window.menuBar()->actions())
        titles.append(plain(menu->text()));
    QCOMPARE(titles, (QStringList{"Datei", "Lauf", "Ansicht", "Export", "Hilfe"}));
    QCOMPARE(plain(window.actions()->quit->text()), QStringLiteral("Beenden"));
    QCOMPARE(plain(window.actions()->pause->text()), QStringLiteral("Pause"));
}

void TranslationTest::phasesOfTheTrainerAreTold() {
    QCOMPARE(phaseLabel({.phase = RunPhase::Evaluating, .detail = "gsm8k"}),
        QStringLiteral("Evaluation von gsm8k"));
    QCOMPARE(phaseLabel({.phase = RunPhase::LoadingModel}), QStringLiteral("Laden des Modells"));
}

void TranslationTest::theLanguagesOfferedAreThoseOfTheProgram() {
    const auto choices = languageChoices();
    QCOMPARE(choices.size(), std::size_t{3});
    QCOMPARE(choices[1].first, QStringLiteral("en"));
    QCOMPARE(choices[2].second, QStringLiteral("Deutsch"));
    chooseLanguage(QStringLiteral("de"));
    QCOMPARE(chosenLanguage(), QStringLiteral("de"));
}

} // namespace mooring

QTEST_MAIN(mooring::TranslationTest)
#include "translation_test.moc"
