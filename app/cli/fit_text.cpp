// SPDX-License-Identifier: Apache-2.0
#include "cli/fit_text.h"

#include "driver/input_sizes.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace poolwright::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string grouped(std::int64_t number) {
    const std::string text = toText(ByteCount(number));
    return text.substr(0, text.size() - 2);
}

template <typename... Values> std::string format(const char* pattern, Values... values) {
    char line[512];
    std::snprintf(line, sizeof line, pattern, values...);
    return line;
}

std::string head(const report::FitReport& report) {
    std::string text = "network: ";
    for (const auto& shape : report.inputShapes)
        text += driver::shapeText(shape) + " ";
    text += "->";
    for (const auto& shape : report.outputShapes)
        text += " " + driver::shapeText(shape);
    return text + ", " + grouped(report.weightElements) + " weights, " + grouped(report.macs) +
           " multiply-accumulates, " + std::to_string(report.quantisedTensors) + " of " +
           std::to_string(report.tensors) + " tensors quantised\n";
}

std::string demandText(const report::Demand& demand, bool steps) {
    const char* step = demand.width == "compiled" ? "epoch" : "step";
    std::string text = format("%s: peak of live activations %s at %s %d", demand.width.c_str(),
                              toText(demand.peak).c_str(), step, demand.peakStep);
    text += demand.peakName.empty() ? "\n" : " (" + demand.peakKind + " " + demand.peakName + ")\n";
    for (const report::LiveTensor& tensor : demand.aliveAtPeak)
        text += format("    %-44.44s %16s  %ss %d-%d\n", tensor.name.c_str(), toText(tensor.size).c_str(), step,
                       tensor.live.first, tensor.live.last);
    if (demand.peakConcatsInPlace.value >= 0 && demand.peakConcatsInPlace != demand.peak)
        text += "  " + toText(demand.peakConcatsInPlace) + " when no concatenation has a buffer of its own\n";
    text += "  constants " + toText(demand.constants) + ", largest activation " + demand.largest.name + " " +
            toText(demand.largest.size) + ", sum over buffers " + toText(demand.sum) + "\n";
    if (steps)
        for (std::size_t i = 0; i < demand.bytes.size(); ++i)
            text += format("    %s %3zu %16s  %s\n", step, i, toText(ByteCount(demand.bytes[i])).c_str(),
                           i < demand.steps.size() ? demand.steps[i].c_str() : "");
    return text;
}

std::string poolsText(const report::FitVerdict& verdict) {
    std::string text;
    for (const report::PoolRoom& pool : verdict.pools)
        text += format("    %-24s %16s  %s\n", pool.name.c_str(), toText(pool.capacity).c_str(),
                       !pool.writable           ? "constants only"
                       : pool.missing.value > 0 ? ("alone " + toText(pool.missing) + " short").c_str()
                                                : "could hold all activations");
    return text;
}

std::string planText(const report::FitVerdict& verdict) {
    if (verdict.certainlyNot())
        return "  DOES NOT FIT\n";
    if (verdict.planned)
        return "  FITS: a plan was made, " + toText(verdict.externalActivations) +
               " of activations in external memory, " + format("%.3f ms estimated\n", verdict.estimatedMs);
    std::string text = "  DOES NOT FIT: live ranges alone would, but no plan was found\n";
    for (const std::string& reason : verdict.unplaced)
        text += "    no place: " + reason + "\n";
    return text;
}

std::string proposalsText(const report::FitVerdict& verdict) {
    std::string text;
    if (!verdict.proposals.empty())
        text += "  changes after which it fits, each planned:\n";
    for (const report::Proposal& proposal : verdict.proposals) {
        text += "    " + proposal.sentence;
        if (proposal.estimatedMs > 0)
            text +=
                format("  [%.3f ms, %s external]", proposal.estimatedMs, toText(proposal.externalActivations).c_str());
        text += "\n";
    }
    for (const std::string& refused : verdict.refused)
        text += "    no help: " + refused + "\n";
    return text;
}

std::string verdictText(const report::FitVerdict& verdict) {
    std::string text = verdict.path + "\n";
    for (const report::WidthVerdict& width : verdict.widths)
        text += "  " + width.width + ": " + (width.fits ? "" : "no: ") + width.sentence + "\n";
    return text + planText(verdict) + poolsText(verdict) + proposalsText(verdict);
}

Json demandJson(const report::Demand& demand) {
    Json json{{"width", demand.width},
              {"peak_live_bytes", demand.peak.value},
              {"peak_step", demand.peakStep},
              {"peak_name", demand.peakName},
              {"peak_kind", demand.peakKind},
              {"sum_of_activations_bytes", demand.sum.value},
              {"weights_bytes", demand.constants.value},
              {"largest_activation", {{"name", demand.largest.name}, {"bytes", demand.largest.size.value}}}};
    if (demand.peakConcatsInPlace.value >= 0)
        json["peak_concats_in_place_bytes"] = demand.peakConcatsInPlace.value;
    json["alive_at_peak"] = Json::array();
    for (const report::LiveTensor& tensor : demand.aliveAtPeak)
        json["alive_at_peak"].push_back({{"name", tensor.name},
                                         {"bytes", tensor.size.value},
                                         {"first", tensor.live.first},
                                         {"last", tensor.live.last}});
    json["live_bytes"] = demand.bytes;
    json["steps"] = demand.steps;
    return json;
}

Json proposalJson(const report::Proposal& proposal) {
    Json json{{"kind", proposal.kind}, {"sentence", proposal.sentence}};
    if (!proposal.pools.empty())
        json["pools"] = Json::array();
    for (const report::PoolChange& change : proposal.pools)
        json["pools"].push_back(
            {{"name", change.pool}, {"address", toText(change.address)}, {"bytes", change.bytes.value}});
    if (!proposal.inputShape.empty())
        json["input_shape"] = proposal.inputShape;
    if (!proposal.tensors.empty())
        json["tensors"] = proposal.tensors;
    if (proposal.estimatedMs > 0) {
        json["estimated_ms"] = proposal.estimatedMs;
        json["external_activations_bytes"] = proposal.externalActivations.value;
    }
    return json;
}

Json verdictJson(const report::FitVerdict& verdict) {
    const report::WidthVerdict& compiled = verdict.widths.back();
    Json json{{"path", verdict.path},
              {"fits", verdict.planned},
              {"sentence", compiled.sentence},
              {"missing_bytes", compiled.missing.value},
              {"missing_on_chip_bytes", compiled.onChipMissing.value},
              {"missing_constant_bytes", compiled.constantsMissing.value},
              {"external_activations_bytes", verdict.externalActivations.value},
              {"estimated_ms", verdict.estimatedMs},
              {"unplaced", verdict.unplaced}};
    json["widths"] = Json::array();
    for (const report::WidthVerdict& width : verdict.widths)
        json["widths"].push_back({{"width", width.width},
                                  {"fits", width.fits},
                                  {"sentence", width.sentence},
                                  {"missing_bytes", width.missing.value},
                                  {"missing_on_chip_bytes", width.onChipMissing.value},
                                  {"missing_constant_bytes", width.constantsMissing.value}});
    json["proposals"] = Json::array();
    for (const report::Proposal& proposal : verdict.proposals)
        json["proposals"].push_back(proposalJson(proposal));
    json["no_help"] = verdict.refused;
    return json;
}

} // namespace

std::string fitText(const report::FitReport& report, bool steps) {
    std::string text = head(report);
    for (const report::Demand& demand : report.demands)
        text += demandText(demand, steps);
    for (const report::FitVerdict& verdict : report.verdicts)
        text += verdictText(verdict);
    return text;
}

std::string fitJson(const report::FitReport& report) {
    const report::Demand& compiled = report.demands.back();
    Json json{{"schema_version", 1},
              {"peak_live_bytes", compiled.peak.value},
              {"peak_epoch", compiled.peakStep},
              {"activation_bytes", compiled.sum.value},
              {"weights_bytes", compiled.constants.value},
              {"weight_elements", report.weightElements},
              {"macs", report.macs},
              {"quantised_tensors", report.quantisedTensors},
              {"tensors", report.tensors},
              {"input_shapes", report.inputShapes},
              {"output_shapes", report.outputShapes}};
    json["live_bytes"] = compiled.bytes;
    json["alive_at_peak"] = demandJson(compiled)["alive_at_peak"];
    json["demands"] = Json::array();
    for (const report::Demand& demand : report.demands)
        json["demands"].push_back(demandJson(demand));
    json["verdicts"] = Json::array();
    for (const report::FitVerdict& verdict : report.verdicts)
        json["verdicts"].push_back(verdictJson(verdict));
    return json.dump(2);
}

} // namespace poolwright::cli
