// SPDX-License-Identifier: GPL-3.0-or-later
// All figures of validity of a frame, domain by domain: what validity.jsonl, tables/validity.csv
// and the verdict on a router are made of. Minutes for a large model: never on the trainer's
// thread.
#pragma once
#include "core/routing/communities/null_model.h"
#include "core/routing/retention.h"
#include "core/view/validity.h"

namespace mooring {

inline constexpr int kNullGraphs = 100; // docs/methods.md#validity-of-communities

// Fewer where someone waits for them: a few seconds' worth, at least three.
int quickNullGraphs(const RoutingFrame& frame);

// All domains of a frame against the base, the pooled ones last. One that the base lacks has no
// row; where `frame` is the base itself nmi and its spread are not measured.
std::optional<std::vector<ValidityRow>> validity(const PartitionedFrame& base,
    const PartitionedFrame& frame, const ProbeSettings& probe, int nullGraphs,
    const CancelRequested& cancelRequested);

// The null model's part of the figures, and the margin of `values.q` over it.
void setNull(ValidityValues& values, const NullFigures& null);

ValidityValues meanOverLayers(std::span<const ValidityValues> values);

} // namespace mooring
