// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

/// The inner loops of convolution and Gemm: products of rows of weights with vectors of the same depth.
/// `Element` is std::int16_t (quantised bytes less their zero point, -255..255; the sums are exact) or double.
namespace poolwright::reference {

template <typename Element> class PackedRows {
public:
    /// `weights` is row-major [rows, depth].
    PackedRows(const std::vector<Element>& weights, std::int64_t rows, std::int64_t depth);

    /// Elements between the starts of two vectors; those beyond `depth` must be 0.
    std::int64_t paddedDepth() const { return m_paddedDepth; }
    std::int64_t rows() const { return m_rows; }

    /// sums[v * sumStride + r] = dot(vector v, row r) for all rows.
    void multiply(const Element* vectors, std::int64_t count, double* sums, std::int64_t sumStride) const;

private:
    std::int64_t m_rows;
    std::int64_t m_depth;
    std::int64_t m_paddedDepth;
    std::vector<Element> m_packed;
};

/// Depthwise step: sums[c] += image[c] * weights[c].
template <typename Element, typename Sum>
void multiplyAdd(const Element* image, const Element* weights, Sum* sums, std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c)
        sums[c] += Sum(image[c]) * Sum(weights[c]);
}

} // namespace poolwright::reference
