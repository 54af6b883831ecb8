// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a frame. The file is untrusted, so every tensor is checked against the others before it is
// used as an index.
#include "core/files/safetensors.h"
#include "core/routing/frame_file.h"
#include "core/routing/half.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace mooring {

namespace {

using Shape = std::vector<std::int64_t>;

std::string shapeText(const Shape& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

class FrameReader {
public:
    explicit FrameReader(std::shared_ptr<const SafetensorsFile> file)
        : m_file(std::move(file)) { }

    Result<FramePtr> read() {
        auto frame = std::make_shared<RoutingFrame>();
        frame->step = step();
        MOORING_RETURN_IF_ERROR(readLayers(*frame));
        std::vector<std::string> names;
        for (const TensorInfo& info : m_file->tensors())
            if (info.name.size() > kCounts.size() && info.name.ends_with(kCounts))
                names.push_back(info.name.substr(0, info.name.size() - kCounts.size()));
        if (names.empty())
            return problem("it has no probe domain", "");
        MOORING_RETURN_IF_ERROR(readSizes(names.front(), *frame));
        for (const std::string& name : names) {
            MOORING_TRY(DomainFrame domain, readDomain(name, *frame));
            frame->domains.push_back(std::move(domain));
        }
        return FramePtr(std::move(frame));
    }

private:
    static constexpr std::string_view kCounts = ".counts";

    Error problem(std::string what, const std::string& tensor) const {
        std::string where = m_file->path().string();
        if (!tensor.empty())
            where += ", tensor " + tensor;
        return {ErrorCode::Input, "not a routing frame, " + std::move(what), where,
            "use a frame that Mooring wrote"};
    }

    std::int64_t step() const {
        std::int64_t step = 0;
        if (const auto found = m_file->metadata().find("step"); found != m_file->metadata().end()) {
            const std::string& text = found->second;
            const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), step);
            if (bad == std::errc() && end == text.data() + text.size() && step >= 0)
                return step;
        }
        return frameStep(m_file->path().filename().string()).value_or(0);
    }

    // A size of -1 in `shape` takes any number.
    Result<const TensorInfo*> tensor(const std::string& name, DType dtype, const Shape& shape) {
        const TensorInfo* info = m_file->find(name);
        if (info == nullptr)
            return problem("the tensor is missing", name);
        if (info->dtype != dtype)
            return problem(std::string("it has the dtype ") + dtypeName(info->dtype) + " where "
                    + dtypeName(dtype) + " belongs",
                name);
        bool fits = info->shape.size() == shape.size();
        for (std::size_t i = 0; fits && i < shape.size(); ++i)
            fits = info->shape[i] == shape[i] || (shape[i] < 0 && info->shape[i] >= 0);
        if (!fits)
            return problem("it has the shape " + shapeText(info->shape)
                    + " where the other tensors need " + shapeText(shape),
                name);
        return info;
    }

    template <typename T>
    Result<std::vector<T>> values(const std::string& name, DType dtype, const Shape& shape) {
        MOORING_TRY(const TensorInfo* info, tensor(name, dtype, shape));
        const auto bytes = m_file->bytes(*info);
        std::vector<T> values(bytes.size() / sizeof(T));
        // The file guarantees no alignment, and an empty tensor has no address.
        if (!values.empty())
            std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }

    Result<void> readLayers(RoutingFrame& frame) {
        MOORING_TRY(const auto layers, (values<std::int64_t>("layers", DType::I64, {-1})));
        for (const std::int64_t layer : layers) {
            if (layer < 0 || layer > std::numeric_limits<int>::max()
                || (!frame.layers.empty() && layer <= frame.layers.back()))
                return problem("layer indices do not ascend from 0", "layers");
            frame.layers.push_back(static_cast<int>(layer));
        }
        if (frame.layers.empty())
            return problem("it does not list any layers", "layers");
        return {};
    }

    // E and K are those of the first domain; all others must agree.
    Result<void> readSizes(const std::string& domain, RoutingFrame& frame) {
        const std::string counts = domain + std::string(kCounts);
        MOORING_TRY(const TensorInfo* info, (tensor(counts, DType::I64, {frame.layerCount(), -1})));
        const std::int64_t experts = info->shape[1];
        if (experts < 1 || experts > std::numeric_limits<std::int16_t>::max())
            return problem("it has " + std::to_string(experts) + " experts", counts);
        frame.experts = static_cast<int>(experts);
        const std::string ids = domain + ".topk_ids";
        MOORING_TRY(info, (tensor(ids, DType::I16, {-1, frame.layerCount(), -1})));
        const std::int64_t topK = info->shape[2];
        if (topK < 1 || topK > experts)
            return problem("it has a top-k of " + std::to_string(topK), ids);
        frame.topK = static_cast<int>(topK);
        return {};
    }

    Result<DomainFrame> readDomain(const std::string& name, const RoutingFrame& frame) {
        const std::int64_t L = frame.layerCount(), E = frame.experts, K = frame.topK;
        const std::string d = name + ".";
        DomainFrame domain;
        domain.name = name;
        MOORING_TRY(domain.tokenIds_T, (values<std::int32_t>(d + "tokens", DType::I32, {-1})));
        const std::int64_t T = std::ssize(domain.tokenIds_T);
        domain.tokens = T;
        MOORING_TRY(domain.counts_LE, (values<std::int64_t>(d + "counts", DType::I64, {L, E})));
        MOORING_TRY(domain.coactivation_LEE,
            (values<std::int32_t>(d + "coactivation", DType::I32, {L, E, E})));
        MOORING_TRY(domain.probMean_LE, (values<float>(d + "prob_mean", DType::F32, {L, E})));
        MOORING_TRY(
            domain.topkIds_TLK, (values<std::int16_t>(d + "topk_ids", DType::I16, {T, L, K})));
        MOORING_TRY(
            const auto halves, (values<std::uint16_t>(d + "topk_weights", DType::F16, {T, L, K})));
        domain.topkWeights_TLK.resize(halves.size());
        std::transform(halves.begin(), halves.end(), domain.topkWeights_TLK.begin(), floatFromHalf);
        if (m_file->find(d + "overlap")) {
            MOORING_TRY(domain.overlap_L, (values<float>(d + "overlap", DType::F32, {L})));
        }
        MOORING_RETURN_IF_ERROR(checkNumbers(domain, frame));
        if (m_file->find(d + "bytes"))
            MOORING_RETURN_IF_ERROR(readText(domain));
        return domain;
    }

    Result<void> checkNumbers(const DomainFrame& domain, const RoutingFrame& frame) const {
        const std::string d = domain.name + ".";
        for (const std::int16_t id : domain.topkIds_TLK)
            if (id < 0 || id >= frame.experts)
                return problem("it names expert " + std::to_string(id) + " of "
                        + std::to_string(frame.experts),
                    d + "topk_ids");
        for (const std::int64_t count : domain.counts_LE)
            if (count < 0 || count > domain.tokens * frame.topK)
                return problem("it counts an expert " + std::to_string(count) + " times in "
                        + std::to_string(domain.tokens) + " tokens",
                    d + "counts");
        return checkPairs(domain, frame);
    }

    Result<void> checkPairs(const DomainFrame& domain, const RoutingFrame& frame) const {
        const std::size_t E = frame.experts;
        const std::string tensor = domain.name + ".coactivation";
        for (int layer = 0; layer < frame.layerCount(); ++layer) {
            const std::int32_t* pairs_EE = domain.coactivation_LEE.data() + layer * E * E;
            for (std::size_t i = 0; i < E; ++i) {
                if (pairs_EE[i * E + i] != 0)
                    return problem("its diagonal is not zero", tensor);
                for (std::size_t j = i + 1; j < E; ++j) {
                    const std::int32_t pair = pairs_EE[i * E + j];
                    if (pair < 0 || pair > domain.tokens)
                        return problem("it counts a pair " + std::to_string(pair) + " times in "
                                + std::to_string(domain.tokens) + " tokens",
                            tensor);
                    if (pair != pairs_EE[j * E + i])
                        return problem("it is not symmetric", tensor);
                }
            }
        }
        return {};
    }

    Result<void> readText(DomainFrame& domain) {
        const std::string d = domain.name + ".";
        const std::int64_t T = domain.tokens;
        MOORING_TRY(domain.span_T, (values<std::uint8_t>(d + "span", DType::U8, {T})));
        if (std::any_of(domain.span_T.begin(), domain.span_T.end(), [](auto s) { return s > 1; }))
            return problem("a span is neither 0 (Q) nor 1 (A)", d + "span");
        MOORING_TRY(domain.textOffsets, (values<std::int64_t>(d + "offsets", DType::I64, {-1})));
        MOORING_RETURN_IF_ERROR(checkOffsets(domain.textOffsets, T, d + "offsets"));
        MOORING_TRY(domain.bytes, (values<std::uint8_t>(d + "bytes", DType::U8, {-1})));
        MOORING_TRY(
            domain.byteOffsets, (values<std::int64_t>(d + "byte_offsets", DType::I64, {T + 1})));
        return checkOffsets(domain.byteOffsets, std::ssize(domain.bytes), d + "byte_offsets");
    }

    Result<void> checkOffsets(
        const std::vector<std::int64_t>& offsets, std::int64_t end, const std::string& name) const {
        if (offsets.empty() || offsets.front() != 0 || offsets.back() != end
            || !std::is_sorted(offsets.begin(), offsets.end()))
            return problem("its offsets do not ascend from 0 to " + std::to_string(end), name);
        return {};
    }

    std::shared_ptr<const SafetensorsFile> m_file;
};

} // namespace

Result<FramePtr> readFrame(const std::filesystem::path& path) {
    std::error_code unreadable;
    // A pipe would wait for a writer forever.
    if (!std::filesystem::is_regular_file(path, unreadable))
        return Error{ErrorCode::Input, "the routing frame cannot be read", path.string(),
            "check that the file exists"};
    MOORING_TRY(auto file, SafetensorsFile::open(path));
    return FrameReader(std::move(file)).read();
}

} // namespace mooring
