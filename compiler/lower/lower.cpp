// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include "lower/activation.h"
#include "lower/arith_lower.h"
#include "lower/conv_lower.h"
#include "lower/layout_lower.h"
#include "lower/pool_lower.h"
#include "lower/software.h"

namespace poolwright::lower {

namespace {

/// Every node once; who is absorbed by another one's chain has nothing to do.
Result<Refusal> lowerOnHardware(Context& context, NodeId id) {
    using ir::OpKind;
    switch (context.graph[id].kind) {
    case OpKind::Conv:
    case OpKind::Gemm:
        return lowerConv(context, id);
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
        return lowerArith(context, id);
    case OpKind::Relu:
    case OpKind::Clip:
    case OpKind::Sigmoid:
    case OpKind::HardSigmoid:
    case OpKind::HardSwish:
    case OpKind::Tanh:
        return lowerActivation(context, id);
    case OpKind::MaxPool:
    case OpKind::AveragePool:
    case OpKind::GlobalAveragePool:
        return lowerPool(context, id);
    case OpKind::Concat:
        return lowerConcat(context, id);
    case OpKind::Reshape:
    case OpKind::Transpose:
    case OpKind::Identity:
        return lowerAlias(context, id);
    case OpKind::Pad:
        return lowerPad(context, id);
    case OpKind::Resize:
        return lowerResize(context, id);
    case OpKind::Requantize:
        return lowerRequantize(context, id);
    default:
        return refuseKind(context.graph[id].kind);
    }
}

bool isReasonForSoftware(const Diagnostics& errors) {
    return errors.front().code == tooFewUnits || errors.front().code == layoutTooComplex;
}

Result<void> lowerNode(Context& context, NodeId id) {
    if (context.fusion.isAbsorbed(id))
        return {};
    const Context::Mark mark = context.mark();
    auto refusal = lowerOnHardware(context, id);
    if (!refusal && isReasonForSoftware(refusal.error()))
        refusal = refusal.error().front().message;
    if (!refusal)
        return tl::unexpected(refusal.error());
    if (refusal->empty())
        return {};
    context.rewind(mark);
    return softwareStep(context, id, *refusal);
}

} // namespace

Result<Lowered> lower(const ir::Graph& graph, const target::Machine& machine, const options::CompilerOptions& options,
                      Diagnostics& warnings, const CancelFlag& cancel) {
    (void)warnings;
    if (graph.nodes.empty())
        return fail(
            makeError("PW3004", "the network has no operator: there is nothing to compile", {"", 0, 0, graph.name}));
    Context context(graph, machine, options);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (cancel.isCancelled())
            return fail(makeError("PW3000", "cancelled"));
        if (auto done = lowerNode(context, NodeId(i)); !done)
            return tl::unexpected(done.error());
    }
    if (auto done = finishOutputs(context); !done)
        return tl::unexpected(done.error());
    for (TensorId input : graph.inputs)
        context.result.inputs.push_back(context.view(input));
    return std::move(context.result);
}

} // namespace poolwright::lower
