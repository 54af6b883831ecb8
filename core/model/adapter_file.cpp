// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adapter_file.h"
#include "core/files/atomic_folder.h"
#include "core/model/weight_source.h"
#include <charconv>
#include <optional>

namespace mooring {

namespace {

namespace fs = std::filesystem;

// "P.experts.3.gate_proj.lora_A.weight"
struct OneExpert {
    std::string experts; // "P.experts"
    std::int64_t expert = 0;
    std::string projection; // gate_proj, up_proj, down_proj
    bool b = false;
};

std::optional<OneExpert> oneExpert(const std::string& name) {
    const std::string mark = ".experts.";
    const auto at = name.find(mark);
    if (at == std::string::npos)
        return std::nullopt;
    OneExpert found{name.substr(0, at + mark.size() - 1), 0, {}, false};
    const auto* begin = name.data() + at + mark.size();
    const auto [end, failed] = std::from_chars(begin, name.data() + name.size(), found.expert);
    const std::string rest(end, name.data() + name.size());
    const auto dot = rest.find('.', 1);
    if (failed != std::errc() || found.expert < 0 || !rest.starts_with('.')
        || dot == std::string::npos)
        return std::nullopt;
    found.projection = rest.substr(1, dot - 1);
    const std::map<std::string, std::string> mixtral
        = {{"w1", "gate_proj"}, {"w3", "up_proj"}, {"w2", "down_proj"}};
    if (const auto other = mixtral.find(found.projection); other != mixtral.end())
        found.projection = other->second;
    found.b = rest.substr(dot) == ".lora_B.weight";
    const bool known = found.projection == "gate_proj" || found.projection == "up_proj"
        || found.projection == "down_proj";
    return known && (found.b || rest.substr(dot) == ".lora_A.weight") ? std::optional(found)
                                                                      : std::nullopt;
}

// A [E, r, in] and B [E, out, r] of one projection.
struct Projection {
    std::map<std::int64_t, std::pair<std::string, at::Tensor>> a, b; // by expert
};

Result<at::Tensor> stacked(const std::map<std::int64_t, std::pair<std::string, at::Tensor>>& parts,
    const std::string& of, const fs::path& file) {
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::Input, what, file.string(), "use the whole adapter"};
    };
    std::vector<at::Tensor> tensors;
    for (const auto& [expert, part] : parts) {
        const auto& [name, tensor] = part;
        if (expert != static_cast<std::int64_t>(tensors.size()))
            return wrong(
                "the adapter lacks expert " + std::to_string(tensors.size()) + " of " + of);
        if (tensor.dim() != 2 || (!tensors.empty() && tensor.sizes() != tensors[0].sizes()))
            return wrong(
                "the tensor " + name + " has another shape than those of the experts before");
        tensors.push_back(tensor.to(at::kFloat));
    }
    if (tensors.empty())
        return wrong("the adapter holds one half only of " + of);
    return at::stack(tensors);
}

// As PEFT lays them out: A [E r, in], B [out, r E] with the expert running fastest.
void put(AdapterFile& file, const std::string& stem, const at::Tensor& a, const at::Tensor& b) {
    file.tensors[stem + ".lora_A.weight"] = a.flatten(0, 1);
    file.tensors[stem + ".lora_B.weight"] = b.permute({1, 2, 0}).flatten(1, 2);
}

struct Pair {
    at::Tensor a, b;
};
Result<Pair> stackedPair(const Projection& p, const std::string& of, const fs::path& file) {
    MOORING_TRY(auto a, stacked(p.a, of, file));
    MOORING_TRY(auto b, stacked(p.b, of, file));
    if (a.size(0) != b.size(0) || a.size(1) != b.size(2))
        return Error{ErrorCode::Input, "A and B of " + of + " do not fit each other", file.string(),
            "use the whole adapter"};
    return Pair{a, b};
}

// Gate and up of one rank each are one adapter of both ranks: the rows of A one below the
// other, B with zeros where a row of the one meets the other (PEFT: PeftConcatenate).
Pair sideBySide(const Pair& gate, const Pair& up) {
    const auto zero = at::zeros_like(gate.b);
    return {at::cat({gate.a, up.a}, 1),
        at::cat({at::cat({gate.b, zero}, 2), at::cat({zero, up.b}, 2)}, 1)};
}

Result<void> stackExperts(AdapterFile& file) {
    std::map<std::string, std::map<std::string, Projection>> experts;
    for (auto it = file.tensors.begin(); it != file.tensors.end();) {
        if (const auto one = oneExpert(it->first)) {
            auto& projection = experts[one->experts][one->projection];
            (one->b ? projection.b : projection.a)[one->expert] = {it->first, it->second};
            it = file.tensors.erase(it);
        } else {
            ++it;
        }
    }
    for (const auto& [stem, projections] : experts) {
        const auto found = [&](const char* name) { return projections.find(name); };
        const auto none = projections.end();
        if (found("down_proj") != none) {
            MOORING_TRY(const auto down,
                stackedPair(found("down_proj")->second, stem + ".down_proj", file.path));
            put(file, stem, down.a, down.b);
        }
        if (found("gate_proj") == none && found("up_proj") == none)
            continue;
        if (found("gate_proj") == none || found("up_proj") == none)
            return Error{ErrorCode::Input,
                "the adapter holds gate_proj or up_proj alone of " + stem, file.path.string(),
                "the base stacks the two: use an adapter of both"};
        if (file.config.rankStabilised())
            return Error{ErrorCode::Input,
                "the key 'use_rslora' is on and the experts' gate_proj and up_proj stand one by "
                "one: "
                "stacked, their rank and with it their scale would be others",
                file.path.string(),
                "merge the adapter into its base with the PEFT that trained it"};
        MOORING_TRY(const auto gate,
            stackedPair(found("gate_proj")->second, stem + ".gate_proj", file.path));
        MOORING_TRY(
            const auto up, stackedPair(found("up_proj")->second, stem + ".up_proj", file.path));
        if (gate.a.sizes() != up.a.sizes() || gate.b.sizes() != up.b.sizes())
            return Error{ErrorCode::Input, "gate_proj and up_proj of " + stem + " differ in shape",
                file.path.string(), "use the whole adapter"};
        const auto both = sideBySide(gate, up);
        put(file, stem + ".base_layer", both.a, both.b);
    }
    return {};
}

// Mixtral's blocks have had another name since transformers 5.
std::string nameNow(std::string name, const std::string& family) {
    const std::string before = ".block_sparse_moe.";
    const auto at = name.find(before);
    if (family == "mixtral" && at != std::string::npos)
        name.replace(at, before.size(), ".mlp.");
    return name;
}

} // namespace

Result<AdapterFile> AdapterFile::open(const fs::path& folder, const std::string& family) {
    constexpr std::uint64_t kLongest = 16 << 20;
    const auto configFile = folder / "adapter_config.json";
    MOORING_TRY(const auto text, readFile(configFile, kLongest));
    AdapterFile found;
    MOORING_TRY(found.config, AdapterConfig::parse(text, configFile.string(), family));
    found.path = folder / "adapter_model.safetensors";
    std::error_code absent;
    if (!fs::exists(found.path, absent) && fs::exists(folder / "adapter_model.bin", absent))
        return Error{ErrorCode::Input, "holds its weights as a pickle, adapter_model.bin",
            folder.string(), "save the adapter as safetensors"};
    MOORING_TRY(found.file, SafetensorsFile::open(found.path));
    for (const auto& info : found.file->tensors()) {
        if (!loadable(info.dtype))
            return Error{ErrorCode::Input,
                "the tensor " + info.name + " has the type " + dtypeName(info.dtype),
                found.path.string(), "use an adapter in F32, F16 or BF16"};
        found.tensors[nameNow(info.name, family)]
            = at::from_blob(const_cast<std::byte*>(found.file->bytes(info).data()), info.shape,
                at::TensorOptions().dtype(scalarType(info.dtype)));
    }
    MOORING_RETURN_IF_ERROR(stackExperts(found));
    return found;
}

} // namespace mooring
