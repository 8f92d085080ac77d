// SPDX-License-Identifier: Apache-2.0
#include "lower/shared_constants.h"

namespace poolwright::lower {

BufferId SharedConstants::add(const std::string& suffix, std::vector<std::uint8_t> bytes) {
    const auto found = m_constants.find({suffix, bytes});
    if (found != m_constants.end())
        return found->second;
    const int number = m_names[suffix]++;
    const BufferId id =
        m_context.addConstant(m_node + suffix + (number > 0 ? "_" + std::to_string(number) : ""), bytes);
    return m_constants[{suffix, std::move(bytes)}] = id;
}

BufferId SharedConstants::addWords(const std::string& suffix, const std::vector<std::int32_t>& words, int bits) {
    std::vector<std::uint8_t> bytes;
    for (std::int32_t word : words)
        for (int shift = 0; shift < bits; shift += 8)
            bytes.push_back(std::uint8_t(std::uint32_t(word) >> shift));
    return add(suffix, std::move(bytes));
}

} // namespace poolwright::lower
