// SPDX-License-Identifier: Apache-2.0
#include "lower/arith_lower.h"

#include "lower/activation.h"
#include "lower/coefficients.h"
#include "lower/streams.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using program::ArithConfig;
using program::TensorView;

const char* const tooManyLoops =
    "the operands' layouts differ in more loops than a stream engine has; keep them in one layout";

/// One operation on its way to an epoch.
class Elementwise {
public:
    Elementwise(Context& context, NodeId id)
        : m_context(context)
        , m_id(id)
        , m_node(context.graph[id])
        , m_chain(context.fusion.chainOf(id)) {}

    Result<Refusal> lower();

private:
    Refusal refuse() const;
    bool isConstant(std::size_t input) const { return m_context.graph[m_node.inputs[input]].isConstant(); }
    /// Index of the constant operand when it can ride in the coefficients, else -1.
    int coefficientOperand() const;

    Result<Refusal> lowerCoefficients(std::size_t constant);
    Result<Refusal> lowerRange(std::size_t constant, const std::vector<double>& values, int axis, const TensorView& x,
                               const TensorView& y);
    Result<Refusal> lowerDual();
    ArithConfig coefficientConfig(std::size_t constant, const std::vector<double>& values, const TensorView& x,
                                  const TensorView& y);
    int addSum(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv, const TensorView& out);
    int addProduct(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv,
                   const TensorView& out);
    Result<Refusal> finishEpoch(EpochBuilder& builder, int last, program::StreamEngineConfig writer, bool isUnsigned);
    std::string unitName(const std::string& suffix) const { return m_node.name + suffix; }
    bool isProduct() const { return m_node.kind == ir::OpKind::Mul; }
    /// A constant operand scales, instead of moving, the other one.
    bool isScaling() const { return isProduct() || m_node.kind == ir::OpKind::Div; }

    Context& m_context;
    NodeId m_id;
    const ir::Node& m_node;
    Chain m_chain;
};

Refusal Elementwise::refuse() const {
    const ir::Graph& graph = m_context.graph;
    for (std::size_t i = 0; i < m_node.inputs.size(); ++i)
        if (!isByteTensor(graph[m_node.inputs[i]]) && coefficientOperand() != int(i))
            return "units combine 8-bit tensors with one scale; quantise both operands to int8";
    if (!isByteTensor(graph[m_node.outputs[0]]))
        return "units write 8-bit results with one scale; quantise the result to int8";
    if (isConstant(0) && isConstant(1))
        return "both operands are constants; fold the node";
    const bool anyUnsigned = std::any_of(m_node.inputs.begin(), m_node.inputs.end(),
                                         [&](TensorId t) { return graph[t].type == ir::ElementType::UInt8; });
    if (isProduct() && anyUnsigned && coefficientOperand() < 0)
        return "the 16-bit product of unsigned operands overflows; quantise to int8";
    return {};
}

int Elementwise::coefficientOperand() const {
    const ir::Shape& whole = m_context.graph[m_node.outputs[0]].shape;
    for (std::size_t i = 0; i < 2; ++i) {
        const ir::Tensor& constant = m_context.graph[m_node.inputs[i]];
        const bool divides = m_node.kind == ir::OpKind::Div;
        if (constant.isConstant() && realValues(constant) && m_context.graph[m_node.inputs[1 - i]].shape == whole &&
            varyingAxis(constant, whole) != -2 && !(divides && i == 0))
            return int(i);
    }
    return -1;
}

/// One operand is a number or a vector over one dimension: one ARITH, out = slope * x + base.
ArithConfig Elementwise::coefficientConfig(std::size_t constant, const std::vector<double>& values, const TensorView& x,
                                           const TensorView& y) {
    const ScaleZero in = inputScaleZero(x), out = anchorScaleZero(m_context, m_id, y);
    std::vector<double> slopes, bases;
    for (double value : values) {
        const bool minus = m_node.kind == ir::OpKind::Sub;
        const double ratio = in.scale / out.scale;
        const double factor = m_node.kind == ir::OpKind::Div ? 1 / value : value;
        const double slope = isScaling() ? ratio * factor : minus && constant == 0 ? -ratio : ratio;
        const double add = isScaling() ? 0 : (minus && constant == 1 ? -value : value) / out.scale;
        slopes.push_back(slope);
        bases.push_back(out.zero - in.zero * slope + add);
    }
    const VectorRequant constants = affineRequant(slopes, bases);
    ArithConfig arith = scalarAffine(constants.factors.front(), constants.offsets.front(), constants.shift);
    if (values.size() == 1)
        return arith;
    arith.scalar = false;
    arith.vecCount = int(values.size());
    if (isScaling())
        arith.aVector = m_context.addWords(unitName("_mul_scale"), constants.factors, 16);
    arith.cVector = m_context.addWords(unitName("_off_bias"), constants.offsets, 32);
    arith.cScalar = 0;
    return arith;
}

Result<Refusal> Elementwise::lowerCoefficients(std::size_t constant) {
    const ir::Tensor& tensor = m_context.graph[m_node.inputs[constant]];
    const std::vector<double> values = *realValues(tensor);
    if (m_node.kind == ir::OpKind::Div && std::count(values.begin(), values.end(), 0.0) > 0)
        return Refusal("units multiply by reciprocals; divide by constants other than 0");
    const TensorView x = m_context.view(m_node.inputs[1 - constant]);
    const TensorView y = m_context.outputView(m_chain.output);
    const int axis = varyingAxis(tensor, y.shape);
    if (axis < 0)
        return lowerRange(constant, values, axis, x, y);
    const std::size_t dim = std::size_t(axis);
    for (const auto& [first, count] : coefficientRanges(y.shape[dim], m_context.limits()))
        if (auto done = lowerRange(constant, rangeOf(values, first, count), axis, slice(x, dim, first, count),
                                   slice(y, dim, first, count));
            !done || !done->empty())
            return done;
    return Refusal();
}

Result<Refusal> Elementwise::lowerRange(std::size_t constant, const std::vector<double>& values, int axis,
                                        const TensorView& x, const TensorView& y) {
    const Nest nest = nestOf(y.shape, {x.strides, y.strides}, 1, 1);
    if (!fitsEngine(nest))
        return Refusal(tooManyLoops);
    ArithConfig arith = coefficientConfig(constant, values, x, y);
    if (axis >= 0)
        followAxis(arith, y, std::size_t(axis));
    program::StreamEngineConfig reader = engineOf(nest, 0, x, program::Direction::FromMemory);
    readAsArith(reader, x, arith.inbytesX);
    EpochBuilder builder(m_context.machine);
    const int in = builder.addStream(reader, unitName("_in"));
    const int unit = builder.addArith(arith, unitName(""), ir::opKindName(m_node.kind));
    builder.link(in, unit);
    return finishEpoch(builder, unit, engineOf(nest, 1, y, program::Direction::ToMemory),
                       y.type == ir::ElementType::UInt8);
}

int Elementwise::addSum(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv,
                        const TensorView& out) {
    const DualRequant constants = addRequant(inputScaleZero(xv), inputScaleZero(yv),
                                             anchorScaleZero(m_context, m_id, out), m_node.kind == ir::OpKind::Sub);
    ArithConfig arith = dualAffine(constants);
    arith.inbytesX = xv.type == ir::ElementType::UInt8 ? 2 : 1;
    arith.inbytesY = yv.type == ir::ElementType::UInt8 ? 2 : 1;
    const int unit = builder.addArith(arith, unitName(""), ir::opKindName(m_node.kind));
    builder.link(x, unit, 0);
    builder.link(y, unit, 1);
    return unit;
}

ArithConfig productStep(const DualRequant& constants, int outbytes) {
    ArithConfig arith = dualAffine(constants);
    arith.inbytesX = 2;
    arith.inbytesY = 1;
    arith.outbytesX = arith.outbytesY = arith.outbytesO = outbytes;
    return arith;
}

/// P = x*y; P -= zy*x; out = M*P - zx*M*y + c (facts/neural-art-target.md section 2.5.3).
int Elementwise::addProduct(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv,
                            const TensorView& out) {
    const MulRequant constants =
        mulRequant(inputScaleZero(xv), inputScaleZero(yv), anchorScaleZero(m_context, m_id, out));
    ArithConfig multiply;
    multiply.operation = program::ArithOperation::Mul;
    multiply.dualinput = true;
    multiply.inbytesX = multiply.inbytesY = 1;
    multiply.saturationO = true;
    int product = builder.addArith(multiply, unitName(""), "Mul");
    builder.link(x, product, 0);
    builder.link(y, product, 1);
    if (!constants.skipFirst) {
        const int first = builder.addArith(productStep(constants.first, 2), unitName("_mul_sub1"), "Sub");
        builder.link(product, first, 0);
        builder.link(x, first, 1);
        product = first;
    }
    const int second = builder.addArith(productStep(constants.second, 1), unitName("_mul_sub2"), "Sub");
    builder.link(product, second, 0);
    builder.link(y, second, 1);
    return second;
}

Result<Refusal> Elementwise::lowerDual() {
    const TensorView x = m_context.view(m_node.inputs[0]), y = m_context.view(m_node.inputs[1]);
    const TensorView out = m_context.outputView(m_chain.output);
    const auto wideX = broadcast(x, out.shape), wideY = broadcast(y, out.shape);
    if (!wideX || !wideY)
        return Refusal("the operands' shapes do not broadcast; reshape one of them");
    const Nest nest = nestOf(out.shape, {wideX->strides, wideY->strides, out.strides}, 2, 1);
    if (!fitsEngine(nest))
        return Refusal(tooManyLoops);
    EpochBuilder builder(m_context.machine);
    int bytes = 1;
    program::StreamEngineConfig readX = engineOf(nest, 0, *wideX, program::Direction::FromMemory);
    program::StreamEngineConfig readY = engineOf(nest, 1, *wideY, program::Direction::FromMemory);
    readAsArith(readX, x, bytes);
    readAsArith(readY, y, bytes);
    const int inX = builder.addStream(readX, unitName("_in"));
    const int inY = builder.addStream(readY, unitName("_in_1"));
    const int last = isProduct() ? addProduct(builder, inX, inY, x, y, out) : addSum(builder, inX, inY, x, y, out);
    return finishEpoch(builder, last, engineOf(nest, 2, out, program::Direction::ToMemory),
                       out.type == ir::ElementType::UInt8);
}

Result<Refusal> Elementwise::finishEpoch(EpochBuilder& builder, int last, program::StreamEngineConfig writer,
                                         bool isUnsigned) {
    last = appendTail(builder, last, m_chain.ending, isUnsigned, m_node.name);
    const int out = builder.addStream(std::move(writer), unitName("_out"));
    builder.link(last, out);
    return addEpoch(m_context, m_id, builder);
}

Result<Refusal> Elementwise::lower() {
    const Refusal refusal = refuse();
    if (!refusal.empty())
        return refusal;
    const int constant = coefficientOperand();
    if (constant >= 0)
        return lowerCoefficients(std::size_t(constant));
    if (m_node.kind == ir::OpKind::Div) {
        if (!isConstant(0))
            return Refusal("units divide by constants only; multiply by a reciprocal");
        return lowerActivation(m_context, m_id); // a number divided by bytes: a table
    }
    return lowerDual();
}

} // namespace

Result<Refusal> lowerArith(Context& context, NodeId node) {
    return Elementwise(context, node).lower();
}

} // namespace poolwright::lower
