// SPDX-License-Identifier: Apache-2.0
#include "passes/passes.h"

#include "ir/edit.h"
#include "passes/table.h"

namespace poolwright::passes {

std::span<const Pass> allPasses() {
    static constexpr Pass passes[] = {
        {"fold-constants", "Evaluates operators that read constants only.", foldConstants},
        {"eliminate-no-ops", "Removes Identity, and Reshape or Transpose that change nothing.", eliminateNoOps},
        {"fuse-bias", "Makes an Add of a constant row behind a Conv or Gemm its bias.", fuseBias},
        {"fold-batch-normalization",
         "Folds a BatchNormalization into the Conv or Gemm in front of it, or makes it a depthwise Conv.",
         foldBatchNormalization},
        {"recognise-global-pool", "Makes a mean over the whole height and width a GlobalAveragePool.",
         recogniseGlobalPool},
        {"fold-qdq", "Turns DequantizeLinear, operator, QuantizeLinear into the operator on integers.", foldQdq},
        {"drop-no-op-clips", "Removes a Relu or Clip whose range the integer type enforces already.", dropNoOpClips},
        {"fuse-pad", "Moves a Pad of height and width with real zeros into the Conv behind it.", fusePad},
        {"merge-reshapes", "Makes a chain of Reshapes one.", mergeReshapes},
        {"merge-transposes", "Makes a chain of Transposes one.", mergeTransposes},
        {"eliminate-no-ops", "Removes what the passes before made a no-op.", eliminateNoOps},
    };
    return passes;
}

static Result<ir::Graph> runOne(const Pass& pass, ir::Graph graph, Context& context) {
    Result<ir::Graph> result = pass.run(std::move(graph), context);
    if (!result)
        return result;
    ir::dropUnused(*result);
    if (!context.options.verify)
        return result;
    Diagnostics broken = ir::verify(*result);
    if (broken.empty())
        return result;
    for (Diagnostic& diagnostic : broken)
        diagnostic.hint = std::string("after pass ") + pass.name;
    return fail(std::move(broken));
}

Result<ir::Graph> runPasses(ir::Graph graph, const Options& options, Diagnostics& diagnostics) {
    Context context{options, diagnostics};
    Result<ir::Graph> result = std::move(graph);
    for (const Pass& pass : allPasses()) {
        result = runOne(pass, std::move(*result), context);
        if (!result)
            return result;
    }
    ir::makeNamesUnique(*result);
    return result;
}

} // namespace poolwright::passes
