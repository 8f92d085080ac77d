// SPDX-License-Identifier: Apache-2.0
#include "import/rewrite.h"

#include "import/failure.h"
#include "import/operators.h"

namespace poolwright::import {

std::string Rewrite::input(int index) const {
    return m_node.has(index) ? m_node.proto().input(index) : std::string();
}

std::string Rewrite::constant(const std::string& what, ir::Tensor tensor) const {
    const std::string name = temporary(what);
    tensor.name = name;
    m_node.context().tensors[name] = m_node.addConstant(std::move(tensor));
    return name;
}

void Rewrite::read(onnx::NodeProto step, int opset) const {
    if (step.name().empty())
        step.set_name(m_node.name());
    const NodeView view(m_node.context(), step, opset, step.name());
    if (foldConstant(view))
        return;
    const OperatorReader reader = readerOf({}, step.op_type());
    if (!reader)
        refuse("PW2030", "the operator " + step.op_type() + ", of which it is a quantised form, is not supported");
    reader(view);
}

onnx::NodeProto stepOf(const std::string& opType, const std::vector<std::string>& inputs, const std::string& output) {
    onnx::NodeProto step;
    step.set_op_type(opType);
    for (const std::string& input : inputs)
        step.add_input(input);
    step.add_output(output);
    return step;
}

onnx::NodeProto castStep(const std::string& from, const std::string& to, int onnxType) {
    onnx::NodeProto step = stepOf("Cast", {from}, to);
    setInteger(step, "to", onnxType);
    return step;
}

void setInteger(onnx::NodeProto& step, const std::string& key, std::int64_t value) {
    onnx::AttributeProto& attribute = *step.add_attribute();
    attribute.set_name(key);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
}

void setIntegers(onnx::NodeProto& step, const std::string& key, const std::vector<std::int64_t>& values) {
    onnx::AttributeProto& attribute = *step.add_attribute();
    attribute.set_name(key);
    attribute.set_type(onnx::AttributeProto::INTS);
    for (std::int64_t value : values)
        attribute.add_ints(value);
}

} // namespace poolwright::import
