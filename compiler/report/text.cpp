// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include "report/findings.h"
#include "report/wording.h"
#include "text/csv.h"
#include "text/numbers.h"

#include <algorithm>

namespace poolwright::report {

namespace {

std::string padded(const std::string& text, std::size_t width) {
    return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string verdict(const Report& report) {
    if (report.fits && report.unplaced.empty())
        return "fits";
    std::string text = "does not fit: " + counted(std::int64_t(report.unplaced.size()), "buffer") + " without a place";
    if (report.shortfall.value > 0)
        text += ", " + toText(report.shortfall) + " short";
    return text;
}

std::string poolLines(const Report& report) {
    std::size_t width = 4;
    for (const Pool& pool : report.pools)
        width = std::max(width, pool.name.size());
    std::string text;
    for (const Pool& pool : report.pools) {
        if (pool.size.value <= 0)
            continue;
        const double percent = 100.0 * double(pool.used.value) / double(pool.size.value);
        text += "  " + pool.name + std::string(width - pool.name.size(), ' ') + " " + toText(pool.address) + " " +
                padded(grouped(pool.used.value), 12) + " / " + padded(grouped(pool.size.value), 12) + " B " +
                padded(fixed(percent, 1), 5) + " %  weights " + grouped(pool.weights.value) + ", activations " +
                grouped(pool.activations.value) + (pool.isVirtual ? " (virtual)" : "") + "\n";
    }
    return text;
}

std::string totalsLines(const Report& report) {
    const Totals& totals = report.totals;
    std::string text = "weights " + toText(totals.weights) + ", activations " + toText(totals.activations) +
                       ", of them external " + toText(totals.externalActivations) + "\n";
    text += "peak live " + toText(totals.peakLive) +
            (totals.peakEpoch >= 0 ? " in epoch " + std::to_string(totals.peakEpoch) : "") + ", sum over buffers " +
            toText(totals.sumOverBuffers) + "\n";
    text += counted(totals.epochs, "epoch") + ": " + std::to_string(totals.hw) + " hardware, " +
            std::to_string(totals.hybrid) + " hybrid, " + std::to_string(totals.sw) + " software, " +
            counted(totals.ecBlobs, "epoch controller blob") + "\n";
    text += "estimate " + grouped(totals.vendorCycles) + " cycles, " + fixed(totals.vendorMs, 3) +
            " ms by the vendor's formula";
    if (totals.calibratedMs > 0)
        text += "; " + fixed(totals.calibratedMs, 3) + " ms calibrated";
    return text + "\n";
}

std::string headline(const Report& report) {
    const Provenance& from = report.provenance;
    std::string text = from.network;
    if (!from.tool.empty())
        text += ", " + from.tool + (from.version.empty() ? "" : " " + from.version);
    return text + ": " + verdict(report) + "\n";
}

std::int64_t bytesOf(const Epoch& epoch) {
    std::int64_t bytes = 0;
    for (const PoolTraffic& traffic : epoch.traffic)
        bytes += traffic.readBytes + traffic.writeBytes;
    return bytes;
}

} // namespace

std::string summaryText(const Report& report) {
    std::string text = headline(report);
    for (const Finding& finding : findings(report))
        text +=
            std::string("  ") + severityName(finding.diagnostic.severity) + ": " + finding.diagnostic.message + "\n";
    return text + poolLines(report) + totalsLines(report);
}

std::string epochsCsv(const Report& report) {
    std::string text = text::csvLine(
        {"ordinal", "name", "kind", "vendor_cycles", "compute_cycles", "calibrated_ms", "bytes", "bound_by", "reason"});
    for (const Epoch& epoch : report.epochs)
        text +=
            text::csvLine({std::to_string(epoch.ordinal), epoch.name, epoch.kind, std::to_string(epoch.vendorCycles),
                           std::to_string(epoch.computeCycles), text::formatDouble(epoch.calibratedMs),
                           std::to_string(bytesOf(epoch)), epoch.boundBy, epoch.reason});
    return text;
}

std::string buffersCsv(const Report& report) {
    std::string text =
        text::csvLine({"name", "kind", "pool", "address", "offset_bytes", "size_bytes", "first_epoch", "last_epoch"});
    for (const Buffer& buffer : report.buffers)
        text += text::csvLine({buffer.name, buffer.kind, buffer.placed() ? poolName(report, buffer.pool) : "",
                               buffer.placed() ? toText(buffer.address) : "", std::to_string(buffer.offset.value),
                               std::to_string(buffer.size.value), std::to_string(buffer.live.first),
                               std::to_string(buffer.live.last)});
    return text;
}

} // namespace poolwright::report
