// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on distributions that core and the views share.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace mooring {

// Two distributions over the same items; NaN if a share is NaN or there are
// none.
struct Distances {
    double tvd = std::numeric_limits<double>::quiet_NaN(); // 1/2 sum |u - v|
    // Lin 1991, in nats: the mean divergence of both from their midpoint.
    double jsd = std::numeric_limits<double>::quiet_NaN();
};

inline Distances distancesOf(std::span<const double> u, std::span<const double> v) {
    if (u.empty() || u.size() != v.size())
        return {};
    const auto part = [](double p, double middle) { return p > 0 ? p * std::log(p / middle) : 0; };
    double moved = 0, divergence = 0;
    for (std::size_t e = 0; e < u.size(); ++e) {
        if (std::isnan(u[e] + v[e]))
            return {};
        const double middle = (u[e] + v[e]) / 2;
        moved += std::abs(u[e] - v[e]);
        divergence += part(u[e], middle) + part(v[e], middle);
    }
    return {moved / 2, std::max(0.0, divergence / 2)};
}

// How much more often two experts meet than independent experts would: `both` is the share of
// tokens that go to both, the others those that go to each (K times its utilization).
inline double liftOf(double both, double first, double second) {
    return first > 0 && second > 0 ? both / first / second
                                   : std::numeric_limits<double>::quiet_NaN();
}

} // namespace mooring
