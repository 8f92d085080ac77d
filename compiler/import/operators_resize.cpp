// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <cmath>

namespace poolwright::import {
namespace {

using ir::Shape;

std::vector<double> scalesOf(const NodeView& node) {
    if (node.opset() < 9)
        return node.reals("scales");
    const int input = node.opset() < 11 ? 1 : 2;
    return node.has(input) ? ir::realsOf(node.constant(input, "scales")) : std::vector<double>{};
}

/// Spreads values that are given for some axes (opset 18) over all dimensions.
template <typename T>
std::vector<T> overAllAxes(const NodeView& node, const std::vector<T>& values, std::vector<T> all) {
    if (!node.hasAttribute("axes")) {
        if (values.size() != all.size())
            refuse("PW2045", "scales or sizes do not have one entry for each dimension");
        return values;
    }
    const auto axes = node.integers("axes");
    if (axes.size() != values.size())
        refuse("PW2045", "scales or sizes do not have one entry for each axis");
    for (std::size_t i = 0; i < axes.size(); ++i)
        all[std::size_t(normalisedAxis(axes[i], all.size()))] = values[i];
    return all;
}

void scaleShape(const NodeView& node, const Shape& x, const std::vector<double>& given, Shape& shape,
                std::vector<double>& scales) {
    scales = overAllAxes(node, given, std::vector<double>(x.size(), 1.0));
    for (std::size_t d = 0; d < x.size(); ++d) {
        if (!(scales[d] > 0) || !(scales[d] * double(x[d]) < double(1 << 24)))
            refuse("PW2045", "a scale is not positive or too large");
        shape.push_back(std::int64_t(std::floor(double(x[d]) * scales[d])));
    }
}

void sizeShape(const NodeView& node, const Shape& x, Shape& shape, std::vector<double>& scales) {
    if (!node.has(3))
        refuse("PW2045", "there are neither scales nor sizes");
    if (node.text("keep_aspect_ratio_policy", "stretch") != "stretch")
        refuse("PW2048", "keep_aspect_ratio_policy other than stretch is not supported");
    shape = overAllAxes(node, node.constantIntegers(3, "sizes"), x);
    for (std::size_t d = 0; d < x.size(); ++d) {
        if (shape[d] < 1 || x[d] < 1)
            refuse("PW2045", "a size is not positive");
        scales.push_back(double(shape[d]) / double(x[d]));
    }
}

} // namespace

/// Resize of all opsets and its predecessor Upsample (7..9), whose meaning is that of asymmetric coordinates rounded
/// down.
void readResize(const NodeView& node) {
    requireReal(node, 0);
    const Shape x = node.shape(0);
    const bool old = node.opset() < 11;
    const std::string mode = node.text("mode", "nearest");
    if (mode != "nearest" && mode != "linear")
        refuse("PW2048", "mode '" + mode + "' is not supported", "use nearest or linear interpolation");
    const std::string coordinates = old ? "asymmetric" : node.text("coordinate_transformation_mode", "half_pixel");
    if (coordinates == "tf_crop_and_resize")
        refuse("PW2048", "coordinate_transformation_mode tf_crop_and_resize is not supported");
    if (node.integer("antialias", 0) != 0)
        refuse("PW2048", "antialias is not supported");
    Shape shape;
    std::vector<double> scales;
    const auto given = scalesOf(node);
    if (!given.empty())
        scaleShape(node, x, given, shape, scales);
    else
        sizeShape(node, x, shape, scales);
    node.emit(ir::OpKind::Resize, {node.input(0)},
              {{"mode", mode},
               {"coordinate_transformation_mode", coordinates},
               {"nearest_mode", old ? std::string("floor") : node.text("nearest_mode", "round_prefer_floor")},
               {"scales", scales}},
              ir::ElementType::Float32, shape);
}

} // namespace poolwright::import
