// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace poolwright::artefacts {

/// The file's bytes; a gzip file (known by its first two bytes) is unpacked. At most 512 MB.
/// Errors: PW5003 cannot be read, PW5004 too large, PW5005 damaged gzip data.
Result<std::string> loadFile(const std::filesystem::path& path);

/// loadFile()'s unpacking alone; bytes that are not gzip are answered as they are.
Result<std::string> unpack(std::string bytes, const std::string& path);

} // namespace poolwright::artefacts
