// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C in the terminal that started the window.
#pragma once
#include <QObject>

namespace mooring {

// Turns SIGINT and SIGTERM into a Qt signal in the GUI thread. One per process.
class Interrupts : public QObject {
    Q_OBJECT
public:
    explicit Interrupts(QObject* parent = nullptr);
    ~Interrupts() override;

Q_SIGNALS:
    void interrupted();

private:
    int m_ends[2] = {-1, -1};
};

} // namespace mooring
