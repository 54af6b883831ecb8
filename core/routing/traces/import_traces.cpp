// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/traces/import_traces.h"
#include "core/base/json_depth.h"
#include "core/files/atomic_folder.h"
#include "core/routing/traces/trace_format.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

namespace mooring {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestLine = std::size_t(1) << 28;
constexpr std::int64_t kMostPairs = std::int64_t(1) << 28; // Kimi-K2 has 2^23

Error wrong(std::string what, std::string where, std::string hint) {
    return {ErrorCode::Input, std::move(what), std::move(where), std::move(hint)};
}

// Files that hold records in a form that is not read, whatever their name says.
Result<void> checkStart(std::string_view line, const std::string& where) {
    struct Other {
        std::string_view start;
        const char* what;
    };
    static constexpr Other kOthers[] = {{"PK\x03\x04", "is a file of torch.save (.pt)"},
        {"\x80", "is a Python pickle (.pkl)"}, {"PAR1", "is a Parquet file"},
        {"\x93NUMPY", "is a NumPy array (.npy)"}, {"GGUF", "is a GGUF file"},
        {"\x1F\x8B", "is compressed (gzip)"}, {"\x28\xB5\x2F\xFD", "is compressed (zstd)"},
        {"version https://git-lfs", "is a Git LFS pointer"}};
    for (const Other& other : kOthers)
        if (line.starts_with(other.start))
            return wrong(std::string(other.what) + ", which is not supported", where,
                "load it with the program that wrote it and save each layer of each record as a "
                "line of JSON, {\"layer\": 1, \"top_indices\": [[3, 0], [1, 2]]} with the experts "
                "of "
                "each token");
    return {};
}

// Passes the records of one file to the format of its first record.
class FileImport {
public:
    FileImport(const fs::path& path, TraceBuilder& builder)
        : m_path(path)
        , m_builder(builder) { }

    Result<void> read() {
        std::error_code absent;
        std::ifstream file(m_path, std::ios::binary);
        if (!fs::is_regular_file(m_path, absent) || !file)
            return wrong("cannot be read", m_path.string(), "check that the file exists");
        std::string line;
        for (; std::getline(file, line); line.clear()) {
            if (++m_line == 1)
                MOORING_RETURN_IF_ERROR(checkStart(line, m_path.string()));
            if (line.size() > kLongestLine)
                return wrong("has a record larger than 256 MiB", place(), "split the trace");
            if (line.find_first_not_of(" \t\r") == std::string::npos)
                continue;
            if (isJsonTooDeep(line))
                return wrong("has a record that is nested too deeply", place(),
                    "give a Megatron router trace or records of routed experts as JSON");
            const auto record = Json::parse(line, nullptr, false);
            if (record.is_discarded() && !m_reader && m_line == 1)
                return wholeDocument();
            MOORING_RETURN_IF_ERROR(takeAll(record));
        }
        return m_reader ? Result<void>{} : noRecords();
    }

private:
    std::string place() const { return m_path.string() + ", line " + std::to_string(m_line); }

    Error noRecords() const {
        return wrong("has no routing record", m_path.string(),
            "give a Megatron router trace or records of routed experts as JSON");
    }

    // One JSON document over several lines: an array of records, or a single one.
    Result<void> wholeDocument() {
        MOORING_TRY(const std::string text, readFile(m_path));
        if (isJsonTooDeep(text))
            return wrong("is nested too deeply", m_path.string(), "traces are JSON lines");
        const auto document = Json::parse(text, nullptr, false);
        if (document.is_discarded())
            return wrong("is not JSON", m_path.string(), "traces are JSON lines");
        MOORING_RETURN_IF_ERROR(takeAll(document));
        return m_reader ? Result<void>{} : noRecords();
    }

    // A record, or a list of them.
    Result<void> takeAll(const Json& json) {
        if (!json.is_array())
            return take(json);
        for (const Json& record : json)
            MOORING_RETURN_IF_ERROR(take(record));
        return {};
    }

    Result<void> take(const Json& record) {
        if (!record.is_object())
            return wrong("is not a JSON record", place(), "traces are JSON lines");
        if (!m_reader) {
            for (const TraceFormat& format : traceFormats())
                if (format.matches(record)) {
                    m_reader = format.reader(m_builder);
                    break;
                }
            if (!m_reader)
                return noRecords();
        }
        auto taken = m_reader->take(record);
        if (taken.ok() || !taken.error().where.empty())
            return taken;
        auto error = taken.error();
        error.where = place();
        return error;
    }

    fs::path m_path;
    TraceBuilder& m_builder;
    std::unique_ptr<TraceReader> m_reader;
    std::int64_t m_line = 0;
};

// Maps layers of the records to MoE layers of the model. Programs number them by the whole model,
// from 0 or 1, or count only the MoE layers.
struct LayerMap {
    std::vector<int> recorded; // by MoE ordinal
    std::vector<int> absolute;
    std::string notice;
};

std::vector<int> shifted(std::vector<int> layers, int by) {
    for (int& layer : layers)
        layer += by;
    return layers;
}

Result<LayerMap> mapLayers(
    const TraceBuilder& builder, const std::vector<int>& moe, const std::string& where) {
    std::vector<int> seen;
    for (const auto& [layer, choices] : builder.layers())
        seen.push_back(layer);
    if (moe.empty())
        return LayerMap{seen, seen, ""};
    if (std::includes(seen.begin(), seen.end(), moe.begin(), moe.end()))
        return LayerMap{moe, moe, ""};
    std::vector<int> ordinals(moe.size());
    for (std::size_t i = 0; i < moe.size(); ++i)
        ordinals[i] = static_cast<int>(i);
    if (seen == ordinals)
        return LayerMap{seen, moe, "the records number only the MoE layers, from 0"};
    const auto fromOne = shifted(moe, 1);
    if (seen == fromOne)
        return LayerMap{fromOne, moe, "the records number layers from 1"};
    std::string missing;
    for (const int layer : moe)
        if (!std::binary_search(seen.begin(), seen.end(), layer))
            missing += (missing.empty() ? "" : ", ") + std::to_string(layer);
    return wrong("has no record of the MoE layer " + missing.substr(0, 80), where,
        "record all layers (with pipeline parallelism, give the files of all stages)");
}

// Tokens that have a choice at every layer.
std::vector<std::int64_t> completeTokens(const TraceBuilder& builder, const LayerMap& map) {
    const auto K = static_cast<std::size_t>(builder.topK());
    std::vector<std::int64_t> complete;
    for (std::int64_t t = 0; t < builder.tokens(); ++t) {
        const auto begin = static_cast<std::size_t>(t) * K;
        const bool whole = std::all_of(map.recorded.begin(), map.recorded.end(), [&](int layer) {
            const auto& ids = builder.layers().at(layer).ids_TK;
            return begin + K <= ids.size()
                && std::any_of(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                    ids.begin() + static_cast<std::ptrdiff_t>(begin + K),
                    [](std::int16_t id) { return id >= 0; });
        });
        if (whole)
            complete.push_back(t);
    }
    return complete;
}

Result<void> addChoice(DomainFrame& domain, std::span<const std::int16_t> ids_K, std::size_t layer,
    std::size_t E, const std::string& where) {
    for (std::size_t k = 0; k < ids_K.size(); ++k) {
        const std::int16_t id = ids_K[k];
        if (id < 0 || static_cast<std::size_t>(id) >= E)
            return wrong("names expert " + std::to_string(id) + " of " + std::to_string(E)
                    + " (they count from 0)",
                where,
                "the records are from another model, or count shared experts among the routed "
                "ones; in that case record only the routed experts");
        if (std::find(ids_K.begin(), ids_K.begin() + static_cast<std::ptrdiff_t>(k), id)
            != ids_K.begin() + static_cast<std::ptrdiff_t>(k))
            return wrong("names expert " + std::to_string(id) + " twice for one token", where,
                "record the routing again");
        ++domain.counts_LE[layer * E + static_cast<std::size_t>(id)];
        for (std::size_t j = 0; j < k; ++j) {
            const auto a = static_cast<std::size_t>(id), b = static_cast<std::size_t>(ids_K[j]);
            ++domain.coactivation_LEE[(layer * E + a) * E + b];
            ++domain.coactivation_LEE[(layer * E + b) * E + a];
        }
    }
    return {};
}

Result<DomainFrame> domainOf(const std::string& name, const TraceBuilder& builder,
    const LayerMap& map, std::size_t E, const std::vector<std::int64_t>& tokens,
    const std::string& where) {
    const std::size_t L = map.recorded.size(), K = static_cast<std::size_t>(builder.topK());
    DomainFrame domain;
    domain.name = name;
    domain.tokens = static_cast<std::int64_t>(tokens.size());
    domain.counts_LE.assign(L * E, 0);
    domain.coactivation_LEE.assign(L * E * E, 0);
    domain.probMean_LE.assign(L * E, NAN);
    for (const std::int64_t token : tokens) {
        domain.tokenIds_T.push_back(builder.tokenIds()[static_cast<std::size_t>(token)]);
        for (std::size_t l = 0; l < L; ++l) {
            const auto& layer = builder.layers().at(map.recorded[l]);
            const std::size_t begin = static_cast<std::size_t>(token) * K;
            const auto ids_K = std::span(layer.ids_TK).subspan(begin, K);
            const auto weights_K = std::span(layer.weights_TK).subspan(begin, K);
            MOORING_RETURN_IF_ERROR(addChoice(domain, ids_K, l, E, where));
            domain.topkIds_TLK.insert(domain.topkIds_TLK.end(), ids_K.begin(), ids_K.end());
            domain.topkWeights_TLK.insert(
                domain.topkWeights_TLK.end(), weights_K.begin(), weights_K.end());
        }
    }
    return domain;
}

Result<void> agree(RoutingFrame& frame, const LayerMap& map, std::size_t experts, int topK,
    const std::string& where) {
    if (frame.domains.empty()) {
        frame.layers = map.absolute;
        frame.experts = static_cast<int>(experts);
        frame.topK = topK;
    }
    if (frame.layers != map.absolute || frame.topK != topK
        || frame.experts != static_cast<int>(experts))
        return wrong("has different layers, experts or top-k than the first domain", where,
            "give traces of one model");
    return {};
}

Result<std::size_t> expertsOf(
    const TraceBuilder& builder, const RoutingShape& model, const std::string& where) {
    const std::int64_t experts = model.experts > 0 ? model.experts : builder.experts;
    if (experts < 1 || experts > 32767)
        return wrong("does not say how many experts the model has", where,
            "give the model (--model) or the number of experts (--experts)");
    if (model.topK > 0 && builder.topK() != model.topK)
        return wrong("has " + std::to_string(builder.topK()) + " experts per token, the model "
                + std::to_string(model.topK),
            where,
            builder.topK() > model.topK
                ? "the records are from another model, or contain shared experts that are not "
                  "numbered from "
                    + std::to_string(experts) + " on; in that case record only the routed experts"
                : "the records are from another model: give the model whose routing was recorded");
    const auto cells = static_cast<std::int64_t>(builder.layers().size()) * experts * experts;
    if (cells > kMostPairs)
        return wrong("would need " + std::to_string(cells)
                + " expert-pair counts, more than any model of this kind has",
            where, "give the model whose routing was recorded (--model)");
    return static_cast<std::size_t>(experts);
}

// Servers that fuse shared experts with the routed ones record them as experts E and above.
bool dropsShared(TraceBuilder& builder, const RoutingShape& model) {
    return model.topK > 0 && model.experts > 0 && builder.topK() > model.topK
        && builder.dropSharedExperts(model.topK, model.experts);
}

Result<void> importDomain(
    const TraceDomain& domain, const RoutingShape& model, ImportedTrace& imported) {
    TraceBuilder builder;
    builder.knownLayers = model.layers;
    builder.knownMoeLayers = static_cast<std::int64_t>(model.moeLayers.size());
    builder.knownTopK = model.topK;
    builder.knownExperts = model.experts;
    for (const auto& file : domain.files)
        MOORING_RETURN_IF_ERROR(FileImport(file, builder).read());
    const std::string where = domain.files.front().string();
    if (builder.topK() == 0)
        return wrong("has no choice of experts", where, "record the routing of at least one text");
    const bool droppedShared = dropsShared(builder, model);
    MOORING_TRY(const auto map, mapLayers(builder, model.moeLayers, where));
    MOORING_TRY(const auto experts, expertsOf(builder, model, where));
    MOORING_RETURN_IF_ERROR(agree(imported.frame, map, experts, builder.topK(), where));
    const auto tokens = completeTokens(builder, map);
    if (tokens.empty())
        return wrong("has no token with a record at every layer", where, "record all layers");
    MOORING_TRY(auto read, domainOf(domain.name, builder, map, experts, tokens, where));
    imported.frame.domains.push_back(std::move(read));
    const auto tell = [&](const std::string& sentence) {
        imported.notices.push_back(domain.name + ": " + sentence);
    };
    if (droppedShared)
        tell("the records contain shared experts as experts " + std::to_string(experts)
            + " and above; they are left out");
    if (!map.notice.empty())
        tell(map.notice);
    if (const auto lost = builder.tokens() - static_cast<std::int64_t>(tokens.size()); lost > 0)
        tell(std::to_string(lost) + " of " + std::to_string(builder.tokens())
            + " tokens lack a record at some layer and are left out");
    if (builder.passedOver > 0)
        tell(std::to_string(builder.passedOver)
            + " records of multi-token-prediction blocks are left out");
    if (builder.tokenIds().front() < 0)
        tell("the records do not identify their tokens, so whether two frames cover the same text "
             "cannot be checked");
    return {};
}

} // namespace

Result<ImportedTrace> importTraces(
    const std::vector<TraceDomain>& domains, const RoutingShape& model, std::int64_t step) {
    ImportedTrace imported;
    imported.frame.step = step;
    for (const TraceDomain& domain : domains)
        MOORING_RETURN_IF_ERROR(importDomain(domain, model, imported));
    return imported;
}

} // namespace mooring
