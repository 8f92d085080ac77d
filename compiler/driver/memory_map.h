// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"
#include "target/machine.h"

#include <string>
#include <vector>

/// The physical memory of a board, and the parts of it that pools must keep out of.
namespace poolwright::driver {

/// Bytes of firmware: no pool may have any of them.
struct KeepFree {
    std::string name; ///< "--keep-free", or file and region: "app.ld RAM2"
    AddressRange range;
};

struct MemoryMap {
    std::vector<target::Bank> banks; ///< of the board, by address
    std::vector<KeepFree> forbidden; ///< firmware and what is no memory at all, by address, apart from one another
    bool freeBeyondPools = false;    ///< bytes that are in no pool and not forbidden may be taken

    const target::Bank* bankAt(Address address) const;
    const KeepFree* firstOverlap(AddressRange range) const;
    /// Parts of banks of at least `smallest` bytes that are forbidden to nobody and in no enabled pool.
    std::vector<AddressRange> freeRanges(const mpool::PoolFile& file, ByteCount smallest) const;
};

/// Fails when a region is empty, not wholly in memory of the board (PW6031), or overlaps another one (PW6032).
Result<MemoryMap> memoryMap(const target::Target& target, const std::string& board,
                            const std::vector<KeepFree>& keepFree, bool freeBeyondPools);

/// "ADDR+SIZE", each decimal or 0x hexadecimal, the size with an optional K or M (1024, 1048576). PW6030.
Result<KeepFree> parseKeepFree(const std::string& text);

/// The parts of a firmware's regions that lie in banks of the target, each byte once: its files name other memories too
/// (those of the CPU alone), and one place under several names.
/// Regions wholly elsewhere go into `passedOver`.
std::vector<KeepFree> inBanks(const std::vector<KeepFree>& regions, const target::Target& target,
                              std::vector<KeepFree>& passedOver);

} // namespace poolwright::driver
