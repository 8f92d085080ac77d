// SPDX-License-Identifier: Apache-2.0
#include "artefacts/saved_mpool.h"

#include "mpool/read.h"
#include "report/derive.h"

#include <algorithm>

namespace poolwright::artefacts {

using namespace report;

namespace {

const char* levelName(mpool::Level level) {
    return level == mpool::Level::Low ? "LOW" : level == mpool::Level::Mid ? "MID" : "HIGH";
}

Pool poolOf(const mpool::Pool& source) {
    const mpool::Properties& properties = source.properties;
    Pool pool;
    pool.name = source.name;
    pool.fname = source.fname;
    pool.relative = source.mode == mpool::UseMode::Relative;
    pool.address = source.range().start;
    pool.size = source.range().size;
    pool.external = source.fname.starts_with("xSPI") || isExternal(pool.address);
    pool.readOnly = properties.rights == mpool::Rights::ReadOnly;
    pool.cacheable = properties.cacheable;
    pool.constantsPreferred = properties.constantsPreferred;
    pool.throughput = levelName(properties.throughput);
    pool.latency = levelName(properties.latency);
    pool.byteWidth = std::max(1, properties.byteWidth);
    pool.freqRatio = properties.freqRatio;
    pool.readPower = properties.readPower;
    pool.writePower = properties.writePower;
    return pool;
}

} // namespace

Result<Report> readSavedMpool(const std::string& text, const std::string& path) {
    const auto file = mpool::readPools(text, path);
    if (!file)
        return fail(file.error());
    Report report;
    report.provenance.sources = {"mpool"};
    report.diagnostics = file->findings;
    for (const mpool::Pool& pool : file->pools)
        report.pools.push_back(poolOf(pool));
    return report;
}

} // namespace poolwright::artefacts
