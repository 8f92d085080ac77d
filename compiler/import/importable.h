// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

/// Which operators the front end reads: the table of readers with what a user of the compiler wants to know of each.
namespace poolwright::import {

struct ImportableOperator {
    std::string domain; ///< empty: ai.onnx
    std::string opType;
    int firstOpset = 7, lastOpset = 21; ///< of the default domain in which the operator exists
    /// What it may become in the graph, Quantize, Dequantize, Requantize and Reshape around it aside. Empty: a
    /// constant, computed at import.
    std::vector<ir::OpKind> kinds;
    bool isComposed = false; ///< of several kinds with results in between that nothing quantises: software
};

/// By domain, then by name.
std::vector<ImportableOperator> importableOperators();

} // namespace poolwright::import
