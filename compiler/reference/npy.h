// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/reference.h"

#include <filesystem>
#include <string>
#include <string_view>

/// numpy's .npy files: one array, little-endian, C order, of the types bool, int8, uint8, int16, uint16, int32, int64
/// and float32. The files carry no quantisation: values read have none.
namespace poolwright::reference {

/// Parses a file's content. `name` stands in diagnostics (PW2210: no .npy or damaged, PW2211: a kind of array that is
/// not supported). The data must have exactly the size that the header's shape asks for.
Result<Value> parseNpy(std::string_view content, const std::string& name = {});

/// Reads a file; PW2212 when that fails.
Result<Value> readNpy(const std::filesystem::path& path);

/// The content of a version 1.0 file; equal values give equal bytes.
std::string npyContent(const Value& value);

/// Writes a file; PW2213 when that fails.
Result<void> writeNpy(const std::filesystem::path& path, const Value& value);

} // namespace poolwright::reference
