// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/accuracy.h"
#include "passes/table.h"
#include "reference/reference.h"

#include <algorithm>
#include <random>
#include <set>

namespace poolwright::passes {
namespace {

using ir::OpKind;

/// One LayerNormalization as operators: (x - mean) / sqrt(mean((x - mean)^2) + epsilon), and what follows of
/// * scale + bias.
struct Pattern {
    TensorId x, exit;
    TensorId scale, bias; ///< constants; invalid when the model has none
    std::int64_t axis = 0;
    double epsilon = 0;
    std::set<int> nodes;
};

class Matcher {
public:
    Matcher(const ir::Graph& graph, const ir::Uses& uses)
        : m_graph(graph)
        , m_uses(uses) {}

    /// The pattern around a Sqrt, with float everywhere.
    std::optional<Pattern> around(NodeId root) {
        m_pattern = {};
        const TensorId centred = matchVariance(root);
        if (!centred.isValid() || !matchQuotient(root, centred))
            return std::nullopt;
        m_pattern.scale = takeConstant(OpKind::Mul);
        m_pattern.bias = takeConstant(OpKind::Add);
        return isReadInsideOnly() ? std::optional(m_pattern) : std::nullopt;
    }

private:
    const ir::Node* makerOf(TensorId tensor, OpKind kind) {
        const NodeId made = m_uses.producer[std::size_t(tensor.index)];
        if (!made.isValid() || m_graph[made].kind != kind)
            return nullptr;
        m_pattern.nodes.insert(made.index);
        return &m_graph[made];
    }

    std::optional<double> numberAt(TensorId tensor) const {
        const ir::Tensor& number = m_graph[tensor];
        if (!number.isConstant() || number.elements() != 1)
            return std::nullopt;
        return ir::realsOf(number)[0];
    }

    /// Over all dimensions from one on; -1 for any other mean.
    std::int64_t axisOf(const ir::Node& mean) const {
        const std::int64_t rank = std::int64_t(m_graph[mean.inputs[0]].shape.size());
        const auto axes = mean.integers("axes");
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i] != rank - std::int64_t(axes.size()) + std::int64_t(i))
                return -1;
        return axes.empty() || mean.integer("keepdims", 1) == 0 ? -1 : axes[0];
    }

    /// x - mean(x), written once or twice.
    bool isCentred(TensorId tensor) {
        const ir::Node* minus = makerOf(tensor, OpKind::Sub);
        const ir::Node* mean = minus ? makerOf(minus->inputs[1], OpKind::ReduceMean) : nullptr;
        if (!mean || mean->inputs[0] != minus->inputs[0] || axisOf(*mean) < 0)
            return false;
        const bool isFirst = !m_pattern.x.isValid();
        if (isFirst) {
            m_pattern.x = minus->inputs[0];
            m_pattern.axis = axisOf(*mean);
        }
        return m_pattern.x == minus->inputs[0] && m_pattern.axis == axisOf(*mean);
    }

    TensorId matchSquare(TensorId tensor) {
        if (const ir::Node* power = makerOf(tensor, OpKind::Pow))
            return numberAt(power->inputs[1]) == 2.0 ? power->inputs[0] : TensorId();
        const ir::Node* product = makerOf(tensor, OpKind::Mul);
        return product && product->inputs[0] == product->inputs[1] ? product->inputs[0] : TensorId();
    }

    /// What is under the root; answers x - mean.
    TensorId matchVariance(NodeId root) {
        m_pattern.nodes.insert(root.index);
        const ir::Node* sum = makerOf(m_graph[root].inputs[0], OpKind::Add);
        if (!sum)
            return {};
        const std::size_t number = numberAt(sum->inputs[1]) ? 1 : 0;
        const auto epsilon = numberAt(sum->inputs[number]);
        const ir::Node* variance = makerOf(sum->inputs[1 - number], OpKind::ReduceMean);
        if (!epsilon || *epsilon < 0 || !variance)
            return {};
        m_pattern.epsilon = *epsilon;
        const TensorId centred = matchSquare(variance->inputs[0]);
        const bool isWhole = centred.isValid() && isCentred(centred) && axisOf(*variance) == m_pattern.axis;
        return isWhole ? centred : TensorId();
    }

    NodeId onlyReader(TensorId tensor) const {
        const auto& readers = m_uses.consumers[std::size_t(tensor.index)];
        return readers.size() == 1 && !isOutput(tensor) ? readers[0] : NodeId();
    }

    bool isOutput(TensorId tensor) const {
        return std::find(m_graph.outputs.begin(), m_graph.outputs.end(), tensor) != m_graph.outputs.end();
    }

    bool matchQuotient(NodeId root, TensorId centred) {
        TensorId divisor = m_graph[root].outputs[0];
        NodeId reader = onlyReader(divisor);
        OpKind wanted = OpKind::Div;
        if (reader.isValid() && m_graph[reader].kind == OpKind::Reciprocal) {
            m_pattern.nodes.insert(reader.index);
            divisor = m_graph[reader].outputs[0];
            reader = onlyReader(divisor);
            wanted = OpKind::Mul;
        }
        if (!reader.isValid() || m_graph[reader].kind != wanted)
            return false;
        const ir::Node& quotient = m_graph[reader];
        const std::size_t place = quotient.inputs[1] == divisor ? 1 : 0;
        if (wanted == OpKind::Div && place == 0)
            return false;
        m_pattern.nodes.insert(reader.index);
        m_pattern.exit = quotient.outputs[0];
        return quotient.inputs[1 - place] == centred || isCentred(quotient.inputs[1 - place]);
    }

    /// A Mul or Add with one number for each normalised element, right behind.
    TensorId takeConstant(OpKind kind) {
        const NodeId reader = onlyReader(m_pattern.exit);
        if (!reader.isValid() || m_graph[reader].kind != kind || (kind == OpKind::Add && !m_pattern.scale.isValid()))
            return {};
        const ir::Node& node = m_graph[reader];
        const TensorId other = node.inputs[node.inputs[0] == m_pattern.exit ? 1 : 0];
        const ir::Shape& x = m_graph[m_pattern.x].shape;
        const ir::Shape normalised(x.begin() + m_pattern.axis, x.end());
        const ir::Tensor& constant = m_graph[other];
        if (!constant.isConstant() || constant.elements() != ir::elementCount(normalised) ||
            constant.shape.size() < normalised.size() || constant.shape.size() > x.size() ||
            !std::equal(normalised.rbegin(), normalised.rend(), constant.shape.rbegin()))
            return {};
        m_pattern.nodes.insert(reader.index);
        m_pattern.exit = node.outputs[0];
        return other;
    }

    bool isReadInsideOnly() const {
        return std::all_of(m_pattern.nodes.begin(), m_pattern.nodes.end(), [this](int node) {
            const TensorId made = m_graph[NodeId(node)].outputs[0];
            const auto& readers = m_uses.consumers[std::size_t(made.index)];
            return made == m_pattern.exit ||
                   (!isOutput(made) && std::all_of(readers.begin(), readers.end(), [this](NodeId reader) {
                       return m_pattern.nodes.count(reader.index) != 0;
                   }));
        });
    }

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    Pattern m_pattern;
};

/// In the shape of what is normalised, as the operator wants it.
TensorId constantFor(ir::Graph& graph, const Pattern& pattern, TensorId given, double otherwise) {
    const ir::Shape& x = graph[pattern.x].shape;
    const ir::Shape shape(x.begin() + pattern.axis, x.end());
    const std::vector<double> values = given.isValid()
                                           ? ir::realsOf(graph[given])
                                           : std::vector<double>(std::size_t(ir::elementCount(shape)), otherwise);
    const std::string name = given.isValid() ? graph[given].name : graph[pattern.exit].name + "_scale";
    return graph.addTensor(ir::makeFloatConstant(name, shape, values));
}

ir::Node joined(ir::Graph& graph, const Pattern& pattern) {
    ir::Node node;
    node.kind = OpKind::LayerNormalization;
    node.attributes = {{"axis", pattern.axis}, {"epsilon", pattern.epsilon}};
    node.inputs = {pattern.x, constantFor(graph, pattern, pattern.scale, 1)};
    if (pattern.bias.isValid())
        node.inputs.push_back(constantFor(graph, pattern, pattern.bias, 0));
    node.outputs = {pattern.exit};
    for (int part : pattern.nodes) {
        const ir::Node& written = graph[NodeId(part)];
        node.name = written.name; // of the last one
        node.originalNames.insert(node.originalNames.end(), written.originalNames.begin(), written.originalNames.end());
    }
    return node;
}

std::vector<double> resultOf(const ir::Graph& graph, std::vector<ir::Node> nodes, const Pattern& pattern,
                             const reference::Value& x) {
    ir::Graph part;
    part.tensors = graph.tensors;
    part.nodes = std::move(nodes);
    part.inputs = {pattern.x};
    part.outputs = {pattern.exit};
    const auto result = reference::run(part, {x});
    if (!result)
        return {};
    return std::vector<double>(result->front().as<float>(), result->front().as<float>() + result->front().elements());
}

/// Both forms on one tensor of random numbers.
std::optional<Accuracy> measure(const ir::Graph& graph, const Pattern& pattern, const ir::Node& node) {
    std::mt19937 random(1);
    std::vector<double> numbers(std::size_t(graph[pattern.x].elements()));
    for (double& number : numbers)
        number = double(random() % 65536) / 8192 - 4;
    const reference::Value x = reference::constantValue(ir::makeFloatConstant({}, graph[pattern.x].shape, numbers));
    std::vector<ir::Node> written;
    for (int part : pattern.nodes)
        written.push_back(graph[NodeId(part)]);
    const auto before = resultOf(graph, std::move(written), pattern, x), after = resultOf(graph, {node}, pattern, x);
    if (before.empty() || before.size() != after.size())
        return std::nullopt;
    return accuracyOf(before, after, 0);
}

} // namespace

Result<ir::Graph> recogniseLayerNormalization(ir::Graph graph, Context& context) {
    constexpr std::int64_t mostElements = 1 << 22;
    const ir::Uses uses = ir::usesOf(graph);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if (graph.nodes[n].kind != OpKind::Sqrt)
            continue;
        const auto pattern = Matcher(graph, uses).around(NodeId(n));
        if (!pattern || graph[pattern->x].elements() > mostElements)
            continue;
        ir::Node node = joined(graph, *pattern);
        if (const auto accuracy = measure(graph, *pattern, node))
            context.diagnostics.push_back(
                rewriteNote(node.name, std::to_string(pattern->nodes.size()) + " operators are one LayerNormalization",
                            *accuracy, std::to_string(accuracy->values) + " random numbers"));
        graph[NodeId(*pattern->nodes.rbegin())] = std::move(node);
    }
    return graph;
}

} // namespace poolwright::passes
