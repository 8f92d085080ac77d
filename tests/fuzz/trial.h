// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "fuzz/seeds.h"

#include <filesystem>

namespace poolwright::fuzz {

enum class Verdict {
    Refused, ///< by the reader, with an error
    Stopped, ///< read; a later stage answered an error, or the network does not fit
    Done     ///< went all the way: compiled, written and, now and then, emulated
};

struct Answer {
    Verdict verdict = Verdict::Refused;
    std::string code;  ///< of the first error
    std::string fault; ///< what must not be: a refusal without an error, a broken graph or program; else empty
};

/// What the product does with such a file: a model is imported, lowered, placed and written; a text is read and, when
/// it can be, used for a compile. `folder` takes the files and may hold those of the mutant before.
Answer run(const Seed& mutant, Dice& dice, const std::filesystem::path& folder);

} // namespace poolwright::fuzz
