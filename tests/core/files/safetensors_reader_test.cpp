// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors.h"
#include "tests/core/files/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using test::safetensors;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SafetensorsReader : public ::testing::Test {
protected:
    test::TemporaryFolder m_folder;

    Result<std::shared_ptr<const SafetensorsFile>> open(std::string_view bytes) {
        return SafetensorsFile::open(test::put(m_folder / "x.safetensors", bytes));
    }
    // The message of the error, checked to be of the input and to name the file.
    std::string problem(std::string_view bytes) {
        const auto file = open(bytes);
        if (file.ok())
            return "";
        EXPECT_EQ(file.error().code, ErrorCode::Input);
        EXPECT_THAT(file.error().where, HasSubstr("x.safetensors"));
        return file.error().message();
    }
    // One tensor `a` with this entry and these data.
    std::string entry(std::string_view json, std::string_view data) {
        return problem(safetensors("{\"a\":" + std::string(json) + "}", data));
    }
};

TEST_F(SafetensorsReader, ReadsTensorsInOffsetOrderWithTheirBytesAndMetadata) {
    const auto file = open(safetensors(
        R"({"__metadata__":{"format":"pt"},"late":{"dtype":"U8","shape":[3],"data_offsets":[4,7]},)"
        R"("early":{"dtype":"BF16","shape":[2,1],"data_offsets":[0,4]}}   )",
        "abcdefg"));
    ASSERT_TRUE(file.ok()) << file.error().message();
    const auto& tensors = (*file)->tensors();
    ASSERT_EQ(tensors.size(), 2u);
    EXPECT_EQ(tensors[0].name, "early");
    EXPECT_EQ(tensors[0].dtype, DType::BF16);
    EXPECT_THAT(tensors[0].shape, ElementsAre(2, 1));
    EXPECT_EQ(tensors[0].elements(), 2);
    EXPECT_EQ(tensors[1].name, "late");
    const auto bytes = (*file)->bytes(*(*file)->find("late"));
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "efg");
    EXPECT_EQ((*file)->metadata().at("format"), "pt");
    EXPECT_EQ((*file)->find("other"), nullptr);
}

TEST_F(SafetensorsReader, ScalarsZeroElementTensorsAndEmptyFilesAreFine) {
    const auto file = open(safetensors(
        R"({"none":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]},)"
        R"("scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
        R"("end":{"dtype":"I64","shape":[4611686018427387904,0],"data_offsets":[4,4]}})",
        "1234"));
    // 2^62 elements of 8 bytes pass int64 before the 0 comes.
    ASSERT_FALSE(file.ok());
    const auto good
        = open(safetensors(R"({"none":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]},)"
                           R"("scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                           R"("end":{"dtype":"I64","shape":[0],"data_offsets":[4,4]}})",
            "1234"));
    ASSERT_TRUE(good.ok()) << good.error().message();
    EXPECT_EQ((*good)->find("none")->elements(), 0);
    EXPECT_EQ((*good)->bytes(*(*good)->find("end")).size(), 0u);
    EXPECT_EQ((*good)->find("scalar")->elements(), 1);
    EXPECT_TRUE(open(safetensors("{}", "")).ok());
}

TEST_F(SafetensorsReader, EveryDTypeHasTheSizeOfTheFormat) {
    const std::pair<const char*, int> sizes[] = {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2},
        {"I64", 8}, {"I32", 4}, {"I16", 2}, {"I8", 1}, {"U8", 1}, {"BOOL", 1}, {"U16", 2},
        {"U32", 4}, {"U64", 8}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};
    for (const auto& [name, size] : sizes) {
        const auto file = open(safetensors("{\"a\":{\"dtype\":\"" + std::string(name)
                + "\",\"shape\":[3],\"data_offsets\":[0," + std::to_string(3 * size) + "]}}",
            std::string(3 * size, 'x')));
        ASSERT_TRUE(file.ok()) << file.error().message();
        EXPECT_STREQ(dtypeName((*file)->tensors()[0].dtype), name);
        EXPECT_EQ(dtypeSize((*file)->tensors()[0].dtype), static_cast<std::size_t>(size));
    }
}

TEST_F(SafetensorsReader, AFileThatIsAbsentOrNoFileIsNamed) {
    const auto absent = SafetensorsFile::open(m_folder / "absent.safetensors");
    ASSERT_FALSE(absent.ok());
    EXPECT_THAT(
        absent.error().message(), AllOf(HasSubstr("does not exist"), HasSubstr("absent.saf")));
    const auto folder = SafetensorsFile::open(m_folder.path());
    ASSERT_FALSE(folder.ok());
    EXPECT_THAT(folder.error().message(), HasSubstr("is a folder"));
}

TEST_F(SafetensorsReader, AHugeHeaderLengthIsRejectedWithoutAllocatingIt) {
    EXPECT_THAT(problem(test::littleEndian(std::uint64_t(1) << 60) + "{}"),
        HasSubstr("header length of 1152921504606846976 bytes, which is past the end of the file"));
    EXPECT_THAT(problem(test::littleEndian(~std::uint64_t(0)) + "{}"),
        HasSubstr("header length of 18446744073709551615 bytes"));
}

TEST_F(SafetensorsReader, AHeaderBeyondTheFormatsLimitIsRejectedEvenWithinTheFile) {
    const auto path = test::put(m_folder / "x.safetensors", test::littleEndian(100'000'001) + "{");
    std::filesystem::resize_file(path, 200'000'000); // sparse
    const auto file = SafetensorsFile::open(path);
    ASSERT_FALSE(file.ok());
    EXPECT_THAT(file.error().message(), HasSubstr("above the format's limit of 100 MB"));
}

TEST_F(SafetensorsReader, ATruncatedFileSaysHowMuchThereIs) {
    const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    ASSERT_EQ(header.size(), 54u);
    const std::string whole = safetensors(header, "12345678");
    EXPECT_EQ(problem(whole), "");
    EXPECT_THAT(problem(whole.substr(0, 69)), HasSubstr("is truncated: it has 69 of 70 bytes"));
    EXPECT_THAT(problem(whole.substr(0, 62)), HasSubstr("is truncated: it has 62 of 70 bytes"));
    EXPECT_THAT(problem(whole.substr(0, 61)), HasSubstr("is truncated: it has 61 of 62 bytes"));
    EXPECT_THAT(problem(whole.substr(0, 7)), HasSubstr("is truncated: it has 7 bytes"));
    EXPECT_THAT(problem(""), HasSubstr("is truncated: it has 0 bytes"));
}

TEST_F(SafetensorsReader, BytesAfterTheLastTensorAreRejected) {
    EXPECT_THAT(
        problem(safetensors(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "123")),
        HasSubstr("has 1 bytes after its last tensor"));
}

TEST_F(SafetensorsReader, AGitLfsPointerIsNamedWithTheCommandThatHelps) {
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\n"
                                "oid sha256:ac02591061f1344027a7e7b11dbb4143f75f166c47dc09b742f5de3"
                                "ab1dde1d1\nsize 2669283096\n";
    EXPECT_THAT(problem(pointer), AllOf(HasSubstr("Git LFS pointer"), HasSubstr("git lfs pull")));
}

TEST_F(SafetensorsReader, AHeaderThatIsNoObjectOfObjectsIsRejected) {
    EXPECT_THAT(problem(safetensors("[1,2]", "")), HasSubstr("no safetensors header"));
    EXPECT_THAT(problem(safetensors("", "")), HasSubstr("no safetensors header"));
    EXPECT_THAT(problem(safetensors("{\"a\":", "")), HasSubstr("not valid JSON"));
    EXPECT_THAT(entry("7", ""), HasSubstr("is not an object"));
    EXPECT_THAT(problem(safetensors("{\"a\":" + std::string(5'000'000, '['), "")),
        HasSubstr("deeper than 64"));
    EXPECT_THAT(problem(safetensors(R"({"__metadata__":[]})", "")),
        HasSubstr("__metadata__ that is not an object"));
    EXPECT_THAT(problem(safetensors(R"({"__metadata__":{"n":1}})", "")),
        HasSubstr("metadata 'n', which is not a string"));
}

TEST_F(SafetensorsReader, DuplicateNamesAndKeysAreRejected) {
    const std::string a = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
    EXPECT_THAT(problem(safetensors("{" + a + "," + a + "}", "1")), HasSubstr("the key 'a' twice"));
    EXPECT_THAT(entry(R"({"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]})", "1"),
        HasSubstr("the key 'dtype' twice"));
}

TEST_F(SafetensorsReader, IncompleteOrUnknownEntriesNameTheTensor) {
    EXPECT_THAT(entry(R"({"shape":[1],"data_offsets":[0,1]})", "1"),
        AllOf(HasSubstr("has no dtype"), HasSubstr("tensor 'a'")));
    EXPECT_THAT(entry(R"({"dtype":"U8","data_offsets":[0,1]})", "1"), HasSubstr("has no shape"));
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":[1]})", "1"), HasSubstr("has no data_offsets"));
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1],"strides":[1]})", "1"),
        HasSubstr("keys other than"));
    EXPECT_THAT(entry(R"({"dtype":"F4","shape":[1],"data_offsets":[0,1]})", "1"),
        HasSubstr("unknown dtype 'F4'"));
    EXPECT_THAT(entry(R"({"dtype":8,"shape":[1],"data_offsets":[0,1]})", "1"),
        HasSubstr("dtype that is not a string"));
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":1,"data_offsets":[0,1]})", "1"),
        HasSubstr("shape that is not a list"));
}

TEST_F(SafetensorsReader, NegativeFractionalAndOverflowingShapesAreRejected) {
    for (const char* dimension : {"-1", "1.0", "\"1\"", "null", "9223372036854775808", "1e3"})
        EXPECT_THAT(entry("{\"dtype\":\"U8\",\"shape\":[" + std::string(dimension)
                            + "],\"data_offsets\":[0,1]}",
                        "1"),
            HasSubstr("which is not a size"))
            << dimension;
    // 2^32 * 2^32 = 2^64, which wraps to 0 in 64 bits.
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})", ""),
        HasSubstr("too many elements"));
    // 2^61 elements fit into int64, their 16-fold bytes wrap to 0.
    EXPECT_THAT(
        entry(R"({"dtype":"F64","shape":[2305843009213693952,2],"data_offsets":[0,0]})", ""),
        HasSubstr("too many elements"));
}

TEST_F(SafetensorsReader, ShapesThatDoNotFillTheirOffsetsAreRejected) {
    EXPECT_THAT(
        entry(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,20]})", std::string(20, 'x')),
        HasSubstr("needs 24 bytes for F32 '[2,3]', its data_offsets hold 20"));
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":[1],"data_offsets":[1,0]})", "1"),
        HasSubstr("ends at 0, before it begins at 1"));
    EXPECT_THAT(
        entry(R"({"dtype":"U8","shape":[1],"data_offsets":[0]})", "1"), HasSubstr("not a pair"));
    EXPECT_THAT(
        entry(R"({"dtype":"U8","shape":[1],"data_offsets":[-1,0]})", "1"), HasSubstr("not sizes"));
}

TEST_F(SafetensorsReader, OverlapsNameBothTensorsAndGapsTheirSize) {
    EXPECT_THAT(problem(safetensors(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                                    R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                    "1234")),
        HasSubstr("tensors 'a' and 'b', which overlap"));
    EXPECT_THAT(problem(safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                    R"("b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
                    "1234")),
        HasSubstr("gap of 2 bytes before the tensor 'b'"));
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})", "12"),
        HasSubstr("gap of 1 bytes before the tensor 'a'"));
}

TEST_F(SafetensorsReader, OffsetsFarBeyondTheFileAreATruncatedFile) {
    // 2^63 - 1 bytes of U8 are consistent in the header alone.
    EXPECT_THAT(entry(R"({"dtype":"U8","shape":[9223372036854775807],)"
                      R"("data_offsets":[0,9223372036854775807]})",
                    "1"),
        HasSubstr("is truncated: it has "));
}

TEST_F(SafetensorsReader, NamesInMessagesAreOneShortLine) {
    const std::string name = "line\\nbreak" + std::string(100'000, 'x');
    const std::string text = problem(safetensors("{\"" + name + "\":1}", ""));
    EXPECT_LT(text.size(), 600u);
    EXPECT_EQ(text.find('\n'), std::string::npos);
}

} // namespace
} // namespace mooring
