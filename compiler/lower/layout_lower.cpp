// SPDX-License-Identifier: Apache-2.0
#include "lower/layout_lower.h"

#include "lower/copy.h"

#include <set>

namespace poolwright::lower {

namespace {

using program::TensorView;

std::optional<TensorView> aliasOf(const ir::Node& node, const TensorView& x, const ir::Shape& shape) {
    if (node.kind == ir::OpKind::Transpose) {
        std::vector<std::int64_t> permutation = node.integers("perm");
        if (permutation.empty())
            for (std::size_t i = x.shape.size(); i-- > 0;)
                permutation.push_back(std::int64_t(i));
        return transposed(x, permutation);
    }
    return reshaped(x, shape);
}

/// A reshape that strides cannot say: one copy straight into the output's layout when that layout can be seen in the
/// input's shape, else into a row-major buffer.
Result<void> copyReshaped(Context& context, NodeId id, const TensorView& x) {
    const TensorId out = context.graph[id].outputs[0];
    const Context::Mark mark = context.mark();
    TensorView target = context.outputView(out);
    if (auto seen = reshaped(target, x.shape)) {
        seen->type = target.type = x.type; // a copy keeps bytes as they are stored, unsigned ones too
        seen->quantisation = target.quantisation = x.quantisation;
        seen->name = target.name;
        context.setView(out, target);
        return copyStep(context, id, x, *seen);
    }
    context.rewind(mark);
    const TensorView rows = context.newBufferLike(x, x.name + "_row_major", true);
    TensorView view = *reshaped(rows, context.graph[out].shape);
    view.name = context.graph[out].name;
    context.setView(out, view);
    return copyStep(context, id, x, rows);
}

std::size_t axisOf(const ir::Node& node, std::size_t rank) {
    const std::int64_t axis = node.integer("axis");
    return std::size_t(axis < 0 ? axis + std::int64_t(rank) : axis);
}

bool liesIn(const TensorView& view, const TensorView& place) {
    return view.buffer == place.buffer && view.offset == place.offset &&
           sameStrides(view.shape, view.strides, place.strides);
}

} // namespace

Result<Refusal> lowerAlias(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const ir::Tensor& out = context.graph[node.outputs[0]];
    const TensorView x = context.view(node.inputs[0]);
    auto alias = aliasOf(node, x, out.shape);
    if (!alias) {
        if (auto done = copyReshaped(context, id, x); !done)
            return tl::unexpected(done.error());
        return Refusal();
    }
    alias->name = out.name;
    context.setView(node.outputs[0], *alias);
    return Refusal();
}

Result<Refusal> lowerConcat(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (context.concats.parts.count(node.outputs[0].index) != 0)
        return Refusal(); // its readers see to it
    const TensorView whole = context.outputView(node.outputs[0]);
    const std::size_t axis = axisOf(node, whole.shape.size());
    std::int64_t first = 0;
    for (TensorId input : node.inputs) {
        const TensorView x = context.view(input);
        TensorView place = slice(whole, axis, first, x.shape[axis]);
        first += x.shape[axis];
        if (liesIn(x, place))
            continue;
        place.name = context.graph[input].name + "_in_" + whole.name;
        if (auto done = copyStep(context, id, x, place); !done)
            return tl::unexpected(done.error());
    }
    return Refusal();
}

Result<Refusal> lowerRequantize(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const TensorView x = context.view(node.inputs[0]);
    const TensorView y = context.outputView(node.outputs[0]);
    auto work = requantiseWork(context, node.name, x, y);
    if (!work)
        return Refusal(work.error().front().message);
    context.addStep(id, {context.hardwareEpoch(id, std::move(*work))});
    return Refusal();
}

namespace {

/// A row-major, own buffer that may be handed to the application.
bool canBeOutput(const Context& context, const TensorView& view, const std::set<int>& taken) {
    const program::Buffer& buffer = context.result.buffers[std::size_t(view.buffer.index)];
    return buffer.kind == program::BufferKind::Activation && isRowMajor(view) && view.offset == 0 &&
           buffer.size.value == ir::elementCount(view.shape) * ir::elementBytes(view.type) &&
           taken.count(view.buffer.index) == 0;
}

TensorView outputBuffer(Context& context, const ir::Tensor& tensor) {
    TensorView view;
    view.name = tensor.name;
    view.type = tensor.type;
    view.shape = tensor.shape;
    view.quantisation = tensor.quantisation;
    view.strides = rowMajorStrides(tensor.shape, ir::elementBytes(tensor.type));
    view.buffer = context.addBuffer(tensor.name + "_output", tensor.bytes(), program::BufferKind::Output);
    context.buffer(view.buffer).tensors.push_back(view);
    return view;
}

} // namespace

Result<void> finishOutputs(Context& context) {
    std::set<int> taken;
    for (TensorId output : context.graph.outputs) {
        TensorView view = context.view(output);
        if (canBeOutput(context, view, taken)) {
            program::Buffer& buffer = context.buffer(view.buffer);
            buffer.kind = program::BufferKind::Output;
            buffer.name = view.name; // the name that the application knows, not that of what it is an alias of
            buffer.alignment = context.limits().ioAlignment;
            buffer.usedByCpu = true;
            buffer.userAllocated = context.options.noOutputsAllocation;
        } else {
            const NodeId producer = context.uses.producer[std::size_t(output.index)];
            const TensorView target = outputBuffer(context, context.graph[output]);
            const NodeId node = producer.isValid() ? producer : NodeId(context.graph.nodes.empty() ? -1 : 0);
            if (auto done = copyStep(context, node, view, target); !done)
                return done;
            view = target;
        }
        taken.insert(view.buffer.index);
        context.result.outputs.push_back(view);
    }
    return {};
}

} // namespace poolwright::lower
