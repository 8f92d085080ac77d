// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"

#include <memory>
#include <string>
#include <vector>

/// Advice on carving memory: other pool boundaries, holes and grouping, each step with what a real plan gains by it.
namespace poolwright::report {

/// What a plan in one pool file comes to.
struct CarveFigures {
    bool fits = false;
    double estimatedMs = 0;
    ByteCount unplaced; ///< bytes of buffers that found no place
    ByteCount externalActivations;
    ByteCount ramReserved;     ///< sizes of all pools that can be written
    ByteCount ramUsed;         ///< what the plan takes of them
    bool virtualPools = false; ///< planned with --enable-virtual-mem-pools
};

struct CarveStep {
    std::string kind;     ///< "keep-free", "grow", "enable", "add", "hole", "close-hole", "merge", "boundary",
                          ///< "virtual-pools", "disable", "shrink"
    std::string sentence; ///< what is done
    CarveFigures after;
    double gainMs = 0; ///< by this step alone; 0 while either side of it does not fit
    ByteCount gainExternal, gainRam, gainUnplaced;
};

struct CarveProposal {
    std::string objective;        ///< "time", "ram"
    std::vector<CarveStep> steps; ///< in order; none: the file is as good as we can make it
    CarveFigures figures;
    std::string text; ///< of the .mpool file after all steps, in the layout of the given one
};

struct CarveReport {
    std::string path; ///< of the given file
    CarveFigures given;
    std::vector<CarveProposal> proposals;
    std::vector<std::string> virtualPools; ///< what joining adjacent pools costs or saves here, and why
    std::vector<std::string> notes;        ///< what was taken for granted
};
using CarveReportPtr = std::shared_ptr<const CarveReport>;

} // namespace poolwright::report
