// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/pipeline.h"
#include "lower/conv_saturation.h"
#include "lower/conv_weights.h"

#include <QObject>

using namespace poolwright;

/// Sums behind CONV_ACC that leave 16 bits: what is foretold, and that nothing else makes differences of many steps.
class TestLowerSaturation : public QObject {
    Q_OBJECT

private slots:
    void reach();
    void differencesOfManySteps_data();
    void differencesOfManySteps();
};

/// By hand: weights 100, -100 (sum 0) and inputs of -128..127: the sum is at most 100 * (127 + 128) = 25500 either way.
void TestLowerSaturation::reach() {
    const std::vector<lower::TapSums> sums{{{100, 1000}, {-100, 0}}};
    program::TensorView input;
    input.type = ir::ElementType::Int8;
    input.quantisation = ir::Quantisation{{0.1}, {0}, -1};
    const auto fits = lower::saturationOf("c", sums, input, 2);
    QCOMPARE(fits.channels, 0);
    const auto exceeds = lower::saturationOf("c", sums, input, 1); // 1000 * 128 / 2 = 64000 exceeds 32767
    QCOMPARE(exceeds.channels, 1);
    QVERIFY(std::abs(exceeds.reach - 128000 / 2 / 32768.5) < 1e-9);
    std::vector<lower::Saturation> found;
    lower::noteSaturation(fits, found);
    QVERIFY(found.empty());
    lower::noteSaturation(exceeds, found);
    Diagnostics notes;
    lower::report(found, notes);
    QCOMPARE(notes.size(), std::size_t(1));
    QVERIFY(notes[0].severity == Severity::Note && notes[0].message.find("1 channels of 1") == 0);
}

namespace {

enum class Sums { Wide, Exact };

/// The same program with sums of 24 bits in place of 16 between CONV_ACC and the first ARITH. Exact: unshifted too.
program::Program withSums(program::Program program, Sums sums) {
    for (program::Epoch& epoch : program.epochs) {
        auto* work = std::get_if<program::HardwareWork>(&epoch.work);
        if (!work)
            continue;
        int sa = 0;
        for (program::Unit& unit : work->units) {
            auto* conv = std::get_if<program::ConvConfig>(&unit.config);
            auto* arith = std::get_if<program::ArithConfig>(&unit.config);
            if (!conv && (!arith || unit.node.find("_shift") == std::string::npos))
                continue;
            int& bytes = conv ? conv->outbytesO : arith->outbytesO;
            int& shift = conv ? conv->shiftO : arith->shiftO;
            bytes = 3;
            sa = std::max(sa, shift);
            if (sums == Sums::Exact)
                shift = 0;
        }
        for (program::Unit& unit : work->units)
            if (auto* arith = std::get_if<program::ArithConfig>(&unit.config);
                arith && unit.node.find("_mul_scale") != std::string::npos) {
                arith->inbytesX = 3;
                arith->shiftO += sums == Sums::Exact ? sa : 0;
            }
    }
    return program;
}

/// Largest difference of all tensors, and the share of equal values of one.
struct Match {
    double largest = 0, share = 1;
};

Match matchOf(const program::Program& program, const ir::Graph& graph, const std::string& tensor) {
    Match match;
    const auto comparison = emulate::compare(program, graph, test::randomInputs(graph, 1), emulate::Feeding::Isolated);
    if (!comparison)
        return {1000, 0};
    for (const emulate::Agreement& a : comparison->tensors) {
        match.largest = std::max(match.largest, a.largest);
        if (a.tensor == tensor)
            match.share = double(a.equal) / double(a.values);
    }
    return match;
}

} // namespace

void TestLowerSaturation::differencesOfManySteps_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<double>("wide");
    QTest::newRow("mobilenet") << "mobilenet_v2_224_int8"
                               << "hardtanh_33" << 1.0;
    QTest::newRow("yamnet") << "yamnet_1024_64x96_tl_qdq_int8"
                            << "model_1/model/layer13/pointwise_conv/relu/Relu:0" << 2.0;
    QTest::newRow("deeplab") << "deeplab_v3_mobilenetv2_05_16_320_fft_qdq_int8"
                             << "model/activation_8/Relu:0" << 1.0;
}

/// Differences of more than one step vanish when the sums of the units neither saturate (MobileNet) nor are rounded to
/// steps of 2^sa, which are 5.6 steps of the output for some channels of YAMNet; so do nearly all of those of one.
void TestLowerSaturation::differencesOfManySteps() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QString, model);
    QFETCH(QString, tensor);
    QFETCH(double, wide);
    auto graph = test::graphOf(test::sharedFolder() / "models/qdq" / (model.toStdString() + ".onnx"));
    POOLWRIGHT_VERIFY_RESULT(graph);
    auto compiled = test::compileGraph(std::move(*graph));
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const auto match = [&](const program::Program& program) {
        return matchOf(program, compiled->graph, tensor.toStdString());
    };
    const Match units = match(compiled->program);
    const Match unsaturated = match(withSums(compiled->program, Sums::Wide));
    const Match exact = match(withSums(compiled->program, Sums::Exact));
    qInfo("largest difference %g, with 24 bits %g, unshifted %g; equal in %s: %.3f, %.3f, %.3f", units.largest,
          unsaturated.largest, exact.largest, qPrintable(tensor), units.share, unsaturated.share, exact.share);
    QVERIFY(unsaturated.largest <= wide);
    QVERIFY(exact.largest <= 1);
    QVERIFY(units.share < 0.97 && exact.share > 0.985);
}

QTEST_APPLESS_MAIN(TestLowerSaturation)
#include "tst_lower_saturation.moc"
