// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    const auto path = fuzz::folder().write("model.safetensors", fuzz::textOf(data, size));
    const auto file = SafetensorsFile::open(path);
    if (!file)
        return 0;
    std::size_t sum = 0;
    for (const TensorInfo& tensor : (*file)->tensors())
        for (const std::byte byte : (*file)->bytes(tensor))
            sum += std::to_integer<std::size_t>(byte);
    return sum == 1 && (*file)->metadata().size() == 12345 ? 1 : 0; // every byte was read
}
