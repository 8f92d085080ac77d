// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/units.h"

#include <cstdint>
#include <string>
#include <vector>

/// What the device is: unit counts and limits (machine), memory banks, clocks and bandwidths (board). All of it is read
/// from resources/targets/*.json; ST's .mdesc supplies unit counts and powers alone.
namespace poolwright::target {

enum class UnitKind { StreamEngine, ConvAcc, DecUnit, Activ, Arith, Pool, RecBuf, Processor };
inline constexpr int unitKindCount = 8;

/// Compiler print name: "STREAM_ENG_V2", "CONV_ACC_V2", ... (facts/neural-art-target.md section 1.1).
const char* unitPrintName(UnitKind kind);
/// Name in .mdesc and in the C enum: "STRENG", "CONVACC", ...
const char* unitEnumName(UnitKind kind);

struct UnitGroup {
    UnitKind kind = UnitKind::StreamEngine;
    int firstIndex = 0;
    int count = 0;
    double powerMilliwatts = 0;
    int memoryPort = -1; ///< stream engines: bus interface 0 or 1
    int printedUnits =
        0; ///< numbers it takes in the printed unit index when these are not `count` (RECBUF: 3 channels)

    int printCount() const { return printedUnits > 0 ? printedUnits : count; }
};

/// Limits of facts/neural-art-target.md sections 1.2, 2.3.6 and 2.4.
struct Limits {
    int convKernelHeight = 3;
    int convKernelWidthStride1 = 6;
    int convKernelWidthStrided = 12;
    int convMaxStride = 7;
    int convLineElements = 2048; ///< fWidth x batchDepth for 8-bit features; half of it for 16-bit
    int convNativePad = 2;
    int convTile = 576;      ///< nKernels x batchDepth x kh x kw
    int convDeepTile = 3072; ///< nKernels x batchDepth in deep mode
    int convMaxKernels = 24; ///< nKernels of one pass
    int convMaxBatch = 24;   ///< batchDepth outside deep mode
    int convMaxDeepBatch = 128;
    int arithCoefficients = 512;
    int poolWindow = 3;
    int poolMaxStride = 15;
    int poolMaxBatch = 15;
    int poolLineElements = 2048;
    int poolFrameElements = 4095; ///< inputX x batchSize
    int streamBits = 24;
    std::int64_t parameterAlignment = 16;
    std::int64_t activationAlignment = 16;
    std::int64_t ioAlignment = 32;
    std::int64_t prefetchPadding = 64;
};

struct Machine {
    std::string name;
    double nominalMegahertz = 1000;
    std::vector<UnitGroup> groups;
    Limits limits;

    int count(UnitKind kind) const;
    double power(UnitKind kind) const;
    /// Bus interface of a stream engine.
    int memoryPort(int streamEngine) const;
    /// Running index printed as "Unit= n" (facts 1.1).
    int printIndex(UnitKind kind, int index) const;
    /// The index printed for the null unit of a plain copy: the one after all others.
    int nullUnitPrintIndex() const;
};

/// A physical memory: what pools are carved from.
struct Bank {
    std::string name; ///< "AXISRAM3"
    AddressRange range;
    bool external = false;
    bool writable = true;
    std::string note;
};

/// Constants of the calibrated estimate (facts/cost-model.md section 3.1), one set for each board and firmware.
struct Board {
    std::string name;
    std::string note;
    std::vector<std::string> absentBanks; ///< banks of the target that this board does not have
    double cpuMegahertz = 800, nocMegahertz = 400, nicMegahertz = 900, npuMegahertz = 1000;
    double flashBytesPerSecond = 400e6;
    double externalRamBytesPerSecond = 800e6;
    double overheadCycles = 4000, flashOverheadCycles = 7000, flashOverheadShare = 0.6, cachedShare = 0.45;
    double dmaCyclesPerByte = 1.15;
    double preCpuCycles = 4200, preCpuCyclesPerChannel = 108, postCpuCycles = 3300, blobPreCpuCycles = 21000;
    double quantizeCpuCyclesPerElement = 7.1, poolCpuCyclesPerElement = 5, otherCpuCyclesPerElement = 10;
    double cpuCyclesPerMac = 2;
};

struct Target {
    Machine machine;
    std::vector<Bank> banks;
    std::vector<Board> boards; ///< the first is the default

    const Board& board(const std::string& name) const; ///< the default when the name is unknown or empty
};

/// Reads resources/targets/<name>.json. `text` is the file's content, `path` only for diagnostics. A key that is absent
/// keeps the value of the structs above; an unknown key, a wrong type or a value out of range is an error that names
/// the key (PW11xx).
Result<Target> readTarget(const std::string& text, const std::string& path);
/// The target that is compiled in: stm32n6.
const Target& builtinTarget();
/// Takes unit counts, powers and frequency of an ST .mdesc (facts/file-formats.md section 2.1, both forms) into a copy
/// of `base`. Accelerators that the compiler does not program (EPOCHCTRL, DEBUG_TRACE) are passed over; unknown types
/// are an error.
Result<Target> withMachineDescription(Target base, const std::string& mdescText, const std::string& path);

} // namespace poolwright::target
