// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/cancel_scope.h"
#include <fstream>
#include <openssl/evp.h>
#include <vector>

namespace mooring {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    State() { EVP_DigestInit_ex(context, EVP_sha256(), nullptr); }
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256()
    : m_state(std::make_unique<State>()) { }
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
    EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size());
}

void Sha256::add(std::string_view text) {
    add(std::as_bytes(std::span(text.data(), text.size())));
}

std::string Sha256::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(m_state->context, digest, &size);
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += kDigits[digest[i] >> 4];
        text += kDigits[digest[i] & 15];
    }
    return text;
}

std::string sha256Hex(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

Result<std::string> sha256File(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{
            ErrorCode::Input, "cannot be read", path.string(), "check that the file exists"};
    Sha256 hash;
    std::vector<char> buffer(1 << 20);
    while (file.read(buffer.data(), std::ssize(buffer)) || file.gcount() > 0) {
        endIfCanceled();
        hash.add(std::string_view(buffer.data(), file.gcount()));
    }
    return hash.hex();
}

} // namespace mooring
