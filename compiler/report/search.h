// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"

#include <string>
#include <vector>

/// What a search over options tried, as views show it.
namespace poolwright::report {

struct SearchRow {
    int number = 0;
    std::string label;       ///< the options that were varied
    std::string commandLine; ///< all options: compiling with them gives these figures
    std::string state;       ///< "placed", "same epochs as 3", "pruned: bound", "failed"
    std::string note;        ///< why it was not placed, or why buffers have no place
    bool placed = false, fits = false;
    double milliseconds = 0; ///< calibrated estimate
    Cycles vendorCycles = 0;
    ByteCount spilled, peak, unplaced;
    int hw = 0, hybrid = 0, sw = 0;
    std::string pools; ///< "npuRAM5=458744, octoFlash=1234"
    bool operator==(const SearchRow&) const = default;
};

/// Best first; rows that were not placed last.
struct SearchTable {
    std::vector<SearchRow> rows;
    bool operator==(const SearchTable&) const = default;
};

} // namespace poolwright::report
