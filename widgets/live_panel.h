// SPDX-License-Identifier: GPL-3.0-or-later
// Live: what a run's method is set to, what it is on its way to, and the controls that change it.
#pragma once
#include "core/config/live_control.h"
#include "widgets/live_state.h"
#include "widgets/view.h"
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <map>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace mooring {

class LiveValueControl;

// Values in, commands out. Lives in the GUI thread; the trainer reads the commands between steps.
class LivePanel : public QWidget {
    Q_OBJECT
public:
    explicit LivePanel(QWidget* parent = nullptr);

    // metrics.back() is what is in force; events tell what is on its way and what can be undone.
    void setRun(RunPtr run);
    void setActive(bool active); // whether a trainer listens; else everything is read-only
    bool isActive() const { return m_active; }

    LiveValueControl* beta() const { return m_beta; }
    LiveValueControl* strength() const { return m_strength; }
    LiveValueControl* learningRate() const { return m_lrScale; }
    LiveValueControl* term(const std::string& id) const; // null: not shown
    QComboBox* methodChoice() const { return m_method; }
    QSpinBox* rampSteps() const { return m_ramp; }
    QCheckBox* checkpointFirst() const { return m_checkpoint; }
    const LiveState& state() const { return m_state; }

    void addTerm(const std::string& id); // a control for a further penalty, off until it is moved
    void undo(std::size_t change); // of state().changes
    void undoLast(); // the newest that can be undone; nothing where there is none

Q_SIGNALS:
    void commandWanted(const mooring::Command& command); // source "window"

private:
    void buildMethod(QVBoxLayout* column);
    void buildValues(QVBoxLayout* column);
    void buildRamp(QVBoxLayout* column);
    void buildLists(QVBoxLayout* column);
    void connectValue(LiveValueControl* control, const std::string& key);
    LiveValueControl* makeTerm(const std::string& id);
    void updateMethod();
    void updateValues();
    void updateValue(LiveValueControl* control, const std::string& key);
    void updateTerms();
    void updateChanges();
    void updatePrior();
    void updateEnabled();
    void fillTermMenu();
    void wish(const std::string& key, double value);
    void send(Command command);
    void sendWaiting();
    void emitCommand(Command command);
    QString pendingText(const std::string& key, double wished) const;

    RunPtr m_run;
    LiveState m_state;
    bool m_active = false;
    QComboBox* m_method = nullptr;
    QLabel* m_methodNote = nullptr;
    LiveValueControl* m_beta = nullptr;
    LiveValueControl* m_strength = nullptr;
    LiveValueControl* m_lrScale = nullptr;
    std::map<std::string, LiveValueControl*> m_terms;
    QVBoxLayout* m_termRows = nullptr;
    QToolButton* m_addTerm = nullptr;
    QSpinBox* m_ramp = nullptr;
    QCheckBox* m_checkpoint = nullptr;
    QLabel* m_stateNote = nullptr;
    QGridLayout* m_changeRows = nullptr;
    QWidget* m_changes = nullptr;
    QWidget* m_prior = nullptr;
    QGridLayout* m_priorRows = nullptr;
    // What was asked for and not yet seen in the events, by key.
    struct Asked {
        double value = 0;
        std::size_t eventsThen = 0;
        std::int64_t rampSteps = 0;
    };
    std::map<std::string, Asked> m_asked;
    std::string m_askedMethod;
    std::size_t m_methodEventsThen = 0;
    // Fast moves: one command per interval, the last wins.
    QTimer m_throttle;
    std::map<std::string, double> m_waiting;
    QElapsedTimer m_sinceChange;
};

} // namespace mooring
