// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

namespace poolwright::report {

/// What another pool would mean for a buffer when all others stay where they are.
struct Alternative {
    int pool = -1;
    bool isFree = false;       ///< there is room during the whole life of the buffer
    Address address;           ///< the lowest free one, on a multiple of 16
    double deltaCycles = 0;    ///< of the vendor's estimate if it lay there, whether it is free or not; below 0: faster
    ByteCount missing;         ///< of a pool that is too small, or what the longest run free all the time lacks
    std::vector<int> inTheWay; ///< buffers alive at the same time there, largest first
    std::string reason;        ///< why not, or "free"
};

/// One for each pool in which the buffer does not lie: the concrete ones that are switched on, and a virtual one when
/// only it is large enough. Buffers that share bytes with it on purpose move along. Time by the vendor's formula
/// (facts/cost-model.md section 1.3): per epoch the largest of compute and each pool's bytes x freqRatio / byteWidth,
/// the buffer's bytes spread evenly over the epochs that read or write it.
std::vector<Alternative> alternatives(const Report& report, int buffer);

} // namespace poolwright::report
