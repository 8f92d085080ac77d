// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

/// What the kernels of this room share: the call they serve, access to elements as reals, and the one rounding.
namespace poolwright::reference {

/// One evaluation. Outputs are allocated (type, shape, parameters, bytes all 0) before a kernel sees them.
struct Call {
    ir::OpKind kind;
    const ir::Attributes& attributes;
    const std::vector<const Value*>& inputs;
    std::vector<Value>& outputs;

    bool hasInput(std::size_t index) const { return index < inputs.size() && inputs[index]; }
    const Value& input(std::size_t index = 0) const { return *inputs[index]; }
    Value& output() const { return outputs.front(); }

    bool hasAttribute(const std::string& key) const { return attributes.count(key) != 0; }
    std::int64_t integer(const std::string& key, std::int64_t fallback) const;
    double real(const std::string& key, double fallback) const;
    std::string text(const std::string& key, const std::string& fallback) const;
    std::vector<std::int64_t> integers(const std::string& key, const std::vector<std::int64_t>& fallback = {}) const;
    std::vector<double> reals(const std::string& key) const;
};

using Done = Result<void>;
using Kernel = Done (*)(const Call&);

/// "Conv(s8[1,3,8,8], s8[4,3,3,3], -) -> s8[1,4,6,6]": the subject of every message of this room.
std::string describe(const Call& call);

/// Failures of a kernel: the operator, type or attribute value is outside the reference (PW2201); shapes or sizes
/// contradict each other (PW2202). Both add describe(call).
tl::unexpected<Diagnostics> unsupported(const Call& call, const std::string& what);
tl::unexpected<Diagnostics> mismatch(const Call& call, const std::string& what);

/// Calls `function` with a zero of the C++ type behind `type`.
template <typename Function> decltype(auto) withType(ir::ElementType type, Function&& function) {
    switch (type) {
    case ir::ElementType::Int8:
        return function(std::int8_t{});
    case ir::ElementType::Int16:
        return function(std::int16_t{});
    case ir::ElementType::UInt16:
        return function(std::uint16_t{});
    case ir::ElementType::Int32:
        return function(std::int32_t{});
    case ir::ElementType::Int64:
        return function(std::int64_t{});
    case ir::ElementType::Float32:
        return function(float{});
    case ir::ElementType::Bool:
    case ir::ElementType::UInt8:
        break;
    }
    return function(std::uint8_t{});
}

/// Half to even below 2^50, by letting the double's own rounding drop the fraction: a loop of it vectorises on every
/// CPU. Larger magnitudes are clamped, as all callers saturate far below; no number at all counts as 0.
inline double roundHalfEven(double x) {
    constexpr double limit = 1125899906842624.0; // 2^50
    constexpr double unit = 6755399441055744.0;  // 1.5 * 2^52: the spacing of doubles there is 1
    const double clamped = x != x ? 0.0 : (x < -limit ? -limit : (x > limit ? limit : x));
    return (clamped + unit) - unit;
}

/// A value in steps of the output scale to the stored element; float32 has the step 1.
template <typename T> T encode(double steps, double zeroPoint) {
    if constexpr (std::is_floating_point_v<T>) {
        return T(steps);
    } else {
        constexpr double lowest = double(std::numeric_limits<T>::lowest());
        constexpr double highest = sizeof(T) == 8 ? 9007199254740992.0 : double(std::numeric_limits<T>::max());
        const double q = roundHalfEven(steps) + zeroPoint;
        return T(q < lowest ? lowest : (q > highest ? highest : q));
    }
}

/// Bytes; more cannot be meant for this class of NPU.
inline constexpr std::int64_t largestTensor = std::int64_t(1) << 29;
/// Bytes of a tensor, or -1 when an extent is negative or the whole is larger than largestTensor.
std::int64_t checkedBytes(ir::ElementType type, const ir::Shape& shape);

bool isInteger(ir::ElementType type);
bool isQuantisedByte(const Value& value); ///< Int8 or UInt8 with per-tensor or per-axis parameters
bool isPlainInteger(const Value& value);  ///< integers that stand for themselves

/// Per-tensor parameters; scale 1 and zero point 0 for tensors that have none.
double scaleOf(const Value& value, std::int64_t index = 0);
double zeroPointOf(const Value& value, std::int64_t index = 0);

/// All elements as reals: dequantised exactly, floats as they are, plain integers as numbers.
std::vector<double> realsOf(const Value& value);
/// Elements of an integer tensor without their parameters (a shape, axes, pads).
std::vector<std::int64_t> integersOf(const Value& value);

/// The same as float32, dequantised in float32 as ONNX's DequantizeLinear does.
std::vector<float> floatsOf(const Value& value);

/// Stores reals in a tensor: one division by the scale, one rounding. `count` = output.elements().
void storeReals(Value& output, const std::vector<double>& reals);
/// The same for float32 results, divided in float32 as ONNX's QuantizeLinear does: near a tie of the rounding the exact
/// quotient gives another step.
void storeFloats(Value& output, const std::vector<float>& floats);
/// Stores values that are already in steps of the output's scale.
void storeSteps(Value& output, const std::vector<double>& steps);

/// Integers of both tensors stand for the same reals (or neither stands for any).
bool sameMeaning(const Value& a, const Value& b);
/// The elements of `from` in the type and parameters of `to` (same element count): bytes move when the meaning is the
/// same, otherwise one requantisation.
void convert(const Value& from, Value& to);

/// Row-major strides in elements.
std::vector<std::int64_t> stridesOf(const ir::Shape& shape);
/// Axis counted from the front; -1 when out of range.
std::int64_t normalisedAxis(std::int64_t axis, std::size_t rank);

/// kind -> kernel; nullptr when there is none.
Kernel kernelOf(ir::OpKind kind);
/// Kinds that also compute on integers which stand for themselves.
bool takesPlainIntegers(ir::OpKind kind);

Done evaluateConv(const Call&);
Done evaluateConvTranspose(const Call&);
Done evaluateGemm(const Call&);
Done evaluateBinary(const Call&);
Done evaluateUnary(const Call&);
Done evaluateMaxPool(const Call&);
Done evaluateAveragePool(const Call&);
Done evaluateMean(const Call&);
Done evaluateReduction(const Call&);
Done evaluateExtremum(const Call&);
Done evaluateArgExtremum(const Call&);
Done evaluateMatMul(const Call&);
Done evaluateComparison(const Call&);
Done evaluateLogic(const Call&);
Done evaluateNot(const Call&);
Done evaluateWhere(const Call&);
Done evaluateCast(const Call&);
Done evaluateBatchNormalization(const Call&);
Done evaluateInstanceNormalization(const Call&);
Done evaluateLayerNormalization(const Call&);
Done evaluateLpNormalization(const Call&);
Done evaluateLocalResponse(const Call&);
Done evaluateConcat(const Call&);
Done evaluateReshape(const Call&);
Done evaluateTranspose(const Call&);
Done evaluateSplit(const Call&);
Done evaluateSlice(const Call&);
Done evaluateGather(const Call&);
Done evaluateExpand(const Call&);
Done evaluateTile(const Call&);
Done evaluateDepthToSpace(const Call&);
Done evaluateSpaceToDepth(const Call&);
Done evaluatePad(const Call&);
Done evaluateResize(const Call&);
Done evaluateSoftmax(const Call&);
Done evaluateConversion(const Call&);

} // namespace poolwright::reference
