// SPDX-License-Identifier: GPL-3.0-or-later
// A PEFT adapter onto a model: what its config selects takes its tensors from the file.
#include "core/files/atomic_folder.h"
#include "core/model/adapter_file.h"
#include "core/model/adapters.h"
#include <algorithm>
#include <map>
#include <set>

namespace mooring {

namespace {

const std::string kBase = "base_model.model."; // before every name in an adapter's file

bool isLinear(const Parameter& p) {
    switch (p.group) {
    case ParameterGroup::Attention:
    case ParameterGroup::DenseMlp:
    case ParameterGroup::SharedExperts:
    case ParameterGroup::Embeddings:
    case ParameterGroup::Head:
        return p.shape.size() == 2;
    default:
        return false;
    }
}

// Embedding and head are read by other operators than linear layers: no low-rank path.
bool goesIntoWeight(const Parameter& p) {
    return p.group == ParameterGroup::Embeddings || p.group == ParameterGroup::Head;
}

std::string stem(const Parameter& p) {
    return p.module.substr(0, p.module.size() - std::string(".weight").size());
}

std::string nameOf(const AdaptedWeight& adapted, const char* part) {
    const auto& p = *adapted.weight;
    if (p.group == ParameterGroup::Embeddings)
        return kBase + stem(p) + ".lora_embedding_" + part;
    return adapterName(p, part, adapted.alone);
}

// Of A or B in the file.
std::vector<std::int64_t> shapeInFile(const AdaptedWeight& adapted, bool b) {
    const auto& s = adapted.weight->shape;
    const std::int64_t out = s[s.size() - 2], in = s.back(), r = adapted.shape.rank;
    const std::int64_t experts = s.size() == 3 ? s[0] : 1;
    if (adapted.weight->group == ParameterGroup::Embeddings) // [vocabulary, D] as a map from ids
        return b ? std::vector{in, r} : std::vector{r, out};
    return b ? std::vector{out, r * experts} : std::vector{r * experts, in};
}

std::string shapeText(at::IntArrayRef shape) {
    std::string text = "[";
    for (const auto size : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

// One adapter and the model that it meets; which tensors of the file were asked for is kept.
class Meeting {
public:
    Meeting(const Model& model, AdapterFile file)
        : m_model(model)
        , m_file(std::move(file)) { }

    // Fills weights and untouched.
    Result<void> select();
    // The tensor of a name in a shape, finite, in fp32. Errors where it is not so.
    Result<at::Tensor> take(const std::string& name, at::IntArrayRef shape);
    // Names in the file that nothing asked for.
    std::vector<std::string> rest() const;
    Error unplaced(const std::string& name) const;
    Error wrong(const std::string& what, const std::string& hint = kHint) const {
        return {ErrorCode::Input, what, m_file.path.string(), hint};
    }

    static constexpr const char* kHint = "use an adapter that belongs to this base";
    const Model& m_model;
    AdapterFile m_file;
    std::vector<AdaptedWeight> m_weights;
    std::vector<std::string>
        m_untouched; // weights that the config names and the file does not hold
    std::set<std::string> m_taken;
};

Result<void> Meeting::select() {
    std::vector<AdaptedWeight> named;
    std::set<int> downs; // layers whose stacked down is adapted
    for (const auto& p : m_model.parameters().parameters()) {
        if (p.isAdapter || p.shape.size() < 2 || p.group == ParameterGroup::None)
            continue;
        MOORING_TRY(const auto shape, m_file.config.shapeOf(p.module, isLinear(p)));
        if (!shape)
            continue;
        named.push_back({&p, *shape, false});
        if (p.module.ends_with(".experts.down_proj"))
            downs.insert(p.layer);
    }
    for (auto& adapted : named) {
        adapted.alone = !downs.contains(adapted.weight->layer);
        const auto a = nameOf(adapted, "A"), b = nameOf(adapted, "B");
        const bool hasA = m_file.tensors.contains(a), hasB = m_file.tensors.contains(b);
        if (hasA != hasB)
            return wrong("the adapter lacks " + (hasA ? b : a), "use the whole adapter");
        if (hasA)
            m_weights.push_back(adapted);
        else
            m_untouched.push_back(adapted.weight->module);
        m_taken.insert({a, b});
    }
    return {};
}

Result<at::Tensor> Meeting::take(const std::string& name, at::IntArrayRef shape) {
    const auto found = m_file.tensors.find(name);
    if (found == m_file.tensors.end())
        return wrong("the adapter lacks " + name, "use the whole adapter");
    m_taken.insert(name);
    if (found->second.sizes() != shape)
        return wrong("the tensor " + name + " has shape " + shapeText(found->second.sizes())
                + ", this base and the adapter's config ask for " + shapeText(shape),
            "use an adapter of this base, with its own adapter_config.json");
    auto value = found->second.to(at::kFloat);
    if (!at::isfinite(value).all().item<bool>())
        return wrong("the tensor " + name + " holds numbers that are not finite",
            "use an adapter whose training went well");
    return value;
}

std::vector<std::string> Meeting::rest() const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : m_file.tensors)
        if (!m_taken.contains(name))
            names.push_back(name);
    return names;
}

// Why a tensor has no place: the config leaves its weight out, or the base has no such weight.
Error Meeting::unplaced(const std::string& name) const {
    const auto isOf = [&](const Parameter& p) {
        if (p.isAdapter || p.shape.size() < 2)
            return false;
        for (const bool alone : {false, true})
            for (const char* part : {"A", "B"})
                if (name == nameOf({&p, {}, alone}, part))
                    return true;
        return name == kBase + p.module;
    };
    const auto more = rest().size() - 1;
    const std::string found
        = "the adapter holds " + name + (more ? " and " + std::to_string(more) + " more" : "");
    const auto& all = m_model.parameters().parameters();
    if (std::any_of(all.begin(), all.end(), isOf))
        return wrong(found
                + ", which its config does not select (target_modules, target_parameters, "
                  "exclude_modules, layers_to_transform, modules_to_save)",
            "use the adapter_config.json that was written with it");
    return wrong(found + ", for which this base has no place");
}

// A tensor of the adapter into the weight that it replaces.
class Loading {
public:
    Loading(Model& model, AdapterFile file)
        : m_model(model)
        , m_meeting(model, std::move(file)) { }
    Result<std::vector<std::string>> run();

private:
    Result<void> replaceBaseLayers();
    Result<void> untie();
    Result<void> replaceSaved();
    Result<void> adapt(const AdaptedWeight& adapted);
    Result<void> addBias(const AdaptedWeight& adapted);
    Result<void> replace(const std::string& tensor, const std::string& weight);
    Parameter* find(const std::string& module);

    Model& m_model;
    Meeting m_meeting;
};

const std::string kEmbedding = "model.embed_tokens", kHead = "lm_head";

Parameter* Loading::find(const std::string& module) {
    for (auto& p : m_model.parameters().parameters())
        if (!p.isAdapter && p.module == module)
            return &p;
    return nullptr;
}

void setWeight(Parameter& p, const at::Tensor& place, const at::Tensor& value) {
    place.copy_(value);
    if (!p.compute.is_same(p.master))
        p.compute.copy_(p.master);
}

Result<void> Loading::replace(const std::string& tensor, const std::string& weight) {
    for (const auto& b : m_model.parameters().bindings())
        if (b.key == weight) {
            MOORING_TRY(const auto value, m_meeting.take(tensor, b.shape));
            const auto place = b.part(b.parameter->master);
            setWeight(*b.parameter, place, value.reshape(place.sizes()));
            return {};
        }
    auto* p = find(weight);
    if (!p || p->alternates)
        return m_meeting.unplaced(tensor);
    MOORING_TRY(const auto value, m_meeting.take(tensor, p->shape));
    setWeight(*p, p->master, value);
    return {};
}

// Beside an adapter of the embedding or the head PEFT keeps the whole weight beneath it. Where the
// two are tied it is that of both.
Result<void> Loading::replaceBaseLayers() {
    const bool tied = m_model.architecture().tiedEmbeddings;
    for (const auto& module : {kEmbedding, kHead}) {
        const auto name = kBase + module + ".base_layer.weight";
        if (m_meeting.m_file.tensors.contains(name))
            MOORING_RETURN_IF_ERROR(replace(name, (tied ? kEmbedding : module) + ".weight"));
    }
    return {};
}

// An adapter of one of two tied weights, or a weight in its place, leaves the other as it was.
Result<void> Loading::untie() {
    if (!m_model.architecture().tiedEmbeddings)
        return {};
    for (const auto& name : m_meeting.rest()) {
        if (!name.starts_with(kBase + kEmbedding + ".") && !name.starts_with(kBase + kHead + "."))
            continue;
        if (m_meeting.m_file.config.keepsTied())
            return m_meeting.wrong(
                "the key 'ensure_weight_tying' is on and the adapter holds " + name,
                "merge the adapter into its base with PEFT");
        m_model.untieHead();
        return {};
    }
    return {};
}

Result<void> Loading::replaceSaved() {
    for (const auto& name : m_meeting.rest()) {
        if (!name.starts_with(kBase) || name.find(".lora_") != std::string::npos)
            continue;
        const auto weight = name.substr(kBase.size());
        if (m_meeting.m_file.config.replaces(weight))
            MOORING_RETURN_IF_ERROR(replace(name, weight));
    }
    return {};
}

Result<void> Loading::adapt(const AdaptedWeight& adapted) {
    auto& weight = *find(adapted.weight->module);
    MOORING_TRY(const auto a, m_meeting.take(nameOf(adapted, "A"), shapeInFile(adapted, false)));
    MOORING_TRY(const auto b, m_meeting.take(nameOf(adapted, "B"), shapeInFile(adapted, true)));
    if (goesIntoWeight(weight)) {
        const auto product = at::mm(b, a).mul_(adapted.shape.scale);
        const auto delta = weight.group == ParameterGroup::Embeddings ? product.t() : product;
        setWeight(
            weight, weight.master, weight.master.to(at::kFloat) + delta.to(weight.master.device()));
        return {};
    }
    m_model.parameters().addAdapter(weight, adapted.shape.rank, adapted.shape.scale, adapted.alone);
    for (const auto& [part, value] : {std::pair{weight.adapter.a, a}, {weight.adapter.b, b}}) {
        const auto place = inFileOrder(*part, part->master);
        setWeight(*part, place, value.reshape(place.sizes()));
    }
    return {};
}

// B (A x) + b, all of it scaled: the constant part goes into the layer's own bias.
Result<void> Loading::addBias(const AdaptedWeight& adapted) {
    if (!m_meeting.m_file.config.bias())
        return {};
    const auto module = stem(*adapted.weight);
    auto* bias = adapted.shape.byParameter ? nullptr : find(module + ".bias");
    if (!bias)
        return m_meeting.wrong(
            "the key 'lora_bias' is on and " + module + " of this base has no bias",
            "merge the adapter into its base with PEFT, or train it without lora_bias");
    MOORING_TRY(const auto value, m_meeting.take(kBase + module + ".lora_B.bias", bias->shape));
    setWeight(*bias, bias->master,
        bias->master.to(at::kFloat) + (value * adapted.shape.scale).to(bias->master.device()));
    return {};
}

std::string untouchedNotice(const std::vector<std::string>& weights) {
    return "the adapter's config names " + std::to_string(weights.size())
        + " weights of which its file holds nothing, the first " + weights[0]
        + ": they stay as they are in the base";
}

Result<std::vector<std::string>> Loading::run() {
    MOORING_RETURN_IF_ERROR(replaceBaseLayers());
    MOORING_RETURN_IF_ERROR(untie());
    MOORING_RETURN_IF_ERROR(m_meeting.select());
    MOORING_RETURN_IF_ERROR(replaceSaved());
    for (const auto& adapted : m_meeting.m_weights) {
        MOORING_RETURN_IF_ERROR(adapt(adapted));
        MOORING_RETURN_IF_ERROR(addBias(adapted));
    }
    if (const auto rest = m_meeting.rest(); !rest.empty())
        return m_meeting.unplaced(rest[0]);
    if (m_meeting.m_file.tensors.empty())
        return m_meeting.wrong("holds no tensor");
    std::vector<std::string> notices;
    if (!m_meeting.m_untouched.empty())
        notices.push_back(untouchedNotice(m_meeting.m_untouched));
    return notices;
}

} // namespace

Result<std::vector<std::string>> loadAdapter(Model& model, const std::filesystem::path& folder) {
    at::NoGradGuard guard;
    MOORING_TRY(auto file, AdapterFile::open(folder, model.architecture().family));
    return Loading(model, std::move(file)).run();
}

Result<std::vector<AdaptedWeight>> adaptedWeights(
    const Model& model, const std::filesystem::path& folder) {
    MOORING_TRY(auto file, AdapterFile::open(folder, model.architecture().family));
    Meeting meeting(model, std::move(file));
    MOORING_RETURN_IF_ERROR(meeting.select());
    for (const auto& adapted : meeting.m_weights)
        if (goesIntoWeight(*adapted.weight) || meeting.m_file.config.bias())
            return meeting.wrong("the adapter changes "
                    + (meeting.m_file.config.bias() ? "biases (lora_bias)" : adapted.weight->module)
                    + ", which rests in a LoRA run",
                "merge it into its base first: mooring-cli merge BASE --adapter DIR --out DIR");
    for (const auto& name : meeting.rest()) {
        if (meeting.m_file.config.replaces(name.substr(std::min(kBase.size(), name.size()))))
            return meeting.wrong("the adapter replaces whole weights (modules_to_save), " + name
                    + ", which rest in a LoRA run",
                "merge it into its base first: mooring-cli merge BASE --adapter DIR --out DIR");
        return meeting.unplaced(name);
    }
    return std::move(meeting.m_weights);
}

} // namespace mooring
