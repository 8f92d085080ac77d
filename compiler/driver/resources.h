// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <filesystem>

namespace poolwright::driver {

/// A data file that ships with the program ("mpools/profiles.json"): below POOLWRIGHT_DATA, beside the installed program in
/// ../share/poolwright, or in the source tree it was built from. PW6001 when it is nowhere.
Result<std::filesystem::path> dataFile(const std::string& relative);

} // namespace poolwright::driver
