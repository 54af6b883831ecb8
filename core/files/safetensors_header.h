// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/files/safetensors.h"
#include <optional>
#include <string_view>

namespace mooring {

// The limit of the reference implementation.
inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors; // in offset order, without overlap or gap, from 0
    std::map<std::string, std::string> metadata;
    std::uint64_t dataBytes = 0; // the end of the last tensor
};

// `text` is the JSON part. Everything but the file's size is validated here.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& where);

std::optional<DType> dtypeFromName(std::string_view name);
// Bytes of a tensor; none where a dimension is negative or the product passes int64.
std::optional<std::uint64_t> tensorBytes(DType dtype, const std::vector<std::int64_t>& shape);
std::string shapeText(const std::vector<std::int64_t>& shape); // "[2,3]"

} // namespace mooring
