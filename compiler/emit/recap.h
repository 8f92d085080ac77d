// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <string>
#include <vector>

/// Mapping recap: where each operator of the network went (`--mapping-recap`).
namespace poolwright::emit {

/// One operator in one epoch; an operator split over epochs has several rows.
struct RecapRow {
    std::string name, kind;
    std::vector<std::string> originalNames;
    int epoch = 0;
    std::string epochName;
    std::string mapping; ///< "HW", "SW", "hybrid", "EC"
    std::vector<std::string>
        units;          ///< those whose node belongs to the operator; all of the epoch's when it has one operator
    std::string reason; ///< why it is not pure hardware; what bounds it otherwise
    std::int64_t macs = 0, cycles = 0; ///< cycles: the epoch's vendor estimate
};

/// In order of execution, without the pseudo epochs.
std::vector<RecapRow> recapRows(const report::Report& report);

std::string recapText(const report::Report& report);
std::string recapJson(const report::Report& report);
std::string recapCsv(const report::Report& report);

} // namespace poolwright::emit
