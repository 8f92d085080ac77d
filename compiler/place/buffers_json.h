// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "place/problem.h"

#include <string>
#include <vector>

/// A list of buffers as JSON, to try pool files without a model: an array of objects with
/// "name", "bytes", "epochs" [first, last] (inclusive), and if wanted "accesses" (how often all its bytes are read,
/// spread evenly over its epochs; default 1), "alignment" (default 1), "constant" (may lie in read-only pools).
/// Other keys, missing ones and values out of range are errors with line and column (PW332x).
namespace poolwright::place {

Result<std::vector<BufferSpec>> readBuffersJson(const std::string& text, const std::string& path);

} // namespace poolwright::place
