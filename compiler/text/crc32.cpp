// SPDX-License-Identifier: Apache-2.0
#include "text/crc32.h"

#include <array>

namespace poolwright::text {

static constexpr std::array<std::uint32_t, 256> makeTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[i] = value;
    }
    return table;
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
    static constexpr auto table = makeTable();
    std::uint32_t sum = ~before;
    for (char c : bytes)
        sum = sum >> 8 ^ table[(sum ^ static_cast<unsigned char>(c)) & 0xff];
    return ~sum;
}

} // namespace poolwright::text
