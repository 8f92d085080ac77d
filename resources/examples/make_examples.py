#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the example networks of this folder: small int8 QDQ ONNX models with seeded random weights.

usage: make_examples.py [FOLDER]          (default: the folder of this script)

A network is written down once as a list of layers. It is run in float on random inputs, which gives every activation a range; from the
ranges come scales and zero points, and the layers are written as ONNX nodes with QuantizeLinear/DequantizeLinear around them. Weights
are int8 per channel, biases int32. The networks are not trained: graph, sizes and arithmetic are real, the answers mean nothing.
"""
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CALIBRATION_SAMPLES = 8


def short(value):
    """A float32 of six digits: the last bits of a sum depend on the machine's vector width, the files must not."""
    return np.float32(f"{float(value):.6g}")


def windows(x, kernel, stride, pads, fill):
    """[N, C, H, W] as [N, C, OH, OW, KH, KW]."""
    top, left, bottom, right = pads
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(2, 3))
    return view[:, :, :: stride[0], :: stride[1]]


class Tensor:
    """An activation: its calibration values, and once known the parameters under which it is int8."""

    def __init__(self, name, values):
        self.name, self.values = name, values
        self.low, self.high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        self.scale = self.zero = None

    def fix(self):
        if self.scale is None:
            span = max(self.high - self.low, 1e-6)
            self.scale = short(span / 255)
            self.zero = int(np.clip(round(-128 - self.low / float(self.scale)), -128, 127))

    def share(self, other):
        """Both get the joint range, so that no requantisation is needed where one moves into the other."""
        self.low = other.low = min(self.low, other.low)
        self.high = other.high = max(self.high, other.high)


class Network:
    def __init__(self, name, seed, input_shape):
        self.name = name
        self.random = np.random.default_rng(seed)
        self.layers, self.shared, self.names = [], [], {}
        self.input = Tensor("input", self.random.uniform(-1, 1, (CALIBRATION_SAMPLES, *input_shape)))

    # ---- the float network ----

    def fresh(self, base):
        self.names[base] = self.names.get(base, 0) + 1
        return f"{base}_{self.names[base]}"

    def layer(self, kind, inputs, values, **details):
        tensor = Tensor(self.fresh(kind.lower()), values)
        self.layers.append((kind, inputs, tensor, details))
        return tensor

    def conv(self, x, channels, kernel=3, stride=1, group=1, activation="Relu"):
        kernel = (kernel, kernel) if isinstance(kernel, int) else kernel
        depth = x.values.shape[1] // group
        fan_in = depth * kernel[0] * kernel[1]
        weights = self.random.standard_normal((channels, depth, *kernel)) * np.sqrt(2.0 / fan_in)
        scales = np.array([short(s) for s in np.abs(weights).max(axis=(1, 2, 3)) / 127], np.float32)
        integers = np.clip(np.rint(weights / scales.reshape(-1, 1, 1, 1)), -127, 127).astype(np.int8)
        weights = integers * scales.reshape(-1, 1, 1, 1).astype(np.float64)
        bias = self.random.uniform(-0.1, 0.1, channels)
        pads = [(kernel[0] - 1) // 2, (kernel[1] - 1) // 2, kernel[0] // 2, kernel[1] // 2]
        patches = windows(x.values, kernel, (stride, stride), pads, 0.0)
        n, _, height, width = patches.shape[:4]
        patches = patches.reshape(n, group, depth, height, width, *kernel)
        grouped = weights.reshape(group, channels // group, depth, *kernel)
        values = np.einsum("ngdhwij,gcdij->ngchw", patches, grouped, optimize=True).reshape(n, channels, height, width)
        values = values + bias.reshape(1, -1, 1, 1)
        if activation == "Relu":
            values = np.maximum(values, 0)
        elif activation == "Clip":
            values = np.clip(values, 0, 6)
        return self.layer("Conv", [x], values, weights=integers, scales=scales, bias=bias, pads=pads, stride=stride, group=group,
                          kernel=kernel, activation=activation)

    def gemm(self, x, outputs):
        depth = x.values.shape[1]
        weights = self.random.standard_normal((outputs, depth)) * np.sqrt(1.0 / depth)
        scales = np.array([short(s) for s in np.abs(weights).max(axis=1) / 127], np.float32)
        integers = np.clip(np.rint(weights / scales.reshape(-1, 1)), -127, 127).astype(np.int8)
        bias = self.random.uniform(-0.1, 0.1, outputs)
        values = x.values @ (integers * scales.reshape(-1, 1).astype(np.float64)).T + bias
        return self.layer("Gemm", [x], values, weights=integers, scales=scales, bias=bias)

    def add(self, a, b):
        return self.layer("Add", [a, b], a.values + b.values)

    def max_pool(self, x):
        tensor = self.layer("MaxPool", [x], windows(x.values, (2, 2), (2, 2), (0, 0, 0, 0), 0.0).max(axis=(4, 5)))
        self.shared.append((x, tensor))
        return tensor

    def upsample(self, x):
        tensor = self.layer("Resize", [x], x.values.repeat(2, axis=2).repeat(2, axis=3))
        self.shared.append((x, tensor))
        return tensor

    def concat(self, a, b):
        tensor = self.layer("Concat", [a, b], np.concatenate([a.values, b.values], axis=1))
        self.shared += [(a, tensor), (b, tensor)]
        return tensor

    def global_average(self, x):
        return self.layer("GlobalAveragePool", [x], x.values.mean(axis=(2, 3), keepdims=True))

    def flatten(self, x):
        tensor = self.layer("Flatten", [x], x.values.reshape(len(x.values), -1))
        self.shared.append((x, tensor))
        return tensor

    def softmax(self, x):
        powers = np.exp(x.values - x.values.max(axis=1, keepdims=True))
        tensor = self.layer("Softmax", [x], powers / powers.sum(axis=1, keepdims=True))
        tensor.low, tensor.high = 0.0, 255.0 / 256
        return tensor

    # ---- the QDQ model ----

    def fix_ranges(self):
        for _ in range(len(self.shared)):
            for a, b in self.shared:
                a.share(b)
        for tensor in [self.input] + [layer[2] for layer in self.layers]:
            tensor.fix()

    def model(self):
        self.fix_ranges()
        self.nodes, self.initialisers = [], []
        self.qdq("input", self.input)
        for kind, inputs, tensor, details in self.layers:
            self.write_layer(kind, inputs, tensor, details)
        last = self.layers[-1][2]
        self.nodes[-1].output[0] = "output"
        graph = helper.make_graph(
            self.nodes, self.name,
            [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, *self.input.values.shape[1:]])],
            [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, *last.values.shape[1:]])], self.initialisers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], producer_name="make_examples.py")
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model

    def constant(self, name, array):
        self.initialisers.append(numpy_helper.from_array(array, name))
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def qdq(self, source, tensor):
        scale = self.constant(tensor.name + "_scale", np.float32(tensor.scale))
        zero = self.constant(tensor.name + "_zero_point", np.int8(tensor.zero))
        self.node("QuantizeLinear", [source, scale, zero], tensor.name + "_q")
        self.node("DequantizeLinear", [tensor.name + "_q", scale, zero], tensor.name + "_dq")

    def quantised_constant(self, name, integers, scales):
        inputs = [self.constant(name + "_q", integers), self.constant(name + "_scale", scales),
                  self.constant(name + "_zero_point", np.zeros(len(scales), integers.dtype))]
        return self.node("DequantizeLinear", inputs, name, axis=0)

    def weights_and_bias(self, inputs, tensor, details):
        scales = (np.float32(inputs[0].scale) * details["scales"]).astype(np.float32)
        bias = np.rint(details["bias"] / scales.astype(np.float64)).astype(np.int32)
        return [self.quantised_constant(tensor.name + "_weights", details["weights"], details["scales"]),
                self.quantised_constant(tensor.name + "_bias", bias, scales)]

    def write_layer(self, kind, inputs, tensor, details):
        operands, attributes = [x.name + "_dq" for x in inputs], {}
        if kind in ("Conv", "Gemm"):
            operands += self.weights_and_bias(inputs, tensor, details)
        if kind == "Conv":
            attributes = dict(kernel_shape=details["kernel"], strides=[details["stride"]] * 2, pads=details["pads"], group=details["group"])
        elif kind == "Gemm":
            attributes = dict(transB=1)
        elif kind == "MaxPool":
            attributes = dict(kernel_shape=[2, 2], strides=[2, 2])
        elif kind == "Resize":
            operands += ["", self.constant(tensor.name + "_scales", np.array([1, 1, 2, 2], np.float32))]
            attributes = dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        elif kind in ("Concat", "Softmax"):
            attributes = dict(axis=1)
        output = self.node(kind, operands, tensor.name, **attributes)
        if details.get("activation") == "Relu":
            output = self.node("Relu", [output], tensor.name + "_relu")
        elif details.get("activation") == "Clip":
            bounds = [self.constant(tensor.name + "_min", np.float32(0)), self.constant(tensor.name + "_max", np.float32(6))]
            output = self.node("Clip", [output, *bounds], tensor.name + "_clip")
        self.qdq(output, tensor)


def keyword_spotting():
    """Log-mel spectrogram of one second to 12 words: a convolution, four depthwise-separable blocks, mean, classifier."""
    net = Network("keyword_spotting", 11, (1, 49, 10))
    x = net.conv(net.input, 48, kernel=5, stride=2)
    for _ in range(4):
        x = net.conv(x, 48, group=48)
        x = net.conv(x, 48, kernel=1)
    return net, net.softmax(net.gemm(net.flatten(net.global_average(x)), 12))


def image_classifier():
    """96x96 colour image to 10 classes: inverted residuals with linear bottlenecks and additions."""
    net = Network("image_classifier", 22, (3, 96, 96))
    x = net.conv(net.input, 16, stride=2, activation="Clip")
    for channels, stride in ((16, 2), (16, 1), (24, 2), (24, 1), (40, 2), (40, 1), (40, 1)):
        hidden = 4 * x.values.shape[1]
        y = net.conv(x, hidden, kernel=1, activation="Clip")
        y = net.conv(y, hidden, stride=stride, group=hidden, activation="Clip")
        y = net.conv(y, channels, kernel=1, activation=None)
        x = net.add(x, y) if stride == 1 else y
    x = net.conv(x, 128, kernel=1, activation="Clip")
    return net, net.softmax(net.gemm(net.flatten(net.global_average(x)), 10))


def segmentation():
    """64x64 colour image to a mask of two classes: encoder, decoder with nearest upsampling, skip connections by concatenation."""
    net = Network("segmentation", 33, (3, 64, 64))
    x, skips = net.input, []
    for channels in (8, 16, 32):
        x = net.conv(net.conv(x, channels), channels)
        skips.append(x)
        x = net.max_pool(x)
    x = net.conv(net.conv(x, 64), 64)
    for channels, skip in zip((32, 16, 8), reversed(skips)):
        x = net.conv(net.upsample(x), channels)
        x = net.conv(net.concat(skip, x), channels)
    return net, net.conv(x, 2, kernel=1, activation=None)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    for build in (keyword_spotting, image_classifier, segmentation):
        net, _ = build()
        path = folder / f"{net.name}_int8.onnx"
        path.write_bytes(net.model().SerializeToString())
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
