// SPDX-License-Identifier: Apache-2.0
#include "reference/resize_axis.h"
#include "reference/strided.h"

namespace poolwright::reference {

namespace {

using Axes = std::vector<ResizeAxis>;

/// How a call interpolates.
struct Manner {
    std::string mode, coordinates, rounding;
    double cubicCoefficient, extrapolation;
    bool excludeOutside, antialias;
};

Manner mannerOf(const Call& call) {
    return {call.text("mode", "nearest"),
            call.text("coordinate_transformation_mode", "half_pixel"),
            call.text("nearest_mode", "round_prefer_floor"),
            call.real("cubic_coeff_a", -0.75),
            call.real("extrapolation_value", 0),
            call.integer("exclude_outside", 0) != 0,
            call.integer("antialias", 0) != 0};
}

/// One axis of a separable interpolation; dimensions before and after it are `outer` and `inner` elements.
std::vector<double> interpolatedAlong(const std::vector<double>& from, const ResizeTaps& taps, const ResizeAxis& axis,
                                      std::int64_t outer, std::int64_t inner) {
    std::vector<double> to(std::size_t(outer * axis.out * inner), 0.0);
    for (std::int64_t n = 0; n < outer; ++n)
        for (std::int64_t o = 0; o < axis.out; ++o)
            for (std::size_t k = 0; k < taps.width; ++k) {
                const std::size_t tap = std::size_t(o) * taps.width + k;
                const double* source = from.data() + (n * axis.in + taps.indices[tap]) * inner;
                double* target = to.data() + (n * axis.out + o) * inner;
                for (std::int64_t i = 0; i < inner; ++i)
                    target[i] += source[i] * taps.shares[tap];
            }
    return to;
}

/// Axes go one after the other: what lies between must stay within bounds too.
bool hasSaneSteps(const Axes& axes) {
    double elements = 1;
    for (const ResizeAxis& axis : axes)
        elements *= double(std::max(axis.in, axis.out));
    return elements <= double(largestTensor);
}

/// Calls visit(element, outside) for every output element; outside when one of its coordinates is.
template <typename Visit> void forEachOutside(const Manner& manner, const Axes& axes, Visit&& visit) {
    std::vector<std::vector<bool>> outside(axes.size());
    bool any = false;
    for (std::size_t d = 0; d < axes.size(); ++d)
        for (std::int64_t o = 0; o < axes[d].out; ++o) {
            outside[d].push_back(isOutside(manner.coordinates, axes[d], o));
            any = any || outside[d].back();
        }
    std::vector<std::size_t> position(axes.size(), 0);
    for (std::size_t i = 0; any; ++i) {
        bool isOut = false;
        for (std::size_t d = 0; d < axes.size(); ++d)
            isOut = isOut || outside[d][position[d]];
        if (isOut)
            visit(i);
        std::size_t d = axes.size();
        while (d-- > 0) {
            if (++position[d] < outside[d].size())
                break;
            position[d] = 0;
        }
        if (d == std::size_t(-1))
            return;
    }
}

ResizeTaps tapsOf(const Manner& manner, const ResizeAxis& axis) {
    const bool isCubic = manner.mode == "cubic";
    if (manner.antialias)
        return antialiasedTaps(manner.coordinates, axis, isCubic, manner.cubicCoefficient, manner.excludeOutside);
    return isCubic ? cubicTaps(manner.coordinates, axis, manner.cubicCoefficient, manner.excludeOutside)
                   : linearTaps(manner.coordinates, axis);
}

/// Taps of all axes together: an axis that shrinks has about as many as the input has elements.
bool hasSaneTaps(const Manner& manner, const Axes& axes) {
    double taps = 0;
    for (const ResizeAxis& axis : axes)
        taps += double(axis.out) * (manner.antialias ? 5 + 4 / double(axis.scale) : 4);
    return taps <= double(largestTensor) / 16;
}

void interpolate(const Call& call, const Manner& manner, const Axes& axes) {
    std::vector<double> reals = realsOf(call.input());
    ir::Shape shape = call.input().shape;
    for (std::size_t d = 0; d < axes.size(); ++d) {
        if (axes[d].isIdentity())
            continue;
        const std::ptrdiff_t at = std::ptrdiff_t(d);
        const std::int64_t outer = ir::elementCount({shape.begin(), shape.begin() + at});
        const std::int64_t inner = ir::elementCount({shape.begin() + at + 1, shape.end()});
        const ResizeTaps taps = tapsOf(manner, axes[d]);
        reals = interpolatedAlong(reals, taps, axes[d], outer, inner);
        shape[d] = axes[d].out;
    }
    forEachOutside(manner, axes, [&](std::size_t i) { reals[i] = manner.extrapolation; });
    storeReals(call.output(), reals);
}

void takeNearest(const Call& call, const Manner& manner, const Axes& axes) {
    const Value& x = call.input();
    const std::vector<std::int64_t> strides = stridesOf(x.shape);
    std::vector<std::vector<std::int64_t>> offsets(axes.size());
    for (std::size_t d = 0; d < axes.size(); ++d)
        for (std::int64_t o = 0; o < axes[d].out; ++o)
            offsets[d].push_back(
                nearestIndex(manner.rounding, resizeCoordinate(manner.coordinates, axes[d], o), axes[d].in) *
                strides[d]);
    const std::size_t size = std::size_t(ir::elementBytes(x.type));
    Value moved = emptyLike(x, call.output().shape);
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
    Value outside = emptyLike(x, {});
    storeReals(outside, {manner.extrapolation});
    forEachOutside(manner, axes,
                   [&](std::size_t i) { std::copy_n(outside.bytes.data(), size, moved.bytes.data() + i * size); });
    convert(moved, call.output());
}

} // namespace

Done evaluateResize(const Call& call) {
    const Result<Axes> axes = resizeAxesOf(call);
    if (!axes)
        return fail(axes.error());
    const Manner manner = mannerOf(call);
    if (!isKnownCoordinateMode(manner.coordinates))
        return unsupported(call, "coordinate_transformation_mode \"" + manner.coordinates + "\" is not handled");
    if (!isKnownNearestMode(manner.rounding))
        return unsupported(call, "nearest_mode \"" + manner.rounding + "\" is not handled");
    if (call.input().quantisation && !call.input().quantisation->isPerTensor())
        return unsupported(call, "parameters per axis cannot be resized");
    if (manner.mode == "nearest")
        takeNearest(call, manner, *axes);
    else if ((manner.mode == "linear" || manner.mode == "cubic") && hasSaneSteps(*axes) && hasSaneTaps(manner, *axes))
        interpolate(call, manner, *axes);
    else
        return unsupported(call, "mode \"" + manner.mode +
                                     "\" is none of nearest, linear and cubic, or the sizes are too large");
    return {};
}

} // namespace poolwright::reference
