// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <algorithm>
#include <array>

namespace poolwright::import {
namespace {

using Integers = std::vector<std::int64_t>;

/// Begins, then ends, of all dimensions: an attribute before opset 11, for some axes since 18.
Integers padAmounts(const NodeView& node, std::size_t rank) {
    const Integers pads = node.opset() < 11 ? node.integers("pads") : node.constantIntegers(1, "pads");
    if (!node.has(3) || node.opset() < 18) {
        if (pads.size() != 2 * rank)
            refuse("PW2045", "pads does not have two entries for each dimension");
        return pads;
    }
    const Integers axes = node.constantIntegers(3, "axes");
    if (pads.size() != 2 * axes.size())
        refuse("PW2045", "pads does not have two entries for each axis");
    Integers all(2 * rank, 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto d = std::size_t(normalisedAxis(axes[i], rank));
        all[d] = pads[i];
        all[rank + d] = pads[axes.size() + i];
    }
    return all;
}

double padValue(const NodeView& node) {
    if (node.opset() < 11)
        return node.real("value", 0);
    return node.has(2) ? node.constantScalar(2, "the padding value") : 0;
}

/// A dimension between its pads; negative ones crop.
std::int64_t paddedExtent(std::int64_t extent, std::int64_t begin, std::int64_t end, const std::string& mode) {
    constexpr std::int64_t largest = 1 << 24;
    if (begin > largest || end > largest || begin < -largest || end < -largest)
        refuse("PW2045", "the padding is larger than any tensor");
    const std::int64_t kept = extent + std::min<std::int64_t>(begin, 0) + std::min<std::int64_t>(end, 0);
    if (kept < 1)
        refuse("PW2045", "the padding crops a dimension of " + std::to_string(extent) + " to nothing");
    const std::int64_t reach = std::max(begin, end);
    if ((mode == "reflect" && reach >= kept) || (mode == "wrap" && reach > kept))
        refuse("PW2045", "the padding repeats more than the " + std::to_string(kept) + " elements that there are");
    return extent + begin + end;
}

} // namespace

void readPad(const NodeView& node) {
    static constexpr std::array modes{"constant", "reflect", "edge", "wrap"};
    const std::string mode = node.text("mode", "constant");
    if (std::find(modes.begin(), modes.end(), mode) == modes.end())
        refuse("PW2048", "mode '" + mode + "' is not supported", "pad with constant, reflect, edge or wrap");
    // Bytes without a DequantizeLinear in front: what a constant stands for in them is not known here.
    if (mode == "constant" && ir::elementBytes(node.tensor(0).type) == 1)
        requireReal(node, 0);
    ir::Shape shape = node.shape(0);
    const Integers pads = padAmounts(node, shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d)
        shape[d] = paddedExtent(shape[d], pads[d], pads[d + shape.size()], mode);
    const ElementSort sort = movedSort(node, 0);
    ir::Attributes attributes{{"pads", pads}, {"mode", mode}, {"value", padValue(node)}};
    if (node.inputCount() > 2 && !node.has(2))
        attributes["empty_value_input"] = std::int64_t(1);
    node.emit(ir::OpKind::Pad, {node.input(0)}, std::move(attributes), sort.type, shape, sort.quantisation);
}

} // namespace poolwright::import
