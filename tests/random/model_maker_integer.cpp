// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include <algorithm>
#include <cmath>

/// Operators that carry their quantisation with them: QLinear forms of ONNX and of com.microsoft.
namespace poolwright::test {

using ir::Shape;

/// The names of an integer tensor, its scale and its zero point.
std::vector<std::string> ModelMaker::integers(std::size_t activation) {
    Activation& a = m_activations[activation];
    ++a.readers;
    const auto parameters = addParameters({a.scale, a.zeroPoint});
    return {a.quantised, parameters[0], parameters[1]};
}

std::vector<std::string> ModelMaker::addParameters(const Parameters& p) {
    const std::string zero = newName("zero");
    addInitialiser(zero, onnx::TensorProto::INT8, {}).add_int32_data(p.zeroPoint);
    return {addScale({p.scale}), zero};
}

std::string ModelMaker::addWeights(const Shape& shape) {
    const std::string name = newName("constant");
    onnx::TensorProto& tensor = addInitialiser(name, onnx::TensorProto::INT8, shape);
    for (std::int64_t i = 0; i < ir::elementCount(shape); ++i)
        tensor.add_int32_data(int(pick(0, 147)) - 20);
    return name;
}

/// `inputs` and the parameters of what the operator makes.
void ModelMaker::applyToIntegers(const std::string& opType, std::vector<std::string> inputs, const Shape& shape,
                                 const Parameters& p) {
    for (const std::string& name : addParameters(p))
        inputs.push_back(name);
    const std::string output = newName("q");
    onnx::NodeProto& node = addNode(opType, inputs);
    node.add_output(output);
    if (opType != "QLinearConv" && opType != "QLinearMatMul")
        node.set_domain("com.microsoft");
    m_activations.push_back({output, {}, shape, p.scale, p.zeroPoint, 0});
}

bool ModelMaker::addIntegerConvolution() {
    const int x = anyOfRank(4);
    if (x < 0 || !may("QLinearConv"))
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const std::int64_t outputs = oneOf<std::int64_t>({1, 5, 8, 12}), k = std::min<std::int64_t>({3, in[2], in[3]});
    const double inputScale = m_activations[std::size_t(x)].scale, taps = double(in[1] * k * k);
    std::vector<std::string> inputs = integers(std::size_t(x));
    inputs.push_back(addWeights({outputs, in[1], k, k}));
    for (const std::string& name : addParameters({scaleBetween(0.001, 0.004), 0}))
        inputs.push_back(name);
    applyToIntegers("QLinearConv", inputs, {in[0], outputs, in[2] - k + 1, in[3] - k + 1},
                    {double(float(inputScale * 0.0025 * std::sqrt(taps) * 65)), oneOf<int>({-128, 0, -37})});
    return true;
}

/// A product with constant columns.
bool ModelMaker::addIntegerProduct() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Shape shape = m_activations[x].shape;
    if (shape.size() < 2 || !may("QLinearMatMul"))
        return false;
    const std::int64_t depth = shape.back(), outputs = oneOf<std::int64_t>({1, 4, 9});
    const double scale = m_activations[x].scale * 0.0025 * std::sqrt(double(depth)) * 65;
    shape.back() = outputs;
    if (ir::elementCount(shape) > largestActivation)
        return false;
    std::vector<std::string> inputs = integers(x);
    inputs.push_back(addWeights({depth, outputs}));
    for (const std::string& name : addParameters({scaleBetween(0.001, 0.004), 0}))
        inputs.push_back(name);
    applyToIntegers("QLinearMatMul", inputs, shape, {double(float(scale)), -20});
    return true;
}

bool ModelMaker::addIntegerBinary() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < m_activations.size(); ++i)
        if (m_activations[i].shape == m_activations[x].shape)
            partners.push_back(i);
    const std::size_t y = oneOf(partners);
    const std::string op = oneOf<std::string>({"QLinearAdd", "QLinearMul"});
    if (!may("com.microsoft." + op))
        return false;
    const double a = m_activations[x].scale, b = m_activations[y].scale;
    std::vector<std::string> inputs = integers(x);
    for (const std::string& name : integers(y))
        inputs.push_back(name);
    const Shape shape = m_activations[x].shape;
    applyToIntegers(op, inputs, shape,
                    {double(float(op == "QLinearAdd" ? (a + b) * 0.93 : a * b * 90)), parameters().zeroPoint});
    return true;
}

bool ModelMaker::addIntegerUnary() {
    const int x = anyOfRank(4);
    const std::string op = oneOf<std::string>({"QLinearSigmoid", "QLinearLeakyRelu", "QLinearGlobalAveragePool"});
    if (x < 0 || !may("com.microsoft." + op))
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    if (op == "QLinearGlobalAveragePool")
        shape = {shape[0], shape[1], 1, 1};
    const Parameters p = op == "QLinearSigmoid" ? Parameters{1 / 256.0, -128} : sameAs(std::size_t(x));
    applyToIntegers(op, integers(std::size_t(x)), shape, p);
    if (op == "QLinearLeakyRelu")
        setAttribute(last(), "alpha", 0.1);
    if (op == "QLinearGlobalAveragePool")
        setAttribute(last(), "channels_last", std::int64_t(0));
    return true;
}

} // namespace poolwright::test
