// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/prior.h"
#include "core/files/safetensors.h"
#include <cstring>

namespace mooring {

namespace {

constexpr double kLowerClamp = 0.05; // eps, in multiples of the uniform probability 1/E
constexpr double kUpperClamp = 5.0; // C

std::span<const std::byte> bytesOf(const at::Tensor& t) {
    return {static_cast<const std::byte*>(t.data_ptr()), static_cast<std::size_t>(t.nbytes())};
}

} // namespace

std::map<std::string, std::string> PriorKey::metadata() const {
    return {{"model", model}, {"tokenizer", tokenizer}, {"template", chatTemplate}, {"data", data},
        {"gate", gate}, {"max_length", std::to_string(maxLength)}};
}

at::Tensor priorBias(const at::Tensor& pi) {
    const double E = static_cast<double>(pi.size(-1));
    auto c = pi.clamp(kLowerClamp / E, kUpperClamp / E);
    c = c / c.sum(-1, true);
    const auto logC = c.log();
    return logC - logC.mean(-1, true);
}

PriorFigures Prior::figures() const {
    PriorFigures f;
    const auto rows
        = pi_N2LE.flatten(0, 1).index({valid_N2.flatten().to(at::kBool)}); // [spans, L, E]
    if (rows.size(0) == 0)
        return f;
    const auto b = priorBias(rows);
    f.biasSd = b.std(-1).mean(at::kDouble).item<double>();
    f.biasRange = (b.amax(-1) - b.amin(-1)).mean(at::kDouble).item<double>();
    f.upperClampShare = rows.gt(kUpperClamp / static_cast<double>(rows.size(-1)))
                            .to(at::kDouble)
                            .mean()
                            .item<double>();
    // A usable row has at least one span; its other one may be empty.
    const auto usable = valid_N2.amax(1).sum(at::kLong).item<std::int64_t>();
    f.emptySpans = 2 * usable - valid_N2.sum(at::kLong).item<std::int64_t>();
    return f;
}

Result<void> writePrior(
    const std::filesystem::path& path, const Prior& prior, const PriorKey& key) {
    const auto layers = at::tensor(
        std::vector<std::int64_t>(prior.layers.begin(), prior.layers.end()), at::kLong);
    const std::int64_t E = prior.pi_N2LE.size(3);
    std::vector<TensorSpec> specs = {{"pi", DType::F32, prior.pi_N2LE.sizes().vec()},
        {"valid", DType::U8, prior.valid_N2.sizes().vec()},
        {"layers", DType::I64, {layers.size(0)}}};
    at::Tensor choices, offsets;
    if (prior.baseTopk_TLK.defined()) {
        choices = (E <= 256 ? prior.baseTopk_TLK.to(at::kByte) : prior.baseTopk_TLK).contiguous();
        offsets = at::tensor(prior.offsets, at::kLong);
        specs.push_back({"base_topk", E <= 256 ? DType::U8 : DType::I16, choices.sizes().vec()});
        specs.push_back({"base_offsets", DType::I64, {offsets.size(0)}});
    }
    const auto temporary = path.string() + ".part";
    MOORING_TRY(auto writer, SafetensorsWriter::create(temporary, specs, key.metadata()));
    MOORING_CHECK(writer.write("pi", bytesOf(prior.pi_N2LE)));
    MOORING_CHECK(writer.write("valid", bytesOf(prior.valid_N2)));
    MOORING_CHECK(writer.write("layers", bytesOf(layers)));
    if (choices.defined()) {
        MOORING_CHECK(writer.write("base_topk", bytesOf(choices)));
        MOORING_CHECK(writer.write("base_offsets", bytesOf(offsets)));
    }
    MOORING_CHECK(writer.finish());
    std::error_code failed;
    std::filesystem::rename(temporary, path, failed);
    if (failed)
        return Error{ErrorCode::Output, "cannot be written, " + failed.message(), path.string(),
            "free some space"};
    return {};
}

namespace {

at::Tensor copyOf(const SafetensorsFile& file, const TensorInfo& info, at::ScalarType type) {
    auto t = at::empty(info.shape, type);
    std::memcpy(t.data_ptr(), file.bytes(info).data(), static_cast<std::size_t>(t.nbytes()));
    return t;
}

} // namespace

Result<Prior> readPrior(const std::filesystem::path& path, const PriorKey& key) {
    MOORING_TRY(const auto file, SafetensorsFile::open(path));
    for (const auto& [name, value] : key.metadata()) {
        const auto it = file->metadata().find(name);
        if (it == file->metadata().end() || it->second != value)
            return Error{ErrorCode::Input, "the prior was computed for another " + name,
                path.string(), "it is computed again at the start of a run"};
    }
    const auto *pi = file->find("pi"), *valid = file->find("valid"), *layers = file->find("layers");
    const bool sound = pi && valid && layers && pi->dtype == DType::F32 && pi->shape.size() == 4
        && valid->dtype == DType::U8 && valid->shape == std::vector<std::int64_t>{pi->shape[0], 2}
        && pi->shape[1] == 2 && layers->dtype == DType::I64
        && layers->shape == std::vector<std::int64_t>{pi->shape[2]};
    if (!sound)
        return Error{ErrorCode::Input, "is not a prior file", path.string(), "start the run again"};
    Prior prior;
    prior.pi_N2LE = copyOf(*file, *pi, at::kFloat);
    prior.valid_N2 = copyOf(*file, *valid, at::kByte);
    const auto indices = copyOf(*file, *layers, at::kLong);
    for (std::int64_t i = 0; i < indices.size(0); ++i)
        prior.layers.push_back(static_cast<int>(indices.data_ptr<std::int64_t>()[i]));
    const auto *choices = file->find("base_topk"), *offsets = file->find("base_offsets");
    if (!choices || !offsets)
        return prior;
    const auto ends = copyOf(*file, *offsets, at::kLong);
    const auto* at = ends.data_ptr<std::int64_t>();
    bool ordered = offsets->dtype == DType::I64 && choices->shape.size() == 3
        && ends.size(0) == prior.rows() + 1 && at[0] == 0
        && at[ends.size(0) - 1] == choices->shape[0];
    for (std::int64_t i = 0; ordered && i + 1 < ends.size(0); ++i)
        ordered = at[i] <= at[i + 1];
    if (!ordered)
        return Error{
            ErrorCode::Input, "holds broken base choices", path.string(), "start the run again"};
    prior.offsets.assign(at, at + ends.size(0));
    prior.baseTopk_TLK
        = copyOf(*file, *choices, choices->dtype == DType::U8 ? at::kByte : at::kShort)
              .to(at::kShort);
    return prior;
}

} // namespace mooring
