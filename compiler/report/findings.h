// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

/// What a person should know about a report before anything else, computed from any report, whoever made it.
namespace poolwright::report {

enum class FindingKind {
    DoesNotFit,  ///< buffers without a place
    SharedBytes, ///< design invariant 1 broken: two live buffers share bytes though neither aliases the other
    OutsidePool, ///< design invariant 2 broken: outside the pool, in its reserved tail, or written in a read-only pool
    ExternalSpill,  ///< activations in a pool outside the chip; one finding a pool. Weights there are no spill
    SoftwareEpochs, ///< epochs that run on the CPU, wholly or in part
    NearlyFullPool  ///< 95 % of an internal pool, or more, is used
};

/// The same as a diagnostic (PW5040 to PW5045 in the order of FindingKind) with what it is about, for views that link
/// to it.
struct Finding {
    FindingKind kind = FindingKind::ExternalSpill;
    Diagnostic diagnostic;
    int pool = -1;
    std::vector<int> buffers, epochs;
    ByteCount bytes;
    bool operator==(const Finding&) const = default;
};

/// Gravest first.
std::vector<Finding> findings(const Report& report);

} // namespace poolwright::report
