// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/trial.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace poolwright::fuzz {

/// Which mutants: `count` numbers from `first` on. A number gives the same mutant in every run of the same seed.
struct Plan {
    bool models = true, texts = true;
    std::uint32_t seed = 1, first = 0, count = 1000;
    std::chrono::seconds limit{20}; ///< of one mutant
    std::filesystem::path keep;     ///< mutants that show a fault go here; empty: nowhere
};

struct Tally {
    std::int64_t mutants = 0, refused = 0, stopped = 0, done = 0, faults = 0;
    std::map<std::string, std::int64_t> codes; ///< of refusals and stops
    std::chrono::milliseconds slowest{0};
    std::string slowestLabel;
};

/// By kind. `onFault` is told each mutant that shows a fault, and what it shows.
std::map<Kind, Tally> runCampaign(const Plan& plan,
                                  const std::function<void(const std::string&, const std::string&)>& onFault);

} // namespace poolwright::fuzz
