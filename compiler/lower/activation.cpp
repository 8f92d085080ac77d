// SPDX-License-Identifier: Apache-2.0
#include "lower/activation.h"

#include "lower/copy.h"
#include "lower/streams.h"
#include "lower/tail.h"
#include "reference/reference.h"

namespace poolwright::lower {

namespace {

using program::TensorView;

/// The operator on all 256 bytes, as the reference computes it. Index: the byte read as a signed number, plus 128.
Result<ByteTable> tableOf(const ir::Node& node, const TensorView& x, const TensorView& y) {
    reference::Value all{x.type, {256}, x.quantisation, {}};
    for (int value = -128; value < 128; ++value)
        all.bytes.push_back(std::uint8_t(value));
    auto results = reference::evaluate(node.kind, node.attributes, {&all}, {{y.type, {256}, y.quantisation}});
    if (!results)
        return tl::unexpected(results.error());
    ByteTable table{};
    const int offset = y.type == ir::ElementType::UInt8 ? 128 : 0;
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = std::int8_t(int(results->front().bytes[i]) - offset);
    return table;
}

Result<Refusal> lowerFunction(Context& context, NodeId id, const TensorView& x, const TensorView& y) {
    const ir::Node& node = context.graph[id];
    auto table = tableOf(node, x, y);
    if (!table)
        return Refusal(table.error().front().message + "; quantise input and output to int8");
    const auto fit = fitFunction(*table);
    if (!fit)
        return Refusal("no table of the activation unit comes within 1 step of this curve; widen the output's scale");
    const Nest nest = nestOf(x.shape, {x.strides, y.strides}, 1, 1);
    if (!fitsEngine(nest))
        return Refusal("the layouts differ in more loops than a stream engine has; keep the tensor in one layout");
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(engineOf(nest, 0, x, program::Direction::FromMemory), node.name + "_in");
    const int unit = builder.addActiv(fit->config, node.name, ir::opKindName(node.kind));
    builder.link(in, unit);
    const int last = appendTail(builder, unit, {}, y.type == ir::ElementType::UInt8, node.name);
    const int out = builder.addStream(engineOf(nest, 1, y, program::Direction::ToMemory), node.name + "_out");
    builder.link(last, out);
    auto work = builder.finish();
    if (!work)
        return tl::unexpected(work.error());
    context.addStep(id, {context.hardwareEpoch(id, std::move(*work))});
    return Refusal();
}

} // namespace

Result<Refusal> lowerActivation(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (!isByteTensor(context.graph[node.inputs[0]]) || !isByteTensor(context.graph[node.outputs[0]]))
        return Refusal("units take 8-bit tensors with one scale; quantise input and output to int8");
    const TensorView x = context.view(node.inputs[0]);
    const TensorView y = context.outputView(node.outputs[0]);
    if (node.kind != ir::OpKind::Relu && node.kind != ir::OpKind::Clip)
        return lowerFunction(context, id, x, y);
    auto work = requantiseWork(context, node.name, x, y, clampOf(node, context.graph[node.outputs[0]]));
    if (!work)
        return Refusal(work.error().front().message);
    context.addStep(id, {context.hardwareEpoch(id, std::move(*work))});
    return Refusal();
}

} // namespace poolwright::lower
