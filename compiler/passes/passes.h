// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <span>

/// Graph to graph. A pass is a name, a sentence and a function; all of them stand in one table, in the order in which
/// they run.
namespace poolwright::passes {

struct Options {
    bool verify = false; ///< check the graph after every pass
    bool nativeFloat =
        false; ///< activations without quantisation stay float (software epochs) instead of being an error
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

/// Runs all passes on an imported graph. The answer is the quantised graph: every operator on integer tensors has
/// `quantisation` set on its inputs and output, Conv and Gemm have int8 weights (axis 0 when per channel) and an int32
/// bias with scales s_in * s_w (or a float32 bias that does not fit), Quantize and Dequantize stand only at the border
/// of quantised regions. Errors: PW21xx.
Result<ir::Graph> runPasses(ir::Graph graph, const Options& options, Diagnostics& diagnostics);

} // namespace poolwright::passes
