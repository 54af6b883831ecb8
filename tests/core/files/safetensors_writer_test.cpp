// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors.h"
#include "tests/core/files/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::span<const std::byte> raw(std::string_view text) {
    return std::as_bytes(std::span(text));
}

class SafetensorsWriting : public ::testing::Test {
protected:
    test::TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "x.safetensors";

    SafetensorsWriter create(std::vector<TensorSpec> specs) {
        auto writer = SafetensorsWriter::create(m_path, std::move(specs));
        EXPECT_TRUE(writer.ok());
        return std::move(writer).value();
    }
    static std::string outputProblem(const Result<void>& result) {
        if (result.ok())
            return "";
        EXPECT_EQ(result.error().code, ErrorCode::Output);
        return result.error().message();
    }
};

TEST_F(SafetensorsWriting, TheFileIsTheFormatByteForByte) {
    auto writer = SafetensorsWriter::create(m_path,
        {{"b", DType::F32, {1, 2}}, {"a", DType::Bool, {3}}, {"none", DType::I64, {0}}},
        {{"format", "pt"}});
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->write("b", raw("01234")).ok());
    ASSERT_TRUE(writer->write("b", raw("567")).ok());
    ASSERT_TRUE(writer->write("a", raw("xyz")).ok());
    ASSERT_TRUE(writer->finish().ok());
    std::string header = R"({"__metadata__":{"format":"pt"},)"
                         R"("b":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
                         R"("a":{"dtype":"BOOL","shape":[3],"data_offsets":[8,11]},)"
                         R"("none":{"dtype":"I64","shape":[0],"data_offsets":[11,11]}})";
    header.append((8 - header.size() % 8) % 8, ' ');
    EXPECT_EQ(test::get(m_path), test::safetensors(header, "01234567xyz"));
    EXPECT_EQ(test::entriesOf(m_folder.path()), 1u);
}

TEST_F(SafetensorsWriting, HeadersArePaddedWithSpacesToEightBytes) {
    for (std::size_t length = 1; length <= 9; ++length) {
        const std::string name(length, 'n');
        auto writer = create({{name, DType::U8, {1}}});
        ASSERT_TRUE(writer.write(name, raw("1")).ok());
        ASSERT_TRUE(writer.finish().ok());
        EXPECT_EQ((test::get(m_path).size() - 1) % 8, 0u);
        EXPECT_TRUE(SafetensorsFile::open(m_path).ok());
    }
}

TEST_F(SafetensorsWriting, LoadSaveLoadIsByteEqualForEveryTensor) {
    const std::string source = test::safetensors(
        R"({"m.gate":{"dtype":"BF16","shape":[2,2],"data_offsets":[3,11]},)"
        R"("m.count":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
        R"("\u00fc \"q\" \\":{"dtype":"F64","shape":[],"data_offsets":[11,19]},)"
        R"("empty":{"dtype":"F16","shape":[5,0],"data_offsets":[11,11]},)"
        R"("__metadata__":{"a":"1","b":"\u0000\n"}})",
        std::string_view("\x00\xff\x80"
                         "abcdefgh"
                         "\x7f\xc0\x00\x00\x00\x00\x00\x01",
            19));
    const auto first = SafetensorsFile::open(test::put(m_folder / "source", source));
    ASSERT_TRUE(first.ok()) << first.error().message();
    std::vector<TensorSpec> specs;
    for (const TensorInfo& info : (*first)->tensors())
        specs.push_back({info.name, info.dtype, info.shape});
    auto writer = SafetensorsWriter::create(m_path, specs, (*first)->metadata());
    ASSERT_TRUE(writer.ok()) << writer.error().message();
    for (const TensorInfo& info : (*first)->tensors())
        ASSERT_TRUE(writer->write(info.name, (*first)->bytes(info)).ok());
    ASSERT_TRUE(writer->finish().ok());

    const auto second = SafetensorsFile::open(m_path);
    ASSERT_TRUE(second.ok()) << second.error().message();
    EXPECT_EQ((*second)->metadata(), (*first)->metadata());
    ASSERT_EQ((*second)->tensors().size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const TensorInfo& a = (*first)->tensors()[i];
        const TensorInfo& b = (*second)->tensors()[i];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.dtype, b.dtype);
        EXPECT_EQ(a.shape, b.shape);
        const auto from = (*first)->bytes(a);
        const auto to = (*second)->bytes(b);
        EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin(), to.end())) << a.name;
    }
}

TEST_F(SafetensorsWriting, WrongOrderSizesAndNamesAreErrorsThatNameTheTensor) {
    auto writer = create({{"a", DType::U8, {2}}, {"b", DType::U8, {1}}});
    EXPECT_THAT(outputProblem(writer.write("b", raw("1"))),
        HasSubstr("got the tensor 'b' where 'a' was expected"));
    ASSERT_TRUE(writer.write("a", raw("1")).ok());
    EXPECT_THAT(outputProblem(writer.write("a", raw("23"))),
        HasSubstr("got 2 bytes of the tensor 'a', only 1 were expected"));
    EXPECT_THAT(outputProblem(writer.finish()), HasSubstr("still lacks 1 bytes of the tensor 'a'"));
    ASSERT_TRUE(writer.write("a", raw("2")).ok());
    ASSERT_TRUE(writer.write("b", raw("3")).ok());
    EXPECT_THAT(
        outputProblem(writer.write("b", raw("4"))), HasSubstr("where no more was expected"));
    EXPECT_TRUE(writer.finish().ok());
    EXPECT_THAT(outputProblem(writer.finish()), HasSubstr("finished twice"));
    EXPECT_THAT(outputProblem(writer.write("b", raw("4"))), HasSubstr("after its end"));
}

TEST_F(SafetensorsWriting, AnUnfinishedFileIsNeverSeenAndLeavesNothing) {
    test::put(m_path, "old");
    {
        auto writer = create({{"a", DType::U8, {2}}});
        ASSERT_TRUE(writer.write("a", raw("1")).ok());
        EXPECT_EQ(test::get(m_path), "old");
    }
    EXPECT_EQ(test::get(m_path), "old");
    EXPECT_EQ(test::entriesOf(m_folder.path()), 1u);
}

TEST_F(SafetensorsWriting, SpecsThatNoFileCanHoldAreRejected) {
    const auto problem = [&](std::vector<TensorSpec> specs) {
        const auto writer = SafetensorsWriter::create(m_path, std::move(specs));
        EXPECT_FALSE(writer.ok());
        return writer.ok() ? "" : writer.error().message();
    };
    EXPECT_THAT(problem({{"a", DType::U8, {1}}, {"a", DType::U8, {1}}}), HasSubstr("'a' twice"));
    EXPECT_THAT(problem({{"__metadata__", DType::U8, {1}}}), HasSubstr("'__metadata__' twice"));
    EXPECT_THAT(problem({{"a", DType::U8, {-1}}}), HasSubstr("shape '[-1]' of 'a'"));
    constexpr std::int64_t kBig = std::int64_t(1) << 62;
    EXPECT_THAT(problem({{"a", DType::F64, {kBig}}}), HasSubstr("of 'a'"));
    EXPECT_THAT(problem({{"a", DType::U8, {kBig}}, {"b", DType::U8, {kBig}}}), HasSubstr("of 'b'"));
    EXPECT_THAT(problem({{"\xff", DType::U8, {1}}}), HasSubstr("not UTF-8"));
    EXPECT_EQ(test::entriesOf(m_folder.path()), 0u);
}

TEST_F(SafetensorsWriting, AFullDiskIsAnOutputErrorWithTheReasonAndLeavesNothing) {
    {
        auto writer = create({{"a", DType::U8, {100'000}}});
        const std::string bytes(100'000, 'x');
        const test::FileSizeLimit limit(4096);
        EXPECT_THAT(outputProblem(writer.write("a", raw(bytes))),
            AllOf(HasSubstr("cannot be written, File too large"), HasSubstr("x.safetensors"),
                HasSubstr("free some space")));
    }
    EXPECT_EQ(test::entriesOf(m_folder.path()), 0u);
}

TEST_F(SafetensorsWriting, AFolderThatIsMissingIsAnOutputError) {
    const auto writer = SafetensorsWriter::create(m_folder / "absent/x.safetensors", {});
    ASSERT_FALSE(writer.ok());
    EXPECT_EQ(writer.error().code, ErrorCode::Output);
}

} // namespace
} // namespace mooring
