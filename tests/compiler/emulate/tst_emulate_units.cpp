// SPDX-License-Identifier: Apache-2.0
#include "rig.h"

#include "support/shared.h"

#include <QTest>

#include <cmath>

using namespace poolwright;
using namespace poolwright::program;
using namespace poolwright::test;

namespace {

/// x (and y) through one unit; words of `bits` in, bytes of `outBytes` out.
template <typename Config>
Result<std::vector<int>> runUnit(const Config& config, const std::vector<int>& x, int bits, int outWords, int outBytes,
                                 const std::vector<int>& y = {}) {
    Rig rig;
    const int in = rig.add(rig.raw(rig.constant(bytesOf(x, bits / 8)), std::int64_t(x.size()) * bits / 8, bits));
    const int second =
        y.empty() ? -1 : rig.add(rig.raw(rig.constant(bytesOf(y, bits / 8)), std::int64_t(y.size()) * bits / 8, bits));
    const BufferId result = rig.buffer(outWords * outBytes);
    const int unit = rig.add(config), out = rig.add(Rig::toMemory(rig.raw(result, outWords * outBytes, 8 * outBytes)));
    rig.link(in, unit);
    if (second >= 0)
        rig.link(second, unit, 1);
    rig.link(unit, out);
    return rig.run(result, outBytes);
}

ArithConfig affine() {
    ArithConfig arith;
    arith.inbytesX = arith.inbytesY = 1;
    arith.aScalar = 1;
    return arith;
}

} // namespace

class TestEmulateUnits : public QObject {
    Q_OBJECT
private slots:
    void roundingAndSaturation_data();
    void roundingAndSaturation();
    void coefficientIndex_data();
    void coefficientIndex();
    void negatedVector();
    void twoInputs();
    void operations_data();
    void operations();
    void globalAverage();
    void maximumOfPaddedWindows();
    void averageOfWindows();
    void thresholdRelu();
    void functionTables();
};

void TestEmulateUnits::roundingAndSaturation_data() {
    QTest::addColumn<bool>("rounding");
    QTest::addColumn<bool>("saturation");
    QTest::addColumn<QVector<int>>("expected");
    // 6, 5, -5, -6, 1000, -1000 shifted by 2 into one byte; 1.5, 1.25, -1.25, -1.5, 250, -250.
    QTest::newRow("cut, wrap") << false << false << QVector<int>{1, 1, -2, -2, -6, 6};
    QTest::newRow("round, wrap") << true << false << QVector<int>{2, 1, -1, -1, -6, 6};
    QTest::newRow("round, saturate") << true << true << QVector<int>{2, 1, -1, -1, 127, -128};
}

void TestEmulateUnits::roundingAndSaturation() {
    QFETCH(bool, rounding);
    QFETCH(bool, saturation);
    QFETCH(QVector<int>, expected);
    ArithConfig arith = affine();
    arith.inbytesX = 2;
    arith.shiftO = 2;
    arith.roundingO = rounding;
    arith.saturationO = saturation;
    arith.outbytesO = 1;
    const auto values = runUnit(arith, {6, 5, -5, -6, 1000, -1000}, 16, 6, 1);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(QVector<int>(values->begin(), values->end()), expected);
}

void TestEmulateUnits::coefficientIndex_data() {
    QTest::addColumn<int>("broadcast");
    QTest::addColumn<int>("count");
    QTest::newRow("channel") << int(ArithBroadcast::Channel) << 12;
    QTest::newRow("height") << int(ArithBroadcast::Height) << 2;
    QTest::newRow("width") << int(ArithBroadcast::Width) << 3;
    QTest::newRow("height and width") << int(ArithBroadcast::HeightWidth) << 6;
    QTest::newRow("scalar") << int(ArithBroadcast::Scalar) << 1;
}

/// 12 channels in batches of 4 over 2 x 3 pixels, the whole tensor twice: the formulas of facts 2.5.2 element by
/// element.
void TestEmulateUnits::coefficientIndex() {
    QFETCH(int, broadcast);
    QFETCH(int, count);
    const int h = 2, w = 3, c = 12, b = 4, elements = 2 * h * w * c;
    Rig rig;
    std::vector<int> vector;
    for (int i = 0; i < count; ++i)
        vector.push_back(100 + 7 * i);
    ArithConfig arith = affine();
    arith.scalar = false;
    arith.broadcast = ArithBroadcast(broadcast);
    arith.aScalar = 0;
    arith.cVector = rig.constant(bytesOf(vector, 4));
    arith.combinebc = true;
    arith.vecCount = count;
    arith.fHeight = h;
    arith.fWidth = w;
    arith.fChannels = c;
    arith.batchDepth = b;
    arith.outbytesO = 2;
    const BufferId result = rig.buffer(elements * 2);
    const int in = rig.add(
                  rig.raw(rig.constant(bytesOf(std::vector<int>(std::size_t(elements), 1))), elements / 6, 8, 6)),
              unit = rig.add(arith), out = rig.add(Rig::toMemory(rig.raw(result, elements * 2, 16)));
    rig.link(in, unit);
    rig.link(unit, out);
    const auto values = rig.run(result, 2);
    POOLWRIGHT_VERIFY_RESULT(values);
    for (int e = 0; e < elements; ++e) {
        int index = 0;
        switch (ArithBroadcast(broadcast)) {
        case ArithBroadcast::Channel:
            index = e % b + b * ((e / (w * h * b)) % (c / b));
            break;
        case ArithBroadcast::Height:
            index = (e / (w * b)) % h;
            break;
        case ArithBroadcast::Width:
            index = (e / b) % w;
            break;
        case ArithBroadcast::HeightWidth:
            index = (e / b) % (h * w);
            break;
        default:
            break;
        }
        QCOMPARE((*values)[std::size_t(e)], 100 + 7 * index);
    }
}

void TestEmulateUnits::negatedVector() {
    Rig rig;
    ArithConfig arith = affine();
    arith.scalar = false;
    arith.broadcast = ArithBroadcast::Channel;
    arith.cVector = rig.constant(bytesOf({5, -6}, 1));
    arith.vecBits[2] = 8;
    arith.vecCount = 2;
    arith.cScalar = -1;
    arith.cShift = 1;
    arith.fChannels = arith.batchDepth = 2;
    arith.outbytesO = 1;
    const BufferId result = rig.buffer(2);
    const int in = rig.add(rig.raw(rig.constant({1, 2}), 2)), unit = rig.add(arith),
              out = rig.add(Rig::toMemory(rig.raw(result, 2)));
    rig.link(in, unit);
    rig.link(unit, out);
    const auto values = rig.run(result);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, (std::vector<int>{1 - 10, 2 + 12}));
}

/// Addition (facts/numerics.md section 5) for sa/so = 0.75, sb/so = 0.3, za = 3, zb = -7, zo = -10.
void TestEmulateUnits::twoInputs() {
    ArithConfig arith = affine();
    arith.dualinput = true;
    arith.aScalar = 24576; // 0.75 * 2^15
    arith.bScalar = 19661; // 0.3 * 2^16
    arith.shiftO = 15;
    arith.byShift = 1;
    const double c = (-10 - 3 * 0.75 + 7 * 0.3) * 32768;
    arith.cShift = int(std::floor(std::log2(std::abs(c)))) - 14;
    arith.cScalar = std::int64_t(std::floor(c / std::exp2(arith.cShift) + 0.5));
    arith.roundingO = arith.saturationO = true;
    arith.outbytesO = 1;
    std::mt19937 random(17);
    const std::vector<int> x = randomValues(random, 500, -128, 127), y = randomValues(random, 500, -128, 127);
    const auto values = runUnit(arith, x, 8, 500, 1, y);
    POOLWRIGHT_VERIFY_RESULT(values);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double real = std::clamp((x[i] - 3) * 0.75 + (y[i] + 7) * 0.3 - 10, -128.0, 127.0);
        QVERIFY2(std::abs((*values)[i] - real) < 0.51, qPrintable(QString::number(real)));
    }
}

void TestEmulateUnits::operations_data() {
    QTest::addColumn<int>("operation");
    QTest::addColumn<bool>("dual");
    QTest::addColumn<QVector<int>>("expected"); // of x = -3, 0, 4, 4 and y = 2, 0, -5, 4 (or C = 2)
    const auto row = [](const char* name, ArithOperation operation, bool dual, QVector<int> expected) {
        QTest::newRow(name) << int(operation) << dual << expected;
    };
    row("mul", ArithOperation::Mul, true, {-6, 0, -20, 16});
    row("mul by A", ArithOperation::Mul, false, {-9, 0, 12, 12});
    row("min", ArithOperation::Min, true, {-3, 0, -5, 4});
    row("min with C", ArithOperation::Min, false, {-3, 0, 2, 2});
    row("max", ArithOperation::Max, true, {2, 0, 4, 4});
    row("and", ArithOperation::And, true, {1, 0, 1, 1});
    row("or", ArithOperation::Or, false, {1, 1, 1, 1});
    row("xor", ArithOperation::Xor, false, {0, 1, 0, 0});
    row("not", ArithOperation::Not, false, {0, 1, 0, 0});
    row("eq", ArithOperation::Eq, true, {0, 1, 0, 1});
    row("lt", ArithOperation::Lt, true, {1, 0, 0, 0});
    row("le", ArithOperation::Le, true, {1, 1, 0, 1});
    row("gt", ArithOperation::Gt, true, {0, 0, 1, 0});
    row("ge", ArithOperation::Ge, true, {0, 1, 1, 1});
    row("abs", ArithOperation::Abs, false, {3, 0, 4, 4});
    row("sign", ArithOperation::Sign, false, {-1, 0, 1, 1});
    row("clip", ArithOperation::Clip, false, {-2, 0, 3, 3});
}

void TestEmulateUnits::operations() {
    QFETCH(int, operation);
    QFETCH(bool, dual);
    QFETCH(QVector<int>, expected);
    ArithConfig arith = affine();
    arith.operation = ArithOperation(operation);
    arith.dualinput = dual;
    arith.aScalar = 3;
    arith.cScalar = 2;
    arith.clipmin = -2;
    arith.clipmax = 3;
    arith.outbytesO = 2;
    const auto values =
        runUnit(arith, {-3, 0, 4, 4}, 8, 4, 2, dual ? std::vector<int>{2, 0, -5, 4} : std::vector<int>{});
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(QVector<int>(values->begin(), values->end()), expected);
}

/// YAMNet's AveragePool_97 (facts/numerics.md section 4, S1): 2 x 3 elements, mulval 21845, shift 9; then A 19737, sh
/// 14, BC 6*65536+36000.
void TestEmulateUnits::globalAverage() {
    const int channels = 8;
    std::mt19937 random(19);
    const std::vector<int> x = randomValues(random, 2 * 3 * channels, -128, 127);
    Rig rig;
    PoolConfig pool;
    pool.operation = PoolOperation::GlobalAvg;
    pool.inputX = 3;
    pool.inputY = 2;
    pool.outputX = 4;
    pool.outputY = 3;
    pool.bottomCrop = 1;
    pool.rightCrop = 2;
    pool.batchSize = channels;
    pool.mulval = 21845;
    pool.shiftO = 9;
    pool.outbytesO = 2;
    pool.roundingO = pool.saturationO = true;
    ArithConfig requantise = affine();
    requantise.inbytesX = 2;
    requantise.aScalar = 19737;
    requantise.axShift = 8;
    requantise.combinebc = true;
    requantise.cScalar = 6 * 65536 + 36000;
    requantise.shiftO = 14;
    requantise.roundingO = requantise.saturationO = true;
    requantise.outbytesO = 1;
    const BufferId result = rig.buffer(channels);
    const int in = rig.add(rig.raster(rig.constant(bytesOf(x)), 2, 3, channels)), unit = rig.add(pool),
              arith = rig.add(requantise), out = rig.add(Rig::toMemory(rig.raw(result, channels)));
    rig.link(in, unit);
    rig.link(unit, arith);
    rig.link(arith, out);
    const auto values = rig.run(result);
    POOLWRIGHT_VERIFY_RESULT(values);
    for (int c = 0; c < channels; ++c) {
        double sum = 0;
        for (int p = 0; p < 6; ++p)
            sum += x[std::size_t(p * channels + c)];
        const double real = sum / 6 * 19737 / 16384 + (6 * 65536 + 36000) / 16384.0;
        QVERIFY(std::abs((*values)[std::size_t(c)] - std::clamp(real, -128.0, 127.0)) < 0.52);
        const int mean = int(std::floor(sum * 21845 / 512 + 0.5));
        const double exact = std::floor((std::floor(19737.0 * mean / 256) + 6 * 65536 + 36000) / 16384 + 0.5);
        QCOMPARE((*values)[std::size_t(c)], int(std::clamp(exact, -128.0, 127.0)));
    }
}

void TestEmulateUnits::maximumOfPaddedWindows() {
    PoolConfig pool;
    pool.inputX = 3;
    pool.inputY = 3;
    pool.bottomCrop = pool.rightCrop = 2;
    pool.outputX = pool.outputY = 2;
    pool.windowX = pool.windowY = 3;
    pool.strideX = pool.strideY = 2;
    pool.leftPad = pool.rightPad = pool.topPad = pool.bottomPad = 1;
    pool.batchSize = 2;
    // Second channel: all below zero, so that padding with zero would show.
    const std::vector<int> x{1, -9, 2, -8, 3, -7, 4, -6, 5, -5, 6, -4, 7, -3, 8, -2, 9, -1};
    const auto values = runUnit(pool, x, 8, 8, 1);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, (std::vector<int>{5, -5, 6, -4, 8, -2, 9, -1}));

    pool.operation = PoolOperation::Min;
    const auto smallest = runUnit(pool, x, 8, 8, 1);
    POOLWRIGHT_VERIFY_RESULT(smallest);
    QCOMPARE(*smallest, (std::vector<int>{1, -9, 2, -8, 4, -6, 5, -5}));
}

/// 2 x 2 of stride 2: n = 4, e = 16, mulval = 16384, shift e - 8 leaves 8 fractional bits.
void TestEmulateUnits::averageOfWindows() {
    PoolConfig pool;
    pool.operation = PoolOperation::Avg;
    pool.inputX = 4;
    pool.inputY = 2;
    pool.outputX = 2;
    pool.outputY = 1;
    pool.windowX = pool.windowY = 2;
    pool.strideX = pool.strideY = 2;
    pool.mulval = 16384;
    pool.shiftO = 8;
    pool.outbytesO = 2;
    pool.roundingO = pool.saturationO = true;
    const auto values = runUnit(pool, {1, 2, -3, -4, 3, 5, -5, -100}, 8, 2, 2);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, (std::vector<int>{11 * 64, -112 * 64}));
}

/// Both parameters 65408, that is -128: a Relu at zero point -128 changes nothing; at 10 and 5 it does.
void TestEmulateUnits::thresholdRelu() {
    ActivConfig activ;
    activ.operation = ActivOperation::TRelu;
    activ.parameter = activ.parameter2 = 65408;
    const std::vector<int> x{-128, -1, 0, 10, 11, 127};
    const auto same = runUnit(activ, x, 8, 6, 1);
    POOLWRIGHT_VERIFY_RESULT(same);
    QCOMPARE(*same, x);
    activ.parameter = 10;
    activ.parameter2 = 5;
    const auto values = runUnit(activ, x, 8, 6, 1);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, (std::vector<int>{5, 5, 5, 5, 11, 127}));
}

/// Four outer segments (bwidth 2): a constant, two halves that are lines, a parabola, a line in four parts; checked by
/// the polynomial of the segment that contains x (facts 2.6).
void TestEmulateUnits::functionTables() {
    ActivConfig activ;
    activ.bwidth = 2;
    activ.rom0 = {0, 1 | 1 << 6, 3, 4 | 2 << 6};
    activ.rom1 = {0, 0, -100, 0, 2, 0, 0, -3, 5, 1, 0, 0, 0, 1, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4};
    activ.shiftB = 4;
    activ.shiftC = 3;
    activ.shiftO = 5;
    std::vector<int> x(256);
    std::iota(x.begin(), x.end(), -128);
    const auto values = runUnit(activ, x, 8, 256, 1);
    POOLWRIGHT_VERIFY_RESULT(values);
    for (int v : x) {
        double real = 0;
        if (v < -64)
            real = -100 * 8;
        else if (v < -32)
            real = 2 * 16 * v;
        else if (v < 0)
            real = -3 * 16 * v + 5 * 8;
        else if (v < 64)
            real = v * v;
        else
            real = 16 * v + 8 * ((v - 64) / 16 + 1);
        const int expected = int(std::clamp(std::floor(real / 32 + 0.5), -128.0, 127.0));
        QCOMPARE((*values)[std::size_t(v + 128)], expected);
    }
}

QTEST_APPLESS_MAIN(TestEmulateUnits)
#include "tst_emulate_units.moc"
