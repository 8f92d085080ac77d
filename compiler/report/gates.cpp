// SPDX-License-Identifier: Apache-2.0
#include "report/gates.h"

#include "report/wording.h"

#include <algorithm>
#include <charconv>

namespace poolwright::report {

namespace {

std::optional<std::int64_t> parseBytes(std::string text) {
    std::int64_t factor = 1;
    if (!text.empty() && (text.back() == 'K' || text.back() == 'M')) {
        factor = text.back() == 'K' ? 1024 : 1024 * 1024;
        text.pop_back();
    }
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    std::int64_t value = 0;
    const char* begin = text.data() + (hexadecimal ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
    if (begin == end || error != std::errc() || rest != end || value < 0 || value > INT64_MAX / factor)
        return std::nullopt;
    return value * factor;
}

std::vector<std::string> activationsIn(const Report& report, int pool) {
    std::vector<std::string> names;
    for (const Buffer& buffer : report.buffers)
        if (buffer.pool == pool && !buffer.isWeights())
            names.push_back(buffer.name);
    return names;
}

Diagnostic unknownPool(const Report& report, const std::string& name) {
    std::vector<std::string> names;
    for (const Pool& pool : report.pools)
        names.push_back(pool.name);
    return makeError("PW5032", "there is no pool named \"" + name + "\"", {{}, 0, 0, name},
                     names.empty() ? "the report holds no pools" : "the pools are " + listed(names, 16));
}

void checkPool(const Report& report, const PoolLimit& limit, Diagnostics& broken) {
    const auto pool =
        std::find_if(report.pools.begin(), report.pools.end(), [&](const Pool& p) { return p.name == limit.pool; });
    if (pool == report.pools.end()) {
        broken.push_back(unknownPool(report, limit.pool));
        return;
    }
    if (pool->activations <= limit.most)
        return;
    const auto names = activationsIn(report, int(pool - report.pools.begin()));
    broken.push_back(makeError("PW5031",
                               toText(pool->activations) + " of activations lie in pool " + pool->name +
                                   ", allowed are " + toText(limit.most),
                               {{}, 0, 0, pool->name}, names.empty() ? "" : "buffers there: " + listed(names)));
}

void checkSoftware(const Report& report, int most, Diagnostics& broken) {
    if (report.epochs.empty() && report.totals.epochs == 0) {
        broken.push_back(makeError("PW5035", "the artefacts do not say which epochs there are", {},
                                   "add the c_info, the csv or the generate report"));
        return;
    }
    std::vector<std::string> names;
    for (const Epoch& epoch : report.epochs)
        if (epoch.kind == "SW" || epoch.kind == "hybrid")
            names.push_back(epoch.name);
    const int found = report.epochs.empty() ? report.totals.sw + report.totals.hybrid : int(names.size());
    if (found > most)
        broken.push_back(makeError(
            "PW5033", counted(found, "epoch") + " run on the CPU wholly or in part, allowed are " + grouped(most), {},
            names.empty() ? "" : listed(names)));
}

void checkFits(const Report& report, Diagnostics& broken) {
    if (!knowsPlacement(report)) {
        broken.push_back(makeError("PW5035", "the artefacts do not say where buffers lie", {},
                                   "add the c_info or the generate report"));
        return;
    }
    if (report.fits && report.unplaced.empty())
        return;
    std::vector<std::string> names;
    for (const Unplaced& unplaced : report.unplaced)
        names.push_back(unplaced.name);
    std::string message =
        "the network does not fit: " + counted(std::int64_t(names.size()), "buffer") + " without a place";
    if (report.shortfall.value > 0)
        message += ", " + toText(report.shortfall) + " short at the worst epoch";
    broken.push_back(makeError("PW5034", message, {}, listed(names)));
}

} // namespace

Result<PoolLimit> parsePoolLimit(const std::string& text) {
    const std::size_t equals = text.find('=');
    const auto bytes = equals == std::string::npos ? std::nullopt : parseBytes(text.substr(equals + 1));
    if (!bytes || equals == 0)
        return fail(makeError("PW5030", "\"" + text + "\" is not POOL=BYTES", {},
                              "write for example hyperRAM=0 or cpuRAM2=512K"));
    return PoolLimit{text.substr(0, equals), ByteCount(*bytes)};
}

Diagnostics brokenGates(const Report& report, const Gates& gates) {
    Diagnostics broken;
    for (const PoolLimit& limit : gates.pools)
        checkPool(report, limit, broken);
    if (gates.softwareEpochs)
        checkSoftware(report, *gates.softwareEpochs, broken);
    if (gates.fits)
        checkFits(report, broken);
    return broken;
}

} // namespace poolwright::report
