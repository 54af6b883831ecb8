// SPDX-License-Identifier: GPL-3.0-or-later
// The split-half ceiling of NMI (docs/methods.md#validity-of-communities): how far two halves of
// the base's own probe agree. No tuned model can be expected to agree better with the base than the
// base with itself.
#pragma once
#include "core/base/cancel.h"
#include "core/view/run_record.h"
#include <optional>

namespace mooring {

// The even (parity 0) or odd (1) texts of every domain, counted again; the tokens, where a domain
// has one text or does not say where texts begin. Spans and text ranges come along.
RoutingFrame halfFrame(const RoutingFrame& frame, int parity);

// NMI a layer between the communities of two halves of one domain. NaN where a half has no
// tokens.
std::optional<std::vector<double>> splitHalfNmi(const DomainFrame& even, const DomainFrame& odd,
    int layers, int experts, const ProbeSettings& probe, const CancelRequested& cancelRequested);

} // namespace mooring
