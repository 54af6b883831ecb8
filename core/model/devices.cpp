// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/devices.h"
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

namespace mooring {

namespace {

// The driver library is the sign of a GPU; torch's part registers itself when it is loaded.
bool loadCuda() {
    if (!::dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL))
        return false;
    return ::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr;
}

} // namespace

int cudaDevices() {
    static const bool kLoaded = loadCuda();
    return kLoaded && at::hasCUDA() ? static_cast<int>(at::detail::getCUDAHooks().deviceCount()) : 0;
}

at::Device chooseDevice(const std::string& name) {
    if (name == "auto")
        return cudaDevices() > 0 ? at::Device("cuda:0") : at::Device("cpu");
    return at::Device(name);
}

at::ScalarType chooseCompute(const std::string& name, const at::Device& device) {
    if (name == "auto")
        return device.is_cpu() ? at::kFloat : at::kBFloat16;
    return name == "bf16" ? at::kBFloat16 : at::kFloat;
}

} // namespace mooring
