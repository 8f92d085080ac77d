// SPDX-License-Identifier: Apache-2.0
#include "cli/carve_text.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace poolwright::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string milliseconds(double ms) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f ms", ms);
    return text;
}

std::string figuresText(const report::CarveFigures& figures) {
    const std::string ram = "RAM " + toText(figures.ramUsed) + " used of " + toText(figures.ramReserved) + " in pools";
    const std::string joined = figures.virtualPools ? ", with virtual pools" : "";
    if (!figures.fits)
        return "DOES NOT FIT, " + toText(figures.unplaced) + " left over, " + ram + joined;
    return milliseconds(figures.estimatedMs) + ", " + toText(figures.externalActivations) +
           " of activations in external memory, " + ram + joined;
}

std::string gainText(const report::CarveStep& step) {
    std::string text;
    const auto bytes = [&](ByteCount gain, const char* what) {
        if (gain.value != 0)
            text += (text.empty() ? "" : ", ") + std::string(gain.value > 0 ? "-" : "+") +
                    toText(ByteCount(std::abs(gain.value))) + " " + what;
    };
    if (step.gainMs != 0)
        text = (step.gainMs > 0 ? "-" : "+") + milliseconds(std::abs(step.gainMs));
    bytes(step.gainUnplaced, "without a place");
    bytes(step.gainExternal, "external");
    bytes(step.gainRam, "in pools");
    return text.empty() ? "no change" : text;
}

std::string proposalText(const report::CarveProposal& proposal) {
    std::string text = proposal.objective == "time" ? "least time: " : "least RAM: ";
    text += figuresText(proposal.figures) + "\n";
    if (proposal.steps.empty())
        text += "  nothing to change\n";
    int number = 0;
    for (const report::CarveStep& step : proposal.steps)
        text += "  " + std::to_string(++number) + ". " + step.sentence + "  [" + gainText(step) + "]\n";
    return text;
}

Json figuresJson(const report::CarveFigures& figures) {
    return {{"fits", figures.fits},
            {"estimated_ms", figures.estimatedMs},
            {"unplaced_bytes", figures.unplaced.value},
            {"external_activations_bytes", figures.externalActivations.value},
            {"ram_reserved_bytes", figures.ramReserved.value},
            {"ram_used_bytes", figures.ramUsed.value},
            {"virtual_pools", figures.virtualPools}};
}

Json proposalJson(const report::CarveProposal& proposal) {
    Json json{{"objective", proposal.objective}, {"figures", figuresJson(proposal.figures)}, {"steps", Json::array()}};
    for (const report::CarveStep& step : proposal.steps)
        json["steps"].push_back({{"kind", step.kind},
                                 {"sentence", step.sentence},
                                 {"gain_ms", step.gainMs},
                                 {"gain_external_bytes", step.gainExternal.value},
                                 {"gain_ram_bytes", step.gainRam.value},
                                 {"gain_unplaced_bytes", step.gainUnplaced.value},
                                 {"after", figuresJson(step.after)}});
    json["mpool"] = proposal.text;
    return json;
}

} // namespace

std::string carveText(const report::CarveReport& report) {
    std::string text = report.path + ": " + figuresText(report.given) + "\n";
    for (const report::CarveProposal& proposal : report.proposals)
        text += proposalText(proposal);
    for (const std::string& sentence : report.virtualPools)
        text += "  " + sentence + "\n";
    for (const std::string& note : report.notes)
        text += "  note: " + note + "\n";
    return text;
}

std::string carveJson(const report::CarveReport& report) {
    Json json{{"schema_version", 1}, {"path", report.path}, {"given", figuresJson(report.given)}};
    json["proposals"] = Json::array();
    for (const report::CarveProposal& proposal : report.proposals)
        json["proposals"].push_back(proposalJson(proposal));
    json["virtual_pools"] = report.virtualPools;
    json["notes"] = report.notes;
    return json.dump(2);
}

} // namespace poolwright::cli
