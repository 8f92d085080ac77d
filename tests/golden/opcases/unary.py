# SPDX-License-Identifier: Apache-2.0
"""Functions of one operand: activations, roots, rounding, trigonometry, PRelu and Clip with their parameters."""
import numpy as np

from .suite import Suite, uniform, versions_of

SHAPES = {"r1": (11,), "r2": (3, 6), "r3": (2, 3, 5), "r4": (1, 4, 3, 5), "r5": (1, 2, 3, 2, 3), "prime": (1, 13, 3, 3)}

# Operator -> range of its operand.
FUNCTIONS = {
    "Abs": (-2, 2), "Acos": (-1, 1), "Acosh": (1, 4), "Asin": (-1, 1), "Asinh": (-3, 3), "Atan": (-3, 3),
    "Atanh": (-0.9, 0.9), "Ceil": (-5, 5), "Cos": (-4, 4), "Cosh": (-2, 2), "Erf": (-2, 2), "Exp": (-3, 2),
    "Floor": (-5, 5), "HardSwish": (-5, 5), "Log": (0.1, 4), "Neg": (-2, 3), "Reciprocal": (0.5, 4), "Relu": (-2, 3),
    "Round": (-5, 5), "Sigmoid": (-6, 6), "Sign": (-2, 2), "Sin": (-4, 4), "Sinh": (-2, 2), "Softplus": (-4, 4),
    "Softsign": (-4, 4), "Sqrt": (0, 4), "Tan": (-1.2, 1.2), "Tanh": (-4, 4), "Identity": (-2, 2), "Mish": (-4, 4),
}

# Operator, label, attributes, range.
WITH_ATTRIBUTES = [
    ("LeakyRelu", "default", {}, (-3, 3)), ("LeakyRelu", "alpha", {"alpha": 0.2}, (-3, 3)),
    ("LeakyRelu", "steep", {"alpha": 1.5}, (-2, 3)),
    ("ThresholdedRelu", "default", {}, (-3, 3)), ("ThresholdedRelu", "alpha", {"alpha": 0.5}, (-2, 3)),
    ("Elu", "default", {}, (-4, 3)), ("Elu", "alpha", {"alpha": 0.5}, (-4, 3)),
    ("Selu", "default", {}, (-4, 3)), ("Selu", "own", {"alpha": 1.2, "gamma": 0.9}, (-4, 3)),
    ("Celu", "default", {}, (-4, 3)), ("Celu", "alpha", {"alpha": 2.0}, (-4, 3)),
    ("HardSigmoid", "default", {}, (-4, 4)), ("HardSigmoid", "own", {"alpha": 0.1667, "beta": 0.4}, (-4, 4)),
    ("Gelu", "none", {}, (-4, 4)), ("Gelu", "tanh", {"approximate": "tanh"}, (-4, 4)),
]
EXACT = {"Relu", "Identity"}


def functions(suite):
    for op, span in FUNCTIONS.items():
        versions = versions_of(op)
        for k, (label, shape) in enumerate(SHAPES.items()):
            if label in ("r4", "r2", "prime") or k % len(versions) == 0:
                suite.add(op, label, [uniform(shape, *span)], max(versions[k % len(versions)], 10))
        for opset in versions:
            suite.add(op, "", [uniform((1, 3, 4, 4), *span)], opset)
        suite.add(op, "u8", [uniform((1, 3, 4, 4), *span)], max(versions[-1], 13), forms=("qdqu",))
        if op in EXACT:
            suite.add(op, "same_parameters", [uniform((1, 3, 4, 4), *span)], 13, forms=("qdq",), same=True)
    for op, label, attributes, span in WITH_ATTRIBUTES:
        for opset in versions_of(op):
            suite.add(op, label, [uniform((1, 3, 4, 5), *span)], opset, attributes=attributes)
        suite.add(op, f"{label}_r2", [uniform((3, 7), *span)], max(13, versions_of(op)[-1]), attributes=attributes)


def swish(suite):
    """x * sigmoid(x), which the compiler should see as one function."""
    for opset in (7, 13, 14):
        suite.add("Sigmoid", "", [uniform((1, 3, 4, 5), -5, 5)], opset, folder="swish", forms=("float",),
                  chain=[("Mul", ["x0", "$"], {})])
    suite.add("Sigmoid", "r2", [uniform((3, 8), -5, 5)], 13, folder="swish", forms=("float",),
              chain=[("Mul", ["$", "x0"], {})])


def clip(suite):
    low, high = np.array(-0.7, np.float32), np.array(1.3, np.float32)
    for opset in versions_of("Clip"):
        for label, bounds in (("both", (low, high)), ("low", (low, None)), ("high", (None, high)), ("none", (None, None))):
            if opset < 11:
                attributes = {key: float(b) for key, b in zip(("min", "max"), bounds) if b is not None}
                suite.add("Clip", label, [uniform((1, 3, 4, 4))], opset, attributes=attributes)
            else:
                suite.add("Clip", label, [uniform((1, 3, 4, 4)), *bounds], opset, constants={1, 2}, floats={1, 2})
    suite.add("Clip", "relu6", [uniform((1, 5, 3, 3), -4, 9), np.array(0, np.float32), np.array(6, np.float32)], 13,
              constants={1, 2}, floats={1, 2})
    suite.add("Clip", "same_parameters", [uniform((1, 5, 3, 3)), low, high], 13, constants={1, 2}, floats={1, 2},
              forms=("qdq",), same=True)


def prelu(suite):
    slopes = {"scalar": (1,), "channel": (3, 1, 1), "full": (3, 4, 4), "width": (4,)}
    for opset in versions_of("PRelu"):
        for label, shape in slopes.items():
            suite.add("PRelu", label, [uniform((1, 3, 4, 4), -3, 3), uniform(shape, -0.5, 0.9)], opset, constants={1},
                      weights={1: None})
    suite.add("PRelu", "r2", [uniform((2, 6), -3, 3), uniform((6,), 0, 0.5)], 13, constants={1}, weights={1: None})
    suite.add("PRelu", "activation_slope", [uniform((1, 3, 4, 4), -3, 3), uniform((3, 1, 1), 0, 0.5)], 16)


def cast(suite):
    from onnx import TensorProto as T
    types = {"float": T.FLOAT, "int64": T.INT64, "int32": T.INT32, "bool": T.BOOL, "int8": T.INT8, "uint8": T.UINT8}
    for opset in versions_of("Cast"):
        for label, kind in types.items():
            suite.add("Cast", f"float_to_{label}", [uniform((2, 3, 3), -100, 100) if kind != T.UINT8
                                                    else uniform((2, 3, 3), 0, 200)], opset, attributes={"to": kind},
                      forms=("float",))
        suite.add("Cast", "int64_to_float", [lambda r: r.integers(-1000, 1000, (2, 5))], opset,
                  attributes={"to": T.FLOAT}, forms=("float",))
        suite.add("Cast", "bool_to_float", [lambda r: r.integers(0, 2, (2, 5)).astype(bool)], opset,
                  attributes={"to": T.FLOAT}, forms=("float",))


def suite():
    result = Suite("unary")
    functions(result)
    swish(result)
    clip(result)
    prelu(result)
    cast(result)
    return result
