// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate_model.h"

#include "fuzz/mutate_text.h"
#include "import/importable.h"

#include <onnx/onnx_pb.h>

#include <limits>

namespace poolwright::fuzz {

namespace {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::TensorProto;
using Change = void (*)(ModelProto&, Dice&);

std::int64_t extremeInteger(Dice& dice) {
    static const std::vector<std::int64_t> all = {0,
                                                  -1,
                                                  1,
                                                  2,
                                                  3,
                                                  4,
                                                  5,
                                                  7,
                                                  8,
                                                  16,
                                                  -2,
                                                  -3,
                                                  100,
                                                  127,
                                                  255,
                                                  256,
                                                  1000,
                                                  65535,
                                                  65536,
                                                  1 << 20,
                                                  -4,
                                                  -1000,
                                                  1 << 24,
                                                  0x7FFFFFFFLL,
                                                  0x80000000LL,
                                                  -0x80000000LL,
                                                  0xFFFFFFFFLL,
                                                  1LL << 33,
                                                  1LL << 40,
                                                  1LL << 62,
                                                  std::numeric_limits<std::int64_t>::max(),
                                                  std::numeric_limits<std::int64_t>::min()};
    return dice.oneOf(all);
}

float extremeReal(Dice& dice) {
    using Limits = std::numeric_limits<float>;
    static const std::vector<float> all = {0.0F,
                                           -0.0F,
                                           1.0F,
                                           -1.0F,
                                           0.5F,
                                           -0.5F,
                                           1e-10F,
                                           1e10F,
                                           1e30F,
                                           Limits::max(),
                                           Limits::lowest(),
                                           Limits::denorm_min(),
                                           Limits::infinity(),
                                           -Limits::infinity(),
                                           Limits::quiet_NaN(),
                                           255.5F};
    return dice.oneOf(all);
}

int anyType(Dice& dice) {
    return dice.oneIn(8) ? int(extremeInteger(dice)) : int(dice.below(24));
}

NodeProto* anyNode(ModelProto& model, Dice& dice) {
    GraphProto& graph = *model.mutable_graph();
    return graph.node_size() == 0 ? nullptr : graph.mutable_node(int(dice.below(std::size_t(graph.node_size()))));
}

TensorProto* anyInitialiser(ModelProto& model, Dice& dice) {
    GraphProto& graph = *model.mutable_graph();
    return graph.initializer_size() == 0
               ? nullptr
               : graph.mutable_initializer(int(dice.below(std::size_t(graph.initializer_size()))));
}

std::string anyTensorName(ModelProto& model, Dice& dice) {
    std::vector<std::string> names{"", "nowhere"};
    for (const auto& input : model.graph().input())
        names.push_back(input.name());
    for (const auto& initialiser : model.graph().initializer())
        names.push_back(initialiser.name());
    for (const NodeProto& node : model.graph().node())
        names.insert(names.end(), node.output().begin(), node.output().end());
    return dice.oneOf(names);
}

/// A repeated field of numbers: one element changed, taken out or added.
template <typename Field, typename Value> void changeList(Field& field, Value value, Dice& dice) {
    if (field.size() == 0 || dice.oneIn(6))
        field.Add(value);
    else if (dice.oneIn(6))
        field.RemoveLast();
    else
        field.Set(int(dice.below(std::size_t(field.size()))), value);
}

void changeTensor(TensorProto& tensor, Dice& dice) {
    switch (dice.below(6)) {
    case 0:
    case 1:
        changeList(*tensor.mutable_dims(), extremeInteger(dice), dice);
        break;
    case 2:
        tensor.set_data_type(anyType(dice));
        break;
    case 3:
        tensor.set_raw_data(mutateBytes(tensor.raw_data() + std::string(1 + dice.below(9), char(dice.any())), dice));
        break;
    case 4:
        tensor.set_data_location(TensorProto::EXTERNAL);
        break;
    default:
        tensor.clear_raw_data();
        changeList(*tensor.mutable_float_data(), extremeReal(dice), dice);
    }
}

// ---- changes ----

void changeInitialiser(ModelProto& model, Dice& dice) {
    if (TensorProto* tensor = anyInitialiser(model, dice))
        changeTensor(*tensor, dice);
}

/// A number in a constant: scales, zero points, axes, shapes, pads.
void changeConstantValue(ModelProto& model, Dice& dice) {
    TensorProto* tensor = anyInitialiser(model, dice);
    if (!tensor)
        return;
    const std::int64_t integer = extremeInteger(dice);
    const float real = extremeReal(dice);
    if (tensor->float_data_size() > 0)
        tensor->set_float_data(int(dice.below(std::size_t(tensor->float_data_size()))), real);
    else if (tensor->int64_data_size() > 0)
        tensor->set_int64_data(int(dice.below(std::size_t(tensor->int64_data_size()))), integer);
    else if (tensor->int32_data_size() > 0)
        tensor->set_int32_data(int(dice.below(std::size_t(tensor->int32_data_size()))), int(integer));
    const auto put = [&](const void* value, std::size_t size) {
        std::string& raw = *tensor->mutable_raw_data();
        if (raw.size() >= size)
            raw.replace(dice.below(raw.size() / size) * size, size, static_cast<const char*>(value), size);
    };
    if (tensor->data_type() == TensorProto::FLOAT)
        put(&real, sizeof real);
    else if (tensor->data_type() == TensorProto::INT64)
        put(&integer, sizeof integer);
    else
        put(&integer, 1);
}

void changeExtent(ModelProto& model, Dice& dice) {
    GraphProto& graph = *model.mutable_graph();
    const std::size_t inputs = std::size_t(graph.input_size()), all = inputs + std::size_t(graph.output_size());
    if (all == 0)
        return;
    const std::size_t which = dice.below(all);
    auto& value = which < inputs ? *graph.mutable_input(int(which)) : *graph.mutable_output(int(which - inputs));
    auto& type = *value.mutable_type()->mutable_tensor_type();
    auto& shape = *type.mutable_shape();
    if (shape.dim_size() == 0 || dice.oneIn(8))
        shape.add_dim()->set_dim_value(extremeInteger(dice));
    else if (dice.oneIn(8))
        shape.mutable_dim()->RemoveLast();
    else if (dice.oneIn(8))
        shape.mutable_dim(int(dice.below(std::size_t(shape.dim_size()))))->set_dim_param("n");
    else if (dice.oneIn(8))
        type.set_elem_type(anyType(dice));
    else
        shape.mutable_dim(int(dice.below(std::size_t(shape.dim_size()))))->set_dim_value(extremeInteger(dice));
}

void changeAttributeValue(AttributeProto& attribute, Dice& dice) {
    if (dice.oneIn(10)) {
        attribute.set_type(AttributeProto::AttributeType(dice.below(15)));
        return;
    }
    switch (attribute.type()) {
    case AttributeProto::INT:
        return attribute.set_i(extremeInteger(dice));
    case AttributeProto::FLOAT:
        return attribute.set_f(extremeReal(dice));
    case AttributeProto::STRING:
        return attribute.set_s(dice.oneIn(2) ? mutateBytes(attribute.s(), dice) : "linear");
    case AttributeProto::INTS:
        return changeList(*attribute.mutable_ints(), extremeInteger(dice), dice);
    case AttributeProto::FLOATS:
        return changeList(*attribute.mutable_floats(), extremeReal(dice), dice);
    case AttributeProto::TENSOR:
        return changeTensor(*attribute.mutable_t(), dice);
    default:
        attribute.set_type(AttributeProto::INT);
    }
}

void changeAttribute(ModelProto& model, Dice& dice) {
    NodeProto* node = anyNode(model, dice);
    if (!node || node->attribute_size() == 0)
        return;
    const int which = int(dice.below(std::size_t(node->attribute_size())));
    if (dice.oneIn(8))
        node->mutable_attribute()->DeleteSubrange(which, 1);
    else if (dice.oneIn(10))
        *node->add_attribute() = AttributeProto(node->attribute(which));
    else
        changeAttributeValue(*node->mutable_attribute(which), dice);
}

/// One that some operator knows, perhaps not this one.
void addAttribute(ModelProto& model, Dice& dice) {
    static const std::vector<std::string> integers = {"axis",
                                                      "group",
                                                      "ceil_mode",
                                                      "count_include_pad",
                                                      "keepdims",
                                                      "to",
                                                      "transA",
                                                      "transB",
                                                      "size",
                                                      "blocksize",
                                                      "num_outputs",
                                                      "p",
                                                      "storage_order",
                                                      "allowzero",
                                                      "exclude_outside",
                                                      "select_last_index",
                                                      "batch_dims",
                                                      "noop_with_empty_axes",
                                                      "antialias",
                                                      "align_corners"};
    static const std::vector<std::string> lists = {"axes",         "pads",   "strides", "dilations",
                                                   "kernel_shape", "perm",   "split",   "output_padding",
                                                   "output_shape", "starts", "ends",    "shape"};
    static const std::vector<std::string> reals = {
        "alpha",         "beta",       "epsilon", "gamma", "bias", "min", "max", "value", "extrapolation_value",
        "cubic_coeff_a", "value_float"};
    static const std::vector<std::string> texts = {
        "auto_pad", "mode",      "coordinate_transformation_mode", "approximate", "nearest_mode",
        "equation", "direction", "keep_aspect_ratio_policy"};
    NodeProto* node = anyNode(model, dice);
    if (!node)
        return;
    AttributeProto& attribute = *node->add_attribute();
    switch (dice.below(4)) {
    case 0:
        attribute.set_name(dice.oneOf(integers));
        attribute.set_type(AttributeProto::INT);
        return attribute.set_i(extremeInteger(dice));
    case 1:
        attribute.set_name(dice.oneOf(lists));
        attribute.set_type(AttributeProto::INTS);
        for (std::size_t count = dice.below(9); count > 0; --count)
            attribute.add_ints(dice.oneIn(3) ? extremeInteger(dice) : std::int64_t(dice.below(5)));
        return;
    case 2:
        attribute.set_name(dice.oneOf(reals));
        attribute.set_type(AttributeProto::FLOAT);
        return attribute.set_f(extremeReal(dice));
    default:
        attribute.set_name(dice.oneOf(texts));
        attribute.set_type(AttributeProto::STRING);
        attribute.set_s(dice.oneOf<std::string>({"SAME_UPPER", "SAME_LOWER", "VALID", "linear", "cubic", "half_pixel",
                                                 "align_corners", "tf_crop_and_resize", "reflect", "wrap", ""}));
    }
}

void changeOperator(ModelProto& model, Dice& dice) {
    static const std::vector<import::ImportableOperator> all = import::importableOperators();
    if (NodeProto* node = anyNode(model, dice)) {
        const import::ImportableOperator& other = dice.oneOf(all);
        node->set_op_type(other.opType);
        node->set_domain(other.domain);
    }
}

/// Nodes taken out, doubled, exchanged.
void changeNodes(ModelProto& model, Dice& dice) {
    auto& nodes = *model.mutable_graph()->mutable_node();
    if (nodes.empty())
        return;
    const int first = int(dice.below(std::size_t(nodes.size()))), second = int(dice.below(std::size_t(nodes.size())));
    switch (dice.below(3)) {
    case 0:
        return nodes.DeleteSubrange(first, 1);
    case 1:
        *nodes.Add() = NodeProto(nodes.Get(first));
        return;
    default:
        nodes.SwapElements(first, second);
    }
}

void changeConnection(ModelProto& model, Dice& dice) {
    NodeProto* node = anyNode(model, dice);
    if (!node)
        return;
    auto& names = dice.oneIn(4) ? *node->mutable_output() : *node->mutable_input();
    if (names.empty() || dice.oneIn(5))
        *names.Add() = anyTensorName(model, dice);
    else if (dice.oneIn(5))
        names.RemoveLast();
    else
        *names.Mutable(int(dice.below(std::size_t(names.size())))) = anyTensorName(model, dice);
}

void changeInterface(ModelProto& model, Dice& dice) {
    GraphProto& graph = *model.mutable_graph();
    auto& values = dice.oneIn(2) ? *graph.mutable_input() : *graph.mutable_output();
    if (values.empty())
        return;
    const int which = int(dice.below(std::size_t(values.size())));
    if (dice.oneIn(3))
        values.DeleteSubrange(which, 1);
    else if (dice.oneIn(2))
        *values.Add() = onnx::ValueInfoProto(values.Get(which));
    else
        values.Mutable(which)->set_name(anyTensorName(model, dice));
}

void changeInitialisers(ModelProto& model, Dice& dice) {
    auto& tensors = *model.mutable_graph()->mutable_initializer();
    if (tensors.empty())
        return;
    const int which = int(dice.below(std::size_t(tensors.size())));
    if (dice.oneIn(3))
        tensors.DeleteSubrange(which, 1);
    else if (dice.oneIn(3))
        *tensors.Add() = TensorProto(tensors.Get(which));
    else
        tensors.Mutable(which)->set_name(anyTensorName(model, dice));
}

void changeOpset(ModelProto& model, Dice& dice) {
    if (model.opset_import_size() == 0 || dice.oneIn(6)) {
        model.add_opset_import()->set_version(extremeInteger(dice));
        return;
    }
    auto& opset = *model.mutable_opset_import(int(dice.below(std::size_t(model.opset_import_size()))));
    if (dice.oneIn(6))
        opset.set_domain("com.microsoft");
    else
        opset.set_version(dice.oneIn(5) ? extremeInteger(dice) : std::int64_t(1 + dice.below(24)));
}

} // namespace

std::string mutateModel(const std::string& bytes, Dice& dice) {
    ModelProto model;
    if (dice.oneIn(6) || !model.ParseFromString(bytes))
        return mutateBytes(bytes, dice);
    static const std::vector<Change> changes = {
        changeInitialiser, changeConstantValue, changeConstantValue, changeExtent,       changeExtent,
        changeAttribute,   changeAttribute,     changeAttribute,     addAttribute,       changeOperator,
        changeNodes,       changeConnection,    changeInterface,     changeInitialisers, changeOpset};
    for (std::size_t count = 1 + dice.below(2); count > 0; --count)
        dice.oneOf(changes)(model, dice);
    return model.SerializeAsString();
}

} // namespace poolwright::fuzz
