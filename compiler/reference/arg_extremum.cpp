// SPDX-License-Identifier: Apache-2.0
#include "reference/reduce.h"

namespace poolwright::reference {

namespace {

/// The walk meets the elements of one result in the order of their index along the axis.
template <typename T>
std::vector<std::int64_t> indicesOf(const Call& call, const std::vector<T>& x, const std::vector<bool>& reduced) {
    const bool highest = call.kind == ir::OpKind::ArgMax;
    const bool last = call.integer("select_last_index", 0) != 0;
    const auto results = std::size_t(call.output().elements());
    std::vector<std::int64_t> seen(results, 0), best(results, 0);
    std::vector<T> extremes(results);
    forEachReduced(call.input().shape, reduced, [&](std::size_t i, std::size_t to) {
        const bool better = highest ? x[i] > extremes[to] : x[i] < extremes[to];
        if (seen[to] == 0 || better || (last && x[i] == extremes[to])) {
            extremes[to] = x[i];
            best[to] = seen[to];
        }
        ++seen[to];
    });
    return best;
}

} // namespace

Done evaluateArgExtremum(const Call& call) {
    if (!call.hasInput(0) || call.output().type != ir::ElementType::Int64)
        return mismatch(call, "an input is required, and the output is made of 64-bit integers");
    const std::int64_t axis = normalisedAxis(call.integer("axis", 0), call.input().shape.size());
    if (axis < 0)
        return mismatch(call, "the axis is out of range");
    ir::Attributes attributes = call.attributes;
    attributes["axes"] = std::vector<std::int64_t>{axis};
    const auto reduced = reducedDimensions({call.kind, attributes, call.inputs, call.outputs});
    if (!reduced)
        return fail(reduced.error());
    const Value& x = call.input();
    const auto indices =
        isPlainInteger(x) ? indicesOf(call, integersOf(x), *reduced) : indicesOf(call, floatsOf(x), *reduced);
    std::copy(indices.begin(), indices.end(), call.output().as<std::int64_t>());
    return {};
}

} // namespace poolwright::reference
