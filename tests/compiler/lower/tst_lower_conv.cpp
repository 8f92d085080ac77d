// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "lower/conv_axis.h"
#include "lowered.h"

using namespace poolwright;
using test::GraphMaker;

/// Convolutions of all geometries as hardware epochs, against the interpreter.
class TestLowerConv : public QObject {
    Q_OBJECT

private slots:
    void axes();
    void geometries_data();
    void geometries();
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
