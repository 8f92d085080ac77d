// SPDX-License-Identifier: Apache-2.0
#include "lower/activation.h"

#include "lower/copy.h"
#include "lower/streams.h"
#include "lower/tail.h"
#include "reference/reference.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using program::TensorView;

/// Index of the one input that is no constant; the number of inputs when others vary too.
std::size_t operandOf(const ir::Graph& graph, const ir::Node& node) {
    std::size_t operand = node.inputs.size();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ir::Tensor& tensor = graph[node.inputs[i]];
        if (tensor.isConstant() && tensor.elements() == 1)
            continue;
        if (operand != node.inputs.size() || tensor.isConstant())
            return node.inputs.size();
        operand = i;
    }
    return operand;
}

/// A byte of the result as the unit should give it.
bool isByteResult(const ir::Tensor& tensor) {
    return isByteTensor(tensor) || tensor.type == ir::ElementType::Bool;
}

Refusal refuseFunction(const ir::Graph& graph, const ir::Node& node, std::size_t operand) {
    if (operand == node.inputs.size())
        return "a table serves one activation and single numbers; make the other operands constants";
    const ir::Tensor& x = graph[node.inputs[operand]];
    if (!isByteTensor(x) || !isByteResult(graph[node.outputs[0]]))
        return "units take 8-bit tensors with one scale; quantise input and output to int8";
    if (x.elements() != graph[node.outputs[0]].elements())
        return "a table keeps the number of elements; expand the input first";
    return {};
}

Result<Refusal> lowerFunction(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const std::size_t operand = operandOf(context.graph, node);
    if (const Refusal refusal = refuseFunction(context.graph, node, operand); !refusal.empty())
        return refusal;
    const Chain chain = context.fusion.chainOf(id);
    TensorView x = context.view(node.inputs[operand]);
    const TensorView y = context.outputView(chain.output);
    if (const auto seen = broadcast(x, y.shape))
        x = *seen;
    std::optional<program::ActivConfig> function = chain.ending.function; // of the whole chain, this node included
    if (!function) {
        auto table = tableOf(context.graph, node, operand, x, y);
        if (!table)
            return Refusal(table.error().front().message + "; quantise input and output to int8");
        const auto fit = fitFunction(*table);
        if (!fit)
            return Refusal(
                "no table of the activation unit comes within 1 step of this curve; widen the output's scale");
        function = fit->config;
    }
    const Nest nest = nestOf(x.shape, {x.strides, y.strides}, 1, 1);
    if (!fitsEngine(nest))
        return Refusal("the layouts differ in more loops than a stream engine has; keep the tensor in one layout");
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(engineOf(nest, 0, x, program::Direction::FromMemory), node.name + "_in");
    const int unit = builder.addActiv(*function, node.name, ir::opKindName(node.kind));
    builder.link(in, unit);
    const int last = appendTail(builder, unit, {}, y.type == ir::ElementType::UInt8, node.name);
    const int out = builder.addStream(engineOf(nest, 1, y, program::Direction::ToMemory), node.name + "_out");
    builder.link(last, out);
    return addEpoch(context, id, builder);
}

} // namespace

Result<ByteTable> tableOf(const ir::Graph& graph, const ir::Node& node, std::size_t operand, const TensorView& x,
                          const TensorView& y) {
    std::size_t rank = 1;
    for (TensorId input : node.inputs)
        rank = std::max(rank, graph[input].shape.size());
    ir::Shape shape(rank, 1);
    shape.back() = 256;
    reference::Value all{x.type, shape, x.quantisation, {}};
    for (int value = -128; value < 128; ++value)
        all.bytes.push_back(std::uint8_t(value));
    std::vector<reference::Value> constants(node.inputs.size());
    std::vector<const reference::Value*> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (i != operand)
            constants[i] = reference::constantValue(graph[node.inputs[i]]);
        inputs.push_back(i == operand ? &all : &constants[i]);
    }
    auto results = reference::evaluate(node.kind, node.attributes, inputs, {{y.type, shape, y.quantisation}});
    if (!results)
        return tl::unexpected(results.error());
    ByteTable table{};
    const int offset = y.type == ir::ElementType::UInt8 ? 128 : 0;
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = std::int8_t(int(results->front().bytes[i]) - offset);
    return table;
}

Result<Refusal> lowerActivation(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (node.kind != ir::OpKind::Relu && node.kind != ir::OpKind::Clip)
        return lowerFunction(context, id);
    if (!isByteTensor(context.graph[node.inputs[0]]) || !isByteTensor(context.graph[node.outputs[0]]))
        return Refusal("units take 8-bit tensors with one scale; quantise input and output to int8");
    const TensorView x = context.view(node.inputs[0]);
    const TensorView y = context.outputView(node.outputs[0]);
    auto work = requantiseWork(context, node.name, x, y, clampOf(node, context.graph[node.outputs[0]]));
    if (!work)
        return Refusal(work.error().front().message);
    context.addStep(id, {context.hardwareEpoch(id, std::move(*work))});
    return Refusal();
}

} // namespace poolwright::lower
