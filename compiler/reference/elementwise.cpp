// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

namespace {

// ---- Two inputs, numpy broadcasting

/// Strides of `shape` seen through the output's dimensions: 0 where it is repeated; none when it cannot be.
std::optional<std::vector<std::int64_t>> broadcastStrides(const ir::Shape& shape, const ir::Shape& output) {
    if (shape.size() > output.size())
        return std::nullopt;
    const std::vector<std::int64_t> own = stridesOf(shape);
    std::vector<std::int64_t> strides(output.size(), 0);
    const std::size_t lead = output.size() - shape.size();
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] != 1 && shape[d] != output[lead + d])
            return std::nullopt;
        strides[lead + d] = shape[d] == 1 ? 0 : own[d];
    }
    return strides;
}

/// Every extent of the output comes from one of the inputs (both are known to fit).
bool isBroadcastOf(const ir::Shape& a, const ir::Shape& b, const ir::Shape& output) {
    const auto extent = [&](const ir::Shape& shape, std::size_t d) {
        const std::size_t lead = output.size() - shape.size();
        return d < lead ? 1 : shape[d - lead];
    };
    for (std::size_t d = 0; d < output.size(); ++d)
        if (output[d] != 1 && extent(a, d) != output[d] && extent(b, d) != output[d])
            return false;
    return true;
}

/// Offsets of the two inputs for each output element in turn.
class BroadcastWalk {
public:
    BroadcastWalk(const ir::Shape& output, std::vector<std::int64_t> stridesOfA, std::vector<std::int64_t> stridesOfB)
        : m_shape(output)
        , m_a(std::move(stridesOfA))
        , m_b(std::move(stridesOfB))
        , m_position(output.size(), 0) {}

    std::int64_t a = 0;
    std::int64_t b = 0;

    void next() {
        for (std::size_t d = m_shape.size(); d-- > 0;) {
            a += m_a[d];
            b += m_b[d];
            if (++m_position[d] < m_shape[d])
                return;
            a -= m_a[d] * m_shape[d];
            b -= m_b[d] * m_shape[d];
            m_position[d] = 0;
        }
    }

private:
    const ir::Shape& m_shape;
    std::vector<std::int64_t> m_a;
    std::vector<std::int64_t> m_b;
    std::vector<std::int64_t> m_position;
};

template <typename T> T combine(ir::OpKind kind, T a, T b) {
    switch (kind) {
    case ir::OpKind::Sub:
        return a - b;
    case ir::OpKind::Mul:
        return a * b;
    default:
        return a + b;
    }
}

/// Plain integers (shape arithmetic): wraps like numpy, without undefined overflow.
void combineIntegers(const Call& call, BroadcastWalk walk) {
    const std::vector<std::int64_t> a = integersOf(call.input(0));
    const std::vector<std::int64_t> b = integersOf(call.input(1));
    withType(call.output().type, [&](auto zero) {
        auto* out = call.output().as<decltype(zero)>();
        for (std::int64_t i = 0; i < call.output().elements(); ++i, walk.next())
            out[i] = decltype(zero)(
                combine(call.kind, std::uint64_t(a[std::size_t(walk.a)]), std::uint64_t(b[std::size_t(walk.b)])));
    });
}

/// A product of two quantised tensors is an exact integer times one factor; everything else goes by reals, whose sums
/// and differences are exact in double for scales that were float32.
void combineReals(const Call& call, BroadcastWalk walk) {
    const Value& first = call.input(0);
    const Value& second = call.input(1);
    std::vector<double> a = realsOf(first);
    std::vector<double> b = realsOf(second);
    double factor = 1.0;
    const bool exactProduct = call.kind == ir::OpKind::Mul && isQuantisedByte(first) && isQuantisedByte(second) &&
                              first.quantisation->isPerTensor() && second.quantisation->isPerTensor();
    const double step = scaleOf(call.output());
    if (exactProduct) {
        const auto toSteps = [](std::vector<double>& reals, double scale) {
            for (double& real : reals)
                real = roundHalfEven(real / scale);
        };
        toSteps(a, scaleOf(first));
        toSteps(b, scaleOf(second));
        factor = scaleOf(first) * scaleOf(second) / step;
    }
    std::vector<double> steps(std::size_t(call.output().elements()));
    for (double& value : steps) {
        const double result = combine(call.kind, a[std::size_t(walk.a)], b[std::size_t(walk.b)]);
        value = exactProduct ? result * factor : result / step;
        walk.next();
    }
    storeSteps(call.output(), steps);
}

bool isPlainInteger(const Value& value) {
    return isInteger(value.type) && !value.quantisation;
}

// ---- One input

using RealFunction = double (*)(const Call&, double);

double relu(const Call&, double x) {
    return x > 0 ? x : 0.0;
}

double clip(const Call& call, double x) {
    const double lowest = call.real("min", -std::numeric_limits<double>::infinity());
    const double highest = call.real("max", std::numeric_limits<double>::infinity());
    return std::min(std::max(x, lowest), highest);
}

double sigmoid(const Call&, double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

double hardSigmoid(const Call& call, double x) {
    return std::clamp(call.real("alpha", 0.2) * x + call.real("beta", 0.5), 0.0, 1.0);
}

double hardSwish(const Call&, double x) {
    return x * std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
}

double hyperbolicTangent(const Call&, double x) {
    return std::tanh(x);
}

RealFunction functionOf(ir::OpKind kind) {
    switch (kind) {
    case ir::OpKind::Relu:
        return relu;
    case ir::OpKind::Clip:
        return clip;
    case ir::OpKind::Sigmoid:
        return sigmoid;
    case ir::OpKind::HardSigmoid:
        return hardSigmoid;
    case ir::OpKind::HardSwish:
        return hardSwish;
    case ir::OpKind::Tanh:
        return hyperbolicTangent;
    default:
        return nullptr;
    }
}

/// A byte has 256 values: each result is computed once.
template <typename In, typename Out> void applyByTable(const Call& call, RealFunction function) {
    const Value& x = call.input();
    Value& output = call.output();
    Out table[256];
    for (int i = 0; i < 256; ++i) {
        const double real = (double(In(i)) - zeroPointOf(x)) * scaleOf(x);
        table[i] = encode<Out>(function(call, real) / scaleOf(output), zeroPointOf(output));
    }
    Out* out = output.as<Out>();
    for (std::size_t i = 0; i < x.bytes.size(); ++i)
        out[i] = table[x.bytes[i]];
}

void applyByElement(const Call& call, RealFunction function) {
    std::vector<double> reals = realsOf(call.input());
    for (double& real : reals)
        real = function(call, real);
    storeReals(call.output(), reals);
}

} // namespace

Done evaluateBinary(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "two inputs are required");
    const ir::Shape& shape = call.output().shape;
    const auto a = broadcastStrides(call.input(0).shape, shape);
    const auto b = broadcastStrides(call.input(1).shape, shape);
    if (!a || !b || !isBroadcastOf(call.input(0).shape, call.input(1).shape, shape))
        return mismatch(call, "the shapes do not broadcast to the output's");
    const BroadcastWalk walk(shape, *a, *b);
    if (isPlainInteger(call.output())) {
        if (!isPlainInteger(call.input(0)) || !isPlainInteger(call.input(1)))
            return unsupported(call, "integers without scale and zero point need inputs of the same sort");
        combineIntegers(call, walk);
    } else {
        combineReals(call, walk);
    }
    return {};
}

Done evaluateUnary(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const Value& x = call.input();
    if (x.shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    const RealFunction function = functionOf(call.kind);
    if (!isQuantisedByte(x) || !x.quantisation->isPerTensor()) {
        applyByElement(call, function);
        return {};
    }
    withType(call.output().type, [&](auto zero) {
        if (x.type == ir::ElementType::Int8)
            applyByTable<std::int8_t, decltype(zero)>(call, function);
        else
            applyByTable<std::uint8_t, decltype(zero)>(call, function);
    });
    return {};
}

} // namespace poolwright::reference
