// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "options/options.h"
#include "program/program.h"
#include "reference/reference.h"
#include "report/report.h"

#include <filesystem>
#include <vector>

/// Running what `compile` wrote: the program from its .pwp file, the memory from the initialiser files beside it.
namespace poolwright::driver {

/// Reads a folder that `compile` wrote: the program, its constants filled from the initialisers. Checks every file that it uses against
/// manifest.json, so that a mix of two compiles is refused (PW6010).
Result<program::Program> loadCompiled(const std::filesystem::path& folder);

/// The options of the compile that wrote the folder, as its report states them: those that change the graph are needed to build the graph
/// that the program was made from.
Result<options::CompilerOptions> compiledOptions(const std::filesystem::path& folder);

/// The options that a report's provenance states as a command line.
Result<options::CompilerOptions> optionsOf(const report::Provenance& provenance);

/// One inference on a fresh memory image. `dump`, when not empty, gets one .npy of every tensor after the epoch that wrote it.
Result<std::vector<reference::Value>> emulateOnce(const program::Program& program, const std::vector<reference::Value>& inputs,
                                                  const std::filesystem::path& dump, const CancelFlag& cancel, Diagnostics& findings);

/// Seeded uniform values of an input's type: integers over the whole range, floats in [-1, 1].
reference::Value randomInput(const program::TensorView& view, std::uint64_t seed);

/// Splits a stack of N inputs (first axis N times the network's) into N values of the input's shape. Shapes that differ only in how they
/// group the same number of elements are taken (a board's NHWC dump of a NHWC input). Fails with PW6011 when the elements do not divide or the type differs.
Result<std::vector<reference::Value>> splitBatch(const reference::Value& stacked, const program::TensorView& view);

/// The other way round, for outputs.
reference::Value stackBatch(const std::vector<reference::Value>& values);

} // namespace poolwright::driver
