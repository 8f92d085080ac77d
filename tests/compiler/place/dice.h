// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace poolwright::test {

/// Numbers that do not depend on the standard library's distributions.
class Dice {
public:
    explicit Dice(unsigned seed)
        : m_engine(seed) {}
    /// From `least` to `most`, both included.
    std::int64_t operator()(std::int64_t least, std::int64_t most) {
        return least + std::int64_t(m_engine() % std::uint32_t(most - least + 1));
    }

private:
    std::mt19937 m_engine;
};

} // namespace poolwright::test
