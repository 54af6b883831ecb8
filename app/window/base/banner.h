// SPDX-License-Identifier: GPL-3.0-or-later
// A message next to its cause, with the action that fixes it. Never a modal dialog.
#pragma once
#include "core/base/result.h"
#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace mooring {

class Banner : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error };

    explicit Banner(QWidget* parent = nullptr);

    struct Mend { // an empty text: no button
        QString text;
        std::function<void()> act;
    };
    void tell(Kind kind, const QString& sentence);
    void tell(Kind kind, const QString& sentence, Mend mend);
    void tell(const Error& error); // nothing where it was canceled: who did it knows
    void clear(); // hides it
    QString text() const;
    Kind kind() const { return m_kind; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QPushButton* m_button;
    QToolButton* m_close;
    Kind m_kind = Kind::Info;
    std::function<void()> m_act;
};

} // namespace mooring
