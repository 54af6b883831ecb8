// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <ATen/ATen.h>
#include <string>

namespace mooring {

// CUDA devices that can be used. Torch's CUDA part is loaded on the first call, and only if there
// is a driver; on other machines its libraries are not needed.
int cudaDevices();

// auto, cpu or cuda:N; a missing device is an Error (Device).
Result<at::Device> findDevice(const std::string& name);
// What can still be taken; of a GPU what its runtime says. 0: unknown.
double freeMemory(const at::Device& device);
at::ScalarType chooseCompute(const std::string& name, const at::Device& device); // auto, fp32, bf16

} // namespace mooring
