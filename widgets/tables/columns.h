// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"
#include "tables/tablemodel.h"

/// The tables over a report. Every function keeps the shared pointer alive in the columns it answers.
namespace poolwright::widgets::tables {

struct Table {
    std::vector<int> rows; ///< epoch or buffer index of each row
    std::vector<Column> columns;
    std::vector<int> summed;
};

Table epochs(const report::ReportPtr& report);
Table buffers(const report::ReportPtr& report);
/// One row for each epoch and pool with traffic, as the vendor's csv lays it out.
Table traffic(const report::ReportPtr& report);
/// Constants, by pool and address: what the initialiser files hold.
Table initialisers(const report::ReportPtr& report);

} // namespace poolwright::widgets::tables
