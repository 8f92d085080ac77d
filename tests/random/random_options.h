// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/options.h"

#include <functional>
#include <string>
#include <vector>

namespace poolwright::test {

/// A whole number between `low` and `high`, both included.
using Pick = std::function<unsigned(unsigned low, unsigned high)>;

/// Options that change what is built, each with its own odds; native float and the verifiers are always on.
options::CompilerOptions randomOptions(const Pick& pick);

/// Of mpools/, without ending.
extern const std::vector<std::string> poolFiles;

} // namespace poolwright::test
