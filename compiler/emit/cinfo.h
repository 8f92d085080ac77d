// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <string>

namespace poolwright::emit {

struct CInfoOptions {
    std::string memFilePrefix = "atonbuf"; ///< pool `fname` = prefix.fname.extension
    std::string initialiserExtension = "raw";
    std::string toolVersion; ///< for reports without a version of their own
};

/// c_info.json of schema 2.0 in the shape of atonn 1.1.1: epochs are the graph's nodes, epoch controller blobs are
/// listed in ec_blobs_info (facts/file-formats.md section 3). Cycles and powers are integers, as the schema has them;
/// what it has no key for stands in node `attributes` (Name, Reason, BoundBy, ...) and in one object `poolwright` at
/// the end, so that artefacts::readCInfo() gives back all that views show. Ids count from 1 in the report's order.
std::string cInfo(const report::Report& report, const CInfoOptions& options = {});

} // namespace poolwright::emit
