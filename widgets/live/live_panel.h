// SPDX-License-Identifier: GPL-3.0-or-later The live panel: a run's current method settings,
// pending changes, and the controls that change them.
#pragma once
#include "core/config/live/live_control.h"
#include "widgets/base/view.h"
#include "widgets/live/live_state.h"
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <map>
#include <set>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace mooring {

class FigureList;
class LiveValueControl;

// Values in, commands out. Lives in the GUI thread; the trainer reads the commands between steps.
class LivePanel : public QWidget {
    Q_OBJECT
public:
    explicit LivePanel(QWidget* parent = nullptr);

    // metrics.back() is in force; events say what is pending and what can be undone.
    void setRun(RunPtr run);
    void setActive(bool active); // whether a trainer takes commands; else everything is read-only
    bool isActive() const { return m_active; }

    LiveValueControl* beta() const { return m_beta; }
    LiveValueControl* strength() const { return m_strength; }
    LiveValueControl* learningRate() const { return m_lrScale; }
    LiveValueControl* term(const std::string& id) const; // null: not shown
    QComboBox* methodChoice() const { return m_method; }
    QSpinBox* rampSteps() const { return m_ramp; }
    QCheckBox* checkpointFirst() const { return m_checkpoint; }
    const LiveState& state() const { return m_state; }
    QString methodProblem() const; // why the last switch was rejected; empty: accepted
    FigureList* prior() const { return m_prior; }
    FigureList* heldOut() const { return m_heldOut; }

    void addTerm(const std::string& id); // a penalty control, off until it is moved
    void removeTerm(const std::string& id); // over the ramp, where it is in force
    void undo(std::size_t change); // of state().changes
    void undoLast(); // the newest that can be undone; nothing where there is none

Q_SIGNALS:
    void commandWanted(const mooring::Command& command); // source "window"

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildMethod(QVBoxLayout* column);
    void buildValues(QVBoxLayout* column);
    void buildTerms(QVBoxLayout* column);
    void buildRamp(QVBoxLayout* column);
    void buildLists(QVBoxLayout* column);
    void connectValue(LiveValueControl* control, const std::string& key);
    void makeTerm(const std::string& id);
    void fillTermMenu();

    void showState(); // all of it, from m_state
    void forgetQuestions();
    void takeAnswers();
    void updateMethod();
    std::int64_t methodStep() const;
    void updateValue(LiveValueControl* control, const std::string& key);
    void updateTerms();
    bool keepsTerm(const std::string& id) const;
    void updateChanges();
    void addChangeRow(std::size_t index);
    void updateFigures();
    void updateEnabled();
    QString pendingText(const std::string& key) const;
    const StepMetrics* firstStep() const;
    QString firstLine() const; // what the run started with

    void requestMethod(int index);
    void request(const std::string& key, double value);
    bool waitsForRelease() const;
    LiveValueControl* controlOf(const std::string& key) const;
    void sendWaiting();
    void emitChange(const Command& command);

    // Requests that are not in the events yet.
    struct Asked {
        double value = 0;
        std::size_t eventsThen = 0;
        std::int64_t rampSteps = 0;
    };

    RunPtr m_run;
    LiveState m_state;
    bool m_active = false;
    std::map<std::string, Asked> m_asked; // by key
    std::string m_askedMethod; // empty: none
    std::size_t m_methodEventsThen = 0;
    std::map<std::string, QString> m_refused; // by key: why the last request was rejected
    std::set<std::string> m_added; // terms that the user added and has not moved yet
    QTimer m_throttle; // fast moves: one command per interval, the last wins
    std::map<std::string, double> m_waiting; // by key
    QElapsedTimer m_sinceChange;
    std::vector<LiveChange> m_shownChanges;
    std::optional<QString> m_shownFirst; // none: nothing was shown yet
    std::string m_strengthOf; // whose scale the strength has

    QLabel* m_note = nullptr;
    QComboBox* m_method = nullptr;
    QLabel* m_methodNote = nullptr;
    QLabel* m_methodProblem = nullptr;
    QLabel* m_sentence = nullptr;
    LiveValueControl* m_beta = nullptr;
    LiveValueControl* m_strength = nullptr;
    LiveValueControl* m_lrScale = nullptr;
    std::map<std::string, LiveValueControl*> m_terms;
    QVBoxLayout* m_termRows = nullptr;
    QToolButton* m_addTerm = nullptr;
    QSpinBox* m_ramp = nullptr;
    QCheckBox* m_checkpoint = nullptr;
    QGridLayout* m_changeRows = nullptr;
    FigureList* m_prior = nullptr;
    QLabel* m_heldOutTitle = nullptr;
    FigureList* m_heldOut = nullptr;
};

} // namespace mooring
