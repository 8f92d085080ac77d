// SPDX-License-Identifier: Apache-2.0
#include "reference/strided.h"

#include <cstring>

namespace poolwright::reference {

namespace {

/// Requantises into the output's parameters unless there is nothing to change.
Done finish(const Call& call, Value&& moved) {
    if (sameMeaning(moved, call.output()))
        call.output().bytes = std::move(moved.bytes);
    else
        convert(moved, call.output());
    return {};
}

bool isPerTensor(const Value& value) {
    return !value.quantisation || value.quantisation->isPerTensor();
}

// ---- Transpose

/// The permutation, or an empty one when the attribute is none.
std::vector<std::size_t> permutationOf(const Call& call) {
    const std::size_t rank = call.input().shape.size();
    std::vector<std::int64_t> given = call.integers("perm");
    if (given.empty())
        for (std::size_t d = rank; d-- > 0;)
            given.push_back(std::int64_t(d));
    std::vector<bool> seen(rank, false);
    std::vector<std::size_t> permutation;
    for (std::int64_t axis : given) {
        if (axis < 0 || axis >= std::int64_t(rank) || seen[std::size_t(axis)])
            return {};
        seen[std::size_t(axis)] = true;
        permutation.push_back(std::size_t(axis));
    }
    return permutation;
}

// ---- Pad

/// Index into an axis of `extent` elements for a position outside it, or -1 for the constant.
std::int64_t sourceIndex(std::int64_t position, std::int64_t extent, const std::string& mode) {
    if (position >= 0 && position < extent)
        return position;
    if (mode == "edge")
        return std::clamp<std::int64_t>(position, 0, extent - 1);
    if (mode == "reflect")
        return position < 0 ? -position : 2 * (extent - 1) - position;
    if (mode == "wrap")
        return position < 0 ? position + extent : position - extent;
    return -1;
}

/// Whether `reach` positions outside an axis find elements to repeat.
bool canRepeat(std::int64_t extent, std::int64_t reach, const std::string& mode) {
    if (mode == "constant" || reach <= 0)
        return true;
    return extent >= 1 && reach <= (mode == "reflect" ? extent - 1 : mode == "wrap" ? extent : reach);
}

struct PadPlan {
    std::vector<std::vector<std::int64_t>> sources; ///< per axis: input index of each output index, -1: the constant
    std::vector<std::uint8_t> constant;             ///< one element
};

std::vector<std::uint8_t> padConstant(const Call& call) {
    Value constant = emptyLike(call.input(), {});
    double real = call.real("value", call.real("constant_value", 0.0));
    if (call.hasInput(2) && call.input(2).elements() == 1)
        real = realsOf(call.input(2)).front();
    storeReals(constant, {real});
    return constant.bytes;
}

Result<PadPlan> planOf(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape& in = call.input().shape;
    const ir::Shape& out = call.output().shape;
    std::vector<std::int64_t> pads = call.integers("pads");
    if (pads.empty() && call.hasInput(1))
        pads = integersOf(call.input(1));
    const std::string mode = call.text("mode", "constant");
    if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap")
        return unsupported(call, "mode \"" + mode + "\" is none of constant, edge, reflect and wrap");
    if (pads.size() != 2 * in.size() || out.size() != in.size())
        return mismatch(call, "pads need two entries per dimension, and the output the rank of the input");
    PadPlan plan;
    plan.constant = padConstant(call);
    for (std::size_t d = 0; d < in.size(); ++d) {
        const std::int64_t begin = pads[d];
        const std::int64_t end = pads[in.size() + d];
        if (begin > out[d] || end > out[d] || begin < -in[d] || end < -in[d] || in[d] + begin + end != out[d])
            return mismatch(call, "the output's extents are not those of the input plus the pads");
        const std::int64_t first = std::max<std::int64_t>(-begin, 0); // cropping comes before repeating
        const std::int64_t kept = in[d] - first - std::max<std::int64_t>(-end, 0);
        if (kept < 0 || !canRepeat(kept, std::max(begin, end), mode))
            return mismatch(call, "pads reach beyond the elements that they repeat");
        plan.sources.emplace_back();
        for (std::int64_t i = 0; i < out[d]; ++i) {
            const std::int64_t index = sourceIndex(i - std::max<std::int64_t>(begin, 0), kept, mode);
            plan.sources.back().push_back(index < 0 ? -1 : index + first);
        }
    }
    return plan;
}

/// Fills `to` row by row; a row is the last dimension.
void padRows(const PadPlan& plan, const Value& x, Value& padded) {
    const std::size_t size = plan.constant.size();
    const std::vector<std::int64_t> strides = stridesOf(x.shape);
    std::vector<std::size_t> position(x.shape.size(), 0);
    for (std::int64_t i = 0; i < padded.elements(); ++i) {
        std::int64_t offset = 0;
        bool inside = true;
        for (std::size_t d = 0; d < position.size(); ++d) {
            const std::int64_t index = plan.sources[d][position[d]];
            inside = inside && index >= 0;
            offset += index * strides[d];
        }
        std::memcpy(padded.bytes.data() + std::size_t(i) * size,
                    inside ? x.bytes.data() + std::size_t(offset) * size : plan.constant.data(), size);
        for (std::size_t d = position.size(); d-- > 0;) {
            if (++position[d] < plan.sources[d].size())
                break;
            position[d] = 0;
        }
    }
}

// ---- Concat

std::string concatProblem(const Call& call, std::int64_t axis) {
    const ir::Shape& out = call.output().shape;
    std::int64_t extent = 0;
    for (const Value* input : call.inputs) {
        if (!input || input->shape.size() != out.size())
            return "all inputs need the rank of the output";
        for (std::size_t d = 0; d < out.size(); ++d)
            if (std::int64_t(d) != axis && input->shape[d] != out[d])
                return "extents differ outside the axis of concatenation";
        extent += input->shape[std::size_t(axis)];
        if (input->quantisation.has_value() != call.output().quantisation.has_value() &&
            input->type != ir::ElementType::Float32 && call.output().type != ir::ElementType::Float32)
            return "integers with and without parameters cannot be joined";
    }
    return extent == out[std::size_t(axis)] ? std::string()
                                            : "the extents along the axis do not add up to the output's";
}

} // namespace

Done evaluateReshape(const Call& call) {
    if (!call.hasInput(0) || call.input().elements() != call.output().elements())
        return mismatch(call, "input and output need the same number of elements");
    convert(call.input(), call.output());
    return {};
}

Done evaluateTranspose(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const Value& x = call.input();
    const std::vector<std::size_t> permutation = permutationOf(call);
    if (permutation.size() != x.shape.size())
        return mismatch(call, "perm is no permutation of the input's dimensions");
    if (!isPerTensor(x))
        return unsupported(call, "parameters per axis cannot be transposed");
    const std::vector<std::int64_t> own = stridesOf(x.shape);
    ir::Shape shape;
    std::vector<std::int64_t> strides;
    for (std::size_t axis : permutation) {
        shape.push_back(x.shape[axis]);
        strides.push_back(own[axis]);
    }
    if (shape != call.output().shape)
        return mismatch(call, "the output's shape is not the permuted one");
    return moveInto(call, x, {shape, strides, 0}, call.output());
}

Done evaluatePad(const Call& call) {
    const Result<PadPlan> plan = planOf(call);
    if (!plan)
        return fail(plan.error());
    if (!isPerTensor(call.input()))
        return unsupported(call, "parameters per axis cannot be padded");
    Value padded = emptyLike(call.input(), call.output().shape);
    padRows(*plan, call.input(), padded);
    return finish(call, std::move(padded));
}

Done evaluateConcat(const Call& call) {
    const ir::Shape& shape = call.output().shape;
    const std::int64_t axis = normalisedAxis(call.integer("axis", 0), shape.size());
    if (axis < 0 || call.inputs.empty())
        return mismatch(call, "the axis is out of range or there are no inputs");
    if (const std::string problem = concatProblem(call, axis); !problem.empty())
        return mismatch(call, problem);
    const std::int64_t size = ir::elementBytes(call.output().type);
    const std::int64_t inner = ir::elementCount({shape.begin() + axis + 1, shape.end()}) * size;
    const std::int64_t outer = ir::elementCount({shape.begin(), shape.begin() + axis});
    const std::int64_t row = shape[std::size_t(axis)] * inner;
    std::int64_t offset = 0;
    for (const Value* input : call.inputs) {
        Value part{call.output().type, input->shape, call.output().quantisation, {}};
        part.bytes.resize(std::size_t(input->elements() * size));
        convert(*input, part);
        const std::int64_t run = input->shape[std::size_t(axis)] * inner;
        for (std::int64_t o = 0; o < outer; ++o)
            std::copy_n(part.bytes.begin() + o * run, run, call.output().bytes.begin() + o * row + offset);
        offset += run;
    }
    return {};
}

} // namespace poolwright::reference
