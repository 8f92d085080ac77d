// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

/// ONNX files to graphs. Two styles come in: QDQ models (every parameter in QuantizeLinear/DequantizeLinear nodes) and
/// the vendor's OE pair (weights as floats on an integer grid whose scales stand in a `_Q.json`; facts/file-formats.md
/// section 6).
namespace poolwright::import {

struct Options {
    std::filesystem::path quantisation{}; ///< the `_Q.json` of an OE model; empty: none
    bool nativeFloat = false;           ///< float weights among quantised activations are no reason to warn
    int batch = 1;                      ///< value of a symbolic first dimension of the graph inputs
    /// Shapes of graph inputs that take the place of the file's; all other shapes follow from them.
    std::map<std::string, ir::Shape> inputShapes{};
};

/// Reads a model. The graph is the float graph with Quantize and Dequantize nodes where the model has them; a Quantize
/// carries its parameters on its output tensor, a Dequantize on its input tensor. Constants that the model quantises
/// (DequantizeLinear of an initialiser, or an entry of the `_Q.json`) are integer tensors with `quantisation` set, and
/// stand for reals wherever an operator reads them; unsigned 8-bit ones are shifted to signed. Gemm and MatMul weights
/// are [N, K]. Shapes are inferred here, never read from the file. Errors (PW20xx): unreadable or foreign file, unsafe
/// sizes, unsupported operators (one error per kind, naming the first node), bad or unknown `_Q.json`. `warnings` also
/// takes notes, among them "N of M tensors quantised" (PW2090).
Result<ir::Graph> importModel(const std::filesystem::path& path, const Options& options, Diagnostics& warnings);

/// The same for bytes in memory; `name` is used in messages and as the place of diagnostics.
Result<ir::Graph> importBytes(const std::string& bytes, const std::string& name, const Options& options,
                              Diagnostics& warnings);

} // namespace poolwright::import
