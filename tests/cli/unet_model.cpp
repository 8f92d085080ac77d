// SPDX-License-Identifier: Apache-2.0
#include "cli/unet_model.h"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <random>

namespace poolwright::test {

namespace {

using Integers = std::vector<std::int64_t>;
using onnx::TensorProto;

constexpr double activationScale = 6.0 / 255;

class UnetMaker {
public:
    UnetMaker() {
        m_model.set_ir_version(8);
        m_model.add_opset_import()->set_version(13);
        graph().set_name("unet");
    }

    struct Value {
        std::string name;
        std::int64_t channels = 0;
        double scale = activationScale;
    };

    Value input(std::int64_t size) {
        border(*graph().add_input(), "input", {1, 3, size, size});
        return quantised("input", 3, 1.0 / 127, 0);
    }

    Value convTwice(const Value& x, std::int64_t outputs) { return conv(conv(x, outputs, 3), outputs, 3); }

    Value conv(const Value& x, std::int64_t outputs, std::int64_t kernel) {
        const std::string y =
            dense("Conv", x, {outputs, x.channels, kernel, kernel}, outputs, x.channels * kernel * kernel);
        ints("kernel_shape", {kernel, kernel});
        ints("pads", Integers(4, kernel / 2));
        return quantised(node("Relu", {y}), outputs, activationScale, -128);
    }

    Value pool(const Value& x) {
        const std::string y = node("MaxPool", {x.name});
        ints("kernel_shape", {2, 2});
        ints("strides", {2, 2});
        return quantised(y, x.channels, x.scale, -128);
    }

    Value up(const Value& x, std::int64_t outputs) {
        const std::string y = dense("ConvTranspose", x, {x.channels, outputs, 2, 2}, outputs, x.channels);
        ints("kernel_shape", {2, 2});
        ints("strides", {2, 2});
        return quantised(y, outputs, activationScale, -128);
    }

    Value join(const Value& skip, const Value& x) {
        const std::string y = node("Concat", {skip.name, x.name});
        onnx::AttributeProto& axis = attribute("axis", onnx::AttributeProto::INT);
        axis.set_i(1);
        return quantised(y, skip.channels + x.channels, activationScale, -128);
    }

    std::string finish(const Value& last, std::int64_t size) {
        const std::string y = dense("Conv", last, {1, last.channels, 1, 1}, 1, last.channels);
        ints("kernel_shape", {1, 1});
        const Value result = quantised(y, 1, 8.0 / 255, 0);
        border(*graph().add_output(), result.name, {1, 1, size, size});
        return m_model.SerializeAsString();
    }

private:
    onnx::GraphProto& graph() { return *m_model.mutable_graph(); }
    std::string newName(const char* base) { return base + std::to_string(++m_names); }

    static void border(onnx::ValueInfoProto& value, const std::string& name, const Integers& shape) {
        value.set_name(name);
        auto& type = *value.mutable_type()->mutable_tensor_type();
        type.set_elem_type(TensorProto::FLOAT);
        for (std::int64_t extent : shape)
            type.mutable_shape()->add_dim()->set_dim_value(extent);
    }

    std::string node(const char* kind, const std::vector<std::string>& inputs) {
        onnx::NodeProto& made = *graph().add_node();
        made.set_op_type(kind);
        made.set_name(newName(kind));
        for (const std::string& input : inputs)
            made.add_input(input);
        made.add_output(made.name());
        return made.name();
    }

    onnx::AttributeProto& attribute(const char* key, onnx::AttributeProto::AttributeType type) {
        onnx::AttributeProto& made = *graph().mutable_node(graph().node_size() - 1)->add_attribute();
        made.set_name(key);
        made.set_type(type);
        return made;
    }

    void ints(const char* key, const Integers& values) {
        onnx::AttributeProto& made = attribute(key, onnx::AttributeProto::INTS);
        for (std::int64_t value : values)
            made.add_ints(value);
    }

    TensorProto& constant(const std::string& name, int type, const Integers& shape) {
        TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(type);
        for (std::int64_t extent : shape)
            tensor.add_dims(extent);
        return tensor;
    }

    /// Scale and zero point as scalars.
    std::vector<std::string> parameters(double scale, int zeroPoint, int type) {
        const std::string s = newName("scale"), z = newName("zero");
        constant(s, TensorProto::FLOAT, {}).add_float_data(float(scale));
        constant(z, type, {}).add_int32_data(zeroPoint);
        return {s, z};
    }

    Value quantised(const std::string& real, std::int64_t channels, double scale, int zeroPoint) {
        const std::vector<std::string> p = parameters(scale, zeroPoint, TensorProto::INT8);
        const std::string q = node("QuantizeLinear", {real, p[0], p[1]});
        return {node("DequantizeLinear", {q, p[0], p[1]}), channels, scale};
    }

    std::string weights(const Integers& shape, double scale) {
        const std::string name = newName("weights");
        std::int64_t elements = 1;
        for (std::int64_t extent : shape)
            elements *= extent;
        std::string raw(std::size_t(elements), '\0');
        for (char& value : raw)
            value = char(int(m_random() % 101) - 50);
        constant(name, TensorProto::INT8, shape).set_raw_data(raw);
        const std::vector<std::string> p = parameters(scale, 0, TensorProto::INT8);
        return node("DequantizeLinear", {name, p[0], p[1]});
    }

    std::string bias(std::int64_t count, double scale) {
        const std::string name = newName("bias");
        TensorProto& tensor = constant(name, TensorProto::INT32, {count});
        for (std::int64_t i = 0; i < count; ++i)
            tensor.add_int32_data(int(m_random() % 2001) - 1000);
        const std::vector<std::string> p = parameters(scale, 0, TensorProto::INT32);
        return node("DequantizeLinear", {name, p[0], p[1]});
    }

    /// The deviation of a weight is about sqrt(2 / taps), so that values neither vanish nor saturate on their way.
    std::string dense(const char* kind, const Value& x, const Integers& shape, std::int64_t outputs,
                      std::int64_t taps) {
        const double scale = std::sqrt(2.0 / double(taps)) / 29;
        const std::string w = weights(shape, scale), b = bias(outputs, x.scale * scale);
        return node(kind, {x.name, w, b});
    }

    onnx::ModelProto m_model;
    std::mt19937 m_random{1};
    int m_names = 0;
};

} // namespace

std::string unetModel(std::int64_t size, const std::vector<std::int64_t>& features) {
    UnetMaker maker;
    UnetMaker::Value x = maker.input(size);
    std::vector<UnetMaker::Value> skips;
    for (std::int64_t channels : features) {
        skips.push_back(maker.convTwice(x, channels));
        x = maker.pool(skips.back());
    }
    x = maker.convTwice(x, 2 * features.back());
    for (std::size_t level = features.size(); level-- > 0;)
        x = maker.convTwice(maker.join(skips[level], maker.up(x, features[level])), features[level]);
    return maker.finish(x, size);
}

} // namespace poolwright::test
