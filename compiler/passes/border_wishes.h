// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "passes/passes.h"

#include <optional>
#include <vector>

/// What --input-data-type and its three sisters ask of each input and output of a graph.
namespace poolwright::passes {

enum class ChannelPosition { First, Last };

struct PortWish {
    std::optional<ir::ElementType> type; ///< Float32, Int8 or UInt8
    std::optional<ChannelPosition> position;
    const char* typeOption = ""; ///< "--input-data-type": for messages

    bool isEmpty() const { return !type && !position; }
};

struct BorderWishes {
    std::vector<PortWish> inputs, outputs; ///< one for each of the graph's
};

/// One word for all tensors, or one for each, separated by commas; an empty word leaves its tensor as it is.
/// PW2111: a word that is no type or position; PW2112: more or fewer words than tensors.
Result<BorderWishes> wishesOf(const Border& border, const ir::Graph& graph);

} // namespace poolwright::passes
