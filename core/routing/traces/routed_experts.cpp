// SPDX-License-Identifier: GPL-3.0-or-later
// What inference servers return with a request: `routed_experts` (or rollout_routed_experts), the
// experts of every token and layer. vLLM: base64 of a .npy array [tokens - 1, layers, K]; SGLang:
// base64 of int32 without a shape; others {data, shape, dtype} or nested arrays. The last token was
// never put into the model, so it has none.
#include "core/base/base64.h"
#include "core/routing/traces/id_array.h"
#include "core/routing/traces/trace_format.h"
#include <algorithm>
#include <optional>

namespace mooring {

namespace {

using Json = nlohmann::json;
using Enclosing = std::vector<const Json*>; // the objects around a value, outermost first

constexpr int kDeepest = 12;
constexpr std::int64_t kMostShared = 4; // fused shared experts of a token

bool isKey(const std::string& key) {
    return key == "routed_experts" || key == "rollout_routed_experts";
}

bool holdsExperts(const Json& value, int depth = 0) {
    if (depth > kDeepest || !value.is_structured())
        return false;
    for (const auto& [key, inner] : value.items())
        if ((value.is_object() && isKey(key) && !inner.is_null()) || holdsExperts(inner, depth + 1))
            return true;
    return false;
}

const Json* find(const Enclosing& objects, const char* key) {
    for (auto object = objects.rbegin(); object != objects.rend(); ++object)
        if (const auto found = (*object)->find(key); found != (*object)->end())
            return &*found;
    return nullptr;
}

// The ids of a sequence where the reply has them: one more than tokens with experts, or as many.
std::vector<std::int64_t> tokenIdsOf(const Enclosing& objects, std::int64_t tokens) {
    static const std::pair<const char*, const char*> kKeys[] = {{"prompt_token_ids", "token_ids"},
        {"input_ids", "output_ids"}, {"tokens", ""}, {"token_ids", ""}};
    for (const auto& [first, second] : kKeys) {
        std::vector<std::int64_t> ids, more;
        const Json* prompt = find(objects, first);
        const Json* answer = *second ? find(objects, second) : nullptr;
        if (!prompt || !readIntegers(*prompt, first, ids).ok()
            || (answer && !readIntegers(*answer, second, more).ok()))
            continue;
        ids.insert(ids.end(), more.begin(), more.end());
        const auto size = static_cast<std::int64_t>(ids.size());
        if (size == tokens || size == tokens + 1)
            return ids;
    }
    return {};
}

class RoutedExpertsReader : public TraceReader {
public:
    explicit RoutedExpertsReader(TraceBuilder& builder)
        : m_builder(builder) { }

    Result<void> take(const Json& record) override { return search(record, 0); }

private:
    Result<void> search(const Json& value, int depth) {
        if (depth > kDeepest || !value.is_structured())
            return {};
        if (value.is_array()) {
            for (const Json& inner : value)
                MOORING_RETURN_IF_ERROR(search(inner, depth + 1));
            return {};
        }
        m_objects.push_back(&value);
        Result<void> done;
        for (auto it = value.begin(); done.ok() && it != value.end(); ++it)
            done = !isKey(it.key()) ? search(*it, depth + 1)
                : it->is_null()     ? Result<void>{} // an aborted request
                                    : sequence(*it);
        m_objects.pop_back();
        return done;
    }

    Result<void> sequence(const Json& value) {
        if (value.is_array())
            return nested(value);
        MOORING_TRY(const IdArray array, packed(value));
        const auto ids = tokenIdsOf(m_objects, array.shape[0]);
        const auto K = static_cast<std::size_t>(array.shape[2]);
        std::span<const std::int64_t> rest(array.values);
        for (std::int64_t t = 0; t < array.shape[0]; ++t) {
            const auto token = add(ids, t);
            for (std::int64_t l = 0; l < array.shape[1]; ++l, rest = rest.subspan(K))
                MOORING_RETURN_IF_ERROR(m_builder.put(token, l, rest.first(K), {}));
        }
        return {};
    }

    Result<void> nested(const Json& tokens) {
        const auto ids = tokenIdsOf(m_objects, static_cast<std::int64_t>(tokens.size()));
        std::int64_t t = 0;
        for (const Json& layers : tokens) {
            if (!layers.is_array())
                return wrongRecord("has 'routed_experts' that are not [token][layer][K]");
            const auto token = add(ids, t++);
            std::int64_t layer = 0;
            for (const Json& chosen : layers) {
                MOORING_RETURN_IF_ERROR(readIntegers(chosen, "routed_experts", m_ids));
                MOORING_RETURN_IF_ERROR(m_builder.put(token, layer++, m_ids, {}));
            }
        }
        return {};
    }

    std::int64_t add(const std::vector<std::int64_t>& ids, std::int64_t t) {
        return m_builder.addToken(
            ids.empty() ? -1 : static_cast<std::int32_t>(ids[static_cast<std::size_t>(t)]));
    }

    Result<IdArray> packed(const Json& value) const {
        const bool described = value.is_object() && value.contains("data");
        const Json& data = described ? value["data"] : value;
        if (!data.is_string())
            return wrongRecord("has 'routed_experts' that are neither an array nor base64");
        const auto bytes = decodeBase64(data.get_ref<const std::string&>());
        if (!bytes)
            return wrongRecord("has 'routed_experts' that are not base64");
        if (isNpy(*bytes))
            return npyIds(*bytes);
        if (!described)
            return shapeless(*bytes);
        std::vector<std::int64_t> shape;
        MOORING_RETURN_IF_ERROR(readIntegers(value.value("shape", Json()), "shape", shape));
        const Json dtype = value.value("dtype", Json("int32"));
        return rawIds(*bytes, dtype.is_string() ? dtype.get<std::string>() : dtype.dump(), shape);
    }

    // SGLang's int32: layers and K are the model's. Its servers record every layer, dense ones too,
    // and may hold fused shared experts as further ones. Of the shapes that divide the bytes the
    // first one counts whose choices can be the model's.
    Result<IdArray> shapeless(const std::string& bytes) const {
        const auto topK = m_builder.knownTopK;
        const Error unknown{ErrorCode::Input, "has routed experts without a shape", "",
            "give the model (--model), so that its layers and top-k are known"};
        if (topK <= 0 || m_builder.knownLayers <= 0)
            return unknown;
        std::optional<IdArray> divided;
        for (const auto layers : {m_builder.knownLayers, m_builder.knownMoeLayers})
            for (auto K = topK; K <= topK + kMostShared; ++K) {
                const auto size = static_cast<std::int64_t>(bytes.size());
                if (layers <= 0 || size % (4 * layers * K) != 0)
                    continue;
                MOORING_TRY(
                    auto array, rawIds(bytes, "int32", {size / (4 * layers * K), layers, K}));
                if (areChoices(array, K - topK))
                    return array;
                if (!divided)
                    divided = std::move(array);
            }
        if (divided)
            return std::move(*divided); // its ids are rejected by name
        return Error{ErrorCode::Input,
            "has " + std::to_string(bytes.size())
                + " bytes of routed experts without a shape, which do not divide into the model's "
                + std::to_string(m_builder.knownLayers) + " layers of " + std::to_string(topK)
                + " experts",
            "",
            "the records are from another model or truncated: record the routing of this model"};
    }

    // Every choice names `shared` experts above the model's own, and no other.
    bool areChoices(const IdArray& array, std::int64_t shared) const {
        const auto E = m_builder.knownExperts;
        if (E <= 0)
            return true;
        const auto K = static_cast<std::ptrdiff_t>(array.shape[2]);
        for (auto at = array.values.begin(); at != array.values.end(); at += K)
            if (std::count_if(at, at + K, [E](auto id) { return id >= E; }) != shared)
                return false;
        return true;
    }

    TraceBuilder& m_builder;
    Enclosing m_objects;
    std::vector<std::int64_t> m_ids;
};

} // namespace

TraceFormat routedExperts() {
    return {"routed experts of vLLM or SGLang",
        [](const Json& record) { return holdsExperts(record); },
        [](TraceBuilder& builder) -> std::unique_ptr<TraceReader> {
            return std::make_unique<RoutedExpertsReader>(builder);
        }};
}

} // namespace mooring
