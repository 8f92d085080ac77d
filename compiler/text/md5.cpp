// SPDX-License-Identifier: Apache-2.0
#include "text/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace poolwright::text {
namespace {

using State = std::array<std::uint32_t, 4>;

/// RFC 1321 section 3.4: the constants are the integer parts of 2^32 |sin(i)|.
std::array<std::uint32_t, 64> sineTable() {
    std::array<std::uint32_t, 64> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = std::uint32_t(std::floor(std::abs(std::sin(double(i + 1))) * 4294967296.0));
    return table;
}

constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

std::uint32_t mixed(int round, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    switch (round) {
    case 0:
        return (b & c) | (~b & d);
    case 1:
        return (d & b) | (~d & c);
    case 2:
        return b ^ c ^ d;
    default:
        return c ^ (b | ~d);
    }
}

int wordOf(int round, int step) {
    static constexpr int factor[4] = {1, 5, 3, 7}, start[4] = {0, 1, 5, 0};
    return (factor[round] * step + start[round]) % 16;
}

void addBlock(State& state, std::string_view block) {
    static const std::array<std::uint32_t, 64> sines = sineTable();
    std::array<std::uint32_t, 16> words{};
    for (std::size_t i = 0; i < 64; ++i)
        words[i / 4] |= std::uint32_t(std::uint8_t(block[i])) << (8 * (i % 4));
    auto [a, b, c, d] = state;
    for (int i = 0; i < 64; ++i) {
        const int round = i / 16;
        const std::uint32_t sum =
            a + mixed(round, b, c, d) + sines[std::size_t(i)] + words[std::size_t(wordOf(round, i))];
        a = d;
        d = c;
        c = b;
        b += std::rotl(sum, turns[round][i % 4]);
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

} // namespace

std::string md5(std::string_view bytes) {
    State state{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
    const std::size_t whole = bytes.size() / 64 * 64;
    for (std::size_t at = 0; at < whole; at += 64)
        addBlock(state, bytes.substr(at, 64));
    std::string tail(bytes.substr(whole));
    tail += char(0x80);
    tail.resize((tail.size() + 8 + 63) / 64 * 64);
    const std::uint64_t bits = std::uint64_t(bytes.size()) * 8;
    for (std::size_t i = 0; i < 8; ++i)
        tail[tail.size() - 8 + i] = char(bits >> (8 * i));
    for (std::size_t at = 0; at < tail.size(); at += 64)
        addBlock(state, std::string_view(tail).substr(at, 64));
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::uint32_t word : state)
        for (int byte = 0; byte < 4; ++byte, word >>= 8)
            text += {digits[word >> 4 & 15], digits[word & 15]};
    return text;
}

} // namespace poolwright::text
