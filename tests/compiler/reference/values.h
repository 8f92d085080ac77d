// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/reference.h"

#include <initializer_list>
#include <type_traits>

/// Short ways to write tensors down in tests of the reference.
namespace poolwright::test {

template <typename T> ir::ElementType elementTypeOf() {
    if constexpr (std::is_same_v<T, std::int8_t>)
        return ir::ElementType::Int8;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return ir::ElementType::UInt8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return ir::ElementType::Int16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return ir::ElementType::Int32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return ir::ElementType::Int64;
    else
        return ir::ElementType::Float32;
}

inline std::optional<ir::Quantisation> perTensor(double scale, std::int32_t zeroPoint = 0) {
    return ir::Quantisation{{scale}, {zeroPoint}, -1};
}

template <typename T>
reference::Value tensor(const ir::Shape& shape, const std::vector<T>& elements,
                        const std::optional<ir::Quantisation>& quantisation = {}) {
    reference::Value value{elementTypeOf<T>(), shape, quantisation, {}};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(elements.data());
    value.bytes.assign(bytes, bytes + elements.size() * sizeof(T));
    return value;
}

template <typename T> std::vector<T> elementsOf(const reference::Value& value) {
    return std::vector<T>(value.as<T>(), value.as<T>() + value.bytes.size() / sizeof(T));
}

} // namespace poolwright::test
