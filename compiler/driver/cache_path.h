// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

namespace poolwright::driver {

/// --Ocache-opt: stream engines on buffers in cacheable pools take the NPU cache path; what they read more than once,
/// and what the cache can hold, is allocated there (facts/neural-art-target.md 2.1: kernels that are read once are
/// not).
void useCachePath(program::Program& program);

} // namespace poolwright::driver
