// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/measured_json.h"
#include "core/base/object_reader.h"
#include <cmath>
#include <limits>

namespace mooring {

using nlohmann::json;

namespace {

template <typename Keys, typename Values>
json valuesJson(const Keys& keys, const Values& values) {
    json object = json::object();
    for (const auto& [key, field] : keys)
        object[key] = std::isfinite(values.*field) ? json(values.*field) : json(nullptr);
    return object;
}

template <typename Keys, typename Row>
void addValues(const Keys& keys, const Row& row, json& object) {
    object["layers"] = json::array();
    for (std::size_t l = 0; l < row.values.size(); ++l) {
        object["layers"].push_back(valuesJson(keys, row.values[l]));
        object["layers"].back()["layer"] = l < row.layers.size() ? row.layers[l] : int(l);
    }
    object["mean"] = valuesJson(keys, row.mean);
}

template <typename Keys, typename Values>
bool readValues(const Keys& keys, const json& object, Values& values) {
    ObjectReader reader(object);
    for (const auto& [key, field] : keys) {
        values.*field = std::numeric_limits<double>::quiet_NaN(); // absent: not measured
        reader.number(key, values.*field);
    }
    return reader.ok();
}

template <typename Keys, typename Row>
void readRow(const Keys& keys, ObjectReader& reader, Row& row) {
    reader.require("step");
    reader.integer("step", row.step);
    if (row.step < 0)
        reader.refuse("step", "a step of at least 0");
    reader.require("domain");
    reader.text("domain", row.domain);
    if (const json* layers = reader.array("layers"))
        for (const json& values : *layers) {
            ObjectReader layer(values);
            layer.require("layer");
            layer.integer("layer", row.layers.emplace_back(0));
            if (!layer.ok() || !readValues(keys, values, row.values.emplace_back()))
                reader.refuse("layers", "a list of layers with their values");
        }
    readValues(keys, json::object(), row.mean);
    if (const json* mean = reader.object("mean"); mean && !readValues(keys, *mean, row.mean))
        reader.refuse("mean", "an object of numbers");
}

} // namespace

const std::vector<RetentionKey>& retentionKeys() {
    using V = RetentionValues;
    static const std::vector<RetentionKey> keys
        = {{"tvd", &V::tvd}, {"jsd", &V::jsd}, {"overlap", &V::overlap}, {"nmi", &V::nmi},
            {"q", &V::q}, {"q_base", &V::qBase}, {"kl", &V::kl}, {"drift", &V::drift}};
    return keys;
}

const std::vector<ValidityKey>& validityKeys() {
    using V = ValidityValues;
    static const std::vector<ValidityKey> keys
        = {{"q", &V::q}, {"null_q", &V::nullQ}, {"null_sd", &V::nullSd}, {"margin", &V::margin},
            {"margin_sds", &V::marginSds}, {"null_nmi", &V::nullNmi},
            {"null_nmi_sd", &V::nullNmiSd}, {"seed_agreement", &V::seedAgreement}, {"nmi", &V::nmi},
            {"nmi_spread", &V::nmiSpread}, {"ceiling", &V::ceiling}};
    return keys;
}

const std::vector<TransitionKey>& transitionKeys() {
    using V = TransitionValues;
    static const std::vector<TransitionKey> keys
        = {{"tvd", &V::tvd}, {"jsd", &V::jsd}, {"overlap", &V::overlap}, {"stay", &V::stay},
            {"stay_base", &V::stayBase}, {"nmi", &V::nmi}, {"q", &V::q}, {"q_base", &V::qBase},
            {"null_q", &V::nullQ}, {"null_sd", &V::nullSd}, {"ceiling", &V::ceiling}};
    return keys;
}

json toJson(const RetentionRow& row) {
    json object = {{"step", row.step}, {"domain", row.domain}};
    addValues(retentionKeys(), row, object);
    return object;
}

Result<RetentionRow> retentionRowFromJson(const json& object) {
    ObjectReader reader(object);
    RetentionRow row;
    readRow(retentionKeys(), reader, row);
    if (!reader.ok())
        return *reader.error();
    return row;
}

json toJson(const ValidityRow& row) {
    json object = {{"step", row.step}, {"domain", row.domain}, {"rho", row.rho},
        {"resolution", row.resolution}, {"detector_seed", row.detectorSeed},
        {"null_graphs", row.nullGraphs}, {"seeds", row.seeds}};
    addValues(validityKeys(), row, object);
    return object;
}

Result<ValidityRow> validityRowFromJson(const json& object) {
    ObjectReader reader(object);
    ValidityRow row;
    readRow(validityKeys(), reader, row);
    reader.number("rho", row.rho);
    reader.number("resolution", row.resolution);
    reader.integer("detector_seed", row.detectorSeed);
    reader.integer("null_graphs", row.nullGraphs);
    reader.integer("seeds", row.seeds);
    if (!reader.ok())
        return *reader.error();
    return row;
}

json toJson(const TransitionRow& row) {
    json object = {{"step", row.step}, {"domain", row.domain},
        {"kind", transitionKindName(row.kind)}, {"pairs", row.pairs}};
    addValues(transitionKeys(), row, object);
    return object;
}

Result<TransitionRow> transitionRowFromJson(const json& object) {
    ObjectReader reader(object);
    TransitionRow row;
    readRow(transitionKeys(), reader, row);
    std::string kind;
    reader.require("kind");
    reader.text("kind", kind);
    reader.integer("pairs", row.pairs);
    row.kind = kind == transitionKindName(TransitionKind::Layers) ? TransitionKind::Layers
                                                                  : TransitionKind::Tokens;
    if (kind != transitionKindName(row.kind))
        reader.refuse("kind", "\"tokens\" or \"layers\"");
    if (!reader.ok())
        return *reader.error();
    return row;
}

} // namespace mooring
