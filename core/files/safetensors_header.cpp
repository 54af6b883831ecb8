// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors_header.h"
#include "core/files/file_io.h"
#include "core/files/strict_json.h"
#include <algorithm>
#include <array>
#include <limits>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHint = "the file is damaged or was not written by safetensors";

struct DTypeRow {
    DType dtype;
    const char* name;
    std::size_t size;
};

constexpr std::array kDTypes = {
    DTypeRow{DType::F64, "F64", 8},
    DTypeRow{DType::F32, "F32", 4},
    DTypeRow{DType::F16, "F16", 2},
    DTypeRow{DType::BF16, "BF16", 2},
    DTypeRow{DType::I64, "I64", 8},
    DTypeRow{DType::I32, "I32", 4},
    DTypeRow{DType::I16, "I16", 2},
    DTypeRow{DType::I8, "I8", 1},
    DTypeRow{DType::U8, "U8", 1},
    DTypeRow{DType::Bool, "BOOL", 1},
    DTypeRow{DType::U16, "U16", 2},
    DTypeRow{DType::U32, "U32", 4},
    DTypeRow{DType::U64, "U64", 8},
    DTypeRow{DType::F8E4M3, "F8_E4M3", 1},
    DTypeRow{DType::F8E5M2, "F8_E5M2", 1},
};

const DTypeRow& row(DType dtype) {
    return *std::find_if(
        kDTypes.begin(), kDTypes.end(), [&](const DTypeRow& r) { return r.dtype == dtype; });
}

Error wrong(std::string what, const std::string& where) {
    return {ErrorCode::Input, std::move(what), where, kHint};
}

// Offsets and dimensions: integers from 0 to the largest int64, written as such.
std::optional<std::int64_t> count(const Json& value) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMax)
        return std::nullopt;
    return value.get<std::int64_t>();
}

Result<DType> parseDType(const Json& value, const std::string& where) {
    if (!value.is_string())
        return wrong("has a dtype that is not a string", where);
    const auto& name = value.get_ref<const std::string&>();
    if (const auto dtype = dtypeFromName(name))
        return *dtype;
    return Error{ErrorCode::Input, "has the unknown dtype " + quotedName(name), where,
        "known are BF16, F16, F32, F64, the integers, BOOL, F8_E4M3 and F8_E5M2"};
}

Result<std::vector<std::int64_t>> parseShape(const Json& value, const std::string& where) {
    if (!value.is_array())
        return wrong("has a shape that is not a list", where);
    std::vector<std::int64_t> shape;
    shape.reserve(value.size());
    for (const Json& dimension : value) {
        const auto size = count(dimension);
        if (!size)
            return wrong("has the dimension " + quotedName(dimension.dump())
                    + " in its shape, which is not a size",
                where);
        shape.push_back(*size);
    }
    return shape;
}

Result<void> parseOffsets(const Json& value, TensorInfo& info, const std::string& where) {
    if (!value.is_array() || value.size() != 2)
        return wrong("has data_offsets that are not a pair", where);
    const auto begin = count(value[0]);
    const auto end = count(value[1]);
    if (!begin || !end)
        return wrong("has data_offsets that are not sizes", where);
    if (*begin > *end)
        return wrong(
            "ends at " + std::to_string(*end) + ", before it begins at " + std::to_string(*begin),
            where);
    info.begin = static_cast<std::uint64_t>(*begin);
    info.end = static_cast<std::uint64_t>(*end);
    return {};
}

Result<TensorInfo> parseTensor(
    const std::string& name, const Json& entry, const std::string& where) {
    if (!entry.is_object())
        return wrong("is not an object", where);
    for (const char* key : {"dtype", "shape", "data_offsets"})
        if (!entry.contains(key))
            return wrong(std::string("has no ") + key, where);
    if (entry.size() != 3)
        return wrong("has keys other than dtype, shape and data_offsets", where);
    TensorInfo info;
    info.name = name;
    MOORING_TRY(info.dtype, parseDType(entry["dtype"], where));
    MOORING_TRY(info.shape, parseShape(entry["shape"], where));
    MOORING_RETURN_IF_ERROR(parseOffsets(entry["data_offsets"], info, where));
    const auto bytes = tensorBytes(info.dtype, info.shape);
    if (!bytes)
        return wrong(
            "has a shape " + quotedName(shapeText(info.shape)) + " with too many elements", where);
    if (*bytes != info.end - info.begin)
        return wrong("needs " + std::to_string(*bytes) + " bytes for " + dtypeName(info.dtype) + " "
                + quotedName(shapeText(info.shape)) + ", its data_offsets hold "
                + std::to_string(info.end - info.begin),
            where);
    return info;
}

Result<std::map<std::string, std::string>> parseMetadata(
    const Json& entry, const std::string& where) {
    std::map<std::string, std::string> metadata;
    if (!entry.is_object())
        return wrong("has a __metadata__ that is not an object", where);
    for (const auto& [key, value] : entry.items()) {
        if (!value.is_string())
            return wrong("has the metadata " + quotedName(key) + ", which is not a string", where);
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

Result<void> checkLayout(const SafetensorsHeader& header, const std::string& where) {
    std::uint64_t end = 0;
    const TensorInfo* before = nullptr;
    for (const TensorInfo& info : header.tensors) {
        if (info.begin < end)
            return wrong("has the tensors " + quotedName(before->name) + " and "
                    + quotedName(info.name) + ", which overlap",
                where);
        if (info.begin > end)
            return wrong("has a gap of " + std::to_string(info.begin - end)
                    + " bytes before the tensor " + quotedName(info.name),
                where);
        end = info.end;
        before = &info;
    }
    return {};
}

} // namespace

std::size_t dtypeSize(DType dtype) {
    return row(dtype).size;
}

const char* dtypeName(DType dtype) {
    return row(dtype).name;
}

std::optional<DType> dtypeFromName(std::string_view name) {
    for (const DTypeRow& r : kDTypes)
        if (name == r.name)
            return r.dtype;
    return std::nullopt;
}

std::optional<std::uint64_t> tensorBytes(DType dtype, const std::vector<std::int64_t>& shape) {
    std::int64_t product = static_cast<std::int64_t>(dtypeSize(dtype));
    for (const std::int64_t dimension : shape)
        if (dimension < 0 || __builtin_mul_overflow(product, dimension, &product))
            return std::nullopt;
    return static_cast<std::uint64_t>(product);
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (const std::int64_t dimension : shape)
        text += (text.size() > 1 ? "," : "") + std::to_string(dimension);
    return text + "]";
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& where) {
    if (!text.starts_with('{'))
        return wrong("has no safetensors header", where);
    MOORING_TRY(const Json root, parseStrictJson(text, where + ", header"));
    SafetensorsHeader header;
    for (const auto& [name, entry] : root.items()) {
        if (name == "__metadata__") {
            MOORING_TRY(header.metadata, parseMetadata(entry, where));
            continue;
        }
        MOORING_TRY(
            TensorInfo info, parseTensor(name, entry, where + ", tensor " + quotedName(name)));
        header.tensors.push_back(std::move(info));
    }
    // Stable: tensors without elements keep the header's order among those that begin with them.
    std::stable_sort(
        header.tensors.begin(), header.tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
    MOORING_RETURN_IF_ERROR(checkLayout(header, where));
    header.dataBytes = header.tensors.empty() ? 0 : header.tensors.back().end;
    return header;
}

} // namespace mooring
