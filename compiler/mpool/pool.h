// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/handle.h"
#include "base/result.h"
#include "base/units.h"

#include <optional>
#include <string>
#include <vector>

/// Memory pools as values (facts/file-formats.md section 1). A PoolFile is never changed in place: edits (mpool/edit.h)
/// answer a new one.
namespace poolwright::mpool {

enum class Rights { ReadOnly, ReadWrite }; ///< ACC_READ, ACC_WRITE
enum class Level { Low, Mid, High };       ///< LOW, MID, HIGH
enum class FileFormat { Raw, Hex, Hex16, Hex32, IntelHex, C };
enum class UseMode { Absolute, Relative };
enum class Magnitude { Bytes, KBytes, MBytes, GBytes };

/// `offset` or `size` as written: the value's text (decimal or 0x hexadecimal) and its magnitude, and what they come
/// to.
struct Quantity {
    std::string valueText;
    Magnitude magnitude = Magnitude::Bytes;
    std::int64_t bytes = 0;

    bool operator==(const Quantity&) const = default;
};

struct Properties {
    Rights rights = Rights::ReadWrite;
    Level throughput = Level::Mid;
    Level latency = Level::Mid;
    int byteWidth = 8;    ///< bytes of one bus access
    double freqRatio = 1; ///< NPU clock / memory clock
    double readPower = 0; ///< mW, reports only
    double writePower = 0;
    bool cacheable = false;
    bool constantsPreferred = false;

    /// NPU cycles to move one byte: freqRatio / byteWidth (facts/cost-model.md section 1.3).
    double cyclesPerByte() const { return freqRatio / byteWidth; }
    bool operator==(const Properties&) const = default;
};

struct Pool {
    std::string name;  ///< "npuRAM3": used in reports
    std::string fname; ///< "AXISRAM3": names the initialiser file
    FileFormat format = FileFormat::Raw;
    UseMode mode = UseMode::Absolute;
    Quantity offset;
    Quantity size;
    Properties properties;
    SourceLocation where; ///< of the pool's object in the file

    /// Size 0 switches a pool off; it is listed but never used, merged or compared.
    bool isEnabled() const { return size.bytes > 0; }
    AddressRange range() const { return {Address(std::uint64_t(offset.bytes)), ByteCount(size.bytes)}; }
    bool operator==(const Pool&) const = default;
};

struct CacheInfo {
    int lines = 512, lineSize = 64, associativity = 8;
    bool bypassEnable = true;
    Properties properties;
    bool operator==(const CacheInfo&) const = default;
};

/// One `.mpool`: the values and the exact text they were read from.
struct PoolFile {
    std::string path;
    std::string text;
    std::string memFilePrefix = "atonbuf";
    std::vector<CacheInfo> caches;
    std::vector<Pool> pools; ///< file order
    Diagnostics
        findings; ///< warnings and errors of validation that leave the file readable (overlaps, duplicates, ...)

    const Pool& operator[](PoolId id) const { return pools[std::size_t(id.index)]; }
    std::optional<PoolId> find(const std::string& poolName) const;
};

/// Which rule gives a virtual pool its traits (facts/file-formats.md section 1.4, neural-art-target.md section 5.3).
enum class RuntimeGeneration {
    V2, ///< atonn 1.0.0-1.1.1: worst member for throughput, latency and freqRatio
    V3  ///< atonn 1.1.3: throughput HIGH and freqRatio of the best member, latency the worst
};

/// A pool that the planner may use: a concrete one (enabled) or a virtual one made of adjacent concrete ones.
struct EffectivePool {
    std::string name;
    std::string fname;
    AddressRange range;
    ByteCount reservedTail; ///< not to be used at the end of the range (neural-art-target.md section 5.3)
    Properties properties;  ///< of a virtual pool: inherited by the generation's rule
    UseMode mode = UseMode::Absolute;
    FileFormat format = FileFormat::Raw;
    std::vector<PoolId>
        members;           ///< concrete pools in address order: one for a concrete pool, two or more for a virtual one
    int score = 0;         ///< neural-art-target.md section 5.1
    bool external = false; ///< outside the chip: address 0x60000000 and above

    bool isVirtual() const { return members.size() > 1; }
    bool operator==(const EffectivePool&) const = default;
};

/// Concrete enabled pools in file order, then, when `mergeAdjacent`, one virtual pool for each run of two or more pools
/// that touch, have the same rights, cacheability and mode. Never merged: relative or disabled pools.
/// Left out: the compiler's own "ec params pool" of dumps.
std::vector<EffectivePool> effectivePools(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation);

} // namespace poolwright::mpool
