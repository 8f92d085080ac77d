// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/table.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

/// One value for each output channel (or one for all), whatever ones stand around them.
bool isChannelRow(const ir::Shape& shape, const ir::Shape& output) {
    const std::size_t channelFromEnd = output.size() == 4 ? 3 : 1;
    for (std::size_t i = 1; i <= shape.size(); ++i) {
        const std::int64_t extent = shape[shape.size() - i];
        if (extent != 1 && (i != channelFromEnd || extent != output[1]))
            return false;
    }
    return shape.size() <= output.size();
}

/// Index of the operand that is a constant row, when the other one is a Conv or Gemm that nobody else reads; else -1.
int biasOperand(const ir::Graph& graph, const ir::Uses& uses, const ir::Node& add) {
    for (int row = 0; row < 2; ++row) {
        const TensorId x = add.inputs[std::size_t(1 - row)];
        const NodeId producer = uses.producer[std::size_t(x.index)];
        const ir::Tensor& constant = graph[add.inputs[std::size_t(row)]];
        if (!constant.isConstant() || !producer.isValid() || uses.consumers[std::size_t(x.index)].size() != 1)
            continue;
        const ir::OpKind kind = graph[producer].kind;
        const bool isOutput = std::find(graph.outputs.begin(), graph.outputs.end(), x) != graph.outputs.end();
        const bool isDense = kind == ir::OpKind::Conv || kind == ir::OpKind::ConvTranspose || kind == ir::OpKind::Gemm;
        const auto& operands = graph[producer].inputs;
        const bool hasComputedBias = operands.size() > 2 && operands[2].isValid() && !graph[operands[2]].isConstant();
        if (isDense && !isOutput && !hasComputedBias && isChannelRow(constant.shape, graph[x].shape))
            return row;
    }
    return -1;
}

void fuse(ir::Graph& graph, NodeId target, const ir::Node& add, const ir::Tensor& row) {
    const auto channels = std::size_t(graph[graph[target].outputs[0]].shape[1]);
    std::vector<double> values = ir::realsOf(row);
    if (values.size() == 1)
        values.assign(channels, values[0]);
    ir::Node& dense = graph[target];
    if (dense.inputs.size() > 2 && dense.inputs[2].isValid()) {
        const std::vector<double> bias = ir::realsOf(graph[dense.inputs[2]]);
        for (std::size_t c = 0; c < channels; ++c)
            values[c] += bias[c];
    }
    const TensorId bias = graph.addTensor(ir::makeFloatConstant(row.name + "_bias", {std::int64_t(channels)}, values));
    dense.inputs = {dense.inputs[0], dense.inputs[1], bias};
    dense.outputs = add.outputs;
    dense.originalNames.insert(dense.originalNames.end(), add.originalNames.begin(), add.originalNames.end());
}

} // namespace

Result<ir::Graph> fuseBias(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    std::vector<bool> fused(graph.nodes.size(), false);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const ir::Node add = graph.nodes[n];
        const int row = add.kind == ir::OpKind::Add ? biasOperand(graph, uses, add) : -1;
        if (row < 0)
            continue;
        const TensorId x = add.inputs[std::size_t(1 - row)];
        fuse(graph, uses.producer[std::size_t(x.index)], add, ir::Tensor(graph[add.inputs[std::size_t(row)]]));
        fused[n] = true;
    }
    std::size_t next = 0;
    std::erase_if(graph.nodes, [&](const ir::Node&) { return fused[next++]; });
    return graph;
}

} // namespace poolwright::passes
