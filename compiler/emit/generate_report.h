// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <cstdint>
#include <optional>
#include <string>

namespace poolwright::emit {

/// Which of the vendor's layouts of the epoch table (facts/file-formats.md section 5).
enum class ReportForm {
    V2_2, ///< one plain row an epoch
    V4_0  ///< four count lines and a boxed table in which an epoch controller blob is one range
};

struct GenerateReportOptions {
    ReportForm form = ReportForm::V4_0;
    std::string toolVersion; ///< behind "Poolwright v" in the banner
    std::string commandLine; ///< of the front end ("Parameters"); the compiler's is provenance.options
    std::optional<std::int64_t> secondsSince1970; ///< "Created date" in UTC; no date line without
};

/// SOURCE_DATE_EPOCH of the environment, when it is a number.
std::optional<std::int64_t> sourceDateEpoch();

/// `<network>_generate_report.txt`: banner, layer table, compilation details, memory usage, used ranges, epochs.
std::string generateReport(const report::Report& report, const GenerateReportOptions& options);

/// The layer table alone: one row an operator with the shape its epoch writes, the constants it reads, its
/// multiply-accumulates and the operators it reads from.
std::string layerTable(const report::Report& report);

} // namespace poolwright::emit
