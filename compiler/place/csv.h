// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "place/problem.h"

#include <string>
#include <vector>

/// MiniMalloc's CSV form: a header, then one buffer a line. Columns: id, lower, upper, size, and if wanted alignment
/// and offset (a fixed one), in any order. A buffer lives from lower up to, not including, upper. Other columns are an
/// error (PW33xx).
namespace poolwright::place {

Result<std::vector<BufferSpec>> readCsv(const std::string& text, const std::string& path);

/// The same buffers as id,lower,upper,size,offset. `offsets` is SinglePoolResult::offsets of a packing that fits.
std::string writeCsv(const std::vector<BufferSpec>& buffers, const std::vector<std::int64_t>& offsets);

/// Why the buffers do not fit into `capacity`, with the moment, the buffers alive then and the missing bytes; for a
/// result without offsets.
std::string whyNot(const std::vector<BufferSpec>& buffers, std::int64_t capacity, const SinglePoolResult& result);

} // namespace poolwright::place
