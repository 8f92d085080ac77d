// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace poolwright::text {

/// CRC-32 of zip, png and Ethernet (polynomial 0xEDB88320 reflected). `before` is the sum of what came earlier.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

} // namespace poolwright::text
