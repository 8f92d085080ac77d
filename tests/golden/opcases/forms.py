# SPDX-License-Identifier: Apache-2.0
"""Rarer forms of operators: operands that are computed instead of constant, narrow floats, run-time quantisation."""
import numpy as np
from onnx import TensorProto as T

from .suite import Suite, integers, uniform, versions_of

MICROSOFT = "com.microsoft"


def computed_weights(suite):
    """Weights, bias or addend come from the graph."""
    for label, x, w, attributes in (("3x3", (1, 3, 6, 5), (4, 3, 3, 3), {"pads": [1, 1, 1, 1]}),
                                    ("grouped", (1, 4, 5, 5), (6, 2, 3, 3), {"group": 2, "strides": [2, 2]}),
                                    ("depthwise", (1, 3, 5, 5), (3, 1, 3, 3), {"group": 3}),
                                    ("1d", (1, 3, 9), (2, 3, 3), {"dilations": [2]})):
        suite.add("Conv", f"computed_weights_{label}", [uniform(x), uniform(w, -0.5, 0.5)], 13, attributes=attributes,
                  forms=("float", "qdq", "qdqu"))
    suite.add("Conv", "computed_weights_and_bias", [uniform((1, 3, 5, 5)), uniform((2, 3, 3, 3), -0.5, 0.5), uniform((2,))],
              13)
    suite.add("Conv", "computed_bias", [uniform((1, 3, 5, 5)), uniform((2, 3, 3, 3), -0.5, 0.5), uniform((2,))], 13,
              constants={1}, weights={1: None})
    suite.add("Conv", "computed_weights_constant_bias",
              [uniform((1, 3, 5, 5)), uniform((2, 3, 3, 3), -0.5, 0.5), uniform((2,))], 13, constants={2}, floats={2})
    for label, x, w, attributes in (("2x2", (1, 3, 4, 4), (3, 2, 2, 2), {"strides": [2, 2]}),
                                    ("grouped", (1, 4, 3, 3), (4, 2, 3, 3), {"group": 2}),
                                    ("1d", (1, 3, 6), (3, 2, 4), {"strides": [2]})):
        suite.add("ConvTranspose", f"computed_weights_{label}", [uniform(x), uniform(w, -0.5, 0.5)], 13,
                  attributes=attributes)
    suite.add("ConvTranspose", "computed_bias", [uniform((1, 3, 4, 4)), uniform((3, 2, 2, 2), -0.5, 0.5), uniform((2,))],
              13, constants={1}, weights={1: None})
    for label, a, b, c, attributes in (("matrix", (3, 5), (5, 4), (3, 4), {}), ("row", (3, 5), (5, 4), (4,), {}),
                                       ("column", (3, 5), (5, 4), (3, 1), {"alpha": 0.5, "beta": 2.0}),
                                       ("turned", (5, 3), (4, 5), (3, 4), {"transA": 1, "transB": 1}),
                                       ("scalar", (3, 5), (5, 4), (), {"beta": 0.25})):
        suite.add("Gemm", f"addend_{label}", [uniform(a), uniform(b), uniform(c)], 13, attributes=attributes)
        suite.add("Gemm", f"constant_weights_addend_{label}", [uniform(a), uniform(b, -0.5, 0.5), uniform(c)], 13,
                  constants={1}, weights={1: None}, attributes=attributes)
    suite.add("Gemm", "computed_weights_constant_bias", [uniform((3, 5)), uniform((5, 4)), uniform((4,))], 13,
              constants={2}, floats={2})


def bounds(suite):
    """Clip whose bounds are computed, and on integers."""
    low, high = np.array(-0.6, np.float32), np.array(1.1, np.float32)
    for opset in (11, 12, 13):
        suite.add("Clip", "computed_bounds", [uniform((1, 3, 4, 4)), low, high], opset)
        suite.add("Clip", "computed_low", [uniform((1, 3, 4, 4)), low], opset)
        suite.add("Clip", "computed_high", [uniform((1, 3, 4, 4)), None, high], opset)
    suite.add("Clip", "crossed_bounds", [uniform((1, 3, 4, 4)), high, low], 13)
    suite.add("Clip", "same_parameters_computed", [uniform((1, 3, 4, 4)), low, high], 13, forms=("qdq",), same=True)
    for kind in (np.int32, np.int64):
        for label, lowest, highest in (("both", -20, 30), ("low", -20, None), ("high", None, 30), ("none", None, None)):
            suite.add("Clip", f"{np.dtype(kind).name}_{label}",
                      [lambda r, k=kind: r.integers(-100, 100, (3, 5)).astype(k)] +
                      [None if b is None else np.array(b, kind) for b in (lowest, highest)], 12, constants={1, 2},
                      forms=("float",))


def fused(suite):
    """Operators that stand for several."""
    for label, shape, bias in (("row", (2, 9), (9,)), ("r3", (1, 4, 6), (6,))):
        suite.add("BiasGelu", label, [uniform(shape, -3, 3), uniform(bias)], 13, domain=MICROSOFT, constants={1},
                  floats={1})
        suite.add("BiasGelu", f"{label}_computed", [uniform(shape, -3, 3), uniform(bias)], 13, domain=MICROSOFT)
        suite.add("FastGelu", f"{label}_biased", [uniform(shape, -3, 3), uniform(bias)], 13, domain=MICROSOFT,
                  constants={1}, floats={1})
    suite.add("BiasGelu", "one_number", [uniform((7, 1), -3, 3), uniform((1,))], 13, domain=MICROSOFT, constants={1},
              floats={1})
    for label, a, b, attributes in (("plain", (2, 3, 5), (2, 5, 4), {}), ("alpha", (3, 5), (5, 4), {"alpha": 0.35}),
                                    ("trans_a", (2, 5, 3), (2, 5, 4), {"transA": 1}),
                                    ("trans_b", (2, 3, 5), (2, 4, 5), {"transB": 1, "alpha": 0.5}),
                                    ("both", (1, 2, 5, 3), (1, 2, 4, 5), {"transA": 1, "transB": 1})):
        suite.add("FusedMatMul", label, [uniform(a), uniform(b)], 13, domain=MICROSOFT, attributes=attributes)
        suite.add("FusedMatMul", f"{label}_constant", [uniform(a), uniform(b, -0.5, 0.5)], 13, domain=MICROSOFT,
                  attributes=attributes, constants={1}, weights={1: None})
    for label, attributes in (("spatial", {}), ("channels", {"axes": [0, 1, 2, 3]})):
        for opset in (9, 13):
            suite.add("MeanVarianceNormalization", label, [uniform((1, 3, 4, 5))], opset, attributes=attributes)
    suite.add("MeanVarianceNormalization", "batch", [uniform((2, 3, 4, 5))], 13)


def ranges(suite):
    """Range of constants, as an operand."""
    for kind in (np.float32, np.int64):
        chain = [("Cast", ["$"], {"to": T.FLOAT}), ("Add", ["x3", "$"], {})] if kind == np.int64 else \
            [("Add", ["x3", "$"], {})]
        suite.add("Range", f"{np.dtype(kind).name}_added", [np.array(v, kind) for v in (2, 17, 3)] + [uniform((2, 5))], 11,
                  own=3, constants={0, 1, 2}, floats={0, 1, 2}, chain=chain)


def narrow_floats(suite):
    """Casts to narrower floats round; back in float32 one sees it."""
    values = np.concatenate([np.linspace(-3, 3, 41), [65504, 65519, 65520, 1e9, -7e4, 6e-8, 2.9e-8, 5.97e-8, 1e-4, 0]])
    for opset in versions_of("Cast"):
        suite.add("Cast", "through_float16", [values.astype(np.float32)], opset, forms=("float",),
                  attributes={"to": T.FLOAT16}, chain=[("Cast", ["$"], {"to": T.FLOAT})])
        suite.add("Cast", "through_double", [values.astype(np.float32)], opset, forms=("float",),
                  attributes={"to": T.DOUBLE}, chain=[("Cast", ["$"], {"to": T.FLOAT})])
    suite.add("Cast", "through_bfloat16", [values.astype(np.float32)], 13, forms=("float",),
              attributes={"to": T.BFLOAT16}, chain=[("Cast", ["$"], {"to": T.FLOAT})])
    for name in ("float16", "float64"):
        suite.add("Cast", f"constant_{name}", [values.clip(-6e4, 6e4).astype(name), uniform((len(values),))], 13,
                  forms=("float",), own=1, constants={0}, attributes={"to": T.FLOAT}, chain=[("Add", ["$", "x1"], {})])


def dynamic(suite):
    """Quantisation with parameters that are found at run time, as dynamic quantisers write it."""
    scale = np.array(0.02, np.float32)
    for label, shape, low, high in (("both_signs", (3, 8), -2, 3), ("positive", (3, 8), 1, 3), ("zero", (2, 4), 0, 0)):
        suite.add("DynamicQuantizeLinear", label, [uniform(shape, low, high)], 11, output_count=3, forms=("float",))
    weights = lambda shape: (lambda r: r.integers(-64, 64, shape).astype(np.int8))
    zero = np.array(0, np.int8)
    suite.add("DynamicQuantizeLinear", "matmul", [uniform((3, 8)), weights((8, 4)), zero, scale], 11, own=1,
              constants={1, 2, 3}, forms=("float",), output_count=1, parts=["_scale", "_zero"],
              chain=[("MatMulInteger", ["$", "x1", "step0_zero", "x2"], {}), ("Cast", ["$"], {"to": T.FLOAT}),
                     ("Mul", ["$", "step0_scale"], {}), ("Mul", ["$", "x3"], {})])
    suite.add("DynamicQuantizeLinear", "conv", [uniform((1, 3, 5, 5)), lambda r: r.integers(0, 128, (4, 3, 3, 3)).astype(np.uint8),
                                                np.array(61, np.uint8), scale], 11, own=1,
              constants={1, 2, 3}, forms=("float",), output_count=1, parts=["_scale", "_zero"],
              chain=[("ConvInteger", ["$", "x1", "step0_zero", "x2"], {"pads": [1, 1, 1, 1]}),
                     ("Cast", ["$"], {"to": T.FLOAT}), ("Mul", ["$", "step0_scale"], {}), ("Mul", ["$", "x3"], {})])
    suite.add("DynamicQuantizeLinear", "dequantised", [uniform((3, 8))], 11, forms=("float",), parts=["_scale", "_zero"],
              chain=[("DequantizeLinear", ["$", "step0_scale", "step0_zero"], {})])


def suite():
    result = Suite("forms")
    for part in (computed_weights, bounds, fused, ranges, narrow_floats, dynamic):
        part(result)
    return result
