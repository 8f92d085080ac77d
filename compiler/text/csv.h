// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

/// Comma-separated values (RFC 4180): fields with a comma, quote or line end are quoted, a quote inside is doubled.
namespace poolwright::text {

using CsvRow = std::vector<std::string>;

/// Rows of a CSV text. An empty line is a row with one empty field, so that row i is the file's i-th record. CRLF, LF
/// and a byte order mark are accepted; spaces belong to the field. Fails on a quote that never closes.
Result<std::vector<CsvRow>> readCsv(std::string_view text, const std::string& path, char separator = ',');

std::string csvField(std::string_view field, char separator = ',');
/// One line with its line feed.
std::string csvLine(const CsvRow& fields, char separator = ',');

} // namespace poolwright::text
