// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulate/compare.h"
#include "program/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What `emulate` tells about a run, for people and for scripts.
namespace poolwright::cli {

struct EmulatedTensor {
    const program::TensorView* view = nullptr;
    std::string file; ///< read from or written to; empty: random, or not kept
};

struct EmulationComparison {
    emulate::Comparison chained, isolated;
};

struct Emulation {
    std::vector<EmulatedTensor> inputs, outputs; ///< in graph order
    std::size_t inferences = 0;
    std::string outputFolder;
    std::optional<std::uint64_t> seed;
    std::string reference; ///< the model compared with
    std::optional<EmulationComparison> comparison; ///< of the first inference
};

std::string toText(const Emulation& emulation);
/// `schema_version` 1: keys may be added, none renamed.
std::string toJson(const Emulation& emulation);

} // namespace poolwright::cli
