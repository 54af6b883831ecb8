// SPDX-License-Identifier: GPL-3.0-or-later
// The first screen: three ways to start, and recent items.
#pragma once
#include <QWidget>

class QVBoxLayout;

namespace mooring {

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecent(const QStringList& paths);

Q_SIGNALS:
    void demoWanted();
    void modelWanted();
    void runWanted();
    void pathChosen(const QString& path);

private:
    QLayout* makeCards(QWidget* page);
    QVBoxLayout* m_recent;
    QWidget* m_recentPart;
};

} // namespace mooring
