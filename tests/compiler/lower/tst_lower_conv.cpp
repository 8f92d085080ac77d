// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "lower/conv_axis.h"
#include "lower/requant.h"
#include "lowered.h"

#include <cstring>

using namespace poolwright;
using test::GraphMaker;

/// Convolutions of all geometries as hardware epochs, against the interpreter.
class TestLowerConv : public QObject {
    Q_OBJECT

private slots:
    void axes();
    void geometries_data();
    void geometries();
    void arithmetic_data();
    void arithmetic();
    void randomGeometries();
    void weightsOfNineBits();
    void options();
};

namespace {

using Window = GraphMaker::Window;

struct Case {
    const char* name;
    std::vector<std::int64_t> image; ///< channels, height, width
    Window window;
    int mostEpochs = 1; ///< of the convolution itself
    bool isTransposed = false;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> list{
        {"dilation 2", {16, 20, 24}, {16, 3, 3, 1, {1, 1}, {2, 2}, {2, 2, 2, 2}}, 2},
        {"dilation 3 odd size", {8, 17, 19}, {12, 3, 3, 1, {1, 1}, {3, 3}, {3, 3, 3, 3}}, 8},
        {"dilation 2, 3 unpadded", {5, 15, 18}, {7, 3, 2, 1, {1, 1}, {2, 3}, {0, 0, 0, 0}}, 8},
        {"dilation 2 stride 2", {8, 17, 18}, {9, 3, 3, 1, {2, 2}, {2, 2}, {2, 2, 2, 2}}, 1},
        {"dilation 2 stride 3", {8, 17, 18}, {9, 3, 3, 1, {3, 3}, {2, 2}, {2, 2, 2, 2}}, 4},
        {"dilation 6 in a small map", {32, 9, 9}, {16, 3, 3, 1, {1, 1}, {6, 6}, {6, 6, 6, 6}}, 12},
        {"dilation beyond the map", {32, 9, 9}, {16, 3, 3, 1, {1, 1}, {12, 12}, {12, 12, 12, 12}}, 1},
        {"depthwise dilation 2", {24, 16, 16}, {24, 3, 3, 24, {1, 1}, {2, 2}, {2, 2, 2, 2}}, 2},
        {"depthwise dilation 4", {17, 13, 13}, {17, 3, 3, 17, {1, 1}, {4, 4}, {4, 4, 4, 4}}, 9},
        {"1x3 dilation 8", {16, 1, 64}, {16, 1, 3, 1, {1, 1}, {1, 8}, {0, 8, 0, 8}}, 3},
        {"2x5 stride 1x3", {6, 11, 23}, {10, 2, 5, 1, {1, 3}, {1, 1}, {0, 2, 1, 2}}, 1},
        {"7x7 stride 2", {3, 32, 32}, {16, 7, 7, 1, {2, 2}, {1, 1}, {3, 3, 3, 3}}, 3},
        {"7x7 of many channels", {64, 14, 14}, {64, 7, 7, 1, {1, 1}, {1, 1}, {3, 3, 3, 3}}, 2},
        {"9x9 uneven padding", {24, 15, 13}, {20, 9, 9, 1, {1, 1}, {1, 1}, {4, 5, 3, 2}}, 2},
        {"7x8 without padding", {32, 12, 14}, {16, 7, 8, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}, 2},
        {"1x20", {4, 3, 50}, {8, 1, 20, 1, {1, 1}, {1, 1}, {0, 9, 0, 10}}, 2},
        {"11x11 stride 4", {3, 35, 35}, {8, 11, 11, 1, {4, 4}, {1, 1}, {2, 2, 2, 2}}, 4},
        {"patches 16", {3, 64, 64}, {24, 16, 16, 1, {16, 16}, {1, 1}, {0, 0, 0, 0}}, 1},
        {"patches 14", {3, 42, 42}, {10, 14, 14, 1, {14, 14}, {1, 1}, {0, 0, 0, 0}}, 1},
        {"stride 8 padded", {4, 33, 33}, {8, 3, 3, 1, {8, 8}, {1, 1}, {1, 1, 1, 1}}, 3},
        {"stride 11", {4, 36, 36}, {8, 5, 4, 1, {11, 11}, {1, 1}, {0, 0, 0, 0}}, 5},
        {"1x1 stride 2", {40, 14, 14}, {24, 1, 1, 1, {2, 2}, {1, 1}, {0, 0, 0, 0}}, 1},
        {"17 to 37 channels", {17, 9, 9}, {37, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"131 to 131 channels 1x1", {131, 6, 6}, {131, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}, 1},
        {"37 to 13 channels 5x5", {37, 9, 9}, {13, 5, 5, 1, {1, 1}, {1, 1}, {2, 2, 2, 2}}, 1},
        {"600 to 640 channels", {600, 4, 4}, {640, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}, 2},
        {"521 outputs", {8, 3, 3}, {521, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}, 2},
        {"one channel", {1, 20, 20}, {16, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"one output", {16, 12, 12}, {1, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"depthwise multiplier 3", {10, 12, 12}, {30, 3, 3, 10, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"depthwise 17", {17, 12, 12}, {17, 3, 3, 17, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"depthwise 1031", {1031, 3, 3}, {1031, 3, 3, 1031, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 4},
        {"groups of 5 to 7", {15, 9, 9}, {21, 3, 3, 3, {2, 2}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"groups of 3 to 11", {21, 9, 9}, {77, 3, 3, 7, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1},
        {"depthwise 7x7", {12, 14, 14}, {12, 7, 7, 12, {1, 1}, {1, 1}, {3, 3, 3, 3}}, 3},
        {"wide line", {3, 6, 1280}, {8, 3, 3, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}}, 4},
        {"very wide line", {8, 4, 3000}, {8, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 4},
        {"wide depthwise", {8, 4, 2500}, {8, 3, 3, 8, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 3},
        {"transposed 2x2 stride 2", {16, 9, 10}, {12, 2, 2, 1, {2, 2}, {1, 1}, {0, 0, 0, 0}}, 1, true},
        {"transposed 4x4 stride 2", {16, 9, 10}, {12, 4, 4, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}}, 4, true},
        {"transposed 3x3 stride 2 padded", {8, 7, 9}, {8, 3, 3, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}, {1, 1}}, 4, true},
        {"transposed 3x3 stride 1", {10, 8, 8}, {6, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}, 1, true},
        {"transposed 1x1 stride 2", {8, 5, 5}, {6, 1, 1, 1, {2, 2}, {1, 1}, {0, 0, 0, 0}, {1, 1}}, 4, true},
        {"transposed 5x4 stride 3x4", {6, 7, 5}, {7, 5, 4, 1, {3, 4}, {1, 1}, {1, 0, 1, 2}, {2, 1}}, 8, true},
        {"transposed 2x2 stride 4", {6, 5, 5}, {5, 2, 2, 1, {4, 4}, {1, 1}, {0, 0, 0, 0}}, 16, true},
        {"transposed depthwise", {16, 6, 6}, {16, 4, 4, 16, {2, 2}, {1, 1}, {1, 1, 1, 1}}, 4, true},
        {"transposed groups", {9, 6, 6}, {15, 3, 3, 3, {2, 2}, {1, 1}, {1, 0, 0, 1}, {1, 0}}, 4, true},
        {"transposed dilated", {6, 7, 7}, {8, 3, 3, 1, {2, 1}, {2, 3}, {1, 2, 1, 2}}, 8, true},
        {"transposed dilation 3 stride 2", {6, 7, 7}, {8, 3, 3, 1, {2, 2}, {3, 3}, {1, 2, 1, 2}}, 24, true},
        {"transposed large", {64, 16, 16}, {32, 4, 4, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}}, 4, true},
    };
    return list;
}

} // namespace

/// Every output and tap of an axis exactly once, and no other.
void TestLowerConv::axes() {
    using Seen = std::map<std::array<std::int64_t, 3>, int>; // output, tap, input
    int tried = 0;
    for (std::int64_t stride : {1, 2, 3, 4, 8, 9, 11})
        for (std::int64_t dilation : {1, 2, 3, 4, 6})
            for (std::int64_t kernel : {1, 2, 3, 4, 7, 13})
                for (bool transposed : {false, true})
                    for (int how = 0; how < 8; ++how) {
                        const std::int64_t size = 23, pad = kernel / 2, reach = (kernel - 1) * dilation + 1;
                        const std::int64_t outputs =
                            transposed ? (size - 1) * stride + reach - 2 * pad : (size + 2 * pad - reach) / stride + 1;
                        if (outputs < 1 || size + 2 * pad < reach)
                            continue;
                        lower::AxisWay way;
                        way.tapByTap = how & 1;
                        way.wholeStride = how & 2;
                        const std::int64_t stripes = how & 4 ? 3 : 1;
                        const auto parts =
                            transposed ? lower::transposedAxis(outputs, kernel, stride, dilation, pad)
                                       : std::vector{lower::convolutionAxis(outputs, kernel, stride, dilation, pad)};
                        Seen seen, wanted;
                        std::map<std::int64_t, int> written;
                        for (const auto& part : parts)
                            for (const auto& stripe : lower::stripesOf(part, stripes))
                                for (const auto& raster : lower::rastersOf(stripe, way)) {
                                    QVERIFY(raster.stride <= 7 && raster.taps <= 3);
                                    for (std::int64_t j = 0; j < raster.outputs; ++j)
                                        ++written[raster.firstOutput + raster.outputStep * j];
                                    for (const auto& run : raster.runs) {
                                        const auto extent = lower::extentOf(raster, run, size);
                                        for (std::int64_t j = 0; j < raster.outputs; ++j)
                                            for (std::int64_t t = 0; t < run.taps; ++t) {
                                                const std::int64_t step = raster.stride * j + t;
                                                const std::int64_t at = step - extent.padBefore;
                                                if (at < 0 || at >= extent.count)
                                                    continue;
                                                const std::int64_t x = extent.first + at * run.inputStep;
                                                QVERIFY(0 <= x && x < size);
                                                ++seen[{raster.firstOutput + raster.outputStep * j,
                                                        run.firstTap + run.tapStep * t, x}];
                                            }
                                    }
                                }
                        for (std::int64_t o = 0; o < outputs; ++o)
                            for (std::int64_t k = 0; k < kernel; ++k) {
                                if (!transposed) {
                                    const std::int64_t x = o * stride - pad + k * dilation;
                                    if (0 <= x && x < size)
                                        wanted[{o, k, x}] = 1;
                                } else if ((o + pad - k * dilation) % stride == 0) {
                                    const std::int64_t x = (o + pad - k * dilation) / stride;
                                    if (0 <= x && x < size)
                                        wanted[{o, k, x}] = 1;
                                }
                            }
                        QCOMPARE(std::int64_t(written.size()), outputs);
                        QVERIFY(seen == wanted);
                        ++tried;
                    }
    QVERIFY(tried > 2000);
}

void TestLowerConv::geometries_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("zero");
    for (std::size_t i = 0; i < cases().size(); ++i)
        for (int zero : {-128, 7})
            QTest::newRow(qPrintable(QString("%1, zero %2").arg(cases()[i].name).arg(zero))) << int(i) << zero;
}

void TestLowerConv::geometries() {
    QFETCH(int, index);
    QFETCH(int, zero);
    const Case& c = cases()[std::size_t(index)];
    GraphMaker g(unsigned(index + 1));
    // A 1x1 convolution in front makes the input of the tested one: unsigned bytes for zero point -128.
    const TensorId input = g.activation({1, c.image[1], c.image[2], c.image[0]}, {{0.05}, {zero}, -1});
    g.graph.inputs.push_back(input);
    const TensorId image = g.node(ir::OpKind::Transpose, {input}, {1, c.image[0], c.image[1], c.image[2]},
                                  {{0.05}, {zero}, -1}, {{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}});
    TensorId front = g.conv(image, Window{c.image[0], 1, 1, c.image[0]});
    g.graph[front].quantisation->zeroPoints = {zero};
    g.graph[front].quantisation->scales = {0.08};
    const TensorId y = c.isTransposed ? g.convTranspose(front, c.window) : g.conv(front, c.window);
    g.output(y);
    test::Expectation expected{1, 0.9};
    // The front: 1 epoch, 3 where the channels are 1031; the output's layout: 1.
    expected.mostHardware = c.mostEpochs * (zero == -128 ? 1 : 2) + 2 + int(c.image[0] / 512);
    POOLWRIGHT_VERIFY_LOWERED(g.graph, unsigned(index), expected);
}

namespace {

/// One convolution on an image that lies channel-last.
ir::Graph singleConv(const Case& c, unsigned seed) {
    GraphMaker g(seed);
    const ir::Quantisation quantisation{{0.05}, {seed % 2 == 0 ? -128 : 11}, -1};
    const TensorId input = g.activation({1, c.image[1], c.image[2], c.image[0]}, quantisation);
    g.graph.inputs.push_back(input);
    const TensorId x = g.node(ir::OpKind::Transpose, {input}, {1, c.image[0], c.image[1], c.image[2]}, quantisation,
                              {{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}});
    g.output(c.isTransposed ? g.convTranspose(x, c.window) : g.conv(x, c.window));
    return g.graph;
}

/// The three steps of facts/numerics.md section 2, by loops over the definition of the operators.
class ThreeSteps {
public:
    ThreeSteps(const ir::Graph& graph, const Window& window, bool transposed)
        : m_graph(graph)
        , m_window(window)
        , m_transposed(transposed)
        , m_weights(graph[graph.nodes.back().inputs[1]])
        , m_x(graph[graph.nodes.back().inputs[0]])
        , m_y(graph[graph.nodes.back().outputs[0]])
        , m_constants(constants()) {}

    std::vector<int> outputs(const reference::Value& input) const {
        std::vector<int> result;
        for (std::int64_t o = 0; o < m_y.shape[1]; ++o)
            for (std::int64_t y = 0; y < m_y.shape[2]; ++y)
                for (std::int64_t x = 0; x < m_y.shape[3]; ++x)
                    result.push_back(finish(o, sumAt(o, y, x, &input)));
        return result;
    }

private:
    static std::int64_t rounded(std::int64_t value, int shift, std::int64_t limit) {
        const std::int64_t half = shift > 0 ? std::int64_t(1) << (shift - 1) : 0;
        return std::clamp((value + half) >> shift, -limit, limit - 1);
    }

    int finish(std::int64_t o, std::int64_t sum) const {
        const auto& c = m_constants;
        const std::int64_t factor = c.factors[c.factors.size() > 1 ? std::size_t(o) : 0];
        const std::int64_t x16 = rounded(sum, c.sa, 32768), y16 = rounded(factor * x16, c.s1, 32768);
        return int(rounded(c.scale * y16 + c.offsets[std::size_t(o)], c.s2, 128));
    }

    /// Sum of weight times input at one output; of the weights alone when there is no input.
    std::int64_t sumAt(std::int64_t o, std::int64_t y, std::int64_t x, const reference::Value* input) const {
        const std::int64_t channels = m_x.shape[1] / m_window.groups, outputs = m_y.shape[1] / m_window.groups;
        std::int64_t sum = 0;
        for (std::int64_t ky = 0; ky < m_window.kh; ++ky)
            for (std::int64_t kx = 0; kx < m_window.kw; ++kx) {
                const auto iy = inputAt(y, ky, 0, input), ix = inputAt(x, kx, 1, input);
                for (std::int64_t c = 0; iy && ix && c < channels; ++c) {
                    const std::int64_t channel = o / outputs * channels + c;
                    const std::int64_t row = m_transposed ? channel : o, column = m_transposed ? o % outputs : c;
                    const std::int64_t w = ((row * m_weights.shape[1] + column) * m_window.kh + ky) * m_window.kw + kx;
                    const int value =
                        input ? input->as<std::int8_t>()[(*iy * m_x.shape[3] + *ix) * m_x.shape[1] + channel] -
                                    m_x.quantisation->zeroPoints[0]
                              : 1;
                    sum += value * std::int8_t((*m_weights.data)[std::size_t(w)]);
                }
            }
        return sum;
    }

    /// The input element that a tap meets; without an input any element counts as inside.
    std::optional<std::int64_t> inputAt(std::int64_t output, std::int64_t tap, std::size_t axis,
                                        const reference::Value* input) const {
        const std::int64_t stride = m_window.strides[axis], reach = tap * m_window.dilations[axis];
        std::int64_t at = output * stride - m_window.pads[axis] + reach;
        if (m_transposed) {
            at = output + m_window.pads[axis] - reach;
            if (at % stride != 0)
                return std::nullopt;
            at /= stride;
        }
        if (input && (at < 0 || at >= m_x.shape[axis + 2]))
            return std::nullopt;
        return at;
    }

    lower::ConvRequant constants() const {
        std::vector<std::int64_t> sums;
        std::vector<float> bias;
        const ir::Tensor& b = m_graph[m_graph.nodes.back().inputs[2]];
        for (std::int64_t o = 0; o < m_y.shape[1]; ++o) {
            std::int64_t largest = 0; // of all phases of a ConvTranspose, as far as the output has them
            for (std::int64_t y = 0; y < (m_transposed ? std::min(m_window.strides[0], m_y.shape[2]) : 1); ++y)
                for (std::int64_t x = 0; x < (m_transposed ? std::min(m_window.strides[1], m_y.shape[3]) : 1); ++x)
                    largest = std::max(largest, std::abs(sumAt(o, y, x, nullptr)));
            sums.push_back(largest);
            std::int32_t integer = 0;
            std::memcpy(&integer, b.data->data() + 4 * o, 4);
            const auto& scales = b.quantisation->scales;
            bias.push_back(float(integer * scales[scales.size() > 1 ? std::size_t(o) : 0]));
        }
        return lower::convRequant(sums, m_x.quantisation->scales[0], m_weights.quantisation->scales,
                                  {m_y.quantisation->scales[0], m_y.quantisation->zeroPoints[0]}, bias);
    }

    const ir::Graph& m_graph;
    const Window& m_window;
    bool m_transposed;
    const ir::Tensor &m_weights, &m_x, &m_y;
    lower::ConvRequant m_constants;
};

/// How many values of the emulated network are not exactly what the three steps give; -1 when it does not run.
int wrongValues(const Case& c, unsigned seed) {
    const ir::Graph graph = singleConv(c, seed);
    const auto compiled = test::compileGraph(graph);
    if (!compiled || test::epochsOfKind(compiled->program, program::EpochKind::Software) > 0)
        return -1;
    const auto inputs = test::randomInputs(graph, seed);
    const auto results = emulate::run(compiled->program, inputs);
    if (!results)
        return -1;
    const auto expected = ThreeSteps(graph, c.window, c.isTransposed).outputs(inputs[0]);
    int wrong = expected.size() == results->front().bytes.size() ? 0 : int(expected.size());
    for (std::size_t i = 0; wrong == 0 && i < expected.size(); ++i)
        wrong += results->front().as<std::int8_t>()[i] != expected[i];
    return wrong;
}

} // namespace

void TestLowerConv::arithmetic_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < cases().size(); ++i)
        QTest::newRow(cases()[i].name) << int(i);
}

/// Every value exactly as the units' arithmetic makes it, however the convolution was cut.
void TestLowerConv::arithmetic() {
    QFETCH(int, index);
    QCOMPARE(wrongValues(cases()[std::size_t(index)], unsigned(index + 1)), 0);
}

void TestLowerConv::randomGeometries() {
    const unsigned seeds = std::max(120U, qEnvironmentVariable("POOLWRIGHT_CONV_SEEDS").toUInt());
    unsigned tried = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        GraphMaker g(seed);
        const auto pair = [&](std::int64_t low, std::int64_t high) {
            return std::vector<std::int64_t>{g.pick(int(low), int(high)), g.pick(int(low), int(high))};
        };
        Case c{"random", {}, {}, 1, g.pick(0, 1) == 1};
        Window& w = c.window;
        w.groups = g.oneOf({1, 1, 1, 2, 3, 5, 8});
        const bool depthwise = g.pick(0, 3) == 0;
        w.groups = depthwise ? g.pick(1, 40) : w.groups;
        const std::int64_t channels = w.groups * (depthwise ? 1 : g.pick(1, w.groups > 1 ? 9 : 60));
        w.outputs = w.groups * (depthwise ? g.pick(1, 2) : g.pick(1, w.groups > 1 ? 9 : 60));
        w.kh = g.oneOf({1, 1, 2, 3, 3, 4, 5, 7, 9});
        w.kw = g.oneOf({1, 1, 2, 3, 3, 4, 5, 7, 9, 13});
        w.strides = c.isTransposed ? pair(1, 4) : g.pick(0, 3) == 0 ? pair(1, 10) : pair(1, 2);
        w.dilations = g.pick(0, 1) == 0 ? pair(1, 4) : std::vector<std::int64_t>{1, 1};
        const auto before = pair(0, (w.kh + w.kw) / 4), after = pair(0, (w.kh + w.kw) / 4);
        w.pads = {before[0], before[1], after[0], after[1]};
        if (c.isTransposed)
            w.outputPadding = {g.pick(0, int(w.strides[0]) - 1), g.pick(0, int(w.strides[1]) - 1)};
        c.image = {channels, g.pick(1, 14), g.pick(1, 20)};
        bool isPossible = true;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const std::int64_t kernel = ((axis == 0 ? w.kh : w.kw) - 1) * w.dilations[axis] + 1;
            const std::int64_t size = c.image[axis + 1], pads = w.pads[axis] + w.pads[axis + 2];
            isPossible &= c.isTransposed ? (size - 1) * w.strides[axis] + kernel + w.outputPadding[axis] > pads
                                         : size + pads >= kernel;
        }
        if (!isPossible)
            continue;
        ++tried;
        const int wrong = wrongValues(c, seed);
        QVERIFY2(wrong == 0, qPrintable(QString("seed %1: %2 wrong\n%3")
                                            .arg(seed)
                                            .arg(wrong)
                                            .arg(QString::fromStdString(ir::toText(singleConv(c, seed))))));
    }
    QVERIFY(tried > seeds / 2);
}

/// Unsigned weights with a zero point: the sum of two kernels of 8 bits, still in one epoch.
void TestLowerConv::weightsOfNineBits() {
    const Window windows[] = {{12, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}, {20, 1, 1}, {16, 3, 3, 16, {2, 2}}};
    for (const Window& window : windows)
        for (int zero : {3, 128, 250}) {
            ir::Graph graph = singleConv({"nine bits", {16, 9, 9}, window}, 4);
            ir::Tensor& weights = graph[graph.nodes.back().inputs[1]];
            weights.type = ir::ElementType::UInt8;
            for (std::int32_t& point : weights.quantisation->zeroPoints)
                point = zero;
            // The output's scale is that of weights around 35; these are larger on average.
            graph[graph.nodes.back().outputs[0]].quantisation->scales[0] *= 4;
            test::Expectation expected{1, 0.9};
            expected.mostHardware = 2; // and the copy to the output's layout
            POOLWRIGHT_VERIFY_LOWERED(graph, 4, expected);
        }
}

namespace {

/// What the units of the last convolution of a graph are.
struct Units {
    int epochs = 0, convs = 0, chains = 0; ///< chains: of the first of its epochs

    bool operator==(const Units&) const = default;
};

Units unitsOf(const program::Program& program, const std::string& node) {
    Units units;
    for (const program::Epoch& epoch : program.epochs) {
        int convs = 0, chains = 0;
        for (const program::Unit& unit : epoch.hardware() ? epoch.hardware()->units : std::vector<program::Unit>()) {
            convs += unit.kind == target::UnitKind::ConvAcc;
            chains += unit.node.find("_off_bias") != std::string::npos;
        }
        if (convs == 0 || epoch.operators.front().name != node) // another node, or the copy to the output's layout
            continue;
        if (++units.epochs == 1)
            units = {1, convs, chains};
    }
    return units;
}

} // namespace

/// Options that split convolutions: CONV_ACCs, chains side by side and epochs, and the same results.
void TestLowerConv::options() {
    using Options = options::CompilerOptions;
    const auto set = [](auto member, auto value) {
        Options options;
        options.*member = value;
        return options;
    };
    struct Row {
        Options options;
        Window window;
        std::int64_t channels;
        Units expected;
    };
    const Window image{24, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}};
    const Window line{24, 1, 3, 1, {1, 1}, {1, 1}, {0, 1, 0, 1}};
    const Window point{24, 1, 1};
    const Row rows[] = {
        {Options{}, image, 16, {1, 4, 1}},
        {set(&Options::maxCaPipe, 2), image, 16, {1, 2, 1}},
        {set(&Options::maxCaPipe, 1), image, 16, {1, 1, 1}},
        {set(&Options::convSplitKw, true), image, 16, {1, 4, 2}},
        {set(&Options::convSplitStripe, true), image, 16, {1, 4, 1}},
        {set(&Options::convSplitStripe, true), line, 16, {1, 4, 2}},
        {set(&Options::convSplitStripeFull, true), image, 16, {1, 4, 2}},
        {Options{}, point, 9, {1, 1, 1}},
        {set(&Options::convSplitCw, true), point, 9, {1, 4, 1}},
    };
    for (const Row& row : rows) {
        GraphMaker g(3);
        const TensorId x = g.activation({1, 12, 12, row.channels}, {{0.05}, {5}, -1});
        g.graph.inputs.push_back(x);
        const TensorId y = g.node(ir::OpKind::Transpose, {x}, {1, row.channels, 12, 12}, {{0.05}, {5}, -1},
                                  {{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}});
        g.output(g.conv(y, row.window));
        auto compiled = test::compileGraph(g.graph, row.options);
        POOLWRIGHT_VERIFY_RESULT(compiled);
        const Units units = unitsOf(compiled->program, g.graph.nodes[1].name);
        const std::ptrdiff_t index = &row - rows;
        QVERIFY2(units == row.expected, qPrintable(QString("row %1: %2 epochs, %3 units, %4 chains")
                                                       .arg(index)
                                                       .arg(units.epochs)
                                                       .arg(units.convs)
                                                       .arg(units.chains)));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, 3, test::Expectation{1, 0.95}, row.options);
    }
}

QTEST_APPLESS_MAIN(TestLowerConv)
#include "tst_lower_conv.moc"
