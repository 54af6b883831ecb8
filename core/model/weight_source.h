// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a model folder under the keys that an architecture asks for. One that is packed as
// MXFP4 is in the files as KEY_blocks [E, out, in / 32, 16] and KEY_scales [E, out, in / 32]; here
// it is KEY in bf16, [E, in, out] as unpacked files have it.
#pragma once
#include "core/files/model_folder.h"
#include <ATen/ATen.h>

namespace mooring {

// Of one immutable folder; may be read from any thread.
class WeightSource {
public:
    struct Weight {
        std::string key;
        DType dtype = DType::F32;
        std::vector<std::int64_t> shape;
        ModelFolder::Entry entry; // packed: the blocks
        ModelFolder::Entry scales; // no file where it is not packed
        bool packed() const { return scales.file != nullptr; }
        std::string file() const { return entry.file->path().string(); }
    };

    // Errors: Input where the parts of a packed weight do not fit each other.
    static Result<WeightSource> of(ModelFolder folder);

    const ModelFolder& folder() const { return m_folder; }
    const std::map<std::string, Weight>& weights() const { return m_weights; }
    const Weight* find(const std::string& key) const;
    bool packed() const { return m_folder.packedAsMxfp4(); }
    // The layout that a saved model keeps: a packed weight instead of its blocks.
    const std::vector<ModelFolder::Shard>& shards() const { return m_shards; }

private:
    explicit WeightSource(ModelFolder folder)
        : m_folder(std::move(folder)) { }
    Result<void> add(const TensorSpec& spec, ModelFolder::Shard& shard);

    ModelFolder m_folder;
    std::map<std::string, Weight> m_weights;
    std::vector<ModelFolder::Shard> m_shards;
};

at::ScalarType scalarType(DType dtype); // F32 for what is neither BF16 nor F16
bool loadable(DType dtype);

// The whole weight on the host, in its own type and shape; not packed: the mapped bytes themselves.
at::Tensor readWeight(const WeightSource::Weight& weight);
// Into a view whose sizes make up the weight's shape, in any type and on any device. Packed weights
// pass through an expert's worth of memory a thread.
void copyWeight(const WeightSource::Weight& weight, const at::Tensor& to);

} // namespace mooring
