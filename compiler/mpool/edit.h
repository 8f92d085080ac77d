// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

/// Pure edits: each answers a new PoolFile whose text differs from the old one only in the characters that must change.
/// Layout, comments, order, and the spelling of untouched values stay. A changed offset or size keeps its spelling too
/// (hexadecimal or decimal, digits, magnitude) where the new number can be expressed so; otherwise the magnitude falls
/// to the largest that can. An edit that changes nothing answers an equal text.
///
/// An edit fails (PW122x) when its result could not be read back or makes no sense: a negative size, an address beyond
/// 32 bits, an unknown pool, a name that is taken. It does not fail when pools then overlap: that is a finding of the
/// new file, for a view to show while the user drags.
namespace poolwright::mpool {

/// Moves the first byte; the end stays.
Result<PoolFile> withStart(const PoolFile& file, PoolId pool, Address start);
/// Moves the end; the first byte stays.
Result<PoolFile> withEnd(const PoolFile& file, PoolId pool, Address end);
Result<PoolFile> withSize(const PoolFile& file, PoolId pool, ByteCount size);
/// Moves the whole pool; the size stays.
Result<PoolFile> withOffset(const PoolFile& file, PoolId pool, Address start);

/// Changes the properties that differ. A key that is absent is added only when its value is not the default.
Result<PoolFile> withProperties(const PoolFile& file, PoolId pool, const Properties& properties);
Result<PoolFile> withRights(const PoolFile& file, PoolId pool, Rights rights);
Result<PoolFile> withCacheable(const PoolFile& file, PoolId pool, bool cacheable);
Result<PoolFile> withConstantsPreferred(const PoolFile& file, PoolId pool, bool preferred);
Result<PoolFile> withName(const PoolFile& file, PoolId pool, const std::string& name);
Result<PoolFile> withFname(const PoolFile& file, PoolId pool, const std::string& fname);
Result<PoolFile> withFormat(const PoolFile& file, PoolId pool, FileFormat format);
Result<PoolFile> withMode(const PoolFile& file, PoolId pool, UseMode mode);

/// Moves the edge that two touching pools share: the lower one ends and the upper one starts at `edge`.
Result<PoolFile> moveBoundary(const PoolFile& file, PoolId lower, PoolId upper, Address edge);
/// Shortens the lower of two touching pools by at least `bytes`, so that its end is a multiple of `alignment`: the two
/// merge no more.
Result<PoolFile> insertHole(const PoolFile& file, PoolId lower, PoolId upper, ByteCount bytes = ByteCount(1),
                            std::int64_t alignment = 1);
/// Lengthens the lower pool up to the start of the upper one.
Result<PoolFile> closeHole(const PoolFile& file, PoolId lower, PoolId upper);

/// Cuts a pool in two at `at`; the upper part becomes a new pool behind it in the file.
Result<PoolFile> splitPool(const PoolFile& file, PoolId pool, Address at, const std::string& name,
                           const std::string& fname);
/// Joins two touching pools: the lower one takes the whole range and its properties stay, the upper one goes.
Result<PoolFile> mergePools(const PoolFile& file, PoolId lower, PoolId upper);

/// Size 0: the pool stays listed and is not used.
Result<PoolFile> disablePool(const PoolFile& file, PoolId pool);
Result<PoolFile> enablePool(const PoolFile& file, PoolId pool, ByteCount size);

/// Adds a pool behind the last one, in the layout of its neighbour.
Result<PoolFile> addPool(const PoolFile& file, const Pool& pool);
Result<PoolFile> removePool(const PoolFile& file, PoolId pool);

/// `old` with the number of bytes changed, in the spelling of `old` where that can express it. `upperCaseHex` decides
/// for a value without letters.
Quantity respelled(const Quantity& old, std::int64_t bytes, bool upperCaseHex = false);

} // namespace poolwright::mpool
