// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/dice.h"

#include <string>

namespace poolwright::fuzz {

/// Single bytes overwritten, blocks cut, doubled and moved, the end cut off: for any file.
std::string mutateBytes(std::string bytes, Dice& dice);

/// JSON, with or without comments, .ini and tables: words, numbers and strings are replaced by others of the text or by
/// extreme ones, bracketed groups are taken out, doubled or nested, and now and then bytes as above.
std::string mutateText(std::string text, Dice& dice);

} // namespace poolwright::fuzz
