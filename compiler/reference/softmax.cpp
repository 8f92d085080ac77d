// SPDX-License-Identifier: Apache-2.0
#include "reference/lines.h"

/// Softmax and its kin over one axis.
namespace poolwright::reference {

namespace {

double highestOf(const Line& line) {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < line.count; ++i)
        highest = std::max(highest, line[i]);
    return highest;
}

void softmax(const Line& line) {
    const double highest = highestOf(line);
    double sum = 0;
    for (std::int64_t i = 0; i < line.count; ++i) {
        line[i] = std::exp(line[i] - highest);
        sum += line[i];
    }
    for (std::int64_t i = 0; i < line.count; ++i)
        line[i] /= sum;
}

void logSoftmax(const Line& line) {
    const double highest = highestOf(line);
    double sum = 0;
    for (std::int64_t i = 0; i < line.count; ++i)
        sum += std::exp(line[i] - highest);
    for (std::int64_t i = 0; i < line.count; ++i)
        line[i] -= highest + std::log(sum);
}

/// 1 for the first of the largest elements.
void hardmax(const Line& line) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < line.count; ++i)
        if (line[i] > line[best])
            best = i;
    for (std::int64_t i = 0; i < line.count; ++i)
        line[i] = i == best;
}

} // namespace

Done evaluateSoftmax(const Call& call) {
    if (!call.hasInput(0) || call.input().shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    const std::int64_t axis = normalisedAxis(call.integer("axis", -1), call.input().shape.size());
    if (axis < 0)
        return mismatch(call, "the axis is out of range");
    std::vector<double> reals = realsOf(call.input());
    const auto function = call.kind == ir::OpKind::LogSoftmax ? logSoftmax
                          : call.kind == ir::OpKind::Hardmax  ? hardmax
                                                              : softmax;
    forEachLine(reals, call.input().shape, axis, axis + 1, function);
    storeFloats(call.output(), {reals.begin(), reals.end()});
    return {};
}

} // namespace poolwright::reference
