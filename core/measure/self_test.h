// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <string>
#include <utility>
#include <vector>

namespace mooring {

// What `doctor` reports about this machine, without torch in the header: names and findings.
using Findings = std::vector<std::pair<std::string, std::string>>;
Findings describeMachine();

// Of the device of a run ("auto", "cpu", "cuda:0"). Errors: Device.
struct DeviceFigures {
    std::string name; // as the manifest has it
    double freeBytes = 0;
    double flops = 0; // floating-point operations a second of large matrix products, measured now
};
Result<DeviceFigures> measureDevice(const std::string& device, bool bf16);

// Trains a tiny random model for a few steps on made-up tokens and checks what must hold: the loss
// falls, counts add up, an expert without tokens has a zero gradient, two runs agree bit for bit. A
// few seconds.
Result<void> selfTest();

} // namespace mooring
