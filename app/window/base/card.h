// SPDX-License-Identifier: GPL-3.0-or-later
// A large button with a title and a sentence.
#pragma once
#include <QAbstractButton>

namespace mooring {

class Card : public QAbstractButton {
    Q_OBJECT
public:
    Card(const QString& title, const QString& sentence, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {240, 104}; }
    QSize minimumSizeHint() const override { return {160, 104}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_sentence;
};

} // namespace mooring
