// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/handle.h"
#include "base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The quantised tensor graph. Tensors and nodes are referred to by handle; a Graph is a value and may be copied freely
/// (constant data is shared and never changed). Shapes are in ONNX order (N, C, H, W for images) and always static.
namespace poolwright::ir {

enum class ElementType { Bool, Int8, UInt8, Int16, UInt16, Int32, Int64, Float32 };

std::int64_t elementBytes(ElementType type);
const char* elementTypeName(ElementType type); ///< "s8", "u8", "s16", "u16", "s32", "s64", "f32", "bool"

const char* vendorTypeName(ElementType type); ///< "S8", ..., "BOOL", "FLOAT" (facts/file-formats.md section 3.1)

using Shape = std::vector<std::int64_t>;
std::int64_t elementCount(const Shape& shape);

/// real = (integer - zeroPoint) * scale. One entry: per tensor. n entries: per index of dimension `axis`.
/// Scales are kept as double; facts/numerics.md section 2 says where float32 is taken.
struct Quantisation {
    std::vector<double> scales;
    std::vector<std::int32_t> zeroPoints;
    int axis = -1;

    bool isPerTensor() const { return scales.size() == 1; }
    bool operator==(const Quantisation&) const = default;
};

/// Little-endian element bytes in the row-major order of the tensor's shape.
using ConstantData = std::shared_ptr<const std::vector<std::uint8_t>>;

struct Tensor {
    std::string name;
    ElementType type = ElementType::Float32;
    Shape shape;
    std::optional<Quantisation> quantisation; ///< set exactly when the integers stand for reals
    ConstantData data;                        ///< set exactly when the tensor is a constant
    std::string originalName;                 ///< name in the user's own model, when the file says (Q.json "nodes")

    bool isConstant() const { return data != nullptr; }
    bool isQuantised() const { return quantisation.has_value(); }
    std::int64_t elements() const { return elementCount(shape); }
    std::int64_t bytes() const { return elements() * elementBytes(type); }
};

/// Operators after import. One kind may come from several ONNX operators: Gemm also stands for MatMul with a constant
/// (transposed as needed), ReduceMean over H and W becomes GlobalAveragePool, Squeeze/Unsqueeze/Flatten become Reshape.
/// Sum, Mean, Min and Max of several inputs become chains, with "partial" set on every link whose result stays inside.
enum class OpKind {
    Conv,          ///< x, weights [O, C/g, kh, kw], bias [O] (optional)
    ConvTranspose, ///< x, weights [C, O/g, kh, kw], bias [O] (optional); "pads", "strides", "dilations", "output_padding"
    Gemm,          ///< x [M, K], weights [N, K] (rows = outputs), bias [N] (optional)
    MatMul,        ///< a [..., M, K], b [..., K, N], leading dimensions broadcast; "alpha" scales; Gemm when b is constant and 2-D
    Add, Sub, Mul, Div, Pow, ///< two inputs, numpy broadcasting, either may be a constant
    Mod,                     ///< "fmod": 0 sign of the divisor, 1 of the dividend
    Min, Max,
    Equal, Less, LessOrEqual, Greater, GreaterOrEqual, ///< Bool output
    And, Or, Xor, Not,
    Where,           ///< condition (Bool), then, else; broadcasting
    Relu, Clip,      ///< Clip: attributes min, max as reals
    LeakyRelu,       ///< "alpha"
    PRelu,           ///< x, slope (unidirectional broadcasting)
    ThresholdedRelu, Elu, Selu, Celu, ///< "alpha", Selu: "gamma" too
    Sigmoid, HardSigmoid, HardSwish, Tanh, Softplus, Softsign, Erf,
    Gelu,            ///< "approximate": "none" or "tanh"
    Swish,           ///< x * sigmoid(alpha * x)
    Exp, Log, Sqrt, Reciprocal, Neg, Abs, Sign, Ceil, Floor, Round,
    Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Asinh, Acosh, Atanh,
    MaxPool, AveragePool, GlobalAveragePool,
    ReduceMean,      ///< over "axes" when it is no global pool; all Reduce*: "axes" (non-negative, ascending), "keepdims"
    ReduceSum, ReduceMax, ReduceMin, ReduceProd, ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum, ReduceLogSumExp,
    ArgMax, ArgMin,  ///< "axis", "keepdims", "select_last_index"; Int64 output
    BatchNormalization,    ///< x, scale, bias, mean, variance
    InstanceNormalization, ///< x, scale, bias a channel; "num_groups": channels of a group together (GroupNormalization)
    LayerNormalization,    ///< x, scale, bias (optional); "axis": first normalised dimension
    LpNormalization, LRN,
    Softmax, LogSoftmax, Hardmax, ///< over "axis" alone: the flattening of opset < 13 is resolved by import
    Concat,
    Split,           ///< several outputs; "axis", "split" (their extents)
    Slice,           ///< "starts", "ends", "steps": one entry a dimension, within range (negative steps: end may be -1)
    Gather,          ///< x, indices; "axis"
    Expand,          ///< to the output's shape
    Tile,            ///< "repeats"
    Reshape, Transpose, Pad, Resize,
    DepthToSpace,    ///< "blocksize", "mode" DCR or CRD
    SpaceToDepth,    ///< "blocksize"
    Identity,
    Cast,                 ///< between plain numbers
    Quantize, Dequantize, ///< float <-> integer at the border of quantised regions
    Requantize            ///< integer -> integer with other parameters (a DQ-Q pair)
};

const char* opKindName(OpKind kind); ///< ONNX spelling: "Conv", "QuantizeLinear" for Quantize, ...; more in kinds.h

/// Attributes by their ONNX name: "strides", "pads" (ONNX order: all begins, then all ends), "dilations", "group",
/// "kernel_shape", "axis", "axes", "perm", "alpha", "beta", "epsilon", "mode", "min", "max", "count_include_pad", "ceil_mode",
/// "coordinate_transformation_mode", "nearest_mode", and what a kind says below. Import writes every attribute that the kind uses, defaults too.
using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;
using Attributes = std::map<std::string, AttributeValue>;

struct Node {
    std::string name;
    OpKind kind = OpKind::Identity;
    std::vector<TensorId> inputs;  ///< an optional input that is absent is an invalid handle
    std::vector<TensorId> outputs;
    Attributes attributes;
    std::vector<std::string> originalNames; ///< nodes of the user's model that this one stands for

    std::int64_t integer(const std::string& key, std::int64_t fallback = 0) const;
    double real(const std::string& key, double fallback = 0) const;
    std::string text(const std::string& key, const std::string& fallback = {}) const;
    std::vector<std::int64_t> integers(const std::string& key) const;
};

struct Graph {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Node> nodes; ///< in topological order
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;

    Tensor& operator[](TensorId id) { return tensors[std::size_t(id.index)]; }
    const Tensor& operator[](TensorId id) const { return tensors[std::size_t(id.index)]; }
    Node& operator[](NodeId id) { return nodes[std::size_t(id.index)]; }
    const Node& operator[](NodeId id) const { return nodes[std::size_t(id.index)]; }
    TensorId addTensor(Tensor tensor);
};

/// For each tensor the node that makes it (invalid for inputs and constants) and the nodes that read it, in order.
struct Uses {
    std::vector<NodeId> producer;
    std::vector<std::vector<NodeId>> consumers;
};
Uses usesOf(const Graph& graph);

/// Every broken rule of a graph: handles in range, topological order, one producer a tensor, data sizes that match
/// shapes, quantisation of the right length, input counts by kind. Empty when all is well.
Diagnostics verify(const Graph& graph);

/// Stable text: one line a tensor and a node, no pointers, no data of constants beyond a CRC32. For golden tests.
std::string toText(const Graph& graph);

} // namespace poolwright::ir
