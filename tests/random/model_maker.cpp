// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include "import/importable.h"

#include <algorithm>

namespace poolwright::test {

using ir::Shape;
using Integers = std::vector<std::int64_t>;

namespace {

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

std::set<std::string> readableOperators() {
    std::set<std::string> names;
    for (const import::ImportableOperator& entry : import::importableOperators())
        names.insert(entry.domain.empty() ? entry.opType : entry.domain + "." + entry.opType);
    return names;
}

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
    auto& microsoft = *m_model.add_opset_import();
    microsoft.set_domain("com.microsoft");
    microsoft.set_version(1);
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
    static const std::vector<Step> all = {// frequent ones several times
                                          &M::addConvolution,   &M::addConvolution,  &M::addConvolution,
                                          &M::addConvolution,   &M::addPool,         &M::addPool,
                                          &M::addGlobalPool,    &M::addBinary,       &M::addBinary,
                                          &M::addBinary,        &M::addUnary,        &M::addConstantBinary,
                                          &M::addClamp,         &M::addConcat,       &M::addTranspose,
                                          &M::addFlatProduct,   &M::addSlice,        &M::addPad,
                                          &M::addResize,        &M::addSplit,        &M::addReduction,
                                          &M::addSoftmax,       &M::addReshape,      &M::addNormalisation,
                                          &M::addConvTranspose, &M::addMatMul,       &M::addChoice,
                                          &M::addGelu,          &M::addGather,       &M::addExpand,
                                          &M::addTile,          &M::addArgMax,       &M::addIntegerConvolution,
                                          &M::addIntegerBinary, &M::addIntegerUnary, &M::addIntegerProduct};
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

} // namespace poolwright::test
