# SPDX-License-Identifier: Apache-2.0
"""Constants of every convolution below a folder of OE models, from an independent implementation (shared tools/requant_ref.py).

usage: requant_values.py TOOLS_FOLDER MODELS_FOLDER
One line a convolution, fields separated by tabs; lists separated by blanks:
name, weight sums, input scale, weight scales, output scale, output zero, bias, sa, s1, As, s2, A, C
"""
import glob
import json
import os
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np
import onnx
from onnx import numpy_helper
from requant_ref import Requant


def numbers(values):
    return " ".join(repr(v) for v in values)


for path in sorted(glob.glob(os.path.join(sys.argv[2], "*", "*_OE_*.onnx"))):
    model = onnx.load(path)
    with open(path[:-5] + "_Q.json", encoding="utf-8") as file:
        tensors = json.load(file)["tensors"]
    constants = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type not in ("Conv", "Gemm"):
            continue
        params = [tensors.get(n, {}).get("format", {}).get("params", [None, None]) for n in list(node.input)[:2] + [node.output[0]]]
        if any(p[0] is None for p in params) or node.input[1] not in constants:
            continue
        scale = np.array(params[1][0], float)
        weights = constants[node.input[1]]
        if node.op_type == "Gemm":
            trans = any(a.name == "transB" and a.i for a in node.attribute)
            weights = weights if trans else weights.T
        count = weights.shape[0]
        quantised = np.rint(weights / scale.reshape((-1,) + (1,) * (weights.ndim - 1))).astype(np.int64)
        bias = constants[node.input[2]] if len(node.input) > 2 else np.zeros(count, np.float32)
        made = Requant(quantised, params[0][0][0], scale, params[2][0][0], int(params[2][1][0]), bias)
        print("\t".join([
            os.path.basename(path) + ":" + node.name,
            numbers(quantised.reshape(count, -1).sum(1).tolist()), repr(params[0][0][0]), numbers(scale.tolist()),
            repr(params[2][0][0]), repr(int(params[2][1][0])), numbers(np.asarray(bias, np.float32).astype(float).ravel().tolist()),
            repr(made.sa), repr(made.s1), repr(made.As), repr(made.s2), numbers(made.A.ravel().tolist()),
            numbers(made.C.ravel().tolist())]))
