// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

namespace {

/// Where an output position lies on the input axis, in input elements (ONNX Resize, attribute
/// coordinate_transformation_mode). `scale` = output extent / input extent or the given factor.
struct Axis {
    std::int64_t in;
    std::int64_t out;
    double scale;
};

bool knownCoordinates(const std::string& mode) {
    return mode == "half_pixel" || mode == "half_pixel_symmetric" || mode == "pytorch_half_pixel" ||
           mode == "align_corners" || mode == "asymmetric";
}

bool knownNearest(const std::string& mode) {
    return mode == "round_prefer_floor" || mode == "round_prefer_ceil" || mode == "floor" || mode == "ceil";
}

double coordinate(const std::string& mode, const Axis& axis, std::int64_t o) {
    const double x = double(o);
    if (mode == "asymmetric")
        return x / axis.scale;
    if (mode == "align_corners")
        return axis.out == 1 ? 0.0 : x * double(axis.in - 1) / double(axis.out - 1);
    if (mode == "pytorch_half_pixel" && axis.out == 1)
        return 0.0;
    const double half = (x + 0.5) / axis.scale - 0.5;
    if (mode != "half_pixel_symmetric")
        return half;
    const double adjustment = double(axis.out) / (axis.scale * double(axis.in));
    return double(axis.in) / 2 * (1 - adjustment) + half;
}

std::int64_t nearest(const std::string& mode, double x, std::int64_t extent) {
    double index = 0;
    if (mode == "floor")
        index = std::floor(x);
    else if (mode == "ceil")
        index = std::ceil(x);
    else if (mode == "round_prefer_ceil")
        index = std::floor(x + 0.5);
    else
        index = std::ceil(x - 0.5);
    return std::int64_t(std::clamp(index, 0.0, double(extent - 1)));
}

/// Factors per dimension: "scales" or input 2 when given, else the ratio of the extents.
Result<std::vector<Axis>> axesOf(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape& in = call.input().shape;
    const ir::Shape& out = call.output().shape;
    if (in.size() != out.size())
        return mismatch(call, "input and output need the same rank");
    std::vector<double> scales = call.reals("scales");
    if (scales.empty() && call.hasInput(2) && call.input(2).type == ir::ElementType::Float32)
        scales = realsOf(call.input(2));
    if (!scales.empty() && scales.size() != in.size())
        return mismatch(call, "one scale per dimension is required");
    std::vector<Axis> axes;
    for (std::size_t d = 0; d < in.size(); ++d) {
        if (in[d] < 1 || out[d] < 1)
            return mismatch(call, "empty dimensions cannot be resized");
        const double ratio = double(out[d]) / double(in[d]);
        const double scale = scales.empty() ? ratio : scales[d];
        if (!(scale > 0) || std::floor(double(in[d]) * scale + 1e-6) != double(out[d]))
            return mismatch(call, "the output's extents do not follow from the scales");
        axes.push_back({in[d], out[d], scale});
    }
    return axes;
}

/// Up to two input elements of each output position along an axis, with the share of the second.
struct Taps {
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> second;
    std::vector<double> share;
};

Taps linearTaps(const std::string& mode, const Axis& axis) {
    Taps taps;
    for (std::int64_t o = 0; o < axis.out; ++o) {
        const double x = std::clamp(coordinate(mode, axis, o), 0.0, double(axis.in - 1));
        const std::int64_t lower = std::int64_t(std::floor(x));
        taps.first.push_back(lower);
        taps.second.push_back(std::min(lower + 1, axis.in - 1));
        taps.share.push_back(x - double(lower));
    }
    return taps;
}

/// One axis of a linear resize; dimensions before and after it are `outer` and `inner` elements.
std::vector<double> linearAlong(const std::vector<double>& from, const Taps& taps, const Axis& axis, std::int64_t outer,
                                std::int64_t inner) {
    std::vector<double> to(std::size_t(outer * axis.out * inner));
    for (std::int64_t n = 0; n < outer; ++n) {
        for (std::int64_t o = 0; o < axis.out; ++o) {
            const double* first = from.data() + (n * axis.in + taps.first[std::size_t(o)]) * inner;
            const double* second = from.data() + (n * axis.in + taps.second[std::size_t(o)]) * inner;
            const double share = taps.share[std::size_t(o)];
            for (std::int64_t i = 0; i < inner; ++i)
                to[std::size_t((n * axis.out + o) * inner + i)] = first[i] * (1 - share) + second[i] * share;
        }
    }
    return to;
}

/// Axes go one after the other: what lies between must stay within bounds too.
bool hasSaneSteps(const std::vector<Axis>& axes) {
    double elements = 1;
    for (const Axis& axis : axes)
        elements *= double(std::max(axis.in, axis.out));
    return elements <= double(largestTensor);
}

void resizeLinear(const Call& call, const std::string& mode, const std::vector<Axis>& axes) {
    std::vector<double> reals = realsOf(call.input());
    ir::Shape shape = call.input().shape;
    for (std::size_t d = 0; d < axes.size(); ++d) {
        if (axes[d].in == axes[d].out && axes[d].scale == 1.0)
            continue;
        const std::ptrdiff_t at = std::ptrdiff_t(d);
        const std::int64_t outer = ir::elementCount({shape.begin(), shape.begin() + at});
        const std::int64_t inner = ir::elementCount({shape.begin() + at + 1, shape.end()});
        reals = linearAlong(reals, linearTaps(mode, axes[d]), axes[d], outer, inner);
        shape[d] = axes[d].out;
    }
    storeReals(call.output(), reals);
}

void resizeNearest(const Call& call, const std::string& mode, const std::vector<Axis>& axes) {
    const Value& x = call.input();
    const std::string rounding = call.text("nearest_mode", "round_prefer_floor");
    const std::vector<std::int64_t> strides = stridesOf(x.shape);
    std::vector<std::vector<std::int64_t>> offsets(axes.size());
    for (std::size_t d = 0; d < axes.size(); ++d)
        for (std::int64_t o = 0; o < axes[d].out; ++o)
            offsets[d].push_back(nearest(rounding, coordinate(mode, axes[d], o), axes[d].in) * strides[d]);
    const std::size_t size = std::size_t(ir::elementBytes(x.type));
    Value moved{x.type, call.output().shape, x.quantisation, {}};
    moved.bytes.resize(std::size_t(moved.elements()) * size);
    std::vector<std::size_t> position(axes.size(), 0);
    for (std::size_t i = 0; i < moved.bytes.size(); i += size) {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < axes.size(); ++d)
            offset += offsets[d][position[d]];
        std::copy_n(x.bytes.data() + std::size_t(offset) * size, size, moved.bytes.data() + i);
        for (std::size_t d = axes.size(); d-- > 0;) {
            if (++position[d] < offsets[d].size())
                break;
            position[d] = 0;
        }
    }
    convert(moved, call.output());
}

} // namespace

Done evaluateResize(const Call& call) {
    const Result<std::vector<Axis>> axes = axesOf(call);
    if (!axes)
        return fail(axes.error());
    const std::string mode = call.text("mode", "nearest");
    const std::string coordinates = call.text("coordinate_transformation_mode", "half_pixel");
    const std::string rounding = call.text("nearest_mode", "round_prefer_floor");
    if (!knownCoordinates(coordinates))
        return unsupported(call, "coordinate_transformation_mode \"" + coordinates + "\" is not handled");
    if (!knownNearest(rounding))
        return unsupported(call, "nearest_mode \"" + rounding + "\" is not handled");
    if (call.input().quantisation && !call.input().quantisation->isPerTensor())
        return unsupported(call, "parameters per axis cannot be resized");
    if (mode == "nearest")
        resizeNearest(call, coordinates, *axes);
    else if (mode == "linear" && hasSaneSteps(*axes))
        resizeLinear(call, coordinates, *axes);
    else
        return unsupported(call, "mode \"" + mode + "\" is neither nearest nor linear, or the sizes are too large");
    return {};
}

} // namespace poolwright::reference
