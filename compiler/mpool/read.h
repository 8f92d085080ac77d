// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

namespace poolwright::mpool {

/// A physical memory of the device ("AXISRAM3"): what pools are carved from. The caller takes them from its target
/// description.
struct BankRange {
    std::string name;
    AddressRange range;
};

/// Reads a `.mpool` in the input or the dump dialect, key by key (facts/file-formats.md section 1).
///
/// Fails when the text is no JSON or when a pool cannot be understood: a required key is missing, a value has the wrong
/// type, an unknown word, a malformed, negative or overflowing number. All such errors are reported together, each with
/// line and column. What leaves the file usable goes into PoolFile::findings: unknown or doubled keys, text that is not
/// strict JSON, and everything of checkPools() and checkBanks().
Result<PoolFile> readPools(std::string text, std::string path, const std::vector<BankRange>& banks = {});

} // namespace poolwright::mpool
