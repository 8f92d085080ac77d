// SPDX-License-Identifier: Apache-2.0
#include "report/why.h"

#include "report/alternatives.h"
#include "report/derive.h"
#include "report/wording.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace poolwright::report {

namespace {

std::string shapeText(const Buffer& buffer) {
    std::string text;
    for (std::int64_t extent : buffer.shape)
        text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
}

std::string unplacedReason(const Report& report, int buffer) {
    for (const Unplaced& unplaced : report.unplaced)
        if (unplaced.buffer == buffer)
            return unplaced.reason;
    return {};
}

std::vector<std::string> usersOf(const Report& report, int buffer, std::vector<int> Epoch::*list) {
    std::vector<std::string> names;
    for (const Epoch& epoch : report.epochs)
        if (std::find((epoch.*list).begin(), (epoch.*list).end(), buffer) != (epoch.*list).end())
            names.push_back(std::to_string(epoch.ordinal) + " (" + epoch.name + ")");
    return names;
}

std::string placeText(const Report& report, int index) {
    const Buffer& buffer = report.buffers[std::size_t(index)];
    if (!buffer.placed()) {
        const std::string reason = unplacedReason(report, index);
        return "has no place" + (reason.empty() ? std::string() : ": " + reason);
    }
    const Pool& pool = report.pools[std::size_t(buffer.pool)];
    return "lies in " + pool.name + (pool.external ? " (external)" : "") + " at " + toText(buffer.address) + " to " +
           toText(buffer.address + buffer.size) + ", offset " + grouped(buffer.offset.value);
}

/// Every other pool: what it would cost there, or why it cannot lie there.
std::string alternativesText(const Report& report, int index) {
    std::string text;
    for (const Alternative& alternative : alternatives(report, index)) {
        const std::int64_t cycles = std::int64_t(std::llround(alternative.deltaCycles));
        const std::string cost = cycles == 0
                                     ? "no cycle more or less"
                                     : grouped(std::abs(cycles)) + (cycles > 0 ? " cycles more" : " cycles fewer");
        text += "  " + poolName(report, alternative.pool) + ": ";
        if (alternative.isFree)
            text += "free at " + toText(alternative.address) + ", " + cost + "\n";
        else
            text += alternative.reason + (alternative.inTheWay.empty() ? "" : "; without them " + cost) + "\n";
    }
    return text;
}

std::string aliasText(const Report& report, int index) {
    const std::vector<int> roots = aliasRoots(report);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < roots.size(); ++i)
        if (int(i) != index && roots[i] == roots[std::size_t(index)])
            names.push_back(report.buffers[i].name);
    return names.empty() ? std::string() : "  shares its bytes on purpose with " + listed(names) + "\n";
}

std::string trafficText(const Report& report, const Epoch& epoch) {
    std::string text;
    for (const PoolTraffic& traffic : epoch.traffic)
        text += "  " + poolName(report, traffic.pool) + ": reads " + toText(ByteCount(traffic.readBytes)) + " in " +
                fixed(traffic.readCycles, 0) + " cycles, writes " + toText(ByteCount(traffic.writeBytes)) + " in " +
                fixed(traffic.writeCycles, 0) + " cycles\n";
    return text;
}

/// Of compute and each pool's (r + w bytes) x freqRatio / byteWidth, r cycles and w cycles: the largest, which is the
/// vendor's estimate (facts/file-formats.md section 4, formula 2).
std::string boundOf(const Report& report, const Epoch& epoch) {
    std::string bound = "compute";
    double most = double(epoch.computeCycles);
    for (const PoolTraffic& traffic : epoch.traffic) {
        if (traffic.pool < 0 || std::size_t(traffic.pool) >= report.pools.size())
            continue;
        const Pool& pool = report.pools[std::size_t(traffic.pool)];
        const double bytes =
            double(traffic.readBytes + traffic.writeBytes) * pool.freqRatio / std::max(1, pool.byteWidth);
        const double cycles = std::max({bytes, traffic.readCycles, traffic.writeCycles});
        if (cycles > most) {
            most = cycles;
            bound = "memory " + pool.name;
        }
    }
    return most > 0 ? bound : std::string();
}

std::string operatorsText(const Epoch& epoch) {
    std::vector<std::string> names;
    for (const Operator& op : epoch.operators)
        names.push_back(op.name + " (" + op.kind + ")");
    return names.empty() ? std::string() : "  carries out " + listed(names, 12) + "\n";
}

std::string unitsText(const Epoch& epoch) {
    std::vector<std::string> names;
    for (const UnitUse& use : epoch.units)
        names.push_back(use.unit + ": " + use.node + (use.cycles > 0 ? " " + grouped(use.cycles) + " cycles" : ""));
    return names.empty() ? std::string() : "  units " + listed(names, 24) + "\n";
}

std::string kindText(const std::string& kind) {
    if (kind == "SW")
        return "runs on the CPU";
    if (kind == "hybrid")
        return "runs on hardware and CPU";
    if (kind == "EC")
        return "runs on hardware, started by the epoch controller";
    return kind == "none" ? "runs nothing" : "runs on hardware";
}

/// The two formulas see different limits: each is named with its own.
std::string costText(const Report& report, const Epoch& epoch) {
    std::string text;
    if (epoch.vendorCycles > 0 || epoch.computeCycles > 0) {
        const std::string bound = boundOf(report, epoch);
        text += "  vendor formula: " + grouped(epoch.vendorCycles) + " cycles, " + grouped(epoch.computeCycles) +
                " of compute" + (bound.empty() ? "" : "; bound by " + bound) + "\n";
    }
    if (epoch.calibratedCycles > 0)
        text += "  calibrated on boards: " + grouped(std::int64_t(epoch.calibratedCycles + 0.5)) + " cycles" +
                (epoch.boundBy.empty() ? "" : "; bound by " + epoch.boundBy) + "\n";
    return text;
}

bool namesEpoch(const Epoch& epoch, const std::string& name) {
    return epoch.name == name || "epoch_" + std::to_string(epoch.ordinal) == name ||
           std::to_string(epoch.ordinal) == name;
}

bool hasOperator(const Epoch& epoch, const std::string& name) {
    return std::any_of(epoch.operators.begin(), epoch.operators.end(), [&](const Operator& op) {
        return op.name == name ||
               std::find(op.originalNames.begin(), op.originalNames.end(), name) != op.originalNames.end();
    });
}

std::vector<std::string> similarNames(const Report& report, const std::string& name) {
    std::vector<std::string> names;
    for (const Buffer& buffer : report.buffers)
        if (buffer.name.find(name) != std::string::npos)
            names.push_back(buffer.name);
    for (const Epoch& epoch : report.epochs)
        for (const Operator& op : epoch.operators)
            if (op.name.find(name) != std::string::npos)
                names.push_back(op.name);
    return names;
}

} // namespace

std::string whyBuffer(const Report& report, int index) {
    const Buffer& buffer = report.buffers[std::size_t(index)];
    std::string text = buffer.name + " " + placeText(report, index) + "\n";
    text += "  " + buffer.kind + ", " + toText(buffer.size) +
            (buffer.shape.empty() ? "" : ", " + shapeText(buffer) + " " + buffer.format) + ", alive in " +
            epochsText(buffer.live) + "\n";
    if (const auto writers = usersOf(report, index, &Epoch::writes); !writers.empty())
        text += "  written in epoch " + listed(writers) + "\n";
    if (const auto readers = usersOf(report, index, &Epoch::reads); !readers.empty())
        text += "  read in epoch " + listed(readers) + "\n";
    text += aliasText(report, index);
    if (const std::string pools = alternativesText(report, index); !pools.empty())
        text += "in other pools, all else as it is (vendor formula):\n" + pools;
    return text;
}

std::string whyEpoch(const Report& report, int index) {
    const Epoch& epoch = report.epochs[std::size_t(index)];
    std::string text = "epoch " + std::to_string(epoch.ordinal) + " (" + epoch.name + ") " + kindText(epoch.kind) +
                       (epoch.blob.empty() ? "" : " in " + epoch.blob) + "\n";
    if (!epoch.reason.empty())
        text += "  because " + epoch.reason + "\n";
    text += operatorsText(epoch) + unitsText(epoch);
    return text + costText(report, epoch) + trafficText(report, epoch);
}

/// True when a message speaks of a name and not of a longer one that contains it.
static bool speaksOf(const std::string& message, const std::string& name) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = message.find(name); at != std::string::npos; at = message.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !isPart(message[at - 1])) && (end == message.size() || !isPart(message[end])))
            return true;
    }
    return false;
}

/// What diagnostics say of a tensor or node that has become no buffer and no epoch of its own.
static std::string whyAbsent(const Report& report, const std::string& name) {
    std::string text;
    for (const Diagnostic& diagnostic : report.diagnostics)
        if (!name.empty() && speaksOf(diagnostic.message, name))
            text += "  " + diagnostic.message + " [" + diagnostic.code + "]\n";
    return text.empty() ? text : name + " has no buffer and no epoch of its own\n" + text;
}

Result<std::string> why(const Report& report, const std::string& name) {
    std::string text;
    for (std::size_t i = 0; i < report.buffers.size(); ++i)
        if (report.buffers[i].name == name)
            text += whyBuffer(report, int(i));
    for (std::size_t i = 0; i < report.epochs.size(); ++i)
        if (namesEpoch(report.epochs[i], name) || hasOperator(report.epochs[i], name))
            text += whyEpoch(report, int(i));
    if (text.empty())
        text = whyAbsent(report, name);
    if (!text.empty())
        return text;
    const auto similar = similarNames(report, name);
    return fail(makeError("PW5050", "no buffer, epoch or operator is named \"" + name + "\"", {},
                          similar.empty() ? "" : "similar names: " + listed(similar)));
}

} // namespace poolwright::report
