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

/// An anchor's chain: its own node first, then what follows in the same epoch.
struct Chain {
    TensorId output; ///< what the last of the chain writes
    Ending ending;   ///< with a function the anchor's own result keeps the parameters of its own output
    std::vector<NodeId> followers;
};

class Fusion {
public:
    Fusion(const ir::Graph& graph, const ir::Uses& uses);

    /// The node is carried out by the chain of another one.
    bool isAbsorbed(NodeId node) const { return m_absorbed.count(node.index) != 0; }
    Chain chainOf(NodeId anchor) const;
    /// The anchor goes to software: its followers stand for themselves again.
    void release(NodeId anchor);

private:
    void extendByClamps(const ir::Uses& uses, Chain& chain) const;
    void extendByFunction(const ir::Uses& uses, Chain& chain) const;
    void extend(const ir::Uses& uses, NodeId anchor);
    void extendFunction(const ir::Uses& uses, NodeId anchor);

    std::map<int, Chain> m_chains;
    std::set<int> m_absorbed;
    const ir::Graph& m_graph;
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
