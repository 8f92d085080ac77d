// SPDX-License-Identifier: Apache-2.0
#include "addressmap/edgetool.h"

namespace poolwright::widgets::addressmap {

void EdgeTool::begin(const Edge& edge) {
    m_edge = edge;
    m_now = edge.address;
}

bool EdgeTool::moveTo(Address address) {
    if (!m_edge || address == m_now)
        return false;
    m_now = address;
    return true;
}

std::vector<Address> magnetsFor(const Content& content, const Edge& edge) {
    std::vector<Address> magnets;
    for (const Bank& bank : content.banks) {
        magnets.push_back(bank.range.start);
        magnets.push_back(bank.range.end());
    }
    for (int i = 0; i < int(content.pools.size()); ++i) {
        const AddressRange range = content.pools[std::size_t(i)].range();
        if (PoolId(i) == edge.pool || range.empty())
            continue;
        magnets.push_back(range.start);
        magnets.push_back(range.end());
    }
    return magnets;
}

} // namespace poolwright::widgets::addressmap
