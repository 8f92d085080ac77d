// SPDX-License-Identifier: Apache-2.0
#include "lower/software.h"

#include <algorithm>
#include <cctype>

namespace poolwright::lower {

namespace {

bool anyFloat(const std::vector<program::TensorView>& views) {
    return std::any_of(views.begin(), views.end(),
                       [](const auto& view) { return view.type == ir::ElementType::Float32; });
}

void touch(Context& context, const std::vector<program::TensorView>& views) {
    for (const program::TensorView& view : views) {
        if (!view.buffer.isValid())
            continue;
        program::Buffer& buffer = context.buffer(view.buffer);
        buffer.usedByCpu = true;
        if (buffer.kind != program::BufferKind::Constant)
            buffer.alignment = std::max(buffer.alignment, context.limits().ioAlignment);
    }
}

std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

Diagnostic fallbackDisabled(const std::string& name, const std::string& reason) {
    return makeError("PW3010", "node needs software, which --disable-sw-fallback forbids: " + reason, {"", 0, 0, name},
                     "allow software epochs, or rewrite the operator as the message says");
}

} // namespace

Refusal refuseKind(ir::OpKind kind) {
    switch (kind) {
    case ir::OpKind::Softmax:
        return "no unit computes it whole; --expand-softmax or --expand-softmax-full makes it of operators that units "
               "have";
    case ir::OpKind::Quantize:
        return "units read integers, not float; feed the network quantised inputs";
    case ir::OpKind::Dequantize:
        return "units write integers, not float; take the network's outputs quantised";
    case ir::OpKind::ReduceMean:
        return "units average over height and width together only; reduce over both, or over a pooling window";
    case ir::OpKind::BatchNormalization:
        return "units take it folded into a convolution only; place it directly behind one";
    default:
        return "no unit of this machine computes it; keep it at the border of the network or replace it";
    }
}

std::string softwareFunction(ir::OpKind kind) {
    switch (kind) {
    case ir::OpKind::Conv:
        return "ll_sw_forward_conv";
    case ir::OpKind::Gemm:
        return "ll_sw_forward_gemm";
    case ir::OpKind::Add:
    case ir::OpKind::Sub:
    case ir::OpKind::Mul:
        return "ll_sw_forward_arith";
    case ir::OpKind::Relu:
    case ir::OpKind::Clip:
    case ir::OpKind::Sigmoid:
    case ir::OpKind::HardSigmoid:
    case ir::OpKind::HardSwish:
    case ir::OpKind::Tanh:
        return "ll_sw_forward_activ";
    case ir::OpKind::MaxPool:
    case ir::OpKind::AveragePool:
        return "ll_sw_forward_pool";
    case ir::OpKind::GlobalAveragePool:
        return "ll_sw_forward_global_pool";
    case ir::OpKind::ReduceMean:
        return "ll_sw_forward_reduce";
    case ir::OpKind::BatchNormalization:
        return "ll_sw_forward_bn";
    case ir::OpKind::Concat:
        return "ll_sw_forward_concat";
    case ir::OpKind::Reshape:
    case ir::OpKind::Identity:
        return "ll_sw_forward_identity";
    case ir::OpKind::Transpose:
        return "ll_sw_forward_transpose";
    case ir::OpKind::Pad:
        return "ll_sw_forward_pad";
    case ir::OpKind::Resize:
        return "ll_sw_forward_resize";
    case ir::OpKind::Softmax:
        return "ll_sw_forward_softmax";
    case ir::OpKind::Quantize:
        return "ll_sw_forward_quantizelinear";
    case ir::OpKind::Dequantize:
        return "ll_sw_forward_dequantizelinear";
    case ir::OpKind::Requantize:
        return "ll_sw_forward_requantizelinear";
    default:
        return "ll_sw_forward_" + lowerCase(ir::opKindName(kind));
    }
}

Result<void> softwareCall(Context& context, NodeId node, ir::OpKind kind, const ir::Attributes& attributes,
                          std::vector<program::TensorView> inputs, std::vector<program::TensorView> outputs,
                          const Refusal& refusal) {
    const std::string reason = std::string(ir::opKindName(kind)) + ": " + refusal;
    if (context.options.disableSwFallback)
        return fail(fallbackDisabled(context.graph[node].name, reason));
    touch(context, inputs);
    touch(context, outputs);
    program::SoftwareWork work;
    work.kind = kind;
    work.attributes = attributes;
    work.isFloat = anyFloat(inputs) && anyFloat(outputs);
    work.inputs = std::move(inputs);
    work.outputs = std::move(outputs);
    work.function = softwareFunction(kind);
    program::Epoch epoch = context.hardwareEpoch(node, {});
    epoch.kind = program::EpochKind::Software;
    epoch.work = std::move(work);
    epoch.reason = reason;
    context.addStep(node, {std::move(epoch)});
    return {};
}

Result<void> softwareStep(Context& context, NodeId id, const Refusal& refusal) {
    const ir::Node& node = context.graph[id];
    context.fusion.release(id);
    std::vector<program::TensorView> inputs, outputs;
    for (TensorId input : node.inputs)
        inputs.push_back(input.isValid() ? context.view(input) : program::TensorView{});
    for (TensorId output : node.outputs)
        outputs.push_back(context.outputView(output));
    return softwareCall(context, id, node.kind, node.attributes, std::move(inputs), std::move(outputs), refusal);
}

} // namespace poolwright::lower
