// SPDX-License-Identifier: Apache-2.0
#include "driver/search.h"

#include "options/table.h"
#include "text/csv.h"
#include "text/numbers.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace poolwright::driver {

namespace {

const char* fitsText(const Trial& trial) {
    return trial.state != TrialState::Placed ? "-" : trial.fits ? "yes" : "no";
}

std::string poolsText(const Trial& trial, const char* separator) {
    std::string text;
    for (const PoolPeak& pool : trial.pools)
        text += (text.empty() ? "" : separator) + pool.pool + "=" + std::to_string(pool.used.value);
    return text;
}

std::string rowText(const Trial& trial) {
    char row[256];
    if (trial.state == TrialState::Placed)
        std::snprintf(row, sizeof row, "%5d  %-4s %10.3f %13lld %13lld %13lld  %4d/%d/%d", trial.number,
                      fitsText(trial), trial.milliseconds, static_cast<long long>(trial.vendorCycles),
                      static_cast<long long>(trial.spilled.value), static_cast<long long>(trial.peakLive.value),
                      trial.hw, trial.hybrid, trial.sw);
    else
        std::snprintf(row, sizeof row, "%5d  %-4s %10s %13s %13s %13s  %8s", trial.number, "-", "-", "-", "-", "-",
                      "-");
    return std::string(row) + "  " + trial.label + "\n";
}

/// What nobody may overlook when nothing fits.
std::string failureText(const Trial& best) {
    std::string text = "nothing fits; closest is row " + std::to_string(best.number) + ": " +
                       toText(best.unplacedBytes) + " in " + std::to_string(best.unplaced.size()) +
                       " buffers have no place, the activations lack " + toText(best.shortfall) + ", peak " +
                       toText(best.peakLive) + " at epoch " + std::to_string(best.peakEpoch) + "\n";
    for (const report::Unplaced& unplaced : best.unplaced)
        text += "  no place: " + unplaced.name + " (" + unplaced.kind + ", " + toText(unplaced.size) +
                "): " + unplaced.reason + "\n";
    return text;
}

nlohmann::ordered_json jsonOf(const Trial& trial) {
    nlohmann::ordered_json row = {{"number", trial.number},
                                  {"options", trial.label},
                                  {"command_line", options::toCommandLine(trial.options)},
                                  {"state", stateText(trial)},
                                  {"note", trial.note}};
    if (trial.boundMs > 0)
        row["bound_ms"] = trial.boundMs;
    if (trial.state != TrialState::Placed)
        return row;
    row["fits"] = trial.fits;
    row["calibrated_ms"] = trial.milliseconds;
    row["vendor_cycles"] = trial.vendorCycles;
    row["external_activations_bytes"] = trial.spilled.value;
    row["peak_live_bytes"] = trial.peakLive.value;
    row["peak_epoch"] = trial.peakEpoch;
    row["epochs"] = {{"total", trial.epochs}, {"hw", trial.hw}, {"hybrid", trial.hybrid}, {"sw", trial.sw}};
    row["unplaced_bytes"] = trial.unplacedBytes.value;
    row["shortfall_bytes"] = trial.shortfall.value;
    row["pools"] = nlohmann::ordered_json::array();
    for (const PoolPeak& pool : trial.pools)
        row["pools"].push_back({{"name", pool.pool}, {"used_bytes", pool.used.value}, {"size_bytes", pool.size.value}});
    row["unplaced"] = nlohmann::ordered_json::array();
    for (const report::Unplaced& unplaced : trial.unplaced)
        row["unplaced"].push_back({{"name", unplaced.name},
                                   {"bytes", unplaced.size.value},
                                   {"kind", unplaced.kind},
                                   {"reason", unplaced.reason}});
    return row;
}

} // namespace

std::string stateText(const Trial& trial) {
    switch (trial.state) {
    case TrialState::Placed:
        return "placed";
    case TrialState::SameEpochs:
        return "same epochs as " + std::to_string(trial.sameAs);
    case TrialState::Bound:
        return "pruned: bound";
    case TrialState::Failed:
        break;
    }
    return "failed";
}

std::string searchAsText(const SearchResult& result, int detail) {
    std::string text = "search: " + std::to_string(result.trials.size()) + " configurations, " +
                       std::to_string(result.placed) + " placed, " + std::to_string(result.pruned) +
                       " known without placing\n"
                       "  row  fits         ms vendor cycles spilled bytes    peak bytes  HW/hybrid/SW  options\n";
    for (const Trial& trial : result.trials) {
        const bool isPlaced = trial.state == TrialState::Placed;
        if (!isPlaced && detail < 2)
            continue;
        text += rowText(trial);
        if (detail > 0 && isPlaced)
            text += "       pools: " + poolsText(trial, ", ") + "\n";
        if (detail > 0 && !trial.note.empty())
            text += "       " + trial.note + "\n";
    }
    return result.fits() || result.trials.empty() ? text : text + failureText(result.trials.front());
}

std::string searchAsJson(const SearchResult& result) {
    nlohmann::ordered_json json = {{"schema_version", 1},
                                   {"fits", result.fits()},
                                   {"configurations", result.trials.size()},
                                   {"placed", result.placed},
                                   {"pruned", result.pruned}};
    if (!result.trials.empty()) {
        json["best"] = result.trials.front().number;
        json["best_command_line"] = options::toCommandLine(result.trials.front().options);
    }
    json["rows"] = nlohmann::ordered_json::array();
    for (const Trial& trial : result.trials)
        json["rows"].push_back(jsonOf(trial));
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string searchAsCsv(const SearchResult& result) {
    std::string csv = text::csvLine({"row", "options", "state", "fits", "calibrated_ms", "bound_ms", "vendor_cycles",
                                     "external_activations_bytes", "peak_live_bytes", "peak_epoch", "epochs", "hw",
                                     "hybrid", "sw", "unplaced_bytes", "shortfall_bytes", "pools", "note"});
    for (const Trial& t : result.trials) {
        const bool isPlaced = t.state == TrialState::Placed;
        const auto number = [&](std::int64_t value) { return isPlaced ? std::to_string(value) : std::string(); };
        csv += text::csvLine({std::to_string(t.number), t.label, stateText(t), isPlaced ? fitsText(t) : "",
                              isPlaced ? text::formatFixed(t.milliseconds, 6) : "",
                              t.boundMs > 0 ? text::formatFixed(t.boundMs, 6) : "", number(t.vendorCycles),
                              number(t.spilled.value), number(t.peakLive.value), number(t.peakEpoch), number(t.epochs),
                              number(t.hw), number(t.hybrid), number(t.sw), number(t.unplacedBytes.value),
                              number(t.shortfall.value), poolsText(t, " "), t.note});
    }
    return csv;
}

} // namespace poolwright::driver
