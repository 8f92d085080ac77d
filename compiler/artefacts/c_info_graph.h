// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>

/// The part of the c_info reader that turns nodes, accesses and power rows into epochs.
namespace poolwright::artefacts {

/// The file's ids -> indices in the report.
struct CInfoIds {
    const std::map<std::int64_t, int>& pools;
    const std::map<std::int64_t, int>& buffers;
};

/// Fills epochs (traffic, cycles, operators, units) and marks input, output and scratch buffers.
void readGraph(const nlohmann::json& root, const CInfoIds& ids, report::Report& report);

} // namespace poolwright::artefacts
