// SPDX-License-Identifier: Apache-2.0
#include "mpool/check.h"

#include "mpool/schema.h"

#include <algorithm>
#include <map>

namespace poolwright::mpool {

static constexpr std::int64_t parameterAlignment = 16; ///< neural-art-target.md section 5.5
static constexpr std::uint64_t addressSpace = std::uint64_t(1) << 32;

static bool isComparable(const Pool& pool) {
    return pool.isEnabled() && pool.mode == UseMode::Absolute;
}

static std::string rangeText(AddressRange range) {
    return toText(range.start) + "-" + toText(range.end());
}

static std::vector<PoolId> comparableByAddress(const PoolFile& file) {
    std::vector<PoolId> ids;
    for (std::size_t i = 0; i < file.pools.size(); ++i)
        if (isComparable(file.pools[i]))
            ids.emplace_back(i);
    std::stable_sort(ids.begin(), ids.end(),
                     [&](PoolId a, PoolId b) { return file[a].range().start < file[b].range().start; });
    return ids;
}

std::vector<Overlap> overlaps(const PoolFile& file, std::size_t limit) {
    std::vector<Overlap> found;
    const std::vector<PoolId> ids = comparableByAddress(file);
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t j = i + 1; j < ids.size() && file[ids[j]].range().start < file[ids[i]].range().end(); ++j) {
            if (found.size() >= limit)
                return found;
            const AddressRange a = file[ids[i]].range(), b = file[ids[j]].range();
            const Address end = std::min(a.end(), b.end());
            found.push_back({std::min(ids[i], ids[j]), std::max(ids[i], ids[j]), {b.start, end - b.start}});
        }
    return found;
}

/// A read-only pool over a writable one is a different mistake from two writable ones.
static std::string named(const Pool& pool) {
    return pool.name + (pool.properties.rights == Rights::ReadOnly ? " (read only)" : " (writable)");
}

static void checkOverlaps(const PoolFile& file, Diagnostics& out) {
    for (const Overlap& overlap : overlaps(file)) {
        const Pool& first = file[overlap.first];
        const Pool& second = file[overlap.second];
        out.push_back(makeError("PW1206",
                                "pools " + named(first) + " and " + named(second) + " overlap in " +
                                    rangeText(overlap.range) + " (" + toText(overlap.range.size) + ")",
                                second.where, "move a start or shorten a size; size 0 switches a pool off"));
    }
}

static void checkNames(const PoolFile& file, Diagnostics& out) {
    std::map<std::string, const Pool*> names, files;
    for (const Pool& pool : file.pools) {
        if (const auto [it, fresh] = names.try_emplace(pool.name, &pool); !fresh)
            out.push_back(makeError("PW1207", "the name " + pool.name + " is used twice", pool.where,
                                    "the first one is in line " + std::to_string(it->second->where.line) +
                                        "; reports tell pools apart by name"));
        if (!pool.isEnabled())
            continue;
        if (const auto [it, fresh] = files.try_emplace(pool.fname, &pool); !fresh)
            out.push_back(makeWarning("PW1208",
                                      "pools " + it->second->name + " and " + pool.name + " share the fname " +
                                          pool.fname + ": two pools would write the same initialiser file",
                                      pool.where, "give each pool its own fname"));
    }
}

static void checkAddresses(const PoolFile& file, Diagnostics& out) {
    for (const Pool& pool : file.pools) {
        if (!isComparable(pool))
            continue;
        if (pool.offset.bytes % parameterAlignment != 0)
            out.push_back(makeWarning(
                "PW1210", "pool " + pool.name + " starts at " + toText(pool.range().start) + ", no multiple of 16",
                pool.where, "parameters start on 16 bytes; the bytes before the next multiple are lost to them"));
        if (pool.range().end().value > addressSpace)
            out.push_back(makeError("PW1216", "pool " + pool.name + " ends beyond the 32-bit address space", pool.where,
                                    "check offset, size and their magnitudes"));
    }
}

/// Relocatable mode: external pools, at most one of each right, raw initialisers (neural-art-target.md section 8) or C
/// arrays (facts/file-formats.md section 7).
static void checkRelative(const PoolFile& file, Diagnostics& out) {
    std::map<Rights, const Pool*> seen;
    for (const Pool& pool : file.pools) {
        if (!pool.isEnabled() || pool.mode != UseMode::Relative || isParameterPool(pool))
            continue;
        const auto warn = [&](std::string message, std::string hint) {
            out.push_back(makeWarning("PW1211", std::move(message), pool.where, std::move(hint)));
        };
        const bool writable = pool.properties.rights == Rights::ReadWrite;
        if (const auto [it, fresh] = seen.try_emplace(pool.properties.rights, &pool); !fresh)
            warn("pools " + it->second->name + " and " + pool.name + " are both relative and " +
                     (writable ? "writable" : "read-only"),
                 "a relocatable network has at most one relative pool of each kind");
        if (pool.format != FileFormat::Raw && pool.format != FileFormat::C)
            warn("relative pool " + pool.name + " is neither FORMAT_RAW nor FORMAT_C",
                 "relocatable networks need raw initialisers or C arrays");
        if (pool.offset.bytes > 0 && pool.offset.bytes < 0x60000000)
            warn("relative pool " + pool.name + " has the address of an internal memory",
                 "only external memories may be relative; internal ones stay USEMODE_ABSOLUTE");
    }
}

Diagnostics checkPools(const PoolFile& file) {
    Diagnostics out;
    if (file.pools.empty())
        out.push_back(makeWarning("PW1201", "the file has no pool", {file.path, 0, 0, {}},
                                  "add at least one entry to \"mempools\""));
    checkOverlaps(file, out);
    checkNames(file, out);
    checkAddresses(file, out);
    checkRelative(file, out);
    return out;
}

static const BankRange* bankAt(const std::vector<BankRange>& banks, Address address) {
    for (const BankRange& bank : banks)
        if (bank.range.contains(address))
            return &bank;
    return nullptr;
}

/// Banks are named as in the device's manual, pools as in ST's files (facts/file-formats.md section 1.1): messages give
/// both.
static std::string withUsualPoolName(const std::string& bank) {
    static const std::map<std::string, std::string> usual = {
        {"AXIFLEXMEM", "flexMEM"}, {"AXISRAM1", "cpuRAM1"}, {"AXISRAM2", "cpuRAM2"}, {"AXISRAM3", "npuRAM3"},
        {"AXISRAM4", "npuRAM4"},   {"AXISRAM5", "npuRAM5"}, {"AXISRAM6", "npuRAM6"}};
    const auto it = usual.find(bank);
    return it == usual.end() ? bank : bank + " / " + it->second;
}

Diagnostics checkBanks(const PoolFile& file, const std::vector<BankRange>& banks) {
    Diagnostics out;
    if (banks.empty())
        return out;
    for (const Pool& pool : file.pools) {
        if (!isComparable(pool))
            continue;
        const AddressRange range = pool.range();
        const BankRange* bank = bankAt(banks, range.start);
        if (!bank) {
            out.push_back(makeWarning(
                "PW1213", "pool " + pool.name + " starts at " + toText(range.start) + ", in no memory of the device",
                pool.where, "check the offset"));
            continue;
        }
        if (range.end() <= bank->range.end())
            continue;
        const BankRange* next = bankAt(banks, bank->range.end());
        const std::string into =
            next ? "into " + withUsualPoolName(next->name) + " (" + toText(next->range.start) + ")" : "into nothing";
        out.push_back(makeWarning("PW1209",
                                  "pool " + pool.name + " runs past the end of the " + bank->name + " bank by " +
                                      toText(range.end() - bank->range.end()) + ", " + into,
                                  pool.where, "end it at " + toText(bank->range.end())));
    }
    return out;
}

} // namespace poolwright::mpool
