// SPDX-License-Identifier: Apache-2.0
#include "reference/broadcast.h"

namespace poolwright::reference {

namespace {

/// Strides of `shape` seen through the output's dimensions: 0 where it is repeated; none when it cannot be.
std::optional<std::vector<std::int64_t>> broadcastStrides(const ir::Shape& shape, const ir::Shape& output) {
    if (shape.size() > output.size())
        return std::nullopt;
    const std::vector<std::int64_t> own = stridesOf(shape);
    std::vector<std::int64_t> strides(output.size(), 0);
    const std::size_t lead = output.size() - shape.size();
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] != 1 && shape[d] != output[lead + d])
            return std::nullopt;
        strides[lead + d] = shape[d] == 1 ? 0 : own[d];
    }
    return strides;
}

bool hasExtent(const ir::Shape& shape, std::int64_t extent, std::size_t fromEnd) {
    return fromEnd <= shape.size() && shape[shape.size() - fromEnd] == extent;
}

/// Every extent of the output comes from one of the operands.
bool isBroadcastOf(const std::vector<const ir::Shape*>& operands, const ir::Shape& output) {
    for (std::size_t d = 0; d < output.size(); ++d)
        if (output[d] != 1 && std::none_of(operands.begin(), operands.end(), [&](const ir::Shape* shape) {
                return hasExtent(*shape, output[d], output.size() - d);
            }))
            return false;
    return true;
}

} // namespace

std::optional<BroadcastWalk> BroadcastWalk::over(const ir::Shape& output,
                                                 const std::vector<const ir::Shape*>& operands) {
    BroadcastWalk walk;
    for (const ir::Shape* operand : operands) {
        auto strides = broadcastStrides(*operand, output);
        if (!strides)
            return std::nullopt;
        walk.m_strides.push_back(std::move(*strides));
    }
    if (!isBroadcastOf(operands, output))
        return std::nullopt;
    walk.m_shape = output;
    walk.m_position.assign(output.size(), 0);
    walk.m_offsets.assign(operands.size(), 0);
    return walk;
}

void BroadcastWalk::next() {
    for (std::size_t d = m_shape.size(); d-- > 0;) {
        const bool wraps = ++m_position[d] == m_shape[d];
        for (std::size_t i = 0; i < m_offsets.size(); ++i)
            m_offsets[i] += wraps ? m_strides[i][d] * (1 - m_shape[d]) : m_strides[i][d];
        if (!wraps)
            return;
        m_position[d] = 0;
    }
}

Result<BroadcastWalk> broadcastWalk(const Call& call) {
    std::vector<const ir::Shape*> shapes;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        if (!call.hasInput(i))
            return mismatch(call, "all inputs are required");
        shapes.push_back(&call.input(i).shape);
    }
    auto walk = BroadcastWalk::over(call.output().shape, shapes);
    if (!walk)
        return mismatch(call, "the shapes do not broadcast to the output's");
    return std::move(*walk);
}

} // namespace poolwright::reference
