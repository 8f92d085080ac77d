// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace poolwright::fuzz {

/// Random numbers that are the same on every machine: the standard's distributions are not.
class Dice {
public:
    /// The dice of mutant `number` in the run `seed`, whatever was thrown before.
    Dice(std::uint32_t seed, std::uint32_t number)
        : m_random(seed * 2654435761U ^ (number * 40503U + 977U)) {}

    std::uint32_t any() { return std::uint32_t(m_random()); }
    std::size_t below(std::size_t count) { return count == 0 ? 0 : any() % count; }
    bool oneIn(std::size_t count) { return below(count) == 0; }
    template <typename T> const T& oneOf(const std::vector<T>& values) { return values[below(values.size())]; }

private:
    std::mt19937 m_random;
};

} // namespace poolwright::fuzz
