// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace poolwright::cli {

/// `mpool carve`: what follows the word "carve".
int runCarve(const Arguments& arguments);

} // namespace poolwright::cli
