// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

#include "ir/kinds.h"

#include <exception>

namespace poolwright::reference {

namespace {

/// What is wrong with parameters, or an empty text.
std::string quantisationProblem(ir::ElementType type, const ir::Shape& shape,
                                const std::optional<ir::Quantisation>& q) {
    if (!q)
        return {};
    if (!isInteger(type))
        return "only integers have scale and zero point";
    if (q->scales.empty() || (!q->zeroPoints.empty() && q->zeroPoints.size() != q->scales.size()))
        return "scales and zero points differ in number";
    for (double scale : q->scales)
        if (!(scale > 0) || !std::isfinite(scale))
            return "a scale is not positive and finite";
    if (q->isPerTensor())
        return {};
    if (q->axis < 0 || q->axis >= int(shape.size()) || shape[std::size_t(q->axis)] != std::int64_t(q->scales.size()))
        return "there is not one scale per index of the axis";
    return {};
}

/// Zero points of bytes lie in the range of their type; the 16-bit products of the convolution rely on it.
std::string zeroPointProblem(ir::ElementType type, const std::optional<ir::Quantisation>& q) {
    if (!q || (type != ir::ElementType::Int8 && type != ir::ElementType::UInt8))
        return {};
    const int lowest = type == ir::ElementType::Int8 ? -128 : 0;
    for (std::int32_t zeroPoint : q->zeroPoints)
        if (zeroPoint < lowest || zeroPoint > lowest + 255)
            return "a zero point is outside the range of the type";
    return {};
}

std::string problemOf(ir::ElementType type, const ir::Shape& shape, const std::optional<ir::Quantisation>& q) {
    if (checkedBytes(type, shape) < 0)
        return "a tensor's shape is negative or larger than 512 MiB";
    const std::string problem = quantisationProblem(type, shape, q);
    return problem.empty() ? zeroPointProblem(type, q) : problem;
}

std::string inputProblem(const Value& value) {
    const std::string problem = problemOf(value.type, value.shape, value.quantisation);
    if (problem.empty() && checkedBytes(value.type, value.shape) != std::int64_t(value.bytes.size()))
        return "a tensor holds " + std::to_string(value.bytes.size()) + " bytes, which its shape contradicts";
    return problem;
}

/// Kinds that only move elements may have any type; the others yield floats or quantised integers.
bool movesElements(ir::OpKind kind) {
    return ir::traitsOf(kind).effect == ir::Effect::Moves;
}

std::string outputProblem(const Call& call, const OutputSpec& spec) {
    const std::string problem = problemOf(spec.type, spec.shape, spec.quantisation);
    if (!problem.empty())
        return problem;
    const bool hasReals = spec.type == ir::ElementType::Float32 || spec.quantisation;
    if (movesElements(call.kind)) {
        const bool sameSort = call.hasInput(0) && (call.input().type == spec.type || hasReals);
        return sameSort ? std::string() : "the output's type differs from the input's";
    }
    if (spec.quantisation && !spec.quantisation->isPerTensor())
        return "results with parameters per axis are not computed";
    const bool decides = ir::traitsOf(call.kind).effect == ir::Effect::Decides;
    if (!hasReals && !decides && !(takesPlainIntegers(call.kind) && isInteger(spec.type)))
        return "integer results need a scale and a zero point";
    return {};
}

} // namespace

Value constantValue(const ir::Tensor& tensor) {
    Value value{tensor.type, tensor.shape, tensor.quantisation, {}};
    if (tensor.data)
        value.bytes = *tensor.data;
    return value;
}

Result<std::vector<Value>> evaluate(ir::OpKind kind, const ir::Attributes& attributes,
                                    const std::vector<const Value*>& inputs, const std::vector<OutputSpec>& outputs) {
    std::vector<Value> results;
    for (const OutputSpec& spec : outputs)
        results.push_back({spec.type, spec.shape, spec.quantisation, {}});
    const Call call{kind, attributes, inputs, results};
    for (const Value* input : inputs)
        if (input)
            if (const std::string problem = inputProblem(*input); !problem.empty())
                return mismatch(call, problem);
    const Kernel kernel = kernelOf(kind);
    if (!kernel || results.empty() || (results.size() > 1 && kind != ir::OpKind::Split))
        return unsupported(call, "the reference has no kernel with this number of outputs");
    for (const OutputSpec& spec : outputs)
        if (const std::string problem = outputProblem(call, spec); !problem.empty())
            return mismatch(call, problem);
    try {
        for (Value& result : results)
            result.bytes.assign(std::size_t(checkedBytes(result.type, result.shape)), 0);
        if (const Done done = kernel(call); !done)
            return fail(done.error());
    } catch (const std::exception&) {
        return unsupported(call, "there is not enough memory for this size");
    }
    return results;
}

} // namespace poolwright::reference
