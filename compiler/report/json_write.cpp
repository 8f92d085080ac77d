// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include <nlohmann/json.hpp>

namespace poolwright::report {

using Json = nlohmann::ordered_json;

namespace {

const Pool* poolAt(const Report& report, int index) {
    return index >= 0 && std::size_t(index) < report.pools.size() ? &report.pools[std::size_t(index)] : nullptr;
}

Json poolName(const Report& report, int index) {
    const Pool* pool = poolAt(report, index);
    return pool ? Json(pool->name) : Json(nullptr);
}

Json toJson(const Pool& pool) {
    return {{"name", pool.name},
            {"address", pool.address.value},
            {"size_bytes", pool.size.value},
            {"used_bytes", pool.used.value},
            {"weights_bytes", pool.weights.value},
            {"activations_bytes", pool.activations.value},
            {"virtual", pool.isVirtual},
            {"fname", pool.fname},
            {"external", pool.external},
            {"read_only", pool.readOnly},
            {"cacheable", pool.cacheable},
            {"constants_preferred", pool.constantsPreferred},
            {"relative", pool.relative},
            {"user_allocated", pool.userAllocated},
            {"reserved_tail_bytes", pool.reservedTail.value},
            {"throughput", pool.throughput},
            {"latency", pool.latency},
            {"byte_width", pool.byteWidth},
            {"freq_ratio", pool.freqRatio},
            {"read_power_mw", pool.readPower},
            {"write_power_mw", pool.writePower},
            {"score", pool.score},
            {"members", pool.members}};
}

Json toJson(const Report& report, const Buffer& buffer) {
    return {{"name", buffer.name},
            {"kind", buffer.kind},
            {"pool", poolName(report, buffer.pool)},
            {"pool_index", buffer.pool},
            {"address", buffer.address.value},
            {"offset_bytes", buffer.offset.value},
            {"size_bytes", buffer.size.value},
            {"first_epoch", buffer.live.first},
            {"last_epoch", buffer.live.last},
            {"shape", buffer.shape},
            {"format", buffer.format},
            {"scales", buffer.scales},
            {"zero_points", buffer.zeroPoints},
            {"axis", buffer.axis},
            {"layout", buffer.layout},
            {"batch", buffer.batch},
            {"alias_of", buffer.aliasOf},
            {"read_bytes", buffer.readBytes},
            {"write_bytes", buffer.writeBytes}};
}

Json operatorsJson(const Epoch& epoch) {
    Json list = Json::array();
    for (const Operator& op : epoch.operators)
        list.push_back({{"name", op.name}, {"kind", op.kind}, {"original_names", op.originalNames}, {"macs", op.macs}});
    return list;
}

Json unitsJson(const Epoch& epoch) {
    Json list = Json::array();
    for (const UnitUse& use : epoch.units)
        list.push_back({{"unit", use.unit}, {"node", use.node}, {"kind", use.kind}, {"cycles", use.cycles}});
    return list;
}

Json trafficJson(const Report& report, const Epoch& epoch) {
    Json list = Json::array();
    for (const PoolTraffic& traffic : epoch.traffic)
        list.push_back({{"pool", poolName(report, traffic.pool)},
                        {"pool_index", traffic.pool},
                        {"read_bytes", traffic.readBytes},
                        {"write_bytes", traffic.writeBytes},
                        {"read_cycles", traffic.readCycles},
                        {"write_cycles", traffic.writeCycles}});
    return list;
}

Json toJson(const Report& report, const Epoch& epoch) {
    return {{"ordinal", epoch.ordinal},
            {"name", epoch.name},
            {"kind", epoch.kind},
            {"operators", operatorsJson(epoch)},
            {"units", unitsJson(epoch)},
            {"reason", epoch.reason},
            {"bound_by", epoch.boundBy},
            {"compute_cycles", epoch.computeCycles},
            {"vendor_cycles", epoch.vendorCycles},
            {"calibrated_cycles", epoch.calibratedCycles},
            {"calibrated_ms", epoch.calibratedMs},
            {"operations", epoch.operations},
            {"traffic", trafficJson(report, epoch)},
            {"bus_read_bytes", {epoch.busRead[0], epoch.busRead[1]}},
            {"bus_write_bytes", {epoch.busWrite[0], epoch.busWrite[1]}},
            {"aton_power_mw", epoch.atonPower},
            {"memory_power_mw", epoch.memoryPower},
            {"aton_energy", epoch.atonEnergy},
            {"memory_energy", epoch.memoryEnergy},
            {"reads", epoch.reads},
            {"writes", epoch.writes},
            {"blob", epoch.blob}};
}

Json toJson(const Unplaced& unplaced) {
    return {{"name", unplaced.name},
            {"bytes", unplaced.size.value},
            {"reason", unplaced.reason},
            {"kind", unplaced.kind},
            {"missing_bytes", unplaced.missing.value},
            {"epoch", unplaced.epoch},
            {"buffer", unplaced.buffer}};
}

Json toJson(const Diagnostic& diagnostic) {
    return {{"code", diagnostic.code},       {"severity", severityName(diagnostic.severity)},
            {"message", diagnostic.message}, {"path", diagnostic.where.path},
            {"line", diagnostic.where.line}, {"column", diagnostic.where.column},
            {"hint", diagnostic.hint},       {"object", diagnostic.where.object}};
}

Json toJson(const Provenance& provenance) {
    return {{"tool", provenance.tool},       {"version", provenance.version}, {"generation", provenance.generation},
            {"inputs", provenance.inputs},   {"hashes", provenance.hashes},   {"options", provenance.options},
            {"network", provenance.network}, {"board", provenance.board},     {"sources", provenance.sources}};
}

void addSummaries(Json& json, const Report& report) {
    const Totals& totals = report.totals;
    json["totals"] = {{"weights_bytes", totals.weights.value},
                      {"activations_bytes", totals.activations.value},
                      {"external_activations_bytes", totals.externalActivations.value},
                      {"peak_live_bytes", totals.peakLive.value},
                      {"peak_epoch", totals.peakEpoch},
                      {"sum_over_buffers_bytes", totals.sumOverBuffers.value},
                      {"operations", totals.operations},
                      {"compute_cycles", totals.computeCycles}};
    json["epochs"] = {{"total", totals.epochs},
                      {"hw", totals.hw},
                      {"sw", totals.sw},
                      {"hybrid", totals.hybrid},
                      {"ec_blobs", totals.ecBlobs}};
    json["estimate"] = {{"vendor_cycles", totals.vendorCycles},
                        {"calibrated_cycles", totals.calibratedCycles},
                        {"vendor_ms", totals.vendorMs},
                        {"calibrated_ms", totals.calibratedMs},
                        {"nominal_mhz", report.nominalMegahertz}};
}

void addEdges(Json& json, const Report& report) {
    Json& edges = json["edges"] = Json::array();
    for (const Edge& edge : report.edges)
        edges.push_back({{"from", edge.from}, {"to", edge.to}, {"buffer", edge.buffer}});
}

} // namespace

std::string toJson(const Report& report) {
    Json json = {{"schema_version", 1}, {"fits", report.fits}, {"pools", Json::array()}};
    for (const Pool& pool : report.pools)
        json["pools"].push_back(toJson(pool));
    addSummaries(json, report);
    Json& epochs = json["epoch_list"] = Json::array();
    for (const Epoch& epoch : report.epochs)
        epochs.push_back(toJson(report, epoch));
    Json& buffers = json["buffers"] = Json::array();
    for (const Buffer& buffer : report.buffers)
        buffers.push_back(toJson(report, buffer));
    addEdges(json, report);
    Json& unplaced = json["unplaced"] = Json::array();
    for (const Unplaced& one : report.unplaced)
        unplaced.push_back(toJson(one));
    json["shortfall_bytes"] = report.shortfall.value;
    Json& diagnostics = json["diagnostics"] = Json::array();
    for (const Diagnostic& diagnostic : report.diagnostics)
        diagnostics.push_back(toJson(diagnostic));
    json["provenance"] = toJson(report.provenance);
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace poolwright::report
