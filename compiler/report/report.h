// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/units.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

/// The one immutable value that every view, `report` and the exports read, whoever made it: our compiler or ST's artefacts.
/// Pools, buffers and epochs are referred to by their index in the vectors here; -1 means none.
namespace poolwright::report {

struct Pool {
    std::string name, fname;
    Address address;
    ByteCount size, used, weights, activations;
    ByteCount reservedTail;
    bool isVirtual = false, external = false, readOnly = false, cacheable = false, constantsPreferred = false, relative = false, userAllocated = false;
    std::string throughput, latency;  ///< "LOW", "MID", "HIGH"
    int byteWidth = 8;
    double freqRatio = 1, readPower = 0, writePower = 0;
    int score = 0;
    std::vector<int> members;         ///< virtual: concrete pools in address order
    bool operator==(const Pool&) const = default;
};

struct Buffer {
    std::string name;
    std::string kind;                 ///< "constant", "activation", "scratch", "input", "output"
    int pool = -1;
    Address address;                  ///< absolute
    ByteCount offset;                 ///< from the pool's start
    ByteCount size;
    EpochRange live;                  ///< epoch ordinals, inclusive
    std::vector<std::int64_t> shape;  ///< ONNX order
    std::string format;               ///< "S8", "U8", "FLOAT", ...
    std::vector<double> scales;
    std::vector<std::int64_t> zeroPoints;
    int axis = -1;
    std::string layout;               ///< "channel_last", "channel_first", "batched", "any"
    int batch = 0;                    ///< "batched": channels of the innermost tile; 0: not known
    int aliasOf = -1;                 ///< shares the bytes of that buffer on purpose
    std::int64_t readBytes = 0, writeBytes = 0; ///< moved over the whole inference
    bool isWeights() const { return kind == "constant"; }
    bool placed() const { return pool >= 0; }
    bool operator==(const Buffer&) const = default;
};

struct PoolTraffic {
    int pool = -1;
    std::int64_t readBytes = 0, writeBytes = 0;
    double readCycles = 0, writeCycles = 0;
    bool operator==(const PoolTraffic&) const = default;
};

struct UnitUse {
    std::string unit;                 ///< "CONV_ACC_V2 2"
    std::string node;
    std::string kind;
    std::int64_t cycles = 0;
    bool operator==(const UnitUse&) const = default;
};

struct Operator {
    std::string name, kind;
    std::vector<std::string> originalNames;
    std::int64_t macs = 0;
    bool operator==(const Operator&) const = default;
};

struct Epoch {
    int ordinal = 0;                  ///< position in execution order; 0 collects the constants
    std::string name;
    std::string kind;                 ///< "HW", "SW", "hybrid", "EC", "none"
    std::vector<Operator> operators;
    std::vector<UnitUse> units;
    std::string reason;               ///< why it is not pure hardware
    std::string boundBy;
    std::int64_t computeCycles = 0, vendorCycles = 0;
    double calibratedCycles = 0, calibratedMs = 0;
    std::int64_t operations = 0;
    std::vector<PoolTraffic> traffic;
    std::int64_t busRead[2] = {0, 0}, busWrite[2] = {0, 0};
    double atonPower = 0, memoryPower = 0, atonEnergy = 0, memoryEnergy = 0;
    std::vector<int> reads, writes;   ///< buffers
    std::string blob;                 ///< epoch-controller blob it belongs to
    bool runs() const { return kind != "none"; }
    bool operator==(const Epoch&) const = default;
};

/// Flow of data from the epoch that writes a buffer to one that reads it.
struct Edge {
    int from = -1, to = -1, buffer = -1;
    bool operator==(const Edge&) const = default;
};

struct Unplaced {
    int buffer = -1;
    std::string name, reason, kind;
    ByteCount size, missing;
    int epoch = -1;                   ///< where the contention is
    bool operator==(const Unplaced&) const = default;
};

struct Totals {
    ByteCount weights, activations, externalActivations;
    ByteCount peakLive;               ///< largest sum of live activation bytes at one epoch
    int peakEpoch = -1;
    ByteCount sumOverBuffers;         ///< lifetime-blind
    std::int64_t computeCycles = 0, vendorCycles = 0;
    double calibratedCycles = 0, vendorMs = 0, calibratedMs = 0;
    std::int64_t operations = 0;
    int epochs = 0, hw = 0, sw = 0, hybrid = 0, ecBlobs = 0; ///< executed ones
    bool operator==(const Totals&) const = default;
};

struct Provenance {
    std::string tool, version, generation; ///< "poolwright" or "ST Edge AI Core", ...
    std::vector<std::string> inputs;       ///< file names without folders
    std::map<std::string, std::string> hashes; ///< file name -> CRC32 as 8 hex digits
    std::string options;                   ///< resolved command line
    std::string network = "Default";
    std::string board;
    std::vector<std::string> sources;      ///< artefact kinds the report was read from ("c_info", "csv", ...); empty for our own compile
    bool operator==(const Provenance&) const = default;
};

struct Report {
    bool fits = true;
    std::vector<Pool> pools;          ///< concrete ones by address, then virtual ones
    std::vector<Buffer> buffers;
    std::vector<Epoch> epochs;        ///< index = ordinal
    std::vector<Edge> edges;
    std::vector<Unplaced> unplaced;
    Diagnostics diagnostics;
    Totals totals;
    /// Bytes the activations lack at the worst epoch, over what the pools that may hold them offer; 0 when that is not the problem.
    ByteCount shortfall;
    Provenance provenance;
    double nominalMegahertz = 1000;
};

using ReportPtr = std::shared_ptr<const Report>;

/// Fills pools' used/weights/activations and Totals' byte fields and epoch counts from buffers and epochs by the rules of
/// facts/file-formats.md section 3.2 ("Sizes"); both makers of reports call it.
void deriveTotals(Report& report);

/// Whether the artefacts say where buffers lie at all: a csv, an options file or a bare pool file does not.
bool knowsPlacement(const Report& report);

/// Bytes of activations alive at an epoch.
ByteCount liveActivations(const Report& report, int epoch);

} // namespace poolwright::report
