// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/accuracy.h"
#include "passes/softmax_form.h"
#include "passes/table.h"
#include "reference/reference.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace poolwright::passes {
namespace {

using ir::OpKind;

bool isByte(const ir::Tensor& tensor) {
    return tensor.type == ir::ElementType::Int8 && tensor.isQuantised() && tensor.quantisation->isPerTensor();
}

/// What the operators read and write. A float result gets a grid of its own, which holds all from 0 to 1.
struct Ends {
    TensorId input, output;
    bool isFloatResult = false;
};

bool isFloat(const ir::Tensor& tensor) {
    return tensor.type == ir::ElementType::Float32;
}

/// The bytes that a node reads, or that became the floats it reads; invalid when there are none.
TensorId bytesBehind(const ir::Graph& graph, const std::vector<ir::Node>& before, TensorId x) {
    if (isByte(graph[x]))
        return x;
    for (const ir::Node& node : before)
        if (node.kind == OpKind::Dequantize && node.outputs[0] == x && isByte(graph[node.inputs[0]]))
            return node.inputs[0];
    return {};
}

double highestOf(const ir::Tensor& tensor) {
    return (127 - tensor.quantisation->zeroPoints[0]) * tensor.quantisation->scales[0];
}

/// `graph.nodes` holds what runs before the node.
std::optional<Ends> endsOf(ir::Graph& graph, const ir::Node& node) {
    Ends ends{bytesBehind(graph, graph.nodes, node.inputs[0]), node.outputs[0], isFloat(graph[node.outputs[0]])};
    if (!ends.input.isValid())
        return std::nullopt;
    if (ends.isFloatResult) {
        ir::Tensor bytes = graph[ends.output];
        bytes.name += "_quantised";
        bytes.type = ir::ElementType::Int8;
        bytes.quantisation = ir::Quantisation{.scales = {1.0 / 256}, .zeroPoints = {-128}, .axis = -1};
        ends.output = graph.addTensor(std::move(bytes));
    }
    if (!isByte(graph[ends.output]) || highestOf(graph[ends.output]) <= 0)
        return std::nullopt;
    return ends;
}

std::size_t axisOf(const ir::Node& node, std::size_t rank) {
    const std::int64_t axis = node.integer("axis", -1);
    return std::size_t(axis < 0 ? axis + std::int64_t(rank) : axis);
}

// ---- accuracy ----

/// Vectors of bytes to measure with: one to all elements at the top and the others at every distance below; and random
/// ones of every spread. Their number is bounded.
std::vector<std::vector<std::int64_t>> vectorsFor(std::int64_t count) {
    constexpr std::int64_t mostElements = 1 << 18;
    constexpr int repeats = 8;
    const std::int64_t perStep = (repeats + 1 + std::int64_t(std::log2(count))) * count;
    const std::int64_t stride = std::max<std::int64_t>(1, 256 * perStep / mostElements);
    std::vector<std::vector<std::int64_t>> vectors;
    for (std::int64_t top = 1; top <= count; top *= 2)
        for (std::int64_t below = 0; below < 256; below += stride) {
            vectors.emplace_back(std::size_t(count), 127 - below);
            std::fill_n(vectors.back().begin(), top, 127);
        }
    std::mt19937 random(1); // its sequence is fixed by the standard, that of distributions is not
    for (std::int64_t spread = 1; spread < 256; spread += stride)
        for (int repeat = 0; repeat < repeats; ++repeat) {
            vectors.emplace_back();
            for (std::int64_t i = 0; i < count; ++i)
                vectors.back().push_back(127 - std::int64_t(random() % std::uint32_t(spread + 1)));
        }
    return vectors;
}

/// The model's own grid ends below 1 sometimes: what it cuts off says nothing about a rewrite.
bool isWithin(const std::vector<std::int64_t>& vector, double scale, double highest) {
    double sum = 0;
    for (std::int64_t value : vector)
        sum += std::exp(double(value - 127) * scale);
    return 1 / sum <= highest;
}

std::vector<double> realsOf(const reference::Value& value) {
    if (value.type == ir::ElementType::Float32)
        return std::vector<double>(value.as<float>(), value.as<float>() + value.elements());
    std::vector<double> reals;
    for (std::uint8_t byte : value.bytes)
        reals.push_back((std::int8_t(byte) - value.quantisation->zeroPoints[0]) * value.quantisation->scales[0]);
    return reals;
}

ir::Tensor twin(ir::Tensor tensor, const ir::Shape& shape) {
    tensor.shape = shape;
    return tensor;
}

/// `asFloat`: the form before has a float result.
std::optional<Accuracy> measure(const ir::Tensor& x, const ir::Tensor& y, std::int64_t count, bool asFloat,
                                SoftmaxForm form) {
    std::vector<std::int64_t> values;
    for (const auto& vector : vectorsFor(count))
        if (asFloat || isWithin(vector, x.quantisation->scales[0], highestOf(y)))
            values.insert(values.end(), vector.begin(), vector.end());
    if (values.empty())
        return std::nullopt;
    const ir::Shape shape{std::int64_t(values.size()) / count, count};
    const reference::Value input =
        reference::constantValue(ir::makeIntegerConstant({}, x.type, shape, values, x.quantisation));
    ir::Node softmax;
    softmax.kind = OpKind::Softmax;
    softmax.attributes = {{"axis", std::int64_t(1)}};
    ir::Graph graph;
    graph.inputs = {graph.addTensor(twin(x, shape))};
    graph.outputs = {graph.addTensor(twin(y, shape))};
    addSoftmax(graph, softmax, graph.inputs[0], graph.outputs[0], form);
    const auto after = reference::run(graph, {input});
    const reference::OutputSpec bytes{y.type, shape, y.quantisation}, floats{ir::ElementType::Float32, shape, {}};
    const reference::Value reals = reference::constantValue(ir::makeFloatConstant({}, shape, realsOf(input)));
    const auto before = reference::evaluate(OpKind::Softmax, softmax.attributes, {asFloat ? &reals : &input},
                                            {asFloat ? floats : bytes});
    if (!after || !before)
        return std::nullopt;
    const double step = y.quantisation->scales[0];
    Accuracy accuracy = accuracyOf(realsOf(before->front()), realsOf(after->front()), step);
    accuracy.largest += step; // nobody can try all vectors
    return accuracy;
}

Diagnostic noteFor(const ir::Graph& graph, const ir::Node& node, const Ends& ends, std::size_t operators,
                   SoftmaxForm form) {
    const ir::Tensor& x = graph[ends.input];
    const std::int64_t count = x.shape[axisOf(node, x.shape.size())];
    const auto accuracy = measure(x, graph[ends.output], count, ends.isFloatResult, form);
    const std::string what = std::string("the Softmax is ") + std::to_string(operators) + " operators of the units (" +
                             (form == SoftmaxForm::Full ? "full" : "fast") + " form)";
    if (!accuracy)
        return keptNote(node.name, what + ", of unknown accuracy", {});
    return rewriteNote(node.name, what, *accuracy,
                       std::to_string(std::int64_t(accuracy->values) / count) + " vectors of " + std::to_string(count) +
                           " elements, every distance of two values among them; one step is added for those not tried");
}

/// Adds what stands for a Softmax, or the Softmax itself where it cannot be otherwise.
void addExpanded(ir::Graph& graph, ir::Node node, Context& context) {
    const auto ends = endsOf(graph, node);
    if (!ends) {
        context.diagnostics.push_back(keptNote(node.name,
                                               "the Softmax stays in software: the units read and write 8-bit integers "
                                               "with one scale",
                                               "quantise its input and output to int8"));
        graph.nodes.push_back(std::move(node));
        return;
    }
    const std::size_t first = graph.nodes.size();
    addSoftmax(graph, node, ends->input, ends->output, context.options.softmax);
    context.diagnostics.push_back(noteFor(graph, node, *ends, graph.nodes.size() - first, context.options.softmax));
    if (!ends->isFloatResult)
        return;
    ir::Node real;
    real.name = "Dequantize_" + graph[node.outputs[0]].name;
    real.kind = OpKind::Dequantize;
    real.inputs = {ends->output};
    real.outputs = node.outputs;
    graph.nodes.push_back(std::move(real));
}

} // namespace

Result<ir::Graph> expandSoftmax(ir::Graph graph, Context& context) {
    if (context.options.softmax == SoftmaxForm::AsWritten)
        return graph;
    std::vector<ir::Node> nodes;
    nodes.swap(graph.nodes);
    for (ir::Node& node : nodes)
        if (node.kind == OpKind::Softmax)
            addExpanded(graph, std::move(node), context);
        else
            graph.nodes.push_back(std::move(node));
    return graph;
}

} // namespace poolwright::passes
