// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weight_source.h"
#include "core/files/mxfp4.h"
#include "core/model/layers/parallel.h"
#include <algorithm>
#include <limits>

namespace mooring {

namespace {

constexpr std::string_view kBlocks = "_blocks", kScales = "_scales";

at::Tensor mapped(const ModelFolder::Entry& entry) {
    return at::from_blob(const_cast<std::byte*>(entry.bytes().data()), entry.info->shape,
        at::TensorOptions().dtype(scalarType(entry.info->dtype)));
}

// blocks [E, out, groups, 16] and scales [E, out, groups], both bytes.
bool fit(const TensorInfo& blocks, const TensorInfo& scales) {
    const auto& b = blocks.shape;
    constexpr std::int64_t kMostGroups = std::numeric_limits<std::int64_t>::max() / kMxfp4Values;
    return blocks.dtype == DType::U8 && scales.dtype == DType::U8 && b.size() == 4
        && b[2] <= kMostGroups && b[3] == kMxfp4Bytes
        && scales.shape == std::vector<std::int64_t>(b.begin(), b.end() - 1);
}

// Of one expert, as its blocks stand: [out, in] bf16.
at::Tensor unpackExpert(const WeightSource::Weight& weight, std::int64_t expert) {
    const std::int64_t in = weight.shape[1], out = weight.shape[2];
    const auto groups = static_cast<std::size_t>(in / kMxfp4Values);
    const auto rows = at::empty({out, in}, at::kBFloat16);
    auto* to = static_cast<std::uint16_t*>(rows.data_ptr());
    const auto blocks = weight.entry.bytes(), scales = weight.scales.bytes();
    parallelRanges(out, 64, [&](std::int64_t begin, std::int64_t end) {
        const std::size_t first = static_cast<std::size_t>(expert * out + begin) * groups;
        const std::size_t count = static_cast<std::size_t>(end - begin) * groups;
        unpackMxfp4(blocks.subspan(first * kMxfp4Bytes, count * kMxfp4Bytes),
            scales.subspan(first, count), {to + begin * in, count * kMxfp4Values});
    });
    return rows;
}

} // namespace

at::ScalarType scalarType(DType dtype) {
    switch (dtype) {
    case DType::BF16:
        return at::kBFloat16;
    case DType::F16:
        return at::kHalf;
    default:
        return at::kFloat;
    }
}

bool loadable(DType dtype) {
    return dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16;
}

Result<WeightSource> WeightSource::of(ModelFolder folder) {
    WeightSource source(std::move(folder));
    for (const auto& found : source.m_folder.shards()) {
        ModelFolder::Shard shard{found.fileName, {}, found.metadata};
        for (const auto& spec : found.tensors)
            MOORING_RETURN_IF_ERROR(source.add(spec, shard));
        source.m_shards.push_back(std::move(shard));
    }
    return source;
}

Result<void> WeightSource::add(const TensorSpec& spec, ModelFolder::Shard& shard) {
    const auto& tensors = m_folder.tensors();
    Weight weight{spec.name, spec.dtype, spec.shape, tensors.at(spec.name), {}};
    const auto stem = [&](std::string_view ending) {
        return spec.name.substr(0, spec.name.size() - ending.size());
    };
    const auto isPart = [&](std::string_view ending, std::string_view other) {
        return packed() && spec.name.ends_with(ending)
            && tensors.contains(stem(ending) + std::string(other));
    };
    if (isPart(kScales, kBlocks))
        return {}; // comes with its blocks
    if (isPart(kBlocks, kScales)) {
        weight.key = stem(kBlocks);
        weight.scales = tensors.at(weight.key + std::string(kScales));
        if (!fit(*weight.entry.info, *weight.scales.info) || tensors.contains(weight.key))
            return Error{ErrorCode::Input,
                "the tensors " + spec.name + " and " + weight.scales.info->name
                    + " are not the MXFP4 parts of one weight",
                weight.file(), "use the original published files"};
        weight.dtype = DType::BF16;
        weight.shape = {spec.shape[0], spec.shape[2] * kMxfp4Values, spec.shape[1]};
    }
    shard.tensors.push_back({weight.key, weight.dtype, weight.shape});
    m_weights.emplace(weight.key, std::move(weight));
    return {};
}

const WeightSource::Weight* WeightSource::find(const std::string& key) const {
    const auto found = m_weights.find(key);
    return found == m_weights.end() ? nullptr : &found->second;
}

at::Tensor readWeight(const WeightSource::Weight& weight) {
    if (!weight.packed())
        return mapped(weight.entry);
    const auto whole = at::empty(weight.shape, at::kBFloat16);
    copyWeight(weight, whole);
    return whole;
}

// Stacked experts whose place is not laid out like the file go through rows of [out, in]: a blocked
// transposition and copies of whole rows are several times faster than one strided copy.
void copyWeight(const WeightSource::Weight& weight, const at::Tensor& to) {
    if (!weight.packed() && (to.is_contiguous() || weight.shape.size() != 3)) {
        to.copy_(mapped(weight.entry).view(to.sizes()));
        return;
    }
    parallelTasks(weight.shape[0], [&](std::int64_t e) {
        const auto rows
            = weight.packed() ? unpackExpert(weight, e) : mapped(weight.entry)[e].t().contiguous();
        const auto part = to[e];
        part.copy_(rows.t().reshape(part.sizes()));
    });
}

} // namespace mooring
