// SPDX-License-Identifier: Apache-2.0
#include "artefacts/dot.h"

#include "artefacts/dot_graph.h"
#include "artefacts/lines.h"
#include "report/derive.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace poolwright::artefacts {

using namespace report;

namespace {

/// The rest of the first label line that starts with `key`.
std::string valueOf(const std::vector<std::string>& label, const std::string& key) {
    for (const std::string& line : label)
        if (line.starts_with(key))
            return std::string(trimmed(std::string_view(line).substr(key.size())));
    return {};
}

/// "24.58 Kcycles" -> 24580.
std::int64_t cyclesOf(const std::string& text) {
    const auto parts = words(text);
    const double number = parts.empty() ? 0 : parseNumber(parts[0]).value_or(0);
    const double factor = parts.size() < 2 ? 1 : parts[1].starts_with("K") ? 1e3 : parts[1].starts_with("M") ? 1e6 : 1;
    return std::abs(number) < 1e12 ? std::int64_t(std::llround(number * factor)) : 0;
}

bool isStreamEngine(const DotNode& node) {
    return !node.label.empty() && node.label.front().starts_with("Dma ");
}

std::string unitOf(const DotNode& node) {
    const std::string scheduled = valueOf(node.label, "sched unit=");
    return scheduled.empty() ? valueOf(node.label, "hw unit=") : scheduled;
}

/// What an edge label says about the memory it goes through: "name live(13, 14, id=289)", "pool=1[221184, 245760]=24.00
/// KB", "npuRAM5 edge bs=24576".
struct MemoryLabel {
    std::string name, pool;
    EpochRange live;
    bool constant = false;
    std::int64_t id = -1, begin = -1, end = -1;
};

/// The numbers between two brackets: "live(0, inf, id=52)" -> "0", "inf", "id=52".
std::vector<std::string> partsBetween(const std::string& line, const std::string& open, char close) {
    const std::size_t begin = line.find(open);
    const std::size_t end = begin == std::string::npos ? begin : line.find(close, begin);
    if (end == std::string::npos)
        return {};
    std::vector<std::string> parts;
    for (const std::string& part : split(line.substr(begin + open.size(), end - begin - open.size()), ','))
        parts.emplace_back(trimmed(part));
    return parts;
}

int ordinalOf(const std::string& text) {
    return int(std::min<std::uint64_t>(parseInteger(text).value_or(0), 1'000'000));
}

std::optional<MemoryLabel> memoryLabelOf(const std::vector<std::string>& lines) {
    MemoryLabel memory;
    for (const std::string& line : lines) {
        if (const auto live = partsBetween(line, "live(", ')'); live.size() == 3) {
            memory.name = std::string(trimmed(line.substr(0, line.find("live("))));
            memory.constant = live[1] == "inf";
            memory.live = {ordinalOf(live[0]), memory.constant ? 0 : ordinalOf(live[1])};
            memory.id =
                std::int64_t(parseInteger(live[2].substr(std::min<std::size_t>(3, live[2].size()))).value_or(0));
        }
        if (const auto range = partsBetween(line, "[", ']'); line.starts_with("pool=") && range.size() == 2) {
            memory.begin = std::int64_t(std::min<std::uint64_t>(parseInteger(range[0]).value_or(0), 1ull << 44));
            memory.end = std::int64_t(std::min<std::uint64_t>(parseInteger(range[1]).value_or(0), 1ull << 44));
        }
        if (const std::size_t at = line.find(" edge bs="); at != std::string::npos)
            memory.pool = line.substr(0, at);
    }
    return memory.id < 0 ? std::nullopt : std::optional(memory);
}

class Builder {
public:
    explicit Builder(const DotGraph& graph)
        : m_graph(graph) {}

    Report build() {
        m_report.provenance.sources = {"dot"};
        addEpochs();
        for (const DotEdge& edge : m_graph.edges)
            addEdge(edge);
        for (Buffer& buffer : m_report.buffers)
            if (buffer.isWeights())
                buffer.live.last = std::max(0, int(m_report.epochs.size()) - 1);
        return std::move(m_report);
    }

private:
    void addEpochs() {
        int last = -1;
        for (const DotNode& node : m_graph.nodes)
            last = std::max(last, node.epoch);
        if (last < 0)
            return;
        m_report.epochs.resize(std::size_t(last) + 2); // and the return epoch
        for (std::size_t i = 0; i < m_report.epochs.size(); ++i) {
            m_report.epochs[i].ordinal = int(i);
            m_report.epochs[i].name = "epoch_" + std::to_string(i);
            m_report.epochs[i].kind = "none";
        }
        for (const DotNode& node : m_graph.nodes)
            addNode(node);
    }

    void addNode(const DotNode& node) {
        const std::string kind = valueOf(node.label, "kind=");
        if (node.epoch < 0 || kind.empty() || isStreamEngine(node))
            return;
        Epoch& epoch = m_report.epochs[std::size_t(node.epoch)];
        const std::string unit = unitOf(node);
        const std::string mine = kind == "Return" || kind == "Param" ? "none"
                                 : unit.starts_with("PROCESSOR")     ? "SW"
                                                                     : "HW";
        epoch.kind = epoch.kind == "none" || epoch.kind == mine ? mine : mine == "none" ? epoch.kind : "hybrid";
        epoch.operators.push_back({node.name, kind, {}, 0});
        const std::int64_t cycles = cyclesOf(valueOf(node.label, "latency ="));
        if (!unit.empty() && unit != "NULL_UNIT")
            epoch.units.push_back({unit, node.name, kind, cycles});
        epoch.computeCycles = std::max(epoch.computeCycles, cycles);
    }

    int poolIndex(const std::string& name) {
        const auto [it, isNew] = m_pools.emplace(name, int(m_report.pools.size()));
        if (isNew) {
            m_report.pools.emplace_back();
            m_report.pools.back().name = name;
        }
        return it->second;
    }

    int bufferIndex(const MemoryLabel& memory) {
        const auto [it, isNew] = m_buffers.emplace(std::pair(memory.id, memory.name), int(m_report.buffers.size()));
        if (isNew) {
            Buffer buffer;
            buffer.name = memory.name;
            buffer.kind = memory.constant ? "constant" : "activation";
            buffer.live = {memory.live.first, std::max(memory.live.first, memory.live.last)};
            m_report.buffers.push_back(buffer);
        }
        place(memory, m_report.buffers[std::size_t(it->second)]);
        return it->second;
    }

    /// Some edges of a buffer leave its place out.
    void place(const MemoryLabel& memory, Buffer& buffer) {
        if (buffer.placed() || memory.pool.empty() || memory.begin < 0 || memory.begin > memory.end)
            return;
        buffer.pool = poolIndex(memory.pool);
        buffer.offset = ByteCount(memory.begin);
        buffer.size = ByteCount(memory.end - memory.begin);
    }

    /// An edge beside a stream engine is one side of the transfer; one from node to node goes through memory between
    /// their epochs.
    void addEdge(const DotEdge& edge) {
        const auto memory = memoryLabelOf(edge.label);
        if (!memory)
            return;
        const int buffer = bufferIndex(*memory);
        const DotNode &tail = m_graph.nodes[std::size_t(edge.tail)], &head = m_graph.nodes[std::size_t(edge.head)];
        if (head.epoch >= 0 && !isStreamEngine(head))
            m_report.epochs[std::size_t(head.epoch)].reads.push_back(buffer);
        if (tail.epoch >= 0 && !isStreamEngine(tail))
            m_report.epochs[std::size_t(tail.epoch)].writes.push_back(buffer);
    }

    const DotGraph& m_graph;
    Report m_report;
    std::map<std::string, int> m_pools;
    std::map<std::pair<std::int64_t, std::string>, int> m_buffers; // aliases share the id
};

} // namespace

Result<Report> readDot(const std::string& text, const std::string& path) {
    const auto graph = parseDot(text, path);
    if (!graph)
        return fail(graph.error());
    return Builder(*graph).build();
}

} // namespace poolwright::artefacts
