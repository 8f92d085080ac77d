# SPDX-License-Identifier: Apache-2.0
"""Operators on integers themselves: QuantizeLinear, DequantizeLinear, the QLinear* forms, and shape arithmetic."""
import numpy as np
from onnx import numpy_helper

from .suite import Suite, integers, uniform, versions_of

MICROSOFT = "com.microsoft"


def scalar(value, dtype=np.float32):
    return np.array(value, dtype)


def bytes_of(shape, dtype=np.int8):
    info = np.iinfo(dtype)
    return lambda rng: rng.integers(info.min, info.max + 1, shape).astype(dtype)


def weights_of(shape, activations):
    """int8; 7 bits against unsigned activations: on CPUs without VNNI the kernels of ONNX Runtime saturate pairs of
    unsigned-signed products at 16 bits and give wrong sums."""
    limit = 64 if activations == np.uint8 else 128
    return lambda rng: rng.integers(-limit, limit, shape).astype(np.int8)


def zero(value, dtype):
    return scalar(value + (128 if dtype == np.uint8 else 0), dtype)


def quantisers(suite):
    for opset in versions_of("QuantizeLinear", lowest=10):
        for dtype, label in ((np.int8, "s8"), (np.uint8, "u8")):
            suite.add("QuantizeLinear", label, [uniform((1, 3, 4, 4), -3, 3), scalar(0.021), zero(5, dtype)], opset,
                      constants={1, 2}, forms=("float",))
            suite.add("DequantizeLinear", label, [bytes_of((1, 3, 4, 4), dtype), scalar(0.021), zero(5, dtype)], opset,
                      constants={1, 2}, forms=("float",))
    for dtype, label in ((np.int8, "s8"), (np.uint8, "u8")):
        suite.add("QuantizeLinear", f"ms_{label}", [uniform((2, 9), -3, 3), scalar(0.021), zero(5, dtype)], 13,
                  constants={1, 2}, forms=("float",), domain=MICROSOFT)
        suite.add("DequantizeLinear", f"ms_{label}", [bytes_of((2, 9), dtype), scalar(0.021), zero(5, dtype)], 13,
                  constants={1, 2}, forms=("float",), domain=MICROSOFT)
    suite.add("QuantizeLinear", "ties", [(np.arange(-20, 21) * 0.5).astype(np.float32), scalar(1.0), scalar(0, np.int8)],
              13, constants={1, 2}, forms=("float",))
    suite.add("QuantizeLinear", "saturating", [uniform((5, 7), -40, 40), scalar(0.1), scalar(3, np.int8)], 13,
              constants={1, 2}, forms=("float",))
    suite.add("DequantizeLinear", "no_zero_point", [bytes_of((3, 4)), scalar(0.5)], 13, constants={1}, forms=("float",))


def of_one(suite):
    for dtype, form in ((np.int8, "s8"), (np.uint8, "u8")):
        sides = [scalar(0.04), zero(-10, dtype), scalar(0.0039), zero(-128, dtype)]
        for op, attributes in (("QLinearSigmoid", {}), ("QLinearLeakyRelu", {"alpha": 0.1})):
            for label, shape in (("r4", (1, 3, 4, 4)), ("r2", (2, 9))):
                suite.add(op, f"{label}_{form}", [bytes_of(shape, dtype)] + sides, 11, constants={1, 2, 3, 4},
                          forms=("float",), domain=MICROSOFT, attributes=attributes)
        mean = [scalar(0.04), zero(-10, dtype), scalar(0.035), zero(-8, dtype)]
        for label, attributes, shape in (("nchw", {"channels_last": 0}, (1, 3, 4, 5)), ("nhwc", {"channels_last": 1}, (1, 4, 5, 3))):
            suite.add("QLinearGlobalAveragePool", f"{label}_{form}", [bytes_of(shape, dtype)] + mean, 11,
                      constants={1, 2, 3, 4}, forms=("float",), domain=MICROSOFT, attributes=attributes)
        for label, attributes in (("2x2", {"kernel_shape": [2, 2], "strides": [2, 2]}),
                                  ("padded", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
                                  ("include_pad", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "count_include_pad": 1})):
            suite.add("QLinearAveragePool", f"{label}_{form}", [bytes_of((1, 3, 6, 6), dtype)] + mean, 11,
                      constants={1, 2, 3, 4}, forms=("float",), domain=MICROSOFT, attributes=attributes)
        soft = [scalar(0.06), zero(3, dtype), scalar(1 / 256), zero(-128, dtype)]
        for label, axis, shape in (("r2", 1, (2, 7)), ("r3", 2, (1, 3, 8))):
            suite.add("QLinearSoftmax", f"{label}_{form}", [bytes_of(shape, dtype)] + soft, 13, constants={1, 2, 3, 4},
                      forms=("float",), domain=MICROSOFT, attributes={"axis": axis, "opset": 13})


def of_two(suite):
    for dtype, form in ((np.int8, "s8"), (np.uint8, "u8")):
        for op, out in (("QLinearAdd", 0.05), ("QLinearMul", 0.025)):
            for label, a, b in (("r4", (1, 3, 4, 4), (1, 3, 4, 4)), ("channel", (1, 3, 4, 4), (1, 3, 1, 1)),
                                ("scalar", (1, 3, 4, 4), (1,)), ("r2", (2, 9), (9,))):
                suite.add(op, f"{label}_{form}",
                          [bytes_of(a, dtype), scalar(0.02), zero(-3, dtype), bytes_of(b, dtype), scalar(0.03),
                           zero(7, dtype), scalar(out), zero(1, dtype)], 11, constants={1, 2, 4, 5, 6, 7},
                          forms=("float",), domain=MICROSOFT)
        for label, axis, a, b in (("channel", 1, (1, 3, 3, 3), (1, 2, 3, 3)), ("width", 3, (1, 2, 3, 3), (1, 2, 3, 2))):
            suite.add("QLinearConcat", f"{label}_{form}",
                      [scalar(0.05), zero(2, dtype), bytes_of(a, dtype), scalar(0.02), zero(-3, dtype),
                       bytes_of(b, dtype), scalar(0.05), zero(2, dtype)], 11, constants={0, 1, 3, 4, 6, 7},
                      forms=("float",), domain=MICROSOFT, attributes={"axis": axis})


def dense(suite):
    for dtype, form in ((np.int8, "s8"), (np.uint8, "u8")):
        for label, x, w, attributes in (("1x1", (1, 5, 3, 3), (4, 5, 1, 1), {}),
                                        ("3x3", (1, 3, 5, 5), (4, 3, 3, 3), {"pads": [1, 1, 1, 1]}),
                                        ("depthwise", (1, 4, 5, 5), (4, 1, 3, 3), {"group": 4, "strides": [2, 2]})):
            for per_channel in (False, True):
                scales = np.array([0.004, 0.006, 0.003, 0.005], np.float32) if per_channel else scalar(0.005)
                zeros = np.zeros(scales.shape, np.int8)
                suite.add("QLinearConv", f"{label}{'_per_channel' if per_channel else ''}_{form}",
                          [bytes_of(x, dtype), scalar(0.03), zero(-5, dtype), weights_of(w, dtype), scales, zeros, scalar(0.06),
                           zero(4, dtype), lambda r: r.integers(-2000, 2000, (4,)).astype(np.int32)], 10,
                          constants={1, 2, 3, 4, 5, 6, 7, 8}, forms=("float",), attributes=attributes)
        for opset in (10, 21):
            suite.add("QLinearMatMul", f"r2_{form}",
                      [bytes_of((3, 8), dtype), scalar(0.03), zero(-5, dtype), weights_of((8, 4), dtype), scalar(0.005),
                       scalar(0, np.int8), scalar(0.04), zero(4, dtype)], opset, constants={1, 2, 3, 4, 5, 6, 7},
                      forms=("float",))
        suite.add("QLinearMatMul", f"activations_{form}",
                  [bytes_of((2, 3, 8), dtype), scalar(0.03), zero(-5, dtype), bytes_of((2, 8, 4), dtype), scalar(0.02),
                   zero(3, dtype), scalar(0.08), zero(4, dtype)], 13, constants={1, 2, 4, 5, 6, 7}, forms=("float",))


def gemms(suite):
    for dtype, form in ((np.int8, "s8"), (np.uint8, "u8")):
        for trans_b in (0, 1):
            w = (4, 8) if trans_b else (8, 4)
            suite.add("QGemm", f"trans_b{trans_b}_{form}",
                      [bytes_of((3, 8), dtype), scalar(0.03), zero(-5, dtype), weights_of(w, dtype), scalar(0.005),
                       scalar(0, np.int8), lambda r: r.integers(-2000, 2000, (4,)).astype(np.int32), scalar(0.04),
                       zero(4, dtype)], 11, constants={1, 2, 3, 4, 5, 6, 7, 8}, forms=("float",), domain=MICROSOFT,
                      attributes={"transB": trans_b})
        suite.add("QLinearReduceMean", f"spatial_{form}",
                  [bytes_of((1, 3, 4, 5), dtype), scalar(0.04), zero(-10, dtype), scalar(0.035), zero(-8, dtype)], 11,
                  constants={1, 2, 3, 4}, forms=("float",), domain=MICROSOFT, attributes={"axes": [2, 3], "keepdims": 1})


def wide_sums(suite):
    """MatMulInteger and ConvInteger as quantisers write them: a Cast and a Mul make reals of the 32-bit sums."""
    to_real = [("Cast", ["$"], {"to": 1}), ("Mul", ["$", "x4"], {})]
    for dtype, form in ((np.int8, "s8"), (np.uint8, "u8")):
        suite.add("MatMulInteger", f"scaled_{form}",
                  [bytes_of((3, 8), dtype), weights_of((8, 4), dtype), zero(-5, dtype), scalar(0, np.int8), scalar(0.01)],
                  13, own=4, constants={1, 2, 3, 4}, forms=("float",), chain=to_real)
    suite.add("ConvInteger", "scaled_u8",
              [bytes_of((1, 3, 5, 5), np.uint8), bytes_of((4, 3, 3, 3), np.uint8), zero(-5, np.uint8), zero(0, np.uint8),
               scalar(0.01)], 13, own=4, constants={1, 2, 3, 4}, forms=("float",), chain=to_real,
              attributes={"pads": [1, 1, 1, 1]})


def wide_sums_quantised(suite):
    """The same between integers, as units take it."""
    to_bytes = [("Cast", ["$"], {"to": 1}), ("Mul", ["$", "x4"], {}), ("QuantizeLinear", ["$", "x5", "x6"], {})]
    suite.add("MatMulInteger", "quantised_s8",
              [bytes_of((3, 8)), weights_of((8, 4), np.int8), zero(-5, np.int8), scalar(0, np.int8), scalar(0.0002),
               scalar(0.05), zero(3, np.int8)], 13, own=4, constants={1, 2, 3, 4, 5, 6}, forms=("float",), chain=to_bytes)
    suite.add("ConvInteger", "quantised_u8",
              [bytes_of((1, 3, 5, 5), np.uint8), bytes_of((4, 3, 3, 3), np.uint8), zero(-5, np.uint8),
               zero(0, np.uint8), scalar(0.0002), scalar(0.15), zero(3, np.uint8)], 13, own=4,
              constants={1, 2, 3, 4, 5, 6}, forms=("float",), chain=to_bytes, attributes={"pads": [1, 1, 1, 1]})


def shape_arithmetic(suite):
    """Shape and Size of a static tensor are constants; a Reshape uses them so that something stays to run."""
    for opset in (7, 11):
        suite.add("Size", "to_reshape", [uniform((2, 3, 4))], opset, forms=("float",),
                  chain=[("Unsqueeze", ["$"], {"axes": [0]}), ("Reshape", ["x0", "$"], {})])
    for opset in versions_of("Constant"):
        suite.add("Constant", "added", [uniform((1, 3, 2, 2))], opset, forms=("float",), own=0,
                  attributes={"value": numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2))},
                  chain=[("Add", ["x0", "$"], {})])
    for opset in versions_of("ConstantOfShape", lowest=9):
        suite.add("ConstantOfShape", "added", [integers(1, 3, 2, 2), uniform((1, 3, 2, 2))], opset, forms=("float",),
                  own=1, constants={0}, chain=[("Add", ["x1", "$"], {})])
    for opset in versions_of("Dropout"):
        suite.add("Dropout", "inference", [uniform((1, 3, 4, 4))], opset)
    for opset in versions_of("Shape"):
        suite.add("Shape", "to_reshape", [uniform((2, 3, 4))], opset, forms=("float",),
                  chain=[("Reshape", ["x0", "$"], {})])


def microsoft(suite):
    for label, attributes, op in (("", {}, "Gelu"), ("", {}, "FastGelu"), ("alpha", {"alpha": 1.702}, "QuickGelu")):
        suite.add(op, label, [uniform((2, 9), -4, 4)], 13, domain=MICROSOFT, attributes=attributes, folder=f"ms_{op}")


def suite():
    result = Suite("integer")
    for part in (quantisers, of_one, of_two, dense, gemms, wide_sums, wide_sums_quantised, shape_arithmetic, microsoft):
        part(result)
    return result
