// SPDX-License-Identifier: Apache-2.0
#include "lower/requant.h"
#include "support/shared.h"

#include <QProcess>

#include <algorithm>
#include <cmath>

using namespace poolwright;

namespace {

template <typename T> std::vector<T> listOf(const QString& text) {
    std::vector<T> values;
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts))
        values.push_back(T(word.toDouble()));
    return values;
}

std::int64_t shiftRight(std::int64_t value, int shift) {
    return shift == 0 ? value : (value + (std::int64_t(1) << (shift - 1))) >> shift;
}

std::int64_t clamp(std::int64_t value, int bits) {
    const std::int64_t limit = std::int64_t(1) << (bits - 1);
    return std::clamp(value, -limit, limit - 1);
}

/// The ARITH arithmetic of facts/numerics.md section 1.
int dual(const lower::DualRequant& k, std::int64_t x, std::int64_t y, int bits) {
    const std::int64_t sum = (k.a * x >> k.axShift) + (k.b * y >> k.byShift) + k.c * (std::int64_t(1) << k.cShift);
    return int(clamp(shiftRight(sum, k.shiftO), bits));
}

double clampByte(double value) {
    return std::clamp(value, -128.0, 127.0);
}

} // namespace

class TestRequant : public QObject {
    Q_OBJECT

private slots:
    void everyConvolution();
    void globalAverage();
    void fullyConnected();
    void sum_data();
    void sum();
    void product_data();
    void product();
    void identityOfBytes();
};

/// Against another implementation, in another language, on every convolution of the OE models.
void TestRequant::everyConvolution() {
    POOLWRIGHT_NEEDS_SHARED();
    QProcess python;
    const QString shared = QString::fromStdString(test::sharedFolder().string());
    python.start("/usr/bin/python3", {QStringLiteral(POOLWRIGHT_SOURCE_DIR "/tests/compiler/lower/requant_values.py"),
                                      shared + "/tools", shared + "/models/oe"});
    if (!python.waitForStarted() || !python.waitForFinished(300000) || python.exitCode() != 0)
        QSKIP("python3 with onnx and numpy is absent");
    int convolutions = 0;
    for (const QString& line : QString::fromUtf8(python.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts)) {
        const QStringList field = line.split('\t');
        QCOMPARE(field.size(), 13);
        const auto made =
            lower::convRequant(listOf<std::int64_t>(field[1]), field[2].toDouble(), listOf<double>(field[3]),
                               {field[4].toDouble(), field[5].toInt()}, listOf<float>(field[6]));
        const bool equal = made.sa == field[7].toInt() && made.s1 == field[8].toInt() &&
                           made.scale == field[9].toInt() && made.s2 == field[10].toInt() &&
                           made.factors == listOf<std::int32_t>(field[11]) &&
                           made.offsets == listOf<std::int32_t>(field[12]);
        QVERIFY2(equal, qPrintable(field[0]));
        ++convolutions;
    }
    QVERIFY(convolutions > 100);
}

/// S1 AveragePool_97 (facts/numerics.md section 4): n = 6 gives mulval 21845, shift 9.
void TestRequant::globalAverage() {
    const auto average = lower::averageConstants(6);
    QCOMPARE(average.mulval, 21845);
    QCOMPARE(average.shift, 9);
    const auto square = lower::averageConstants(1024);
    QCOMPARE(square.mulval, 16384);
    QCOMPARE(square.shift, 16);
}

/// The meaning of y16, by hand: so = 1/64 gives q = 12, As = 2^14, s2 = 20; one weight of 1 gives sa = 0; the factor
/// si*sw * 2^(s1+q) lies in [2^14, 2^15).
void TestRequant::fullyConnected() {
    const auto made = lower::convRequant({1}, 0.5, {0.25}, {1.0 / 64, -3}, {0.0F});
    QCOMPARE(made.sa, 0);
    QCOMPARE(made.scale, 16384);
    QCOMPARE(made.s2, 20);
    QCOMPARE(made.s1, 5);
    QCOMPARE(made.factors, std::vector<std::int32_t>{16384});
    QCOMPARE(made.offsets, std::vector<std::int32_t>{-3 * (1 << 20)});
}

void TestRequant::sum_data() {
    QTest::addColumn<double>("sx");
    QTest::addColumn<int>("zx");
    QTest::addColumn<double>("sy");
    QTest::addColumn<int>("zy");
    QTest::addColumn<double>("so");
    QTest::addColumn<int>("zo");
    QTest::newRow("equal") << 0.03125 << -128 << 0.03125 << -128 << 0.0625 << -128;
    QTest::newRow("skewed") << 0.0391 << 13 << 0.0007 << -77 << 0.0312 << -101;
    QTest::newRow("large zero points") << 0.9 << 127 << 1.1 << -128 << 0.5 << 127;
}

/// All pairs of bytes against real arithmetic: never off by more than one, and rarely at all.
void TestRequant::sum() {
    QFETCH(double, sx);
    QFETCH(int, zx);
    QFETCH(double, sy);
    QFETCH(int, zy);
    QFETCH(double, so);
    QFETCH(int, zo);
    for (bool subtract : {false, true}) {
        const auto k = lower::addRequant({sx, zx}, {sy, zy}, {so, zo}, subtract);
        int unequal = 0;
        for (int x = -128; x < 128; ++x)
            for (int y = -128; y < 128; ++y) {
                const double real = (x - zx) * sx + (subtract ? -1 : 1) * (y - zy) * sy;
                const double exact = clampByte(real / so + zo);
                const int got = dual(k, x, y, 8);
                QVERIFY(std::abs(got - exact) <= 0.52);
                unequal += got != int(std::floor(exact + 0.5)); // units round halves up
            }
        QVERIFY(unequal < 65536 / 50);
    }
}

void TestRequant::product_data() {
    QTest::addColumn<double>("sx");
    QTest::addColumn<int>("zx");
    QTest::addColumn<double>("sy");
    QTest::addColumn<int>("zy");
    QTest::addColumn<double>("so");
    QTest::addColumn<int>("zo");
    QTest::newRow("symmetric") << 0.02 << 0 << 0.03 << 0 << 0.08 << 0;
    QTest::newRow("gate") << 0.0391 << -121 << 0.00390625 << -128 << 0.0371 << -120;
    QTest::newRow("large zero points") << 0.9 << 127 << 1.1 << -128 << 95.0 << 127;
}

void TestRequant::product() {
    QFETCH(double, sx);
    QFETCH(int, zx);
    QFETCH(double, sy);
    QFETCH(int, zy);
    QFETCH(double, so);
    QFETCH(int, zo);
    const auto k = lower::mulRequant({sx, zx}, {sy, zy}, {so, zo});
    int unequal = 0;
    for (int x = -128; x < 128; ++x)
        for (int y = -128; y < 128; ++y) {
            const double exact = clampByte((x - zx) * sx * (y - zy) * sy / so + zo);
            std::int64_t p = clamp(x * y, 16);
            if (!k.skipFirst)
                p = dual(k.first, p, x, 16);
            QCOMPARE(p, std::int64_t(x * (y - zy)));
            const int got = dual(k.second, p, y, 8);
            QVERIFY2(std::abs(got - exact) <= 0.75,
                     qPrintable(QString("%1 * %2: %3, exactly %4").arg(x).arg(y).arg(got).arg(exact)));
            unequal += got != int(std::nearbyint(exact));
        }
    QVERIFY(unequal < 65536 / 20);
}

/// int8 <-> uint8 with equal scale: A 16384, shift 14, BC = 128 * 16384 (facts/numerics.md section 6).
void TestRequant::identityOfBytes() {
    const auto k = lower::requantise({0.7, -128}, {0.7, 0});
    QCOMPARE(k.factor, 16384);
    QCOMPARE(k.shift, 14);
    QCOMPARE(k.offset, std::int64_t(128 * 16384));
}

QTEST_APPLESS_MAIN(TestRequant)
#include "tst_requant.moc"
