// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "program/program.h"
#include "target/machine.h"

#include <map>
#include <set>

/// Which nodes ride in another node's chain, and which tensors are stored in another form than the graph says.
namespace poolwright::lower {

/// Bounds of an int8 result, in its own integers.
struct Clamp {
    int low = -128, high = 127;
    bool isNone() const { return low <= -128 && high >= 127; }
};

/// What happens to the signed bytes of a result on their way to memory: bounds, or a table that holds them too.
struct Ending {
    Clamp clamp;
    std::optional<program::ActivConfig> function;
};

/// A result on its way: the nodes that ride along, and what becomes of the signed bytes.
struct Finish {
    TensorId output; ///< what the last follower writes
    Ending ending;   ///< with a function the node's own result keeps the parameters of its own output
    std::vector<NodeId> followers;
};

/// A sum with a tensor that lies in memory, or a pool, behind the anchor in the same epoch.
struct Stage : Finish {
    NodeId node;
    int operand = -1; ///< of a sum: the input that is read from memory; -1 for pools

    bool isSum() const { return operand >= 0; }
};

/// An anchor's chain: its own node first, then what follows in the same epoch.
struct Chain : Finish {
    std::vector<Stage> stages;

    TensorId written() const { return stages.empty() ? output : stages.back().output; }
    /// Everything but the anchor, in order.
    std::vector<NodeId> absorbed() const;
};

class Fusion {
public:
    Fusion(const ir::Graph& graph, const ir::Uses& uses, const target::Limits& limits);

    /// The node is carried out by the chain of another one.
    bool isAbsorbed(NodeId node) const { return m_absorbed.count(node.index) != 0; }
    Chain chainOf(NodeId anchor) const;
    /// Where in the graph's order the chain is due: at its sum, whose other operand may come later than the anchor.
    NodeId placeOf(NodeId anchor) const;
    /// The anchor whose chain is due at a node; the node itself when it stands for itself; invalid when there is
    /// nothing to do at this place.
    NodeId dueAt(NodeId node) const;
    /// The anchor goes to software: its followers stand for themselves again.
    void release(NodeId anchor);
    /// Keeps the first `count` stages; the nodes of the others become anchors.
    void shorten(NodeId anchor, std::size_t count);

private:
    void extendByClamps(Finish& chain) const;
    void extendByFunction(Finish& chain) const;
    void extendByStages(NodeId anchor, Chain& chain) const;
    std::optional<Stage> sumBehind(TensorId tensor) const;
    std::optional<Stage> poolBehind(TensorId tensor) const;
    NodeId onlyReader(TensorId tensor) const;
    void extend(NodeId anchor);
    void extendFunction(NodeId anchor);

    std::map<int, Chain> m_chains;
    std::set<int> m_absorbed;
    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    const target::Limits& m_limits;
};

/// Bounds of a Relu or Clip in the integers of `tensor`, as if it were int8.
Clamp clampOf(const ir::Node& node, const ir::Tensor& tensor);

/// Tensors with zero point -128 that convolutions alone read: stored as unsigned bytes
/// (facts/neural-art-target.md 2.3.2), which lets CONV_ACC run its full 8x8 rate. `hardwareConvs`: nodes that
/// will be lowered to units.
std::set<int> unsignedTensors(const ir::Graph& graph, const ir::Uses& uses, const std::set<int>& hardwareConvs);

/// The outputs lie where the input lies, seen with other strides: no epoch moves them (unless a Reshape cannot say so).
bool isAlias(const ir::Node& node);

} // namespace poolwright::lower
