# SPDX-License-Identifier: Apache-2.0
"""Convolutions, matrix products and pools."""
import numpy as np

from .suite import Suite, uniform, versions_of

# Label -> shape of x, of the weights, attributes.
CONVOLUTIONS = {
    "1x1": ((1, 5, 4, 4), (6, 5, 1, 1), {}),
    "3x3": ((1, 3, 6, 5), (4, 3, 3, 3), {"pads": [1, 1, 1, 1]}),
    "3x3_valid": ((1, 3, 6, 5), (4, 3, 3, 3), {}),
    "stride2": ((1, 3, 7, 6), (4, 3, 3, 3), {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
    "stride_2_1": ((1, 3, 7, 6), (2, 3, 3, 3), {"pads": [1, 1, 1, 1], "strides": [2, 1]}),
    "stride3": ((1, 2, 8, 8), (3, 2, 3, 3), {"strides": [3, 3]}),
    "stride5": ((1, 2, 11, 11), (3, 2, 2, 2), {"strides": [5, 5]}),
    "asymmetric_pads": ((1, 2, 5, 5), (3, 2, 3, 3), {"pads": [0, 1, 2, 0]}),
    "pads4": ((1, 2, 4, 4), (2, 2, 3, 3), {"pads": [4, 3, 3, 4]}),
    "5x5": ((1, 2, 7, 7), (3, 2, 5, 5), {"pads": [2, 2, 2, 2]}),
    "7x7": ((1, 2, 8, 8), (2, 2, 7, 7), {"pads": [3, 3, 3, 3], "strides": [2, 2]}),
    "1x7": ((1, 2, 3, 9), (3, 2, 1, 7), {"pads": [0, 3, 0, 3]}),
    "7x1": ((1, 2, 9, 3), (3, 2, 7, 1), {"pads": [3, 0, 3, 0]}),
    "2x2": ((1, 3, 5, 5), (4, 3, 2, 2), {}),
    "4x4": ((1, 2, 6, 6), (2, 2, 4, 4), {"pads": [1, 1, 2, 2]}),
    "dilation2": ((1, 2, 7, 7), (3, 2, 3, 3), {"dilations": [2, 2], "pads": [2, 2, 2, 2]}),
    "dilation_1_3": ((1, 2, 5, 9), (2, 2, 3, 3), {"dilations": [1, 3]}),
    "depthwise": ((1, 6, 5, 5), (6, 1, 3, 3), {"group": 6, "pads": [1, 1, 1, 1]}),
    "depthwise_stride2": ((1, 5, 6, 6), (5, 1, 3, 3), {"group": 5, "pads": [0, 0, 1, 1], "strides": [2, 2]}),
    "depthwise_multiplier": ((1, 3, 4, 4), (6, 1, 3, 3), {"group": 3, "pads": [1, 1, 1, 1]}),
    "depthwise_5x5": ((1, 3, 6, 6), (3, 1, 5, 5), {"group": 3, "pads": [2, 2, 2, 2]}),
    "grouped": ((1, 6, 4, 4), (4, 3, 3, 3), {"group": 2, "pads": [1, 1, 1, 1]}),
    "prime_channels": ((1, 7, 3, 3), (11, 7, 1, 1), {}),
    "one_output": ((1, 8, 4, 4), (1, 8, 1, 1), {}),
    "many_inputs": ((1, 40, 2, 2), (5, 40, 1, 1), {}),
    "same_upper": ((1, 2, 6, 7), (3, 2, 3, 3), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
    "same_lower": ((1, 2, 6, 7), (3, 2, 3, 3), {"auto_pad": "SAME_LOWER", "strides": [2, 2]}),
    "valid": ((1, 2, 6, 7), (3, 2, 3, 3), {"auto_pad": "VALID"}),
    "1d": ((1, 3, 12), (4, 3, 3), {"pads": [1, 1]}),
    "1d_dilated": ((1, 3, 12), (4, 3, 3), {"dilations": [2]}),
    "1d_stride2": ((1, 2, 13), (3, 2, 5), {"strides": [2], "pads": [2, 2]}),
    "batch2": ((2, 3, 4, 4), (2, 3, 3, 3), {}),
}

TRANSPOSED = {
    "2x2_stride2": ((1, 3, 4, 4), (3, 2, 2, 2), {"strides": [2, 2]}),
    "3x3": ((1, 2, 4, 4), (2, 3, 3, 3), {"pads": [1, 1, 1, 1]}),
    "3x3_stride2": ((1, 2, 4, 4), (2, 3, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "output_padding": ((1, 2, 4, 4), (2, 3, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}),
    "4x4_stride2": ((1, 3, 3, 3), (3, 2, 4, 4), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "stride3": ((1, 2, 3, 3), (2, 2, 3, 3), {"strides": [3, 3]}),
    "stride4": ((1, 2, 2, 2), (2, 2, 5, 5), {"strides": [4, 4], "pads": [1, 1, 1, 1]}),
    "stride_1_2": ((1, 2, 3, 3), (2, 2, 3, 3), {"strides": [1, 2]}),
    "grouped": ((1, 4, 3, 3), (4, 2, 2, 2), {"strides": [2, 2], "group": 2}),
    "depthwise": ((1, 4, 3, 3), (4, 1, 2, 2), {"strides": [2, 2], "group": 4}),
    "dilated": ((1, 2, 4, 4), (2, 2, 3, 3), {"dilations": [2, 2]}),
    "output_shape": ((1, 2, 4, 4), (2, 2, 3, 3), {"strides": [2, 2], "output_shape": [8, 8]}),
    "same_upper": ((1, 2, 4, 4), (2, 2, 3, 3), {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    "same_lower": ((1, 2, 4, 4), (2, 2, 3, 3), {"strides": [2, 2], "auto_pad": "SAME_LOWER"}),
    "1d": ((1, 3, 6), (3, 2, 4), {"strides": [2], "pads": [1, 1]}),
}


def convolutions(suite):
    for k, (label, (x, w, attributes)) in enumerate(CONVOLUTIONS.items()):
        opset = (11, 13, 17, 21)[k % 4]
        bias = [uniform((w[0],), -0.5, 0.5)] if k % 3 != 2 else []
        operands, constants = [uniform(x), uniform(w, -0.5, 0.5)] + bias, {1, 2} if bias else {1}
        common = dict(attributes=attributes, constants=constants, biases={2: (0, 1)} if bias else {})
        suite.add("Conv", label, operands, opset, weights={1: None}, **common)
        suite.add("Conv", f"{label}_per_channel", operands, max(opset, 13), forms=("qdq",), weights={1: 0}, **common)
    x, w, attributes = CONVOLUTIONS["3x3"]
    for opset in versions_of("Conv") + [21]:
        suite.add("Conv", "", [uniform(x), uniform(w, -0.5, 0.5), uniform((4,))], opset, constants={1, 2},
                  weights={1: None}, biases={2: (0, 1)}, attributes=attributes)
    suite.add("Conv", "u8", [uniform(x), uniform(w, -0.5, 0.5), uniform((4,))], 13, constants={1, 2},
              weights={1: 0}, biases={2: (0, 1)}, attributes=attributes, forms=("qdqu",))
    suite.add("Conv", "positive_input", [uniform(x, 0, 3), uniform(w, -0.5, 0.5), uniform((4,))], 13, constants={1, 2},
              weights={1: 0}, biases={2: (0, 1)}, attributes=attributes, forms=("qdq",))


def transposed(suite):
    for k, (label, (x, w, attributes)) in enumerate(TRANSPOSED.items()):
        outputs = w[1] * attributes.get("group", 1)
        bias = [uniform((outputs,), -0.5, 0.5)] if k % 2 else []
        common = dict(attributes=attributes, constants={1, 2} if bias else {1}, biases={2: (0, 1)} if bias else {})
        operands = [uniform(x), uniform(w, -0.5, 0.5)] + bias
        suite.add("ConvTranspose", label, operands, (11, 13, 21)[k % 3], weights={1: None}, **common)
        if not attributes.get("group"):
            suite.add("ConvTranspose", f"{label}_per_channel", operands, 13, forms=("qdq",), weights={1: 1}, **common)
    suite.add("ConvTranspose", "", [uniform((1, 2, 3, 3)), uniform((2, 2, 2, 2))], 7, constants={1}, weights={1: None})


def products(suite):
    for opset in versions_of("Gemm"):
        for label, attributes in (("plain", {}), ("trans_b", {"transB": 1}), ("trans_a", {"transA": 1}),
                                  ("alpha_beta", {"alpha": 0.5, "beta": 2.0, "transB": 1})):
            x = (6, 3) if attributes.get("transA") else (3, 6)
            w = (4, 6) if attributes.get("transB") else (6, 4)
            suite.add("Gemm", label, [uniform(x), uniform(w, -0.5, 0.5), uniform((4,))], opset, constants={1, 2},
                      weights={1: None}, biases={2: (0, 1)}, attributes=attributes)
        if opset >= 11:
            suite.add("Gemm", "no_bias", [uniform((1, 9)), uniform((5, 9), -0.5, 0.5)], opset, constants={1},
                      weights={1: 0}, attributes={"transB": 1})
    suite.add("Gemm", "per_channel", [uniform((1, 12)), uniform((7, 12), -0.5, 0.5), uniform((7,))], 13, constants={1, 2},
              weights={1: 0}, biases={2: (0, 1)}, attributes={"transB": 1}, forms=("qdq", "qdqu"))
    suite.add("Gemm", "activations", [uniform((3, 5)), uniform((5, 4))], 13)
    for opset in versions_of("MatMul"):
        for label, x, w in (("r2", (3, 6), (6, 4)), ("r3", (2, 3, 6), (6, 4)), ("vector", (6,), (6, 4)),
                            ("r4", (1, 2, 3, 6), (6, 4))):
            suite.add("MatMul", f"constant_{label}", [uniform(x), uniform(w, -0.5, 0.5)], opset, constants={1},
                      weights={1: None})
        for label, a, b in (("r2", (3, 6), (6, 4)), ("r3", (2, 3, 6), (2, 6, 4)), ("r4", (1, 2, 3, 4), (1, 2, 4, 3)),
                            ("broadcast", (2, 1, 3, 4), (3, 4, 2)), ("vectors", (6,), (6,)),
                            ("vector_matrix", (6,), (2, 6, 3))):
            suite.add("MatMul", f"activations_{label}", [uniform(a), uniform(b)], opset)
    suite.add("MatMul", "per_channel", [uniform((2, 8)), uniform((8, 5), -0.5, 0.5)], 13, constants={1},
              weights={1: 1}, forms=("qdq", "qdqu"))


WINDOWS = {
    "2x2": ((1, 3, 6, 6), {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "3x3_stride1": ((1, 3, 5, 5), {"kernel_shape": [3, 3]}),
    "3x3_padded": ((1, 3, 6, 5), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "5x5": ((1, 2, 7, 7), {"kernel_shape": [5, 5], "pads": [2, 2, 2, 2]}),
    "2x3": ((1, 2, 5, 7), {"kernel_shape": [2, 3], "strides": [1, 2]}),
    "same_upper": ((1, 2, 5, 5), {"kernel_shape": [2, 2], "strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    "same_lower": ((1, 2, 5, 5), {"kernel_shape": [2, 2], "strides": [2, 2], "auto_pad": "SAME_LOWER"}),
    "ceil": ((1, 2, 6, 6), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
    "1d": ((1, 3, 11), {"kernel_shape": [3], "strides": [2]}),
    "13x1": ((1, 2, 13, 2), {"kernel_shape": [13, 1]}),
}


def pools(suite):
    for k, (label, (shape, attributes)) in enumerate(WINDOWS.items()):
        for op in ("MaxPool", "AveragePool"):
            versions = [v for v in versions_of(op) if v >= 10 or "ceil_mode" not in attributes]
            suite.add(op, label, [uniform(shape)], max(10, versions[k % len(versions)]), attributes=attributes,
                      same=op == "MaxPool")
    for opset in versions_of("AveragePool"):
        suite.add("AveragePool", "count_include_pad", [uniform((1, 2, 5, 5))], opset,
                  attributes={"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "count_include_pad": 1})
        suite.add("AveragePool", "padded", [uniform((1, 2, 5, 5))], opset,
                  attributes={"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]})
    for opset in versions_of("MaxPool"):
        suite.add("MaxPool", "", [uniform((1, 2, 5, 5))], opset, attributes={"kernel_shape": [3, 3], "strides": [2, 2]},
                  same=True)
    suite.add("MaxPool", "dilated", [uniform((1, 2, 7, 7))], 12, same=True,
              attributes={"kernel_shape": [3, 3], "dilations": [2, 2]})
    suite.add("MaxPool", "requantised", [uniform((1, 2, 6, 6))], 12, attributes={"kernel_shape": [2, 2]}, forms=("qdq",))
    suite.add("MaxPool", "u8", [uniform((1, 2, 6, 6))], 12, attributes={"kernel_shape": [2, 2]}, forms=("qdqu",),
              same=True)
    suite.add("AveragePool", "dilated", [uniform((1, 2, 7, 7))], 19,
              attributes={"kernel_shape": [3, 3], "dilations": [2, 2]})
    for op in ("GlobalAveragePool", "GlobalMaxPool"):
        for label, shape in (("r4", (1, 5, 4, 3)), ("1d", (1, 3, 9)), ("large", (1, 1, 13, 11)), ("batch", (2, 3, 3, 3))):
            suite.add(op, label, [uniform(shape)], 13, same=op == "GlobalMaxPool")
        suite.add(op, "", [uniform((1, 4, 5, 5))], 7)


def suite():
    result = Suite("dense")
    for part in (convolutions, transposed, products, pools):
        part(result)
    return result
