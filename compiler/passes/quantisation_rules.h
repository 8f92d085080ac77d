// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <optional>
#include <vector>

namespace poolwright::passes {

/// The output holds nothing but values of the input (or bounds of a clamp, or zeros): rounding commutes with the
/// operator, so it may run on integers of either side's parameters.
bool preservesValues(const ir::Node& node);

/// False for an input that has no part in the reals, or need not: indices, conditions, what a Cast reads.
bool isDataInput(const ir::Node& node, std::size_t index);

/// Integers that stand for reals.
struct IntegerForm {
    ir::ElementType type = ir::ElementType::Int8;
    ir::Quantisation quantisation;

    bool operator==(const IntegerForm&) const = default;
};

/// Type and parameters of a quantised tensor, unsigned ones as signed ones of the same width and meaning (zero point -
/// 128 or 32768).
IntegerForm signedForm(const ir::Tensor& tensor);

/// For every activation the form under which it will be integers (8 or 16 bits), if any:
/// 1. integers in the model, and what a DequantizeLinear makes of them, have the model's parameters;
/// 2. the input of a QuantizeLinear has that one's parameters;
/// 3. these travel back through operators that preserve values, as long as nobody else reads the tensor;
/// 4. what is left behind such an operator has the parameters of its input;
/// 5. what import made between the operands of one Sum, Mean, Min or Max (attribute "partial") is 16-bit integers over
/// the range that its operands can reach, unless partial results may stay float.
enum class Partials { Float, Int16 };
std::vector<std::optional<IntegerForm>> assignForms(const ir::Graph& graph, const ir::Uses& uses, Partials partials);

} // namespace poolwright::passes
