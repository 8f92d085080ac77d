// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/problem.h"

#include <string>
#include <vector>

/// The set of bench/goals.md, "Planner, several pools": generated from a seed, the same on every machine.
namespace poolwright::test {

struct PlannerCase {
    std::string name;
    place::Problem problem; ///< without compute cycles: the cost is that of Objective::MemoryCycles
};

enum class Shape { UNet, Dense, Chain };

struct CaseSpec {
    Shape shape = Shape::UNet;
    int buffers = 50;
    double scale = 1;       ///< of the pools of ST's samples
    bool merged = false;    ///< virtual pool over cpuRAM2 and the four npuRAMs
    bool hole = false;      ///< one byte between cpuRAM2 and npuRAM3
    bool firmware = false;  ///< a fixed region that is never free
    bool constants = false; ///< weights in read-only flash
    bool extras = false;    ///< alignment, fixed addresses, in-place pairs, parts at offsets, user input and output
    unsigned seed = 0;
};
PlannerCase plannerCase(const CaseSpec& spec);

/// Every shape at every scale and with every variant, of so many buffers.
std::vector<PlannerCase> plannerSet(int buffers);

/// One pool of a MiniMalloc file becomes the fast one of three: half of `capacity` at 1, a quarter at 2, the rest of
/// what is needed at 8 cycles a byte.
PlannerCase threePools(std::string name, std::vector<place::BufferSpec> buffers, std::int64_t capacity);

/// The cost as bench/goals.md states it: for each concrete region in which a buffer lies, bytes moved there times
/// cycles per byte there. Written without the planner's own structures.
double costOf(const place::Problem& problem, const std::vector<std::optional<place::Placed>>& placed);

} // namespace poolwright::test
