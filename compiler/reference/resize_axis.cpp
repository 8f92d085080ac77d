// SPDX-License-Identifier: Apache-2.0
#include "reference/resize_axis.h"

namespace poolwright::reference {

namespace {

bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* known) { return name == known; });
}

std::vector<double> listOf(const Call& call, const char* key, std::size_t input) {
    std::vector<double> values = call.reals(key);
    if (values.empty() && call.hasInput(input) && call.input(input).type == ir::ElementType::Float32)
        values = realsOf(call.input(input));
    return values;
}

} // namespace

bool isKnownCoordinateMode(const std::string& mode) {
    return isOneOf(mode, {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                          "tf_half_pixel_for_nn", "tf_crop_and_resize"});
}

bool isKnownNearestMode(const std::string& mode) {
    return isOneOf(mode, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
}

Result<std::vector<ResizeAxis>> resizeAxesOf(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape &in = call.input().shape, &out = call.output().shape;
    if (in.size() != out.size())
        return mismatch(call, "input and output need the same rank");
    const std::vector<double> scales = listOf(call, "scales", 2);
    const bool crops = call.text("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize";
    const std::vector<double> roi = crops ? listOf(call, "roi", 1) : std::vector<double>();
    if ((!scales.empty() && scales.size() != in.size()) || (crops && roi.size() != 2 * in.size()))
        return mismatch(call, "one scale per dimension and two ends of the region of interest are required");
    std::vector<ResizeAxis> axes;
    for (std::size_t d = 0; d < in.size(); ++d) {
        if (in[d] < 1 || out[d] < 1)
            return mismatch(call, "empty dimensions cannot be resized");
        ResizeAxis axis{in[d], out[d], float(out[d]) / float(in[d]), 0, 1};
        if (!scales.empty())
            axis.scale = float(scales[d]);
        if (crops) {
            axis.roiStart = float(roi[d]);
            axis.roiEnd = float(roi[in.size() + d]);
        }
        // Rounded down, or to the nearest where the aspect ratio is kept; a region of interest is resized, not the
        // whole.
        const bool follows = std::abs(double(in[d]) * axis.scale - double(out[d])) <= 1.0 + 1e-6;
        if (!(axis.scale > 0) || !std::isfinite(axis.roiStart) || !std::isfinite(axis.roiEnd) || (!crops && !follows))
            return mismatch(call, "the output's extents do not follow from the scales");
        axes.push_back(axis);
    }
    return axes;
}

float resizeCoordinate(const std::string& mode, const ResizeAxis& axis, std::int64_t o) {
    const float x = float(o), last = float(axis.in - 1);
    if (mode == "asymmetric")
        return x / axis.scale;
    if (mode == "align_corners")
        return axis.out == 1 ? 0.0F : x * last / float(axis.out - 1);
    if (mode == "tf_crop_and_resize") {
        if (axis.out == 1)
            return 0.5F * (axis.roiStart + axis.roiEnd) * last;
        return axis.roiStart * last + x * (axis.roiEnd - axis.roiStart) * last / float(axis.out - 1);
    }
    if (mode == "pytorch_half_pixel" && axis.out == 1)
        return 0.0F;
    const float half = (x + 0.5F) / axis.scale;
    if (mode == "tf_half_pixel_for_nn")
        return half;
    if (mode != "half_pixel_symmetric")
        return half - 0.5F;
    const float adjustment = float(axis.out) / (axis.scale * float(axis.in));
    return float(axis.in) / 2 * (1 - adjustment) + half - 0.5F;
}

bool isOutside(const std::string& mode, const ResizeAxis& axis, std::int64_t o) {
    if (mode != "tf_crop_and_resize")
        return false;
    const float x = resizeCoordinate(mode, axis, o);
    return x < 0 || x > float(axis.in - 1);
}

std::int64_t nearestIndex(const std::string& mode, float coordinate, std::int64_t extent) {
    const double x = coordinate;
    double index = std::ceil(x - 0.5); // round_prefer_floor
    if (mode == "floor")
        index = std::floor(x);
    else if (mode == "ceil")
        index = std::ceil(x);
    else if (mode == "round_prefer_ceil")
        index = std::floor(x + 0.5);
    return std::int64_t(std::clamp(index, 0.0, double(extent - 1)));
}

ResizeTaps linearTaps(const std::string& mode, const ResizeAxis& axis) {
    ResizeTaps taps{2, {}, {}};
    for (std::int64_t o = 0; o < axis.out; ++o) {
        const double x = std::clamp(double(resizeCoordinate(mode, axis, o)), 0.0, double(axis.in - 1));
        const std::int64_t lower = std::int64_t(std::floor(x));
        taps.indices.insert(taps.indices.end(), {lower, std::min(lower + 1, axis.in - 1)});
        taps.shares.insert(taps.shares.end(), {1 - (x - double(lower)), x - double(lower)});
    }
    return taps;
}

ResizeTaps cubicTaps(const std::string& mode, const ResizeAxis& axis, double a, bool excludeOutside) {
    ResizeTaps taps{4, {}, {}};
    for (std::int64_t o = 0; o < axis.out; ++o) {
        // Far outside every tap is the edge's.
        const double x = std::clamp(double(resizeCoordinate(mode, axis, o)), -4.0, double(axis.in + 3));
        const std::int64_t lower = std::int64_t(std::floor(x));
        const double t = x - double(lower), u = 1 - t;
        const double far = t + 1, back = u + 1;
        double shares[4] = {((a * far - 5 * a) * far + 8 * a) * far - 4 * a, ((a + 2) * t - (a + 3)) * t * t + 1,
                            ((a + 2) * u - (a + 3)) * u * u + 1, ((a * back - 5 * a) * back + 8 * a) * back - 4 * a};
        double sum = 0;
        for (std::int64_t k = 0; k < 4; ++k) {
            const std::int64_t index = lower - 1 + k;
            if (excludeOutside && (index < 0 || index >= axis.in))
                shares[k] = 0;
            sum += shares[k];
            taps.indices.push_back(std::clamp<std::int64_t>(index, 0, axis.in - 1));
        }
        for (double share : shares)
            taps.shares.push_back(excludeOutside && sum != 0 ? share / sum : share);
    }
    return taps;
}

/// The kernels at distance x: a tent, or Keys' cubic.
static double kernelAt(double x, bool isCubic, double a) {
    const double d = std::abs(x);
    if (!isCubic)
        return std::max(0.0, 1 - d);
    if (d < 1)
        return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0.0;
}

ResizeTaps antialiasedTaps(const std::string& mode, const ResizeAxis& axis, bool isCubic, double a,
                           bool excludeOutside) {
    const double stretch = std::max(1.0, 1.0 / double(axis.scale));
    const double support = (isCubic ? 2.0 : 1.0) * stretch;
    ResizeTaps taps{std::size_t(std::ceil(2 * support)) + 1, {}, {}};
    for (std::int64_t o = 0; o < axis.out; ++o) {
        const double x = std::clamp(double(resizeCoordinate(mode, axis, o)), -support - 1, double(axis.in) + support);
        const std::int64_t first = std::int64_t(std::floor(x + 1 - support)); // centre x + 0.5, rounded
        std::vector<double> shares(taps.width, 0.0);
        double sum = 0;
        for (std::size_t k = 0; k < taps.width; ++k) {
            const std::int64_t index = first + std::int64_t(k);
            const bool isOut = index < 0 || index >= axis.in;
            shares[k] = excludeOutside && isOut ? 0.0 : kernelAt((double(index) - x) / stretch, isCubic, a);
            sum += shares[k];
            taps.indices.push_back(std::clamp<std::int64_t>(index, 0, axis.in - 1));
        }
        for (double share : shares)
            taps.shares.push_back(sum != 0 ? share / sum : share);
    }
    return taps;
}

} // namespace poolwright::reference
