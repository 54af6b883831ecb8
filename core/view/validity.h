// SPDX-License-Identifier: GPL-3.0-or-later
// Validity of the communities of a frame (docs/methods.md#validity-of-communities). Plain
// values.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace mooring {

// Of one layer, or the mean over layers. NaN: not measured.
struct ValidityValues {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    double q = kNone; // modularity of the frame's own partition
    double nullQ = kNone, nullSd = kNone; // of graphs drawn by the null model
    double margin = kNone; // q - nullQ
    double marginSds = kNone; // the same in units of nullSd
    double nullNmi = kNone, nullNmiSd = kNone; // NMI of the base with null graphs: chance
    double seedAgreement = kNone; // mean NMI of pairs of the frame's partitions, other seeds
    double nmi = kNone, nmiSpread = kNone; // with the base; its standard deviation over seeds
    double ceiling = kNone; // NMI of two halves of the base's own texts
};

// One line of validity.jsonl. Step 0 is the base, which has no nmi of its own.
struct ValidityRow {
    std::int64_t step = 0;
    std::string domain;
    double rho = 0.10;
    double resolution = 1.0;
    int detectorSeed = 0;
    int nullGraphs = 0; // drawn for each layer
    int seeds = 0; // detector seeds compared
    std::vector<int> layers;
    std::vector<ValidityValues> values;
    ValidityValues mean; // over the layers where there is a number
};

} // namespace mooring
