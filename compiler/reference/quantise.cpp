// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

/// QuantizeLinear, DequantizeLinear, a requantisation and Identity all say: the same reals in another form.
Done evaluateConversion(const Call& call) {
    if (!call.hasInput(0) || call.input().shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    if (call.kind == ir::OpKind::Quantize && !call.output().quantisation)
        return mismatch(call, "the output has no scale and zero point");
    if (call.kind == ir::OpKind::Dequantize && !call.input().quantisation)
        return mismatch(call, "the input has no scale and zero point");
    if (call.kind == ir::OpKind::Quantize && call.input().type == ir::ElementType::Float32)
        storeFloats(call.output(), floatsOf(call.input()));
    else
        convert(call.input(), call.output());
    return {};
}

std::int64_t quantise(double real, double scale, std::int64_t zeroPoint, ir::ElementType type) {
    return withType(type,
                    [&](auto zero) { return std::int64_t(encode<decltype(zero)>(real / scale, double(zeroPoint))); });
}

} // namespace poolwright::reference
