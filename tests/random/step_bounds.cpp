// SPDX-License-Identifier: Apache-2.0
#include "random/step_bounds.h"

#include <algorithm>
#include <map>
#include <set>

namespace poolwright::test {

using ir::ElementType;
using ir::OpKind;
using reference::Value;

namespace {

/// What a tensor may hold: evaluations of the same operators on inputs that lie apart.
using Runs = std::vector<Value>;

bool isBytes(ElementType type) {
    return type == ElementType::Int8 || type == ElementType::UInt8;
}

int byteAt(const Value& value, std::size_t i) {
    return value.type == ElementType::Int8 ? int(value.as<std::int8_t>()[i]) : int(value.bytes[i]);
}

struct Interval {
    int low, high;
};

Interval intervalAt(const Runs& runs, std::size_t i) {
    Interval interval{byteAt(runs.front(), i), byteAt(runs.front(), i)};
    for (const Value& run : runs) {
        interval.low = std::min(interval.low, byteAt(run, i));
        interval.high = std::max(interval.high, byteAt(run, i));
    }
    return interval;
}

/// Every whole number between the extremes, widened by `steps`: the first run has the lowest ones.
Runs widened(const Runs& runs, int steps) {
    const Value& first = runs.front();
    if (!isBytes(first.type))
        return runs;
    const int least = first.type == ElementType::Int8 ? -128 : 0;
    std::vector<Interval> intervals;
    int widest = 0;
    for (std::size_t i = 0; i < first.bytes.size(); ++i) {
        Interval interval = intervalAt(runs, i);
        interval = {std::max(interval.low - steps, least), std::min(interval.high + steps, least + 255)};
        widest = std::max(widest, interval.high - interval.low);
        intervals.push_back(interval);
    }
    Runs result(std::size_t(widest) + 1, first);
    for (int run = 0; run <= widest; ++run)
        for (std::size_t i = 0; i < intervals.size(); ++i)
            result[std::size_t(run)].bytes[i] = std::uint8_t(std::min(intervals[i].low + run, intervals[i].high));
    return result;
}

class Bounds {
public:
    Bounds(const ir::Graph& graph, const std::vector<Value>& values)
        : m_graph(graph)
        , m_values(values) {}

    Result<void> pass(const ir::Node& node) {
        const bool isOwn = isUnit(node);
        if (isOwn) // what a table made in front is off by a step of its own
            for (TensorId input : node.inputs)
                settle(input);
        std::size_t count = 1;
        for (TensorId input : node.inputs)
            if (m_runs.contains(input.index))
                count = std::max(count, m_runs.at(input.index).size());
        std::vector<Runs> results(node.outputs.size());
        for (std::size_t run = 0; run < count; ++run) {
            auto outputs = reference::evaluate(node.kind, node.attributes, inputsOf(node, run), specsOf(node));
            if (!outputs)
                return fail(outputs.error());
            for (std::size_t o = 0; o < results.size(); ++o)
                results[o].push_back(std::move((*outputs)[o]));
        }
        for (std::size_t o = 0; o < results.size(); ++o) {
            const int index = node.outputs[o].index;
            m_last = node.outputs[o];
            m_runs[index] = isOwn ? widened(results[o], ownSteps(node.kind)) : std::move(results[o]);
            if (!isOwn)
                m_open.insert(index);
        }
        return {};
    }

    int of(const std::string& tensor) {
        TensorId asked = m_last;
        for (const auto& [index, runs] : m_runs)
            if (m_graph.tensors[std::size_t(index)].name == tensor)
                asked = TensorId(index);
        settle(asked);
        return distance(m_runs.at(asked.index), m_values[std::size_t(asked.index)]);
    }

private:
    /// Not part of a table: the first operator of the epoch, one that looks at several elements, or a sum with a tensor
    /// that comes from memory.
    bool isUnit(const ir::Node& node) const {
        const auto fromHere = std::count_if(node.inputs.begin(), node.inputs.end(),
                                            [this](TensorId input) { return m_runs.contains(input.index); });
        const auto constant = std::count_if(node.inputs.begin(), node.inputs.end(), [this](TensorId input) {
            return !input.isValid() || m_graph[input].isConstant();
        });
        const bool isWide = node.kind == OpKind::MaxPool || node.kind == OpKind::AveragePool ||
                            node.kind == OpKind::GlobalAveragePool || node.kind == OpKind::ReduceMean;
        return fromHere == 0 || isWide || fromHere + constant < std::ptrdiff_t(node.inputs.size());
    }

    void settle(TensorId tensor) {
        if (m_open.erase(tensor.index) != 0)
            m_runs[tensor.index] = widened(m_runs[tensor.index], 1);
    }

    std::vector<const Value*> inputsOf(const ir::Node& node, std::size_t run) const {
        std::vector<const Value*> inputs;
        for (TensorId input : node.inputs) {
            const auto found = m_runs.find(input.index);
            if (!input.isValid())
                inputs.push_back(nullptr);
            else if (found != m_runs.end())
                inputs.push_back(&found->second[std::min(run, found->second.size() - 1)]);
            else
                inputs.push_back(&m_values[std::size_t(input.index)]);
        }
        return inputs;
    }

    std::vector<reference::OutputSpec> specsOf(const ir::Node& node) const {
        std::vector<reference::OutputSpec> specs;
        for (TensorId output : node.outputs)
            specs.push_back({m_graph[output].type, m_graph[output].shape, m_graph[output].quantisation});
        return specs;
    }

    static int distance(const Runs& runs, const Value& value) {
        int largest = 1;
        if (isBytes(value.type))
            for (std::size_t i = 0; i < value.bytes.size(); ++i) {
                const Interval interval = intervalAt(runs, i);
                largest = std::max({largest, interval.high - byteAt(value, i), byteAt(value, i) - interval.low});
            }
        return largest;
    }

    const ir::Graph& m_graph;
    const std::vector<Value>& m_values;
    std::map<int, Runs> m_runs;
    TensorId m_last;      ///< result of the operator that was passed last
    std::set<int> m_open; ///< results of a table whose own step is not in their runs yet
};

} // namespace

int ownSteps(OpKind kind) {
    return kind == OpKind::PRelu ? 3 : 1;
}

Result<int> stepBound(const ir::Graph& graph, const std::vector<Value>& values, const program::Epoch& epoch,
                      const std::string& tensor) {
    Bounds bounds(graph, values);
    std::set<NodeId> nodes;
    for (const program::OperatorRef& operation : epoch.operators)
        nodes.insert(operation.node);
    for (NodeId node : nodes) // by index: topological order
        if (const Result<void> done = bounds.pass(graph[node]); !done)
            return fail(done.error());
    return nodes.empty() ? 1 : bounds.of(tensor);
}

} // namespace poolwright::test
