// SPDX-License-Identifier: GPL-3.0-or-later
// How long work of one thread hears that it should end: a forward pass asks between two layers, a
// model that loads between two tensors, a hash between two pieces of its file.
#pragma once
#include "core/base/cancel.h"

namespace mooring {

// Thrown by endIfCanceled, and caught where the scope began.
struct Canceled { };

// As long as it lives, work of this thread ends with Canceled once `requested` says so. Without a
// scope nothing ends early.
class CancelScope {
public:
    explicit CancelScope(CancelRequested requested);
    ~CancelScope();
    CancelScope(const CancelScope&) = delete;
    CancelScope& operator=(const CancelScope&) = delete;

private:
    CancelRequested m_requested;
    const CancelScope* m_outer;
    friend void endIfCanceled();
};

void endIfCanceled();

} // namespace mooring
