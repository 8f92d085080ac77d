// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include "report/json_access.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace poolwright::report {

using nlohmann::json;

namespace {

std::vector<int> ints(const json& list) {
    std::vector<int> values;
    for (const json& value : list)
        values.push_back(int(std::clamp<std::int64_t>(toInteger(value, -1), -1, INT32_MAX)));
    return values;
}

std::vector<std::int64_t> integers(const json& list) {
    std::vector<std::int64_t> values;
    for (const json& value : list)
        values.push_back(toInteger(value));
    return values;
}

std::vector<double> numbers(const json& list) {
    std::vector<double> values;
    for (const json& value : list)
        values.push_back(toNumber(value));
    return values;
}

std::vector<std::string> texts(const json& list) {
    std::vector<std::string> values;
    for (const json& value : list)
        if (value.is_string())
            values.push_back(value.get<std::string>());
    return values;
}

ByteCount bytesAt(const json& object, const char* key) {
    return ByteCount(integerAt(object, key));
}

int indexAt(const json& object, const char* key, std::size_t count) {
    const int index = intAt(object, key, -1);
    return index >= 0 && std::size_t(index) < count ? index : -1;
}

/// Indices that point to nothing are dropped.
std::vector<int> indicesAt(const json& object, const char* key, std::size_t count) {
    std::vector<int> values = ints(arrayAt(object, key));
    std::erase_if(values, [count](int i) { return i < 0 || std::size_t(i) >= count; });
    return values;
}

Pool readPool(const json& j, std::size_t poolCount) {
    Pool pool;
    pool.name = textAt(j, "name");
    pool.fname = textAt(j, "fname");
    pool.address = Address(addressAt(j, "address"));
    pool.size = bytesAt(j, "size_bytes");
    pool.used = bytesAt(j, "used_bytes");
    pool.weights = bytesAt(j, "weights_bytes");
    pool.activations = bytesAt(j, "activations_bytes");
    pool.isVirtual = boolAt(j, "virtual");
    pool.external = boolAt(j, "external");
    pool.readOnly = boolAt(j, "read_only");
    pool.cacheable = boolAt(j, "cacheable");
    pool.constantsPreferred = boolAt(j, "constants_preferred");
    pool.relative = boolAt(j, "relative");
    pool.userAllocated = boolAt(j, "user_allocated");
    pool.reservedTail = bytesAt(j, "reserved_tail_bytes");
    pool.throughput = textAt(j, "throughput");
    pool.latency = textAt(j, "latency");
    pool.byteWidth = intAt(j, "byte_width", 8);
    pool.freqRatio = numberAt(j, "freq_ratio", 1);
    pool.readPower = numberAt(j, "read_power_mw");
    pool.writePower = numberAt(j, "write_power_mw");
    pool.score = intAt(j, "score");
    pool.members = indicesAt(j, "members", poolCount);
    return pool;
}

Buffer readBuffer(const json& j, std::size_t poolCount, std::size_t bufferCount) {
    Buffer buffer;
    buffer.name = textAt(j, "name");
    buffer.kind = textAt(j, "kind");
    buffer.pool = indexAt(j, "pool_index", poolCount);
    buffer.address = Address(addressAt(j, "address"));
    buffer.offset = bytesAt(j, "offset_bytes");
    buffer.size = bytesAt(j, "size_bytes");
    buffer.live = {intAt(j, "first_epoch"), intAt(j, "last_epoch")};
    buffer.shape = integers(arrayAt(j, "shape"));
    buffer.format = textAt(j, "format");
    buffer.scales = numbers(arrayAt(j, "scales"));
    buffer.zeroPoints = integers(arrayAt(j, "zero_points"));
    buffer.axis = intAt(j, "axis", -1);
    buffer.layout = textAt(j, "layout");
    buffer.batch = intAt(j, "batch");
    buffer.aliasOf = indexAt(j, "alias_of", bufferCount);
    buffer.readBytes = integerAt(j, "read_bytes");
    buffer.writeBytes = integerAt(j, "write_bytes");
    return buffer;
}

void readWork(const json& j, Epoch& epoch, std::size_t poolCount) {
    for (const json& op : arrayAt(j, "operators"))
        epoch.operators.push_back(
            {textAt(op, "name"), textAt(op, "kind"), texts(arrayAt(op, "original_names")), integerAt(op, "macs")});
    for (const json& use : arrayAt(j, "units"))
        epoch.units.push_back(
            {textAt(use, "unit"), textAt(use, "node"), textAt(use, "kind"), integerAt(use, "cycles")});
    for (const json& traffic : arrayAt(j, "traffic"))
        epoch.traffic.push_back({indexAt(traffic, "pool_index", poolCount), integerAt(traffic, "read_bytes"),
                                 integerAt(traffic, "write_bytes"), numberAt(traffic, "read_cycles"),
                                 numberAt(traffic, "write_cycles")});
}

void readBus(const json& list, std::int64_t (&bus)[2]) {
    for (std::size_t i = 0; i < 2 && i < list.size(); ++i)
        bus[i] = toInteger(list[i]);
}

Epoch readEpoch(const json& j, std::size_t poolCount, std::size_t bufferCount) {
    Epoch epoch;
    epoch.ordinal = intAt(j, "ordinal");
    epoch.name = textAt(j, "name");
    epoch.kind = textAt(j, "kind", "none");
    readWork(j, epoch, poolCount);
    epoch.reason = textAt(j, "reason");
    epoch.boundBy = textAt(j, "bound_by");
    epoch.computeCycles = integerAt(j, "compute_cycles");
    epoch.vendorCycles = integerAt(j, "vendor_cycles");
    epoch.calibratedCycles = numberAt(j, "calibrated_cycles");
    epoch.calibratedMs = numberAt(j, "calibrated_ms");
    epoch.operations = integerAt(j, "operations");
    readBus(arrayAt(j, "bus_read_bytes"), epoch.busRead);
    readBus(arrayAt(j, "bus_write_bytes"), epoch.busWrite);
    epoch.atonPower = numberAt(j, "aton_power_mw");
    epoch.memoryPower = numberAt(j, "memory_power_mw");
    epoch.atonEnergy = numberAt(j, "aton_energy");
    epoch.memoryEnergy = numberAt(j, "memory_energy");
    epoch.reads = indicesAt(j, "reads", bufferCount);
    epoch.writes = indicesAt(j, "writes", bufferCount);
    epoch.blob = textAt(j, "blob");
    return epoch;
}

Totals readTotals(const json& root) {
    const json& bytes = objectAt(root, "totals");
    const json& epochs = objectAt(root, "epochs");
    const json& estimate = objectAt(root, "estimate");
    Totals totals;
    totals.weights = bytesAt(bytes, "weights_bytes");
    totals.activations = bytesAt(bytes, "activations_bytes");
    totals.externalActivations = bytesAt(bytes, "external_activations_bytes");
    totals.peakLive = bytesAt(bytes, "peak_live_bytes");
    totals.peakEpoch = intAt(bytes, "peak_epoch", -1);
    totals.sumOverBuffers = bytesAt(bytes, "sum_over_buffers_bytes");
    totals.operations = integerAt(bytes, "operations");
    totals.computeCycles = integerAt(bytes, "compute_cycles");
    totals.vendorCycles = integerAt(estimate, "vendor_cycles");
    totals.calibratedCycles = numberAt(estimate, "calibrated_cycles");
    totals.vendorMs = numberAt(estimate, "vendor_ms");
    totals.calibratedMs = numberAt(estimate, "calibrated_ms");
    totals.epochs = intAt(epochs, "total");
    totals.hw = intAt(epochs, "hw");
    totals.sw = intAt(epochs, "sw");
    totals.hybrid = intAt(epochs, "hybrid");
    totals.ecBlobs = intAt(epochs, "ec_blobs");
    return totals;
}

Severity severityOf(const std::string& name) {
    for (Severity severity : {Severity::Note, Severity::Hint, Severity::Warning})
        if (name == severityName(severity))
            return severity;
    return Severity::Error;
}

Diagnostic readDiagnostic(const json& j) {
    return {textAt(j, "code"),
            severityOf(textAt(j, "severity")),
            textAt(j, "message"),
            {textAt(j, "path"), intAt(j, "line"), intAt(j, "column"), textAt(j, "object")},
            textAt(j, "hint")};
}

Provenance readProvenance(const json& j) {
    Provenance provenance;
    provenance.tool = textAt(j, "tool");
    provenance.version = textAt(j, "version");
    provenance.generation = textAt(j, "generation");
    provenance.inputs = texts(arrayAt(j, "inputs"));
    for (const auto& [name, hash] : objectAt(j, "hashes").items())
        if (hash.is_string())
            provenance.hashes[name] = hash.get<std::string>();
    provenance.options = textAt(j, "options");
    provenance.network = textAt(j, "network", provenance.network);
    provenance.board = textAt(j, "board");
    provenance.sources = texts(arrayAt(j, "sources"));
    return provenance;
}

void readFindings(const json& root, Report& report) {
    for (const json& edge : arrayAt(root, "edges"))
        report.edges.push_back({indexAt(edge, "from", report.epochs.size()), indexAt(edge, "to", report.epochs.size()),
                                indexAt(edge, "buffer", report.buffers.size())});
    for (const json& one : arrayAt(root, "unplaced"))
        report.unplaced.push_back({indexAt(one, "buffer", report.buffers.size()), textAt(one, "name"),
                                   textAt(one, "reason"), textAt(one, "kind"), bytesAt(one, "bytes"),
                                   bytesAt(one, "missing_bytes"), intAt(one, "epoch", -1)});
    for (const json& diagnostic : arrayAt(root, "diagnostics"))
        report.diagnostics.push_back(readDiagnostic(diagnostic));
}

Report readReport(const json& root) {
    Report report;
    report.fits = boolAt(root, "fits", true);
    const json& pools = arrayAt(root, "pools");
    const json& buffers = arrayAt(root, "buffers");
    for (const json& pool : pools)
        report.pools.push_back(readPool(pool, pools.size()));
    for (const json& buffer : buffers)
        report.buffers.push_back(readBuffer(buffer, pools.size(), buffers.size()));
    for (const json& epoch : arrayAt(root, "epoch_list"))
        report.epochs.push_back(readEpoch(epoch, pools.size(), buffers.size()));
    report.totals = readTotals(root);
    readFindings(root, report);
    report.shortfall = bytesAt(root, "shortfall_bytes");
    report.provenance = readProvenance(objectAt(root, "provenance"));
    report.nominalMegahertz = numberAt(objectAt(root, "estimate"), "nominal_mhz", report.nominalMegahertz);
    return report;
}

} // namespace

bool looksLikeReportJson(const std::string& text) {
    const std::string head = text.substr(0, 200);
    return head.find("\"schema_version\"") != std::string::npos && text.find("\"epoch_list\"") != std::string::npos;
}

Result<Report> fromJson(const std::string& text, const std::string& path) {
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded() || !root.is_object())
        return fail(makeError("PW5001", "the file is not a JSON object", {path, 0, 0, {}}));
    if (integerAt(root, "schema_version") != 1)
        return fail(makeError("PW5002", "the report's schema_version is not 1", {path, 0, 0, {}},
                              "write it again with this version: `poolwright-cli report --format json`"));
    return readReport(root);
}

} // namespace poolwright::report
