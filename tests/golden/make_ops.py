#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the single-operator suite: models, inputs, and the outputs of ONNX Runtime, one pack for each class of operators.

usage: make_ops.py [--only TEXT] [OUT_DIR]     (see README.md; needs python3-onnx, numpy, node with onnxruntime-node)
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import Counter

import numpy as np

from opcases import dense, elementwise, forms, integer, layout, reduction, unary

HERE = pathlib.Path(__file__).parent
CLASSES = [elementwise, unary, reduction, layout, dense, integer, forms]


class Blob:
    def __init__(self):
        self.parts, self.size = [], 0

    def add(self, data):
        self.parts.append(data)
        self.size += len(data)
        return [self.size - len(data), len(data)]

    def data(self):
        return b"".join(self.parts)


def tensor_entry(blob, name, array):
    return {"name": name, "type": array.dtype.name, "shape": list(array.shape), "data": blob.add(array.tobytes())}


def array_of(entry, data):
    at, size = entry["data"]
    return np.frombuffer(data[at:at + size], entry["type"]).reshape(entry["shape"])


def run(cases, folder):
    """Answers for each case the arrays that ONNX Runtime gives, or the text of its refusal."""
    blob, index = Blob(), []
    for case in cases:
        entry = {"name": case.name, "model": blob.add(case.model())}
        entry["inputs"] = [tensor_entry(blob, name, array) for name, array in case.feeds()]
        index.append(entry)
    (folder / "in.json").write_text(json.dumps(index))
    (folder / "in.bin").write_bytes(blob.data())
    subprocess.run(["node", str(HERE / "run_ort.mjs"), str(folder / "in.json"), str(folder / "in.bin"),
                    str(folder / "out.json"), str(folder / "out.bin")], check=True)
    results, data = json.loads((folder / "out.json").read_text()), (folder / "out.bin").read_bytes()
    return [r["error"] if "error" in r else [array_of(e, data) for e in r["outputs"]] for r in results]


def evaluate(cases, folder):
    """Quantised cases take their results' ranges from the float form of the same operator, so they run twice."""
    first = run_as_float(cases, folder)
    for case, results in zip(cases, first):
        if isinstance(results, str):
            continue
        case.float_results = results
        if case.quantised:
            case.make_parameters()
    usable = [case for case, results in zip(cases, first) if not isinstance(results, str)]
    refused = {case.name: results for case, results in zip(cases, first) if isinstance(results, str)}
    done = []
    for case, results in zip(usable, run(usable, folder)):
        if isinstance(results, str):
            refused[case.name] = results
        else:
            done.append((case, results))
    return done, refused


def run_as_float(cases, folder):
    kept = [case.quantised for case in cases]
    for case in cases:
        case.quantised = False
    results = run(cases, folder)
    for case, quantised in zip(cases, kept):
        case.quantised = quantised
    return results


def pack(done):
    blob, index = Blob(), []
    for case, results in done:
        entry = {"name": case.name, "operator": case.op, "domain": case.domain, "opset": case.opset,
                 "alone": not case.chain, "model": blob.add(case.model())}
        entry["inputs"] = [tensor_entry(blob, name, array) for name, array in case.feeds()]
        entry["outputs"] = [tensor_entry(blob, f"y{k}", array) for k, array in enumerate(results)]
        index.append(entry)
    text = json.dumps({"cases": index}, separators=(",", ":")).encode()
    raw = struct.pack("<I", len(text)) + text + blob.data()
    return struct.pack(">I", len(raw)) + zlib.compress(raw, 9)


def write_counts(path, cases):
    """How many cases each operator has: for the operators page of the help."""
    counts = Counter((case.domain, case.op) for case in cases)
    lines = [f"{domain},{op},{count}" for (domain, op), count in sorted(counts.items())]
    path.write_text("domain,operator,cases\n" + "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", default=str(HERE / "ops"))
    parser.add_argument("--only", default="", help="cases whose name contains this")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(exist_ok=True)
    everything = []
    for module in CLASSES:
        suite = module.suite()
        cases = [case for case in suite.cases if options.only in case.name]
        if not cases:
            continue
        with tempfile.TemporaryDirectory() as folder:
            done, refused = evaluate(cases, pathlib.Path(folder))
        for name, text in refused.items():
            print(f"refused {name}: {text[:160]}", file=sys.stderr)
        data = pack(done)
        (out / f"{suite.name}.pack").write_bytes(data)
        everything += [case for case, _ in done]
        print(f"{suite.name}: {len(done)} cases, {len(refused)} refused by ONNX Runtime, {len(data)} bytes")
    if not options.only:
        write_counts(out / "cases.csv", everything)
    print(f"{len(everything)} cases")


if __name__ == "__main__":
    main()
