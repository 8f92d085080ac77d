// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/search.h"

/// The grid that a search walks. Not for other rooms.
namespace poolwright::driver {

struct Configuration {
    SearchSpace::Split split = SearchSpace::Split::AsGiven;
    int pipe = 0;
    bool virtualPools = false, smallestPeak = false, alternate = false;
    int level = 2;
    bool operator==(const Configuration&) const = default;
};

/// Every combination; row numbers count from it.
std::vector<Configuration> configurationsOf(const SearchSpace& space);

/// `base` with the configuration's values, the search itself switched off.
options::CompilerOptions optionsOf(const options::CompilerOptions& base, const Configuration& configuration);

/// The options that the space varies, as on a command line.
std::string labelOf(const SearchSpace& space, const Configuration& configuration);

} // namespace poolwright::driver
