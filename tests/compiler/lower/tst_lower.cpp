// SPDX-License-Identifier: Apache-2.0
#include "lower/activation.h"
#include "lower/conv_plan.h"
#include "lower/streams.h"
#include "support/shared.h"

#include <cmath>
#include <functional>
#include <set>

using namespace poolwright;

/// Parts of the room by themselves, against brute force.
class TestLower : public QObject {
    Q_OBJECT

private slots:
    void functions_data();
    void functions();
    void reshapes();
    void engines();
    void convolutionTiles();
};

void TestLower::functions_data() {
    QTest::addColumn<int>("curve");
    QTest::addColumn<double>("inputScale");
    QTest::addColumn<int>("inputZero");
    QTest::addColumn<double>("outputScale");
    QTest::addColumn<int>("outputZero");
    for (int curve = 0; curve < 3; ++curve)
        for (double scale : {0.02, 0.05, 0.1, 0.36})
            for (int zero : {-128, 0, 24}) {
                const char* names[] = {"sigmoid", "tanh", "hardswish"};
                const double out[] = {1.0 / 256, 1.0 / 128, scale};
                const int outZero[] = {-128, 0, -100};
                QTest::newRow(qPrintable(QString("%1 %2 %3").arg(names[curve]).arg(scale).arg(zero)))
                    << curve << scale << zero << out[curve] << outZero[curve];
            }
}

/// All 256 inputs through the unit's arithmetic against the curve itself.
void TestLower::functions() {
    QFETCH(int, curve);
    QFETCH(double, inputScale);
    QFETCH(int, inputZero);
    QFETCH(double, outputScale);
    QFETCH(int, outputZero);
    const std::function<double(double)> curves[] = {
        [](double x) { return 1 / (1 + std::exp(-x)); }, [](double x) { return std::tanh(x); },
        [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }};
    lower::ByteTable table{};
    std::vector<double> exact;
    for (int x = -128; x < 128; ++x) {
        exact.push_back(
            std::min(std::max(curves[curve]((x - inputZero) * inputScale) / outputScale + outputZero, -128.0), 127.0));
        table[std::size_t(x + 128)] = std::int8_t(std::nearbyint(exact.back()));
    }
    const auto fit = lower::fitFunction(table);
    QVERIFY(fit.has_value());
    QVERIFY(fit->config.rom0.size() == 32 && fit->config.rom1.size() <= 3 * 64);
    for (int x = -128; x < 128; ++x)
        QVERIFY(std::abs(lower::evaluateFunction(fit->config, x) - exact[std::size_t(x + 128)]) <= 1.0);
}

void TestLower::reshapes() {
    program::TensorView image;
    image.type = ir::ElementType::Int8;
    image.shape = {1, 6, 4, 5};
    image.strides = lower::channelLastStrides(image.shape, 1);
    QCOMPARE(image.strides, (lower::Strides{120, 1, 30, 6}));
    QVERIFY(!lower::reshaped(image, {1, 120})); // channels would have to come first
    QVERIFY(!lower::isRowMajor(image));
    const auto rows = lower::transposed(image, {0, 2, 3, 1});
    QVERIFY(lower::isRowMajor(rows));
    const auto flat = lower::reshaped(rows, {1, 20, 6});
    QVERIFY(flat && flat->strides == (lower::Strides{120, 6, 1}));
    const auto halves = lower::reshaped(image, {1, 2, 3, 20}); // channels split, pixels joined
    QVERIFY(halves && halves->strides[1] == 3 && halves->strides[2] == 1 && halves->strides[3] == 6);
}

namespace {

/// Byte offsets that an engine visits, in order (facts/neural-art-target.md section 2.1).
std::vector<std::int64_t> walk(const program::StreamEngineConfig& e) {
    std::vector<std::int64_t> offsets;
    if (e.raw) {
        for (std::int64_t at = e.offsetStart; at < e.offsetEnd; ++at)
            offsets.push_back(at);
        return offsets;
    }
    for (std::int64_t f = 0; f < e.frameTotal; ++f) {
        const std::int64_t frame = e.frameLoopCount > 0
                                       ? f / e.frameLoopCount * e.loopOffset + f % e.frameLoopCount * e.frameOffset
                                       : f * e.frameOffset;
        for (std::int64_t y = 0; y < e.fheight; ++y)
            for (std::int64_t x = 0; x < e.fwidth; ++x)
                for (std::int64_t c = 0; c < e.batchDepth; ++c)
                    offsets.push_back(e.offsetStart + frame + y * e.lineOffset + x * e.batchOffset + c);
    }
    return offsets;
}

} // namespace

/// Two layouts of one tensor: the engines meet each element once, at the same time.
void TestLower::engines() {
    const ir::Shape shape{2, 3, 4, 5};
    const std::vector<std::vector<std::int64_t>> orders{{0, 1, 2, 3}, {0, 2, 3, 1}, {1, 0, 3, 2}, {3, 2, 1, 0}};
    for (const auto& first : orders)
        for (const auto& second : orders) {
            program::TensorView views[2];
            for (int i = 0; i < 2; ++i) {
                const auto& order = i == 0 ? first : second;
                views[i].shape = shape;
                views[i].strides.assign(4, 0);
                std::int64_t stride = 1;
                for (std::size_t k = 4; k-- > 0; stride *= shape[std::size_t(order[k])])
                    views[i].strides[std::size_t(order[k])] = stride;
            }
            const auto nest = lower::nestOf(shape, {views[0].strides, views[1].strides}, 1, 1);
            QVERIFY(lower::fitsEngine(nest));
            const auto from = walk(lower::engineOf(nest, 0, views[0], program::Direction::FromMemory));
            const auto to = walk(lower::engineOf(nest, 1, views[1], program::Direction::ToMemory));
            QCOMPARE(from.size(), std::size_t(120));
            QCOMPARE(to.size(), from.size());
            std::set<std::pair<std::int64_t, std::int64_t>> met, wanted;
            for (std::size_t i = 0; i < from.size(); ++i)
                met.insert({from[i], to[i]});
            for (std::int64_t n = 0; n < 2; ++n)
                for (std::int64_t c = 0; c < 3; ++c)
                    for (std::int64_t h = 0; h < 4; ++h)
                        for (std::int64_t w = 0; w < 5; ++w) {
                            const auto at = [&](const lower::Strides& s) {
                                return n * s[0] + c * s[1] + h * s[2] + w * s[3];
                            };
                            wanted.insert({at(views[0].strides), at(views[1].strides)});
                        }
            QVERIFY(met == wanted);
        }
}

/// The vendor's tiles for the common cases (facts/neural-art-target.md section 2.3.6), and what the limits forbid.
void TestLower::convolutionTiles() {
    const target::Limits limits;
    std::string refusal;
    lower::ConvGeometry g;
    g.channels = g.outputs = 64;
    g.height = g.width = g.outHeight = g.outWidth = 32;
    g.kernelHeight = g.kernelWidth = 3;
    g.padTop = g.padLeft = 1;
    const auto narrow = lower::planConv(g, false, limits, {}, refusal);
    QVERIFY(refusal.empty());
    QCOMPARE(narrow.rasters.size(), std::size_t(1));
    QCOMPARE(narrow.rasters[0].parts.size(), std::size_t(1));
    const lower::ConvPart& dense = narrow.rasters[0].parts[0];
    QCOMPARE(dense.nKernels * dense.batch, std::int64_t(64));
    QCOMPARE(dense.pipes, std::int64_t(4));
    const auto wide = lower::planConv(g, true, limits, {}, refusal);
    QCOMPARE(wide.rasters[0].parts[0].nKernels * wide.rasters[0].parts[0].batch, std::int64_t(32));
    g.groups = 64;
    const auto depthwise = lower::planConv(g, false, limits, {}, refusal);
    QCOMPARE(depthwise.rasters[0].parts[0].inflation, std::int64_t(8));
    QCOMPARE(depthwise.rasters[0].parts[0].bundles, std::int64_t(8));
    g.groups = 1;
    g.width = g.outWidth = 4000; // one channel alone exceeds the line memory
    const auto line = lower::planConv(g, false, limits, {}, refusal);
    QVERIFY(refusal.empty() && (line.rasters.size() > 1 || line.rasters[0].sliceHeight == 1));
}

QTEST_APPLESS_MAIN(TestLower)
#include "tst_lower.moc"
