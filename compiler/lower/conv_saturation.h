// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "program/program.h"

#include <string>
#include <vector>

/// Where the 16-bit sums behind CONV_ACC can leave their range. The shift `sa` goes by the signed sum of the weights,
/// so inputs that go with the signs of the weights can exceed it (facts/numerics.md section 2); the unit then
/// saturates.
namespace poolwright::lower {

struct TapSums;

struct Saturation {
    std::string node;
    int channels = 0;         ///< output channels that can saturate
    std::int64_t outputs = 0; ///< of all output channels
    double reach = 0;         ///< largest sum that the worst channel can have, in parts of the 16-bit range
};

/// What inputs of the whole range of their type can do.
Saturation saturationOf(const std::string& node, const std::vector<TapSums>& sums, const program::TensorView& input,
                        int sa);

/// Keeps what can happen.
void noteSaturation(const Saturation& saturation, std::vector<Saturation>& found);

/// One note for a whole network, the worst convolution first; nothing when no channel can saturate.
void report(std::vector<Saturation> found, Diagnostics& notes);

} // namespace poolwright::lower
