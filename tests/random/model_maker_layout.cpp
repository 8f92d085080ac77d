// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include <numeric>

namespace poolwright::test {

using ir::Shape;
using Integers = std::vector<std::int64_t>;

bool ModelMaker::addConcat() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const Shape shape = m_activations[x].shape;
    const std::size_t axis = shape.size() > 1 ? pick(1, unsigned(shape.size()) - 1) : 0;
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < m_activations.size(); ++i) {
        Shape other = m_activations[i].shape;
        if (other.size() != shape.size())
            continue;
        other[axis] = shape[axis];
        if (other == shape)
            partners.push_back(i);
    }
    std::vector<std::string> inputs;
    Shape result = shape;
    result[axis] = 0;
    const unsigned parts = pick(2, 3);
    for (unsigned i = 0; i < parts; ++i) {
        const std::size_t part = oneOf(partners);
        inputs.push_back(read(part));
        result[axis] += m_activations[part].shape[axis];
    }
    if (ir::elementCount(result) > largestActivation)
        return false;
    apply("Concat", inputs, result, sameAs(x));
    setAttribute(last(), "axis", std::int64_t(axis));
    return true;
}

bool ModelMaker::addTranspose() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Integers permutation(m_activations[x].shape.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::size_t d = permutation.size(); d > 2; --d) // the batch stays in front
        std::swap(permutation[d - 1], permutation[pick(1, unsigned(d) - 1)]);
    Shape shape;
    for (std::int64_t d : permutation)
        shape.push_back(m_activations[x].shape[std::size_t(d)]);
    apply("Transpose", {read(x)}, shape, sameAs(x));
    setAttribute(last(), "perm", permutation);
    return true;
}

/// One axis, by steps, sometimes from behind.
bool ModelMaker::addSlice() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Shape shape = m_activations[x].shape;
    if (shape.size() < 2)
        return false;
    const std::size_t axis = pick(1, unsigned(shape.size()) - 1);
    if (shape[axis] < 2)
        return false;
    const std::int64_t front = pick(0, unsigned(shape[axis]) - 1), step = pick(1, 3);
    const std::int64_t back = pick(unsigned(front), unsigned(shape[axis]) - 1);
    shape[axis] = (back - front) / step + 1;
    const bool backwards = pick(0, 4) == 0;
    // an end in front of the first element is written far below zero
    const std::int64_t before = front == 0 ? -1000 : front - 1;
    const std::string input = read(x), starts = addIntegers({backwards ? back : front}),
                      ends = addIntegers({backwards ? before : back + 1}), axes = addIntegers({std::int64_t(axis)}),
                      steps = addIntegers({backwards ? -step : step});
    apply("Slice", {input, starts, ends, axes, steps}, shape, sameAs(x));
    return true;
}

bool ModelMaker::addPad() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    Integers pads(8, 0);
    for (std::size_t d = 2; d < 4; ++d) {
        pads[d] = pick(0, 2);
        pads[d + 4] = pick(0, 2);
        shape[d] += pads[d] + pads[d + 4];
    }
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(std::size_t(x)), amounts = addIntegers(pads);
    apply("Pad", {input, amounts}, shape, sameAs(std::size_t(x)));
    return true;
}

/// To twice or three times the size, to any other or a smaller one; all coordinate modes.
bool ModelMaker::addResize() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    const std::int64_t factor = pick(2, 3);
    const bool whole = pick(0, 2) != 0;
    for (std::size_t d = 2; d < 4; ++d)
        shape[d] = whole ? shape[d] * factor : std::int64_t(pick(1, unsigned(2 * shape[d])));
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(std::size_t(x)), sizes = addIntegers(shape);
    apply("Resize", {input, "", "", sizes}, shape, sameAs(std::size_t(x)));
    setAttribute(last(), "mode", oneOf<std::string>({"nearest", "linear"}));
    setAttribute(last(), "coordinate_transformation_mode",
                 oneOf<std::string>({"asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel"}));
    setAttribute(last(), "nearest_mode",
                 oneOf<std::string>({"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"}));
    return true;
}

/// Two or three parts of any extents.
bool ModelMaker::addSplit() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    const Shape shape = m_activations[std::size_t(x)].shape;
    const std::size_t axis = pick(1, 3);
    if (shape[axis] < 3)
        return false;
    const std::int64_t first = pick(1, unsigned(shape[axis]) - 2);
    Integers parts{first, shape[axis] - first};
    if (pick(0, 1) == 0) {
        const std::int64_t second = pick(1, unsigned(parts[1]) - 1);
        parts = {first, second, parts[1] - second};
    }
    const std::string input = read(std::size_t(x)), extents = addIntegers(parts);
    std::vector<std::string> outputs;
    onnx::NodeProto& node = addNode("Split", {input, extents});
    setAttribute(node, "axis", std::int64_t(axis));
    for (std::size_t i = 0; i < parts.size(); ++i)
        node.add_output(outputs.emplace_back(newName("r")));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Shape part = shape;
        part[axis] = parts[i];
        quantise(outputs[i], part, sameAs(std::size_t(x)));
    }
    return true;
}

/// Any rank to four dimensions, with the channels where the elements divide.
bool ModelMaker::addReshape() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const std::int64_t count = ir::elementCount(m_activations[x].shape);
    std::int64_t channels = pick(1, 16);
    while (count % channels != 0)
        --channels;
    std::int64_t width = pick(1, 12);
    while (count / channels % width != 0)
        --width;
    const Shape shape{1, channels, count / channels / width, width};
    const std::string input = read(x), wanted = addIntegers(shape);
    apply("Reshape", {input, wanted}, shape, sameAs(x));
    return true;
}

/// Rows of an axis in any order, some twice, some counted from behind.
bool ModelMaker::addGather() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Shape shape = m_activations[x].shape;
    if (shape.size() < 2 || !may("Gather"))
        return false;
    const std::size_t axis = pick(1, unsigned(shape.size()) - 1);
    Integers indices(pick(1, 6));
    for (std::int64_t& index : indices)
        index = std::int64_t(pick(0, unsigned(2 * shape[axis]) - 1)) - shape[axis];
    shape[axis] = std::int64_t(indices.size());
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(x), rows = addIntegers(indices);
    apply("Gather", {input, rows}, shape, sameAs(x));
    setAttribute(last(), "axis", std::int64_t(axis));
    return true;
}

/// A dimension of one element becomes several.
bool ModelMaker::addExpand() {
    const int x = anyOfRank(4);
    if (x < 0 || !may("Expand"))
        return false;
    Shape shape = m_activations[std::size_t(x)].shape;
    for (std::size_t d = 1; d < 4; ++d)
        if (shape[d] == 1)
            shape[d] = pick(1, 6);
    if (shape == m_activations[std::size_t(x)].shape || ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(std::size_t(x)), wanted = addIntegers(shape);
    apply("Expand", {input, wanted}, shape, sameAs(std::size_t(x)));
    return true;
}

bool ModelMaker::addTile() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    Shape shape = m_activations[x].shape;
    if (pick(0, 1) == 0 || !may("Tile"))
        return false;
    Integers repeats(shape.size(), 1);
    for (std::size_t d = 1; d < shape.size(); ++d)
        shape[d] *= repeats[d] = pick(1, 2);
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::string input = read(x), counts = addIntegers(repeats);
    apply("Tile", {input, counts}, shape, sameAs(x));
    return true;
}

} // namespace poolwright::test
