// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <string>

/// Graphs to ONNX in the vendor's dialect (facts/file-formats.md section 6): a float graph with quantise and dequantise
/// nodes around every operator, constants as floats on their integer grid, and the grids in a `_Q.json`.
namespace poolwright::import {

struct ExportOptions {
    std::string fileName;          ///< of the ONNX file, named by the JSON beside its MD5
    std::string toolVersion = "0"; ///< printed in the JSON's "environment"
    bool inputsUserAllocated = false, outputsUserAllocated = false;
};

struct ExportedModel {
    std::string onnx;         ///< the bytes of the model
    std::string quantisation; ///< the text of its `_Q.json`
};

/// `graph` is what passes::runPasses answers; importing both texts and running the passes gives a graph that computes
/// the same integers. The opset is 15 as in the vendor's files, or the first one that has all operators (17 with
/// LayerNormalization, 20 with Gelu, 21 with 16-bit activations). A Swish becomes Mul, Sigmoid and Mul. Fails (PW2060)
/// when the text exceeds what protobuf can write.
Result<ExportedModel> exportModel(const ir::Graph& graph, const ExportOptions& options);

/// Where the `_Q.json` of an ONNX file stands: its name without the extension, and `_Q.json`.
std::string quantisationFileName(const std::string& onnxFileName);

} // namespace poolwright::import
