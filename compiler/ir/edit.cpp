// SPDX-License-Identifier: Apache-2.0
#include "ir/edit.h"

#include <algorithm>
#include <set>

namespace poolwright::ir {
namespace {

void dropUnusedNodes(Graph& graph) {
    std::vector<bool> used(graph.tensors.size(), false);
    for (TensorId output : graph.outputs)
        used[std::size_t(output.index)] = true;
    std::vector<Node> kept;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        if (std::none_of(node->outputs.begin(), node->outputs.end(),
                         [&](TensorId output) { return used[std::size_t(output.index)]; }))
            continue;
        for (TensorId input : node->inputs)
            if (input.isValid())
                used[std::size_t(input.index)] = true;
        kept.push_back(std::move(*node));
    }
    graph.nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

void compactTensors(Graph& graph) {
    std::vector<TensorId> place(graph.tensors.size());
    std::vector<Tensor> kept;
    const auto keep = [&](TensorId& id) {
        if (!id.isValid())
            return;
        TensorId& target = place[std::size_t(id.index)];
        if (!target.isValid()) {
            target = TensorId(kept.size());
            kept.push_back(std::move(graph[id]));
        }
        id = target;
    };
    std::for_each(graph.inputs.begin(), graph.inputs.end(), keep);
    for (Node& node : graph.nodes) {
        std::for_each(node.inputs.begin(), node.inputs.end(), keep);
        std::for_each(node.outputs.begin(), node.outputs.end(), keep);
    }
    std::for_each(graph.outputs.begin(), graph.outputs.end(), keep);
    graph.tensors = std::move(kept);
}

template <typename Items> void uniqueNames(Items& items) {
    std::set<std::string> taken;
    for (auto& item : items) {
        const std::string base = item.name.empty() ? "unnamed" : item.name;
        item.name = base;
        for (int i = 1; !taken.insert(item.name).second; ++i)
            item.name = base + "_" + std::to_string(i);
    }
}

} // namespace

void replaceUses(Graph& graph, TensorId from, TensorId to) {
    for (Node& node : graph.nodes)
        std::replace(node.inputs.begin(), node.inputs.end(), from, to);
    std::replace(graph.outputs.begin(), graph.outputs.end(), from, to);
}

void dropUnused(Graph& graph) {
    dropUnusedNodes(graph);
    compactTensors(graph);
}

void makeNamesUnique(Graph& graph) {
    uniqueNames(graph.tensors);
    uniqueNames(graph.nodes);
}

} // namespace poolwright::ir
