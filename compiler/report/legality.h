// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

namespace poolwright::report {

/// A placement that breaks design invariant 1 (`other` set: the two share `bytes` bytes) or 2 (`other` -1).
struct Violation {
    int buffer = -1, other = -1;
    ByteCount bytes;
    std::string message;
    bool operator==(const Violation&) const = default;
};

/// Invariant 1: two buffers alive in one epoch share no byte, but for aliases with exactly the same range. Invariant 2:
/// each placed buffer lies inside its pool, out of the reserved tail, and only constants lie in read-only pools. In
/// order of first live epoch; buffers that an earlier violation already covers are not compared further, so one
/// misplaced buffer gives one violation. n log n in the buffers.
std::vector<Violation> placementViolations(const Report& report);

} // namespace poolwright::report
