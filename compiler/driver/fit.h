// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"
#include "report/fit.h"

/// Does it fit, and what is the smallest change after which it does?
namespace poolwright::driver {

/// Figures and verdicts from live ranges, and for each file a plan without improvement: no search.
report::FitReport fitReport(const PreparedPtr& prepared, const std::vector<mpool::PoolFile>& files);

/// Changes after which the network has a plan in these pools, each made and planned before it is proposed. What was
/// tried in vain, and why, goes into `refused`. `request` is what `prepared` was made from (its pools do not count): an
/// input of another size is read anew from its model.
std::vector<report::Proposal> proposals(const Request& request, const PreparedPtr& prepared,
                                        const mpool::PoolFile& pools, std::vector<std::string>& refused,
                                        const Progress& progress = {}, const CancelFlag& cancel = {});

} // namespace poolwright::driver
