// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <span>
#include <string>
#include <vector>

/// Graph to graph. A pass is a name, a sentence and a function; all of them stand in one table, in the order in which
/// they run.
namespace poolwright::passes {

/// --expand-softmax and --expand-softmax-full.
enum class SoftmaxForm { AsWritten, Fast, Full };

/// Types and orders that the application wants at the network's border, as written behind --input-data-type,
/// --output-data-type, --inputs-ch-position and --outputs-ch-position; empty: as the model has them.
struct Border {
    std::string inputTypes, outputTypes;         ///< "float32", "int8", "uint8", or one for each tensor: "int8,float32"
    std::string inputPositions, outputPositions; ///< "chfirst" (N, C, H, W), "chlast" (N, H, W, C)
};

struct Options {
    bool verify = false; ///< check the graph after every pass
    bool nativeFloat =
        false; ///< activations without quantisation stay float (software epochs) instead of being an error
    SoftmaxForm softmax = SoftmaxForm::AsWritten;
    bool recogniseGelu = false;  ///< also where the model rounds inside
    bool recogniseSwish = false; ///< also where the model rounds inside; HardSwish too
    std::vector<std::string>
        omit; ///< passes to leave out, by name; "fold-qdq" cannot be (PW2104), unknown names are warned of (PW2105)
    Border border{}; ///< what shape-border does
};

struct Context {
    const Options& options;
    Diagnostics& diagnostics; ///< warnings and notes
};

struct Pass {
    const char* name;    ///< "fold-qdq": for messages, dumps and --onnx-omit-opt
    const char* summary; ///< one sentence
    Result<ir::Graph> (*run)(ir::Graph graph, Context& context);
};

std::span<const Pass> allPasses();

/// Runs all passes on an imported graph. The answer is the quantised graph:
/// - every operator on integers has `quantisation` set on its inputs and its output, one scale each, all int8;
/// - operators that only move, select or clamp values (Relu, Clip, MaxPool, Reshape, Transpose, Pad, Concat, nearest
/// Resize) have equal
///   parameters on both sides, a Requantize stands where the model changes them;
/// - Conv and Gemm have int8 weights (axis 0 when per channel) and an int32 bias with scales s_in * s_w, or a float32
/// bias that does not fit
///   into 32 bits; constant operands of Add, Sub and Mul are int8 with one scale;
/// - Quantize and Dequantize stand only where float begins or ends; unsigned 8-bit graph inputs and outputs keep their
/// type behind a
///   Requantize.
/// Errors: PW21xx, among them PW2101, one for all activations that would stay float.
Result<ir::Graph> runPasses(ir::Graph graph, const Options& options, Diagnostics& diagnostics);

} // namespace poolwright::passes
