// SPDX-License-Identifier: Apache-2.0
#include "emit/dot.h"

#include <cstdio>

namespace poolwright::emit {

namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (char c : text) {
        if (c == '"' || c == '\\' || c == '{' || c == '}' || c == '|' || c == '<' || c == '>')
            result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

const char* fillColour(target::UnitKind kind) {
    switch (kind) {
    case target::UnitKind::ConvAcc:
        return "#9ecae1";
    case target::UnitKind::Arith:
        return "#a1d99b";
    case target::UnitKind::Pool:
        return "#fdd0a2";
    case target::UnitKind::Activ:
        return "#dadaeb";
    case target::UnitKind::StreamEngine:
        return "#f0f0f0";
    default:
        return "#fcbba1";
    }
}

class DotWriter {
public:
    DotWriter(const program::Program& program, const std::vector<std::vector<Cycles>>& latencies)
        : m_program(program), m_latencies(latencies) {}

    std::string write() {
        m_text = "digraph G {\n  rankdir=BU;\n  compound=true;\n  Graphinfo [shape=note, label=\"" + escaped(m_program.networkName) +
                 "\\l" + std::to_string(m_program.epochs.size()) + " epochs\\l\"];\n";
        for (int ordinal = 0; ordinal < int(m_program.epochs.size()); ++ordinal)
            if (m_program.epochs[std::size_t(ordinal)].kind != program::EpochKind::None)
                writeCluster(ordinal);
        writeOrder();
        writeDataFlow();
        return m_text + "}\n";
    }

private:
    static std::string unitId(int ordinal, std::size_t unit) {
        return "e" + std::to_string(ordinal) + "_u" + std::to_string(unit);
    }

    void writeCluster(int ordinal) {
        const program::Epoch& epoch = m_program.epochs[std::size_t(ordinal)];
        const std::string number = std::to_string(ordinal);
        m_text += "  subgraph cluster_" + number + " {\n    label=\"epoch " + number + "\\n" + escaped(epoch.name) + "\";\n";
        if (const program::HardwareWork* work = epoch.hardware())
            writeUnits(ordinal, *work);
        else
            m_text += "    " + unitId(ordinal, 0) + " [shape=record, style=filled, fillcolor=\"#fcbba1\", label=\"" +
                      escaped(epoch.name) + "\\lkind=SW\\l" + escaped(epoch.reason) + "\\l\"];\n";
        m_text += "  }\n";
    }

    void writeUnits(int ordinal, const program::HardwareWork& work) {
        for (std::size_t i = 0; i < work.units.size(); ++i)
            writeUnit(ordinal, i, work.units[i]);
        for (const program::Link& link : work.links)
            m_text += "    " + unitId(ordinal, std::size_t(link.from)) + ":o0 -> " + unitId(ordinal, std::size_t(link.to)) + ":i" +
                      std::to_string(link.port) + ";\n";
    }

    void writeUnit(int ordinal, std::size_t index, const program::Unit& unit) {
        const auto* engine = std::get_if<program::StreamEngineConfig>(&unit.config);
        const std::string name = std::string(target::unitPrintName(unit.kind)) + " " + std::to_string(unit.index);
        std::string label = escaped(unit.node) + "\\lkind=" + escaped(unit.opKind) + "\\lhw unit=" + name + "\\l" + latency(ordinal, index);
        if (engine)
            label = std::string("Dma ") + (engine->direction == program::Direction::ToMemory ? "out" : "in") + "\\l" +
                    escaped(engine->tensor) + "\\lepoch=" + std::to_string(ordinal) + " hw unit=" + name + "\\l" + memory(engine->buffer);
        m_text += "    " + unitId(ordinal, index) + " [shape=" + (engine ? "ellipse" : "record") + ", style=filled, fillcolor=\"" +
                  fillColour(unit.kind) + "\", label=\"" + (engine ? label : "{{<i0>|<i1>|<i2>}|" + label + "|<o0>}") + "\"];\n";
    }

    std::string latency(int ordinal, std::size_t unit) const {
        if (std::size_t(ordinal) >= m_latencies.size() || unit >= m_latencies[std::size_t(ordinal)].size())
            return {};
        char text[64];
        std::snprintf(text, sizeof text, "latency = %.3f Kcycles\\l", double(m_latencies[std::size_t(ordinal)][unit]) / 1000.0);
        return text;
    }

    /// live(s, e, id) and pool=k[a, b]: the same facts that c_info carries (facts/file-formats.md section 3.2).
    std::string memory(BufferId id) const {
        const program::Buffer& buffer = m_program[id];
        std::string text = "live(" + std::to_string(buffer.live.first) + ", " + std::to_string(buffer.live.last) +
                           ", id=" + std::to_string(id.index) + ")\\l";
        const std::size_t i = std::size_t(id.index);
        if (i >= m_program.placements.size() || !m_program.placements[i])
            return text;
        const program::Placement& placement = *m_program.placements[i];
        const mpool::EffectivePool& pool = m_program.pools[std::size_t(placement.pool.index)];
        const std::int64_t start = (placement.address - pool.range.start).value;
        return text + "pool=" + std::to_string(placement.pool.index) + "[" + std::to_string(start) + ", " +
               std::to_string(start + buffer.size.value) + "]=" + std::to_string(buffer.size.value) + " " + escaped(pool.name) + "\\l";
    }

    std::string anchor(int ordinal) const {
        const program::HardwareWork* work = m_program.epochs[std::size_t(ordinal)].hardware();
        return unitId(ordinal, work && !work->units.empty() ? work->units.size() - 1 : 0);
    }

    void writeOrder() {
        int previous = -1;
        for (int ordinal = 0; ordinal < int(m_program.epochs.size()); ++ordinal) {
            if (m_program.epochs[std::size_t(ordinal)].kind == program::EpochKind::None)
                continue;
            if (previous >= 0)
                m_text += "  " + anchor(previous) + " -> " + anchor(ordinal) + " [style=bold, strength=1000, penwidth=5, ltail=cluster_" +
                          std::to_string(previous) + ", lhead=cluster_" + std::to_string(ordinal) + "];\n";
            previous = ordinal;
        }
    }

    void writeDataFlow() {
        std::vector<std::vector<int>> writers(m_program.buffers.size());
        for (int ordinal = 0; ordinal < int(m_program.epochs.size()); ++ordinal) {
            const std::vector<program::Transfer> transfers = program::transfersOf(m_program, EpochId(ordinal));
            for (const program::Transfer& transfer : transfers)
                if (!transfer.write)
                    for (int writer : writers[std::size_t(transfer.buffer.index)])
                        if (writer != ordinal)
                            writeEdge(writer, ordinal, transfer.buffer);
            for (const program::Transfer& transfer : transfers)
                if (transfer.write)
                    writers[std::size_t(transfer.buffer.index)].push_back(ordinal);
        }
    }

    void writeEdge(int from, int to, BufferId buffer) {
        m_text += "  " + anchor(from) + " -> " + anchor(to) + " [label=\"" + escaped(m_program[buffer].name) + "\\l" + memory(buffer) +
                  "edge bs=" + std::to_string(m_program[buffer].size.value) + "\\l\"];\n";
    }

    const program::Program& m_program;
    const std::vector<std::vector<Cycles>>& m_latencies;
    std::string m_text;
};

} // namespace

std::string dot(const program::Program& program, const std::vector<std::vector<Cycles>>& latencies) {
    return DotWriter(program, latencies).write();
}

} // namespace poolwright::emit
