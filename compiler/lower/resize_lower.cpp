// SPDX-License-Identifier: Apache-2.0
#include "lower/copy.h"
#include "lower/layout_lower.h"
#include "lower/streams.h"

#include <cmath>

namespace poolwright::lower {

namespace {

using program::TensorView;

struct Factors {
    std::int64_t height = 1, width = 1;
    std::int64_t count() const { return height * width; }
};

double sourceCoordinate(const std::string& mode, std::int64_t i, std::int64_t size, std::int64_t factor) {
    const double outSize = double(size * factor);
    if (mode == "asymmetric")
        return double(i) / double(factor);
    if (mode == "align_corners")
        return outSize > 1 ? double(i) * double(size - 1) / (outSize - 1) : 0;
    if (mode == "tf_half_pixel_for_nn")
        return (double(i) + 0.5) / double(factor);
    return (double(i) + 0.5) / double(factor) - 0.5; // half_pixel, and pytorch_half_pixel above one element
}

double roundCoordinate(const std::string& mode, double x) {
    if (mode == "floor")
        return std::floor(x);
    if (mode == "ceil")
        return std::ceil(x);
    return mode == "round_prefer_ceil" ? std::floor(x + 0.5) : std::ceil(x - 0.5);
}

/// True when output i is input i / factor everywhere: every element becomes a block.
bool makesBlocks(const ir::Node& node, std::int64_t size, std::int64_t factor) {
    const std::string coordinates = node.text("coordinate_transformation_mode", "half_pixel");
    const std::string rounding = node.text("nearest_mode", "round_prefer_floor");
    for (std::int64_t i = 0; i < size * factor; ++i) {
        const double x = roundCoordinate(rounding, sourceCoordinate(coordinates, i, size, factor));
        if (std::min(std::max(x, 0.0), double(size - 1)) != double(i / factor))
            return false;
    }
    return true;
}

/// A scale of 2.2 makes 4 of 2 as well, from other places than a scale of 2.
bool scalesAreRatios(const ir::Node& node, const ir::Shape& from, const ir::Shape& to) {
    const auto found = node.attributes.find("scales");
    const auto* scales = found == node.attributes.end() ? nullptr : std::get_if<std::vector<double>>(&found->second);
    for (std::size_t d = 0; scales && d < from.size() && d < scales->size(); ++d)
        if ((*scales)[d] * double(from[d]) != double(to[d]))
            return false;
    return true;
}

Refusal refuse(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    const ir::Tensor& y = graph[node.outputs[0]];
    if (node.text("mode", "nearest") != "nearest")
        return "units repeat elements but do not interpolate; use nearest neighbour or a transposed convolution";
    if (node.text("coordinate_transformation_mode") == "tf_crop_and_resize")
        return "units repeat whole images, not a region of interest; crop by a Slice in front";
    if (x.shape.size() != 4 || x.shape[0] != y.shape[0] || x.shape[1] != y.shape[1])
        return "only height and width of images can grow; reshape";
    if (y.shape[2] % x.shape[2] != 0 || y.shape[3] % x.shape[3] != 0)
        return "only whole factors can be written by strides; choose a whole factor";
    if (!scalesAreRatios(node, x.shape, y.shape))
        return "the scale is not the ratio of the sizes; give whole factors as scales, or sizes";
    if (!makesBlocks(node, x.shape[2], y.shape[2] / x.shape[2]) ||
        !makesBlocks(node, x.shape[3], y.shape[3] / x.shape[3]))
        return "this coordinate mode does not repeat every element alike; use asymmetric with floor";
    if (x.type != y.type || x.quantisation != y.quantisation)
        return "scale and zero point must not change; give input and output the same parameters";
    return {};
}

/// One output position (dy, dx) of every block.
TensorView positionOf(const TensorView& y, const ir::Shape& inputShape, Factors factors, std::int64_t dy,
                      std::int64_t dx) {
    TensorView view = y;
    view.shape = inputShape;
    view.offset += dy * y.strides[2] + dx * y.strides[3];
    view.strides[2] *= factors.height;
    view.strides[3] *= factors.width;
    return view;
}

/// One engine reads, one for each position of a block writes: the input is read once.
Result<program::HardwareWork> spreadWork(Context& context, const std::string& name, const TensorView& x,
                                         const TensorView& y, Factors factors) {
    const TensorView first = positionOf(y, x.shape, factors, 0, 0);
    const Nest nest = nestOf(x.shape, {x.strides, first.strides}, 1, ir::elementBytes(x.type));
    if (!fitsEngine(nest))
        return fail(
            makeError(layoutTooComplex, "the layouts differ in more loops than a stream engine has; keep one layout"));
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(engineOf(nest, 0, x, program::Direction::FromMemory), name + "_in");
    for (std::int64_t dy = 0; dy < factors.height; ++dy)
        for (std::int64_t dx = 0; dx < factors.width; ++dx) {
            const TensorView position = positionOf(y, x.shape, factors, dy, dx);
            const int out = builder.addStream(engineOf(nest, 1, position, program::Direction::ToMemory),
                                              name + "_out_" + std::to_string(dy) + "_" + std::to_string(dx));
            builder.link(in, out);
        }
    return builder.finish();
}

/// Large factors: the reader repeats elements and lines by steps of 0, the writer goes straight on.
Result<program::HardwareWork> repeatWork(Context& context, const std::string& name, const TensorView& x,
                                         const TensorView& y, Factors factors) {
    TensorView from = x, to = y;
    from.shape = {x.shape[0], x.shape[1], x.shape[2], factors.height, x.shape[3], factors.width};
    from.strides = {x.strides[0], x.strides[1], x.strides[2], 0, x.strides[3], 0};
    to.shape = from.shape;
    to.strides = {y.strides[0], y.strides[1], y.strides[2] * factors.height, y.strides[2], y.strides[3] * factors.width,
                  y.strides[3]};
    return copyWork(context, name, from, to);
}

} // namespace

Result<Refusal> lowerResize(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const Refusal refusal = refuse(context.graph, node);
    if (!refusal.empty())
        return refusal;
    const ir::Shape& in = context.graph[node.inputs[0]].shape;
    const ir::Shape& out = context.graph[node.outputs[0]].shape;
    const Factors factors{out[2] / in[2], out[3] / in[3]};
    const bool spreads = factors.count() < context.machine.count(target::UnitKind::StreamEngine);
    // Repeating takes all loops of an engine but one: channels must lie side by side.
    auto x = spreads ? Result<TensorView>(context.view(node.inputs[0])) : context.channelLast(node.inputs[0], id);
    if (!x)
        return tl::unexpected(x.error());
    const TensorView y = context.outputView(node.outputs[0], !spreads);
    auto work =
        spreads ? spreadWork(context, node.name, *x, y, factors) : repeatWork(context, node.name, *x, y, factors);
    if (!work)
        return Refusal(work.error().front().message);
    context.addStep(id, {context.hardwareEpoch(id, std::move(*work))});
    return Refusal();
}

} // namespace poolwright::lower
