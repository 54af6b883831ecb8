// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"
#include <limits>
#include <openssl/evp.h>

namespace mooring {

std::optional<std::string> decodeBase64(std::string_view text) {
    if (text.size() % 4 != 0 || text.size() > std::numeric_limits<int>::max())
        return std::nullopt;
    // OpenSSL ignores whitespace at the ends, which would make the length wrong.
    if (text.find_first_of(" \t\r\n") != std::string_view::npos)
        return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::string bytes(text.size() / 4 * 3, '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
        reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    if (size < 0)
        return std::nullopt;
    bytes.resize(static_cast<std::size_t>(size) - padding);
    return bytes;
}

} // namespace mooring
