// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/other_data.h"
#include "core/base/python_json.h"

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

Error notConversations(const std::string& what, const std::string& hint) {
    return Error{ErrorCode::Input, what, "", hint};
}

bool isFilled(const Json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && !isMissing(*value) && !(value->is_array() && value->empty())
        && *value != "";
}

bool isJudged(const Json& row) {
    const auto label = row.find("label");
    return label != row.end() && label->is_boolean()
        && (row.contains("messages") || row.contains("conversations") || row.contains("completion")
            || row.contains("response"));
}

} // namespace

std::optional<Error> otherKindOfData(const Json& row) {
    if (row.contains("chosen") && row.contains("rejected"))
        return notConversations("these are preference pairs (chosen and rejected answers)",
            "write the chosen answers as `messages`; training on preferences is not supported");
    if (isJudged(row))
        return notConversations("these are rated answers (KTO: `label` marks good and bad ones)",
            "keep the rows whose label is true and remove the column");
    if (row.contains("input_ids"))
        return notConversations("these rows are already tokenized (`input_ids`)",
            "use the original texts, so that spans can be found");
    if (row.contains("message_tree_id"))
        return notConversations("these are trees of messages (OASST)",
            "write each path through a tree as a row with `messages`");
    return std::nullopt;
}

std::string mediaColumn(const Json& row) {
    for (const char* key : {"image", "images", "video", "videos", "audio", "audios"})
        if (isFilled(row, key))
            return key;
    return {};
}

} // namespace mooring
