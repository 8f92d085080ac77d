// SPDX-License-Identifier: Apache-2.0
#include "passes/passes.h"

#include "ir/edit.h"
#include "passes/table.h"

#include <algorithm>

namespace poolwright::passes {

std::span<const Pass> allPasses() {
    static constexpr Pass passes[] = {
        {"fold-constants", "Evaluates operators that read constants only.", foldConstants},
        {"eliminate-no-ops", "Removes Identity, and Reshape or Transpose that change nothing.", eliminateNoOps},
        {"recognise-activations", "Joins what a model writes as several operators to one Swish, HardSwish or Gelu.",
         recogniseActivations},
        {"recognise-layer-normalization", "Joins the operators of a LayerNormalization in float.",
         recogniseLayerNormalization},
        {"fuse-scale", "Takes a Mul or Div by constants behind a Conv or Gemm of integer weights into their scales.",
         fuseScale},
        {"fuse-bias", "Makes an Add of a constant row behind a Conv or Gemm its bias.", fuseBias},
        {"fold-batch-normalization",
         "Folds a BatchNormalization into the Conv or Gemm in front of it, or makes it a depthwise Conv.",
         foldBatchNormalization},
        {"recognise-global-pool", "Makes a mean over the whole height and width a GlobalAveragePool.",
         recogniseGlobalPool},
        {"fold-qdq", "Turns DequantizeLinear, operator, QuantizeLinear into the operator on integers.", foldQdq},
        {"drop-no-op-clips", "Removes a Relu or Clip whose range the integer type enforces already.", dropNoOpClips},
        {"fuse-pad", "Moves a Pad of height and width with real zeros into the Conv behind it.", fusePad},
        {"shape-border", "Gives inputs and outputs the type and the order that the application asks for.", shapeBorder},
        {"merge-reshapes", "Makes a chain of Reshapes one.", mergeReshapes},
        {"merge-transposes", "Makes a chain of Transposes one.", mergeTransposes},
        {"eliminate-no-ops", "Removes what the passes before made a no-op.", eliminateNoOps},
        {"expand-softmax", "Makes a Softmax of operators that the units have, when an option asks for it.",
         expandSoftmax},
    };
    return passes;
}

static bool isOmitted(const Pass& pass, const Options& options) {
    return std::find(options.omit.begin(), options.omit.end(), pass.name) != options.omit.end();
}

/// Later stages take nothing but a folded graph; a name that means nothing is most likely one of the vendor's passes.
static Result<void> checkOmitted(const Options& options, Diagnostics& diagnostics) {
    for (const std::string& name : options.omit) {
        const auto passes = allPasses();
        const bool known =
            std::any_of(passes.begin(), passes.end(), [&](const Pass& pass) { return name == pass.name; });
        if (name == "fold-qdq")
            return fail(makeError("PW2104",
                                  "the pass fold-qdq cannot be left out: the stages behind it read quantised graphs"));
        if (!known)
            diagnostics.push_back(makeWarning("PW2105", "there is no pass '" + name + "' to leave out"));
    }
    return {};
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
    if (const auto checked = checkOmitted(options, diagnostics); !checked)
        return fail(checked.error());
    Context context{options, diagnostics};
    Result<ir::Graph> result = std::move(graph);
    for (const Pass& pass : allPasses()) {
        if (isOmitted(pass, options))
            continue;
        result = runOne(pass, std::move(*result), context);
        if (!result)
            return result;
    }
    ir::makeNamesUnique(*result);
    return result;
}

} // namespace poolwright::passes
