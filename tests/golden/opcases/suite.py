# SPDX-License-Identifier: Apache-2.0
"""What a case is, and how it becomes an ONNX model: a single operator on floats, or between DequantizeLinear and
QuantizeLinear."""
import zlib
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, defs, helper, numpy_helper

COMPARISONS = ("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal")
INT8 = np.dtype(np.int8)
UINT8 = np.dtype(np.uint8)

# Versions of operators that python3-onnx 1.12 (opset 17) does not know yet.
LATER_VERSIONS = {
    "AveragePool": [19], "Cast": [19, 21], "DequantizeLinear": [19, 21], "Equal": [19], "Flatten": [21], "Gelu": [20],
    "Identity": [19, 21], "Pad": [18, 19, 21], "QuantizeLinear": [19, 21], "ReduceL1": [18], "ReduceL2": [18],
    "ReduceLogSum": [18], "ReduceLogSumExp": [18], "ReduceMax": [18, 20], "ReduceMean": [18], "ReduceMin": [18, 20],
    "ReduceProd": [18], "ReduceSumSquare": [18], "Reshape": [19, 21], "Resize": [18, 19], "Shape": [19, 21],
    "Size": [19, 21], "Split": [18], "Squeeze": [21], "Transpose": [21], "Unsqueeze": [21], "Mish": [18],
    "Constant": [19, 21], "ConstantOfShape": [20, 21], "QLinearMatMul": [21],
}


def versions_of(op, lowest=7, highest=21):
    """One opset for each meaning that the operator has had between the two opsets."""
    since = {s.since_version for s in defs.get_all_schemas_with_history() if s.name == op and s.domain == ""}
    since.update(LATER_VERSIONS.get(op, []))
    first = [max(lowest, max(since & set(range(1, lowest + 1))))] if since & set(range(1, lowest + 1)) else []
    return first + sorted(v for v in since if lowest < v <= highest)


def ir_version_of(opset):
    return 10 if opset >= 21 else 9 if opset >= 19 else 8 if opset >= 15 else 7


@dataclass
class Quant:
    """real = (integer - zero) * scale; arrays for parameters along `axis`."""
    scale: np.ndarray
    zero: np.ndarray
    axis: int = None

    def shaped(self, array, rank):
        return array if self.axis is None else array.reshape([-1 if d == self.axis else 1 for d in range(rank)])

    def quantise(self, reals):
        info = np.iinfo(self.zero.dtype)
        steps = np.rint(reals / self.shaped(self.scale, reals.ndim).astype(np.float64))
        return np.clip(steps + self.shaped(self.zero, reals.ndim), info.min, info.max).astype(self.zero.dtype)


def activation_quant(reals, dtype, cut=1.0):
    """Asymmetric, the whole range of the type; `cut` below 1 makes some values saturate."""
    low, high = min(0.0, float(np.min(reals)) * cut), max(0.0, float(np.max(reals)) * cut)
    scale = np.float32((high - low) / 255 or 1 / 128)
    info = np.iinfo(dtype)
    zero = np.clip(np.rint(info.min - low / float(scale)), info.min, info.max)
    return Quant(np.asarray(scale, np.float32), np.asarray(zero, dtype))


def weight_quant(reals, axis=None):
    """Symmetric int8, per index of `axis` when it is given."""
    others = None if axis is None else tuple(d for d in range(reals.ndim) if d != axis)
    scale = (np.max(np.abs(reals), axis=others) / 127).astype(np.float32)
    scale = np.where(scale == 0, np.float32(1), scale).astype(np.float32)
    return Quant(scale, np.zeros(scale.shape, np.int8), axis)


@dataclass
class Case:
    name: str
    op: str
    opset: int
    operands: list            # arrays; None for an absent optional one
    constants: set            # indices of operands that are initialisers
    attributes: dict = field(default_factory=dict)
    output_count: int = 1
    domain: str = ""
    quantised: bool = False   # float32 operands come from, float32 results go to, integers
    dtype: np.dtype = INT8    # of quantised activations
    weights: dict = field(default_factory=dict)   # operand -> axis of its parameters, or None
    biases: dict = field(default_factory=dict)    # operand -> the two operands whose scales make its own
    floats: set = field(default_factory=set)      # operands that stay float in a quantised case
    same: bool = False        # results carry the parameters of the first operand
    given: dict = field(default_factory=dict)     # operand -> Quant chosen by hand; "y" -> that of the results
    cut: float = 1.0          # share of the results' range that their parameters cover
    float_results: list = None
    parameters: dict = None   # operand -> Quant, of a quantised case
    chain: list = None        # more nodes behind: (op, inputs, attributes); the input "$" is the result before it
    parts: list = None        # of a chain: names of the first node's further outputs, behind "step0"
    own: int = None           # how many operands are the operator's, the others are the chain's; None: all

    def shares_parameters(self, index):
        return self.same and index > 0 and self.op in ("Concat", "Max", "Min", "Where", *COMPARISONS)

    def make_parameters(self):
        self.parameters = {}
        for i, operand in enumerate(self.operands):
            if operand is None or operand.dtype != np.float32 or i in self.floats or i in self.biases:
                continue
            if i in self.given:
                self.parameters[i] = self.given[i]
            elif i in self.weights:
                self.parameters[i] = weight_quant(operand, self.weights[i])
            elif self.shares_parameters(i) and self.parameters:
                self.parameters[i] = next(iter(self.parameters.values()))
            else:
                self.parameters[i] = activation_quant(operand, self.dtype)
        for i, (x, w) in self.biases.items():
            scale = (self.parameters[x].scale * self.parameters[w].scale).astype(np.float32)
            self.parameters[i] = Quant(scale, np.zeros(scale.shape, np.int32), 0 if scale.ndim else None)

    def feeds(self):
        """What goes into the graph's inputs, in order."""
        result = []
        for i, operand in enumerate(self.operands):
            if operand is None or i in self.constants:
                continue
            quant = self.parameters.get(i) if self.quantised else None
            result.append((f"x{i}", quant.quantise(operand) if quant else operand))
        return result

    def model(self):
        builder = Builder(self)
        return builder.model()


class Builder:
    def __init__(self, case):
        self.case, self.nodes, self.initialisers, self.inputs, self.outputs = case, [], [], [], []

    def constant(self, name, array):
        self.initialisers.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name))
        return name

    def value(self, name, array_type, shape):
        return helper.make_tensor_value_info(name, array_type, shape)

    def qdq(self, op, source, target, quant, suffix):
        scale = self.constant(f"{suffix}_scale", quant.scale)
        zero = self.constant(f"{suffix}_zero", quant.zero)
        attributes = {} if quant.axis is None else {"axis": quant.axis}
        self.nodes.append(helper.make_node(op, [source, scale, zero], [target], name=f"{op}_{suffix}", **attributes))
        return target

    def operand(self, i):
        case, array = self.case, self.case.operands[i]
        if array is None:
            return ""
        quant = case.parameters.get(i) if case.quantised else None
        stored = quant.quantise(array) if quant else array
        if i in case.constants:
            self.constant(f"x{i}", stored)
        else:
            kind = helper.np_dtype_to_tensor_dtype(stored.dtype) if hasattr(helper, "np_dtype_to_tensor_dtype") \
                else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[stored.dtype]
            self.inputs.append(self.value(f"x{i}", kind, stored.shape))
        return self.qdq("DequantizeLinear", f"x{i}", f"x{i}_real", quant, f"x{i}") if quant else f"x{i}"

    def results(self, names):
        case = self.case
        for k, name in enumerate(names):
            reals = case.float_results[k] if case.float_results else None
            if not case.quantised or reals.dtype != np.float32:
                kind = onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[reals.dtype] if reals is not None else TensorProto.FLOAT
                self.outputs.append(onnx.ValueInfoProto(name=name) if reals is None
                                    else self.value(name, kind, reals.shape))
                continue
            first = next(iter(case.parameters.values())) if case.parameters else None
            quant = case.given.get("y") or (first if case.same and first is not None
                                            else activation_quant(reals, case.dtype, case.cut))
            self.qdq("QuantizeLinear", name, f"{name}_q", quant, name)
            self.outputs.append(self.value(f"{name}_q", onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[quant.zero.dtype],
                                           reals.shape))

    def link(self, source, names, step):
        """An operand of a chain: "$" and what hangs on it, or an operand of the case, dequantised."""
        operand = source[1:] if source.startswith("x") else ""
        return names[int(operand)] if operand.isdigit() else source.replace("$", f"step{step}")

    def model(self):
        case = self.case
        names = [self.operand(i) for i in range(len(case.operands))]
        results = [f"y{k}" for k in range(case.output_count)]
        chain = case.chain or []
        produced = results if not chain else ["step0"] + [f"step0{part}" for part in case.parts or []]
        self.nodes.append(helper.make_node(case.op, names[:case.own], produced, name="op", domain=case.domain, **case.attributes))
        for k, (op, extra, attributes) in enumerate(chain):
            last = results[0] if k == len(chain) - 1 else f"step{k + 1}"
            self.nodes.append(helper.make_node(op, [self.link(e, names, k) for e in extra], [last],
                                               name=f"op{k + 1}", **attributes))
        self.results(results)
        graph = helper.make_graph(self.nodes, case.name, self.inputs, self.outputs, self.initialisers)
        imports = [helper.make_opsetid("", case.opset)]
        if case.domain:
            imports.append(helper.make_opsetid(case.domain, 1))
        model = helper.make_model(graph, opset_imports=imports, producer_name="poolwright make_ops")
        model.ir_version = ir_version_of(case.opset)
        return model.SerializeToString(deterministic=True)


class Suite:
    """The cases of one class of operators, in the order in which they were added."""

    def __init__(self, name):
        self.name, self.cases, self.names = name, [], set()

    def add(self, op, label, operands, opset, forms=("float", "qdq"), folder=None, **settings):
        """`operands`: arrays, or functions of a random generator. One case for each form that the opset allows:
        float, qdq (int8), qdqu (uint8)."""
        for form in forms:
            per_channel = any(axis is not None for axis in settings.get("weights", {}).values())
            if form != "float" and opset < (13 if per_channel else 10):
                continue
            name = f"{(folder or op).lower()}/{label}_opset{opset}_{form}" if label else \
                f"{(folder or op).lower()}/opset{opset}_{form}"
            if name in self.names:
                raise ValueError(f"{name} twice")
            self.names.add(name)
            rng = np.random.default_rng(zlib.crc32(name.encode()))
            arrays = [o(rng) if callable(o) else o for o in operands]
            options = dict(settings)
            options.setdefault("constants", set())
            # Every other case lets a tenth of the results' range saturate.
            options.setdefault("cut", 0.9 if zlib.crc32(name.encode()) % 2 else 1.0)
            self.cases.append(Case(name=name, op=op, opset=opset, operands=arrays, quantised=form != "float",
                                   dtype=UINT8 if form == "qdqu" else INT8, **options))


def uniform(shape, low=-2.0, high=2.0):
    return lambda rng: rng.uniform(low, high, shape).astype(np.float32)


def integers(*values):
    return np.array(values, np.int64)


def booleans(shape):
    return lambda rng: rng.integers(0, 2, shape).astype(bool)
