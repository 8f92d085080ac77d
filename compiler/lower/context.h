// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/concat_plan.h"
#include "lower/conv_saturation.h"
#include "lower/epoch_builder.h"
#include "lower/fusion.h"
#include "lower/lower.h"
#include "lower/requant.h"
#include "lower/views.h"

#include <map>
#include <set>

/// What all lowering functions share: the graph, the machine, and the buffers and steps made so far.
namespace poolwright::lower {

/// Why hardware cannot do something: one sentence "rule; rewrite". Empty: nothing stands against it.
using Refusal = std::string;

class Context {
public:
    using TensorView = program::TensorView;

    Context(const ir::Graph& theGraph, const target::Machine& theMachine, const options::CompilerOptions& theOptions);

    const ir::Graph& graph;
    const ir::Uses uses;
    const target::Machine& machine;
    const options::CompilerOptions& options;
    Fusion fusion;
    Lowered result;
    std::vector<Saturation> saturations; ///< of the convolutions lowered so far
    ConcatPlan concats;

    const target::Limits& limits() const { return machine.limits; }

    // ---- buffers
    BufferId addBuffer(const std::string& name, std::int64_t bytes, program::BufferKind kind);
    BufferId addConstant(const std::string& name, std::vector<std::uint8_t> contents);
    /// Little-endian words of 8, 16 or 32 bits.
    BufferId addWords(const std::string& name, const std::vector<std::int32_t>& words, int bits);
    program::Buffer& buffer(BufferId id) { return result.buffers[std::size_t(id.index)]; }

    // ---- tensors
    /// Where a tensor lies: an activation's own view, a constant's row-major buffer.
    TensorView view(TensorId tensor);
    void setView(TensorId tensor, TensorView view);
    /// Where a node shall write: the place planned for it (in-place concatenation), a row-major buffer for a network
    /// output, else a new channel-last buffer. A writer that needs its channels side by side says `channelLast`.
    TensorView outputView(TensorId tensor, bool channelLast = false);
    bool isNetworkOutput(TensorId tensor) const;
    /// The tensor's bytes are unsigned in memory.
    bool isStoredUnsigned(TensorId tensor) const;
    /// The view, or a copy of it (one for all readers), with channels side by side.
    Result<TensorView> channelLast(TensorId tensor, NodeId reader);
    /// A concatenation that is read from its parts: these, in order; else the tensor alone.
    Result<std::vector<TensorView>> channelLastParts(TensorId tensor, NodeId reader);
    std::vector<std::int64_t> channelsOfParts(TensorId tensor) const; ///< empty when it is one tensor
    /// Puts together what was to be read from its parts, for a reader that cannot.
    Result<void> putTogether(TensorId tensor, NodeId reader);
    /// A new buffer in the default layout for a tensor of this view's shape and type.
    TensorView newBufferLike(const TensorView& view, const std::string& name, bool rowMajor);

    // ---- steps
    void addStep(NodeId node, std::vector<program::Epoch> epochs);
    program::Epoch hardwareEpoch(NodeId node, program::HardwareWork work, std::int64_t macs = 0) const;

    /// Undoes buffers and steps of a lowering that had to give up.
    struct Mark {
        std::size_t buffers = 0, steps = 0;
    };
    Mark mark() const { return {result.buffers.size(), result.steps.size()}; }
    void rewind(Mark mark);

private:
    void planConcats(const std::set<int>& convs);
    std::vector<TensorId> partsOf(TensorId tensor) const;
    TensorView planned(TensorId tensor);
    TensorView defaultView(TensorId tensor, bool rowMajor, program::BufferKind kind);

    std::set<int> m_unsigned;
    std::map<int, TensorView> m_views, m_planned, m_channelLast;
};

/// The usual end of a lowering: what the builder holds is the node's one epoch.
Result<Refusal> addEpoch(Context& context, NodeId node, EpochBuilder& builder);

/// int8 or uint8 with one scale: what byte-wise units take.
bool isByteTensor(const ir::Tensor& tensor);
/// What a unit sees of a tensor that it reads: the integers as they are stored.
ScaleZero inputScaleZero(const program::TensorView& view);
/// What the last ARITH of a chain aims at: a signed byte, to which 128 is added when the tensor is stored unsigned.
ScaleZero outputScaleZero(const program::TensorView& view);

} // namespace poolwright::lower
