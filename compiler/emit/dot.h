// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

#include <string>
#include <vector>

namespace poolwright::emit {

/// The program as a Graphviz graph: one cluster an epoch with its units, stream engines as ellipses, buffers as labels of the edges between
/// epochs, consecutive epochs joined by a bold edge (facts/file-formats.md section 7). `latencies`: cycles by epoch and unit, may be empty.
std::string dot(const program::Program& program, const std::vector<std::vector<Cycles>>& latencies);

} // namespace poolwright::emit
