// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/onnx_text.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include <vector>

namespace poolwright::test {

inline QString constantWeights(const char* dims) {
    return QString("s = Constant<value_ints = [%1]>()\nw = ConstantOfShape<value = float[1] {0.5}>(s)\n").arg(dims);
}

/// Scales and zero points by name, for QuantizeLinear and DequantizeLinear.
inline const QString quantParameters = "s1 = Constant<value_float = 0.1>()\ns2 = Constant<value_float = 0.2>()\n"
                                       "z = Constant<value = int8 {0}>()\nu = Constant<value = uint8 {128}>()\n";

inline QString throughInt8(const char* from, const char* to, const char* scale = "s1") {
    return QString("q_%2 = QuantizeLinear(%1, %3, z)\n%2 = DequantizeLinear(q_%2, %3, z)\n").arg(from, to, scale);
}

/// One graph of case c18 (recipes and verdicts: its ops.json), in ONNX's text form, and the rule that it fires.
struct OpLintCase {
    const char* name;
    const char* inputs;
    QString body;
    const char *code, *why, *advice;
    const char* file = "net.onnx";
};

inline std::vector<OpLintCase> opLintCases() {
    std::vector<OpLintCase> cases;
    const auto row = [&](const char* name, const char* inputs, const QString& body, const char* code, const char* why,
                         const char* advice, const char* file = "net.onnx") {
        cases.push_back({name, inputs, body, code, why, advice, file});
    };
    const char* image = "float[1,64,8,8] x";
    row("convtranspose_k2s2", image,
        constantWeights("64, 32, 2, 2") + "y = ConvTranspose<strides = [2,2], kernel_shape = [2,2]>(x, w)", "PW2301",
        "runs on hardware as 4 plain convolutions", "one operator");
    row("convtranspose_grouped", image,
        constantWeights("64, 16, 2, 2") + "y = ConvTranspose<group = 4, strides = [2,2], kernel_shape = [2,2]>(x, w)",
        "PW2302", "4 groups", "block-diagonal");
    row("rank5", "float[1,8,4,4] x",
        "s = Constant<value_ints = [1,2,4,4,4]>()\nr = Reshape(x, s)\nt = Transpose<perm = [0,1,3,2,4]>(r)\n"
        "v = Constant<value_ints = [1,8,4,4]>()\ny = Reshape(t, v)",
        "PW2303", "rank 5", "DepthToSpace or ConvTranspose");
    row("pad_empty_value", image, "p = Constant<value_ints = [0,0,1,1,0,0,1,1]>()\ny = Pad(x, p, )", "PW2304",
        "may crash", "drop the empty name");
    row("conv_dilated", image, constantWeights("8, 64, 3, 3") + "y = Conv<dilations = [2,2]>(x, w)", "PW2305",
        "4 strided convolutions", "undilated");
    row("conv_stride3", image, constantWeights("8, 64, 2, 5") + "y = Conv<strides = [1,3]>(x, w)", "PW2306",
        "stride 1x3", "stride 1, 2 or 4");
    row("dw_stride2", image, constantWeights("64, 1, 3, 3") + "y = Conv<group = 64, strides = [2,2]>(x, w)", "PW2307",
        "stall on silicon", "on a board early");
    row("matmul_dynamic", "float[4,8] x, float[8,6] z", "y = MatMul(x, z)", "PW2308", "software epoch", "attention");
    row("softmax_last", "float[1,10] x", "y = Softmax<axis = 1>(x)", "PW2309", "software", "--expand-softmax puts");
    row("softmax_2d", "float[1,21,64,64] x", "y = Softmax<axis = 1>(x)", "PW2310", "more than one vector",
        "--expand-softmax-full puts");
    row("prelu_float_slope", "float[1,4,3,3] x",
        quantParameters + throughInt8("x", "a") + "l = Constant<value = float[4,1,1] {0.1, 0.2, 0.3, 0.4}>()\n" +
            "b = PRelu(a, l)\n" + throughInt8("b", "y"),
        "PW2311", "slope is float", "quantise the slope");
    row("concat_scales", "float[1,4,3,3] x, float[1,4,3,3] v",
        quantParameters + throughInt8("x", "a") + throughInt8("v", "b", "s2") + "c = Concat<axis = 1>(a, b)\n" +
            throughInt8("c", "y"),
        "PW2312", "copy of 36 bytes", "tie the scales");
    row("resize_bilinear", "float[1,4,4,4] x",
        "f = Constant<value_floats = [1.0, 1.0, 2.0, 2.0]>()\ny = Resize<mode = \"linear\">(x, , f)", "PW2313",
        "reads 64 and writes 256", "ConvTranspose");
    row("uint8_act", "float[1,4,3,3] x",
        quantParameters + "q = QuantizeLinear(x, s1, u)\na = DequantizeLinear(q, s1, u)\ny = Relu(a)", "PW2314",
        "1 activation is unsigned", "int8");
    row("gemm_act_bias", "float[3,4] x, float[3,5] v", constantWeights("4, 5") + "y = Gemm(x, w, v)", "PW2315",
        "computed at run time", "MatMul and an Add");
    row("already_preprocessed", "float[1,4] x", "y = Relu(x)", "PW2316", "second time", "original model",
        "net_OE_3_2_0.onnx");
    return cases;
}

} // namespace poolwright::test
