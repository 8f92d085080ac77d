// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/accuracy.h"
#include "passes/quantisation_rules.h"
#include "passes/table.h"
#include "passes/unary_region.h"

#include <algorithm>
#include <cmath>

namespace poolwright::passes {
namespace {

using ir::OpKind;

/// One operator for a region.
struct Joined {
    OpKind kind;
    ir::Attributes attributes;
    const char* name; ///< for messages
};

/// Numbers that tell the curves apart: all are bent within them.
std::vector<double> samples() {
    std::vector<double> result;
    for (int i = -24; i <= 24; ++i)
        result.push_back(i / 4.0);
    return result;
}

std::vector<double> evaluateJoined(const Joined& joined, const std::vector<double>& inputs) {
    const ir::Shape shape{std::int64_t(inputs.size())};
    const reference::Value x = reference::constantValue(ir::makeFloatConstant({}, shape, inputs));
    const auto y = reference::evaluate(joined.kind, joined.attributes, {&x}, {{ir::ElementType::Float32, shape, {}}});
    if (!y)
        return {};
    return std::vector<double>(y->front().as<float>(), y->front().as<float>() + inputs.size());
}

/// x * sigmoid(alpha * x) at x = 1; float32 leaves six digits, a model's own number has fewer.
std::optional<Joined> swishThrough(double atOne) {
    const double alpha = std::log(atOne / (1 - atOne));
    if (!std::isfinite(alpha) || std::abs(alpha) < 1e-3)
        return std::nullopt;
    const double tidy = std::round(alpha * 1e4) / 1e4;
    return Joined{OpKind::Swish, {{"alpha", std::abs(alpha - tidy) < 3e-6 ? tidy : alpha}}, "Swish"};
}

/// What a region may be, by the one function of note inside it.
std::optional<Joined> candidate(const ir::Graph& graph, const UnaryRegion& region, const std::vector<double>& curve) {
    const auto has = [&](OpKind kind) { return region.has(graph, kind); };
    if (has(OpKind::Erf))
        return Joined{OpKind::Gelu, {{"approximate", std::string("none")}}, "Gelu"};
    if (has(OpKind::Tanh))
        return Joined{OpKind::Gelu, {{"approximate", std::string("tanh")}}, "Gelu"};
    if (has(OpKind::Sigmoid) || has(OpKind::Exp))
        return swishThrough(curve[28]); // x = 1
    if (has(OpKind::HardSigmoid) || has(OpKind::Clip) || has(OpKind::Min) || has(OpKind::Relu))
        return Joined{OpKind::HardSwish, {}, "HardSwish"};
    return std::nullopt;
}

bool isSameCurve(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    const std::vector<double> x = samples();
    for (std::size_t i = 0; i < x.size(); ++i)
        if (i >= a.size() || i >= b.size() || !(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(x[i]))))
            return false;
    return true;
}

class Recogniser {
public:
    Recogniser(ir::Graph& graph, Context& context)
        : m_graph(graph)
        , m_context(context)
        , m_uses(ir::usesOf(graph)) {}

    void run() {
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n)
            if (const OpKind kind = m_graph.nodes[n].kind; kind == OpKind::Mul || kind == OpKind::Div)
                joinAt(NodeId(n));
    }

private:
    void joinAt(NodeId tail) {
        for (const UnaryRegion& region : regionsAt(m_graph, m_uses, tail))
            if (const auto joined = match(region)) {
                if (isWanted(region, *joined))
                    join(tail, region, *joined);
                return;
            }
    }

    std::optional<Joined> match(const UnaryRegion& region) const {
        if (region.operators(m_graph) < 2 || !isFloatAtHeart(region))
            return std::nullopt;
        const auto curve = evaluateRegion(m_graph, region, samples(), Rounding::None);
        if (!curve)
            return std::nullopt;
        const auto joined = candidate(m_graph, region, *curve);
        constexpr double exactly = 2e-4, withRoundedNumbers = 5e-3; // exporters write 0.7979 for sqrt(2 / pi)
        if (!joined || !isSameCurve(*curve, evaluateJoined(*joined, samples()),
                                    region.quantisesInside ? withRoundedNumbers : exactly))
            return std::nullopt;
        return joined;
    }

    /// The exit is float, and the entry float or made so by the region itself.
    bool isFloatAtHeart(const UnaryRegion& region) const {
        return m_graph[region.exit].type == ir::ElementType::Float32 && floatEntry(region).isValid();
    }

    TensorId floatEntry(const UnaryRegion& region) const {
        if (m_graph[region.entry].type == ir::ElementType::Float32)
            return region.entry;
        for (NodeId node : region.nodes)
            if (m_graph[node].kind == OpKind::Dequantize && m_graph[node].inputs[0] == region.entry)
                return m_graph[node].outputs[0];
        return {};
    }

    /// Without rounding inside nothing is lost. With it the model as written is the more exact form of itself, and
    /// where it is bytes throughout (a plain Swish is), one table of the activation unit holds it all, rounding
    /// included (lower/byte_region.h): it is given up only where an option says so.
    bool isWanted(const UnaryRegion& region, const Joined& joined) const {
        return !region.quantisesInside ||
               (joined.kind == OpKind::Gelu ? m_context.options.recogniseGelu : m_context.options.recogniseSwish);
    }

    void join(NodeId tail, const UnaryRegion& region, const Joined& joined) {
        report(m_graph[tail].name, region, joined);
        ir::Node node;
        node.name = m_graph[tail].name;
        node.kind = joined.kind;
        node.attributes = joined.attributes;
        node.inputs = {floatEntry(region)};
        node.outputs = {region.exit};
        for (NodeId part : region.nodes) {
            const auto& names = m_graph[part].originalNames;
            node.originalNames.insert(node.originalNames.end(), names.begin(), names.end());
        }
        m_graph[tail] = std::move(node);
    }

    // ---- accuracy ----

    /// Integers that the tensor becomes or comes from.
    std::optional<ir::Tensor> gridOf(TensorId id) const {
        const auto isGrid = [](const ir::Tensor& t) { return t.isQuantised() && t.quantisation->isPerTensor(); };
        if (isGrid(m_graph[id]))
            return m_graph[id];
        const NodeId made = m_uses.producer[std::size_t(id.index)];
        if (made.isValid() && m_graph[made].kind == OpKind::Dequantize && isGrid(m_graph[m_graph[made].inputs[0]]))
            return m_graph[m_graph[made].inputs[0]];
        for (NodeId reader : m_uses.consumers[std::size_t(id.index)])
            if (m_graph[reader].kind == OpKind::Quantize && isGrid(m_graph[m_graph[reader].outputs[0]]))
                return m_graph[m_graph[reader].outputs[0]];
        return std::nullopt;
    }

    static std::vector<double> rounded(std::vector<double> values, const std::optional<ir::Tensor>& grid) {
        if (grid)
            for (double& value : values) {
                const double scale = grid->quantisation->scales[0];
                const std::int32_t zero = grid->quantisation->zeroPoints[0];
                value = double(reference::quantise(value, scale, zero, grid->type) - zero) * scale;
            }
        return values;
    }

    /// Every value that the entry can have; of floats and 16-bit integers a fine choice.
    std::vector<double> inputsOf(const std::optional<ir::Tensor>& grid) const {
        std::vector<double> inputs;
        if (!grid) {
            for (int i = -1024; i <= 1024; ++i)
                inputs.push_back(i / 128.0);
            return inputs;
        }
        const bool isByte = ir::elementBytes(grid->type) == 1;
        const bool isSigned = grid->type == ir::ElementType::Int8 || grid->type == ir::ElementType::Int16;
        const std::int64_t count = isByte ? 256 : 65536, first = isSigned ? -count / 2 : 0;
        for (std::int64_t i = 0; i < count; i += isByte ? 1 : 16)
            inputs.push_back(double(first + i - grid->quantisation->zeroPoints[0]) * grid->quantisation->scales[0]);
        return inputs;
    }

    void report(const std::string& name, const UnaryRegion& region, const Joined& joined) {
        const auto in = gridOf(region.entry), out = gridOf(region.exit);
        const std::vector<double> inputs = inputsOf(in);
        const auto before = evaluateRegion(m_graph, region, inputs, Rounding::AsWritten);
        const std::vector<double> after = evaluateJoined(joined, inputs);
        if (!before || after.size() != before->size())
            return;
        const double step = out ? out->quantisation->scales[0] : 0;
        const std::string what =
            std::to_string(region.operators(m_graph)) + " operators are one " + std::string(joined.name);
        m_context.diagnostics.push_back(
            rewriteNote(name, what, accuracyOf(rounded(*before, out), rounded(after, out), step),
                        in && inputs.size() == 256 ? "all 256 inputs" : std::to_string(inputs.size()) + " inputs"));
    }

    ir::Graph& m_graph;
    Context& m_context;
    ir::Uses m_uses;
};

} // namespace

Result<ir::Graph> recogniseActivations(ir::Graph graph, Context& context) {
    Recogniser(graph, context).run();
    return graph;
}

} // namespace poolwright::passes
