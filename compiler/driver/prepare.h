// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"

/// The two halves of prepare(), for those who share one front end run between several sets of options.
namespace poolwright::driver {

/// Import, lint and passes; program and question stay empty.
Result<std::shared_ptr<Prepared>> importModel(const Request& request, const Progress& progress,
                                              const CancelFlag& cancel);

/// Gives `prepared` its epochs and the placement question that they put.
void setProgram(Prepared& prepared, program::Program program, const options::CompilerOptions& options);

} // namespace poolwright::driver
