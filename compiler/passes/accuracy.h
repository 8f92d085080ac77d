// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <string>
#include <vector>

/// What a rewrite costs in accuracy, measured and said.
namespace poolwright::passes {

struct Accuracy {
    double largest = 0, mean = 0; ///< of |after - before|, in reals
    double step = 0;              ///< of the grid on which both are rounded; 0 for floats
    std::size_t values = 0;
};

/// Differences of two lists of equal length.
Accuracy accuracyOf(const std::vector<double>& before, const std::vector<double>& after, double step);

/// The note PW2106: node, what was done, and the error against the form before, over `inputs` ("all 256 inputs").
Diagnostic rewriteNote(const std::string& node, const std::string& what, const Accuracy& accuracy,
                       const std::string& inputs);

/// The note PW2107: a rewrite that was asked for and is not made, and why.
Diagnostic keptNote(const std::string& node, const std::string& why, const std::string& hint);

} // namespace poolwright::passes
