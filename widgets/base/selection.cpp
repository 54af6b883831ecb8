// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/selection.h"

namespace mooring {

void SelectionModel::set(const Selection& value) {
    if (value == m_value)
        return;
    const Selection before = m_value;
    m_value = value;
    Q_EMIT changed(m_value, before);
}

void SelectionModel::setStep(std::int64_t step) {
    Selection next = m_value;
    next.step = step;
    set(next);
}

void SelectionModel::setLayer(int layer) {
    Selection next = m_value;
    next.layer = layer;
    set(next);
}

void SelectionModel::setExpert(int layer, int expert) {
    Selection next = m_value;
    next.layer = layer;
    next.expert = expert;
    set(next);
}

void SelectionModel::setDomain(const QString& domain) {
    Selection next = m_value;
    next.domain = domain;
    set(next);
}

void SelectionModel::setSpan(SpanFilter span) {
    Selection next = m_value;
    next.span = span;
    set(next);
}

} // namespace mooring
