// SPDX-License-Identifier: Apache-2.0
#include "report/diff.h"

#include "report/wording.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace poolwright::report {

namespace {

using Key = std::pair<std::string, int>; // name, n-th use of it

template <typename Item> std::map<Key, int> byName(const std::vector<Item>& items) {
    std::map<std::string, int> uses;
    std::map<Key, int> indices;
    for (std::size_t i = 0; i < items.size(); ++i)
        indices[{items[i].name, uses[items[i].name]++}] = int(i);
    return indices;
}

std::string placeName(const Report& report, const Buffer& buffer) {
    return buffer.placed() ? poolName(report, buffer.pool) : std::string();
}

void compareBuffer(const Report& a, const Buffer& x, const Report& b, const Buffer& y, Difference& result) {
    const Moved moved{y.name, y.kind, y.size, y.live, placeName(a, x), placeName(b, y), x.address, y.address};
    if (moved.changedPool() || moved.from != moved.to)
        result.moved.push_back(moved);
    if (x.size != y.size)
        result.resized.push_back({y.name, x.size, y.size});
}

void compareBuffers(const Report& a, const Report& b, Difference& result) {
    const auto inA = byName(a.buffers), inB = byName(b.buffers);
    for (const auto& [key, index] : inA)
        if (!inB.contains(key))
            result.removedBuffers.push_back(key.first);
    for (const auto& [key, index] : inB) {
        const auto before = inA.find(key);
        if (before == inA.end())
            result.addedBuffers.push_back(key.first);
        else
            compareBuffer(a, a.buffers[std::size_t(before->second)], b, b.buffers[std::size_t(index)], result);
    }
    std::stable_sort(result.moved.begin(), result.moved.end(), [](const Moved& x, const Moved& y) {
        return std::pair(!x.changedPool(), -x.size.value) < std::pair(!y.changedPool(), -y.size.value);
    });
}

EpochChange changeOf(const Epoch* x, const Epoch* y) {
    EpochChange change;
    change.name = (y ? y : x)->name;
    if (x) {
        change.from = x->ordinal;
        change.fromKind = x->kind;
        change.fromCycles = x->vendorCycles;
    }
    if (y) {
        change.to = y->ordinal;
        change.toKind = y->kind;
        change.toCycles = y->vendorCycles;
    }
    return change;
}

void compareEpochs(const Report& a, const Report& b, Difference& result) {
    const auto inA = byName(a.epochs), inB = byName(b.epochs);
    for (const auto& [key, index] : inB) {
        const auto before = inA.find(key);
        const Epoch* x = before == inA.end() ? nullptr : &a.epochs[std::size_t(before->second)];
        const Epoch& y = b.epochs[std::size_t(index)];
        if (!x || x->kind != y.kind || x->vendorCycles != y.vendorCycles)
            result.epochs.push_back(changeOf(x, &y));
    }
    for (const auto& [key, index] : inA)
        if (!inB.contains(key))
            result.epochs.push_back(changeOf(&a.epochs[std::size_t(index)], nullptr));
    const auto position = [](const EpochChange& change) { return change.to >= 0 ? change.to : change.from; };
    std::stable_sort(result.epochs.begin(), result.epochs.end(),
                     [&](const EpochChange& x, const EpochChange& y) { return position(x) < position(y); });
}

/// An option and its value when the value is a word of its own: "--optimization 3".
std::multiset<std::string> optionsOf(const std::string& commandLine) {
    std::multiset<std::string> options;
    std::istringstream words(commandLine);
    std::string current;
    for (std::string word; words >> word;) {
        if (word.starts_with("-") && !current.empty()) {
            options.insert(current);
            current = word;
        } else {
            current += (current.empty() ? "" : " ") + word;
        }
    }
    if (!current.empty())
        options.insert(current);
    return options;
}

void compareOptions(const Report& a, const Report& b, Difference& result) {
    const auto x = optionsOf(a.provenance.options), y = optionsOf(b.provenance.options);
    std::set_difference(y.begin(), y.end(), x.begin(), x.end(), std::back_inserter(result.addedOptions));
    std::set_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(result.removedOptions));
}

std::vector<std::pair<std::string, double>> figuresOf(const Report& report) {
    const Totals& t = report.totals;
    return {{"weights_bytes", double(t.weights.value)},
            {"activations_bytes", double(t.activations.value)},
            {"external_activations_bytes", double(t.externalActivations.value)},
            {"peak_live_bytes", double(t.peakLive.value)},
            {"epochs", t.epochs},
            {"hw", t.hw},
            {"sw", t.sw},
            {"hybrid", t.hybrid},
            {"ec_blobs", t.ecBlobs},
            {"compute_cycles", double(t.computeCycles)},
            {"vendor_cycles", double(t.vendorCycles)},
            {"calibrated_ms", t.calibratedMs},
            {"unplaced", double(report.unplaced.size())},
            {"shortfall_bytes", double(report.shortfall.value)}};
}

void compareTotals(const Report& a, const Report& b, Difference& result) {
    const auto x = figuresOf(a), y = figuresOf(b);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i].second != y[i].second)
            result.totals.push_back({x[i].first, x[i].second, y[i].second});
    result.fromCycles = a.totals.vendorCycles;
    result.toCycles = b.totals.vendorCycles;
}

std::string noteFor(const Report& a, const Report& b) {
    if (a.totals.vendorCycles == b.totals.vendorCycles)
        return {};
    const ByteCount x = a.totals.externalActivations, y = b.totals.externalActivations;
    if (x != y)
        return "the cycle estimates alone do not rank the two: A keeps " + toText(x) +
               " of activations in external memory, B " + toText(y) +
               "; the estimate counts no contention, refresh or power of external accesses";
    if (a.totals.sw + a.totals.hybrid != b.totals.sw + b.totals.hybrid)
        return "the cycle estimates alone do not rank the two: A runs " +
               counted(a.totals.sw + a.totals.hybrid, "epoch") + " on the CPU, B " +
               std::to_string(b.totals.sw + b.totals.hybrid) + ", and the estimate knows little of the CPU";
    return {};
}

} // namespace

Difference difference(const Report& a, const Report& b) {
    Difference result;
    compareBuffers(a, b, result);
    compareEpochs(a, b, result);
    compareOptions(a, b, result);
    compareTotals(a, b, result);
    result.note = noteFor(a, b);
    return result;
}

} // namespace poolwright::report
