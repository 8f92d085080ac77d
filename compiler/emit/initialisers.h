// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "mpool/pool.h"
#include "program/program.h"

#include <string>
#include <vector>

namespace poolwright::emit {

/// One memory initialiser: what has to lie in a pool before the network runs (facts/neural-art-target.md section 7).
struct Initialiser {
    std::string fileName;          ///< "<prefix>.<fname>.<extension>"
    mpool::FileFormat format = mpool::FileFormat::Raw;
    AddressRange range;            ///< from the pool's start to the end of its last constant; empty when the pool holds none
    std::vector<std::uint8_t> bytes;
};

/// One for each enabled concrete pool, in file order; those without constants have no bytes. Gaps are zero. A constant that lies across
/// members of a virtual pool is split between them.
std::vector<Initialiser> initialisersOf(const program::Program& program, const mpool::PoolFile& pools);

/// The file's content in its format: raw bytes; hexadecimal text, sixteen bytes a line, as bytes (HEX) or little-endian words (HEX16, HEX32);
/// Intel-Hex at the pool's address (IHEX); a C array of 64-bit words named _mem_pool_<fname>_<network> (C).
std::string fileContent(const Initialiser& initialiser, const std::string& arrayName);

} // namespace poolwright::emit
