// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/prior.h"
#include "core/files/safetensors.h"
#include <cstring>

namespace mooring {

namespace {

std::span<const std::byte> bytesOf(const at::Tensor& t) {
    return {static_cast<const std::byte*>(t.data_ptr()), static_cast<std::size_t>(t.nbytes())};
}

} // namespace

std::map<std::string, std::string> PriorKey::metadata() const {
    return {{"model", model}, {"tokenizer", tokenizer}, {"template", chatTemplate}, {"data", data},
        {"gate", gate}, {"max_length", std::to_string(maxLength)}};
}

PriorGate priorGateOf(const std::string& name) {
    return name == "sigmoid_normalised" ? PriorGate::SigmoidNormalised
        : name == "topk_frequency"      ? PriorGate::TopkFrequency
                                        : PriorGate::Softmax;
}

at::Tensor logProbabilities(const at::Tensor& z_TE, PriorGate gate) {
    if (gate != PriorGate::SigmoidNormalised)
        return at::log_softmax(z_TE, -1);
    const auto log = at::log_sigmoid(z_TE);
    return log - at::logsumexp(log, {-1}, /*keepdim=*/true);
}

at::Tensor Prior::permutation(PriorOrder order) const {
    return order == PriorOrder::WithinCommunities ? withinPermutation_LE
        : order == PriorOrder::AllExperts         ? globalPermutation_LE
                                                  : at::Tensor();
}

at::Tensor priorBias(const at::Tensor& pi) {
    const double E = static_cast<double>(pi.size(-1));
    auto c = pi.clamp(kPriorLower / E, kPriorUpper / E);
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
    f.upperClampShare = rows.gt(kPriorUpper / static_cast<double>(rows.size(-1)))
                            .to(at::kDouble)
                            .mean()
                            .item<double>();
    // A usable row has at least one span; its other one may be empty.
    const auto usable = valid_N2.amax(1).sum(at::kLong).item<std::int64_t>();
    f.emptySpans = 2 * usable - valid_N2.sum(at::kLong).item<std::int64_t>();
    return f;
}

namespace {

struct NamedTensor {
    std::string name;
    DType type;
    at::Tensor value;
};

// What the file holds besides the prior itself: only what is there.
std::vector<NamedTensor> tensorsOf(const Prior& prior, PriorOrder order) {
    const auto layers = at::tensor(
        std::vector<std::int64_t>(prior.layers.begin(), prior.layers.end()), at::kLong);
    std::vector<NamedTensor> all = {{"pi", DType::F32, prior.pi_N2LE},
        {"valid", DType::U8, prior.valid_N2}, {"layers", DType::I64, layers}};
    if (prior.baseTopk_TLK.defined()) {
        const bool small = prior.pi_N2LE.size(3) <= 256;
        all.push_back({"base_topk", small ? DType::U8 : DType::I16,
            small ? prior.baseTopk_TLK.to(at::kByte) : prior.baseTopk_TLK});
    }
    if (prior.baseLogits_TLE.defined())
        all.push_back({"base_logits", DType::BF16, prior.baseLogits_TLE});
    if (!prior.offsets.empty())
        all.push_back({"base_offsets", DType::I64, at::tensor(prior.offsets, at::kLong)});
    const auto add = [&](const char* name, const at::Tensor& value) {
        if (value.defined())
            all.push_back({name, DType::I64, value});
    };
    add("communities", prior.communities_LE);
    add("permutation", prior.permutation(order));
    add("permutation_within", prior.withinPermutation_LE);
    add("permutation_global", prior.globalPermutation_LE);
    return all;
}

} // namespace

Result<void> writePrior(
    const std::filesystem::path& path, const Prior& prior, const PriorKey& key, PriorOrder order) {
    auto tensors = tensorsOf(prior, order);
    std::vector<TensorSpec> specs;
    for (const auto& t : tensors)
        specs.push_back({t.name, t.type, t.value.sizes().vec()});
    const auto temporary = path.string() + ".part";
    MOORING_TRY(auto writer, SafetensorsWriter::create(temporary, specs, key.metadata()));
    for (const auto& t : tensors)
        MOORING_RETURN_IF_ERROR(writer.write(t.name, bytesOf(t.value.contiguous())));
    MOORING_RETURN_IF_ERROR(writer.finish());
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

// The base's choices and logits a token, where they are stored: both by the same offsets.
Result<void> readTokens(
    const SafetensorsFile& file, const std::filesystem::path& path, Prior& prior) {
    const auto *choices = file.find("base_topk"), *logits = file.find("base_logits"),
               *offsets = file.find("base_offsets");
    if (!choices && !logits)
        return {};
    const Error broken{
        ErrorCode::Input, "has invalid base choices", path.string(), "start the run again"};
    if (!offsets || offsets->dtype != DType::I64
        || offsets->shape != std::vector<std::int64_t>{prior.rows() + 1})
        return broken;
    const auto ends = copyOf(file, *offsets, at::kLong);
    const auto* at = ends.data_ptr<std::int64_t>();
    bool sound = at[0] == 0;
    for (std::int64_t i = 0; sound && i < prior.rows(); ++i)
        sound = at[i] <= at[i + 1];
    const std::int64_t tokens = at[prior.rows()], L = prior.pi_N2LE.size(2),
                       E = prior.pi_N2LE.size(3);
    sound = sound
        && (!choices
            || (choices->shape.size() == 3 && choices->shape[0] == tokens && choices->shape[1] == L
                && choices->dtype == (E <= 256 ? DType::U8 : DType::I16)));
    sound = sound
        && (!logits
            || (logits->dtype == DType::BF16
                && logits->shape == std::vector<std::int64_t>{tokens, L, E}));
    if (!sound)
        return broken;
    prior.offsets.assign(at, at + ends.size(0));
    if (choices)
        prior.baseTopk_TLK
            = copyOf(file, *choices, E <= 256 ? at::kByte : at::kShort).to(at::kShort);
    if (logits)
        prior.baseLogits_TLE = copyOf(file, *logits, at::kBFloat16);
    return {};
}

} // namespace

Result<Prior> readPrior(const std::filesystem::path& path, const PriorKey& key) {
    MOORING_TRY(const auto file, SafetensorsFile::open(path));
    for (const auto& [name, value] : key.metadata()) {
        const auto it = file->metadata().find(name);
        if (it == file->metadata().end() || it->second != value)
            return Error{ErrorCode::Input, "the prior was computed for a different " + name,
                path.string(), "it is recomputed at the start of a run"};
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
    MOORING_RETURN_IF_ERROR(readTokens(*file, path, prior));
    return prior;
}

} // namespace mooring
