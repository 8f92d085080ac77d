// SPDX-License-Identifier: Apache-2.0
#include "artefacts/c_info.h"

#include "artefacts/c_info_graph.h"
#include "report/derive.h"
#include "report/json_access.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace poolwright::artefacts {

using nlohmann::json;
using namespace report;

namespace {

/// Larger values in a file are nonsense and would only make sums overflow.
constexpr std::int64_t mostBytes = std::int64_t(1) << 44;
constexpr int mostEpochs = 10'000'000;

ByteCount bytesAt(const json& object, const char* key) {
    return ByteCount(std::clamp<std::int64_t>(integerAt(object, key), 0, mostBytes));
}

bool isNumber(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
}

/// "atonbuf.AXISRAM6.raw" -> "AXISRAM6".
std::string poolFileName(const std::string& initialiser) {
    const std::size_t first = initialiser.find('.');
    const std::size_t last = initialiser.rfind('.');
    return first == std::string::npos || first == last ? initialiser : initialiser.substr(first + 1, last - first - 1);
}

/// The vendor's files up to 1.1.1 print LOW and HIGH of `latency` the wrong way round (facts/file-formats.md
/// section 3.1).
std::string latencyOf(const std::string& written, bool swapped) {
    if (!swapped)
        return written;
    return written == "LOW" ? "HIGH" : written == "HIGH" ? "LOW" : written;
}

void readTraits(const json& attributes, bool swappedLatency, Pool& pool) {
    pool.throughput = textAt(attributes, "throughput");
    pool.latency = latencyOf(textAt(attributes, "latency"), swappedLatency);
    pool.byteWidth = std::max(1, intAt(attributes, "byte_width", 8));
    pool.freqRatio = numberAt(attributes, "freq_ratio", 1);
    pool.readPower = numberAt(attributes, "read_power");
    pool.writePower = numberAt(attributes, "write_power");
    pool.constantsPreferred = boolAt(attributes, "use_for_initrs");
    pool.score = intAt(attributes, "score");
    pool.reservedTail = bytesAt(attributes, "reserved_tail");
}

Pool readPool(const json& j, bool swappedLatency) {
    Pool pool;
    pool.name = textAt(j, "name");
    pool.fname = poolFileName(textAt(j, "fname"));
    pool.userAllocated = boolAt(j, "user_allocated");
    const std::string address = textAt(j, "address");
    const bool absolute = isNumber(address);
    pool.relative = !absolute && !pool.userAllocated;
    pool.address = Address(absolute ? addressAt(j, "address") : std::uint64_t(bytesAt(j, "offset_start").value));
    pool.size = bytesAt(j, "size_bytes");
    pool.used = bytesAt(j, "used_size_bytes");
    if (integerAt(j, "size_bytes") < 0) // a CPU-only model's weights array has no fixed size
        pool.size = pool.used;
    pool.readOnly = textAt(j, "rights") == "ACC_READ";
    pool.cacheable = textAt(j, "cacheable") == "CACHEABLE_ON";
    pool.isVirtual = !arrayAt(j, "subpools").empty();
    readTraits(objectAt(j, "attributes"), swappedLatency, pool);
    pool.external = pool.relative ? pool.byteWidth < 8 && pool.fname.starts_with("xSPI") : isExternal(pool.address);
    return pool;
}

/// Concrete pools by address, then virtual ones; answers the index of each id.
std::map<std::int64_t, int> readPools(const json& list, bool swappedLatency, Report& report) {
    std::vector<std::pair<const json*, Pool>> pools;
    for (const json& j : list)
        pools.emplace_back(&j, readPool(j, swappedLatency));
    std::stable_sort(pools.begin(), pools.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.isVirtual, a.second.address) < std::pair(b.second.isVirtual, b.second.address);
    });
    std::map<std::int64_t, int> indices;
    for (const auto& [j, pool] : pools)
        indices.emplace(integerAt(*j, "id"), int(indices.size()));
    for (auto& [j, pool] : pools) {
        for (const json& id : arrayAt(*j, "subpools"))
            if (const auto it = indices.find(toInteger(id)); it != indices.end())
                pool.members.push_back(it->second);
        report.pools.push_back(std::move(pool));
    }
    return indices;
}

std::string formatOf(const std::string& written) {
    constexpr const char* prefix = "STAI_FORMAT_";
    const std::string format = written.starts_with(prefix) ? written.substr(std::string(prefix).size()) : written;
    return format == "NONE" ? std::string() : format;
}

std::string layoutOf(const json& j) {
    const bool last = boolAt(j, "channel_last"), first = boolAt(j, "channel_first");
    if (!j.contains("channel_last") && !j.contains("channel_first"))
        return {};
    return last && first ? "any" : last ? "channel_last" : first ? "channel_first" : "batched";
}

void readQuantisation(const json& intq, Buffer& buffer) {
    buffer.axis = intAt(intq, "axis", -1);
    for (const json& scale : arrayAt(intq, "scales"))
        buffer.scales.push_back(toNumber(scale));
    for (const json& offset : arrayAt(intq, "offsets"))
        buffer.zeroPoints.push_back(toInteger(offset));
}

Buffer readBuffer(const json& j, const std::map<std::int64_t, int>& poolIndices, const Report& report) {
    Buffer buffer;
    buffer.name = textAt(j, "name");
    buffer.kind = boolAt(j, "is_param") ? "constant" : "activation";
    buffer.size = bytesAt(j, "size_bytes");
    const std::int64_t offset = integerAt(j, "offset_start", -1);
    const auto pool = poolIndices.find(integerAt(j, "mpool_id", -1));
    if (pool != poolIndices.end() && offset >= 0) {
        buffer.pool = pool->second;
        buffer.offset = bytesAt(j, "offset_start");
        buffer.address = report.pools[std::size_t(buffer.pool)].address + buffer.offset;
    }
    const json& epochs = objectAt(j, "epochs");
    buffer.live.first = std::clamp(intAt(epochs, "start"), 0, mostEpochs);
    buffer.live.last = std::clamp(intAt(epochs, "end"), buffer.live.first, mostEpochs);
    for (const json& extent : arrayAt(j, "shape"))
        buffer.shape.push_back(toInteger(extent));
    buffer.format = formatOf(textAt(j, "format"));
    buffer.layout = layoutOf(j);
    if (buffer.layout == "batched")
        buffer.batch = intAt(j, "batch");
    const json& traffic = objectAt(j, "traffic");
    buffer.readBytes = integerAt(traffic, "reads");
    buffer.writeBytes = integerAt(traffic, "writes");
    readQuantisation(objectAt(j, "intq"), buffer);
    return buffer;
}

std::map<std::int64_t, int> readBuffers(const json& list, const std::map<std::int64_t, int>& poolIndices,
                                        Report& report) {
    std::map<std::int64_t, int> indices;
    for (const json& j : list) {
        indices.emplace(integerAt(j, "id", -1), int(report.buffers.size()));
        report.buffers.push_back(readBuffer(j, poolIndices, report));
    }
    return indices;
}

/// The tool that made the file and the one command line it ran.
void readEnvironment(const json& environment, Provenance& provenance) {
    for (const json& tool : arrayAt(environment, "tools")) {
        const bool compiler = textAt(tool, "name").starts_with("ATONN");
        if (provenance.tool.empty())
            provenance.tool = textAt(tool, "name");
        if (provenance.version.empty() || compiler) {
            provenance.version = textAt(tool, "version");
            provenance.options = textAt(tool, "arguments");
        }
        for (const json& file : arrayAt(objectAt(tool, "input_model"), "model_files"))
            if (const std::string name = textAt(file, "name"); !name.empty())
                provenance.inputs.push_back(name);
    }
    if (provenance.tool.starts_with("ST.EdgeAI") || provenance.tool.starts_with("ATONN"))
        provenance.tool = "ST Edge AI Core";
    provenance.board = textAt(environment, "device");
    provenance.options.erase(0, provenance.options.find_first_not_of(' ') == std::string::npos
                                    ? provenance.options.size()
                                    : provenance.options.find_first_not_of(' '));
}

/// The object that our own writer adds for what the schema has no key for (emit/cinfo.h).
void readOwn(const json& own, const std::map<std::int64_t, int>& buffers, Report& report) {
    if (own.empty())
        return;
    report.fits = boolAt(own, "fits", true);
    report.shortfall = bytesAt(own, "shortfall_bytes");
    for (const json& one : arrayAt(own, "unplaced")) {
        const auto buffer = buffers.find(integerAt(one, "buffer_id"));
        report.unplaced.push_back({buffer == buffers.end() ? -1 : buffer->second, textAt(one, "name"),
                                   textAt(one, "reason"), textAt(one, "kind"), bytesAt(one, "bytes"),
                                   bytesAt(one, "missing_bytes"), intAt(one, "epoch", -1)});
    }
    report.provenance.generation = textAt(own, "generation");
    report.provenance.board = textAt(own, "board", report.provenance.board);
    for (const auto& [name, hash] : objectAt(own, "hashes").items())
        if (hash.is_string())
            report.provenance.hashes[name] = hash.get<std::string>();
    report.nominalMegahertz = numberAt(own, "nominal_mhz", report.nominalMegahertz);
}

bool hasSwappedLatency(const std::string& version) {
    return version.starts_with("1.0.") || version.starts_with("1.1.0") || version.starts_with("1.1.1");
}

/// The file's own `used_size_bytes` against what its buffers say; the rules are those of facts/file-formats.md
/// section 3.2.
void compareUsed(const std::vector<ByteCount>& written, const std::string& path, Report& report) {
    for (std::size_t i = 0; i < written.size(); ++i) {
        const Pool& pool = report.pools[i];
        if (pool.userAllocated || written[i] == pool.used)
            continue;
        report.diagnostics.push_back(makeWarning("PW5012",
                                                 "the file says " + toText(written[i]) +
                                                     " are used in this pool, its buffers say " + toText(pool.used),
                                                 {path, 0, 0, pool.name}));
    }
}

void derive(const std::string& path, Report& report) {
    std::vector<ByteCount> written;
    for (const Pool& pool : report.pools)
        written.push_back(pool.used);
    deriveAliases(report);
    deriveEdges(report);
    deriveTotals(report);
    deriveCycles(report);
    if (!report.buffers.empty())
        compareUsed(written, path, report);
}

bool isCInfo(const json& root) {
    return root.is_object() && root.contains("json_schema_version") &&
           (root.contains("memory_pools") || root.contains("buffers") || root.contains("environment"));
}

} // namespace

Result<Report> readCInfo(const std::string& text, const std::string& path) {
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded())
        return fail(makeError("PW5010", "the file is not valid JSON", {path, 0, 0, {}}));
    if (!isCInfo(root))
        return fail(makeError("PW5011", "the file is not a c_info: json_schema_version or memory_pools is missing",
                              {path, 0, 0, {}}));
    Report report;
    report.provenance.sources = {"c_info"};
    readEnvironment(objectAt(root, "environment"), report.provenance);
    const bool swapped = !root.contains("poolwright") && hasSwappedLatency(report.provenance.version);
    const auto pools = readPools(arrayAt(root, "memory_pools"), swapped, report);
    const auto buffers = readBuffers(arrayAt(root, "buffers"), pools, report);
    readGraph(root, {pools, buffers}, report);
    readOwn(objectAt(root, "poolwright"), buffers, report);
    derive(path, report);
    return report;
}

} // namespace poolwright::artefacts
