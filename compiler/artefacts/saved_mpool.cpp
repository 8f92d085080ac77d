// SPDX-License-Identifier: Apache-2.0
#include "artefacts/saved_mpool.h"

#include "report/derive.h"
#include "report/json_access.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace poolwright::artefacts {

using nlohmann::json;
using namespace report;

namespace {

/// Both spellings of a key: input files use snake case, dumps camel case.
const json& either(const json& object, const char* snake, const char* camel) {
    return object.contains(snake) ? object[snake] : object.contains(camel) ? object[camel] : objectAt(object, snake);
}

std::int64_t bytesOf(const json& quantity) {
    const std::string magnitude = textAt(quantity, "magnitude");
    const std::int64_t factor = magnitude == "KBYTES"   ? 1024
                                : magnitude == "MBYTES" ? 1024 * 1024
                                : magnitude == "GBYTES" ? 1 << 30
                                                        : 1;
    const std::uint64_t value = addressAt(quantity, "value");
    return value > std::uint64_t(INT64_MAX / factor) ? 0 : std::int64_t(value) * factor;
}

bool isTrue(const json& value) {
    return value == json(true) || value == json("true");
}

Pool readPool(const json& j) {
    const json& properties = objectAt(j, "prop");
    Pool pool;
    pool.name = textAt(j, "name");
    pool.fname = textAt(j, "fname");
    pool.relative = textAt(j, "mode") == "USEMODE_RELATIVE";
    pool.address = Address(std::uint64_t(bytesOf(objectAt(j, "offset"))));
    pool.size = ByteCount(bytesOf(objectAt(j, "size")));
    pool.readOnly = textAt(properties, "rights") == "ACC_READ";
    pool.throughput = textAt(properties, "throughput");
    pool.latency = textAt(properties, "latency");
    pool.byteWidth = std::max(1, intAt(properties, "byteWidth", 8));
    pool.freqRatio = numberAt(properties, "freqRatio", 1);
    pool.readPower = toNumber(either(properties, "read_power", "readPower"));
    pool.writePower = toNumber(either(properties, "write_power", "writePower"));
    pool.cacheable = textAt(properties, "cacheable") == "CACHEABLE_ON";
    pool.constantsPreferred = isTrue(either(properties, "constants_preferred", "constantsPreferred"));
    pool.external = pool.fname.starts_with("xSPI") || isExternal(pool.address);
    return pool;
}

} // namespace

Result<Report> readSavedMpool(const std::string& text, const std::string& path) {
    const json root = json::parse(text, nullptr, false);
    const json& pools = root.is_discarded() ? root : arrayAt(objectAt(root, "memory"), "mempools");
    if (!pools.is_array() || pools.empty())
        return fail(makeError("PW5017", "the pool file is no valid JSON or lists no pools", {path, 0, 0, {}}));
    Report report;
    report.provenance.sources = {"mpool"};
    for (const json& pool : pools)
        report.pools.push_back(readPool(pool));
    return report;
}

} // namespace poolwright::artefacts
