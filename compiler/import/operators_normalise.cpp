// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "ir/kinds.h"

#include <algorithm>

/// Normalisations, and Softmax with its kin.
namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

constexpr double defaultEpsilon = double(1e-5f);

std::int64_t channelsOf(const NodeView& node) {
    requireReal(node, 0);
    if (node.shape(0).size() < 2)
        refuse("PW2046", "the input has no channel dimension");
    return node.shape(0)[1];
}

void requireChannels(const NodeView& node, int input, std::int64_t channels, const char* what) {
    requireReal(node, input);
    if (node.tensor(input).elements() != channels)
        refuse("PW2046", std::string(what) + " does not have one value for each channel");
}

void requireSoleOutput(const NodeView& node) {
    for (int i = 1; i < node.outputCount(); ++i)
        if (node.hasOutput(i) && node.context().readers.count(node.outputName(i)))
            refuse("PW2048", "the output '" + node.outputName(i) + "' is made in training only");
}

/// One value a group as one a channel.
TensorId spreadOverChannels(const NodeView& node, int input, std::int64_t groups, const char* what) {
    const std::int64_t channels = node.shape(0)[1];
    if (node.tensor(input).elements() == channels)
        return node.input(input);
    const ir::Tensor& given = node.constant(input, what);
    if (given.elements() != groups)
        refuse("PW2046", std::string(what) + " has neither one value for each channel nor one for each group");
    const std::vector<double> values = ir::realsOf(given);
    std::vector<double> spread;
    for (std::int64_t c = 0; c < channels; ++c)
        spread.push_back(values[std::size_t(c / (channels / groups))]);
    return node.addConstant(ir::makeFloatConstant(given.name + "_by_channel", {channels}, spread));
}

} // namespace

void readBatchNormalization(const NodeView& node) {
    const std::int64_t channels = channelsOf(node);
    if (node.integer("training_mode", 0) != 0)
        refuse("PW2046", "the model is in training mode", "export it for inference");
    if (node.opset() < 9 && node.integer("spatial", 1) == 0)
        refuse("PW2046", "a normalisation of every activation for itself (spatial = 0) is not supported");
    std::vector<TensorId> inputs{node.input(0)};
    const char* names[] = {"scale", "bias", "mean", "variance"};
    for (int i = 1; i <= 4; ++i) {
        if (node.constant(i, names[i - 1]).elements() != channels)
            refuse("PW2046", std::string(names[i - 1]) + " does not have one value for each channel");
        inputs.push_back(node.input(i));
    }
    node.emit(OpKind::BatchNormalization, std::move(inputs), {{"epsilon", node.real("epsilon", defaultEpsilon)}},
              ElementType::Float32, node.shape(0));
}

void readInstanceNormalization(const NodeView& node) {
    const std::int64_t channels = channelsOf(node);
    requireChannels(node, 1, channels, "scale");
    requireChannels(node, 2, channels, "bias");
    node.emit(OpKind::InstanceNormalization, {node.input(0), node.input(1), node.input(2)},
              {{"epsilon", node.real("epsilon", defaultEpsilon)}}, ElementType::Float32, node.shape(0));
}

/// Scale and bias are per group before opset 21, per channel since.
void readGroupNormalization(const NodeView& node) {
    const std::int64_t channels = channelsOf(node), groups = node.integer("num_groups", 0);
    if (groups < 1 || channels % groups != 0)
        refuse("PW2042", "num_groups does not divide the channels");
    node.emit(
        OpKind::InstanceNormalization,
        {node.input(0), spreadOverChannels(node, 1, groups, "scale"), spreadOverChannels(node, 2, groups, "bias")},
        {{"epsilon", node.real("epsilon", defaultEpsilon)}, {"num_groups", groups}}, ElementType::Float32,
        node.shape(0));
}

void readLayerNormalization(const NodeView& node) {
    requireReal(node, 0);
    requireReal(node, 1);
    requireSoleOutput(node);
    const Shape x = node.shape(0);
    std::vector<TensorId> inputs{node.input(0), node.input(1)};
    if (node.has(2)) {
        requireReal(node, 2);
        inputs.push_back(node.input(2));
    }
    for (std::size_t i = 1; i < inputs.size(); ++i)
        if (broadcast(x, node.shape(int(i))) != x)
            refuse("PW2046", "scale or bias do not broadcast to the input");
    node.emit(OpKind::LayerNormalization, std::move(inputs),
              {{"axis", normalisedAxis(node.integer("axis", -1), x.size())},
               {"epsilon", node.real("epsilon", defaultEpsilon)}},
              ElementType::Float32, x);
}

/// Mean 0 and variance 1 over the axes together, which go behind the others for it. ONNX adds 1e-9 to the deviation,
/// which is its square under the root.
void readMeanVarianceNormalization(const NodeView& node) {
    requireReal(node, 0);
    const Shape x = node.shape(0);
    std::vector<std::int64_t> axes =
        node.hasAttribute("axes") ? node.integers("axes") : std::vector<std::int64_t>{0, 2, 3};
    std::vector<bool> isReduced(x.size(), false);
    for (std::int64_t axis : axes)
        isReduced[std::size_t(normalisedAxis(axis, x.size()))] = true;
    std::vector<std::int64_t> order, back(x.size());
    for (const bool reduced : {false, true})
        for (std::size_t d = 0; d < x.size(); ++d)
            if (isReduced[d] == reduced) {
                back[d] = std::int64_t(order.size());
                order.push_back(std::int64_t(d));
            }
    Shape turned;
    for (std::int64_t d : order)
        turned.push_back(x[std::size_t(d)]);
    const auto first = std::count(isReduced.begin(), isReduced.end(), false);
    const TensorId one = node.addConstant(ir::makeFloatConstant(node.outputName() + "_one", {}, {1.0}));
    const TensorId lines =
        node.emitStep("_lines", OpKind::Transpose, {node.input(0)}, {{"perm", order}}, ElementType::Float32, turned);
    const TensorId normal =
        node.emitStep("_normal", OpKind::LayerNormalization, {lines, one},
                      {{"axis", std::int64_t(first)}, {"epsilon", 1e-18}}, ElementType::Float32, turned);
    node.emit(OpKind::Transpose, {normal}, {{"perm", back}}, ElementType::Float32, x);
}

void readLpNormalization(const NodeView& node) {
    const std::int64_t p = node.integer("p", 2);
    if (p != 1 && p != 2)
        refuse("PW2042", "p is neither 1 nor 2");
    requireReal(node, 0);
    emitUnary(node, OpKind::LpNormalization,
              {{"axis", normalisedAxis(node.integer("axis", -1), node.shape(0).size())}, {"p", p}});
}

void readLRN(const NodeView& node) {
    channelsOf(node);
    const std::int64_t size = node.integer("size", 0);
    if (size < 1)
        refuse("PW2042", "size is not positive");
    emitUnary(node, OpKind::LRN,
              {{"alpha", node.real("alpha", double(1e-4f))},
               {"beta", node.real("beta", 0.75)},
               {"bias", node.real("bias", 1.0)},
               {"size", size}});
}

/// Softmax, LogSoftmax and Hardmax. Before opset 13 all dimensions from the axis on form one row.
void readSoftmax(const NodeView& node) {
    requireReal(node, 0);
    const OpKind kind = *ir::kindNamed(node.opType());
    const Shape x = node.shape(0);
    const std::int64_t axis = normalisedAxis(node.integer("axis", node.opset() >= 13 ? -1 : 1), x.size());
    const auto behind = x.begin() + axis + 1;
    const bool innermost = std::all_of(behind, x.end(), [](std::int64_t extent) { return extent == 1; });
    if (node.opset() >= 13 || innermost) {
        emitUnary(node, kind, {{"axis", axis}});
        return;
    }
    const std::int64_t rows = checkedCount({x.begin(), x.begin() + axis});
    const std::int64_t columns = checkedCount({x.begin() + axis, x.end()});
    const TensorId flat =
        node.emitStep("_rows", OpKind::Reshape, {node.input(0)}, {}, ElementType::Float32, {rows, columns});
    const TensorId soft =
        node.emitStep("_softmax", kind, {flat}, {{"axis", std::int64_t(1)}}, ElementType::Float32, {rows, columns});
    node.emit(OpKind::Reshape, {soft}, {}, ElementType::Float32, x);
}

} // namespace poolwright::import
