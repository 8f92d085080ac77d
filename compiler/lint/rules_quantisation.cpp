// SPDX-License-Identifier: Apache-2.0
#include "lint/view.h"

#include <algorithm>
#include <cctype>

namespace poolwright::lint {

namespace {

/// All extents but that of the axis are 1.
bool isVector(const View& view, const ir::Node& node) {
    const ir::Shape& shape = view.inputShape(node);
    const std::int64_t axis = node.integer("axis", -1);
    const std::size_t along = std::size_t(axis < 0 ? axis + std::int64_t(shape.size()) : axis);
    return along < shape.size() && ir::elementCount(shape) == shape[along];
}

std::vector<Finding> softmaxes(const View& view, bool last) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Softmax)) {
        const bool isLast = isVector(view, *node) && view.reachesOutput(node->outputs.front());
        if (isLast != last)
            continue;
        if (last)
            found.push_back({node->name, "a Softmax runs in software",
                             "--expand-softmax puts it on hardware: the largest value keeps its place, small "
                             "probabilities lose precision; --expand-softmax-full is more exact and slower; each "
                             "prints its error"});
        else
            found.push_back({node->name, "a Softmax over more than one vector, or inside the network, runs in software",
                             "--expand-softmax-full puts it on hardware with the precision that values used "
                             "further need, and prints its error; the short expansion is meant for a classifier's "
                             "last layer"});
    }
    return found;
}

} // namespace

std::vector<Finding> lastSoftmax(const View& view) {
    return softmaxes(view, true);
}

std::vector<Finding> innerSoftmax(const View& view) {
    return softmaxes(view, false);
}

std::vector<Finding> floatSlopes(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::PRelu)) {
        const ir::Tensor& slope = view.tensor(node->inputs[1]);
        const bool quantised = slope.isQuantised() || view.parametersBefore(node->inputs[1]);
        if (view.parametersBefore(node->inputs[0]) && !quantised)
            found.push_back({node->name, "the slope is float among integers: a software epoch in the vendor's tool",
                             "quantise the slope too (a DequantizeLinear in front of it)"});
    }
    return found;
}

std::vector<Finding> mixedConcats(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Concat)) {
        const ir::Quantisation* whole = view.parametersBehind(node->outputs.front());
        std::int64_t moved = 0;
        int differing = 0;
        for (TensorId input : node->inputs) {
            const ir::Quantisation* part = view.parametersBefore(input);
            if (!whole || !part || *part == *whole)
                continue;
            moved += ir::elementCount(view.tensor(input).shape);
            ++differing;
        }
        if (differing > 0)
            found.push_back({node->name,
                             std::to_string(differing) + " of " + std::to_string(node->inputs.size()) +
                                 " inputs have another scale or zero point than the result: a requantising copy of " +
                                 std::to_string(moved) + " bytes",
                             "tie the scales of the inputs and the output when quantising"});
    }
    return found;
}

std::vector<Finding> unsignedActivations(const View& view) {
    const ir::Graph& graph = view.graph();
    std::string first;
    int count = 0;
    for (const ir::Node& node : graph.nodes) {
        const bool quantises =
            node.kind == ir::OpKind::Quantize && graph[node.outputs.front()].type == ir::ElementType::UInt8;
        if (quantises && count++ == 0)
            first = node.name;
    }
    if (count == 0)
        return {};
    return {{first,
             std::to_string(count) + (count == 1 ? " activation is" : " activations are") +
                 " unsigned 8-bit; the vendor's tool requires signed ones",
             "quantise activations to int8; here they are taken as int8 with a zero point 128 lower"}};
}

/// "net_OE_3_2_0.onnx": the mark of the vendor's front end.
std::vector<Finding> preprocessedFiles(const View& view) {
    const std::size_t mark = view.fileName().find("_OE_");
    const bool isVersion = mark != std::string::npos && mark + 4 < view.fileName().size() &&
                           std::isdigit(static_cast<unsigned char>(view.fileName()[mark + 4]));
    if (!isVersion)
        return {};
    return {{"", "the file was made by the vendor's front end, which would preprocess it a second time",
             "give the front end the original model; this file goes to the compiler itself, with its _Q.json"}};
}

} // namespace poolwright::lint
