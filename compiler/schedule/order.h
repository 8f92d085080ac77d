// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "lower/lower.h"
#include "options/options.h"

#include <cstdint>
#include <vector>

/// The order in which steps run. Every order respects who reads what whom wrote; nothing here looks at pools.
namespace poolwright::schedule {

/// What the options say about the order (facts/file-formats.md section 8; meaning in resources/help/options.md).
struct Rules {
    int level = 2;             ///< 0: as the model lists its operators. 1: greedy. 2 and 3: the best of three orders
    bool alternate = false;    ///< depth first from the outputs instead
    bool smallestPeak = false; ///< searches for the smallest peak
    bool preserveInputs = false;
    bool operator==(const Rules&) const = default;
};
Rules rulesOf(const options::CompilerOptions& options);

/// How good an order is without looking at pools.
struct Figures {
    std::int64_t peakBytes = 0;  ///< most activation bytes alive in one epoch
    std::int64_t byteEpochs = 0; ///< live bytes summed over epochs: what is kept long competes long for fast memory
    bool operator==(const Figures&) const = default;
    auto operator<=>(const Figures&) const = default;
};
Figures figuresOf(const lower::Lowered& lowered, const std::vector<std::size_t>& order, bool preserveInputs = false);

/// Indices of lowered.steps in the order to run them; the same for the same input.
///
/// Greedy: of the steps that are ready, the one that leaves the smallest live set; among equals the one that continues
/// what was made last, then the earlier one. Alternate: depth first from the outputs; of the branches that a step waits
/// for, the one that needs most memory beyond what it leaves runs first (Sethi and Ullman's rule for expression trees).
/// Best of three: the one of greedy, alternate and the model's own with the smallest peak, then with the fewest
/// byte-epochs; greedy unless another one is better. Smallest peak: a beam over sets of finished steps.
std::vector<std::size_t> orderOf(const lower::Lowered& lowered, const Rules& rules = {}, const CancelFlag& cancel = {});

} // namespace poolwright::schedule
