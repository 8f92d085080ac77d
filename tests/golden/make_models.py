#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what ONNX Runtime answers for whole models: samples and checksums of outputs and of every quantised tensor.

usage: make_models.py MODELS_FOLDER OUT.pack            all .onnx files below the folder
       make_models.py --tensors MODEL.onnx OUT_FOLDER   one model, every value (tensors.pack), for comparison node by node
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import onnx

from make_ops import Blob, array_of, tensor_entry

HERE = pathlib.Path(__file__).parent
SAMPLES_OF_OUTPUT, SAMPLES_OF_TENSOR = 512, 16


def seeded(kind, shape, seed):
    """32-bit linear congruential numbers: their top 8 bits as integers, their top 24 bits as reals in [0, 1). The test
    makes the same in C++."""
    count = int(np.prod(shape, dtype=np.int64))
    state, numbers = seed, np.empty(count, np.uint32)
    for i in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        numbers[i] = state
    if kind == np.float32:
        return ((numbers >> 8).astype(np.float32) / np.float32(1 << 24)).reshape(shape)
    return (numbers >> 24).astype(np.uint8).reshape(shape) if kind == np.uint8 else \
        ((numbers >> 24).astype(np.int16) - 128).astype(np.int8).reshape(shape)


def inputs_of(model):
    constants = {i.name for i in model.graph.initializer}
    result = []
    for k, value in enumerate(i for i in model.graph.input if i.name not in constants):
        kind = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[value.type.tensor_type.elem_type]
        shape = [d.dim_value or 1 for d in value.type.tensor_type.shape.dim]
        result.append((value.name, seeded(kind.type, shape, 1 + k)))
    return result


def with_quantised_outputs(model):
    """A copy in which every output of a quantising node is a graph output too; a name is enough for ONNX Runtime."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    known = {o.name for o in model.graph.output}
    for node in model.graph.node:
        if node.op_type == "QuantizeLinear" or node.op_type.startswith("QLinear"):
            for name in node.output:
                if name not in known:
                    model.graph.output.append(onnx.ValueInfoProto(name=name))
    return model


def run(path):
    """Inputs and all outputs, or the text of a refusal."""
    model = onnx.load(str(path))
    wanted = [o.name for o in model.graph.output]
    feeds, blob = inputs_of(model), Blob()
    everything = with_quantised_outputs(model)
    entry = {"name": path.stem, "model": blob.add(everything.SerializeToString()),
             "inputs": [tensor_entry(blob, name, array) for name, array in feeds]}
    with tempfile.TemporaryDirectory() as scratch:
        files = [str(pathlib.Path(scratch) / n) for n in ("in.json", "in.bin", "out.json", "out.bin")]
        pathlib.Path(files[0]).write_text(json.dumps([entry]))
        pathlib.Path(files[1]).write_bytes(blob.data())
        subprocess.run(["node", str(HERE / "run_ort.mjs")] + files, check=True)
        answer, data = json.loads(pathlib.Path(files[2]).read_text())[0], pathlib.Path(files[3]).read_bytes()
    if "error" in answer:
        return answer["error"]
    arrays = {e["name"]: array_of(e, data) for e in answer["outputs"]}
    return feeds, {n: arrays[n] for n in wanted}, {n: a for n, a in arrays.items() if n not in wanted}


def sources_of(path):
    """Quantised tensor -> the tensor that it is made of: the importer may keep either name."""
    return {n.output[0]: n.input[0] for n in onnx.load(str(path)).graph.node if n.op_type == "QuantizeLinear"}


def sampled(name, array, most):
    flat = array.reshape(-1)
    stride = max(1, -(-flat.size // most))
    return {"name": name, "type": array.dtype.name, "shape": list(array.shape), "crc32": zlib.crc32(flat.tobytes()),
            "stride": stride, "values": [float(v) if array.dtype == np.float32 else int(v) for v in flat[::stride]]}


def compressed(document, blob=b""):
    text = json.dumps(document, separators=(",", ":")).encode()
    raw = struct.pack("<I", len(text)) + text + blob
    return struct.pack(">I", len(raw)) + zlib.compress(raw, 9 if not blob else 1)


def record(folder, out):
    models = []
    for path in sorted(folder.rglob("*.onnx")):
        result = run(path)
        entry = {"file": str(path.relative_to(folder))}
        if isinstance(result, str):
            entry["refused"] = result.splitlines()[0][:200]
        else:
            _, outputs, tensors = result
            sources = sources_of(path)
            entry["outputs"] = [sampled(n, a, SAMPLES_OF_OUTPUT) for n, a in outputs.items()]
            entry["tensors"] = [sampled(n, a, SAMPLES_OF_TENSOR) | {"source": sources.get(n, "")}
                                for n, a in tensors.items()]
        print(entry["file"], entry.get("refused") or f"{len(entry['outputs'])} outputs, {len(entry['tensors'])} tensors")
        models.append(entry)
    out.write_bytes(compressed({"models": models}))
    print(f"{out}: {out.stat().st_size} bytes")


def record_every_value(path, folder):
    result = run(path)
    if isinstance(result, str):
        sys.exit(result)
    feeds, outputs, tensors = result
    blob, sources = Blob(), sources_of(path)
    case = {"name": path.stem, "operator": "", "domain": "", "opset": 0, "model": [0, 0],
            "inputs": [tensor_entry(blob, n, a) for n, a in feeds],
            "outputs": [tensor_entry(blob, n, a) | {"source": sources.get(n, "")}
                        for n, a in {**outputs, **tensors}.items()]}
    (folder / "tensors.pack").write_bytes(compressed({"cases": [case]}, blob.data()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tensors"]:
        record_every_value(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        record(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
