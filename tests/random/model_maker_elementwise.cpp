// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include <algorithm>

namespace poolwright::test {

using ir::Shape;
using Integers = std::vector<std::int64_t>;

/// Two activations of one shape (skips), or one with one value a channel of it.
bool ModelMaker::addBinary() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const Shape shape = m_activations[x].shape;
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < m_activations.size(); ++i) {
        const bool perChannel = shape.size() == 4 && m_activations[i].shape == Shape{shape[0], shape[1], 1, 1};
        if (m_activations[i].shape == shape || perChannel)
            partners.push_back(i);
    }
    const std::size_t y = oneOf(partners);
    const std::string op = oneOf<std::string>({"Add", "Add", "Sub", "Mul", "Min", "Max"});
    if (!may(op.c_str()))
        return false;
    const double a = m_activations[x].scale, b = m_activations[y].scale;
    // Halves of two equal scales are ties all over, which units round up and ONNX to even (facts/numerics.md).
    const double scale = op == "Mul" ? a * b * 90 : op == "Add" || op == "Sub" ? (a + b) * 0.93 : std::max(a, b);
    const std::string first = read(x), second = read(y);
    apply(op, {first, second}, shape, {double(float(scale)), parameters().zeroPoint});
    return true;
}

bool ModelMaker::addConstantBinary() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    const Shape shape = m_activations[std::size_t(x)].shape;
    const double scale = m_activations[std::size_t(x)].scale;
    const Constant constant = channelConstant(shape);
    const std::string op = oneOf<std::string>({"Add", "Mul", "Sub"});
    apply(op, {read(std::size_t(x)), constant.name}, shape,
          {double(float(op == "Mul" ? scale * constant.scale * 90 : scale + constant.scale)), parameters().zeroPoint});
    return true;
}

bool ModelMaker::addUnary() {
    struct Curve {
        const char* op;
        Parameters output;
    };
    static const std::vector<Curve> curves = {{"Sigmoid", {1 / 256.0, -128}},
                                              {"Tanh", {1 / 128.0, 0}},
                                              {"HardSigmoid", {1 / 256.0, -128}},
                                              {"HardSwish", {0.05, -100}},
                                              {"LeakyRelu", {0.05, -20}},
                                              {"Elu", {0.05, -60}},
                                              {"Softplus", {0.05, -128}},
                                              {"Softsign", {1 / 128.0, 0}},
                                              {"Abs", {0.05, -128}},
                                              {"Neg", {0.05, 0}},
                                              {"Erf", {1 / 128.0, 0}},
                                              {"Exp", {0.25, -128}},
                                              {"Sin", {1 / 128.0, 0}},
                                              {"Selu", {0.06, -60}},
                                              {"Sign", {1 / 100.0, 0}},
                                              {"Floor", {0.1, 0}},
                                              {"Round", {0.1, 0}},
                                              {"Celu", {0.05, -60}},
                                              {"Atan", {1 / 80.0, 0}},
                                              {"ThresholdedRelu", {0.05, -128}}};
    const Curve curve = oneOf(curves);
    if (!may(curve.op))
        return false;
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    apply(curve.op, {read(x)}, m_activations[x].shape, curve.output);
    return true;
}

bool ModelMaker::addClamp() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const Parameters p = sameAs(x);
    if (pick(0, 1) == 0) {
        apply("Relu", {read(x)}, m_activations[x].shape, p);
        return true;
    }
    const std::string input = read(x), low = addScale({-20 * p.scale}), high = addScale({60 * p.scale});
    apply("Clip", {input, low, high}, m_activations[x].shape, p);
    return true;
}

/// Name of a tensor of truth values of `shape`: a comparison with another activation or with one value, now and then
/// joined with a second one or turned round.
std::string ModelMaker::condition(std::size_t x) {
    const std::string op = oneOf<std::string>({"Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Equal"});
    const Activation first = m_activations[x];
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < m_activations.size(); ++i)
        if (m_activations[i].shape == first.shape && i != x)
            partners.push_back(i);
    const bool withOther = !partners.empty() && pick(0, 1) == 0;
    const std::string a = read(x);
    const std::string b = withOther ? read(oneOf(partners)) : addScale({first.scale * (int(pick(0, 60)) - 20)});
    const std::string result = newName("b");
    addNode(op, {a, b}).add_output(result);
    return result;
}

bool ModelMaker::addChoice() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    if (!may("Where"))
        return false;
    const Shape shape = m_activations[x].shape;
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < m_activations.size(); ++i)
        if (m_activations[i].shape == shape)
            partners.push_back(i);
    std::string truth = condition(x);
    if (pick(0, 2) == 0) {
        const std::string joined = newName("b");
        const std::string other = condition(oneOf(partners));
        addNode(oneOf<std::string>({"And", "Or", "Xor"}), {truth, other}).add_output(joined);
        truth = joined;
    }
    if (pick(0, 2) == 0) {
        const std::string turned = newName("b");
        addNode("Not", {truth}).add_output(turned);
        truth = turned;
    }
    const std::string first = read(x);
    const std::string second = pick(0, 2) == 0 ? addScale({0.0}) : read(oneOf(partners));
    apply("Where", {truth, first, second}, shape, sameAs(x));
    return true;
}

/// Gelu as one node, exact or by tanh, or written out with Erf.
bool ModelMaker::addGelu() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const Shape shape = m_activations[x].shape;
    if (!may("com.microsoft.Gelu"))
        return false;
    const Parameters p{double(float(m_activations[x].scale)), -100};
    if (pick(0, 1) == 0) {
        apply("Gelu", {read(x)}, shape, p);
        last().set_domain("com.microsoft");
        return true;
    }
    const std::string input = read(x), root = addScale({1.4142135381698608}), one = addScale({1.0});
    const std::string half = addScale({0.5}), a = newName("g"), b = newName("g"), c = newName("g"), d = newName("g");
    addNode("Div", {input, root}).add_output(a);
    addNode("Erf", {a}).add_output(b);
    addNode("Add", {b, one}).add_output(c);
    addNode("Mul", {input, c}).add_output(d);
    apply("Mul", {d, half}, shape, p);
    return true;
}

} // namespace poolwright::test
