// SPDX-License-Identifier: Apache-2.0
#include "reference/affine.h"
#include "reference/kernel.h"
#include "reference/product.h"

namespace poolwright::reference {

namespace {

/// One spatial axis. Input i and tap k reach output i * stride - padBegin + k * dilation.
struct Axis {
    std::int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, padBegin = 0;

    std::int64_t target(std::int64_t i, std::int64_t k) const { return i * stride - padBegin + k * dilation; }
};

struct Geometry {
    Axis height, width;
    std::int64_t batch = 1, channels = 1, outputs = 1, groups = 1;

    std::int64_t groupChannels() const { return channels / groups; }
    std::int64_t groupOutputs() const { return outputs / groups; }
    std::int64_t taps() const { return height.kernel * width.kernel; }
};

constexpr std::int64_t largestExtent = 1 << 24; // keeps every index product far from overflow

/// What is wrong with an axis, or an empty text; fills it in from the attributes' entry `a` of `axes`.
std::string axisProblem(const Call& call, std::size_t a, std::size_t axes, Axis& axis) {
    const std::vector<std::int64_t> ones(axes, 1), zeros(2 * axes, 0);
    const auto strides = call.integers("strides", ones), dilations = call.integers("dilations", ones);
    const auto pads = call.integers("pads", zeros), extra = call.integers("output_padding", zeros);
    if (strides.size() != axes || dilations.size() != axes || pads.size() != 2 * axes || extra.size() < axes)
        return "strides, dilations, pads or output_padding have the wrong length";
    axis = {call.input(0).shape[2 + a],
            call.output().shape[2 + a],
            call.input(1).shape[2 + a],
            strides[a],
            dilations[a],
            pads[a]};
    for (std::int64_t value : {axis.in, axis.out, axis.kernel, axis.stride, axis.dilation})
        if (value < 1 || value > largestExtent)
            return "an extent, stride or dilation is out of range";
    for (std::int64_t value : {pads[a], pads[axes + a], extra[a]})
        if (value < 0 || value > largestExtent)
            return "a pad is out of range";
    const std::int64_t full = axis.stride * (axis.in - 1) + extra[a] + (axis.kernel - 1) * axis.dilation + 1;
    if (axis.out != full - pads[a] - pads[axes + a])
        return "the output's extents do not follow from strides, kernel, pads and output_padding";
    return {};
}

Result<Geometry> geometryOf(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "x and weights are required");
    const ir::Shape &x = call.input(0).shape, &weights = call.input(1).shape, &out = call.output().shape;
    if (weights.size() < 3 || weights.size() > 4 || x.size() != weights.size() || out.size() != x.size())
        return mismatch(call, "x, weights and output need the same rank of 3 or 4");
    const std::size_t axes = x.size() - 2;
    Geometry g;
    for (std::size_t a = 0; a < axes; ++a)
        if (const std::string problem = axisProblem(call, a, axes, a + 1 == axes ? g.width : g.height);
            !problem.empty())
            return mismatch(call, problem);
    g.batch = x[0];
    g.channels = x[1];
    g.groups = call.integer("group", 1);
    if (g.groups < 1 || g.groups > g.channels || g.channels % g.groups != 0 || weights[0] != g.channels ||
        weights[1] < 1 || out[0] != x[0] || out[1] % weights[1] != 0 || out[1] / weights[1] != g.groups)
        return mismatch(call, "channels, weights and group " + std::to_string(g.groups) + " do not fit together");
    g.outputs = out[1];
    if (double(call.input(0).elements()) * double(g.groupOutputs()) * double(g.taps()) > 4398046511104.0) // 2^42
        return unsupported(call, "more than 2^42 products are not computed");
    if (call.hasInput(2) && call.input(2).elements() != g.outputs)
        return mismatch(call, "the bias needs one element per output channel");
    return g;
}

/// The weights [C, O/g, kh, kw] as rows [O, C/g, kh, kw], as a convolution has them. Parameters per output channel of a
/// group are repeated for each; those per input channel make the rows real.
Value asRows(const Value& weights, const Geometry& g) {
    Value from = weights;
    if (from.quantisation && !from.quantisation->isPerTensor() && from.quantisation->axis != 1) {
        Value reals{ir::ElementType::Float32, weights.shape, {}, {}};
        reals.bytes.resize(std::size_t(weights.elements()) * sizeof(float));
        storeReals(reals, realsOf(weights));
        from = std::move(reals);
    }
    const std::int64_t run = g.taps() * ir::elementBytes(from.type);
    Value rows{from.type, {g.outputs, g.groupChannels(), g.height.kernel, g.width.kernel}, from.quantisation, {}};
    rows.bytes.resize(from.bytes.size());
    for (std::int64_t o = 0; o < g.outputs; ++o)
        for (std::int64_t c = 0; c < g.groupChannels(); ++c) {
            const std::int64_t channel = o / g.groupOutputs() * g.groupChannels() + c;
            std::copy_n(from.bytes.begin() + (channel * g.groupOutputs() + o % g.groupOutputs()) * run, run,
                        rows.bytes.begin() + (o * g.groupChannels() + c) * run);
        }
    if (rows.quantisation && !rows.quantisation->isPerTensor()) {
        const ir::Quantisation q = *rows.quantisation;
        rows.quantisation = ir::Quantisation{{}, {}, 0};
        for (std::int64_t o = 0; o < g.outputs; ++o) {
            rows.quantisation->scales.push_back(q.scales[std::size_t(o % g.groupOutputs())]);
            rows.quantisation->zeroPoints.push_back(
                q.zeroPoints.empty() ? 0 : q.zeroPoints[std::size_t(o % g.groupOutputs())]);
        }
    }
    return rows;
}

/// Sums of one output row at a time: for each tap the products of a whole input row, added where they belong.
template <typename Element> class Scatterer {
public:
    Scatterer(const Geometry& geometry, const std::vector<Element>& x, const std::vector<Element>& rows)
        : m_geometry(geometry)
        , m_x(x) {
        for (std::int64_t group = 0; group < geometry.groups; ++group)
            for (std::int64_t tap = 0; tap < geometry.taps(); ++tap)
                m_taps.emplace_back(rowsOf(rows, group, tap), geometry.groupOutputs(), geometry.groupChannels());
        m_vectors.resize(std::size_t(geometry.width.in * m_taps.front().paddedDepth()));
        m_products.resize(std::size_t(geometry.width.in * geometry.groupOutputs()));
    }

    /// sums[ow * outputs + o] for one output row.
    void row(std::int64_t n, std::int64_t oh, std::vector<double>& sums) {
        std::fill(sums.begin(), sums.end(), 0.0);
        const Axis& height = m_geometry.height;
        for (std::int64_t kh = 0; kh < height.kernel; ++kh) {
            const std::int64_t reach = oh + height.padBegin - kh * height.dilation;
            if (reach < 0 || reach % height.stride != 0 || reach / height.stride >= height.in)
                continue;
            for (std::int64_t group = 0; group < m_geometry.groups; ++group) {
                load(n, reach / height.stride, group);
                for (std::int64_t kw = 0; kw < m_geometry.width.kernel; ++kw)
                    add(group, kh * m_geometry.width.kernel + kw, kw, sums);
            }
        }
    }

private:
    std::vector<Element> rowsOf(const std::vector<Element>& rows, std::int64_t group, std::int64_t tap) const {
        std::vector<Element> result;
        const std::int64_t count = m_geometry.groupOutputs() * m_geometry.groupChannels();
        for (std::int64_t i = 0; i < count; ++i)
            result.push_back(rows[std::size_t((group * count + i) * m_geometry.taps() + tap)]);
        return result;
    }

    /// One input row of a group as vectors of its channels.
    void load(std::int64_t n, std::int64_t ih, std::int64_t group) {
        const Geometry& g = m_geometry;
        const std::int64_t step = m_taps.front().paddedDepth();
        for (std::int64_t c = 0; c < g.groupChannels(); ++c) {
            const std::int64_t plane = n * g.channels + group * g.groupChannels() + c;
            const Element* from = m_x.data() + (plane * g.height.in + ih) * g.width.in;
            for (std::int64_t iw = 0; iw < g.width.in; ++iw)
                m_vectors[std::size_t(iw * step + c)] = from[iw];
        }
    }

    void add(std::int64_t group, std::int64_t tap, std::int64_t kw, std::vector<double>& sums) {
        const Geometry& g = m_geometry;
        const std::int64_t outputs = g.groupOutputs();
        m_taps[std::size_t(group * g.taps() + tap)].multiply(m_vectors.data(), g.width.in, m_products.data(), outputs);
        for (std::int64_t iw = 0; iw < g.width.in; ++iw) {
            const std::int64_t ow = g.width.target(iw, kw);
            if (ow < 0 || ow >= g.width.out)
                continue;
            double* to = sums.data() + ow * g.outputs + group * outputs;
            for (std::int64_t o = 0; o < outputs; ++o)
                to[o] += m_products[std::size_t(iw * outputs + o)];
        }
    }

    Geometry m_geometry;
    const std::vector<Element>& m_x;
    std::vector<PackedRows<Element>> m_taps; ///< [group, tap]
    std::vector<Element> m_vectors;
    std::vector<double> m_products;
};

template <typename T>
void storeRow(const Geometry& g, const RowScaling& scaling, std::int64_t n, std::int64_t oh,
              const std::vector<double>& sums, Value& output) {
    const double zeroPoint = zeroPointOf(output);
    for (std::int64_t o = 0; o < g.outputs; ++o) {
        const double factor = scaling.factors[std::size_t(o)];
        const double offset = scaling.offsets[std::size_t(scaling.offsets.size() == 1 ? 0 : o)];
        T* row = output.as<T>() + ((n * g.outputs + o) * g.height.out + oh) * g.width.out;
        for (std::int64_t ow = 0; ow < g.width.out; ++ow)
            row[ow] = encode<T>(sums[std::size_t(ow * g.outputs + o)] * factor + offset, zeroPoint);
    }
}

template <typename Element> void transposeConvolve(const Call& call, const Geometry& g, const Value& rows) {
    const RowScaling scaling =
        rowScaling(call.input(0), rows, call.hasInput(2) ? &call.input(2) : nullptr, call.output(), g.outputs);
    const std::vector<Element> x = operandOf<Element>(call.input(0));
    Scatterer<Element> scatterer(g, x, operandOf<Element>(rows));
    std::vector<double> sums(std::size_t(g.width.out * g.outputs));
    withType(call.output().type, [&](auto zero) {
        for (std::int64_t n = 0; n < g.batch; ++n)
            for (std::int64_t oh = 0; oh < g.height.out; ++oh) {
                scatterer.row(n, oh, sums);
                storeRow<decltype(zero)>(g, scaling, n, oh, sums, call.output());
            }
    });
}

} // namespace

Done evaluateConvTranspose(const Call& call) {
    const Result<Geometry> geometry = geometryOf(call);
    if (!geometry)
        return fail(geometry.error());
    const Value rows = asRows(call.input(1), *geometry);
    if (hasIntegerSums(call.input(0), rows))
        transposeConvolve<std::int16_t>(call, *geometry, rows);
    else
        transposeConvolve<double>(call, *geometry, rows);
    return {};
}

} // namespace poolwright::reference
