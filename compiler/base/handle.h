// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <compare> // after a header of libstdc++'s configuration: Qt's moc cannot parse it alone

namespace poolwright {

/// An index into one kind of vector, so that a node's index cannot be used for a tensor. Negative means "none".
template <typename Tag> struct Handle {
    int index = -1;

    constexpr Handle() = default;
    constexpr explicit Handle(int i) : index(i) {}
    constexpr explicit Handle(std::size_t i) : index(int(i)) {}
    constexpr auto operator<=>(const Handle&) const = default;
    constexpr bool isValid() const { return index >= 0; }
};

using TensorId = Handle<struct TensorTag>;
using NodeId = Handle<struct NodeTag>;
using EpochId = Handle<struct EpochTag>;
using BufferId = Handle<struct BufferTag>;
using PoolId = Handle<struct PoolTag>;

} // namespace poolwright
