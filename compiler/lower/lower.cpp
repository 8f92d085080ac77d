// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include "lower/hardware.h"
#include "lower/layout_lower.h"
#include "lower/software.h"
#include "program/unfit.h"

namespace poolwright::lower {

namespace {

Result<Refusal> lowerOnHardware(Context& context, NodeId id) {
    const ir::OpKind kind = context.graph[id].kind;
    const HardwareLowering lowering = hardwareLowering(kind);
    return lowering ? lowering(context, id) : Result<Refusal>(refuseKind(kind));
}

bool isReasonForSoftware(const Diagnostics& errors) {
    return errors.front().code == tooFewUnits || errors.front().code == layoutTooComplex;
}

/// What the units cannot hold of the steps made since `mark`; the rest of the rules is the verifier's.
Refusal unfitSince(Context& context, const Context::Mark& mark) {
    program::Program program;
    program.machine = context.machine;
    std::swap(program.buffers, context.result.buffers);
    Refusal refusal;
    for (std::size_t step = mark.steps; step < context.result.steps.size() && refusal.empty(); ++step)
        for (const program::Epoch& epoch : context.result.steps[step].epochs)
            if (const program::HardwareWork* work = epoch.hardware())
                if (const Diagnostics unfit = program::unfitUnits(program, *work); !unfit.empty())
                    refusal = "the units cannot hold its numbers (" + unfit.front().message +
                              "); quantise with scales that lie closer together";
    std::swap(program.buffers, context.result.buffers);
    return refusal;
}

Result<void> lowerNode(Context& context, NodeId id) {
    const Context::Mark mark = context.mark();
    const auto saturations = std::ptrdiff_t(context.saturations.size());
    auto refusal = lowerOnHardware(context, id);
    if (!refusal && isReasonForSoftware(refusal.error()))
        refusal = refusal.error().front().message;
    if (!refusal)
        return tl::unexpected(refusal.error());
    if (refusal->empty())
        refusal = unfitSince(context, mark);
    if (refusal->empty())
        return {};
    context.rewind(mark);
    context.saturations.erase(context.saturations.begin() + saturations, context.saturations.end());
    if (!context.fusion.chainOf(id).stages.empty()) { // without them, then
        context.fusion.shorten(id, 0);
        return lowerNode(context, id);
    }
    for (TensorId input : context.graph[id].inputs)
        if (input.isValid())
            if (auto done = context.putTogether(input, id); !done)
                return done;
    return softwareStep(context, id, *refusal);
}

/// What is due at this place of the graph's order; who is absorbed by another one's chain has nothing to do.
Result<void> lowerPlace(Context& context, NodeId place) {
    const NodeId anchor = context.fusion.dueAt(place);
    if (!anchor.isValid())
        return {};
    const std::vector<NodeId> chain = context.fusion.chainOf(anchor).absorbed();
    if (auto done = lowerNode(context, anchor); !done)
        return done;
    // Nodes that the chain had to let go, up to here: the rest comes to its own places.
    for (NodeId node : chain)
        if (node <= place && !context.fusion.isAbsorbed(node))
            if (auto done = lowerNode(context, node); !done)
                return done;
    return {};
}

} // namespace

Result<Lowered> lower(const ir::Graph& graph, const target::Machine& machine, const options::CompilerOptions& options,
                      Diagnostics& warnings, const CancelFlag& cancel) {
    if (graph.nodes.empty())
        return fail(
            makeError("PW3004", "the network has no operator: there is nothing to compile", {"", 0, 0, graph.name}));
    Context context(graph, machine, options);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (cancel.isCancelled())
            return fail(makeError("PW3000", "cancelled"));
        if (auto done = lowerPlace(context, NodeId(i)); !done)
            return tl::unexpected(done.error());
    }
    if (auto done = finishOutputs(context); !done)
        return tl::unexpected(done.error());
    for (TensorId input : graph.inputs)
        context.result.inputs.push_back(context.view(input));
    report(std::move(context.saturations), warnings);
    report(graph, context.concats.choices, warnings);
    return std::move(context.result);
}

} // namespace poolwright::lower
