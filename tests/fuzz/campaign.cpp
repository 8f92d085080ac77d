// SPDX-License-Identifier: Apache-2.0
#include "fuzz/campaign.h"

#include "fuzz/mutate_model.h"
#include "fuzz/mutate_text.h"
#include "fuzz/watch.h"

#include <QTemporaryDir>

#include <fstream>

namespace poolwright::fuzz {

namespace {

Kind kindOf(const Plan& plan, Dice& dice) {
    if (plan.models && (!plan.texts || dice.oneIn(2)))
        return Kind::Model;
    return dice.oneOf(textKinds());
}

Seed mutantOf(const Seed& seed, Dice& dice) {
    Seed mutant = seed;
    mutant.content = seed.kind == Kind::Model ? mutateModel(seed.content, dice) : mutateText(seed.content, dice);
    return mutant;
}

std::string labelOf(const Plan& plan, std::uint32_t number, const Seed& mutant) {
    return std::to_string(plan.seed) + "-" + std::to_string(number) + "." + kindName(mutant.kind) + " made from " +
           mutant.name;
}

void count(Tally& tally, const Answer& answer) {
    ++tally.mutants;
    tally.refused += answer.verdict == Verdict::Refused;
    tally.stopped += answer.verdict == Verdict::Stopped;
    tally.done += answer.verdict == Verdict::Done;
    tally.faults += !answer.fault.empty();
    if (!answer.code.empty())
        ++tally.codes[answer.code];
}

void keepFile(const Plan& plan, const std::string& label, const std::string& content) {
    if (!plan.keep.empty())
        std::ofstream(plan.keep / label.substr(0, label.find(' ')), std::ios::binary) << content;
}

} // namespace

std::map<Kind, Tally> runCampaign(const Plan& plan,
                                  const std::function<void(const std::string&, const std::string&)>& onFault) {
    const Seeds seeds;
    const QTemporaryDir folder;
    Watch watch(plan.limit, plan.keep);
    std::map<Kind, Tally> tallies;
    for (std::uint32_t number = plan.first; number < plan.first + plan.count; ++number) {
        Dice dice(plan.seed, number);
        const Seed mutant = mutantOf(seeds.pick(kindOf(plan, dice), dice), dice);
        const std::string label = labelOf(plan, number, mutant);
        watch.begin(label, mutant.content);
        const Answer answer = run(mutant, dice, folder.path().toStdString());
        const std::chrono::milliseconds taken = watch.end();
        Tally& tally = tallies[mutant.kind];
        count(tally, answer);
        if (taken > tally.slowest) {
            tally.slowest = taken;
            tally.slowestLabel = label;
        }
        if (!answer.fault.empty()) {
            keepFile(plan, label, mutant.content);
            onFault(label, answer.fault);
        }
    }
    return tallies;
}

} // namespace poolwright::fuzz
