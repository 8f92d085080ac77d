// SPDX-License-Identifier: Apache-2.0
#include "lower/concat_plan.h"

#include "lower/context.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

constexpr std::int64_t worthReading = 50; ///< parts of the peak that reading from parts must save
constexpr std::int64_t worthCopying = 10; ///< likewise a copy, which costs an epoch
constexpr std::int64_t dearer = 20;       ///< parts of its cycles that a convolution may lose
constexpr std::int64_t muchDearer = 4;    ///< likewise, where even a copy would be worth it

bool isOutput(const ir::Graph& graph, TensorId tensor) {
    return std::find(graph.outputs.begin(), graph.outputs.end(), tensor) != graph.outputs.end();
}

std::size_t axisOf(const ir::Graph& graph, const ir::Node& node) {
    const std::int64_t rank = std::int64_t(graph[node.outputs[0]].shape.size()), axis = node.integer("axis");
    return std::size_t(axis < 0 ? axis + rank : axis);
}

/// What is chosen for a concatenation; in place unless it says otherwise.
struct Way {
    ConcatWay way = ConcatWay::InPlace;
    std::set<int> late; ///< parts that are copied
};
using Ways = std::map<int, Way>; // by node

/// Where parts are written when concatenations come about in these ways.
class Placing {
public:
    Placing(const ir::Graph& graph, const ir::Uses& uses, const std::set<int>& unsignedTensors)
        : m_graph(graph)
        , m_uses(uses)
        , m_unsigned(unsignedTensors) {}

    std::map<int, ConcatPlace> places(const Ways& ways) const;

private:
    void place(NodeId node, const Way& way, std::map<int, ConcatPlace>& places) const;
    bool canWriteInto(TensorId tensor, TensorId whole) const;
    std::size_t partsOfOneSplit(const ir::Node& concat, std::size_t first, std::size_t axis) const;

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    const std::set<int>& m_unsigned;
};

bool Placing::canWriteInto(TensorId tensor, TensorId whole) const {
    const NodeId producer = m_uses.producer[std::size_t(tensor.index)];
    if (!producer.isValid() || isAlias(m_graph[producer]) || m_graph[tensor].isConstant())
        return false;
    if (isOutput(m_graph, tensor) || m_unsigned.count(tensor.index))
        return false;
    return m_graph[tensor].type == m_graph[whole].type && m_graph[tensor].quantisation == m_graph[whole].quantisation;
}

/// How many inputs of a concatenation, from `first` on, are all parts of one Split in order: its input can be written
/// in place. 0 when they are not.
std::size_t Placing::partsOfOneSplit(const ir::Node& concat, std::size_t first, std::size_t axis) const {
    const NodeId producer = m_uses.producer[std::size_t(concat.inputs[first].index)];
    if (!producer.isValid() || m_graph[producer].kind != ir::OpKind::Split)
        return 0;
    const ir::Node& split = m_graph[producer];
    const std::int64_t rank = std::int64_t(m_graph[split.inputs[0]].shape.size());
    if ((split.integer("axis") + rank) % rank != std::int64_t(axis) ||
        first + split.outputs.size() > concat.inputs.size())
        return 0;
    const bool inOrder =
        std::equal(split.outputs.begin(), split.outputs.end(), concat.inputs.begin() + std::ptrdiff_t(first));
    return inOrder ? split.outputs.size() : 0;
}

void Placing::place(NodeId id, const Way& way, std::map<int, ConcatPlace>& places) const {
    const ir::Node& node = m_graph[id];
    const TensorId whole = node.outputs[0];
    const std::size_t axis = axisOf(m_graph, node);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const std::size_t parts = partsOfOneSplit(node, i, axis);
        const TensorId input =
            parts > 0 ? m_graph[m_uses.producer[std::size_t(node.inputs[i].index)]].inputs[0] : node.inputs[i];
        if (canWriteInto(input, whole) && places.count(input.index) == 0 && way.late.count(input.index) == 0)
            places[input.index] = {whole, axis, first};
        first += m_graph[input].shape[axis];
        i += parts > 0 ? parts - 1 : 0;
    }
}

std::map<int, ConcatPlace> Placing::places(const Ways& ways) const {
    std::map<int, ConcatPlace> places;
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) { // outer concatenations before those that they hold
        if (m_graph.nodes[i].kind != ir::OpKind::Concat)
            continue;
        const auto found = ways.find(int(i));
        const Way way = found != ways.end() ? found->second : Way();
        if (way.way != ConcatWay::FromParts)
            place(NodeId(i), way, places);
    }
    return places;
}

/// Bytes alive at each node, with all nodes run in graph order.
class LiveBytes {
public:
    LiveBytes(const ir::Graph& graph, const ir::Uses& uses, const Fusion& fusion)
        : m_graph(graph)
        , m_uses(uses)
        , m_made(graph.tensors.size(), never)
        , m_read(graph.tensors.size(), never) {
        for (TensorId input : graph.inputs)
            m_made[std::size_t(input.index)] = 0;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            noteNode(NodeId(i), fusion);
        for (TensorId output : graph.outputs)
            m_read[std::size_t(output.index)] = int(graph.nodes.size()) - 1;
    }

    int made(TensorId tensor) const { return m_made[std::size_t(tensor.index)]; }
    int lastRead(TensorId tensor) const { return std::max(made(tensor), m_read[std::size_t(tensor.index)]); }
    std::vector<std::int64_t> profile(const Ways& ways, const std::map<int, ConcatPlace>& places) const;

private:
    static constexpr int never = -1;

    void noteNode(NodeId id, const Fusion& fusion);
    TensorId ownerOf(TensorId tensor, const std::map<int, ConcatPlace>& places) const;

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    std::vector<int> m_made; ///< by tensor; never: a constant, or only inside a chain
    std::vector<int> m_read;
};

/// What a chain makes exists from its place on; what it makes on the way never.
void LiveBytes::noteNode(NodeId id, const Fusion& fusion) {
    const ir::Node& node = m_graph[id];
    for (TensorId input : node.inputs)
        if (input.isValid())
            m_read[std::size_t(input.index)] = id.index;
    if (fusion.isAbsorbed(id))
        return;
    const Chain chain = fusion.chainOf(id);
    if (chain.absorbed().empty())
        for (TensorId output : node.outputs)
            m_made[std::size_t(output.index)] = id.index;
    else
        m_made[std::size_t(chain.written().index)] = fusion.placeOf(id).index;
}

/// The tensor whose buffer holds this one.
TensorId LiveBytes::ownerOf(TensorId tensor, const std::map<int, ConcatPlace>& places) const {
    for (;;) {
        const NodeId producer = m_uses.producer[std::size_t(tensor.index)];
        const auto place = places.find(tensor.index);
        if (place != places.end())
            tensor = place->second.whole;
        else if (producer.isValid() && isAlias(m_graph[producer]))
            tensor = m_graph[producer].inputs[0];
        else
            return tensor;
    }
}

std::vector<std::int64_t> LiveBytes::profile(const Ways& ways, const std::map<int, ConcatPlace>& places) const {
    const std::size_t count = m_graph.tensors.size();
    std::vector<int> first(count, int(m_graph.nodes.size())), last(count, never);
    const auto extend = [&](TensorId tensor, int from, int to) {
        const std::size_t owner = std::size_t(ownerOf(tensor, places).index);
        first[owner] = std::min(first[owner], from);
        last[owner] = std::max(last[owner], to);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const TensorId tensor(i);
        if (made(tensor) == never)
            continue;
        const NodeId producer = m_uses.producer[i];
        const auto way = producer.isValid() ? ways.find(producer.index) : ways.end();
        if (way == ways.end() || way->second.way != ConcatWay::FromParts) {
            extend(tensor, made(tensor), lastRead(tensor));
            continue;
        }
        for (TensorId part : m_graph[producer].inputs)
            extend(part, made(part), lastRead(tensor));
    }
    std::vector<std::int64_t> bytes(m_graph.nodes.size(), 0);
    for (std::size_t i = 0; i < count; ++i)
        for (int step = first[i]; step <= last[i]; ++step)
            bytes[std::size_t(step)] += m_graph.tensors[i].bytes();
    return bytes;
}

std::int64_t largest(const std::vector<std::int64_t>& profile, int first, int last) {
    return *std::max_element(profile.begin() + first, profile.begin() + last + 1);
}

/// Tries the ways of one concatenation after the other, the others as they are chosen so far.
class Chooser {
public:
    Chooser(const ir::Graph& graph, const ir::Uses& uses, const Fusion& fusion, const ConcatQuestions& questions)
        : m_graph(graph)
        , m_uses(uses)
        , m_questions(questions)
        , m_placing(graph, uses, questions.unsignedTensors)
        , m_live(graph, uses, fusion) {}

    ConcatPlan run();

private:
    ConcatChoice choose(NodeId node);
    std::string refuseParts(const ConcatChoice& choice) const;
    std::string refuseTensors(NodeId node) const;
    std::string refuseReaders(NodeId node, std::int64_t share) const;
    std::set<int> earlyParts(NodeId node) const;
    std::vector<std::int64_t> profile(const Ways& ways) const { return m_live.profile(ways, m_placing.places(ways)); }
    std::int64_t whilePartsWait(NodeId node, const Ways& ways) const;
    bool take(ConcatChoice& choice, const Way& way, std::int64_t worth);

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    const ConcatQuestions& m_questions;
    Placing m_placing;
    LiveBytes m_live;
    Ways m_ways;
    std::int64_t m_peak = 0; ///< with all in place
};

/// The largest live set from the first part on to the last reader of the whole.
std::int64_t Chooser::whilePartsWait(NodeId id, const Ways& ways) const {
    const ir::Node& node = m_graph[id];
    int first = id.index;
    for (TensorId input : node.inputs)
        if (m_live.made(input) >= 0)
            first = std::min(first, m_live.made(input));
    return largest(profile(ways), first, m_live.lastRead(node.outputs[0]));
}

std::string Chooser::refuseTensors(NodeId id) const {
    const ir::Node& node = m_graph[id];
    const ir::Tensor& whole = m_graph[node.outputs[0]];
    if (whole.shape.size() != 4 || axisOf(m_graph, node) != 1)
        return "it does not join channels of images";
    if (!isByteTensor(whole) || isOutput(m_graph, node.outputs[0]) ||
        m_questions.unsignedTensors.count(node.outputs[0].index) != 0)
        return "its result is needed as one tensor";
    for (TensorId input : node.inputs)
        if (m_graph[input].isConstant() || m_graph[input].type != whole.type ||
            m_graph[input].quantisation != whole.quantisation || m_questions.unsignedTensors.count(input.index) != 0)
            return "its parts are stored in different ways";
    return {};
}

/// `share`: the part of its cycles that a reader may lose.
std::string Chooser::refuseReaders(NodeId id, std::int64_t share) const {
    const ir::Node& node = m_graph[id];
    std::vector<std::int64_t> channels;
    for (TensorId input : node.inputs)
        channels.push_back(m_graph[input].shape[1]);
    const auto& readers = m_uses.consumers[std::size_t(node.outputs[0].index)];
    for (NodeId reader : readers) {
        const ir::Node& conv = m_graph[reader];
        if (m_questions.hardwareConvs.count(reader.index) == 0 || conv.kind == ir::OpKind::Gemm ||
            conv.integer("group", 1) != 1)
            return conv.name + ", which reads it, is no dense convolution on units";
        const auto together = m_questions.cycles(reader, {}), apart = m_questions.cycles(reader, channels);
        if (!apart)
            return "its parts are too many for the units of " + conv.name;
        if (together && *apart > *together + *together / share)
            return conv.name + " would take " + std::to_string(*apart) + " instead of " + std::to_string(*together) +
                   " cycles";
    }
    return readers.empty() ? "nobody reads it" : "";
}

std::string Chooser::refuseParts(const ConcatChoice& choice) const {
    if (m_graph[choice.node].inputs.size() < 2)
        return "it has one part";
    const std::string tensors = refuseTensors(choice.node);
    const bool isMuch = choice.savedBytes * worthCopying >= m_peak;
    return tensors.empty() ? refuseReaders(choice.node, isMuch ? muchDearer : dearer) : tensors;
}

/// Parts that are written in place before the last one is made.
std::set<int> Chooser::earlyParts(NodeId id) const {
    const TensorId whole = m_graph[id].outputs[0];
    int last = 0;
    std::set<int> placed;
    for (const auto& [tensor, place] : m_placing.places(m_ways))
        if (place.whole == whole) {
            placed.insert(tensor);
            last = std::max(last, m_live.made(TensorId(tensor)));
        }
    std::erase_if(placed, [&](int tensor) { return m_live.made(TensorId(tensor)) == last; });
    return placed;
}

/// Chooses `way` when it saves the `worth`-th part of the peak.
bool Chooser::take(ConcatChoice& choice, const Way& way, std::int64_t worth) {
    Ways ways = m_ways;
    ways[choice.node.index] = way;
    const std::int64_t saved = whilePartsWait(choice.node, m_ways) - whilePartsWait(choice.node, ways);
    if (saved <= 0 || saved * worth < m_peak)
        return false;
    m_ways = std::move(ways);
    choice.way = way.way;
    choice.savedBytes = saved;
    return true;
}

ConcatChoice Chooser::choose(NodeId id) {
    ConcatChoice choice{id, ConcatWay::InPlace, 0, "its parts do not wait long for each other"};
    const std::set<int> early = earlyParts(id);
    if (early.empty())
        return choice;
    const Ways before = m_ways;
    const Way fromParts{ConcatWay::FromParts, {}};
    if (!take(choice, fromParts, worthReading))
        return choice;
    const std::string refusal = refuseParts(choice);
    if (refusal.empty()) {
        choice.reason = "its readers take the channels from the parts";
        return choice;
    }
    m_ways = before;
    choice.way = ConcatWay::InPlace;
    choice.savedBytes = 0;
    choice.reason = refusal + ", and a copy would save too little";
    if (take(choice, {ConcatWay::LateCopy, early}, worthCopying))
        choice.reason = refusal;
    return choice;
}

ConcatPlan Chooser::run() {
    ConcatPlan plan;
    if (m_graph.nodes.empty())
        return plan;
    m_peak = largest(profile({}), 0, int(m_graph.nodes.size()) - 1);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        if (m_graph.nodes[i].kind == ir::OpKind::Concat)
            plan.choices.push_back(choose(NodeId(i)));
    plan.places = m_placing.places(m_ways);
    plan.live = m_live.profile(m_ways, plan.places);
    plan.peak = largest(plan.live, 0, int(plan.live.size()) - 1);
    for (const ConcatChoice& choice : plan.choices)
        if (choice.way == ConcatWay::FromParts)
            plan.parts[m_graph[choice.node].outputs[0].index] = m_graph[choice.node].inputs;
    return plan;
}

} // namespace

ConcatPlan planConcats(const ir::Graph& graph, const ir::Uses& uses, const Fusion& fusion,
                       const ConcatQuestions& questions) {
    return Chooser(graph, uses, fusion, questions).run();
}

void report(const ir::Graph& graph, const std::vector<ConcatChoice>& choices, Diagnostics& notes) {
    std::string text;
    NodeId first;
    for (const ConcatChoice& choice : choices) {
        if (choice.way == ConcatWay::InPlace)
            continue;
        if (text.empty())
            first = choice.node;
        text += (text.empty() ? "" : "; ") + graph[choice.node].name +
                (choice.way == ConcatWay::FromParts ? " is read from its parts" : " is copied late") + " (" +
                std::to_string(choice.savedBytes) + " B less alive: " + choice.reason + ")";
    }
    if (text.empty())
        return;
    Diagnostic note =
        makeWarning("PW3006", "concatenations that are not written in place, since a part would wait: " + text,
                    {{}, 0, 0, graph[first].name});
    note.severity = Severity::Note;
    notes.push_back(std::move(note));
}

} // namespace poolwright::lower
