// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/parquet_values.h"
#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/float16.h>
#include <stdexcept>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 50; // of nested lists and structs

Json valueAt(const arrow::Array& array, std::int64_t i, int depth);

template <typename Array>
const Array& as(const arrow::Array& array) {
    return static_cast<const Array&>(array);
}

template <typename List>
Json listAt(const arrow::Array& array, std::int64_t i, int depth) {
    const auto& list = as<List>(array);
    Json items = Json::array();
    const std::int64_t begin = list.value_offset(i);
    for (std::int64_t k = 0; k < list.value_length(i); ++k)
        items.push_back(valueAt(*list.values(), begin + k, depth + 1));
    return items;
}

// Arrow gives every struct of a column the keys of all, null where a row had none. Whether a row
// wrote the null itself is lost, so a null field is absent, as it was in what the rows came from.
Json structAt(const arrow::StructArray& array, std::int64_t i, int depth) {
    Json object = Json::object();
    for (int f = 0; f < array.num_fields(); ++f)
        if (Json value = valueAt(*array.field(f), i, depth + 1); !value.is_null())
            object[array.struct_type()->field(f)->name()] = std::move(value);
    return object;
}

// A map as an object, where its keys are texts.
Json mapAt(const arrow::MapArray& array, std::int64_t i, int depth) {
    Json object = Json::object();
    const std::int64_t begin = array.value_offset(i);
    for (std::int64_t k = 0; k < array.value_length(i); ++k) {
        const Json key = valueAt(*array.keys(), begin + k, depth + 1);
        object[key.is_string() ? key.get<std::string>() : key.dump()]
            = valueAt(*array.items(), begin + k, depth + 1);
    }
    return object;
}

// Dates, decimals and the like, as Arrow writes them.
Json textAt(const arrow::Array& array, std::int64_t i) {
    const auto scalar = array.GetScalar(i);
    return scalar.ok() ? Json((*scalar)->ToString()) : Json(nullptr);
}

Json valueAt(const arrow::Array& array, std::int64_t i, int depth) {
    using Type = arrow::Type;
    if (depth > kDeepest)
        throw std::runtime_error("its columns are nested too deeply");
    if (array.IsNull(i))
        return nullptr;
    switch (array.type_id()) {
    case Type::NA:
        return nullptr;
    case Type::BOOL:
        return as<arrow::BooleanArray>(array).Value(i);
    case Type::INT8:
        return as<arrow::Int8Array>(array).Value(i);
    case Type::INT16:
        return as<arrow::Int16Array>(array).Value(i);
    case Type::INT32:
        return as<arrow::Int32Array>(array).Value(i);
    case Type::INT64:
        return as<arrow::Int64Array>(array).Value(i);
    case Type::UINT8:
        return as<arrow::UInt8Array>(array).Value(i);
    case Type::UINT16:
        return as<arrow::UInt16Array>(array).Value(i);
    case Type::UINT32:
        return as<arrow::UInt32Array>(array).Value(i);
    case Type::UINT64:
        return as<arrow::UInt64Array>(array).Value(i);
    case Type::HALF_FLOAT:
        return arrow::util::Float16::FromBits(as<arrow::HalfFloatArray>(array).Value(i)).ToDouble();
    case Type::FLOAT:
        return static_cast<double>(as<arrow::FloatArray>(array).Value(i));
    case Type::DOUBLE:
        return as<arrow::DoubleArray>(array).Value(i);
    case Type::STRING:
    case Type::BINARY:
        return Json(std::string(as<arrow::BinaryArray>(array).GetView(i)));
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
        return Json(std::string(as<arrow::LargeBinaryArray>(array).GetView(i)));
    case Type::STRING_VIEW:
    case Type::BINARY_VIEW:
        return Json(std::string(as<arrow::BinaryViewArray>(array).GetView(i)));
    case Type::LIST:
        return listAt<arrow::ListArray>(array, i, depth);
    case Type::LARGE_LIST:
        return listAt<arrow::LargeListArray>(array, i, depth);
    case Type::FIXED_SIZE_LIST:
        return listAt<arrow::FixedSizeListArray>(array, i, depth);
    case Type::MAP:
        return mapAt(as<arrow::MapArray>(array), i, depth);
    case Type::STRUCT:
        return structAt(as<arrow::StructArray>(array), i, depth);
    case Type::DICTIONARY: {
        const auto& dictionary = as<arrow::DictionaryArray>(array);
        return valueAt(*dictionary.dictionary(), dictionary.GetValueIndex(i), depth + 1);
    }
    case Type::EXTENSION:
        return valueAt(*as<arrow::ExtensionArray>(array).storage(), i, depth + 1);
    default:
        return textAt(array, i);
    }
}

} // namespace

Json rowOfBatch(const arrow::RecordBatch& batch, std::int64_t row) {
    Json object = Json::object();
    for (int c = 0; c < batch.num_columns(); ++c)
        object[batch.column_name(c)] = valueAt(*batch.column(c), row, 0);
    return object;
}

} // namespace mooring
