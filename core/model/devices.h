// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/ATen.h>
#include <string>

namespace mooring {

// CUDA devices that can be used. Torch's CUDA part is loaded on the first call, and only where a driver is: on
// other machines its libraries are neither needed nor looked for.
int cudaDevices();

at::Device chooseDevice(const std::string& name); // auto, cpu, cuda:N
at::ScalarType chooseCompute(const std::string& name, const at::Device& device); // auto, fp32, bf16

} // namespace mooring
