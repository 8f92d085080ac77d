// SPDX-License-Identifier: Apache-2.0
#include "driver/search_space.h"

#include "mpool/virtual.h"
#include "options/table.h"

#include <algorithm>

namespace poolwright::driver {

namespace {

using Split = SearchSpace::Split;

struct SplitOption {
    Split split;
    bool options::CompilerOptions::*field;
};
constexpr SplitOption splitOptions[] = {{Split::Channels, &options::CompilerOptions::convSplitCw},
                                        {Split::Kernels, &options::CompilerOptions::convSplitKw},
                                        {Split::Stripes, &options::CompilerOptions::convSplitStripe},
                                        {Split::AllStripes, &options::CompilerOptions::convSplitStripeFull}};

bool isGiven(const options::CompilerOptions& options, const char* name) {
    return std::ranges::any_of(options.given, [&](const auto& entry) { return entry.first == name; });
}

bool asksForSplit(const options::CompilerOptions& options) {
    return std::ranges::any_of(splitOptions, [&](const SplitOption& o) { return options.*o.field; });
}

/// Limits below what the machine has; 0 leaves it all.
std::vector<int> pipeLengths(int convUnits) {
    std::vector<int> lengths{0};
    for (int n = convUnits - 1; n >= 1; --n)
        lengths.push_back(n);
    return lengths;
}

bool havePoolsThatMerge(const Request& request) {
    const auto pools =
        mpool::effectivePools(request.pools, true, mpool::generationFromVersion(request.options.runtimeGeneration));
    return std::ranges::any_of(pools, [](const mpool::EffectivePool& pool) { return pool.isVirtual(); });
}

} // namespace

std::size_t SearchSpace::size() const {
    return splits.size() * pipes.size() * alternate.size() * smallestPeak.size() * levels.size() * virtualPools.size();
}

SearchSpace searchSpaceOf(const Request& request, bool schedulersOnly) {
    const options::CompilerOptions& given = request.options;
    SearchSpace space{{Split::AsGiven},     {given.maxCaPipe},    {false, true},
                      {given.optimizeSize}, {given.optimization}, {given.enableVirtualMemPools}};
    if (schedulersOnly)
        return space;
    if (given.altSched)
        space.alternate = {true};
    if (!given.optimizeSize)
        space.smallestPeak = {false, true};
    if (!asksForSplit(given))
        space.splits = {Split::AsGiven, Split::Channels, Split::Kernels, Split::Stripes, Split::AllStripes};
    if (given.maxCaPipe == 0)
        space.pipes = pipeLengths(request.target.machine.count(target::UnitKind::ConvAcc));
    if (!isGiven(given, "optimization"))
        space.levels = {3, 2, 1, 0};
    if (given.enableVirtualMemPools && havePoolsThatMerge(request))
        space.virtualPools = {true, false};
    return space;
}

std::vector<Configuration> configurationsOf(const SearchSpace& space) {
    std::vector<Configuration> all;
    for (Split split : space.splits)
        for (int pipe : space.pipes)
            for (bool virtualPools : space.virtualPools)
                for (bool smallestPeak : space.smallestPeak)
                    for (bool alternate : space.alternate)
                        for (int level : space.levels)
                            all.push_back({split, pipe, virtualPools, smallestPeak, alternate, level});
    return all;
}

options::CompilerOptions optionsOf(const options::CompilerOptions& base, const Configuration& configuration) {
    options::CompilerOptions options = base;
    options.autoOptions = options.autoSched = false;
    options.autoDebug = 0;
    for (const SplitOption& o : splitOptions)
        if (configuration.split != Split::AsGiven)
            options.*o.field = o.split == configuration.split;
    options.maxCaPipe = configuration.pipe;
    options.enableVirtualMemPools = configuration.virtualPools;
    options.optimizeSize = configuration.smallestPeak;
    options.altSched = configuration.alternate;
    options.optimization = configuration.level;
    std::erase_if(options.given, [](const auto& entry) {
        return entry.first == "Oauto" || entry.first == "Oauto-sched" || entry.first == "d-auto";
    });
    return options::withGivenRefreshed(std::move(options));
}

std::string labelOf(const SearchSpace& space, const Configuration& c) {
    std::string label;
    const auto add = [&](bool isVaried, bool isSet, const std::string& text) {
        if (isVaried && isSet)
            label += (label.empty() ? "" : " ") + text;
    };
    add(space.levels.size() > 1, true, "-O" + std::to_string(c.level));
    add(space.smallestPeak.size() > 1, c.smallestPeak, "--Os");
    add(space.alternate.size() > 1, c.alternate, "--Oalt-sched");
    add(space.pipes.size() > 1, c.pipe > 0, "--Omax-ca-pipe " + std::to_string(c.pipe));
    for (const SplitOption& o : splitOptions)
        if (o.split == c.split) {
            options::CompilerOptions only;
            only.*o.field = true;
            add(true, true, options::toCommandLine(only));
        }
    add(space.virtualPools.size() > 1, c.virtualPools, "--enable-virtual-mem-pools");
    return label.empty() ? "(none of the varied options)" : label;
}

} // namespace poolwright::driver
