// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "lower/fusion.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

/// How each concatenation comes about. Written in place, all its bytes are taken from the first part on; so a part that
/// waits long for the others (a skip connection) is better read where it lies by who reads the whole, or copied late.
/// Decided on the graph alone, before anything is lowered: steps are nodes in graph order, bytes those of whole
/// tensors.
namespace poolwright::lower {

enum class ConcatWay {
    InPlace,   ///< parts are written into the whole, as far as their producers can
    FromParts, ///< the whole does not exist: convolutions read their channels from the parts
    LateCopy   ///< early parts keep buffers of their own and are copied when the last part is there
};

struct ConcatChoice {
    NodeId node;
    ConcatWay way = ConcatWay::InPlace;
    std::int64_t savedBytes = 0; ///< of the largest live set while parts wait, against writing in place
    std::string reason;
};

/// Where a tensor is written as a part of a concatenation.
struct ConcatPlace {
    TensorId whole;
    std::size_t axis = 0;
    std::int64_t first = 0; ///< along the axis
};

struct ConcatPlan {
    std::map<int, ConcatPlace> places;          ///< by tensor
    std::map<int, std::vector<TensorId>> parts; ///< by the whole that is read from its parts
    std::vector<ConcatChoice> choices;          ///< one a concatenation, in graph order
    std::vector<std::int64_t> live;             ///< bytes of tensors alive at each node
    std::int64_t peak = 0;
};

/// What the decision asks of the rest of lowering.
struct ConcatQuestions {
    std::set<int> unsignedTensors; ///< stored with other bytes than the graph says
    std::set<int> hardwareConvs;
    /// Cycles of a convolution (a node), its input in one tensor or, with `sources`, in several of so many channels.
    /// Nothing when no tile fits.
    std::function<std::optional<std::int64_t>(NodeId conv, const std::vector<std::int64_t>& sources)> cycles;
};

ConcatPlan planConcats(const ir::Graph& graph, const ir::Uses& uses, const Fusion& fusion,
                       const ConcatQuestions& questions);

/// One note for the network: which concatenations are not written in place, and why. Nothing when there are none.
void report(const ir::Graph& graph, const std::vector<ConcatChoice>& choices, Diagnostics& notes);

} // namespace poolwright::lower
