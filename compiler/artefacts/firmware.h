// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/units.h"

#include <string>
#include <vector>

/// What memory a firmware takes, read from its build's files.
namespace poolwright::artefacts {

struct FirmwareRegion {
    std::string name; ///< of the region, or "segment 2", "data at 0x34180400"
    AddressRange range;
};

/// Reads, by content: a linker script (its MEMORY block), a linker's map file ("Memory Configuration"), a 32-bit
/// little-endian ELF file (segments to be loaded: at run time and, where it differs, in the image) or Intel Hex.
/// PW5051: none of these, or damaged; the place is the line, where there are lines.
Result<std::vector<FirmwareRegion>> readFirmware(const std::string& content, const std::string& path);

} // namespace poolwright::artefacts
