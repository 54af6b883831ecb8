// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/traces/trace_format.h"

namespace mooring {

using Json = nlohmann::json;

const std::vector<TraceFormat>& traceFormats() {
    static const std::vector<TraceFormat> kFormats
        = {megatronTrace(), routeLines(), batchTrace(), atlasTrace(), routedExperts()};
    return kFormats;
}

Error wrongRecord(std::string what) {
    return {ErrorCode::Input, std::move(what), "", "record the routing again"};
}

Result<std::int64_t> integerOf(const Json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_number_integer())
        return wrongRecord(std::string("has no integer '") + key + "'");
    return found->get<std::int64_t>();
}

Result<void> readIntegers(const Json& array, const char* key, std::vector<std::int64_t>& into) {
    into.clear();
    if (!array.is_array())
        return wrongRecord(std::string("has no array '") + key + "'");
    for (const Json& value : array) {
        if (!value.is_number_integer())
            return wrongRecord(std::string("has a value that is not an integer in '") + key + "'");
        into.push_back(value.get<std::int64_t>());
    }
    return {};
}

Result<void> readNumbers(const Json& array, const char* key, std::vector<double>& into) {
    into.clear();
    if (!array.is_array())
        return wrongRecord(std::string("has no array '") + key + "'");
    for (const Json& value : array) {
        if (!value.is_number())
            return wrongRecord(std::string("has a value that is not a number in '") + key + "'");
        into.push_back(value.get<double>());
    }
    return {};
}

} // namespace mooring
