// SPDX-License-Identifier: Apache-2.0
#include "emit/cinfo_graph.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace poolwright::emit {

using namespace report;
using Json = nlohmann::ordered_json;

namespace {

const char* mappingOf(const Epoch& epoch) {
    if (epoch.kind == "SW")
        return "NODE_SW";
    if (epoch.kind == "hybrid")
        return "NODE_SW_HW";
    if (!epoch.runs())
        return "NODE_NO_X";
    return epoch.kind == "EC" || !epoch.blob.empty() ? "NODE_EC" : "NODE_HW";
}

const char* subMappingOf(const Epoch& epoch) {
    return epoch.kind == "SW" ? "NODE_SW" : epoch.runs() ? "NODE_HW" : "NODE_NO_X";
}

Json idsOf(const std::vector<int>& buffers) {
    Json ids = Json::array();
    for (int buffer : buffers)
        ids.push_back(buffer + 1);
    return ids;
}

Json node(const std::string& name, int id, const char* mapping, const std::string& description) {
    return {{"name", name},
            {"id", id},
            {"inputs", Json::array()},
            {"outputs", Json::array()},
            {"scratchs", Json::array()},
            {"subgraph_nodes", Json::array()},
            {"mapping", mapping},
            {"macc", 0},
            {"original_nodes", Json::array()},
            {"description", description},
            {"attributes", Json::object()},
            {"sw_functions", Json::array()}};
}

std::string epochName(const Epoch& epoch) {
    return "epoch_" + std::to_string(epoch.ordinal);
}

/// Attributes that only readers of ours know; the defaults are left out.
Json attributesOf(const Epoch& epoch) {
    Json attributes = Json::object();
    const auto add = [&attributes](const char* key, const auto& value, const auto& absent) {
        if (value != absent)
            attributes[key] = value;
    };
    add("Name", epoch.name, epochName(epoch));
    add("Reason", epoch.reason, std::string());
    add("BoundBy", epoch.boundBy, std::string());
    add("CalibratedCycles", epoch.calibratedCycles, 0.0);
    add("CalibratedMs", epoch.calibratedMs, 0.0);
    add("AtonPower", epoch.atonPower, 0.0);
    add("MemoryPower", epoch.memoryPower, 0.0);
    add("AtonEnergy", epoch.atonEnergy, 0.0);
    add("MemoryEnergy", epoch.memoryEnergy, 0.0);
    for (int port : {0, 1}) {
        add(port == 0 ? "BusRead0" : "BusRead1", epoch.busRead[port], std::int64_t(0));
        add(port == 0 ? "BusWrite0" : "BusWrite1", epoch.busWrite[port], std::int64_t(0));
    }
    return attributes;
}

/// The vendor's sub-nodes are unit nodes and operators in one: so it is when each operator has the unit node of its
/// name in turn.
bool unitsAreOperators(const Epoch& epoch) {
    return epoch.units.size() == epoch.operators.size() &&
           std::equal(
               epoch.units.begin(), epoch.units.end(), epoch.operators.begin(),
               [](const UnitUse& use, const Operator& op) { return use.node == op.name && use.kind == op.kind; });
}

Json unitAttributes(const UnitUse& use, bool own) {
    Json attributes = {{"HWUnit", use.unit}};
    if (use.cycles != 0)
        attributes["Cycles"] = use.cycles;
    if (own)
        attributes["Role"] = "unit";
    return attributes;
}

class Graph {
public:
    explicit Graph(const Report& report)
        : m_report(report) {}

    Json build() {
        Json graph = {{"name", m_report.provenance.network},
                      {"id", 1},
                      {"inputs", network("input")},
                      {"outputs", network("output")}};
        Json& nodes = graph["nodes"] = Json::array();
        for (const Epoch& epoch : m_report.epochs)
            nodes.push_back(epochNode(epoch));
        graph["edges"] = edges();
        graph["original_inputs"] = Json::array();
        graph["original_outputs"] = Json::array();
        return graph;
    }

private:
    Json network(const char* kind) const {
        Json ids = Json::array();
        for (std::size_t i = 0; i < m_report.buffers.size(); ++i)
            if (m_report.buffers[i].kind == kind)
                ids.push_back(i + 1);
        return ids;
    }

    /// Scratch buffers are listed where their life begins.
    Json scratchOf(const Epoch& epoch) const {
        Json ids = Json::array();
        for (std::size_t i = 0; i < m_report.buffers.size(); ++i)
            if (m_report.buffers[i].kind == "scratch" && m_report.buffers[i].live.first == epoch.ordinal)
                ids.push_back(i + 1);
        return ids;
    }

    Json epochNode(const Epoch& epoch) {
        Json json = node(epochName(epoch), m_nextId, mappingOf(epoch),
                         epoch.blob.empty() ? "" : "Epoch Controller " + epoch.blob);
        m_epochIds.push_back(m_nextId++);
        json["inputs"] = idsOf(epoch.reads);
        json["outputs"] = idsOf(epoch.writes);
        json["scratchs"] = scratchOf(epoch);
        json["attributes"] = attributesOf(epoch);
        std::int64_t macs = 0;
        for (const Operator& op : epoch.operators)
            macs += op.macs;
        json["macc"] = macs;
        addSubNodes(epoch, json["subgraph_nodes"]);
        return json;
    }

    void addSubNodes(const Epoch& epoch, Json& list) {
        const bool merged = unitsAreOperators(epoch);
        for (std::size_t i = 0; i < epoch.operators.size(); ++i) {
            const Operator& op = epoch.operators[i];
            list.push_back(node(op.name, m_nextId++, subMappingOf(epoch), "Node kind=" + op.kind));
            list.back()["macc"] = op.macs;
            list.back()["original_nodes"] = op.originalNames;
            if (merged)
                list.back()["attributes"] = unitAttributes(epoch.units[i], false);
        }
        if (merged)
            return;
        for (const UnitUse& use : epoch.units) {
            list.push_back(node(use.node, m_nextId++, subMappingOf(epoch), "Node kind=" + use.kind));
            list.back()["attributes"] = unitAttributes(use, true);
        }
    }

    Json edge(const std::string& name, const char* kind, int buffer, int from, int to) {
        return {{"name", name},
                {"id", m_nextEdge++},
                {"edge_kind", kind},
                {"buffer", buffer},
                {"start", {{"node_id", m_epochIds[std::size_t(from)]}, {"port", 0}}},
                {"end", {{"node_id", m_epochIds[std::size_t(to)]}, {"port", 0}}},
                {"attributes", Json::object()}};
    }

    Json edges() {
        Json list = Json::array();
        const int count = int(m_epochIds.size());
        for (int i = 1; i < count; ++i)
            list.push_back(
                edge("epochdep_" + std::to_string(i - 1) + "_" + std::to_string(i), "EDGE_FLOW", 0, i - 1, i));
        for (const Edge& flow : m_report.edges)
            if (flow.from >= 0 && flow.from < count && flow.to >= 0 && flow.to < count && flow.buffer >= 0)
                list.push_back(edge(m_report.buffers[std::size_t(flow.buffer)].name, "EDGE_MEMORY", flow.buffer + 1,
                                    flow.from, flow.to));
        return list;
    }

    const Report& m_report;
    std::vector<int> m_epochIds;
    int m_nextId = 1, m_nextEdge = 1;
};

Json accessRow(int nodeId, int poolId, const PoolTraffic& traffic) {
    return {{"node_id", nodeId},
            {"mpool_id", poolId},
            {"reads", traffic.readBytes},
            {"read_cycles", std::llround(traffic.readCycles)},
            {"writes", traffic.writeBytes},
            {"write_cycles", std::llround(traffic.writeCycles)}};
}

/// One row a pool, in the order of the epoch's own rows first, then the idle pools; and the vendor's all-zero row of
/// pool 0.
void addAccesses(const Report& report, const Epoch& epoch, int nodeId, Json& rows) {
    rows.push_back(accessRow(nodeId, 0, {}));
    std::vector<bool> busy(report.pools.size(), false);
    for (const PoolTraffic& traffic : epoch.traffic) {
        if (traffic.pool < 0)
            continue;
        busy[std::size_t(traffic.pool)] = true;
        rows.push_back(accessRow(nodeId, traffic.pool + 1, traffic));
    }
    for (std::size_t i = 0; i < report.pools.size(); ++i)
        if (!busy[i] && !report.pools[i].isVirtual && !report.pools[i].userAllocated)
            rows.push_back(accessRow(nodeId, int(i) + 1, {}));
}

Json powerRow(const Epoch& epoch, int nodeId) {
    return {{"node_id", nodeId},
            {"ops", epoch.operations},
            {"compute_cycles", epoch.computeCycles},
            {"max_cycles", epoch.vendorCycles},
            {"average_acc_power_mw", std::llround(epoch.atonPower)},
            {"average_memory_power_mw", std::llround(epoch.memoryPower)}};
}

Json blobsJson(const Report& report, const Json& nodes) {
    Json blobs = Json::array();
    for (std::size_t i = 0; i < report.epochs.size(); ++i) {
        const std::string& name = report.epochs[i].blob;
        if (name.empty())
            continue;
        const auto known =
            std::find_if(blobs.begin(), blobs.end(), [&name](const Json& blob) { return blob["name"] == name; });
        if (known == blobs.end())
            blobs.push_back({{"name", name}, {"encrypted", false}, {"nodes_id", Json::array({nodes[i]["id"]})}});
        else
            (*known)["nodes_id"].push_back(nodes[i]["id"]);
    }
    return blobs;
}

} // namespace

void addGraph(const Report& report, Json& json) {
    json["graphs"] = Json::array({Graph(report).build()});
}

void addRows(const Report& report, Json& json) {
    const Json nodes = json["graphs"][0]["nodes"];
    Json& accesses = json["memory_accesses"] = Json::array();
    Json& powers = json["power_estimates"] = Json::array();
    for (std::size_t i = 0; i < report.epochs.size(); ++i) {
        const int id = nodes[i]["id"].get<int>();
        addAccesses(report, report.epochs[i], id, accesses);
        powers.push_back(powerRow(report.epochs[i], id));
    }
    json["ec_blobs_info"] = blobsJson(report, nodes);
}

} // namespace poolwright::emit
