// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "program/program.h"

#include <string>

namespace poolwright::program {

/// The whole program as JSON, contents of constants excepted: these are in the memory initialisers. What `compile` writes as <network>.pwp and
/// `emulate` reads. The same program gives the same text.
std::string toJson(const Program& program);

/// Reads it back. `path` is for diagnostics. Fails with PW4101 when the text is no such program or a handle points outside its vector.
Result<Program> fromJson(const std::string& text, const std::string& path);

} // namespace poolwright::program
