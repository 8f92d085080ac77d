// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"

#include <memory>
#include <string>
#include <vector>

/// The answer to "does it fit?" that needs no optimiser: figures, verdicts and proposals, for the command line and for
/// views.
namespace poolwright::report {

struct LiveTensor {
    std::string name;
    ByteCount size;
    EpochRange live; ///< steps: nodes of the graph, or epochs of a compiled program
};

/// Bytes that must exist at the same time. A step is a node of the graph, or an epoch once it is compiled.
struct Demand {
    std::string width;                   ///< "int8", "as in the model", "compiled"
    ByteCount peak, sum;                 ///< activations: largest sum alive at one step; lifetime-blind sum
    int peakStep = -1;                   ///< the first one
    std::string peakName, peakKind;      ///< of that step: "concat_316", "Concat"
    std::vector<LiveTensor> aliveAtPeak; ///< largest first
    LiveTensor largest;
    ByteCount peakConcatsInPlace;    ///< the peak when no concatenation has a buffer of its own; -1 B: not asked
    ByteCount constants;             ///< weights and parameters
    std::vector<std::int64_t> bytes; ///< alive, by step
    std::vector<std::string> steps;  ///< names
};

/// What a demand and a pool file have to say to each other, from live ranges alone.
struct WidthVerdict {
    std::string width;
    bool fits = true;  ///< false is certain; true means that nothing speaks against it
    ByteCount missing; ///< of activations: beyond the writable pools together, else beyond those that take the large ones
    ByteCount onChipMissing, constantsMissing;
    std::string sentence;
};

struct PoolRoom {
    std::string name;
    ByteCount capacity;
    bool writable = true, external = false;
    ByteCount missing; ///< for all activations together
};

struct PoolChange {
    std::string pool;
    Address address;
    ByteCount bytes; ///< how many more, or the size of a pool that is not there yet
};

/// A change after which a real plan fits: it was made and planned before it was written here.
struct Proposal {
    std::string kind{};                     ///< "virtual-pools", "grow-pool", "add-pools", "input-size", "quantise"
    std::string sentence{};                 ///< what to do
    std::vector<PoolChange> pools{};        ///< "grow-pool", "add-pools"
    std::vector<std::int64_t> inputShape{}; ///< "input-size": of the first input
    std::vector<std::string> tensors{};     ///< "quantise"
    ByteCount externalActivations{};        ///< of the plan
    double estimatedMs = 0;                 ///< of the plan; 0: "quantise" is planned by tensors alone
};

struct FitVerdict {
    std::string path;                 ///< of the pool file
    std::vector<WidthVerdict> widths; ///< one for each demand
    std::vector<PoolRoom> pools;
    bool planned = false;              ///< a plan found a place for everything
    std::vector<std::string> unplaced; ///< what it did not, with reasons; not tried when it is certain from live ranges
    ByteCount externalActivations;
    double estimatedMs = 0;
    std::vector<Proposal> proposals;
    std::vector<std::string> refused; ///< changes that were tried and do not help, and why
    bool certainlyNot() const { return !widths.empty() && !widths.back().fits; }
};

struct FitReport {
    std::string model;
    std::vector<std::vector<std::int64_t>> inputShapes, outputShapes;
    std::int64_t weightElements = 0, macs = 0;
    int quantisedTensors = 0, tensors = 0; ///< activations
    std::vector<Demand> demands;           ///< int8, as in the model (when that differs), compiled
    std::vector<FitVerdict> verdicts;
};
using FitReportPtr = std::shared_ptr<const FitReport>;

} // namespace poolwright::report
