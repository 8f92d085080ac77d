// SPDX-License-Identifier: Apache-2.0
#include "reference/strided.h"

namespace poolwright::reference {

namespace {

/// What is wrong with the ranges of a Slice, or an empty text.
std::string sliceProblem(const Call& call, const std::vector<std::int64_t>& starts,
                         const std::vector<std::int64_t>& steps) {
    const ir::Shape& in = call.input().shape;
    const ir::Shape& out = call.output().shape;
    if (starts.size() != in.size() || steps.size() != in.size() || out.size() != in.size())
        return "starts and steps need one entry for each dimension";
    for (std::size_t d = 0; d < in.size(); ++d) {
        if (steps[d] == 0 || steps[d] > largestTensor || steps[d] < -largestTensor)
            return "a step is out of range";
        const std::int64_t last = starts[d] + (out[d] - 1) * steps[d];
        if (out[d] > 0 && (starts[d] < 0 || starts[d] >= in[d] || last < 0 || last >= in[d]))
            return "a slice reaches beyond its dimension";
    }
    return {};
}

/// Dimensions of an image with blocks: [N, C', s, s, H, W] and the like become one view by naming the order.
Done moveBlocks(const Call& call, const ir::Shape& split, const std::vector<std::size_t>& order) {
    const std::vector<std::int64_t> own = stridesOf(split);
    StridedView view;
    for (std::size_t axis : order) {
        view.shape.push_back(split[axis]);
        view.strides.push_back(own[axis]);
    }
    return moveInto(call, call.input(), view, call.output());
}

/// The block size, or 0 when input or output are no [N, C, H, W] or the size is absurd.
std::int64_t blockOf(const Call& call) {
    const std::int64_t block = call.integer("blocksize", 0);
    const bool images = call.hasInput(0) && call.input().shape.size() == 4 && call.output().shape.size() == 4;
    return images && block >= 1 && block <= 1 << 12 ? block : 0;
}

} // namespace

Done evaluateSplit(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape& in = call.input().shape;
    const std::int64_t axis = normalisedAxis(call.integer("axis", 0), in.size());
    if (axis < 0)
        return mismatch(call, "the axis is out of range");
    StridedView view = wholeOf(in);
    std::int64_t begin = 0;
    for (Value& output : call.outputs) {
        ir::Shape part = in;
        if (output.shape.size() != in.size() || output.shape[std::size_t(axis)] > in[std::size_t(axis)] - begin)
            return mismatch(call, "the parts do not add up to the input");
        part[std::size_t(axis)] = output.shape[std::size_t(axis)];
        if (part != output.shape)
            return mismatch(call, "the parts differ from the input outside the axis");
        view.shape = part;
        view.offset = begin * view.strides[std::size_t(axis)];
        begin += part[std::size_t(axis)];
        if (const Done done = moveInto(call, call.input(), view, output); !done)
            return done;
    }
    return begin == in[std::size_t(axis)] ? Done() : mismatch(call, "the parts do not add up to the input");
}

Done evaluateSlice(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const std::vector<std::int64_t> starts = call.integers("starts");
    const std::vector<std::int64_t> steps = call.integers("steps");
    if (const std::string problem = sliceProblem(call, starts, steps); !problem.empty())
        return mismatch(call, problem);
    StridedView view = wholeOf(call.input().shape);
    view.shape = call.output().shape;
    for (std::size_t d = 0; d < starts.size(); ++d) {
        view.offset += starts[d] * view.strides[d];
        view.strides[d] *= steps[d];
    }
    return moveInto(call, call.input(), view, call.output());
}

Done evaluateExpand(const Call& call) {
    if (!call.hasInput(0) || call.input().shape.size() > call.output().shape.size())
        return mismatch(call, "an input of no higher rank than the output is required");
    const ir::Shape& in = call.input().shape;
    StridedView view{call.output().shape, std::vector<std::int64_t>(call.output().shape.size(), 0), 0};
    const std::vector<std::int64_t> own = stridesOf(in);
    const std::size_t added = view.shape.size() - in.size();
    for (std::size_t d = 0; d < in.size(); ++d) {
        if (in[d] != 1 && in[d] != view.shape[added + d])
            return mismatch(call, "the input cannot be broadcast to the output");
        view.strides[added + d] = in[d] == 1 ? 0 : own[d];
    }
    return moveInto(call, call.input(), view, call.output());
}

Done evaluateTile(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape& in = call.input().shape;
    const ir::Shape& out = call.output().shape;
    const std::vector<std::int64_t> repeats = call.integers("repeats");
    if (repeats.size() != in.size() || out.size() != in.size())
        return mismatch(call, "repeats need one entry for each dimension");
    const std::vector<std::int64_t> own = stridesOf(in);
    StridedView view; // each dimension in two: which copy, and where in it
    for (std::size_t d = 0; d < in.size(); ++d) {
        if (repeats[d] < 0 || repeats[d] > largestTensor || out[d] != in[d] * repeats[d])
            return mismatch(call, "the output's extents are not those of the input times the repeats");
        view.shape.insert(view.shape.end(), {repeats[d], in[d]});
        view.strides.insert(view.strides.end(), {0, own[d]});
    }
    return moveInto(call, call.input(), view, call.output());
}

Done evaluateDepthToSpace(const Call& call) {
    const std::int64_t s = blockOf(call);
    if (s == 0)
        return mismatch(call, "images [N, C, H, W] and a block size are required");
    const ir::Shape& in = call.input().shape;
    const std::int64_t channels = in[1] / (s * s);
    if (call.output().shape != ir::Shape{in[0], channels, in[2] * s, in[3] * s} || channels * s * s != in[1])
        return mismatch(call, "the output's shape does not follow from the block size");
    const std::string mode = call.text("mode", "DCR");
    if (mode == "DCR")
        return moveBlocks(call, {in[0], s, s, channels, in[2], in[3]}, {0, 3, 4, 1, 5, 2});
    if (mode == "CRD")
        return moveBlocks(call, {in[0], channels, s, s, in[2], in[3]}, {0, 1, 4, 2, 5, 3});
    return unsupported(call, "mode \"" + mode + "\" is neither DCR nor CRD");
}

Done evaluateSpaceToDepth(const Call& call) {
    const std::int64_t s = blockOf(call);
    if (s == 0)
        return mismatch(call, "images [N, C, H, W] and a block size are required");
    const ir::Shape& in = call.input().shape;
    const ir::Shape& out = call.output().shape;
    if (out[2] * s != in[2] || out[3] * s != in[3] || out[0] != in[0] || out[1] != in[1] * s * s)
        return mismatch(call, "the output's shape does not follow from the block size");
    return moveBlocks(call, {in[0], in[1], out[2], s, out[3], s}, {0, 3, 5, 1, 2, 4});
}

} // namespace poolwright::reference
