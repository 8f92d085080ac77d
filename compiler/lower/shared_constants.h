// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Constants of one node, by suffix and contents: rasters, parts and images of a batch share them.
namespace poolwright::lower {

class SharedConstants {
public:
    SharedConstants(Context& context, std::string node)
        : m_context(context)
        , m_node(std::move(node)) {}

    BufferId add(const std::string& suffix, std::vector<std::uint8_t> bytes);
    /// Little-endian words.
    BufferId addWords(const std::string& suffix, const std::vector<std::int32_t>& words, int bits);

private:
    Context& m_context;
    std::string m_node;
    std::map<std::pair<std::string, std::vector<std::uint8_t>>, BufferId> m_constants;
    std::map<std::string, int> m_names;
};

} // namespace poolwright::lower
