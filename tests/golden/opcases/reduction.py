# SPDX-License-Identifier: Apache-2.0
"""Reductions, arg-extrema, softmax and the normalisations."""
import numpy as np

from .suite import Suite, integers, uniform, versions_of

REDUCTIONS = ["ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
              "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"]
# Label -> shape, axes (None: all), keepdims.
AXES = {
    "spatial": ((1, 3, 4, 5), (2, 3), 1), "channel": ((1, 5, 3, 3), (1,), 1), "last": ((2, 3, 7), (-1,), 1),
    "dropped": ((1, 3, 4, 5), (2, 3), 0), "all": ((2, 3, 4), None, 1), "two_apart": ((1, 3, 4, 5), (1, 3), 1),
    "middle_dropped": ((2, 5, 3), (1,), 0), "rank2": ((3, 6), (0,), 1),
}
AXES_AS_INPUT = {"ReduceSum": 13}


def reductions(suite):
    for op in REDUCTIONS:
        span = (0.5, 2.0) if op in ("ReduceLogSum", "ReduceProd") else (-2.0, 2.0)
        versions = versions_of(op)
        for k, (label, (shape, axes, keep)) in enumerate(AXES.items()):
            chosen = versions if label in ("spatial", "dropped") else [versions[k % len(versions)]]
            for opset in chosen:
                operands, attributes, constants = [uniform(shape, *span)], {"keepdims": keep}, set()
                if axes is not None and opset >= AXES_AS_INPUT.get(op, 18):
                    operands.append(integers(*axes))
                    constants = {1}
                elif axes is not None:
                    attributes["axes"] = list(axes)
                suite.add(op, label, operands, opset, attributes=attributes, constants=constants)
        opset = max(18, versions[-1])
        suite.add(op, "empty_axes_noop", [uniform((2, 3, 4), *span), np.array([], np.int64)], opset,
                  attributes={"noop_with_empty_axes": 1}, constants={1}, forms=("float",))


def extrema(suite):
    for op in ("ArgMax", "ArgMin"):
        for opset in versions_of(op):
            for axis, keep in ((0, 1), (1, 1), (-1, 0), (2, 0)):
                if axis < 0 and opset < 11:
                    continue
                suite.add(op, f"axis{axis}_keep{keep}".replace("-", "m"), [uniform((2, 5, 3, 4))], opset,
                          attributes={"axis": axis, "keepdims": keep})
            if opset >= 12:
                suite.add(op, "last_index", [ties((2, 9))], opset,
                          attributes={"axis": 1, "keepdims": 1, "select_last_index": 1})
            suite.add(op, "first_index", [ties((2, 9))], opset, attributes={"axis": 1, "keepdims": 1})


def ties(shape):
    return lambda rng: rng.integers(0, 3, shape).astype(np.float32)


def softmaxes(suite):
    for op in ("Softmax", "LogSoftmax", "Hardmax"):
        for opset in versions_of(op):
            for label, shape, axis in (("r2", (2, 10), 1), ("r3_axis1", (2, 3, 4), 1), ("r4_axis1", (1, 5, 2, 3), 1),
                                       ("r4_axis3", (1, 2, 3, 8), 3), ("r3_axis0", (3, 2, 4), 0)):
                suite.add(op, label, [uniform(shape, -4, 4)], opset, attributes={"axis": axis})
            suite.add(op, "default_axis", [uniform((2, 3, 4), -4, 4)], opset)
        suite.add(op, "negative_axis", [uniform((2, 3, 4), -4, 4)], 13, attributes={"axis": -2})


def normalisations(suite):
    for opset in versions_of("BatchNormalization"):
        for label, shape in (("r4", (1, 4, 3, 3)), ("r2", (3, 5)), ("r3", (2, 3, 5))):
            c = shape[1]
            suite.add("BatchNormalization", label, [uniform(shape), uniform((c,), 0.5, 1.5), uniform((c,)),
                                                    uniform((c,), -0.5, 0.5), uniform((c,), 0.5, 2)], opset,
                      constants={1, 2, 3, 4}, floats={1, 2, 3, 4}, attributes={"epsilon": 1e-3})
    for opset in versions_of("InstanceNormalization"):
        for label, shape in (("r4", (1, 3, 4, 4)), ("r3", (2, 3, 6))):
            suite.add("InstanceNormalization", label, [uniform(shape), uniform((3,), 0.5, 1.5), uniform((3,))], opset,
                      constants={1, 2}, floats={1, 2})
        suite.add("InstanceNormalization", "epsilon", [uniform((1, 3, 4, 4)), uniform((3,), 0.5, 1.5), uniform((3,))],
                  max(opset, 13), constants={1, 2}, floats={1, 2}, attributes={"epsilon": 0.1})
    for label, shape, axis in (("last", (2, 3, 8), -1), ("r2", (4, 9), 1), ("two_dims", (2, 3, 4), 1),
                               ("r4", (1, 2, 3, 8), -1)):
        tail = shape[axis:]
        suite.add("LayerNormalization", label, [uniform(shape), uniform(tail, 0.5, 1.5), uniform(tail)], 17,
                  constants={1, 2}, floats={1, 2}, attributes={"axis": axis})
        suite.add("LayerNormalization", f"{label}_no_bias", [uniform(shape), uniform(tail, 0.5, 1.5)], 17,
                  constants={1}, floats={1}, attributes={"axis": axis, "epsilon": 1e-3})
    for opset, count in ((18, 2), (21, 4)):  # scale and bias: one a group, later one a channel
        suite.add("GroupNormalization", "two_groups", [uniform((1, 4, 3, 3)), uniform((count,), 0.5, 1.5),
                                                       uniform((count,))], opset, constants={1, 2}, floats={1, 2},
                  attributes={"num_groups": 2})
    for p in (1, 2):
        for label, shape, axis in (("last", (2, 3, 5), -1), ("channel", (1, 4, 3, 3), 1)):
            suite.add("LpNormalization", f"p{p}_{label}", [uniform(shape)], 11, attributes={"p": p, "axis": axis})
    for opset in versions_of("LRN"):
        for size in (3, 5):
            suite.add("LRN", f"size{size}", [uniform((1, 7, 3, 3))], opset, attributes={"size": size})
        suite.add("LRN", "own", [uniform((1, 6, 3, 3))], max(opset, 10),
                  attributes={"size": 3, "alpha": 0.1, "beta": 0.5, "bias": 2.0})


def suite():
    result = Suite("reduction")
    reductions(result)
    extrema(result)
    softmaxes(result)
    normalisations(result)
    return result
