// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

/// Explanations of a buffer's place and of what bounds an epoch, from the report's values alone.
namespace poolwright::report {

std::string whyBuffer(const Report& report, int buffer);
std::string whyEpoch(const Report& report, int epoch);

/// By name of a buffer, of an epoch ("epoch_3", its name, its number) or of an operator (answers its epochs). Error:
/// PW5050 with the nearest names as hint.
Result<std::string> why(const Report& report, const std::string& name);

} // namespace poolwright::report
