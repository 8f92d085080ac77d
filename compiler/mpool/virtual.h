// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

/// Virtual pools explained (effectivePools() itself is in mpool/pool.h).
namespace poolwright::mpool {

/// Placement preference of the vendor's compiler, 32 R + 8 T + 2 L + v (neural-art-target.md section 5.1).
int poolScore(const Properties& properties, bool isVirtual, RuntimeGeneration generation);

/// Runs of two or more enabled absolute pools that touch and agree in rights and cacheability, each in address order.
std::vector<std::vector<PoolId>> virtualGroups(const PoolFile& file);

/// One trait of a virtual pool and where it comes from.
struct InheritedTrait {
    std::string trait;        ///< key of the file: "throughput", "latency", "freqRatio", "byteWidth"
    std::string value;        ///< "MID", "2.5"
    std::vector<PoolId> from; ///< members that have this value, in address order
    std::vector<PoolId> lose; ///< members that are better by themselves
    std::vector<PoolId> gain; ///< members that are worse by themselves

    bool operator==(const InheritedTrait&) const = default;
};

/// throughput, latency, freqRatio, byteWidth of a virtual pool; empty for a concrete one.
std::vector<InheritedTrait> explainTraits(const PoolFile& file, const EffectivePool& pool,
                                          RuntimeGeneration generation);

/// One warning (PW1212) for each virtual pool in which members lose traits: which members, which traits, and the hole
/// that would part them.
Diagnostics virtualPoolWarnings(const PoolFile& file, RuntimeGeneration generation);

/// "1.1.3" and later give V3, all else V2 (options::CompilerOptions::runtimeGeneration).
RuntimeGeneration generationFromVersion(const std::string& version);

} // namespace poolwright::mpool
