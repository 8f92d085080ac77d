// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <optional>

/// What is different between two reports of the same network. Buffers and epochs are matched by name; where a name
/// repeats, by its n-th use.
namespace poolwright::report {

struct Moved {
    std::string buffer, kind;
    ByteCount size;               ///< in B
    EpochRange live;              ///< in B
    std::string fromPool, toPool; ///< "" where it has no place
    Address from, to;
    bool changedPool() const { return fromPool != toPool; }
    bool operator==(const Moved&) const = default;
};

struct Resized {
    std::string buffer;
    ByteCount from, to;
    bool operator==(const Resized&) const = default;
};

struct EpochChange {
    std::string name;
    int from = -1, to = -1; ///< ordinals; -1: not in that report
    std::string fromKind, toKind;
    std::int64_t fromCycles = 0, toCycles = 0; ///< vendor cycles
    bool operator==(const EpochChange&) const = default;
};

struct TotalChange {
    std::string name; ///< "weights_bytes", ...: the key of the report's JSON
    double from = 0, to = 0;
    bool operator==(const TotalChange&) const = default;
};

struct Difference {
    std::vector<Moved> moved; ///< other pool or other address, pool changes first
    std::vector<Resized> resized;
    std::vector<std::string> addedBuffers, removedBuffers;
    std::vector<EpochChange> epochs;
    std::vector<std::string> addedOptions, removedOptions;
    std::vector<TotalChange> totals;           ///< only those that differ
    std::int64_t fromCycles = 0, toCycles = 0; ///< vendor totals, always given
    /// Why the cycle totals alone do not say which is better; empty when nothing speaks against them.
    std::string note;

    bool isEmpty() const {
        return moved.empty() && resized.empty() && addedBuffers.empty() && removedBuffers.empty() && epochs.empty() &&
               addedOptions.empty() && removedOptions.empty() && totals.empty();
    }
};

Difference difference(const Report& a, const Report& b);

std::string toText(const Difference& difference);
std::string toJson(const Difference& difference);

} // namespace poolwright::report
