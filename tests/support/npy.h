// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace poolwright::test {

/// A .npy array (little-endian, C order). A second reader, apart from the product's own, so that the two can disagree.
struct NpyArray {
    std::string dtype; ///< "|i1", "<f4", ...
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> bytes;

    template <typename T> const T* as() const { return reinterpret_cast<const T*>(bytes.data()); }
    std::int64_t elements() const;
};

/// Throws std::runtime_error when the file is no such array.
NpyArray readNpy(const std::filesystem::path& path);

} // namespace poolwright::test
