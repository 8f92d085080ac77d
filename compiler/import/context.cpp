// SPDX-License-Identifier: Apache-2.0
#include "import/context.h"

#include "import/constants.h"
#include "import/failure.h"

#include <onnx/onnx_pb.h>

namespace poolwright::import {

const std::string& NodeView::opType() const {
    return m_proto.op_type();
}

int NodeView::inputCount() const {
    return m_proto.input_size();
}

bool NodeView::has(int input) const {
    return input < m_proto.input_size() && !m_proto.input(input).empty();
}

TensorId NodeView::input(int input) const {
    if (!has(input))
        refuse("PW2040", "input " + std::to_string(input) + " is missing");
    const auto found = m_context.tensors.find(m_proto.input(input));
    if (found == m_context.tensors.end())
        refuse("PW2040", "input '" + m_proto.input(input) + "' is made by no node before this one");
    return found->second;
}

const ir::Tensor& NodeView::tensor(int index) const {
    return m_context.graph[input(index)];
}

const ir::Tensor& NodeView::constant(int index, const char* what) const {
    const ir::Tensor& found = tensor(index);
    if (!found.isConstant())
        refuse("PW2041", std::string(what) + " ('" + m_proto.input(index) + "') is computed at run time",
               "only constants are supported here; fold them when exporting (for example with onnxsim)");
    return found;
}

std::vector<std::int64_t> NodeView::constantIntegers(int index, const char* what) const {
    return ir::integersOf(constant(index, what));
}

double NodeView::constantScalar(int index, const char* what) const {
    const std::vector<double> values = ir::realsOf(constant(index, what));
    if (values.size() != 1)
        refuse("PW2042", std::string(what) + " is not one number");
    return values[0];
}

const onnx::AttributeProto* NodeView::find(const char* key) const {
    for (const auto& attribute : m_proto.attribute())
        if (attribute.name() == key)
            return &attribute;
    return nullptr;
}

static void requireType(bool right, const char* key) {
    if (!right)
        refuse("PW2042", std::string("attribute ") + key + " has the wrong type");
}

std::int64_t NodeView::integer(const char* key, std::int64_t fallback) const {
    const auto* attribute = find(key);
    if (!attribute)
        return fallback;
    requireType(attribute->type() == onnx::AttributeProto::INT, key);
    return attribute->i();
}

double NodeView::real(const char* key, double fallback) const {
    const auto* attribute = find(key);
    if (!attribute)
        return fallback;
    requireType(attribute->type() == onnx::AttributeProto::FLOAT, key);
    return double(attribute->f());
}

std::string NodeView::text(const char* key, const std::string& fallback) const {
    const auto* attribute = find(key);
    if (!attribute)
        return fallback;
    requireType(attribute->type() == onnx::AttributeProto::STRING, key);
    return attribute->s();
}

std::vector<std::int64_t> NodeView::integers(const char* key) const {
    const auto* attribute = find(key);
    if (!attribute)
        return {};
    requireType(attribute->type() == onnx::AttributeProto::INTS, key);
    return {attribute->ints().begin(), attribute->ints().end()};
}

std::vector<double> NodeView::reals(const char* key) const {
    const auto* attribute = find(key);
    if (!attribute)
        return {};
    requireType(attribute->type() == onnx::AttributeProto::FLOATS, key);
    return {attribute->floats().begin(), attribute->floats().end()};
}

int NodeView::outputCount() const {
    return m_proto.output_size();
}

const std::string& NodeView::outputName(int output) const {
    if (!hasOutput(output))
        refuse("PW2040", "output " + std::to_string(output) + " has no name");
    return m_proto.output(output);
}

bool NodeView::hasOutput(int output) const {
    return output < m_proto.output_size() && !m_proto.output(output).empty();
}

static TensorId addNode(Context& context, const std::string& nodeName, ir::OpKind kind, std::vector<TensorId> inputs,
                        ir::Attributes attributes, ir::Tensor output) {
    if (checkedCount(output.shape) == 0)
        refuse("PW2010", "its output is empty", "a dimension is 0");
    const TensorId id = context.graph.addTensor(std::move(output));
    context.graph.nodes.push_back({.name = nodeName,
                                   .kind = kind,
                                   .inputs = std::move(inputs),
                                   .outputs = {id},
                                   .attributes = std::move(attributes),
                                   .originalNames = {}});
    return id;
}

void NodeView::emit(ir::OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes, ir::ElementType type,
                    ir::Shape shape, std::optional<ir::Quantisation> quantisation) const {
    ir::Tensor output{.name = outputName(),
                      .type = type,
                      .shape = std::move(shape),
                      .quantisation = std::move(quantisation),
                      .data = {},
                      .originalName = {}};
    bind(addNode(m_context, m_name, kind, std::move(inputs), std::move(attributes), std::move(output)));
}

void NodeView::emitParts(ir::OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes,
                         const ElementSort& sort, const std::vector<ir::Shape>& shapes) const {
    std::vector<TensorId> outputs;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (checkedCount(shapes[i]) == 0)
            refuse("PW2010", "one of its outputs is empty", "a dimension is 0");
        const bool named = hasOutput(int(i));
        ir::Tensor output{.name = named ? outputName(int(i)) : m_name + "_part_" + std::to_string(i),
                          .type = sort.type,
                          .shape = shapes[i],
                          .quantisation = sort.quantisation,
                          .data = {},
                          .originalName = {}};
        outputs.push_back(m_context.graph.addTensor(std::move(output)));
        if (named)
            m_context.tensors[outputName(int(i))] = outputs.back();
    }
    m_context.graph.nodes.push_back({.name = m_name,
                                     .kind = kind,
                                     .inputs = std::move(inputs),
                                     .outputs = std::move(outputs),
                                     .attributes = std::move(attributes),
                                     .originalNames = {}});
}

TensorId NodeView::emitStep(const std::string& suffix, ir::OpKind kind, std::vector<TensorId> inputs,
                            ir::Attributes attributes, ir::ElementType type, ir::Shape shape) const {
    ir::Tensor output{.name = outputName() + suffix,
                      .type = type,
                      .shape = std::move(shape),
                      .quantisation = {},
                      .data = {},
                      .originalName = {}};
    return addNode(m_context, m_name + suffix, kind, std::move(inputs), std::move(attributes), std::move(output));
}

TensorId NodeView::addConstant(ir::Tensor tensor) const {
    return m_context.graph.addTensor(std::move(tensor));
}

void NodeView::bind(TensorId id) const {
    m_context.tensors[outputName()] = id;
}

void requireReal(const NodeView& node, int input) {
    const ir::Tensor& tensor = node.tensor(input);
    const bool real = tensor.type == ir::ElementType::Float32 || (tensor.isConstant() && tensor.isQuantised());
    if (!real)
        refuse("PW2043", "input '" + tensor.name + "' is an integer tensor without DequantizeLinear",
               "export the model in QDQ form; QOperator models are not read");
}

ElementSort movedSort(const NodeView& node, int input) {
    const ir::Tensor& tensor = node.tensor(input);
    if (tensor.isConstant() && tensor.isQuantised())
        return {};
    return {tensor.type, tensor.quantisation};
}

std::int64_t normalisedAxis(std::int64_t axis, std::size_t rank) {
    const auto dimensions = std::int64_t(rank);
    if (axis < -dimensions || axis >= dimensions)
        refuse("PW2044", "axis " + std::to_string(axis) + " does not exist in " + std::to_string(rank) + " dimensions");
    return axis < 0 ? axis + dimensions : axis;
}

} // namespace poolwright::import
