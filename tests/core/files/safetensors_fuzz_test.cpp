// SPDX-License-Identifier: GPL-3.0-or-later
// Every byte of a small valid file is changed and every length is tried: the answer is an error of
// the input or tensors that lie within the file.
#include "core/files/safetensors.h"
#include "tests/core/files/test_files.h"
#include <gtest/gtest.h>

namespace mooring {
namespace {

std::string validFile() {
    return test::safetensors(
        R"({"__metadata__":{"k":"v"},"a.w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
        R"("b":{"dtype":"I16","shape":[3],"data_offsets":[8,14]},)"
        R"("c":{"dtype":"BOOL","shape":[0],"data_offsets":[14,14]}} )",
        "0123456789abcd");
}

void expectErrorOrTensorsWithinTheFile(const std::filesystem::path& path, std::string_view bytes) {
    test::put(path, bytes);
    const auto file = SafetensorsFile::open(path);
    if (!file.ok()) {
        EXPECT_EQ(file.error().code, ErrorCode::Input);
        EXPECT_FALSE(file.error().what.empty());
        return;
    }
    std::size_t total = 0;
    unsigned sum = 0;
    for (const TensorInfo& info : (*file)->tensors()) {
        const auto span = (*file)->bytes(info);
        EXPECT_EQ(span.size(), static_cast<std::size_t>(info.elements()) * dtypeSize(info.dtype));
        total += span.size();
        for (const std::byte byte : span) // a span beyond the map would be a crash here
            sum += static_cast<unsigned>(byte);
    }
    EXPECT_LE(total, bytes.size());
    EXPECT_LE(sum, 255u * total);
}

TEST(SafetensorsFuzz, TheFileItselfIsValid) {
    test::TemporaryFolder folder;
    const auto file = SafetensorsFile::open(test::put(folder / "x", validFile()));
    ASSERT_TRUE(file.ok()) << file.error().message();
    EXPECT_EQ((*file)->tensors().size(), 3u);
}

TEST(SafetensorsFuzz, EveryTruncationIsAnError) {
    test::TemporaryFolder folder;
    const std::string bytes = validFile();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto file = SafetensorsFile::open(
            test::put(folder / "x", std::string_view(bytes).substr(0, size)));
        ASSERT_FALSE(file.ok()) << size;
        EXPECT_NE(file.error().what.find("is truncated"), std::string::npos) << size;
    }
}

TEST(SafetensorsFuzz, EveryFlippedOrReplacedByteGivesAnErrorOrAValidParse) {
    test::TemporaryFolder folder;
    const std::string bytes = validFile();
    constexpr std::string_view kReplacements("\0\xff\"{}[],:90-e\\ ", 16);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        SCOPED_TRACE(i);
        std::string changed = bytes;
        for (int bit = 0; bit < 8; ++bit) {
            changed[i] = static_cast<char>(bytes[i] ^ (1 << bit));
            expectErrorOrTensorsWithinTheFile(folder / "x", changed);
        }
        for (const char replacement : kReplacements) {
            changed[i] = replacement;
            expectErrorOrTensorsWithinTheFile(folder / "x", changed);
        }
    }
}

TEST(SafetensorsFuzz, EveryRemovedOrDoubledByteGivesAnErrorOrAValidParse) {
    test::TemporaryFolder folder;
    const std::string bytes = validFile();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        SCOPED_TRACE(i);
        expectErrorOrTensorsWithinTheFile(folder / "x", bytes.substr(0, i) + bytes.substr(i + 1));
        expectErrorOrTensorsWithinTheFile(folder / "x", bytes.substr(0, i) + bytes.substr(i / 2));
    }
}

} // namespace
} // namespace mooring
