// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <nlohmann/json_fwd.hpp>

/// The parts of c_info.json that are about epochs.
namespace poolwright::emit {

/// `graphs`: epochs as nodes with their operators and units as sub-nodes, edges of flow and of memory.
void addGraph(const report::Report& report, nlohmann::ordered_json& json);

/// `memory_accesses`, `power_estimates` and `ec_blobs_info`; to be called after addGraph(), which gives the nodes their
/// ids.
void addRows(const report::Report& report, nlohmann::ordered_json& json);

} // namespace poolwright::emit
