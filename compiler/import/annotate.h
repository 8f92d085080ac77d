// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "import/quantisation_file.h"
#include "ir/graph.h"

namespace poolwright::import {

/// What a `_Q.json` says beyond weights: names in the user's model, and parameters of integer activations. Those that
/// the graph gives already are compared; a difference is an error (PW2023) that names the tensor. A float
/// result that has integer parameters here, while no QuantizeLinear of the model gives it any, gets a Quantize and a
/// Dequantize.
void annotate(ir::Graph& graph, const QuantisationFile& file, Diagnostics& findings);

/// One warning (PW2024) when activations are quantised but weights of Conv or Gemm are float: most likely a `_Q.json`
/// is missing.
void warnOfFloatWeights(const ir::Graph& graph, const std::string& path, Diagnostics& warnings);

/// "N of M tensors quantised" (PW2090).
Diagnostic quantisedNote(const ir::Graph& graph, const std::string& path);

} // namespace poolwright::import
