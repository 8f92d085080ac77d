// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

/// Pieces of sentences that several texts of this room share.
namespace poolwright::report {

/// "98,400,112".
std::string grouped(std::int64_t number);

/// "1 buffer", "3 buffers".
std::string counted(std::int64_t count, const std::string& noun);

/// "a, b, c and 4 more": at most `most` names.
std::string listed(const std::vector<std::string>& names, std::size_t most = 5);

/// "epoch 3" or "epochs 3-5".
std::string epochsText(EpochRange range);

/// Number with a fixed number of decimals, in the C locale.
std::string fixed(double number, int decimals);

/// The pool's name; "(no pool)" for an index that points to none.
std::string poolName(const Report& report, int pool);

} // namespace poolwright::report
