// SPDX-License-Identifier: Apache-2.0
#include "emit/cinfo.h"

#include "emit/cinfo_graph.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace poolwright::emit {

using namespace report;
using Json = nlohmann::ordered_json;

namespace {

Json addressOf(const Pool& pool) {
    return pool.relative || pool.userAllocated ? Json("") : Json(std::to_string(pool.address.value));
}

std::string initialiserName(const Pool& pool, const CInfoOptions& options) {
    if (pool.isVirtual || pool.fname.empty())
        return {};
    return options.memFilePrefix + "." + pool.fname + "." + options.initialiserExtension;
}

Json poolAttributes(const Pool& pool) {
    Json attributes = {{"throughput", pool.throughput},
                       {"latency", pool.latency},
                       {"byte_width", pool.byteWidth},
                       {"freq_ratio", pool.freqRatio},
                       {"burst_max_length", 4294967295u},
                       {"burst_penalty", 0},
                       {"read_power", pool.readPower},
                       {"write_power", pool.writePower},
                       {"use_for_initrs", pool.constantsPreferred},
                       {"score", pool.score}};
    if (pool.reservedTail.value != 0)
        attributes["reserved_tail"] = pool.reservedTail.value;
    return attributes;
}

Json buffersIn(const Report& report, int pool) {
    Json ids = Json::array();
    for (std::size_t i = 0; i < report.buffers.size(); ++i)
        if (report.buffers[i].pool == pool)
            ids.push_back(i + 1);
    return ids;
}

Json poolJson(const Report& report, int index, const CInfoOptions& options) {
    const Pool& pool = report.pools[std::size_t(index)];
    Json subpools = Json::array();
    for (int member : pool.members)
        subpools.push_back(member + 1);
    return {{"name", pool.name},
            {"fname", initialiserName(pool, options)},
            {"id", index + 1},
            {"alignment", 8},
            {"address", addressOf(pool)},
            {"offset_start", pool.relative ? pool.address.value : 0},
            {"size_bytes", pool.size.value},
            {"used_size_bytes", pool.used.value},
            {"rights", pool.readOnly ? "ACC_READ" : "ACC_WRITE"},
            {"cacheable", pool.userAllocated ? "CACHEABLE_UNDEF" : pool.cacheable ? "CACHEABLE_ON" : "CACHEABLE_OFF"},
            {"pipelined", "PIPELINED_ON"},
            {"user_allocated", pool.userAllocated},
            {"persistent", true},
            {"attributes", poolAttributes(pool)},
            {"subpools", subpools},
            {"buffers", buffersIn(report, index)}};
}

/// Bits of one element. "Q" formats say nothing themselves: bytes over elements.
int bitsOf(const Buffer& buffer) {
    if (buffer.format == "FLOAT")
        return 32;
    if (buffer.format.size() > 1 && (buffer.format[0] == 'S' || buffer.format[0] == 'U')) {
        const std::string digits = buffer.format.substr(1);
        if (digits == "8" || digits == "16" || digits == "32" || digits == "64")
            return std::stoi(digits);
    }
    double elements = 1;
    for (std::int64_t extent : buffer.shape)
        elements *= double(std::max<std::int64_t>(1, extent));
    return int(std::clamp(std::round(double(buffer.size.value) * 8 / elements), 1.0, 64.0));
}

Json qmnOf(const Buffer& buffer, int bits) {
    if (buffer.format == "FLOAT")
        return {{"m", 0}, {"n", 0}, {"sign", 1}};
    const int sign = buffer.format.starts_with("U") ? 0 : 1;
    return {{"m", bits - sign}, {"n", 0}, {"sign", sign}};
}

/// channel_last and channel_first both true: the order makes no difference; both false: tiles of `batch` channels.
void addLayout(const Buffer& buffer, Json& json) {
    if (buffer.layout.empty())
        return;
    const bool any = buffer.layout == "any";
    const bool last = any || buffer.layout == "channel_last", first = any || buffer.layout == "channel_first";
    json["channel_first"] = first;
    json["channel_last"] = last;
    const std::int64_t channels = buffer.shape.size() > 1 ? buffer.shape[1] : 1;
    json["batch"] = buffer.batch > 0 ? buffer.batch : last && !any ? channels : 1;
}

Json bufferJson(const Buffer& buffer, int id) {
    const int bits = bitsOf(buffer);
    Json json = {{"name", buffer.name},
                 {"id", id},
                 {"mpool_id", buffer.pool + 1},
                 {"alignment", 1},
                 {"offset_start", buffer.placed() ? buffer.offset.value : -1},
                 {"size_bytes", buffer.size.value},
                 {"is_param", buffer.isWeights()},
                 {"flags", ""},
                 {"epochs", {{"start", buffer.live.first}, {"end", buffer.live.last}}},
                 {"shape", buffer.shape},
                 {"shape_map", Json::array()}};
    addLayout(buffer, json);
    json["format"] = "STAI_FORMAT_" + (buffer.format.empty() ? std::string("NONE") : buffer.format);
    json["nbits"] = bits;
    json["qmn"] = qmnOf(buffer, bits);
    if (!buffer.scales.empty())
        json["intq"] = {{"axis", buffer.axis}, {"scales", buffer.scales}, {"offsets", buffer.zeroPoints}};
    if (buffer.readBytes != 0 || buffer.writeBytes != 0)
        json["traffic"] = {{"reads", buffer.readBytes}, {"writes", buffer.writeBytes}};
    return json;
}

Json environmentJson(const Report& report, const CInfoOptions& options) {
    const Provenance& from = report.provenance;
    Json files = Json::array();
    for (const std::string& input : from.inputs) {
        const auto hash = from.hashes.find(input);
        files.push_back({{"name", input}, {"signature", hash == from.hashes.end() ? "" : "0x" + hash->second}});
    }
    const Json tool = {{"name", from.tool.empty() ? "poolwright" : from.tool},
                       {"version", from.version.empty() ? options.toolVersion : from.version},
                       {"arguments", from.options},
                       {"environment", Json::array()},
                       {"input_model",
                        {{"name", from.network},
                         {"type", "onnx"},
                         {"size", 0},
                         {"n_params", 0},
                         {"model_files", files},
                         {"generated_time", ""}}}};
    const Json model = {{"name", from.network},         {"type", ""},          {"size", 0}, {"n_params", 0},
                        {"model_files", Json::array()}, {"generated_time", ""}};
    return {{"tools", Json::array({tool})},
            {"generated_model", model},
            {"network_signature", ""},
            {"target", ""},
            {"test_name", ""}};
}

ByteCount userBytes(const Report& report, const char* kind) {
    ByteCount sum;
    for (const Buffer& buffer : report.buffers)
        if (buffer.kind == kind && buffer.placed() && report.pools[std::size_t(buffer.pool)].userAllocated &&
            buffer.aliasOf < 0)
            sum += buffer.size;
    return sum;
}

Json footprintJson(const Report& report) {
    return {{"activations", report.totals.activations.value},
            {"weights", report.totals.weights.value},
            {"io", {userBytes(report, "input").value, userBytes(report, "output").value}},
            {"kernel_flash", nullptr},
            {"kernel_ram", nullptr},
            {"series", "stm32n6npu"},
            {"toolchain", nullptr},
            {"toolchain_flash", nullptr},
            {"toolchain_ram", nullptr}};
}

/// What the schema has no place for.
Json ownJson(const Report& report) {
    Json unplaced = Json::array();
    for (const Unplaced& one : report.unplaced)
        unplaced.push_back({{"name", one.name},
                            {"bytes", one.size.value},
                            {"reason", one.reason},
                            {"kind", one.kind},
                            {"missing_bytes", one.missing.value},
                            {"epoch", one.epoch},
                            {"buffer_id", one.buffer + 1}});
    return {{"fits", report.fits},
            {"shortfall_bytes", report.shortfall.value},
            {"unplaced", unplaced},
            {"generation", report.provenance.generation},
            {"board", report.provenance.board},
            {"hashes", report.provenance.hashes},
            {"nominal_mhz", report.nominalMegahertz}};
}

} // namespace

std::string cInfo(const Report& report, const CInfoOptions& options) {
    Json json = {{"json_schema_version", "2.0"}, {"environment", environmentJson(report, options)}};
    Json& buffers = json["buffers"] = Json::array();
    for (std::size_t i = 0; i < report.buffers.size(); ++i)
        buffers.push_back(bufferJson(report.buffers[i], int(i) + 1));
    addGraph(report, json);
    Json& pools = json["memory_pools"] = Json::array();
    for (std::size_t i = 0; i < report.pools.size(); ++i)
        pools.push_back(poolJson(report, int(i), options));
    addRows(report, json);
    json["memory_footprint"] = footprintJson(report);
    json["poolwright"] = ownJson(report);
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace poolwright::emit
