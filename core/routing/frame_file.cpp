// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/frame_file.h"
#include "core/files/safetensors.h"
#include "core/routing/half.h"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <system_error>

namespace mooring {

namespace {

// The tensors of a frame in the order of the file, each with its bytes.
struct Layout {
    std::vector<TensorSpec> specs;
    std::vector<std::span<const std::byte>> bytes;

    template <typename T>
    void add(std::string name, DType dtype, std::vector<std::int64_t> shape,
        const std::vector<T>& values) {
        specs.push_back({std::move(name), dtype, std::move(shape)});
        bytes.push_back(std::as_bytes(std::span(values)));
    }
};

void addDomain(Layout& layout, const RoutingFrame& frame, const DomainFrame& domain,
    const std::vector<std::uint16_t>& weights, bool base) {
    const std::int64_t T = domain.tokens, L = frame.layerCount(), E = frame.experts;
    const std::int64_t K = frame.topK;
    const std::string d = domain.name + ".";
    layout.add(d + "counts", DType::I64, {L, E}, domain.counts_LE);
    layout.add(d + "coactivation", DType::I32, {L, E, E}, domain.coactivation_LEE);
    layout.add(d + "prob_mean", DType::F32, {L, E}, domain.probMean_LE);
    layout.add(d + "topk_ids", DType::I16, {T, L, K}, domain.topkIds_TLK);
    layout.add(d + "topk_weights", DType::F16, {T, L, K}, weights);
    layout.add(d + "tokens", DType::I32, {T}, domain.tokenIds_T);
    if (!base) {
        if (!domain.overlap_L.empty())
            layout.add(d + "overlap", DType::F32, {L}, domain.overlap_L);
        return;
    }
    if (domain.byteOffsets.empty())
        return; // a frame whose texts were not kept
    const auto size = [](const auto& values) { return std::ssize(values); };
    layout.add(d + "span", DType::U8, {T}, domain.span_T);
    layout.add(d + "offsets", DType::I64, {size(domain.textOffsets)}, domain.textOffsets);
    layout.add(d + "bytes", DType::U8, {size(domain.bytes)}, domain.bytes);
    layout.add(d + "byte_offsets", DType::I64, {T + 1}, domain.byteOffsets);
}

Result<void> writeLayout(
    const std::filesystem::path& path, const Layout& layout, std::int64_t step) {
    MOORING_TRY(auto writer,
        (SafetensorsWriter::create(
            path, layout.specs, {{"format", "mooring-frame"}, {"step", std::to_string(step)}})));
    for (std::size_t i = 0; i < layout.specs.size(); ++i)
        MOORING_RETURN_IF_ERROR(writer.write(layout.specs[i].name, layout.bytes[i]));
    return writer.finish();
}

} // namespace

Result<void> writeFrame(const std::filesystem::path& path, const RoutingFrame& frame, bool base) {
    Layout layout;
    std::vector<std::vector<std::uint16_t>> weights; // one a domain, alive until all is written
    weights.reserve(frame.domains.size());
    const std::vector<std::int64_t> layers(frame.layers.begin(), frame.layers.end());
    layout.add("layers", DType::I64, {std::ssize(layers)}, layers);
    for (const DomainFrame& domain : frame.domains) {
        auto& halves = weights.emplace_back(domain.topkWeights_TLK.size());
        std::transform(domain.topkWeights_TLK.begin(), domain.topkWeights_TLK.end(), halves.begin(),
            halfFromFloat);
        addDomain(layout, frame, domain, halves, base);
    }
    auto part = path;
    part += ".part";
    auto written = writeLayout(part, layout, frame.step);
    std::error_code failed;
    if (written.ok()) {
        std::filesystem::rename(part, path, failed);
        if (!failed)
            return {};
        written = Error{ErrorCode::Output, "cannot be moved into place, " + failed.message(),
            path.string(), "choose a writable folder"};
    }
    std::filesystem::remove(part, failed);
    return written;
}

std::string frameFileName(std::int64_t step) {
    if (step == 0)
        return "base.safetensors";
    char name[48];
    std::snprintf(name, sizeof name, "step-%06lld.safetensors", static_cast<long long>(step));
    return name;
}

std::optional<std::int64_t> frameStep(const std::string& fileName) {
    constexpr std::string_view kPrefix = "step-";
    if (fileName == frameFileName(0))
        return 0;
    if (!fileName.starts_with(kPrefix))
        return std::nullopt;
    std::int64_t step = 0;
    const char* end = fileName.data() + fileName.size();
    const auto [rest, problem] = std::from_chars(fileName.data() + kPrefix.size(), end, step);
    // Only the one way to write a step counts, so that a step has one file.
    if (problem != std::errc() || step <= 0 || fileName != frameFileName(step))
        return std::nullopt;
    return step;
}

} // namespace mooring
