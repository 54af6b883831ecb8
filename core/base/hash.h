// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace mooring {

// SHA-256 over bytes that arrive in pieces (OpenSSL).
class Sha256 {
public:
    Sha256();
    ~Sha256();
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text);
    std::string hex(); // 64 lower-case digits; ends the hash

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256Hex(std::string_view bytes);
Result<std::string> sha256File(const std::filesystem::path& path);

} // namespace mooring
