// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors.h"
#include "core/routing/frame_file.h"
#include "tests/core/routing/frames.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mooring {
namespace {

using testing::HasSubstr;

TEST(FrameFileName, CarriesTheStepInSixDigitsAndTheBaseHasItsOwn) {
    EXPECT_EQ(frameFileName(0), "base.safetensors");
    EXPECT_EQ(frameFileName(50), "step-000050.safetensors");
    EXPECT_EQ(frameFileName(1234567), "step-1234567.safetensors");
    EXPECT_EQ(frameStep("step-1234567.safetensors"), 1234567);
    EXPECT_EQ(frameStep("base.safetensors"), 0);
}

TEST(FrameFileName, OtherNamesAreNoFrames) {
    for (const char* name : {"step-50.safetensors", "step-000000.safetensors",
             "step--00050.safetensors", "step-000050.safetensors.part", "step-.safetensors",
             "step-99999999999999999999.safetensors", "x", ""})
        EXPECT_EQ(frameStep(name), std::nullopt) << name;
}

void expectEqual(const DomainFrame& a, const DomainFrame& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.tokens, b.tokens);
    EXPECT_EQ(a.counts_LE, b.counts_LE);
    EXPECT_EQ(a.coactivation_LEE, b.coactivation_LEE);
    EXPECT_EQ(a.probMean_LE, b.probMean_LE);
    EXPECT_EQ(a.topkIds_TLK, b.topkIds_TLK);
    EXPECT_EQ(a.topkWeights_TLK, b.topkWeights_TLK); // halves in the test data
    EXPECT_EQ(a.tokenIds_T, b.tokenIds_T);
}

TEST(FrameFile, ABaseFrameReadsAsItWasWritten) {
    const TemporaryFolder folder("frame-base");
    const RoutingFrame frame = smallFrame(0);
    ASSERT_TRUE(writeFrame(folder / "base.safetensors", frame, true).ok());
    const auto read = readFrame(folder / "base.safetensors");
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ((*read)->step, 0);
    EXPECT_EQ((*read)->layers, frame.layers);
    EXPECT_EQ((*read)->experts, 4);
    EXPECT_EQ((*read)->topK, 2);
    ASSERT_EQ((*read)->domains.size(), 2u);
    for (int d = 0; d < 2; ++d) {
        const DomainFrame &a = frame.domains[d], &b = (*read)->domains[d];
        expectEqual(a, b);
        EXPECT_EQ(a.span_T, b.span_T);
        EXPECT_EQ(a.textOffsets, b.textOffsets);
        EXPECT_EQ(a.bytes, b.bytes);
        EXPECT_EQ(a.byteOffsets, b.byteOffsets);
        EXPECT_TRUE(b.overlap_L.empty());
    }
}

TEST(FrameFile, ALaterFrameCarriesItsOverlapAndStepAndNoText) {
    const TemporaryFolder folder("frame-step");
    const RoutingFrame frame = smallFrame(50);
    ASSERT_TRUE(writeFrame(folder / "any-name.safetensors", frame, false).ok());
    const auto read = readFrame(folder / "any-name.safetensors");
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ((*read)->step, 50);
    expectEqual(frame.domains[1], (*read)->domains[1]);
    EXPECT_EQ((*read)->domains[1].overlap_L, frame.domains[1].overlap_L);
    EXPECT_TRUE((*read)->domains[1].bytes.empty());
    EXPECT_FALSE(std::filesystem::exists(folder / "any-name.safetensors.part"));
}

TEST(FrameFile, HasTheTensorsAndDtypesOfTheContract) {
    const TemporaryFolder folder("frame-dtypes");
    ASSERT_TRUE(writeFrame(folder / "base.safetensors", smallFrame(0), true).ok());
    const auto file = SafetensorsFile::open(folder / "base.safetensors");
    ASSERT_TRUE(file.ok());
    const auto is = [&](const char* name, DType dtype, std::vector<std::int64_t> shape) {
        const TensorInfo* info = (*file)->find(name);
        ASSERT_NE(info, nullptr) << name;
        EXPECT_EQ(info->dtype, dtype) << name;
        EXPECT_EQ(info->shape, shape) << name;
    };
    is("layers", DType::I64, {2});
    is("math.counts", DType::I64, {2, 4});
    is("math.coactivation", DType::I32, {2, 4, 4});
    is("math.prob_mean", DType::F32, {2, 4});
    is("math.topk_ids", DType::I16, {3, 2, 2});
    is("math.topk_weights", DType::F16, {3, 2, 2});
    is("math.tokens", DType::I32, {3});
    is("math.span", DType::U8, {3});
    is("math.offsets", DType::I64, {2});
    is("math.bytes", DType::U8, {3});
    is("math.byte_offsets", DType::I64, {4});
}

TEST(FrameFile, AFolderThatIsMissingIsAnOutputError) {
    const auto written = writeFrame("/nonexistent-folder/base.safetensors", smallFrame(0), true);
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code, ErrorCode::Output);
}

TEST(FrameFile, AMissingFileAFolderAndAPipeAreErrorsThatNameThem) {
    const TemporaryFolder folder("frame-pipe");
    ASSERT_EQ(::mkfifo((folder / "pipe.safetensors").c_str(), 0600), 0);
    for (const auto& path : {folder / "absent.safetensors", folder / "pipe.safetensors",
             std::filesystem::path(folder.path())}) {
        const auto read = readFrame(path);
        ASSERT_FALSE(read.ok());
        EXPECT_EQ(read.error().code, ErrorCode::Input);
        EXPECT_THAT(read.error().message(), HasSubstr(path.string()));
    }
}

TEST(FrameFile, TruncatedAnywhereItIsAnErrorAndNeverAFrame) {
    const TemporaryFolder folder("frame-cut");
    ASSERT_TRUE(writeFrame(folder / "whole", smallFrame(0), true).ok());
    std::ifstream file(folder / "whole", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    for (std::size_t size = 0; size < bytes.size(); size += 37) {
        std::ofstream(folder / "cut", std::ios::binary) << bytes.substr(0, size);
        EXPECT_FALSE(readFrame(folder / "cut").ok()) << size;
    }
}

TEST(HostileFrame, AnyByteChangedGivesAnErrorOrAFrameThatCanBeWorkedWith) {
    const TemporaryFolder folder("frame-bytes");
    ASSERT_TRUE(writeFrame(folder / "whole", smallFrame(0), true).ok());
    std::ifstream file(folder / "whole", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::string spoilt = bytes;
        spoilt[at] = static_cast<char>(spoilt[at] ^ (at % 2 ? 0x80 : 0x01));
        std::ofstream(folder / "spoilt", std::ios::binary) << spoilt;
        if (const auto read = readFrame(folder / "spoilt"); read.ok()) {
            EXPECT_EQ(retention(**read, **read, {}).size(), (*read)->domains.size() + 1) << at;
        }
    }
}

// Writes the small base frame after `spoil` and gives the reader's message, empty where it reads.
std::string messageAfter(const std::function<void(RoutingFrame&)>& spoil) {
    const TemporaryFolder folder("frame-spoilt");
    RoutingFrame frame = smallFrame(0);
    spoil(frame);
    const auto written = writeFrame(folder / "frame", frame, true);
    EXPECT_TRUE(written.ok()) << written.error().message();
    const auto read = readFrame(folder / "frame");
    return read.ok() ? "" : read.error().message();
}

TEST(HostileFrame, AnExpertThatDoesNotExistIsNamed) {
    for (const int id : {4, -1, 32767})
        EXPECT_THAT(messageAfter([&](RoutingFrame& frame) {
            frame.domains[0].topkIds_TLK[5] = static_cast<std::int16_t>(id);
        }),
            HasSubstr("expert " + std::to_string(id) + " of 4"));
}

TEST(HostileFrame, CountsThatTheTokensCannotGiveAreRejected) {
    EXPECT_THAT(messageAfter([](auto& frame) { frame.domains[0].counts_LE[0] = -1; }),
        HasSubstr("math.counts"));
    EXPECT_THAT(messageAfter([](auto& frame) { frame.domains[0].counts_LE[0] = INT64_MAX; }),
        HasSubstr("math.counts"));
    EXPECT_THAT(messageAfter([](auto& frame) { frame.domains[1].coactivation_LEE[0] = 1; }),
        HasSubstr("diagonal"));
    EXPECT_THAT(messageAfter([](auto& frame) { frame.domains[1].coactivation_LEE[1] = 0; }),
        HasSubstr("symmetric"));
    EXPECT_THAT(messageAfter([](auto& frame) {
        frame.domains[1].coactivation_LEE[1] = frame.domains[1].coactivation_LEE[4] = 3;
    }),
        HasSubstr("chat.coactivation"));
}

TEST(HostileFrame, OffsetsAscendFromNoughtToTheEnd) {
    EXPECT_THAT(messageAfter([](auto& frame) {
        frame.domains[0].textOffsets = {0, 9};
    }),
        HasSubstr("math.offsets"));
    EXPECT_THAT(messageAfter([](auto& frame) {
        frame.domains[0].textOffsets = {0, 2, 1, 3};
    }),
        HasSubstr("math.offsets"));
    EXPECT_THAT(messageAfter([](auto& frame) {
        frame.domains[0].textOffsets = {-1, 3};
    }),
        HasSubstr("math.offsets"));
    EXPECT_THAT(messageAfter([](auto& frame) { frame.domains[0].textOffsets = {}; }),
        HasSubstr("math.offsets"));
    EXPECT_THAT(messageAfter([](auto& frame) { frame.domains[0].byteOffsets[1] = 1000; }),
        HasSubstr("math.byte_offsets"));
    EXPECT_THAT(
        messageAfter([](auto& frame) { frame.domains[0].span_T[0] = 2; }), HasSubstr("span"));
}

TEST(HostileFrame, LayersAscendAndExist) {
    EXPECT_THAT(messageAfter([](auto& frame) { frame.layers = {2, 1}; }), HasSubstr("layers"));
    EXPECT_THAT(messageAfter([](auto& frame) { frame.layers = {-1, 1}; }), HasSubstr("layers"));
    EXPECT_THAT(
        messageAfter([](auto& frame) { frame.domains.clear(); }), HasSubstr("no probe domain"));
}

// A file of zeros with the given tensors, read as a frame.
std::string messageOf(const std::vector<TensorSpec>& specs) {
    const TemporaryFolder folder("frame-shapes");
    auto writer = SafetensorsWriter::create(folder / "frame", specs);
    EXPECT_TRUE(writer.ok());
    for (const TensorSpec& spec : specs) {
        std::size_t bytes = dtypeSize(spec.dtype);
        for (const std::int64_t size : spec.shape)
            bytes *= static_cast<std::size_t>(size);
        EXPECT_TRUE(writer->write(spec.name, std::vector<std::byte>(bytes)).ok());
    }
    EXPECT_TRUE(writer->finish().ok());
    const auto read = readFrame(folder / "frame");
    return read.ok() ? "" : read.error().message();
}

std::vector<TensorSpec> oneLayer() {
    return {{"layers", DType::I64, {1}}, {"d.counts", DType::I64, {1, 3}},
        {"d.coactivation", DType::I32, {1, 3, 3}}, {"d.prob_mean", DType::F32, {1, 3}},
        {"d.topk_ids", DType::I16, {2, 1, 1}}, {"d.topk_weights", DType::F16, {2, 1, 1}},
        {"d.tokens", DType::I32, {2}}};
}

TEST(HostileFrame, EveryShapeAgreesWithLayersExpertsTokensAndTopK) {
    ASSERT_EQ(messageOf(oneLayer()), "");
    const auto wrong = [](std::size_t tensor, std::vector<std::int64_t> shape) {
        auto specs = oneLayer();
        specs[tensor].shape = std::move(shape);
        return messageOf(specs);
    };
    EXPECT_THAT(wrong(1, {2, 3}), HasSubstr("d.counts"));
    EXPECT_THAT(wrong(1, {1, 0}), HasSubstr("0 experts"));
    EXPECT_THAT(wrong(1, {1, 40000}), HasSubstr("40000 experts"));
    EXPECT_THAT(wrong(2, {1, 3, 2}), HasSubstr("d.coactivation"));
    EXPECT_THAT(wrong(3, {3, 1}), HasSubstr("d.prob_mean"));
    EXPECT_THAT(wrong(4, {3, 1, 1}), HasSubstr("d.topk_ids"));
    EXPECT_THAT(wrong(4, {2, 1, 4}), HasSubstr("top-k of 4"));
    EXPECT_THAT(wrong(4, {2, 1, 0}), HasSubstr("top-k of 0"));
    EXPECT_THAT(wrong(5, {2, 1}), HasSubstr("d.topk_weights"));
    EXPECT_THAT(wrong(6, {2, 1}), HasSubstr("d.tokens"));
    EXPECT_THAT(wrong(6, {0}), HasSubstr("d.topk_ids"));
}

TEST(HostileFrame, AMissingTensorAndAWrongDtypeAreNamed) {
    for (std::size_t i = 0; i < oneLayer().size(); ++i) {
        auto specs = oneLayer();
        specs.erase(specs.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_NE(messageOf(specs), "") << i;
    }
    auto specs = oneLayer();
    specs[4].dtype = DType::U16;
    EXPECT_THAT(messageOf(specs), HasSubstr("U16 where I16 belongs"));
}

TEST(FrameFile, ADomainWithoutTokensIsReadAsSuch) {
    auto specs = oneLayer();
    specs[4].shape = {0, 1, 1};
    specs[5].shape = {0, 1, 1};
    specs[6].shape = {0};
    EXPECT_EQ(messageOf(specs), "");
}

} // namespace
} // namespace mooring
