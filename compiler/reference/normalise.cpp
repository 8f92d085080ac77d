// SPDX-License-Identifier: Apache-2.0
#include "reference/broadcast.h"
#include "reference/lines.h"

namespace poolwright::reference {

namespace {

/// Mean 0 and variance 1, but for epsilon.
void standardise(const Line& line, double epsilon) {
    double mean = 0, variance = 0;
    for (std::int64_t i = 0; i < line.count; ++i)
        mean += line[i];
    mean /= double(line.count);
    for (std::int64_t i = 0; i < line.count; ++i)
        variance += (line[i] - mean) * (line[i] - mean);
    const double factor = 1.0 / std::sqrt(variance / double(line.count) + epsilon);
    for (std::int64_t i = 0; i < line.count; ++i)
        line[i] = (line[i] - mean) * factor;
}

bool hasShapeOfOutput(const Call& call) {
    return call.hasInput(0) && call.input().shape == call.output().shape && !call.input().shape.empty();
}

/// Divides by the norm, unless that is 0.
void divideByNorm(const Line& line, bool absolute) {
    double norm = 0;
    for (std::int64_t i = 0; i < line.count; ++i)
        norm += absolute ? std::fabs(line[i]) : line[i] * line[i];
    norm = absolute ? norm : std::sqrt(norm);
    for (std::int64_t i = 0; i < line.count; ++i)
        line[i] = norm == 0 ? 0.0 : line[i] / norm;
}

/// What of a line's squares lies in a window around each element (ONNX LRN).
void dampen(const Line& line, const Call& call) {
    const std::int64_t size = call.integer("size", 1);
    const double alpha = call.real("alpha", 1e-4) / double(size);
    std::vector<double> results;
    for (std::int64_t c = 0; c < line.count; ++c) {
        double sum = 0;
        const std::int64_t first = std::max<std::int64_t>(0, c - (size - 1) / 2);
        const std::int64_t last = std::min(line.count - 1, c + size / 2);
        for (std::int64_t i = first; i <= last; ++i)
            sum += line[i] * line[i];
        results.push_back(line[c] / std::pow(call.real("bias", 1.0) + alpha * sum, call.real("beta", 0.75)));
    }
    for (std::int64_t c = 0; c < line.count; ++c)
        line[c] = results[std::size_t(c)];
}

} // namespace

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias, per channel (dimension 1).
Done evaluateBatchNormalization(const Call& call) {
    for (std::size_t i = 0; i < 5; ++i)
        if (!call.hasInput(i))
            return mismatch(call, "x, scale, bias, mean and variance are required");
    const ir::Shape& shape = call.input().shape;
    if (shape.size() < 2 || shape != call.output().shape)
        return mismatch(call, "input and output need the same shape [N, C, ...]");
    for (std::size_t i = 1; i < 5; ++i)
        if (call.input(i).elements() != shape[1])
            return mismatch(call, "scale, bias, mean and variance need one element per channel");
    std::vector<double> reals = realsOf(call.input());
    const std::vector<double> scale = realsOf(call.input(1));
    const std::vector<double> bias = realsOf(call.input(2));
    const std::vector<double> mean = realsOf(call.input(3));
    const std::vector<double> variance = realsOf(call.input(4));
    const double epsilon = call.real("epsilon", 1e-5);
    const std::size_t channels = std::size_t(shape[1]);
    const std::size_t run = std::size_t(ir::elementCount({shape.begin() + 2, shape.end()}));
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const std::size_t c = i / run % channels;
        reals[i] = (reals[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * scale[c] + bias[c];
    }
    storeReals(call.output(), reals);
    return {};
}

/// Each image and channel for itself; with "num_groups" the channels of each group together. Scale and bias a channel.
Done evaluateInstanceNormalization(const Call& call) {
    if (!hasShapeOfOutput(call) || call.inputs.size() != 3 || !call.hasInput(1) || !call.hasInput(2) ||
        call.input().shape.size() < 2)
        return mismatch(call, "x [N, C, ...], scale and bias are required");
    const ir::Shape& shape = call.input().shape;
    const std::int64_t channels = shape[1], groups = call.integer("num_groups", channels);
    if (groups < 1 || channels % groups != 0)
        return mismatch(call, "the channels cannot be divided into the groups");
    if (call.input(1).elements() != channels || call.input(2).elements() != channels)
        return mismatch(call, "scale and bias need one element per channel");
    std::vector<double> reals = realsOf(call.input());
    const std::vector<double> scale = realsOf(call.input(1)), bias = realsOf(call.input(2));
    const std::int64_t run = ir::elementCount({shape.begin() + 2, shape.end()});
    const double epsilon = call.real("epsilon", 1e-5);
    forEachLine(reals, {shape[0] * groups, channels / groups * run}, 1, 2,
                [epsilon](const Line& line) { standardise(line, epsilon); });
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const std::size_t c = i / std::size_t(run) % std::size_t(channels);
        reals[i] = reals[i] * scale[c] + bias[c];
    }
    storeFloats(call.output(), {reals.begin(), reals.end()});
    return {};
}

/// All dimensions from "axis" on together; scale and bias broadcast.
Done evaluateLayerNormalization(const Call& call) {
    if (!hasShapeOfOutput(call) || !call.hasInput(1))
        return mismatch(call, "x and scale are required");
    const ir::Shape& shape = call.input().shape;
    const std::int64_t axis = normalisedAxis(call.integer("axis", -1), shape.size());
    if (axis < 0)
        return mismatch(call, "the axis is out of range");
    std::vector<double> reals = realsOf(call.input());
    const std::vector<double> scale = realsOf(call.input(1));
    const std::vector<double> bias = call.hasInput(2) ? realsOf(call.input(2)) : std::vector<double>{0.0};
    const ir::Shape single;
    auto walk =
        BroadcastWalk::over(shape, {&shape, &call.input(1).shape, call.hasInput(2) ? &call.input(2).shape : &single});
    if (!walk)
        return mismatch(call, "scale or bias do not broadcast to the input");
    const double epsilon = call.real("epsilon", 1e-5);
    forEachLine(reals, shape, axis, std::int64_t(shape.size()),
                [epsilon](const Line& line) { standardise(line, epsilon); });
    for (double& real : reals) {
        real = real * scale[walk->at(1)] + bias[walk->at(2)];
        walk->next();
    }
    storeFloats(call.output(), {reals.begin(), reals.end()});
    return {};
}

Done evaluateLpNormalization(const Call& call) {
    if (!hasShapeOfOutput(call))
        return mismatch(call, "input and output need the same shape");
    const std::int64_t axis = normalisedAxis(call.integer("axis", -1), call.input().shape.size());
    const std::int64_t p = call.integer("p", 2);
    if (axis < 0 || (p != 1 && p != 2))
        return mismatch(call, "the axis is out of range, or the norm is neither 1 nor 2");
    std::vector<double> reals = realsOf(call.input());
    forEachLine(reals, call.input().shape, axis, axis + 1, [p](const Line& line) { divideByNorm(line, p == 1); });
    storeFloats(call.output(), {reals.begin(), reals.end()});
    return {};
}

Done evaluateLocalResponse(const Call& call) {
    if (!hasShapeOfOutput(call) || call.input().shape.size() < 2 || call.integer("size", 1) < 1)
        return mismatch(call, "x [N, C, ...] and a window of at least one channel are required");
    std::vector<double> reals = realsOf(call.input());
    forEachLine(reals, call.input().shape, 1, 2, [&](const Line& line) { dampen(line, call); });
    storeFloats(call.output(), {reals.begin(), reals.end()});
    return {};
}

} // namespace poolwright::reference
