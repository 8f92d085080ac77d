// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

/// The only place of the compiler, besides import and artefacts, that opens files.
namespace poolwright::driver {

/// Whole file as bytes, or PW6001 with the system's reason.
Result<std::string> readFile(const std::filesystem::path& path);

/// Under a temporary name in the same folder, then renamed, so that an earlier file stays whole until the new one is; or PW6002.
Result<bool> writeFile(const std::filesystem::path& path, const std::string& content);

/// CRC-32 of a content as eight upper-case hexadecimal digits: how manifests and provenance name it.
std::string crc32Digits(const std::string& content);

} // namespace poolwright::driver
