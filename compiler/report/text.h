// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <string>

namespace poolwright::report {

/// What `poolwright-cli report` prints: verdict, findings, a line a pool, totals, epochs, estimate. Lines of at most
/// 120 characters but for findings.
std::string summaryText(const Report& report);

/// The epochs as comma-separated values with a heading: ordinal, name, kind, cycles, bytes moved, bound, reason.
std::string epochsCsv(const Report& report);

/// The buffers as comma-separated values with a heading: name, kind, pool, address, offset, size, first and last epoch.
std::string buffersCsv(const Report& report);

} // namespace poolwright::report
