// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_test.h"
#include "core/model/devices.h"
#include <chrono>

namespace mooring {

namespace {

// Reading a number back waits for the device.
void wait(const at::Tensor& t) {
    (void)t.select(0, 0).select(0, 0).item<float>();
}

} // namespace

Result<DeviceFigures> measureDevice(const std::string& name, bool bf16) {
    MOORING_TRY(const auto device, findDevice(name));
    at::NoGradGuard guard;
    const std::int64_t n = device.is_cpu() ? 1024 : 8192;
    const auto a = at::ones({n, n}, at::TensorOptions().device(device))
                       .to(bf16 ? at::kBFloat16 : at::kFloat);
    wait(at::mm(a, a)); // the first call of a shape compiles its kernel
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    int products = 0;
    double seconds = 0;
    while (seconds < 0.4 && products < 1000) {
        wait(at::mm(a, a));
        ++products;
        seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    const double each
        = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    return DeviceFigures{device.str(), freeMemory(device), products * each / seconds};
}

} // namespace mooring
