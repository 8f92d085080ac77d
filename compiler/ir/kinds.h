// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <optional>
#include <span>
#include <string_view>

/// What every stage needs to know of an operator kind, in one table.
namespace poolwright::ir {

enum class Effect {
    Moves,    ///< every output element is an input element: any type, parameters stay
    Clamps,   ///< as Moves, cut to a range of reals
    Computes, ///< makes new reals
    Decides,  ///< makes truth values, indices or plain numbers from them
};

struct KindTraits {
    OpKind kind;
    const char* name; ///< ONNX spelling
    std::size_t leastInputs, mostInputs;
    Effect effect;
};

inline constexpr std::size_t unboundedInputs = std::size_t(-1);

const KindTraits& traitsOf(OpKind kind);
std::span<const KindTraits> allKinds();                 ///< in the order of the enumeration
std::optional<OpKind> kindNamed(std::string_view name); ///< by ONNX spelling

} // namespace poolwright::ir
