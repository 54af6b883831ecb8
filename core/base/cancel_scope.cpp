// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cancel_scope.h"
#include <utility>

namespace mooring {
namespace {

thread_local const CancelScope* t_scope = nullptr;

} // namespace

CancelScope::CancelScope(CancelRequested requested)
    : m_requested(std::move(requested))
    , m_outer(std::exchange(t_scope, this)) { }

CancelScope::~CancelScope() {
    t_scope = m_outer;
}

void endIfCanceled() {
    if (t_scope && t_scope->m_requested())
        throw Canceled{};
}

} // namespace mooring
