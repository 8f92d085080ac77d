# SPDX-License-Identifier: Apache-2.0
"""Operators that move values: reshaping, permuting, cutting, gathering, repeating, padding, resizing."""
import numpy as np

from .suite import Suite, integers, uniform, versions_of


def moving(suite, op, label, operands, opset, **settings):
    """A float case, one with the same parameters on both sides, and (for every other label) one that requantises."""
    suite.add(op, label, operands, opset, forms=("float", "qdq"), same=True, **settings)


def shapes(suite):
    targets = {"flat": ((1, 3, 4, 2), (1, 24)), "minus_one": ((1, 3, 4, 2), (1, -1, 2)), "zero": ((2, 3, 4), (0, 12)),
               "rank_up": ((2, 12), (1, 2, 3, 4)), "interleaving": ((1, 6, 2, 2), (1, 2, 3, 2, 2))}
    for k, (label, (shape, target)) in enumerate(targets.items()):
        for opset in versions_of("Reshape") if k < 2 else [13]:
            moving(suite, "Reshape", label, [uniform(shape), integers(*target)], opset, constants={1})
    suite.add("Reshape", "requantised", [uniform((1, 3, 4, 2)), integers(1, 24)], 13, constants={1}, forms=("qdq",))
    suite.add("Reshape", "allowzero", [uniform((2, 3, 4)), integers(2, 12)], 14, constants={1},
              attributes={"allowzero": 1}, forms=("float",))
    for opset in versions_of("Flatten"):
        for axis in (0, 1, 2, 4):
            moving(suite, "Flatten", f"axis{axis}", [uniform((1, 3, 4, 2))], opset, attributes={"axis": axis})
        if opset >= 11:
            moving(suite, "Flatten", "negative_axis", [uniform((1, 3, 4, 2))], opset, attributes={"axis": -1})
    for op, shape, axes in (("Squeeze", (1, 3, 1, 4), (0, 2)), ("Unsqueeze", (3, 4), (0, 3))):
        for opset in versions_of(op):
            if opset >= 13:
                moving(suite, op, "axes", [uniform(shape), integers(*axes)], opset, constants={1})
            else:
                moving(suite, op, "axes", [uniform(shape)], opset, attributes={"axes": list(axes)})
    moving(suite, "Squeeze", "all", [uniform((1, 3, 1, 4))], 13)
    moving(suite, "Unsqueeze", "negative", [uniform((3, 4)), integers(-1)], 13, constants={1})
    for opset in versions_of("Transpose"):
        for perm in ((0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 3, 2), (3, 2, 1, 0)):
            moving(suite, "Transpose", "perm" + "".join(map(str, perm)), [uniform((1, 3, 4, 5))], opset,
                   attributes={"perm": list(perm)})
    moving(suite, "Transpose", "default", [uniform((3, 5))], 13)
    moving(suite, "Transpose", "r3", [uniform((2, 3, 4))], 13, attributes={"perm": [2, 0, 1]})
    moving(suite, "Transpose", "r5", [uniform((1, 2, 3, 2, 4))], 13, attributes={"perm": [0, 2, 1, 4, 3]})
    suite.add("Transpose", "requantised", [uniform((1, 3, 4, 5))], 13, attributes={"perm": [0, 2, 3, 1]}, forms=("qdq",))


def cutting(suite):
    for axis, sizes, shape in ((1, (2, 3), (1, 5, 3, 3)), (2, (1, 4), (1, 3, 5, 2)), (3, (2, 2), (1, 3, 2, 4)),
                               (0, (1, 2), (3, 4)), (-1, (1, 5, 1), (2, 7))):
        for opset in versions_of("Split"):
            label = f"axis{axis}_{'_'.join(map(str, sizes))}".replace("-", "m")
            if axis < 0 and opset < 11:
                continue
            if opset >= 13:
                moving(suite, "Split", label, [uniform(shape), integers(*sizes)], opset, constants={1},
                       attributes={"axis": axis}, output_count=len(sizes))
            else:
                moving(suite, "Split", label, [uniform(shape)], opset, attributes={"axis": axis, "split": list(sizes)},
                       output_count=len(sizes))
    for opset in (7, 11, 13):
        moving(suite, "Split", "even", [uniform((1, 6, 3, 3))], opset, attributes={"axis": 1}, output_count=3)
    moving(suite, "Split", "num_outputs_uneven", [uniform((1, 7, 3, 3))], 18,
           attributes={"axis": 1, "num_outputs": 3}, output_count=3)
    cuts = {  # starts, ends, axes, steps
        "channels": ((1,), (4,), (1,), (1,)), "spatial": ((1, 0), (4, 3), (2, 3), (1, 1)),
        "steps": ((0, 1), (5, 5), (2, 3), (2, 2)), "backwards": ((4,), (-6,), (3,), (-1,)),
        "backwards_steps": ((-1,), (0,), (2,), (-2,)), "negative_bounds": ((-3,), (-1,), (1,), (1,)),
        "beyond": ((2,), (1000,), (3,), (1,)),
    }
    for label, (starts, ends, axes, step) in cuts.items():
        for opset in versions_of("Slice"):
            if opset < 10:
                if step == (1,) * len(step):
                    moving(suite, "Slice", label, [uniform((1, 5, 5, 5))], opset,
                           attributes={"starts": list(starts), "ends": list(ends), "axes": list(axes)})
            else:
                moving(suite, "Slice", label, [uniform((1, 5, 5, 5)), integers(*starts), integers(*ends),
                                               integers(*axes), integers(*step)], opset, constants={1, 2, 3, 4})
    moving(suite, "Slice", "no_axes", [uniform((4, 5)), integers(1, 2), integers(3, 5)], 13, constants={1, 2})


def joining(suite):
    for opset in versions_of("Concat"):
        for axis in (1, 2, 3):
            other = [1, 3, 4, 2]
            other[axis] += 1
            moving(suite, "Concat", f"axis{axis}", [uniform((1, 3, 4, 2)), uniform(tuple(other))], opset,
                   attributes={"axis": axis})
    moving(suite, "Concat", "three", [uniform((2, 3)), uniform((2, 1)), uniform((2, 4))], 13, attributes={"axis": -1})
    moving(suite, "Concat", "constant", [uniform((1, 3, 2, 2)), uniform((1, 2, 2, 2))], 13, attributes={"axis": 1},
           constants={1})
    moving(suite, "Concat", "batch", [uniform((1, 3, 2, 2)), uniform((2, 3, 2, 2))], 13, attributes={"axis": 0})
    suite.add("Concat", "requantised", [uniform((1, 3, 4, 2), -1, 1), uniform((1, 2, 4, 2), -3, 1)], 13,
              attributes={"axis": 1}, forms=("qdq", "qdqu"))


def gathering(suite):
    for opset in versions_of("Gather"):
        for axis, indices, label in ((0, integers(2, 0), "axis0"), (1, integers(1), "axis1"),
                                     (2, integers(3, 3, 0), "axis2"), (1, np.array(2, np.int64), "scalar"),
                                     (2, np.array([[0, 1], [2, 3]], np.int64), "matrix"),
                                     (1, integers(-1, 0), "negative")):
            if label == "negative" and opset < 11:
                continue
            moving(suite, "Gather", label, [uniform((3, 3, 4)), indices], opset, constants={1}, attributes={"axis": axis})
    moving(suite, "Gather", "index_input", [uniform((5, 4)), integers(4, 1, 1)], 13)
    moving(suite, "Gather", "embedding", [uniform((6, 5)), np.array([[1, 5, 0]], np.int64)], 13, constants={0})
    for opset in versions_of("Expand"):
        for label, shape, target in (("channel", (1, 3, 1, 1), (1, 3, 4, 4)), ("rank_up", (4,), (2, 3, 4)),
                                     ("both_ways", (2, 1, 3), (1, 4, 1)), ("scalar", (1,), (2, 5))):
            moving(suite, "Expand", label, [uniform(shape), integers(*target)], opset, constants={1})
    for opset in versions_of("Tile"):
        for label, shape, repeats in (("spatial", (1, 2, 3, 2), (1, 1, 2, 3)), ("channel", (1, 3, 2, 2), (1, 3, 1, 1)),
                                      ("r2", (2, 3), (3, 2)), ("ones", (2, 3), (1, 1))):
            moving(suite, "Tile", label, [uniform(shape), integers(*repeats)], opset, constants={1})


def blocks(suite):
    for opset in versions_of("DepthToSpace"):
        for mode in ("DCR", "CRD") if opset >= 11 else ("DCR",):
            for block, shape in ((2, (1, 8, 3, 2)), (3, (1, 9, 2, 2)), (2, (2, 4, 2, 3))):
                attributes = {"blocksize": block, "mode": mode} if opset >= 11 else {"blocksize": block}
                moving(suite, "DepthToSpace", f"{mode.lower()}_b{block}_n{shape[0]}", [uniform(shape)], opset,
                       attributes=attributes)
    for opset in versions_of("SpaceToDepth"):
        for block, shape in ((2, (1, 3, 4, 6)), (3, (1, 2, 3, 6)), (2, (2, 2, 4, 4))):
            moving(suite, "SpaceToDepth", f"b{block}_n{shape[0]}", [uniform(shape)], opset,
                   attributes={"blocksize": block})


def padding(suite):
    pads = {"spatial": (0, 0, 1, 2, 0, 0, 2, 1), "channel": (0, 1, 0, 0, 0, 2, 0, 0), "cropping": (0, 0, -1, 0, 0, 0, 1, -1)}
    for opset in versions_of("Pad"):
        for mode in ("constant", "reflect", "edge") + (("wrap",) if opset >= 19 else ()):
            for label, amounts in pads.items():
                if label != "spatial" and (mode != "constant" or opset not in (11, 18)):
                    continue
                name = f"{mode}_{label}"
                if opset < 11:
                    moving(suite, "Pad", name, [uniform((1, 2, 4, 4))], opset,
                           attributes={"pads": list(amounts), "mode": mode})
                else:
                    moving(suite, "Pad", name, [uniform((1, 2, 4, 4)), integers(*amounts)], opset, constants={1},
                           attributes={"mode": mode})
        value = np.array(0.75, np.float32)
        if opset < 11:
            moving(suite, "Pad", "value", [uniform((1, 2, 4, 4))], opset,
                   attributes={"pads": [0, 0, 1, 1, 0, 0, 1, 1], "value": 0.75})
        else:
            moving(suite, "Pad", "value", [uniform((1, 2, 4, 4)), integers(0, 0, 1, 1, 0, 0, 1, 1), value], opset,
                   constants={1, 2}, floats={2})
    moving(suite, "Pad", "axes", [uniform((1, 2, 4, 4)), integers(1, 2), None, integers(3)], 18, constants={1, 3})
    moving(suite, "Pad", "r2", [uniform((3, 4)), integers(1, 0, 0, 2)], 13, constants={1})


MODES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")


def resizing(suite):
    shape, empty = (1, 2, 3, 4), np.array([], np.float32)
    for opset in versions_of("Resize", lowest=11):
        for coordinates in MODES + (("half_pixel_symmetric",) if opset >= 19 else ()):
            for label, scales in (("up2", (1, 1, 2, 2)), ("down", (1, 1, 0.6, 0.5)), ("odd", (1, 1, 1.7, 2.5))):
                if label == "odd" and opset not in (13, 19):
                    continue
                operands = [uniform(shape), empty, np.array(scales, np.float32)]
                suite.add("Resize", f"linear_{coordinates}_{label}", operands, opset, constants={1, 2}, floats={1, 2},
                          attributes={"mode": "linear", "coordinate_transformation_mode": coordinates})
                if label == "down" and coordinates == "align_corners":
                    continue  # positions fall on ties of float rounding
                moving(suite, "Resize", f"nearest_{coordinates}_{label}", operands, opset, constants={1, 2},
                       floats={1, 2}, attributes={"mode": "nearest", "nearest_mode": "floor",
                                                  "coordinate_transformation_mode": coordinates})
        for rounding in ("round_prefer_floor", "round_prefer_ceil", "ceil", "floor"):
            moving(suite, "Resize", f"nearest_{rounding}_sizes",
                   [uniform(shape), empty, empty, integers(1, 2, 5, 7)], opset, constants={1, 2, 3}, floats={1, 2},
                   attributes={"mode": "nearest", "nearest_mode": rounding,
                               "coordinate_transformation_mode": "half_pixel"})
        suite.add("Resize", "linear_sizes", [uniform(shape), empty, empty, integers(1, 2, 5, 3)], opset,
                  constants={1, 2, 3}, floats={1, 2}, attributes={"mode": "linear"})
    for mode in ("nearest", "linear"):
        moving(suite, "Resize", f"{mode}_scales", [uniform(shape), np.array([1, 1, 2, 2], np.float32)], 10,
               constants={1}, floats={1}, attributes={"mode": mode})
        for opset, label in ((7, "attribute"), (9, "input")):
            if opset == 7:
                suite.add("Upsample", f"{mode}_{label}", [uniform(shape)], opset, forms=("float",),
                          attributes={"mode": mode, "scales": [1.0, 1.0, 2.0, 3.0]})
            else:
                suite.add("Upsample", f"{mode}_{label}", [uniform(shape), np.array([1, 1, 2, 3], np.float32)], opset,
                          constants={1}, floats={1}, attributes={"mode": mode}, forms=("float",))
    moving(suite, "Resize", "nearest_axes", [uniform(shape), empty, np.array([2, 3], np.float32)], 18, constants={1, 2},
           floats={1, 2}, attributes={"mode": "nearest", "axes": [2, 3], "nearest_mode": "floor",
                                      "coordinate_transformation_mode": "asymmetric"})
    suite.add("Resize", "linear_antialias", [uniform((1, 2, 6, 6)), empty, np.array([1, 1, 0.5, 0.5], np.float32)], 18,
              constants={1, 2}, floats={1, 2}, attributes={"mode": "linear", "antialias": 1}, forms=("float",))


def suite():
    result = Suite("layout")
    for part in (shapes, cutting, joining, gathering, blocks, padding, resizing):
        part(result)
    return result
