// SPDX-License-Identifier: Apache-2.0
#include "fuzz/campaign.h"

#include <CLI/CLI.hpp>

#include <cstdio>

using namespace poolwright::fuzz;

namespace {

void print(const std::map<Kind, Tally>& tallies, bool withCodes) {
    std::printf("%-13s %8s %8s %8s %8s %7s  slowest\n", "kind", "mutants", "refused", "stopped", "done", "faults");
    for (const auto& [kind, t] : tallies) {
        std::printf("%-13s %8lld %8lld %8lld %8lld %7lld  %lld ms: %s\n", kindName(kind),
                    static_cast<long long>(t.mutants), static_cast<long long>(t.refused),
                    static_cast<long long>(t.stopped), static_cast<long long>(t.done), static_cast<long long>(t.faults),
                    static_cast<long long>(t.slowest.count()), t.slowestLabel.c_str());
        if (withCodes)
            for (const auto& [code, count] : t.codes)
                std::printf("    %-14s %8lld\n", code.c_str(), static_cast<long long>(count));
    }
}

} // namespace

/// Mutants by hand, as many as one likes: see CONTRIBUTING.md.
int main(int argc, char** argv) {
    Plan plan;
    int limit = 20;
    std::string keep;
    bool onlyModels = false, onlyTexts = false, codes = false;
    CLI::App app("Mutates models, JSON and other inputs, and runs each mutant through the compiler.");
    app.add_option("--seed", plan.seed, "of the whole run");
    app.add_option("--first", plan.first, "number of the first mutant");
    app.add_option("--count", plan.count, "how many mutants");
    app.add_option("--limit", limit, "seconds that one mutant may take");
    app.add_option("--keep", keep, "folder for mutants that show a fault");
    app.add_flag("--models", onlyModels, "models alone");
    app.add_flag("--texts", onlyTexts, "JSON and the like alone");
    app.add_flag("--codes", codes, "list what the mutants were refused with");
    CLI11_PARSE(app, argc, argv);
    plan.limit = std::chrono::seconds(limit);
    plan.keep = keep;
    plan.models = !onlyTexts;
    plan.texts = !onlyModels;
    bool sound = true;
    const auto tallies = runCampaign(plan, [&](const std::string& label, const std::string& fault) {
        sound = false;
        std::fprintf(stderr, "fuzz: mutant %s: %s\n", label.c_str(), fault.c_str());
    });
    print(tallies, codes);
    return sound ? 0 : 1;
}
