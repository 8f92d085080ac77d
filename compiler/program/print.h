// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

#include <string>

namespace poolwright::program {

/// A Program for people and golden tests: one line a pool, buffer, view, epoch, unit and link, fields of units only
/// where they differ from their defaults. The same program gives the same text; contents of constants appear as their
/// size. Machine-readable: serialise.h.
std::string toText(const Program& program);

/// One epoch alone, without its buffers.
std::string toText(const Program& program, EpochId epoch);

const char* arithOperationName(ArithOperation operation); ///< "AFFINE", "MIN", ...
const char* poolOperationName(PoolOperation operation);   ///< "MAX", "GAVG", ...
const char* activOperationName(ActivOperation operation); ///< "RELU", "FUNC", ...
const char* epochKindName(EpochKind kind);                ///< "none", "hardware", "software", "hybrid"
const char* bufferKindName(BufferKind kind);              ///< "constant", "activation", ...

} // namespace poolwright::program
