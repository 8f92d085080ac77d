// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poolwright::test {

using ir::Shape;
using Integers = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t largestActivation = 6000; // elements: what the interpreter and the emulator do in no time

onnx::AttributeProto& attributeOf(onnx::NodeProto& node, const char* key, onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(key);
    attribute.set_type(type);
    return attribute;
}

void addValue(onnx::GraphProto& graph, bool isInput, const std::string& name, int type, const Shape& shape) {
    onnx::ValueInfoProto& value = isInput ? *graph.add_input() : *graph.add_output();
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    for (std::int64_t extent : shape)
        value.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(extent);
}

} // namespace

void setAttribute(onnx::NodeProto& node, const char* key, std::int64_t value) {
    attributeOf(node, key, onnx::AttributeProto::INT).set_i(value);
}
void setAttribute(onnx::NodeProto& node, const char* key, double value) {
    attributeOf(node, key, onnx::AttributeProto::FLOAT).set_f(float(value));
}
void setAttribute(onnx::NodeProto& node, const char* key, const std::string& value) {
    attributeOf(node, key, onnx::AttributeProto::STRING).set_s(value);
}
void setAttribute(onnx::NodeProto& node, const char* key, const Integers& values) {
    onnx::AttributeProto& attribute = attributeOf(node, key, onnx::AttributeProto::INTS);
    for (std::int64_t value : values)
        attribute.add_ints(value);
}

ModelMaker::ModelMaker(unsigned seed, std::set<std::string> operators)
    : m_random(seed)
    , m_operators(std::move(operators)) {
    m_model.set_ir_version(8);
    m_model.mutable_graph()->set_name("random");
    m_model.add_opset_import()->set_version(17);
    addInput();
    if (pick(0, 2) == 0)
        addInput();
    const unsigned wanted = pick(0, 3) == 0 ? pick(20, 60) : pick(5, 20);
    unsigned made = 0;
    for (unsigned tries = 0; made < wanted && tries < 20 * wanted; ++tries)
        made += (this->*oneOf(steps()))() ? 1 : 0;
    addOutputs();
}

const std::vector<ModelMaker::Step>& ModelMaker::steps() {
    using M = ModelMaker;
    static const std::vector<Step> all = {
        // frequent ones several times
        &M::addConvolution, &M::addConvolution,    &M::addConvolution, &M::addConvolution,  &M::addPool,
        &M::addPool,        &M::addGlobalPool,     &M::addBinary,      &M::addBinary,       &M::addBinary,
        &M::addUnary,       &M::addConstantBinary, &M::addClamp,       &M::addConcat,       &M::addTranspose,
        &M::addFlatProduct, &M::addSlice,          &M::addPad,         &M::addResize,       &M::addSplit,
        &M::addReduction,   &M::addSoftmax,        &M::addReshape,     &M::addNormalisation};
    return all;
}

// ---- names, constants ----

double ModelMaker::scaleBetween(double low, double high) {
    return double(float(low + (high - low) * double(m_random() >> 8) / double(1 << 24)));
}

ModelMaker::Parameters ModelMaker::parameters() {
    return {scaleBetween(0.01, 0.1), oneOf<int>({-128, -128, 0, int(pick(0, 255)) - 128})};
}

std::string ModelMaker::newName(const char* prefix) {
    return prefix + std::to_string(m_names++);
}

onnx::NodeProto& ModelMaker::addNode(const std::string& opType, const std::vector<std::string>& inputs) {
    m_lastNode = m_model.graph().node_size();
    onnx::NodeProto& node = *m_model.mutable_graph()->add_node();
    node.set_op_type(opType);
    node.set_name(newName("node"));
    for (const std::string& input : inputs)
        node.add_input(input);
    return node;
}

onnx::TensorProto& ModelMaker::addInitialiser(const std::string& name, int type, const Shape& shape) {
    onnx::TensorProto& tensor = *m_model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (std::int64_t extent : shape)
        tensor.add_dims(extent);
    return tensor;
}

std::string ModelMaker::addIntegers(const Integers& values) {
    const std::string name = newName("integers");
    onnx::TensorProto& tensor = addInitialiser(name, onnx::TensorProto::INT64, {std::int64_t(values.size())});
    for (std::int64_t value : values)
        tensor.add_int64_data(value);
    return name;
}

std::string ModelMaker::addReals(const Shape& shape, double low, double high) {
    const std::string name = newName("reals");
    onnx::TensorProto& tensor = addInitialiser(name, onnx::TensorProto::FLOAT, shape);
    for (std::int64_t i = 0; i < ir::elementCount(shape); ++i)
        tensor.add_float_data(float(scaleBetween(low, high)));
    return name;
}

std::string ModelMaker::addScale(const std::vector<double>& scales) {
    const std::string name = newName("scale");
    const Shape shape = scales.size() == 1 ? Shape{} : Shape{std::int64_t(scales.size())};
    onnx::TensorProto& tensor = addInitialiser(name, onnx::TensorProto::FLOAT, shape);
    for (double scale : scales)
        tensor.add_float_data(float(scale));
    return name;
}

std::string ModelMaker::addDequantise(const std::string& from, const std::vector<double>& scales, int zeroPoint,
                                      int axis, int type) {
    const std::string scale = addScale(scales), zero = newName("zero");
    const Shape shape = scales.size() == 1 ? Shape{} : Shape{std::int64_t(scales.size())};
    onnx::TensorProto& tensor = addInitialiser(zero, type, shape);
    for (std::size_t i = 0; i < scales.size(); ++i)
        tensor.add_int32_data(zeroPoint);
    onnx::NodeProto& node = addNode("DequantizeLinear", {from, scale, zero});
    if (scales.size() > 1)
        setAttribute(node, "axis", std::int64_t(axis));
    node.add_output(from + "_real");
    return from + "_real";
}

ModelMaker::Constant ModelMaker::addConstant(const Shape& shape, const std::vector<double>& scales, int axis, int low,
                                             int high) {
    const std::string name = newName("constant");
    onnx::TensorProto& tensor = addInitialiser(name, onnx::TensorProto::INT8, shape);
    for (std::int64_t i = 0; i < ir::elementCount(shape); ++i)
        tensor.add_int32_data(low + int(pick(0, unsigned(high - low))));
    return {addDequantise(name, scales, 0, axis, onnx::TensorProto::INT8), shape, scales[0]};
}

ModelMaker::Constant ModelMaker::addBias(std::int64_t count, const std::vector<double>& scales, int reach) {
    const std::string name = newName("bias");
    onnx::TensorProto& tensor = addInitialiser(name, onnx::TensorProto::INT32, {count});
    for (std::int64_t i = 0; i < count; ++i)
        tensor.add_int32_data(int(pick(0, unsigned(2 * reach))) - reach);
    return {addDequantise(name, scales, 0, 0, onnx::TensorProto::INT32), {count}, scales[0]};
}

/// One value a channel; every other time one that stands in the model already.
ModelMaker::Constant ModelMaker::channelConstant(const Shape& shape) {
    const Shape wanted{1, shape[1], 1, 1};
    for (const Constant& constant : m_shared)
        if (constant.shape == wanted && pick(0, 1) == 0)
            return constant;
    m_shared.push_back(addConstant(wanted, {scaleBetween(0.005, 0.05)}, 0, 1, 127));
    return m_shared.back();
}

// ---- activations ----

void ModelMaker::addInput() {
    const Shape shape{1, oneOf<std::int64_t>({1, 3, 3, 4, 5, 8, 13, 16}), std::int64_t(pick(3, 17)),
                      std::int64_t(pick(3, 17))};
    const std::string name = newName("input");
    const Parameters p = parameters();
    if (pick(0, 3) == 0) {
        addValue(*m_model.mutable_graph(), true, name, onnx::TensorProto::FLOAT, shape);
        quantise(name, shape, p);
        return;
    }
    addValue(*m_model.mutable_graph(), true, name, onnx::TensorProto::INT8, shape);
    m_activations.push_back({name, {}, shape, p.scale, p.zeroPoint, 0});
}

/// What nothing reads, as integers or now and then as floats.
void ModelMaker::addOutputs() {
    const std::size_t count = m_activations.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (m_activations[i].readers > 0)
            continue;
        const Shape shape = m_activations[i].shape;
        const bool isInput = m_activations[i].quantised.starts_with("input");
        const bool asReals = isInput || pick(0, 4) == 0;
        const std::string name = asReals ? read(i) : m_activations[i].quantised;
        addValue(*m_model.mutable_graph(), false, name, asReals ? onnx::TensorProto::FLOAT : onnx::TensorProto::INT8,
                 shape);
    }
}

std::string ModelMaker::read(std::size_t index) {
    Activation& activation = m_activations[index];
    ++activation.readers;
    if (activation.real.empty())
        activation.real =
            addDequantise(activation.quantised, {activation.scale}, activation.zeroPoint, 0, onnx::TensorProto::INT8);
    return activation.real;
}

std::size_t ModelMaker::quantise(const std::string& real, const Shape& shape, const Parameters& p) {
    const std::string scale = addScale({p.scale}), zero = newName("zero"), name = newName("t");
    addInitialiser(zero, onnx::TensorProto::INT8, {}).add_int32_data(p.zeroPoint);
    const int before = m_lastNode;
    addNode("QuantizeLinear", {real, scale, zero}).add_output(name);
    m_lastNode = before; // attributes go to the operator
    m_activations.push_back({name, {}, shape, p.scale, p.zeroPoint, 0});
    return m_activations.size() - 1;
}

std::size_t ModelMaker::apply(const std::string& opType, std::vector<std::string> inputs, const Shape& shape,
                              const Parameters& p) {
    const std::string output = newName("r");
    addNode(opType, inputs).add_output(output);
    return quantise(output, shape, p);
}

int ModelMaker::anyOfRank(std::size_t rank) {
    for (int tries = 0; tries < 8; ++tries) {
        const unsigned count = unsigned(m_activations.size());
        const unsigned index = pick(0, 1) == 0 ? pick(0, count - 1) : count - 1 - pick(0, std::min(count - 1, 2U));
        if (m_activations[index].shape.size() == rank)
            return int(index);
    }
    return -1;
}

ModelMaker::Parameters ModelMaker::sameAs(std::size_t index) const {
    return {m_activations[index].scale, m_activations[index].zeroPoint};
}

// ---- operators ----

/// Weights of a positive mean and an output scale that fits them, so that sums neither vanish nor saturate: the
/// vendor's rule for the shift of 16-bit sums goes by the signed sum of the weights (facts/numerics.md section 2).
bool ModelMaker::addConvolution() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const double inputScale = m_activations[std::size_t(x)].scale;
    const auto kernel = [&](std::int64_t extent) {
        return std::min<std::int64_t>(extent, oneOf<std::int64_t>({1, 1, 3, 3, 3, 2, 5}));
    };
    const std::int64_t kh = kernel(in[2]), kw = kernel(in[3]), stride = oneOf<std::int64_t>({1, 1, 2});
    const std::int64_t groups = pick(0, 3) == 0 ? in[1] : 1;
    const std::int64_t outputs =
        groups > 1 ? in[1] * std::int64_t(pick(1, 2)) : oneOf<std::int64_t>({1, 4, 8, 10, 17, 24});
    const Integers pads{std::int64_t(pick(0, unsigned(kh / 2))), std::int64_t(pick(0, unsigned(kw / 2))), kh / 2,
                        kw / 2};
    const Shape shape{in[0], outputs, (in[2] + pads[0] + pads[2] - kh) / stride + 1,
                      (in[3] + pads[1] + pads[3] - kw) / stride + 1};
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::int64_t taps = in[1] / groups * kh * kw;
    std::vector<double> scales(pick(0, 1) == 0 ? 1 : std::size_t(outputs));
    for (double& scale : scales)
        scale = scaleBetween(0.001, 0.004);
    std::vector<std::string> inputs{read(std::size_t(x)),
                                    addConstant({outputs, in[1] / groups, kh, kw}, scales, 0, -20, 127).name};
    for (double& scale : scales)
        scale = double(float(inputScale) * float(scale));
    if (pick(0, 3) != 0)
        inputs.push_back(addBias(outputs, scales, int(2000 * std::sqrt(double(taps)))).name);
    apply("Conv", inputs, shape,
          {double(float(inputScale * 0.0025 * std::sqrt(double(taps)) * 65)), oneOf<int>({-128, -128, 0, -37})});
    setAttribute(last(), "pads", pads);
    setAttribute(last(), "strides", Integers{stride, stride});
    setAttribute(last(), "group", groups);
    return true;
}

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
    const double scale = op == "Mul" ? a * b * 90 : op == "Add" || op == "Sub" ? a + b : std::max(a, b);
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

bool ModelMaker::addConcat() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const Shape shape = m_activations[x].shape;
    const std::size_t axis = shape.size() > 1 ? pick(1, unsigned(shape.size()) - 1) : 0;
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < m_activations.size(); ++i) {
        Shape other = m_activations[i].shape;
        if (other.size() != shape.size())
            continue;
        other[axis] = shape[axis];
        if (other == shape)
            partners.push_back(i);
    }
    std::vector<std::string> inputs;
    Shape result = shape;
    result[axis] = 0;
    const unsigned parts = pick(2, 3);
    for (unsigned i = 0; i < parts; ++i) {
        const std::size_t part = oneOf(partners);
        inputs.push_back(read(part));
        result[axis] += m_activations[part].shape[axis];
    }
    if (ir::elementCount(result) > largestActivation)
        return false;
    apply("Concat", inputs, result, sameAs(x));
    setAttribute(last(), "axis", std::int64_t(axis));
    return true;
}

bool ModelMaker::addTranspose() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Integers permutation(m_activations[x].shape.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::size_t d = permutation.size(); d > 2; --d) // the batch stays in front
        std::swap(permutation[d - 1], permutation[pick(1, unsigned(d) - 1)]);
    Shape shape;
    for (std::int64_t d : permutation)
        shape.push_back(m_activations[x].shape[std::size_t(d)]);
    apply("Transpose", {read(x)}, shape, sameAs(x));
    setAttribute(last(), "perm", permutation);
    return true;
}

/// Flatten, then a fully connected layer.
bool ModelMaker::addFlatProduct() {
    const int x = anyOfRank(4);
    if (x < 0 || pick(0, 1) == 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const std::int64_t depth = ir::elementCount(in) / in[0], outputs = oneOf<std::int64_t>({1, 10, 31});
    if (depth > 2000)
        return false;
    const std::size_t flat = apply("Flatten", {read(std::size_t(x))}, {in[0], depth}, sameAs(std::size_t(x)));
    const double inputScale = m_activations[flat].scale;
    std::vector<double> scales{scaleBetween(0.001, 0.004)};
    const std::string input = read(flat), weights = addConstant({outputs, depth}, scales, 0, -20, 127).name;
    scales[0] = double(float(inputScale) * float(scales[0]));
    const std::string bias = addBias(outputs, scales, int(2000 * std::sqrt(double(depth)))).name;
    apply("Gemm", {input, weights, bias}, {in[0], outputs},
          {double(float(inputScale * 0.0025 * std::sqrt(double(depth)) * 65)), -20});
    setAttribute(last(), "transB", std::int64_t(1));
    return true;
}

bool ModelMaker::addSlice() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Shape shape = m_activations[x].shape;
    if (shape.size() < 2)
        return false;
    const std::size_t axis = pick(1, unsigned(shape.size()) - 1);
    if (shape[axis] < 2)
        return false;
    const std::int64_t start = pick(0, unsigned(shape[axis]) - 1), step = pick(1, 2);
    const std::int64_t end = pick(unsigned(start) + 1, unsigned(shape[axis]));
    shape[axis] = (end - start + step - 1) / step;
    const std::string input = read(x), starts = addIntegers({start}), ends = addIntegers({end}),
                      axes = addIntegers({std::int64_t(axis)}), steps = addIntegers({step});
    apply("Slice", {input, starts, ends, axes, steps}, shape, sameAs(x));
    return true;
}

bool ModelMaker::addPad() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    Integers pads(8, 0);
    for (std::size_t d = 2; d < 4; ++d) {
        pads[d] = pick(0, 2);
        pads[d + 4] = pick(0, 2);
        shape[d] += pads[d] + pads[d + 4];
    }
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(std::size_t(x)), amounts = addIntegers(pads);
    apply("Pad", {input, amounts}, shape, sameAs(std::size_t(x)));
    return true;
}

bool ModelMaker::addResize() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    shape[2] *= 2;
    shape[3] *= 2;
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(std::size_t(x)), sizes = addIntegers(shape);
    apply("Resize", {input, "", "", sizes}, shape, sameAs(std::size_t(x)));
    setAttribute(last(), "mode", oneOf<std::string>({"nearest", "linear"}));
    setAttribute(last(), "coordinate_transformation_mode", std::string("asymmetric"));
    setAttribute(last(), "nearest_mode", std::string("floor"));
    return true;
}

bool ModelMaker::addSplit() {
    const int x = anyOfRank(4);
    if (x < 0 || m_activations[std::size_t(x)].shape[1] < 2)
        return false;
    const Shape shape = m_activations[std::size_t(x)].shape;
    const std::int64_t first = pick(1, unsigned(shape[1]) - 1);
    const std::string input = read(std::size_t(x)), parts = addIntegers({first, shape[1] - first});
    const std::string a = newName("r"), b = newName("r");
    onnx::NodeProto& node = addNode("Split", {input, parts});
    setAttribute(node, "axis", std::int64_t(1));
    node.add_output(a);
    node.add_output(b);
    quantise(a, {shape[0], first, shape[2], shape[3]}, sameAs(std::size_t(x)));
    quantise(b, {shape[0], shape[1] - first, shape[2], shape[3]}, sameAs(std::size_t(x)));
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

/// Any rank to four dimensions, with the channels where the elements divide.
bool ModelMaker::addReshape() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const std::int64_t count = ir::elementCount(m_activations[x].shape);
    std::int64_t channels = pick(1, 16);
    while (count % channels != 0)
        --channels;
    std::int64_t width = pick(1, 12);
    while (count / channels % width != 0)
        --width;
    const Shape shape{1, channels, count / channels / width, width};
    const std::string input = read(x), wanted = addIntegers(shape);
    apply("Reshape", {input, wanted}, shape, sameAs(x));
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

} // namespace poolwright::test
