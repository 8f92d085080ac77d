// SPDX-License-Identifier: Apache-2.0
#include "reference/product.h"

#include <algorithm>

namespace poolwright::reference {

namespace {

constexpr std::int64_t blockRows = 4;
constexpr std::int64_t lanes = 8;
/// 255 * 255 * 32768 < 2^31: so many products fit in a 32-bit sum.
constexpr std::int64_t exactDepth = 32768;

std::int64_t padded(std::int64_t depth) {
    return (depth + lanes - 1) / lanes * lanes;
}

/// One vector with four rows. The four 32-bit sums become packed multiply-adds of 16-bit pairs.
inline void dotFour(const std::int16_t* x, const std::int16_t* w, std::int64_t rowStride, std::int64_t depth,
                    double* sums) {
    const std::int16_t *w0 = w, *w1 = w + rowStride, *w2 = w + 2 * rowStride, *w3 = w + 3 * rowStride;
    for (std::int64_t start = 0; start < depth; start += exactDepth) {
        const std::int64_t end = std::min(depth, start + exactDepth);
        std::int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (std::int64_t k = start; k < end; ++k) {
            s0 += std::int32_t(x[k]) * w0[k];
            s1 += std::int32_t(x[k]) * w1[k];
            s2 += std::int32_t(x[k]) * w2[k];
            s3 += std::int32_t(x[k]) * w3[k];
        }
        sums[0] += s0;
        sums[1] += s1;
        sums[2] += s2;
        sums[3] += s3;
    }
}

/// One vector with eight rows that lie interleaved [depth, 8].
inline void dotEight(const double* x, const double* w, std::int64_t depth, double* sums) {
    double s[lanes] = {};
    for (std::int64_t k = 0; k < depth; ++k)
        for (std::int64_t r = 0; r < lanes; ++r)
            s[r] += x[k] * w[k * lanes + r];
    std::copy(s, s + lanes, sums);
}

} // namespace

template <>
PackedRows<std::int16_t>::PackedRows(const std::vector<std::int16_t>& weights, std::int64_t rows, std::int64_t depth)
    : m_rows(rows)
    , m_depth(depth)
    , m_paddedDepth(padded(depth))
    , m_packed(std::size_t((rows + blockRows - 1) / blockRows * blockRows * m_paddedDepth)) {
    for (std::int64_t r = 0; r < rows; ++r)
        std::copy_n(weights.begin() + r * depth, depth, m_packed.begin() + r * m_paddedDepth);
}

template <>
void PackedRows<std::int16_t>::multiply(const std::int16_t* vectors, std::int64_t count, double* sums,
                                        std::int64_t sumStride) const {
    for (std::int64_t r = 0; r < m_rows; r += blockRows) {
        const std::int16_t* rows = m_packed.data() + r * m_paddedDepth;
        for (std::int64_t v = 0; v < count; ++v) {
            double block[blockRows] = {};
            dotFour(vectors + v * m_paddedDepth, rows, m_paddedDepth, m_paddedDepth, block);
            std::copy_n(block, std::min(blockRows, m_rows - r), sums + v * sumStride + r);
        }
    }
}

template <>
PackedRows<double>::PackedRows(const std::vector<double>& weights, std::int64_t rows, std::int64_t depth)
    : m_rows(rows)
    , m_depth(depth)
    , m_paddedDepth(depth)
    , m_packed(std::size_t(padded(rows) * depth)) {
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t k = 0; k < depth; ++k)
            m_packed[std::size_t((r / lanes * depth + k) * lanes + r % lanes)] = weights[std::size_t(r * depth + k)];
}

template <>
void PackedRows<double>::multiply(const double* vectors, std::int64_t count, double* sums,
                                  std::int64_t sumStride) const {
    for (std::int64_t r = 0; r < m_rows; r += lanes) {
        for (std::int64_t v = 0; v < count; ++v) {
            double block[lanes];
            dotEight(vectors + v * m_depth, m_packed.data() + r * m_depth, m_depth, block);
            std::copy_n(block, std::min(lanes, m_rows - r), sums + v * sumStride + r);
        }
    }
}

} // namespace poolwright::reference
