// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/devices.h"
#include "core/base/memory.h"
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

namespace mooring {

namespace {

// The driver library indicates a GPU; torch's part registers itself when it is loaded.
bool loadCuda() {
    if (!::dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL))
        return false;
    return ::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr;
}

} // namespace

int cudaDevices() {
    static const bool kLoaded = loadCuda();
    return kLoaded && at::hasCUDA() ? static_cast<int>(at::detail::getCUDAHooks().deviceCount())
                                    : 0;
}

Result<at::Device> findDevice(const std::string& name) {
    if (name == "cpu" || (name == "auto" && cudaDevices() == 0))
        return at::Device(at::kCPU);
    if (name == "auto")
        return at::Device(at::kCUDA, 0);
    const bool numbered = name.starts_with("cuda:") && name.size() > 5 && name.size() < 9
        && name.find_first_not_of("0123456789", 5) == std::string::npos;
    if (numbered && std::stoi(name.substr(5)) < cudaDevices())
        return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(std::stoi(name.substr(5))));
    return Error{ErrorCode::Device, "the device '" + name + "' does not exist", "device",
        "use \"cpu\" or \"auto\""};
}

double freeMemory(const at::Device& device) {
    if (device.is_cpu())
        return availableMemory();
    // The runtime came with torch's CUDA part; this program is not linked with it.
    using MemGetInfo = int (*)(std::size_t*, std::size_t*);
    const auto memGetInfo = reinterpret_cast<MemGetInfo>(::dlsym(RTLD_DEFAULT, "cudaMemGetInfo"));
    std::size_t free = 0, total = 0;
    return memGetInfo && memGetInfo(&free, &total) == 0 ? static_cast<double>(free) : 0;
}

at::ScalarType chooseCompute(const std::string& name, const at::Device& device) {
    if (name == "auto")
        return device.is_cpu() ? at::kFloat : at::kBFloat16;
    return name == "bf16" ? at::kBFloat16 : at::kFloat;
}

} // namespace mooring
