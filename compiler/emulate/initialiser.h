// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

#include <functional>
#include <string>
#include <vector>

/// Memory initialisers as files hold them (facts/neural-art-target.md section 7), read back for emulation.
namespace poolwright::emulate {

/// Bytes that lie together.
struct MemoryBlock {
    Address address;
    std::vector<std::uint8_t> bytes;

    bool operator==(const MemoryBlock&) const = default;
};

/// What an initialiser file says. `base` is the address of the first byte for the formats that do not tell (raw, the
/// hexadecimal dumps and C arrays: the pool's offset). Hexadecimal dumps hold bytes (HEX) or little-endian words of 16
/// or 32 bits, Intel-Hex records of types 0, 1, 2, 4 (others are skipped). Errors (PW4160 to PW4163) name `path` and
/// line.
Result<std::vector<MemoryBlock>> readInitialiser(const std::string& content, mpool::FileFormat format, Address base,
                                                 const std::string& path);

/// One initialiser of a program: the pool it belongs to and its blocks.
struct LoadedInitialiser {
    PoolId pool; ///< index into Program::pools; matters only when the pool is relative
    std::vector<MemoryBlock> blocks;
};

/// Reads a file by its name; answers nothing when there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& fileName)>;

/// Reads "<prefix>.<fname>.<extension>" of every concrete pool of the program through `read`; a pool without a file is
/// left out.
Result<std::vector<LoadedInitialiser>> readInitialisers(const program::Program& program, const std::string& prefix,
                                                        const ReadFile& read);

/// A copy of the program whose constants hold what the initialisers put at their places: what a Program read from a
/// file lacks. Fails (PW4164) for a constant that no initialiser covers in full.
Result<program::Program> withInitialisers(program::Program program, const std::vector<LoadedInitialiser>& initialisers);

} // namespace poolwright::emulate
