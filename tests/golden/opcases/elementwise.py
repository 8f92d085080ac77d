# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, comparison, logic and choice, with numpy broadcasting."""
import numpy as np

from .suite import Quant, Suite, booleans, integers, uniform, versions_of

# Label -> shapes of the two operands.
BROADCASTS = {
    "r1": ((7,), (7,)),
    "r2": ((3, 5), (3, 5)),
    "r3": ((2, 3, 4), (2, 3, 4)),
    "r4": ((1, 3, 4, 5), (1, 3, 4, 5)),
    "r5": ((1, 2, 3, 2, 3), (1, 2, 3, 2, 3)),
    "scalar": ((1, 3, 4, 4), ()),
    "channel": ((1, 5, 3, 3), (1, 5, 1, 1)),
    "height": ((1, 2, 4, 3), (1, 1, 4, 1)),
    "width": ((1, 2, 3, 5), (5,)),
    "plane": ((1, 3, 4, 4), (4, 4)),
    "both_ways": ((1, 4, 1, 3), (1, 1, 5, 3)),
    "left": ((1, 1, 1, 4), (2, 3, 5, 4)),
    "rank_mix": ((4,), (2, 3, 4)),
}
FULL = list(BROADCASTS)
FEW = ["r4", "channel", "scalar", "both_ways", "rank_mix"]


def binary(suite, op, labels, a=(-2.0, 2.0), b=(-2.0, 2.0), **settings):
    versions = versions_of(op)
    for k, label in enumerate(labels):
        left, right = BROADCASTS[label]
        suite.add(op, label, [uniform(left, *a), uniform(right, *b)], max(versions[k % len(versions)], 10),
                  **settings)
    for opset in versions:  # each opset's meaning once more with a constant
        suite.add(op, "constant_channel", [uniform((1, 4, 3, 3), *a), uniform((1, 4, 1, 1), *b)], opset,
                  constants={1}, **settings)
    suite.add(op, "constant_first", [uniform((1, 1, 1, 1), *a), uniform((1, 3, 4, 4), *b)], versions[-1],
              constants={0}, **settings)


def arithmetic(suite):
    for op in ("Add", "Sub", "Mul"):
        binary(suite, op, FULL)
        suite.add(op, "r4_u8", [uniform((1, 3, 4, 4), 0, 3), uniform((1, 3, 4, 4))], 13, forms=("qdqu",))
        suite.add(op, "constant_scalar", [uniform((1, 3, 4, 4)), uniform(())], 13, constants={1})
        suite.add(op, "squared" if op == "Mul" else "odd_channels", [uniform((1, 17, 3, 2)), uniform((1, 17, 3, 2))], 14)
    binary(suite, "Div", FULL, b=(0.5, 2.0))
    suite.add("Div", "constant_scalar", [uniform((1, 3, 4, 4)), uniform((), 2, 3)], 13, constants={1})
    suite.add("Div", "negative", [uniform((1, 3, 4, 4)), uniform((1, 3, 4, 4), -3, -1)], 14)
    binary(suite, "Pow", FEW, a=(0.1, 2.0), b=(-1.0, 2.0))
    for opset in versions_of("Pow"):
        for exponent in (2.0, 0.5, 3.0):
            suite.add("Pow", f"exponent_{str(exponent).replace('.', '_')}",
                      [uniform((1, 3, 4, 4), 0.0, 2.0), np.array(exponent, np.float32)], opset, constants={1},
                      floats={1})
    suite.add("Pow", "negative_base_squared", [uniform((2, 3, 4)), np.array([2.0], np.float32)], 13, constants={1},
              floats={1})
    for opset in versions_of("Mod"):
        for label in ("r2", "r4", "channel", "rank_mix"):
            left, right = BROADCASTS[label]
            suite.add("Mod", f"fmod_{label}", [uniform(left, -5, 5), uniform(right, 0.7, 2.0)], opset,
                      attributes={"fmod": 1}, forms=("float",))
    suite.add("Mod", "fmod_number", [uniform((1, 3, 4, 4), -1.9, 3.8), np.array(2.0, np.float32)], 13, forms=("qdq",),
              constants={1}, floats={1}, attributes={"fmod": 1})
    for fmod in (0, 1):
        suite.add("Mod", f"int64_fmod{fmod}", [integers(7, -7, 7, -7, 0), integers(3, 3, -3, -3, 2)], 13,
                  attributes={"fmod": fmod}, forms=("float",))


def grid(scale, zero=0):
    return Quant(np.array(scale, np.float32), np.array(zero, np.int8))


def every_byte(scale):
    return (np.arange(-128, 128).reshape(1, 4, 8, 8) * scale).astype(np.float32)


def ties(suite):
    """Quotients that lie halfway between two steps of the result, where a product with a reciprocal may not."""
    for label, divisor, scale, step in (("6", 6, 1, 1), ("10", 10, 1, 1), ("1_5", 1.5, 0.25, 1), ("14", 14, 0.5, 0.25),
                                        ("22", 22, 1, 1), ("49", 49, 0.5, 0.25), ("0_7", 0.7, 0.7, 2)):
        suite.add("Div", f"ties_{label}", [every_byte(scale), np.array(divisor, np.float32)], 13, forms=("qdq",),
                  constants={1}, floats={1}, given={0: grid(scale), "y": grid(step)})
    suite.add("Div", "ties_channel", [every_byte(1), np.array([6, 10, 14, 22], np.float32).reshape(4, 1, 1)], 13,
              forms=("qdq",), constants={1}, floats={1}, given={0: grid(1), "y": grid(1)})
    suite.add("Div", "ties_activations", [every_byte(1), every_byte(1) * 0 + 6], 13, forms=("qdq",),
              given={0: grid(1), 1: grid(2), "y": grid(1)})
    for count in (3, 6):
        suite.add("Mean", f"ties_of_{count}", [every_byte(1)] * count, 13, forms=("qdq",),
                  given={**{i: grid(1 + i) for i in range(count)}, "y": grid(count - 0.5)})


def several(suite):
    """Operators of any number of operands."""
    for op in ("Sum", "Max", "Min", "Mean"):
        for opset in versions_of(op):
            for count in (1, 2, 3):
                suite.add(op, f"of_{count}", [uniform((1, 3, 3, 4)) for _ in range(count)], opset)
            suite.add(op, "broadcast", [uniform((1, 3, 1, 4)), uniform((3, 2, 1)), uniform((4,))], opset)
        suite.add(op, "constant", [uniform((2, 3, 4)), uniform((4,))], 13, constants={1})
    for op in ("Max", "Min"):
        suite.add(op, "same_parameters", [uniform((1, 3, 3, 4)), uniform((1, 3, 3, 4))], 13, forms=("qdq",), same=True)


def comparison(suite):
    for op in ("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal"):
        opsets = versions_of(op)
        for k, label in enumerate(("r4", "channel", "scalar", "rank_mix", "both_ways")):
            left, right = BROADCASTS[label]
            opset = opsets[k % len(opsets)]
            suite.add(op, label, [steps(left), steps(right)], max(opset, 11 if op == "Equal" else opset))
        suite.add(op, "same_parameters", [steps((1, 3, 4, 4)), steps((1, 3, 4, 4))], 13, forms=("qdq",), same=True)
        for opset in opsets:
            if op != "Equal" or opset >= 11:
                suite.add(op, "constant", [steps((1, 3, 4, 4)), steps((1, 3, 1, 1))], opset, constants={1})
    for opset in versions_of("Equal"):
        suite.add("Equal", "int64", [integers(1, 2, 3, -4), integers(1, 3, 3, 4)], opset, forms=("float",))


def steps(shape):
    """Few distinct values, so that comparisons meet equal operands."""
    return lambda rng: (rng.integers(-4, 5, shape) * 0.25).astype(np.float32)


def logic(suite):
    for op in ("And", "Or", "Xor"):
        for label in ("r1", "r2", "r4", "scalar", "channel", "both_ways"):
            left, right = BROADCASTS[label]
            suite.add(op, label, [booleans(left), booleans(right)], 7, forms=("float",))
        suite.add(op, "constant", [booleans((1, 3, 4, 4)), booleans((3, 1, 1))], 13, constants={1}, forms=("float",))
    for shape, label in (((7,), "r1"), ((1, 3, 4, 4), "r4"), ((2, 1, 3), "r3")):
        suite.add("Not", label, [booleans(shape)], 7, forms=("float",))
    for opset in versions_of("Where"):
        for label in ("r2", "r4", "channel", "both_ways", "rank_mix", "scalar"):
            left, right = BROADCASTS[label]
            suite.add("Where", label, [booleans(left), uniform(left), uniform(right)], max(opset, 10))
        suite.add("Where", "condition_broadcast", [booleans((1, 1, 4, 1)), uniform((1, 3, 4, 2)), uniform((1, 3, 4, 2))],
                  opset)
        suite.add("Where", "constant", [booleans((1, 3, 4, 2)), uniform((1, 3, 4, 2)), uniform(())], opset,
                  constants={2})
        suite.add("Where", "same_parameters", [booleans((1, 3, 4, 2)), uniform((1, 3, 4, 2)), uniform((1, 3, 4, 2))],
                  opset, same=True, forms=("qdq",))


def suite():
    result = Suite("elementwise")
    arithmetic(result)
    ties(result)
    several(result)
    comparison(result)
    logic(result)
    return result
