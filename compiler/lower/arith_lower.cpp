// SPDX-License-Identifier: Apache-2.0
#include "lower/arith_lower.h"

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
    int channelAxis(const ir::Tensor& constant) const;

    Result<Refusal> lowerCoefficients(std::size_t constant);
    Result<Refusal> lowerDual();
    ArithConfig coefficientConfig(std::size_t constant, const TensorView& x, const TensorView& y);
    int addSum(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv, const TensorView& out);
    int addProduct(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv,
                   const TensorView& out);
    void finishEpoch(EpochBuilder& builder, int last, program::StreamEngineConfig writer, bool isUnsigned);
    std::string unitName(const std::string& suffix) const { return m_node.name + suffix; }
    bool isProduct() const { return m_node.kind == ir::OpKind::Mul; }

    Context& m_context;
    NodeId m_id;
    const ir::Node& m_node;
    Chain m_chain;
    Result<program::HardwareWork> m_work = program::HardwareWork{};
};

Refusal Elementwise::refuse() const {
    const ir::Graph& graph = m_context.graph;
    for (TensorId input : m_node.inputs)
        if (!isByteTensor(graph[input]))
            return "units add and multiply 8-bit tensors with one scale; quantise both operands to int8";
    if (!isByteTensor(graph[m_node.outputs[0]]))
        return "units write 8-bit results with one scale; quantise the result to int8";
    if (isConstant(0) && isConstant(1))
        return "both operands are constants; fold the node";
    const bool anyUnsigned = std::any_of(m_node.inputs.begin(), m_node.inputs.end(),
                                         [&](TensorId t) { return graph[t].type == ir::ElementType::UInt8; });
    if (isProduct() && anyUnsigned)
        return "the 16-bit product of unsigned operands overflows; quantise to int8";
    return {};
}

/// Dimension of the output along which a constant varies: -1 for a single number, -2 when it varies along several.
int Elementwise::channelAxis(const ir::Tensor& constant) const {
    const std::size_t rank = m_context.graph[m_node.outputs[0]].shape.size();
    const std::size_t lead = rank - constant.shape.size();
    int axis = -1;
    for (std::size_t i = 0; i < constant.shape.size(); ++i) {
        if (constant.shape[i] == 1)
            continue;
        if (axis >= 0)
            return -2;
        axis = int(lead + i);
    }
    return axis;
}

int Elementwise::coefficientOperand() const {
    for (std::size_t i = 0; i < 2; ++i) {
        const ir::Tensor& constant = m_context.graph[m_node.inputs[i]];
        const ir::Shape& other = m_context.graph[m_node.inputs[1 - i]].shape;
        if (!constant.isConstant() || other != m_context.graph[m_node.outputs[0]].shape)
            continue;
        const int axis = channelAxis(constant);
        if (axis == -1)
            return int(i);
        const bool isChannel = other.size() == 4 ? axis == 1 : axis == int(other.size()) - 1;
        if (isChannel && constant.elements() <= m_context.limits().arithCoefficients)
            return int(i);
    }
    return -1;
}

std::vector<double> realValues(const ir::Tensor& constant) {
    const double scale = constant.quantisation->scales.front();
    const int zero = constant.quantisation->zeroPoints.front();
    std::vector<double> values;
    for (std::uint8_t raw : *constant.data) {
        const int integer = constant.type == ir::ElementType::UInt8 ? int(raw) : int(std::int8_t(raw));
        values.push_back((integer - zero) * scale);
    }
    return values;
}

/// One operand is a number or a vector over channels: one ARITH, out = slope * x + base.
ArithConfig Elementwise::coefficientConfig(std::size_t constant, const TensorView& x, const TensorView& y) {
    const auto values = realValues(m_context.graph[m_node.inputs[constant]]);
    const ScaleZero in = inputScaleZero(x), out = outputScaleZero(y);
    std::vector<double> slopes, bases;
    for (double value : values) {
        const bool minus = m_node.kind == ir::OpKind::Sub;
        const double ratio = in.scale / out.scale;
        const double slope = isProduct() ? ratio * value : minus && constant == 0 ? -ratio : ratio;
        const double add = isProduct() ? 0 : (minus && constant == 1 ? -value : value) / out.scale;
        slopes.push_back(slope);
        bases.push_back(out.zero - in.zero * slope + add);
    }
    const VectorRequant constants = affineRequant(slopes, bases);
    ArithConfig arith = scalarAffine(constants.factors.front(), constants.offsets.front(), constants.shift);
    if (values.size() == 1)
        return arith;
    arith.scalar = false;
    arith.vecCount = int(values.size());
    arith.broadcast = program::ArithBroadcast::Channel;
    if (isProduct())
        arith.aVector = m_context.addWords(unitName("_mul_scale"), constants.factors, 16);
    arith.cVector = m_context.addWords(unitName("_off_bias"), constants.offsets, 32);
    arith.cScalar = 0;
    return arith;
}

Result<Refusal> Elementwise::lowerCoefficients(std::size_t constant) {
    const TensorView x = m_context.view(m_node.inputs[1 - constant]);
    const TensorView y = m_context.outputView(m_chain.output);
    const Nest nest = nestOf(y.shape, {x.strides, y.strides}, 1, 1);
    if (!fitsEngine(nest))
        return Refusal(tooManyLoops);
    ArithConfig arith = coefficientConfig(constant, x, y);
    const std::int64_t elements = ir::elementCount(y.shape);
    const bool channelInnermost = y.shape.size() != 4 || y.strides[1] == 1 || y.shape[1] == 1;
    arith.fChannels = std::max(arith.vecCount, 1);
    arith.batchDepth = channelInnermost ? arith.fChannels : 1;
    arith.fWidth = int(y.shape.size() == 4 ? y.shape[3] : elements / arith.fChannels);
    arith.fHeight = int(y.shape.size() == 4 ? y.shape[2] : 1);
    program::StreamEngineConfig reader = engineOf(nest, 0, x, program::Direction::FromMemory);
    readAsArith(reader, x, arith.inbytesX);
    EpochBuilder builder(m_context.machine);
    const int in = builder.addStream(reader, unitName("_in"));
    const int unit = builder.addArith(arith, unitName(""), ir::opKindName(m_node.kind));
    builder.link(in, unit);
    finishEpoch(builder, unit, engineOf(nest, 1, y, program::Direction::ToMemory), y.type == ir::ElementType::UInt8);
    return Refusal();
}

int Elementwise::addSum(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv,
                        const TensorView& out) {
    const DualRequant constants =
        addRequant(inputScaleZero(xv), inputScaleZero(yv), outputScaleZero(out), m_node.kind == ir::OpKind::Sub);
    ArithConfig arith;
    arith.dualinput = true;
    arith.inbytesX = xv.type == ir::ElementType::UInt8 ? 2 : 1;
    arith.inbytesY = yv.type == ir::ElementType::UInt8 ? 2 : 1;
    arith.aScalar = constants.a;
    arith.bScalar = constants.b;
    arith.cScalar = constants.c;
    arith.axShift = constants.axShift;
    arith.byShift = constants.byShift;
    arith.cShift = constants.cShift;
    arith.shiftO = constants.shiftO;
    arith.roundingO = arith.saturationO = true;
    arith.outbytesX = arith.outbytesY = arith.outbytesO = 1;
    const int unit = builder.addArith(arith, unitName(""), ir::opKindName(m_node.kind));
    builder.link(x, unit, 0);
    builder.link(y, unit, 1);
    return unit;
}

ArithConfig productStep(const DualRequant& constants, int outbytes) {
    ArithConfig arith;
    arith.dualinput = true;
    arith.inbytesX = 2;
    arith.inbytesY = 1;
    arith.aScalar = constants.a;
    arith.bScalar = constants.b;
    arith.cScalar = constants.c;
    arith.axShift = constants.axShift;
    arith.byShift = constants.byShift;
    arith.cShift = constants.cShift;
    arith.shiftO = constants.shiftO;
    arith.roundingO = arith.saturationO = true;
    arith.outbytesX = arith.outbytesY = arith.outbytesO = outbytes;
    return arith;
}

/// P = x*y; P -= zy*x; out = M*P - zx*M*y + c (facts/neural-art-target.md section 2.5.3).
int Elementwise::addProduct(EpochBuilder& builder, int x, int y, const TensorView& xv, const TensorView& yv,
                            const TensorView& out) {
    const MulRequant constants = mulRequant(inputScaleZero(xv), inputScaleZero(yv), outputScaleZero(out));
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
    finishEpoch(builder, last, engineOf(nest, 2, out, program::Direction::ToMemory),
                out.type == ir::ElementType::UInt8);
    return Refusal();
}

void Elementwise::finishEpoch(EpochBuilder& builder, int last, program::StreamEngineConfig writer, bool isUnsigned) {
    last = appendTail(builder, last, m_chain.clamp, isUnsigned, m_node.name);
    const int out = builder.addStream(std::move(writer), unitName("_out"));
    builder.link(last, out);
    m_work = builder.finish();
}

Result<Refusal> Elementwise::lower() {
    const Refusal refusal = refuse();
    if (!refusal.empty())
        return refusal;
    const int constant = coefficientOperand();
    auto done = constant >= 0 ? lowerCoefficients(std::size_t(constant)) : lowerDual();
    if (!done || !done->empty())
        return done;
    if (!m_work)
        return tl::unexpected(m_work.error());
    m_context.addStep(m_id, {m_context.hardwareEpoch(m_id, std::move(*m_work))});
    return Refusal();
}

} // namespace

Result<Refusal> lowerArith(Context& context, NodeId node) {
    return Elementwise(context, node).lower();
}

} // namespace poolwright::lower
