// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/description/architecture.h"

namespace mooring {

std::vector<int> Architecture::moeLayerIndices() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < moeLayers.size(); ++i)
        if (moeLayers[i])
            out.push_back(static_cast<int>(i));
    return out;
}

} // namespace mooring
