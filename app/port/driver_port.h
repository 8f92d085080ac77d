// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/compiler_port.h"

namespace poolwright::app {

/// The compiler library behind the port.
std::shared_ptr<CompilerPort> makeDriverPort();

} // namespace poolwright::app
