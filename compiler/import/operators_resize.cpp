// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <algorithm>
#include <cmath>

/// Resize of all opsets, and its predecessor Upsample (7..9).
namespace poolwright::import {
namespace {

using ir::Shape;
using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;

/// The result's shape and the factor of each dimension.
struct Target {
    Shape shape;
    Reals scales;
};

/// Dimensions that scales, sizes and roi speak of: all, unless the attribute axes (opset 18) names some.
Integers resizedAxes(const NodeView& node, std::size_t rank) {
    Integers axes = node.opset() >= 18 ? node.integers("axes") : Integers();
    if (axes.empty())
        for (std::size_t d = 0; d < rank; ++d)
            axes.push_back(std::int64_t(d));
    for (std::int64_t& axis : axes)
        axis = normalisedAxis(axis, rank);
    return axes;
}

Reals scalesOf(const NodeView& node) {
    if (node.opset() < 9)
        return node.reals("scales");
    const int input = node.opset() < 11 ? 1 : 2;
    return node.has(input) ? ir::realsOf(node.constant(input, "scales")) : Reals();
}

void requireSize(double size) {
    if (!(size >= 1) || !(size < double(1 << 24)))
        refuse("PW2045", "a resized dimension would have " + std::to_string(size) + " elements");
}

Target byScales(const Shape& x, const Integers& axes, const Reals& given) {
    if (given.size() != axes.size())
        refuse("PW2045", "scales do not have one entry for each dimension");
    Target target{x, Reals(x.size(), 1.0)};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto d = std::size_t(axes[i]);
        if (!(given[i] > 0))
            refuse("PW2045", "a scale is not positive");
        // ONNX Runtime multiplies in float32.
        const double size = std::floor(double(float(given[i]) * float(x[d])));
        requireSize(size);
        target.scales[d] = given[i];
        target.shape[d] = std::int64_t(size);
    }
    return target;
}

Target bySizes(const NodeView& node, const Shape& x, const Integers& axes) {
    if (node.opset() < 11 || !node.has(3))
        refuse("PW2045", "there are neither scales nor sizes");
    const Integers sizes = node.constantIntegers(3, "sizes");
    if (sizes.size() != axes.size())
        refuse("PW2045", "sizes do not have one entry for each dimension");
    const std::string policy =
        node.opset() >= 18 ? node.text("keep_aspect_ratio_policy", "stretch") : std::string("stretch");
    if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
        refuse("PW2048", "keep_aspect_ratio_policy '" + policy + "' is not known");
    Target target{x, Reals(x.size(), 1.0)};
    Reals ratios;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto d = std::size_t(axes[i]);
        requireSize(double(sizes[i]));
        if (x[d] < 1)
            refuse("PW2045", "an empty dimension cannot be resized");
        ratios.push_back(double(float(sizes[i]) / float(x[d])));
        target.shape[d] = sizes[i];
        target.scales[d] = ratios.back();
    }
    if (policy == "stretch" || ratios.empty())
        return target;
    const double common = policy == "not_larger" ? *std::min_element(ratios.begin(), ratios.end())
                                                 : *std::max_element(ratios.begin(), ratios.end());
    for (std::int64_t axis : axes) {
        const auto d = std::size_t(axis);
        const double size = std::round(double(float(common) * float(x[d])));
        requireSize(size);
        target.shape[d] = std::int64_t(size);
        target.scales[d] = common;
    }
    return target;
}

/// All begins, then all ends; dimensions that nobody names are taken whole.
Reals regionOf(const NodeView& node, std::size_t rank, const Integers& axes) {
    const Reals given = node.has(1) ? ir::realsOf(node.constant(1, "the region of interest")) : Reals();
    if (given.size() != 2 * axes.size())
        refuse("PW2045", "the region of interest does not have two ends for each dimension");
    Reals region(2 * rank, 0.0);
    std::fill(region.begin() + std::ptrdiff_t(rank), region.end(), 1.0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        region[std::size_t(axes[i])] = given[i];
        region[rank + std::size_t(axes[i])] = given[axes.size() + i];
    }
    for (double end : region)
        if (!(std::abs(end) < 1e6))
            refuse("PW2045", "the region of interest is not finite");
    return region;
}

std::string coordinatesOf(const NodeView& node) {
    static const char* const known[] = {
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",  "align_corners",
        "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn"}; // the last one before opset 13
    if (node.opset() < 11)
        return "asymmetric";
    std::string mode = node.text("coordinate_transformation_mode", "half_pixel");
    if (std::none_of(std::begin(known), std::end(known), [&](const char* name) { return mode == name; }))
        refuse("PW2048", "coordinate_transformation_mode '" + mode + "' is not known");
    return mode;
}

std::string roundingOf(const NodeView& node) {
    static const char* const known[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
    std::string mode = node.text("nearest_mode", "round_prefer_floor");
    if (std::none_of(std::begin(known), std::end(known), [&](const char* name) { return mode == name; }))
        refuse("PW2048", "nearest_mode '" + mode + "' is not known");
    return mode;
}

std::string modeOf(const NodeView& node) {
    const std::string mode = node.text("mode", "nearest");
    if (mode != "nearest" && mode != "linear" && mode != "cubic" && mode != "bilinear")
        refuse("PW2048", "mode '" + mode + "' is not supported", "use nearest, linear or cubic interpolation");
    if (node.opset() < 11 && mode == "cubic")
        refuse("PW2048", "mode 'cubic' needs opset 11");
    return mode == "bilinear" ? "linear" : mode;
}

ElementSort resizedSort(const NodeView& node, const std::string& mode) {
    if (mode == "nearest")
        return movedSort(node, 0);
    requireReal(node, 0);
    return {};
}

/// Before opset 11 a dimension that grows takes the element below, one that shrinks the element above (as ONNX Runtime
/// does): where both happen, growing comes first.
void emitOldNearest(const NodeView& node, const Target& target, ir::Attributes attributes, const ElementSort& sort) {
    const bool grows = std::any_of(target.scales.begin(), target.scales.end(), [](double s) { return s > 1; });
    const bool shrinks = std::any_of(target.scales.begin(), target.scales.end(), [](double s) { return s < 1; });
    TensorId x = node.input(0);
    Target last = target;
    if (grows && shrinks) {
        Target first{node.shape(0), Reals(target.scales.size(), 1.0)};
        for (std::size_t d = 0; d < target.scales.size(); ++d)
            if (target.scales[d] > 1) {
                first.shape[d] = target.shape[d];
                first.scales[d] = target.scales[d];
                last.scales[d] = 1;
            }
        attributes["nearest_mode"] = std::string("floor");
        attributes["scales"] = first.scales;
        x = node.emitStep("_grown", ir::OpKind::Resize, {x}, attributes, sort.type, first.shape);
        node.context().graph[x].quantisation = sort.quantisation;
    }
    attributes["nearest_mode"] = std::string(shrinks ? "ceil" : "floor");
    attributes["scales"] = last.scales;
    node.emit(ir::OpKind::Resize, {x}, std::move(attributes), sort.type, last.shape, sort.quantisation);
}

} // namespace

void readResize(const NodeView& node) {
    const std::string mode = modeOf(node), coordinates = coordinatesOf(node);
    const ElementSort sort = resizedSort(node, mode);
    const Shape x = node.shape(0);
    const Integers axes = resizedAxes(node, x.size());
    const Reals scales = scalesOf(node);
    const Target target = scales.empty() ? bySizes(node, x, axes) : byScales(x, axes, scales);
    ir::Attributes attributes{{"mode", mode},
                              {"coordinate_transformation_mode", coordinates},
                              {"nearest_mode", roundingOf(node)},
                              {"scales", target.scales},
                              {"cubic_coeff_a", node.real("cubic_coeff_a", -0.75)},
                              {"exclude_outside", std::int64_t(node.integer("exclude_outside", 0) != 0)},
                              {"extrapolation_value", node.real("extrapolation_value", 0)}};
    if (node.opset() >= 18 && mode != "nearest" && node.integer("antialias", 0) != 0)
        attributes["antialias"] = std::int64_t(1);
    if (coordinates == "tf_crop_and_resize")
        attributes["roi"] = regionOf(node, x.size(), axes);
    if (node.opset() < 11 && mode == "nearest")
        emitOldNearest(node, target, std::move(attributes), sort);
    else
        node.emit(ir::OpKind::Resize, {node.input(0)}, std::move(attributes), sort.type, target.shape,
                  sort.quantisation);
}

} // namespace poolwright::import
