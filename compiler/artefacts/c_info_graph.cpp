// SPDX-License-Identifier: Apache-2.0
#include "artefacts/c_info_graph.h"

#include "report/json_access.h"

#include <nlohmann/json.hpp>

#include <set>

namespace poolwright::artefacts {

using nlohmann::json;
using namespace report;

namespace {

/// An epoch's node, the blob it lies in, and the ids that rows of accesses and power use for it.
struct EpochNode {
    const json* node = nullptr;
    std::string blob;
    bool inBlobNode = false;
    std::int64_t rowId = 0;
};

/// From atonn 1.1.3 a blob is a node of its own around its epochs, and rows of the blob's first epoch carry the blob's
/// id (facts/file-formats.md section 3.1).
std::vector<EpochNode> flatten(const json& nodes) {
    std::vector<EpochNode> epochs;
    for (const json& node : nodes) {
        if (textAt(node, "type") != "Epoch Controller Blob") {
            epochs.push_back({&node, {}, false, integerAt(node, "id")});
            continue;
        }
        bool first = true;
        for (const json& epoch : arrayAt(node, "subgraph_nodes")) {
            epochs.push_back({&epoch, textAt(node, "name"), true, integerAt(first ? node : epoch, "id")});
            first = false;
        }
    }
    return epochs;
}

/// "Epoch Controller _ec_blob_3" -> "_ec_blob_3" (files up to 1.1.1).
std::string blobFromDescription(const std::string& description) {
    const std::string prefix = "Epoch Controller ";
    return description.starts_with(prefix) ? description.substr(prefix.size()) : std::string();
}

/// `type` from 1.1.3 on, before that "Node kind=Conv" in the description.
std::string operatorKind(const json& node) {
    const std::string description = textAt(node, "description");
    const std::string prefix = "Node kind=";
    return description.starts_with(prefix) ? description.substr(prefix.size()) : textAt(node, "type", description);
}

bool isPseudo(const json& epochNode) {
    if (textAt(epochNode, "mapping") == "NODE_NO_X")
        return true;
    const json& operators = arrayAt(epochNode, "subgraph_nodes");
    if (operators.empty())
        return false;
    const std::string kind = operatorKind(operators.front());
    return kind == "Param" || kind == "Return";
}

std::string kindOf(const EpochNode& epoch) {
    if (isPseudo(*epoch.node))
        return "none";
    const std::string mapping = textAt(*epoch.node, "mapping");
    if (mapping == "NODE_SW")
        return "SW";
    if (mapping == "NODE_SW_HW")
        return "hybrid";
    return epoch.inBlobNode || mapping == "NODE_EC" ? "EC" : "HW";
}

std::vector<int> bufferIndices(const json& list, const CInfoIds& ids) {
    std::vector<int> indices;
    for (const json& id : list)
        if (const auto it = ids.buffers.find(toInteger(id, -1)); it != ids.buffers.end())
            indices.push_back(it->second);
    return indices;
}

std::vector<std::string> texts(const json& list) {
    std::vector<std::string> values;
    for (const json& value : list)
        if (value.is_string())
            values.push_back(value.get<std::string>());
    return values;
}

/// In the vendor's files a sub-node is an operator and a unit's node at once; ours are marked when they are a unit's
/// node only.
void readSubNode(const json& sub, Epoch& epoch) {
    const json& attributes = objectAt(sub, "attributes");
    const std::string kind = operatorKind(sub);
    if (textAt(attributes, "Role") != "unit")
        epoch.operators.push_back(
            {textAt(sub, "name"), kind, texts(arrayAt(sub, "original_nodes")), integerAt(sub, "macc")});
    if (const std::string unit = textAt(attributes, "HWUnit"); !unit.empty())
        epoch.units.push_back({unit, textAt(sub, "name"), kind, integerAt(attributes, "Cycles")});
}

void readSubNodes(const json& node, Epoch& epoch) {
    const json& subNodes = arrayAt(node, "subgraph_nodes");
    for (const json& sub : subNodes)
        readSubNode(sub, epoch);
    if (subNodes.empty() && epoch.runs() && !textAt(node, "name").starts_with("epoch_"))
        epoch.operators.push_back({textAt(node, "name"), operatorKind(node), texts(arrayAt(node, "original_nodes")),
                                   integerAt(node, "macc")}); // a CPU-only model: the node is the operator
}

void readOwnAttributes(const json& attributes, Epoch& epoch) {
    epoch.name = textAt(attributes, "Name", epoch.name);
    epoch.reason = textAt(attributes, "Reason");
    epoch.boundBy = textAt(attributes, "BoundBy");
    epoch.calibratedCycles = numberAt(attributes, "CalibratedCycles");
    epoch.calibratedMs = numberAt(attributes, "CalibratedMs");
    for (int port : {0, 1}) {
        epoch.busRead[port] = integerAt(attributes, port == 0 ? "BusRead0" : "BusRead1");
        epoch.busWrite[port] = integerAt(attributes, port == 0 ? "BusWrite0" : "BusWrite1");
    }
}

/// The schema has whole milliwatts; our own files carry the exact values beside.
void readPowers(const json& row, const json& attributes, Epoch& epoch) {
    epoch.atonPower = numberAt(attributes, "AtonPower", numberAt(row, "average_acc_power_mw"));
    epoch.memoryPower = numberAt(attributes, "MemoryPower", numberAt(row, "average_memory_power_mw"));
    epoch.atonEnergy = numberAt(attributes, "AtonEnergy", epoch.atonPower * double(epoch.computeCycles));
    epoch.memoryEnergy = numberAt(attributes, "MemoryEnergy", epoch.memoryPower * double(epoch.computeCycles));
}

Epoch readEpoch(const EpochNode& source, int ordinal, const CInfoIds& ids) {
    const json& node = *source.node;
    Epoch epoch;
    epoch.ordinal = ordinal;
    epoch.name = textAt(node, "name");
    epoch.kind = kindOf(source);
    epoch.blob = source.blob.empty() ? blobFromDescription(textAt(node, "description")) : source.blob;
    if (!epoch.runs())
        epoch.blob.clear();
    readSubNodes(node, epoch);
    readOwnAttributes(objectAt(node, "attributes"), epoch);
    epoch.reads = bufferIndices(arrayAt(node, "inputs"), ids);
    epoch.writes = bufferIndices(arrayAt(node, "outputs"), ids);
    return epoch;
}

void readAccesses(const json& rows, const std::map<std::int64_t, int>& epochOfRow, const CInfoIds& ids,
                  Report& report) {
    for (const json& row : rows) {
        const auto epoch = epochOfRow.find(integerAt(row, "node_id", -1));
        const auto pool = ids.pools.find(integerAt(row, "mpool_id", -1));
        if (epoch == epochOfRow.end() || pool == ids.pools.end())
            continue;
        const PoolTraffic traffic{pool->second, integerAt(row, "reads"), integerAt(row, "writes"),
                                  numberAt(row, "read_cycles"), numberAt(row, "write_cycles")};
        if (traffic.readBytes != 0 || traffic.writeBytes != 0)
            report.epochs[std::size_t(epoch->second)].traffic.push_back(traffic);
    }
}

void readPowerRows(const json& rows, const std::map<std::int64_t, int>& epochOfRow, const std::vector<EpochNode>& nodes,
                   Report& report) {
    for (const json& row : rows) {
        const auto it = epochOfRow.find(integerAt(row, "node_id", -1));
        if (it == epochOfRow.end())
            continue;
        Epoch& epoch = report.epochs[std::size_t(it->second)];
        epoch.operations = integerAt(row, "ops");
        epoch.computeCycles = integerAt(row, "compute_cycles");
        epoch.vendorCycles = integerAt(row, "max_cycles");
        readPowers(row, objectAt(*nodes[std::size_t(it->second)].node, "attributes"), epoch);
    }
}

void markBuffers(const json& list, const char* kind, const CInfoIds& ids, Report& report) {
    for (int index : bufferIndices(list, ids))
        if (!report.buffers[std::size_t(index)].isWeights())
            report.buffers[std::size_t(index)].kind = kind;
}

} // namespace

void readGraph(const json& root, const CInfoIds& ids, Report& report) {
    const json& graphs = arrayAt(root, "graphs");
    if (graphs.empty())
        return;
    const json& graph = graphs.front();
    report.provenance.network = textAt(graph, "name", report.provenance.network);
    std::map<std::int64_t, int> epochOfRow;
    const std::vector<EpochNode> nodes = flatten(arrayAt(graph, "nodes"));
    for (const EpochNode& source : nodes) {
        const int ordinal = int(report.epochs.size());
        epochOfRow[source.rowId] = ordinal;
        report.epochs.push_back(readEpoch(source, ordinal, ids));
        markBuffers(arrayAt(*source.node, "scratchs"), "scratch", ids, report);
    }
    markBuffers(arrayAt(graph, "outputs"), "output", ids, report);
    markBuffers(arrayAt(graph, "inputs"), "input", ids, report);
    readAccesses(arrayAt(root, "memory_accesses"), epochOfRow, ids, report);
    readPowerRows(arrayAt(root, "power_estimates"), epochOfRow, nodes, report);
}

} // namespace poolwright::artefacts
