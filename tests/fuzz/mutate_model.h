// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/dice.h"

#include <string>

namespace poolwright::fuzz {

/// An ONNX file changed in its meaning: extents, attributes, element types, operators, connections, removed and doubled
/// nodes, payloads that do not have the length their shape says, huge sizes, opsets; and now and then in single bytes.
std::string mutateModel(const std::string& bytes, Dice& dice);

} // namespace poolwright::fuzz
