// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

namespace {

/// ONNX defines QuantizeLinear of float32 in float32: near a tie of the rounding the exact quotient gives another step.
void quantiseFloats(const Value& from, Value& to) {
    const auto scale = float(scaleOf(to));
    std::vector<double> steps(std::size_t(from.elements()));
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = double(from.as<float>()[i] / scale);
    storeSteps(to, steps);
}

} // namespace

/// QuantizeLinear, DequantizeLinear, a requantisation and Identity all say: the same reals in another form.
Done evaluateConversion(const Call& call) {
    if (!call.hasInput(0) || call.input().shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    if (call.kind == ir::OpKind::Quantize && !call.output().quantisation)
        return mismatch(call, "the output has no scale and zero point");
    if (call.kind == ir::OpKind::Dequantize && !call.input().quantisation)
        return mismatch(call, "the input has no scale and zero point");
    if (call.kind == ir::OpKind::Quantize && call.input().type == ir::ElementType::Float32)
        quantiseFloats(call.input(), call.output());
    else
        convert(call.input(), call.output());
    return {};
}

std::int64_t quantise(double real, double scale, std::int64_t zeroPoint, ir::ElementType type) {
    return withType(type,
                    [&](auto zero) { return std::int64_t(encode<decltype(zero)>(real / scale, double(zeroPoint))); });
}

} // namespace poolwright::reference
