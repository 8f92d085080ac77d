// SPDX-License-Identifier: Apache-2.0
#include "reference/affine.h"
#include "reference/kernel.h"
#include "reference/product.h"
#include "reference/window.h"

#include <memory>

namespace poolwright::reference {

namespace {

struct Geometry {
    Windows windows;
    std::int64_t batch = 1;
    std::int64_t channels = 1;
    std::int64_t outputs = 1; ///< output channels
    std::int64_t groups = 1;

    std::int64_t groupChannels() const { return channels / groups; }
    std::int64_t groupOutputs() const { return outputs / groups; }
    std::int64_t taps() const { return windows.height.kernel * windows.width.kernel; }
    std::int64_t pixels() const { return windows.height.in * windows.width.in; }
    bool isDepthwise() const { return groupChannels() == 1 && groupOutputs() == 1; }
};

Result<Geometry> geometryOf(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "x and weights are required");
    const ir::Shape& weights = call.input(1).shape;
    const ir::Shape& x = call.input(0).shape;
    const ir::Shape& out = call.output().shape;
    if (weights.size() < 3 || x.size() != weights.size())
        return mismatch(call, "x and weights need the same rank of at least 3");
    const Result<Windows> windows = windowsOf(call, {weights.begin() + 2, weights.end()});
    if (!windows)
        return fail(windows.error());
    const Geometry g{*windows, x[0], x[1], weights[0], call.integer("group", 1)};
    if (g.groups < 1 || g.channels % g.groups != 0 || g.outputs % g.groups != 0 || weights[1] != g.groupChannels())
        return mismatch(call, "channels, weights and group " + std::to_string(g.groups) + " do not fit together");
    if (double(call.output().elements()) * double(g.groupChannels()) * double(g.taps()) > 4398046511104.0) // 2^42
        return unsupported(call, "more than 2^42 products are not computed");
    if (out[1] != g.outputs)
        return mismatch(call, "the output needs as many channels as the weights have rows");
    if (call.hasInput(2) && call.input(2).elements() != g.outputs)
        return mismatch(call, "the bias needs one element per output channel");
    return g;
}

/// Sums of one convolution, row by row. Works on a channel-last copy of the image, where the patch of an output
/// element is a few contiguous runs.
template <typename Element> class Convolver {
public:
    Convolver(const Geometry& geometry, const std::vector<Element>& x, const std::vector<Element>& weights);

    /// sums[ow * outputs + o] for one output row.
    void row(std::int64_t n, std::int64_t oh, double* sums);

private:
    void packTaps(const std::vector<Element>& weights);
    void packGroups(const std::vector<Element>& weights);
    void depthwiseRow(std::int64_t n, std::int64_t oh, double* sums);
    void groupRow(std::int64_t n, std::int64_t oh, std::int64_t group, double* sums);
    void gather(std::int64_t n, std::int64_t oh, std::int64_t ow, std::int64_t group, Element* patch) const;
    const Element* pixel(std::int64_t n, std::int64_t h, std::int64_t w) const;

    using Sum = std::conditional_t<std::is_same_v<Element, double>, double, std::int32_t>;
    static constexpr std::int64_t tile = 16; ///< output elements whose patches stay in the first-level cache

    Geometry m_geometry;
    std::vector<Element> m_image;      ///< [N, H, W, C]
    std::vector<Element> m_tapWeights; ///< depthwise: [kh, kw, C]
    std::vector<PackedRows<Element>> m_groups;
    std::vector<Element> m_patches;
    std::vector<Sum> m_channelSums;
};

template <typename Element>
Convolver<Element>::Convolver(const Geometry& geometry, const std::vector<Element>& x,
                              const std::vector<Element>& weights)
    : m_geometry(geometry)
    , m_image(x.size()) {
    const std::int64_t pixels = geometry.pixels();
    const std::int64_t channels = geometry.channels;
    for (std::int64_t n = 0; n < geometry.batch; ++n)
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t p = 0; p < pixels; ++p)
                m_image[std::size_t((n * pixels + p) * channels + c)] = x[std::size_t((n * channels + c) * pixels + p)];
    if (geometry.isDepthwise())
        packTaps(weights);
    else
        packGroups(weights);
}

template <typename Element> void Convolver<Element>::packTaps(const std::vector<Element>& weights) {
    const std::int64_t channels = m_geometry.channels;
    const std::int64_t taps = m_geometry.taps();
    m_channelSums.resize(std::size_t(channels));
    m_tapWeights.resize(weights.size());
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t t = 0; t < taps; ++t)
            m_tapWeights[std::size_t(t * channels + c)] = weights[std::size_t(c * taps + t)];
}

template <typename Element> void Convolver<Element>::packGroups(const std::vector<Element>& weights) {
    const std::int64_t taps = m_geometry.taps();
    const std::int64_t channels = m_geometry.groupChannels();
    const std::int64_t rows = m_geometry.groupOutputs();
    std::vector<Element> rowsOfGroup(std::size_t(rows * channels * taps));
    for (std::int64_t g = 0; g < m_geometry.groups; ++g) {
        const Element* from = weights.data() + g * rows * channels * taps;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < channels; ++c)
                for (std::int64_t t = 0; t < taps; ++t)
                    rowsOfGroup[std::size_t((r * taps + t) * channels + c)] = from[(r * channels + c) * taps + t];
        m_groups.emplace_back(rowsOfGroup, rows, channels * taps);
    }
    m_patches.resize(std::size_t(tile * m_groups.front().paddedDepth()));
}

/// Null outside the image, where padding contributes 0.
template <typename Element>
const Element* Convolver<Element>::pixel(std::int64_t n, std::int64_t h, std::int64_t w) const {
    const std::int64_t height = m_geometry.windows.height.in;
    const std::int64_t width = m_geometry.windows.width.in;
    if (h < 0 || h >= height || w < 0 || w >= width)
        return nullptr;
    return m_image.data() + ((n * height + h) * width + w) * m_geometry.channels;
}

template <typename Element>
void Convolver<Element>::gather(std::int64_t n, std::int64_t oh, std::int64_t ow, std::int64_t group,
                                Element* patch) const {
    const Window& height = m_geometry.windows.height;
    const Window& width = m_geometry.windows.width;
    const std::int64_t channels = m_geometry.groupChannels();
    for (std::int64_t kh = 0; kh < height.kernel; ++kh) {
        for (std::int64_t kw = 0; kw < width.kernel; ++kw, patch += channels) {
            const Element* from =
                pixel(n, height.start(oh) + kh * height.dilation, width.start(ow) + kw * width.dilation);
            if (from)
                std::copy_n(from + group * channels, channels, patch);
            else
                std::fill_n(patch, channels, Element(0));
        }
    }
}

template <typename Element>
void Convolver<Element>::groupRow(std::int64_t n, std::int64_t oh, std::int64_t group, double* sums) {
    const PackedRows<Element>& rows = m_groups[std::size_t(group)];
    const std::int64_t width = m_geometry.windows.width.out;
    for (std::int64_t first = 0; first < width; first += tile) {
        const std::int64_t count = std::min(tile, width - first);
        for (std::int64_t i = 0; i < count; ++i)
            gather(n, oh, first + i, group, m_patches.data() + i * rows.paddedDepth());
        rows.multiply(m_patches.data(), count, sums + first * m_geometry.outputs + group * rows.rows(),
                      m_geometry.outputs);
    }
}

template <typename Element> void Convolver<Element>::depthwiseRow(std::int64_t n, std::int64_t oh, double* sums) {
    const Window& height = m_geometry.windows.height;
    const Window& width = m_geometry.windows.width;
    const std::int64_t channels = m_geometry.channels;
    for (std::int64_t ow = 0; ow < width.out; ++ow) {
        std::fill(m_channelSums.begin(), m_channelSums.end(), Sum(0));
        for (std::int64_t kh = height.firstTap(oh); kh < height.endTap(oh); ++kh)
            for (std::int64_t kw = width.firstTap(ow); kw < width.endTap(ow); ++kw)
                multiplyAdd(pixel(n, height.start(oh) + kh * height.dilation, width.start(ow) + kw * width.dilation),
                            m_tapWeights.data() + (kh * width.kernel + kw) * channels, m_channelSums.data(), channels);
        std::copy(m_channelSums.begin(), m_channelSums.end(), sums + ow * channels);
    }
}

template <typename Element> void Convolver<Element>::row(std::int64_t n, std::int64_t oh, double* sums) {
    if (m_geometry.isDepthwise())
        return depthwiseRow(n, oh, sums);
    for (std::int64_t g = 0; g < m_geometry.groups; ++g)
        groupRow(n, oh, g, sums);
}

/// One row of sums [W, O] into the output [N, O, H, W].
template <typename T>
void storeRow(const Geometry& g, const RowScaling& scaling, std::int64_t n, std::int64_t oh, const double* sums,
              Value& output) {
    const double zeroPoint = zeroPointOf(output);
    const std::int64_t width = g.windows.width.out;
    for (std::int64_t o = 0; o < g.outputs; ++o) {
        const double factor = scaling.factors[std::size_t(o)];
        const double offset = scaling.offsets[std::size_t(o)];
        T* row = output.as<T>() + ((n * g.outputs + o) * g.windows.height.out + oh) * width;
        for (std::int64_t ow = 0; ow < width; ++ow)
            row[ow] = encode<T>(sums[ow * g.outputs + o] * factor + offset, zeroPoint);
    }
}

template <typename Element> void convolve(const Call& call, const Geometry& g) {
    const RowScaling scaling =
        rowScaling(call.input(0), call.input(1), call.hasInput(2) ? &call.input(2) : nullptr, call.output(), g.outputs);
    Convolver<Element> convolver(g, operandOf<Element>(call.input(0)), operandOf<Element>(call.input(1)));
    std::vector<double> sums(std::size_t(g.windows.width.out * g.outputs));
    withType(call.output().type, [&](auto zero) {
        for (std::int64_t n = 0; n < g.batch; ++n) {
            for (std::int64_t oh = 0; oh < g.windows.height.out; ++oh) {
                convolver.row(n, oh, sums.data());
                storeRow<decltype(zero)>(g, scaling, n, oh, sums.data(), call.output());
            }
        }
    });
}

} // namespace

Done evaluateConv(const Call& call) {
    const Result<Geometry> geometry = geometryOf(call);
    if (!geometry)
        return fail(geometry.error());
    const bool integers = hasIntegerSums(call.input(0), call.input(1));
    if (integers && geometry->isDepthwise() && geometry->taps() > 32768)
        return unsupported(call, "more than 32768 taps could overflow the 32-bit sums of a depthwise kernel");
    if (integers)
        convolve<std::int16_t>(call, *geometry);
    else
        convolve<double>(call, *geometry);
    return {};
}

} // namespace poolwright::reference
