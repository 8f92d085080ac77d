// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "mpool/pool.h"
#include "options/options.h"
#include "program/program.h"

#include <string>
#include <vector>

namespace poolwright::emit {

/// What network.c is made from. Cycles are printed for debuggers only.
struct NetworkSource {
    const program::Program& program;   ///< placed, nothing unplaced
    const mpool::PoolFile& pools;
    const options::CompilerOptions& options;
    std::vector<std::pair<Cycles, Cycles>> cycles; ///< by epoch: NPU, total
    std::vector<ByteCount> usedBytes;              ///< by Program::pools
    std::string toolVersion;
};

/// The C program that drives the runtime through every epoch, in the section order of facts/neural-art-target.md section 4.1.
/// Fails when a buffer has no place (PW4001) or the runtime generation is not known (PW4002).
Result<std::string> networkC(const NetworkSource& source);

} // namespace poolwright::emit
