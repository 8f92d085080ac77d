// SPDX-License-Identifier: Apache-2.0
#include "lower/layout_lower.h"
#include "lower/streams.h"

#include <algorithm>
#include <cmath>

namespace poolwright::lower {

namespace {

using program::TensorView;

/// A stretch of the output and where its elements come from.
struct Piece {
    TensorView from, to;
};

Refusal refuse(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    const ir::Tensor& y = graph[node.outputs[0]];
    const auto pads = node.integers("pads");
    if (node.text("mode", "constant") != "constant")
        return "units fill borders with one value only; use constant padding";
    if (!isByteTensor(x) || x.type != y.type || x.quantisation != y.quantisation)
        return "units pad 8-bit tensors of one scale; quantise, with the same parameters on both sides";
    if (pads.size() != 2 * x.shape.size() ||
        std::any_of(pads.begin(), pads.end(), [](std::int64_t p) { return p < 0; }))
        return "the pads are not known or negative; give them as constants of at least 0";
    return {};
}

int fillByte(const ir::Node& node, const ir::Tensor& tensor) {
    const double real = node.real("value", node.real("constant_value", 0.0));
    const double lowest = tensor.type == ir::ElementType::UInt8 ? 0 : -128;
    const double integer =
        std::nearbyint(real / tensor.quantisation->scales.front()) + tensor.quantisation->zeroPoints.front();
    return int(std::clamp(integer, lowest, lowest + 255));
}

/// The borders, dimension by dimension from the outermost in memory, so that they are large and few; then the inside.
std::vector<Piece> piecesOf(const TensorView& x, const TensorView& y, const std::vector<std::int64_t>& pads,
                            const TensorView& fill) {
    std::vector<std::size_t> order(x.shape.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return y.strides[a] > y.strides[b]; });
    std::vector<Piece> pieces;
    TensorView rest = y;
    const auto addFill = [&](std::size_t dim, std::int64_t first, std::int64_t count) {
        if (count == 0)
            return;
        TensorView border = slice(rest, dim, first, count), source = fill;
        source.shape = border.shape;
        source.strides.assign(border.shape.size(), 0);
        pieces.push_back({source, border});
    };
    for (std::size_t dim : order) {
        const std::int64_t before = pads[dim], after = pads[dim + x.shape.size()];
        addFill(dim, 0, before);
        addFill(dim, before + x.shape[dim], after);
        rest = slice(rest, dim, before, x.shape[dim]);
    }
    pieces.push_back({x, rest});
    return pieces;
}

bool addPiece(EpochBuilder& builder, const Piece& piece, const std::string& name) {
    const Nest nest = nestOf(piece.to.shape, {piece.from.strides, piece.to.strides}, 1, 1);
    if (!fitsEngine(nest))
        return false;
    const int in = builder.addStream(engineOf(nest, 0, piece.from, program::Direction::FromMemory), name + "_in");
    const int out = builder.addStream(engineOf(nest, 1, piece.to, program::Direction::ToMemory), name + "_out");
    builder.link(in, out);
    return true;
}

} // namespace

Result<Refusal> padStep(Context& context, NodeId id, const TensorView& x, const TensorView& y,
                        const std::vector<std::int64_t>& pads, int fillValue) {
    TensorView fill = y;
    fill.name = y.name + "_pad_value";
    fill.offset = 0;
    fill.buffer = context.addConstant(fill.name, {std::uint8_t(fillValue)});
    const auto pieces = piecesOf(x, y, pads, fill);
    const std::size_t chains = std::size_t(std::max(context.machine.count(target::UnitKind::StreamEngine) / 2, 1));
    std::vector<program::Epoch> epochs;
    for (std::size_t first = 0; first < pieces.size(); first += chains) {
        EpochBuilder builder(context.machine);
        for (std::size_t i = first; i < std::min(first + chains, pieces.size()); ++i)
            if (!addPiece(builder, pieces[i], y.name + "_pad_" + std::to_string(i)))
                return Refusal(
                    "the layouts differ in more loops than a stream engine has; keep the tensor in one layout");
        auto work = builder.finish();
        if (!work)
            return tl::unexpected(work.error());
        epochs.push_back(context.hardwareEpoch(id, std::move(*work)));
    }
    context.addStep(id, std::move(epochs));
    return Refusal();
}

Result<Refusal> lowerPad(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const Refusal refusal = refuse(context.graph, node);
    if (!refusal.empty())
        return refusal;
    const TensorView x = context.view(node.inputs[0]);
    return padStep(context, id, x, context.outputView(node.outputs[0]), node.integers("pads"),
                   fillByte(node, context.graph[node.inputs[0]]));
}

} // namespace poolwright::lower
