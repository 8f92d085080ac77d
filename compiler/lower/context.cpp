// SPDX-License-Identifier: Apache-2.0
#include "lower/context.h"

#include "lower/conv_lower.h"
#include "lower/copy.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

std::set<int> hardwareConvs(const ir::Graph& graph) {
    std::set<int> convs;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const ir::OpKind kind = graph.nodes[i].kind;
        const bool isConv = kind == ir::OpKind::Conv || kind == ir::OpKind::ConvTranspose || kind == ir::OpKind::Gemm;
        if (isConv && refuseConv(graph, graph.nodes[i]).empty())
            convs.insert(int(i));
    }
    return convs;
}

std::string epochName(const ir::Graph& graph, NodeId node, const std::vector<NodeId>& followers) {
    std::string name = graph[node].name;
    for (NodeId follower : followers)
        name += " + " + graph[follower].name;
    return name;
}

program::OperatorRef operatorRef(const ir::Graph& graph, NodeId id, std::int64_t macs) {
    const ir::Node& node = graph[id];
    return {id, node.name, ir::opKindName(node.kind), node.originalNames, macs};
}

} // namespace

Context::Context(const ir::Graph& theGraph, const target::Machine& theMachine,
                 const options::CompilerOptions& theOptions)
    : graph(theGraph)
    , uses(ir::usesOf(theGraph))
    , machine(theMachine)
    , options(theOptions)
    , fusion(theGraph, uses, theMachine.limits) {
    const std::set<int> convs = hardwareConvs(theGraph);
    m_unsigned = unsignedTensors(theGraph, uses, convs);
    for (TensorId input : graph.inputs) {
        m_views[input.index] = defaultView(input, true, program::BufferKind::Input);
        buffer(m_views[input.index].buffer).tensors.push_back(m_views[input.index]);
    }
    planConcats(convs);
}

BufferId Context::addBuffer(const std::string& name, std::int64_t bytes, program::BufferKind kind) {
    program::Buffer buffer;
    buffer.name = name;
    buffer.size = ByteCount(bytes);
    buffer.kind = kind;
    const bool constant = kind == program::BufferKind::Constant;
    const bool io = kind == program::BufferKind::Input || kind == program::BufferKind::Output;
    buffer.alignment = constant ? limits().parameterAlignment
                       : io     ? limits().ioAlignment
                                : limits().activationAlignment;
    buffer.usedByCpu = io;
    buffer.userAllocated = (kind == program::BufferKind::Input && options.noInputsAllocation) ||
                           (kind == program::BufferKind::Output && options.noOutputsAllocation);
    result.buffers.push_back(std::move(buffer));
    return BufferId(result.buffers.size() - 1);
}

BufferId Context::addConstant(const std::string& name, std::vector<std::uint8_t> contents) {
    const BufferId id = addBuffer(name, std::int64_t(contents.size()), program::BufferKind::Constant);
    buffer(id).contents = std::make_shared<const std::vector<std::uint8_t>>(std::move(contents));
    return id;
}

BufferId Context::addWords(const std::string& name, const std::vector<std::int32_t>& words, int bits) {
    std::vector<std::uint8_t> bytes;
    for (std::int32_t word : words)
        for (int shift = 0; shift < bits; shift += 8)
            bytes.push_back(std::uint8_t(std::uint32_t(word) >> shift));
    return addConstant(name, std::move(bytes));
}

Context::TensorView Context::defaultView(TensorId id, bool rowMajor, program::BufferKind kind) {
    const ir::Tensor& tensor = graph[id];
    TensorView view;
    view.name = tensor.name;
    view.type = tensor.type;
    view.shape = tensor.shape;
    view.quantisation = tensor.quantisation;
    if (m_unsigned.count(id.index)) {
        view.type = ir::ElementType::UInt8;
        view.quantisation->zeroPoints = {0};
    }
    const std::int64_t bytes = ir::elementBytes(tensor.type);
    view.strides = rowMajor ? rowMajorStrides(tensor.shape, bytes) : channelLastStrides(tensor.shape, bytes);
    view.buffer = addBuffer(tensor.name, tensor.bytes(), kind);
    return view;
}

Context::TensorView Context::newBufferLike(const TensorView& like, const std::string& name, bool rowMajor) {
    TensorView view = like;
    const std::int64_t bytes = ir::elementBytes(like.type);
    view.name = name;
    view.offset = 0;
    view.strides = rowMajor ? rowMajorStrides(like.shape, bytes) : channelLastStrides(like.shape, bytes);
    view.buffer = addBuffer(name, ir::elementCount(like.shape) * bytes, program::BufferKind::Activation);
    buffer(view.buffer).tensors.push_back(view);
    return view;
}

Context::TensorView Context::view(TensorId tensor) {
    const auto found = m_views.find(tensor.index);
    if (found != m_views.end())
        return found->second;
    // Only constants come here: every activation got its view when its producer was lowered.
    TensorView constant = defaultView(tensor, true, program::BufferKind::Constant);
    buffer(constant.buffer).contents = graph[tensor].data;
    buffer(constant.buffer).alignment = limits().parameterAlignment;
    setView(tensor, constant);
    return constant;
}

void Context::setView(TensorId tensor, TensorView view) {
    m_views[tensor.index] = view;
    std::vector<TensorView>& views = buffer(view.buffer).tensors;
    std::erase_if(views, [&](const TensorView& earlier) { return earlier.name == view.name; });
    views.push_back(std::move(view));
}

bool Context::isNetworkOutput(TensorId tensor) const {
    return std::find(graph.outputs.begin(), graph.outputs.end(), tensor) != graph.outputs.end();
}

bool Context::isStoredUnsigned(TensorId tensor) const {
    return graph[tensor].type == ir::ElementType::UInt8 || m_unsigned.count(tensor.index) != 0;
}

Context::TensorView Context::outputView(TensorId tensor, bool channelLast) {
    const auto planned = m_planned.find(tensor.index);
    if (planned != m_planned.end()) {
        setView(tensor, planned->second);
        return planned->second;
    }
    const bool rowMajor = isNetworkOutput(tensor) && !channelLast;
    const TensorView view = defaultView(tensor, rowMajor, program::BufferKind::Activation);
    setView(tensor, view);
    return view;
}

Result<Context::TensorView> Context::channelLast(TensorId tensor, NodeId reader) {
    const TensorView own = view(tensor);
    const std::size_t channel = own.shape.size() == 4 ? 1 : own.shape.size() - 1;
    if (own.shape[channel] == 1 || own.strides[channel] == ir::elementBytes(own.type))
        return own;
    const auto found = m_channelLast.find(tensor.index);
    if (found != m_channelLast.end())
        return found->second;
    const TensorView copy = newBufferLike(own, own.name + "_channel_last", false);
    if (auto done = copyStep(*this, reader, own, copy); !done)
        return tl::unexpected(done.error());
    m_channelLast[tensor.index] = copy;
    return copy;
}

void Context::addStep(NodeId node, std::vector<program::Epoch> epochs) {
    if (!epochs.empty())
        result.steps.push_back({node, std::move(epochs)});
}

program::Epoch Context::hardwareEpoch(NodeId node, program::HardwareWork work, std::int64_t macs) const {
    program::Epoch epoch;
    epoch.kind = program::EpochKind::Hardware;
    const std::vector<NodeId> followers = fusion.chainOf(node).absorbed();
    epoch.name = epochName(graph, node, followers);
    epoch.operators.push_back(operatorRef(graph, node, macs));
    for (NodeId follower : followers)
        epoch.operators.push_back(operatorRef(graph, follower, 0));
    epoch.work = std::move(work);
    return epoch;
}

void Context::rewind(Mark mark) {
    const auto gone = [&](const auto& entry) { return entry.second.buffer.index >= int(mark.buffers); };
    std::erase_if(m_views, gone);
    std::erase_if(m_channelLast, gone);
    result.buffers.resize(mark.buffers);
    result.steps.resize(mark.steps);
}

// ---- concatenations

void Context::planConcats(const std::set<int>& convs) {
    const auto cycles = [&](NodeId conv, const std::vector<std::int64_t>& sources) {
        return convCycles(*this, conv, sources);
    };
    concats = lower::planConcats(graph, uses, fusion, {m_unsigned, convs, cycles});
    for (const ConcatChoice& choice : concats.choices)
        if (choice.way != ConcatWay::FromParts)
            planned(graph[choice.node].outputs[0]);
    for (const auto& [tensor, place] : concats.places)
        planned(TensorId(tensor));
}

/// The place of a tensor in a concatenation, or of the whole.
Context::TensorView Context::planned(TensorId tensor) {
    const auto found = m_planned.find(tensor.index);
    if (found != m_planned.end())
        return found->second;
    const auto place = concats.places.find(tensor.index);
    TensorView view;
    if (place == concats.places.end()) {
        view = defaultView(tensor, false, program::BufferKind::Activation);
    } else {
        const auto& [whole, axis, first] = place->second;
        view = slice(planned(whole), axis, first, graph[tensor].shape[axis]);
        view.name = graph[tensor].name;
    }
    return m_planned[tensor.index] = view;
}

/// Empty for a tensor that exists.
std::vector<TensorId> Context::partsOf(TensorId tensor) const {
    const auto parts = concats.parts.find(tensor.index);
    return parts != concats.parts.end() && m_views.count(tensor.index) == 0 ? parts->second : std::vector<TensorId>();
}

std::vector<std::int64_t> Context::channelsOfParts(TensorId tensor) const {
    std::vector<std::int64_t> channels;
    for (TensorId part : partsOf(tensor))
        channels.push_back(graph[part].shape[1]);
    return channels;
}

Result<std::vector<Context::TensorView>> Context::channelLastParts(TensorId tensor, NodeId reader) {
    std::vector<TensorId> tensors = partsOf(tensor);
    if (tensors.empty())
        tensors.push_back(tensor);
    std::vector<TensorView> views;
    for (TensorId part : tensors) {
        auto own = channelLast(part, reader);
        if (!own)
            return tl::unexpected(own.error());
        views.push_back(*own);
    }
    return views;
}

Result<void> Context::putTogether(TensorId tensor, NodeId reader) {
    const std::vector<TensorId> parts = partsOf(tensor);
    if (parts.empty())
        return {};
    const TensorView whole = defaultView(tensor, false, program::BufferKind::Activation);
    setView(tensor, whole);
    std::int64_t first = 0;
    for (TensorId part : parts) {
        const TensorView own = view(part);
        if (auto done = copyStep(*this, reader, own, slice(whole, 1, first, own.shape[1])); !done)
            return done;
        first += own.shape[1];
    }
    return {};
}

Result<Refusal> addEpoch(Context& context, NodeId node, EpochBuilder& builder) {
    auto work = builder.finish();
    if (!work)
        return tl::unexpected(work.error());
    context.addStep(node, {context.hardwareEpoch(node, std::move(*work))});
    return Refusal();
}

bool isByteTensor(const ir::Tensor& tensor) {
    return (tensor.type == ir::ElementType::Int8 || tensor.type == ir::ElementType::UInt8) && tensor.isQuantised() &&
           tensor.quantisation->isPerTensor();
}

ScaleZero inputScaleZero(const program::TensorView& view) {
    return {view.quantisation->scales.front(), view.quantisation->zeroPoints.front()};
}

ScaleZero outputScaleZero(const program::TensorView& view) {
    return {view.quantisation->scales.front(), signedZero(view)};
}

} // namespace poolwright::lower
