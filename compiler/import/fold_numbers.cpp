// SPDX-License-Identifier: Apache-2.0
#include "import/fold_numbers.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::Shape;
using ir::Tensor;
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

bool isReal(const Tensor& tensor) {
    return tensor.type == ElementType::Float32 || tensor.isQuantised();
}

/// Position in a constant of each element of `shape`, to which it is broadcast.
Integers broadcastPositions(const Tensor& tensor, const Shape& shape) {
    const Integers own = ir::rowMajorStrides(tensor.shape), to = ir::rowMajorStrides(shape);
    const std::size_t added = shape.size() - tensor.shape.size();
    Integers positions(std::size_t(ir::elementCount(shape)), 0);
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t d = 0; d < tensor.shape.size(); ++d)
            if (tensor.shape[d] != 1)
                positions[i] += std::int64_t(i) / to[added + d] % shape[added + d] * own[d];
    return positions;
}

Shape broadcastShape(const NodeView& node) {
    Shape shape;
    for (int i = 0; i < node.inputCount(); ++i)
        shape = broadcast(shape, node.shape(i));
    if (checkedCount(shape) > largestFold)
        refuse("PW2010", "the constant is too large");
    return shape;
}

template <typename T> std::vector<T> spread(const std::vector<T>& values, const Integers& positions) {
    std::vector<T> result;
    result.reserve(positions.size());
    for (std::int64_t position : positions)
        result.push_back(values[std::size_t(position)]);
    return result;
}

// ---- operators of two operands

double applyReal(const std::string& op, double a, double b) {
    if (op == "Add")
        return a + b;
    if (op == "Sub")
        return a - b;
    if (op == "Mul")
        return a * b;
    if (op == "Div")
        return a / b;
    if (op == "Pow")
        return std::pow(a, b);
    if (op == "Min")
        return std::min(a, b);
    return std::max(a, b);
}

std::int64_t applyInteger(const std::string& op, std::int64_t a, std::int64_t b) {
    using U = std::uint64_t; // wraps, as the exporter's tool did
    if (op == "Add")
        return std::int64_t(U(a) + U(b));
    if (op == "Sub")
        return std::int64_t(U(a) - U(b));
    if (op == "Mul")
        return std::int64_t(U(a) * U(b));
    if (op == "Min")
        return std::min(a, b);
    if (op == "Max")
        return std::max(a, b);
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min()))
        refuse("PW2046", "division by zero");
    return op == "Div" ? a / b : a % b;
}

template <typename T> bool compare(const std::string& op, T a, T b) {
    if (op == "Equal")
        return a == b;
    if (op == "Less")
        return a < b;
    if (op == "LessOrEqual")
        return a <= b;
    return op == "Greater" ? a > b : a >= b;
}

/// Mod of integers takes the divisor's sign unless fmod says the dividend's.
std::int64_t modulo(std::int64_t a, std::int64_t b, bool likeDividend) {
    const std::int64_t rest = applyInteger("Mod", a, b);
    return !likeDividend && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::optional<Tensor> foldArithmetic(const NodeView& node) {
    const std::string& op = node.opType();
    const Tensor &a = node.tensor(0), &b = node.tensor(1);
    const Shape shape = broadcastShape(node);
    const Integers left = broadcastPositions(a, shape), right = broadcastPositions(b, shape);
    if (isReal(a) && isReal(b) && op != "Mod") {
        Reals x = spread(ir::realsOf(a), left);
        const Reals y = spread(ir::realsOf(b), right);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = applyReal(op, x[i], y[i]);
        return ir::makeFloatConstant({}, shape, x);
    }
    if (isReal(a) || a.type != b.type || op == "Pow")
        return std::nullopt;
    Integers x = spread(ir::integersOf(a), left);
    const Integers y = spread(ir::integersOf(b), right);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = op == "Mod" ? modulo(x[i], y[i], node.integer("fmod", 0) != 0) : applyInteger(op, x[i], y[i]);
    return ir::makeIntegerConstant({}, a.type, shape, x);
}

std::optional<Tensor> foldComparison(const NodeView& node) {
    const Tensor &a = node.tensor(0), &b = node.tensor(1);
    if (isReal(a) != isReal(b))
        return std::nullopt;
    const Shape shape = broadcastShape(node);
    const Integers left = broadcastPositions(a, shape), right = broadcastPositions(b, shape);
    Integers truth(left.size());
    if (isReal(a)) {
        const Reals x = spread(ir::realsOf(a), left), y = spread(ir::realsOf(b), right);
        for (std::size_t i = 0; i < truth.size(); ++i)
            truth[i] = compare(node.opType(), x[i], y[i]);
    } else {
        const Integers x = spread(ir::integersOf(a), left), y = spread(ir::integersOf(b), right);
        for (std::size_t i = 0; i < truth.size(); ++i)
            truth[i] = compare(node.opType(), x[i], y[i]);
    }
    return ir::makeIntegerConstant({}, ElementType::Bool, shape, truth);
}

std::optional<Tensor> foldWhere(const NodeView& node) {
    const Tensor &condition = node.tensor(0), &a = node.tensor(1), &b = node.tensor(2);
    if (condition.type != ElementType::Bool || isReal(a) != isReal(b) || (!isReal(a) && a.type != b.type))
        return std::nullopt;
    const Shape shape = broadcastShape(node);
    const Integers truth = spread(ir::integersOf(condition), broadcastPositions(condition, shape));
    const Integers left = broadcastPositions(a, shape), right = broadcastPositions(b, shape);
    if (isReal(a)) {
        Reals x = spread(ir::realsOf(a), left);
        const Reals y = spread(ir::realsOf(b), right);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = truth[i] != 0 ? x[i] : y[i];
        return ir::makeFloatConstant({}, shape, x);
    }
    Integers x = spread(ir::integersOf(a), left);
    const Integers y = spread(ir::integersOf(b), right);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = truth[i] != 0 ? x[i] : y[i];
    return ir::makeIntegerConstant({}, a.type, shape, x);
}

// ---- operators of one operand

std::optional<Tensor> foldUnary(const NodeView& node) {
    const std::string& op = node.opType();
    const Tensor& x = node.tensor(0);
    if (isReal(x)) {
        Reals values = ir::realsOf(x);
        for (double& value : values)
            value = op == "Floor"   ? std::floor(value)
                    : op == "Ceil"  ? std::ceil(value)
                    : op == "Round" ? std::nearbyint(value)
                    : op == "Sqrt"  ? std::sqrt(value)
                    : op == "Neg"   ? -value
                                    : std::abs(value);
        return ir::makeFloatConstant({}, x.shape, values);
    }
    if (op != "Neg" && op != "Abs" && op != "Not")
        return std::nullopt;
    Integers values = ir::integersOf(x);
    for (std::int64_t& value : values)
        value = op == "Not" ? value == 0 : op == "Neg" || value < 0 ? applyInteger("Sub", 0, value) : value;
    return ir::makeIntegerConstant({}, x.type, x.shape, values);
}

/// A list of integers to one number; other reductions are left to the passes.
std::optional<Tensor> foldReduction(const NodeView& node) {
    const Tensor& x = node.tensor(0);
    const Integers axes = node.integers("axes");
    if (isReal(x) || x.shape.size() != 1 || x.shape[0] < 1 ||
        (!axes.empty() && axes != Integers{0} && axes != Integers{-1}))
        return std::nullopt;
    const Integers values = ir::integersOf(x);
    const std::string op = node.opType() == "ReduceProd"  ? "Mul"
                           : node.opType() == "ReduceSum" ? "Add"
                           : node.opType() == "ReduceMin" ? "Min"
                                                          : "Max";
    std::int64_t result = values[0];
    for (std::size_t i = 1; i < values.size(); ++i)
        result = applyInteger(op, result, values[i]);
    const Shape shape = node.integer("keepdims", 1) != 0 ? Shape{1} : Shape{};
    return ir::makeIntegerConstant({}, x.type, shape, {result});
}

std::optional<Tensor> foldRange(const NodeView& node) {
    const Tensor& first = node.tensor(0);
    for (int i = 0; i < 3; ++i)
        if (node.tensor(i).elements() != 1 || node.tensor(i).type != first.type || node.tensor(i).isQuantised())
            return std::nullopt;
    const bool real = isReal(first);
    const double start = node.constantScalar(0, "start"), limit = node.constantScalar(1, "limit"),
                 delta = node.constantScalar(2, "delta");
    const double count = std::max(0.0, std::ceil((limit - start) / delta));
    if (!(count <= double(largestFold)))
        refuse("PW2010", "the range is too large", "its step may be 0");
    Reals values;
    for (std::int64_t i = 0; i < std::int64_t(count); ++i)
        values.push_back(start + double(i) * delta);
    if (real)
        return ir::makeFloatConstant({}, {std::int64_t(values.size())}, values);
    return ir::makeIntegerConstant({}, first.type, {std::int64_t(values.size())}, {values.begin(), values.end()});
}

/// Expand and Tile: which element of x each element of the result is.
std::optional<Tensor> foldRepeats(const NodeView& node) {
    const Tensor& x = node.tensor(0);
    const Integers given = node.constantIntegers(1, "the new shape");
    if (x.quantisation && !x.quantisation->isPerTensor())
        return std::nullopt;
    const bool tiles = node.opType() == "Tile";
    Shape shape = tiles ? x.shape : Shape(std::max(x.shape.size(), given.size()), 1);
    if (tiles && given.size() != shape.size())
        refuse("PW2046", "repeats does not have one entry for each dimension");
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::size_t fromEnd = shape.size() - d;
        const std::int64_t wanted = tiles ? given[d] : fromEnd <= given.size() ? given[given.size() - fromEnd] : 1;
        const std::int64_t own = fromEnd <= x.shape.size() ? x.shape[x.shape.size() - fromEnd] : 1;
        if (wanted < 1 || (!tiles && wanted != own && wanted != 1 && own != 1) ||
            __builtin_mul_overflow(own, tiles || own == 1 ? wanted : 1, &shape[d]))
            refuse("PW2046", "the constant cannot be repeated to the new shape");
    }
    if (checkedCount(shape) > largestFold)
        refuse("PW2010", "the constant is too large");
    const Integers own = ir::rowMajorStrides(x.shape), to = ir::rowMajorStrides(shape);
    const std::size_t added = shape.size() - x.shape.size();
    Tensor result = pick(x, {}, shape, [&](std::int64_t i) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < x.shape.size(); ++d)
            source += i / to[added + d] % shape[added + d] % x.shape[d] * own[d];
        return source;
    });
    result.quantisation = x.quantisation;
    return result;
}

struct Folded {
    const char* name;
    int inputs;
    std::optional<Tensor> (*fold)(const NodeView&);
};

constexpr Folded foldedOperators[] = {
    {"Add", 2, foldArithmetic},
    {"Sub", 2, foldArithmetic},
    {"Mul", 2, foldArithmetic},
    {"Div", 2, foldArithmetic},
    {"Mod", 2, foldArithmetic},
    {"Pow", 2, foldArithmetic},
    {"Min", 2, foldArithmetic},
    {"Max", 2, foldArithmetic},
    {"Equal", 2, foldComparison},
    {"Less", 2, foldComparison},
    {"LessOrEqual", 2, foldComparison},
    {"Greater", 2, foldComparison},
    {"GreaterOrEqual", 2, foldComparison},
    {"Floor", 1, foldUnary},
    {"Ceil", 1, foldUnary},
    {"Round", 1, foldUnary},
    {"Sqrt", 1, foldUnary},
    {"Neg", 1, foldUnary},
    {"Abs", 1, foldUnary},
    {"Not", 1, foldUnary},
    {"ReduceProd", 1, foldReduction},
    {"ReduceSum", 1, foldReduction},
    {"ReduceMin", 1, foldReduction},
    {"ReduceMax", 1, foldReduction},
    {"Where", 3, foldWhere},
    {"Range", 3, foldRange},
    {"Expand", 2, foldRepeats},
    {"Tile", 2, foldRepeats},
};

const Folded* findFolded(const std::string& opType) {
    const auto found = std::find_if(std::begin(foldedOperators), std::end(foldedOperators),
                                    [&](const Folded& folded) { return opType == folded.name; });
    return found == std::end(foldedOperators) ? nullptr : found;
}

} // namespace

bool foldsNumbers(const std::string& opType) {
    return findFolded(opType) != nullptr;
}

std::optional<Tensor> foldNumbers(const NodeView& node) {
    const Folded* folded = findFolded(node.opType());
    return folded && node.inputCount() == folded->inputs ? folded->fold(node) : std::nullopt;
}

} // namespace poolwright::import
