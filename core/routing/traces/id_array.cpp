// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/traces/id_array.h"
#include "core/routing/traces/trace_format.h"
#include <charconv>

namespace mooring {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct NumberType {
    std::size_t bytes = 0; // 0: unknown
    bool isSigned = false;
};

NumberType numberType(std::string name) {
    if (!name.empty() && (name[0] == '<' || name[0] == '|' || name[0] == '='))
        name.erase(0, 1);
    for (const std::size_t bytes : {1, 2, 4, 8}) {
        const std::string bits = std::to_string(8 * bytes), width = std::to_string(bytes);
        if (name == "int" + bits || name == "i" + width || name == "torch.int" + bits)
            return {bytes, true};
        if (name == "uint" + bits || name == "u" + width || name == "torch.uint" + bits)
            return {bytes, false};
    }
    return {};
}

std::int64_t number(const char* at, NumberType type) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < type.bytes; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << 8 * i;
    const std::size_t unused = 64 - 8 * type.bytes;
    return type.isSigned ? static_cast<std::int64_t>(value << unused) >> unused
                         : static_cast<std::int64_t>(value);
}

// The value of a key in the Python dictionary of a .npy header, up to its end.
std::string_view valueOf(std::string_view header, const std::string& key) {
    const auto at = header.find("'" + key + "':");
    if (at == std::string_view::npos)
        return {};
    auto value = header.substr(at + key.size() + 3);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    const bool tuple = !value.empty() && value[0] == '(';
    return value.substr(0, tuple ? value.find(')') : value.find_first_of(",}"));
}

std::vector<std::int64_t> tupleOf(std::string_view text) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; at < text.size();) {
        std::int64_t value = 0;
        const auto [end, bad] = std::from_chars(text.data() + at, text.data() + text.size(), value);
        if (bad == std::errc()) {
            numbers.push_back(value);
            at = static_cast<std::size_t>(end - text.data());
        } else {
            ++at;
        }
    }
    return numbers;
}

} // namespace

Result<IdArray> rawIds(
    std::string_view bytes, const std::string& dtype, std::vector<std::int64_t> shape) {
    const auto type = numberType(dtype);
    if (type.bytes == 0)
        return wrongRecord("has routed experts of the type " + dtype.substr(0, 40)
            + ", which is not an integer type");
    constexpr std::int64_t kMost = std::int64_t(1) << 40;
    std::int64_t count = 1;
    bool possible = shape.size() == 3;
    for (const auto size : shape) {
        possible = possible && size >= 0 && size <= kMost && (size == 0 || count <= kMost / size);
        count = possible ? count * size : 0;
    }
    if (!possible || static_cast<std::uint64_t>(count) * type.bytes != bytes.size())
        return wrongRecord("has " + std::to_string(bytes.size())
            + " bytes of routed experts, which does not match their shape");
    IdArray array{std::move(shape), std::vector<std::int64_t>(static_cast<std::size_t>(count))};
    for (std::size_t i = 0; i < array.values.size(); ++i)
        array.values[i] = number(bytes.data() + i * type.bytes, type);
    return array;
}

bool isNpy(std::string_view bytes) {
    return bytes.starts_with(kMagic);
}

Result<IdArray> npyIds(std::string_view bytes) {
    const auto broken = [] { return wrongRecord("has routed experts in a damaged .npy array"); };
    if (!isNpy(bytes) || bytes.size() < 12)
        return broken();
    const auto byte = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    const bool longHeader = bytes[6] > 1;
    const std::size_t begin = longHeader ? 12 : 10;
    const std::size_t size
        = byte(8) | byte(9) << 8 | (longHeader ? byte(10) << 16 | byte(11) << 24 : 0);
    if (size > bytes.size() - begin)
        return broken();
    const auto header = bytes.substr(begin, size);
    auto descr = std::string(valueOf(header, "descr"));
    std::erase(descr, '\'');
    if (!valueOf(header, "fortran_order").starts_with("False"))
        return broken();
    return rawIds(bytes.substr(begin + size), descr, tupleOf(valueOf(header, "shape")));
}

} // namespace mooring
