// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include <algorithm>
#include <cmath>

namespace poolwright::test {

using ir::Shape;
using Integers = std::vector<std::int64_t>;

bool ModelMaker::addPool() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const std::int64_t k = std::min<std::int64_t>({3, in[2], in[3], std::int64_t(pick(1, 3))});
    const std::int64_t stride = pick(1, 2);
    const Shape shape{in[0], in[1], (in[2] - k) / stride + 1, (in[3] - k) / stride + 1};
    apply(oneOf<std::string>({"MaxPool", "AveragePool"}), {read(std::size_t(x))}, shape, sameAs(std::size_t(x)));
    setAttribute(last(), "kernel_shape", Integers{k, k});
    setAttribute(last(), "strides", Integers{stride, stride});
    return true;
}

bool ModelMaker::addGlobalPool() {
    const int x = anyOfRank(4);
    if (x < 0 || pick(0, 2) != 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    apply(oneOf<std::string>({"GlobalAveragePool", "GlobalMaxPool"}), {read(std::size_t(x))}, {in[0], in[1], 1, 1},
          sameAs(std::size_t(x)));
    return true;
}

bool ModelMaker::addReduction() {
    const std::string op = oneOf<std::string>({"ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2"});
    const int x = anyOfRank(4);
    if (x < 0 || !may(op.c_str()))
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    const std::int64_t axis = pick(1, 3);
    const double count = double(shape[std::size_t(axis)]);
    shape[std::size_t(axis)] = 1;
    const bool keep = pick(0, 2) != 0;
    if (!keep)
        shape.erase(shape.begin() + axis);
    Parameters p = sameAs(std::size_t(x));
    if (op == "ReduceL1" || op == "ReduceL2")
        p = {double(float(p.scale * (op == "ReduceL1" ? count : std::sqrt(count)) * 0.7)), -128};
    apply(op, {read(std::size_t(x))}, shape, p);
    setAttribute(last(), "axes", Integers{axis});
    setAttribute(last(), "keepdims", std::int64_t(keep));
    return true;
}

bool ModelMaker::addSoftmax() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const std::string op = oneOf<std::string>({"Softmax", "Softmax", "LogSoftmax", "Hardmax"});
    const std::size_t rank = m_activations[x].shape.size();
    if (rank < 2 || pick(0, 2) != 0 || !may(op.c_str()))
        return false;
    apply(op, {read(x)}, m_activations[x].shape,
          op == "LogSoftmax" ? Parameters{0.1, 127} : Parameters{1 / 256.0, -128});
    setAttribute(last(), "axis", std::int64_t(pick(1, unsigned(rank) - 1)));
    return true;
}

bool ModelMaker::addNormalisation() {
    const std::string op = oneOf<std::string>({"InstanceNormalization", "LayerNormalization", "LRN"});
    const int x = anyOfRank(4);
    if (x < 0 || pick(0, 2) != 0 || !may(op.c_str()))
        return false;
    const Shape shape = m_activations[std::size_t(x)].shape;
    std::vector<std::string> inputs{read(std::size_t(x))};
    const std::int64_t values = op == "InstanceNormalization" ? shape[1] : shape[3];
    if (op != "LRN") {
        inputs.push_back(addReals({values}, 0.5, 1.5));
        inputs.push_back(addReals({values}, -0.5, 0.5));
    }
    apply(op, inputs, shape, op == "LRN" ? sameAs(std::size_t(x)) : Parameters{0.04, 0});
    if (op == "LRN")
        setAttribute(last(), "size", std::int64_t(3));
    return true;
}

/// An index is no real number: cast, it is one with a scale of its own.
bool ModelMaker::addArgMax() {
    const int x = anyOfRank(4);
    const std::string op = oneOf<std::string>({"ArgMax", "ArgMin"});
    if (x < 0 || !may(op))
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    const std::int64_t axis = pick(1, 3);
    const bool keep = pick(0, 1) == 0;
    shape[std::size_t(axis)] = 1;
    if (!keep)
        shape.erase(shape.begin() + axis);
    const std::string input = read(std::size_t(x)), index = newName("index");
    onnx::NodeProto& node = addNode(op, {input});
    node.add_output(index);
    setAttribute(node, "axis", axis);
    setAttribute(node, "keepdims", std::int64_t(keep));
    apply("Cast", {index}, shape, {0.25, -128});
    setAttribute(last(), "to", std::int64_t(onnx::TensorProto::FLOAT));
    return true;
}

} // namespace poolwright::test
