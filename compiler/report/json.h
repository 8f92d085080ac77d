// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

/// The report as JSON: the form scripts rely on (design section 5, `schema_version` 1: keys may be added, none
/// renamed).
namespace poolwright::report {

/// Pretty-printed, keys in a fixed order, numbers in the C locale, newline at the end. Bytes and cycles are integers,
/// addresses decimal integers, pools and buffers are referred to by name and by index.
std::string toJson(const Report& report);

/// True for a text that looks like toJson()'s: a JSON object with `schema_version` and `epoch_list`.
bool looksLikeReportJson(const std::string& text);

/// Reads toJson() back, all fields. Errors: PW5001 not JSON, PW5002 not a report of schema version 1.
Result<Report> fromJson(const std::string& text, const std::string& path = {});

} // namespace poolwright::report
