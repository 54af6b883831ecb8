// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection that all views share. Lives in the GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <cstdint>

namespace mooring {

enum class SpanFilter { Both, Question, Answer };

// -1: nothing chosen. `layer` is the ordinal among the MoE layers, not the absolute index.
struct Selection {
    std::int64_t step = -1; // -1: the latest
    int layer = -1;
    int expert = -1;
    QString domain; // empty: all probe domains pooled
    SpanFilter span = SpanFilter::Both;

    bool operator==(const Selection&) const = default;
};

class SelectionModel : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const Selection& value() const { return m_value; }
    void set(const Selection& value); // emits only when something differs
    void setStep(std::int64_t step);
    void setLayer(int layer);
    void setExpert(int layer, int expert);
    void setDomain(const QString& domain);
    void setSpan(SpanFilter span);

Q_SIGNALS:
    void changed(const mooring::Selection& now, const mooring::Selection& before);

private:
    Selection m_value;
};

} // namespace mooring
