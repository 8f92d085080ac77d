// SPDX-License-Identifier: Apache-2.0
#include "import/finish.h"

#include "ir/edit.h"

namespace poolwright::import {

/// Only operators that move integers unchanged can read an integer tensor here (operators*.cpp), so parameters hold on
/// both sides.
static void spreadParameters(ir::Graph& graph) {
    const auto copy = [&graph](TensorId from, TensorId to) {
        if (graph[from].quantisation && !graph[to].quantisation && graph[to].type == graph[from].type)
            graph[to].quantisation = graph[from].quantisation;
    };
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node)
        for (TensorId input : node->inputs)
            if (input.isValid() && !graph[input].isConstant() && graph[input].type != ir::ElementType::Float32)
                for (TensorId output : node->outputs)
                    copy(output, input);
    for (const ir::Node& node : graph.nodes)
        if (graph[node.inputs[0]].type != ir::ElementType::Float32)
            for (TensorId output : node.outputs)
                copy(node.inputs[0], output);
}

void finish(ir::Graph& graph) {
    spreadParameters(graph);
    ir::dropUnused(graph);
    ir::makeNamesUnique(graph);
}

} // namespace poolwright::import
