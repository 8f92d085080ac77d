// SPDX-License-Identifier: Apache-2.0
#include "passes/softmax_form.h"

#include "ir/constant.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

using ir::OpKind;
using ir::Quantisation;

constexpr double finer = 16; ///< how much finer the small numbers are summed
constexpr std::int64_t manyElements = 10;
constexpr double poolGain = 64; ///< of the pooling unit's mean (lower/reduce_lower.cpp)

/// 0 to `largest` on all of int8.
Quantisation upTo(double largest) {
    return {.scales = {largest / 255}, .zeroPoints = {-128}, .axis = -1};
}

double highestOf(const ir::Tensor& tensor) {
    return (127 - tensor.quantisation->zeroPoints[0]) * tensor.quantisation->scales[0];
}

/// Smallest sum of interest: 1, or where the result's grid ends.
double leastSum(double largest) {
    return std::max(1.0, 1 / largest);
}

class Writer {
public:
    Writer(ir::Graph& graph, const ir::Node& softmax, TensorId input, TensorId output, SoftmaxForm form)
        : m_graph(graph)
        , m_softmax(softmax)
        , m_input(input)
        , m_output(output)
        , m_form(form) {}

    void run() {
        const ir::Shape whole = m_graph[m_input].shape;
        const std::size_t axis = std::size_t(m_softmax.integer("axis", -1) +
                                             (m_softmax.integer("axis", -1) < 0 ? std::int64_t(whole.size()) : 0));
        m_axis = std::int64_t(axis);
        m_reduced = whole;
        m_reduced[axis] = 1;
        const TensorId largest =
            add(OpKind::ReduceMax, "max", {m_input}, m_reduced, *m_graph[m_input].quantisation, reduction());
        const Quantisation below{.scales = m_graph[m_input].quantisation->scales, .zeroPoints = {127}, .axis = -1};
        const TensorId shift = add(OpKind::Sub, "shift", {m_input, largest}, whole, below);
        const TensorId exponential = add(OpKind::Exp, "exp", {shift}, whole, upTo(1));
        std::vector<TensorId> parts{exponential};
        if (m_form == SoftmaxForm::Full && whole[axis] > manyElements)
            parts = splitSmall(shift, exponential);
        addNode(OpKind::Mul, "scale", {exponential, reciprocalOf(parts, whole[axis])}, m_output);
    }

private:
    ir::Attributes reduction() const {
        return {{"axes", std::vector<std::int64_t>{m_axis}}, {"keepdims", std::int64_t(1)}};
    }

    void addNode(OpKind kind, const std::string& suffix, std::vector<TensorId> inputs, TensorId output,
                 ir::Attributes attributes = {}) {
        ir::Node node;
        node.name = m_softmax.name + "_" + suffix;
        node.kind = kind;
        node.inputs = std::move(inputs);
        node.outputs = {output};
        node.attributes = std::move(attributes);
        node.originalNames = m_softmax.originalNames;
        m_graph.nodes.push_back(std::move(node));
    }

    TensorId add(OpKind kind, const std::string& suffix, std::vector<TensorId> inputs, const ir::Shape& shape,
                 Quantisation quantisation, ir::Attributes attributes = {}) {
        ir::Tensor tensor;
        tensor.name = m_softmax.name + "_" + suffix;
        tensor.type = ir::ElementType::Int8;
        tensor.shape = shape;
        tensor.quantisation = std::move(quantisation);
        const TensorId output = m_graph.addTensor(std::move(tensor));
        addNode(kind, suffix, std::move(inputs), output, std::move(attributes));
        return output;
    }

    /// exp(shift) as what lies below 1/16, cut off there, and the rest.
    std::vector<TensorId> splitSmall(TensorId shift, TensorId exponential) {
        const ir::Shape shape = m_graph[shift].shape;
        const TensorId small = add(OpKind::Exp, "exp_small", {shift}, shape, upTo(1 / finer));
        return {add(OpKind::Sub, "exp_large", {exponential, small}, shape, upTo(1)), small};
    }

    TensorId reciprocalOf(const std::vector<TensorId>& parts, std::int64_t count) {
        const double largest = std::min(1.0, highestOf(m_graph[m_output]));
        double from = 1;
        TensorId product;
        std::string number;
        for (double bound : sumBounds(count, largest, m_form)) {
            const TensorId sum = sumOf(parts, bound, number);
            const TensorId dividend = m_graph.addTensor(
                ir::makeIntegerConstant(m_softmax.name + "_bound" + number, ir::ElementType::Int8, {}, {1},
                                        Quantisation{.scales = {from}, .zeroPoints = {0}, .axis = -1}));
            const double highest = product.isValid() ? 1 : largest;
            const TensorId factor = add(OpKind::Div, "reciprocal" + number, {dividend, sum}, m_reduced, upTo(highest));
            product = product.isValid()
                          ? add(OpKind::Mul, "product" + number, {product, factor}, m_reduced, upTo(largest))
                          : factor;
            from = bound;
            number = "_" + std::to_string(++m_bounds);
        }
        return product;
    }

    TensorId sumOf(const std::vector<TensorId>& parts, double bound, const std::string& number) {
        TensorId total;
        for (TensorId part : parts) {
            const std::string suffix = total.isValid() ? "sum_small" : parts.size() > 1 ? "sum_large" : "sum";
            const TensorId sum = add(OpKind::ReduceSum, suffix + number, {part}, m_reduced, upTo(bound), reduction());
            total = total.isValid() ? add(OpKind::Add, "sum" + number, {total, sum}, m_reduced, upTo(bound)) : sum;
        }
        return total;
    }

    ir::Graph& m_graph;
    const ir::Node& m_softmax;
    TensorId m_input, m_output;
    SoftmaxForm m_form;
    std::int64_t m_axis = 0;
    ir::Shape m_reduced;
    int m_bounds = 1;
};

} // namespace

std::vector<double> sumBounds(std::int64_t count, double largest, SoftmaxForm form) {
    const double steps = form == SoftmaxForm::Full ? 1 : 4;
    constexpr double littleMore = 1.3; // a last factor for so little is not worth its epochs
    const double least = leastSum(largest), most = std::max(double(count), least);
    std::vector<double> bounds;
    double from = least;
    do {
        double bound = 2 * steps * from * from / least;
        if (bounds.empty())
            bound = std::max(bound, double(count) / poolGain);
        bounds.push_back(bound * littleMore >= most ? most : bound);
        from = bounds.back();
    } while (from < most);
    return bounds;
}

void addSoftmax(ir::Graph& graph, const ir::Node& softmax, TensorId input, TensorId output, SoftmaxForm form) {
    Writer(graph, softmax, input, output, form).run();
}

} // namespace poolwright::passes
