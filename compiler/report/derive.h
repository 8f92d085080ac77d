// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

/// What follows from a report's own values; makers of reports call these after they filled pools, buffers and epochs.
namespace poolwright::report {

/// For each buffer the first one of the group that shares its bytes on purpose (itself when it shares with none).
std::vector<int> aliasRoots(const Report& report);

/// Sets Buffer::aliasOf where it is -1: two buffers of one pool at the same offset with the same size that are alive
/// together are one another's alias (facts/file-formats.md section 3.2, item 3).
void deriveAliases(Report& report);

/// Fills `edges` from the epochs' reads and writes: from each epoch that writes a buffer (or its alias) to the later
/// ones that read it.
void deriveEdges(Report& report);

/// Sums of the epochs' cycles, milliseconds and operations; vendorMs = cycles / nominalMegahertz / 1000.
void deriveCycles(Report& report);

/// Outside the chip: address 0x60000000 and above.
bool isExternal(Address address);

} // namespace poolwright::report
