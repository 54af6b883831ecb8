// SPDX-License-Identifier: GPL-3.0-or-later
// Small frames for the tests of this room and of the run folder.
#pragma once
#include "core/routing/retention.h"
#include <filesystem>
#include <unistd.h>

namespace mooring {

// One text of single-byte tokens; ids_TLK row by row.
inline DomainFrame smallDomain(
    const std::string& name, const RoutingFrame& frame, std::vector<std::int16_t> ids_TLK) {
    DomainFrame domain;
    domain.name = name;
    domain.topkIds_TLK = std::move(ids_TLK);
    domain.tokens
        = static_cast<std::int64_t>(domain.topkIds_TLK.size()) / (frame.layerCount() * frame.topK);
    domain.topkWeights_TLK.assign(domain.topkIds_TLK.size(), 1.0f / frame.topK);
    domain.probMean_LE.assign(frame.layers.size() * frame.experts, 1.0f / frame.experts);
    domain.textOffsets = {0, domain.tokens};
    for (std::int64_t t = 0; t < domain.tokens; ++t) {
        domain.tokenIds_T.push_back(static_cast<std::int32_t>(100 + t));
        domain.span_T.push_back(t % 2);
        domain.bytes.push_back('a');
        domain.byteOffsets.push_back(t);
    }
    domain.byteOffsets.push_back(domain.tokens);
    countRouting(domain, frame.layerCount(), frame.experts, frame.topK);
    return domain;
}

// Two MoE layers after a dense one, four experts, top-2, domains math (3 tokens) and chat (2).
inline RoutingFrame smallFrame(std::int64_t step) {
    RoutingFrame frame;
    frame.step = step;
    frame.layers = {1, 2};
    frame.experts = 4;
    frame.topK = 2;
    const std::int16_t x = step == 0 ? 1 : 3; // the tuned model leaves expert 1 in layer 1
    frame.domains.push_back(smallDomain("math", frame, {0, x, 2, 3, 0, x, 2, 3, 2, 3, 0, 1}));
    frame.domains.push_back(smallDomain("chat", frame, {0, 1, 2, 3, 2, 3, 2, 0}));
    if (step != 0)
        for (DomainFrame& domain : frame.domains)
            domain.overlap_L = {0.5f, 1.0f};
    return frame;
}

// An empty folder of this process, removed at the end.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& name)
        : m_path(std::filesystem::temp_directory_path()
            / ("mooring-" + name + "-" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace mooring
