// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

using Integers = std::vector<std::int64_t>;

class TestConv : public QObject {
    Q_OBJECT
private slots:
    void byHand();
    void paddingContributesNothing();
    void tiesGoToEven();
    void biasAsIntegersOrFloats();
    void bruteForce_data();
    void bruteForce();
    void floatWeights();
    void longSumsAreExact();
    void gemm();
    void refusals_data();
    void refusals();
};

/// x 1..9 less zero point 1 = 0..8; weights [[1, 0], [0, -1]] of scale 0.5; out scale 1: (x[i] - x[i+4]) * 0.5 = -2.
void TestConv::byHand() {
    const Value x = tensor<std::int8_t>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, perTensor(1.0, 1));
    const Value w = tensor<std::int8_t>({1, 1, 2, 2}, {1, 0, 0, -1}, perTensor(0.5));
    const auto y =
        evaluate(ir::OpKind::Conv, {}, {&x, &w}, {{ir::ElementType::Int8, {1, 1, 2, 2}, perTensor(1.0, 10)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (std::vector<std::int8_t>{8, 8, 8, 8}));
}

/// All ones over a 3x3 window of twos with zero point 1 counts the covered elements: 4, 6, 4, 6, 9, ...
void TestConv::paddingContributesNothing() {
    const Value x = tensor<std::uint8_t>({1, 1, 3, 3}, std::vector<std::uint8_t>(9, 2), perTensor(1.0, 1));
    const Value w = tensor<std::int8_t>({1, 1, 3, 3}, std::vector<std::int8_t>(9, 1), perTensor(1.0));
    const auto y = evaluate(ir::OpKind::Conv, {{"pads", Integers{1, 1, 1, 1}}}, {&x, &w},
                            {{ir::ElementType::Int8, {1, 1, 3, 3}, perTensor(1.0)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (std::vector<std::int8_t>{4, 6, 4, 6, 9, 6, 4, 6, 4}));
}

/// Halves round to the even integer before the zero point is added; then saturation.
void TestConv::tiesGoToEven() {
    const Value x = tensor<std::int8_t>({1, 1, 1, 8}, {-5, -3, -1, 1, 3, 5, 127, -128}, perTensor(1.0));
    const Value w = tensor<std::int8_t>({1, 1, 1, 1}, {1}, perTensor(0.5));
    const auto y = evaluate(ir::OpKind::Conv, {}, {&x, &w}, {{ir::ElementType::Int8, {1, 1, 1, 8}, perTensor(1.0, 1)}});
    POOLWRIGHT_VERIFY_RESULT(y); // -2.5 -1.5 -0.5 0.5 1.5 2.5 63.5 -64
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (std::vector<std::int8_t>{-1, -1, 1, 1, 3, 3, 65, -63}));
    const auto z =
        evaluate(ir::OpKind::Conv, {}, {&x, &w}, {{ir::ElementType::Int8, {1, 1, 1, 8}, perTensor(0.25, 100)}});
    POOLWRIGHT_VERIFY_RESULT(z);
    QCOMPARE(elementsOf<std::int8_t>(z->front()), (std::vector<std::int8_t>{90, 94, 98, 102, 106, 110, 127, -128}));
}

void TestConv::biasAsIntegersOrFloats() {
    const Value x = tensor<std::int8_t>({1, 1, 1}, {10}, perTensor(0.5));
    const Value w = tensor<std::int8_t>({2, 1, 1}, {2, 3}, ir::Quantisation{{0.25, 1.0}, {0, 0}, 0});
    const Value integers = tensor<std::int32_t>({2}, {8, -4}, ir::Quantisation{{0.125, 0.5}, {0, 0}, 0});
    const Value floats = tensor<float>({2}, {1.0f, -2.0f});
    for (const Value* bias : {&integers, &floats}) { // 10*2*0.125 + 1 = 3.5; 10*3*0.5 - 2 = 13
        const auto y =
            evaluate(ir::OpKind::Conv, {}, {&x, &w, bias}, {{ir::ElementType::Int8, {1, 2, 1}, perTensor(0.5)}});
        POOLWRIGHT_VERIFY_RESULT(y);
        QCOMPARE(elementsOf<std::int8_t>(y->front()), (std::vector<std::int8_t>{7, 26}));
        const auto f = evaluate(ir::OpKind::Conv, {}, {&x, &w, bias}, {{ir::ElementType::Float32, {1, 2, 1}, {}}});
        POOLWRIGHT_VERIFY_RESULT(f);
        QCOMPARE(elementsOf<float>(f->front()), (std::vector<float>{3.5f, 13.0f}));
    }
}

namespace {

struct Problem {
    std::int64_t n, c, h, w, o, groups, kh, kw, sh, sw, dh, dw, top, left, bottom, right;

    std::int64_t outHeight() const { return (h + top + bottom - dh * (kh - 1) - 1) / sh + 1; }
    std::int64_t outWidth() const { return (w + left + right - dw * (kw - 1) - 1) / sw + 1; }
    ir::Attributes attributes() const {
        return {{"strides", Integers{sh, sw}},
                {"dilations", Integers{dh, dw}},
                {"pads", Integers{top, left, bottom, right}},
                {"group", groups}};
    }
};

/// The definition, one product at a time.
std::vector<std::int64_t> naiveSums(const Problem& p, const std::vector<int>& x, const std::vector<int>& w) {
    std::vector<std::int64_t> sums;
    const std::int64_t groupIn = p.c / p.groups, groupOut = p.o / p.groups;
    for (std::int64_t n = 0; n < p.n; ++n)
        for (std::int64_t o = 0; o < p.o; ++o)
            for (std::int64_t oh = 0; oh < p.outHeight(); ++oh)
                for (std::int64_t ow = 0; ow < p.outWidth(); ++ow) {
                    std::int64_t sum = 0;
                    for (std::int64_t c = 0; c < groupIn; ++c)
                        for (std::int64_t kh = 0; kh < p.kh; ++kh)
                            for (std::int64_t kw = 0; kw < p.kw; ++kw) {
                                const std::int64_t ih = oh * p.sh - p.top + kh * p.dh;
                                const std::int64_t iw = ow * p.sw - p.left + kw * p.dw;
                                if (ih < 0 || ih >= p.h || iw < 0 || iw >= p.w)
                                    continue;
                                const std::int64_t channel = o / groupOut * groupIn + c;
                                sum += std::int64_t(x[std::size_t(((n * p.c + channel) * p.h + ih) * p.w + iw)]) *
                                       w[std::size_t(((o * groupIn + c) * p.kh + kh) * p.kw + kw)];
                            }
                    sums.push_back(sum);
                }
    return sums;
}

Problem randomProblem(std::mt19937& random, int shape) {
    const auto pick = [&](int low, int high) { return std::int64_t(low + int(random() % unsigned(high - low + 1))); };
    Problem p{pick(1, 2), 1,          pick(5, 12), pick(5, 40), 1,          pick(1, 4), pick(1, 3), pick(1, 3),
              pick(1, 3), pick(1, 3), pick(1, 2),  pick(1, 2),  pick(0, 2), pick(0, 2), pick(0, 2), pick(0, 2)};
    if (shape == 0) { // depthwise
        p.groups = pick(1, 19);
        p.c = p.o = p.groups;
    } else if (shape == 1) { // grouped
        p.c = p.groups * pick(1, 5);
        p.o = p.groups * pick(1, 6);
    } else {
        p.groups = 1;
        p.c = pick(1, 21);
        p.o = pick(1, 18);
    }
    return p;
}

} // namespace

void TestConv::bruteForce_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 60; ++seed)
        QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestConv::bruteForce() {
    QFETCH(int, seed);
    std::mt19937 random{unsigned(seed)};
    const Problem p = randomProblem(random, seed % 3);
    const int zeroX = int(random() % 256) - 128;
    std::vector<std::int8_t> x(std::size_t(p.n * p.c * p.h * p.w));
    std::vector<std::uint8_t> w(std::size_t(p.o * p.c / p.groups * p.kh * p.kw));
    std::vector<int> centredX, centredW;
    for (std::int8_t& q : x)
        centredX.push_back((q = std::int8_t(random())) - zeroX);
    std::vector<std::int32_t> bias(std::size_t(p.o), 0);
    ir::Quantisation weightScales{{}, {}, 0}, biasScales{{}, {}, 0};
    for (std::int32_t& b : bias) {
        b = std::int32_t(random() % 20001) - 10000;
        weightScales.scales.push_back(std::ldexp(double(1 + random() % 1024), -14));
        weightScales.zeroPoints.push_back(seed % 4 == 0 ? int(random() % 256) : 128);
        biasScales.scales.push_back(weightScales.scales.back() * 0.125);
        biasScales.zeroPoints.push_back(0);
    }
    for (std::size_t k = 0; k < w.size(); ++k) {
        w[k] = std::uint8_t(random());
        centredW.push_back(w[k] - weightScales.zeroPoints[k / (w.size() / bias.size())]);
    }
    const ir::Shape outShape{p.n, p.o, p.outHeight(), p.outWidth()};
    const Value vx = tensor<std::int8_t>({p.n, p.c, p.h, p.w}, x, perTensor(0.125, zeroX));
    const Value vw = tensor<std::uint8_t>({p.o, p.c / p.groups, p.kh, p.kw}, w, weightScales);
    const Value vb = tensor<std::int32_t>({p.o}, bias, biasScales);
    const auto y = evaluate(ir::OpKind::Conv, p.attributes(), {&vx, &vw, &vb},
                            {{ir::ElementType::Int8, outShape, perTensor(4.0, -7)}});
    POOLWRIGHT_VERIFY_RESULT(y);

    const std::vector<std::int64_t> sums = naiveSums(p, centredX, centredW);
    std::vector<std::int8_t> expected;
    const std::int64_t plane = p.outHeight() * p.outWidth();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t o = std::size_t(std::int64_t(i) / plane % p.o);
        // All scales are dyadic: the real is exact, so that ties are real ones.
        const double steps = double(sums[i] + bias[o]) * biasScales.scales[o] / 4.0;
        expected.push_back(std::int8_t(std::clamp(std::nearbyint(steps) - 7, -128.0, 127.0)));
    }
    QCOMPARE(elementsOf<std::int8_t>(y->front()), expected);
}

void TestConv::floatWeights() {
    const Value x = tensor<float>({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const Value w = tensor<float>({1, 2, 2, 2}, {1, 1, 1, 1, 0.5f, 0.5f, 0.5f, -0.5f});
    const auto y = evaluate(ir::OpKind::Conv, {}, {&x, &w}, {{ir::ElementType::Float32, {1, 1, 1, 1}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y); // 10 + (5 + 6 + 7 - 8) / 2
    QCOMPARE(elementsOf<float>(y->front()), (std::vector<float>{15.0f}));
    const Value q = tensor<std::int8_t>({1, 2, 2, 2}, {2, 4, 6, 8, 10, 12, 14, 16}, perTensor(0.5));
    const auto z =
        evaluate(ir::OpKind::Conv, {}, {&q, &w}, {{ir::ElementType::UInt8, {1, 1, 1, 1}, perTensor(0.5, 3)}});
    POOLWRIGHT_VERIFY_RESULT(z);
    QCOMPARE(elementsOf<std::uint8_t>(z->front()), (std::vector<std::uint8_t>{33}));
}

/// 70000 products of 255 * 255 are far beyond 32 bits.
void TestConv::longSumsAreExact() {
    const std::int64_t depth = 70000;
    const Value x =
        tensor<std::uint8_t>({1, depth}, std::vector<std::uint8_t>(std::size_t(depth), 255), perTensor(1.0));
    const Value w =
        tensor<std::uint8_t>({1, depth}, std::vector<std::uint8_t>(std::size_t(depth), 255), perTensor(1.0));
    const auto y = evaluate(ir::OpKind::Gemm, {}, {&x, &w}, {{ir::ElementType::Int32, {1, 1}, perTensor(5.0, 2)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int32_t>(y->front()), (std::vector<std::int32_t>{255 * 255 * 14000 + 2}));
}

/// [1 2 3; 4 5 6] with rows (1 0 1) and (2 -1 0), bias (10, 0).
void TestConv::gemm() {
    const Value x = tensor<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6}, perTensor(1.0));
    const Value w = tensor<std::int8_t>({2, 3}, {1, 0, 1, 2, -1, 0}, perTensor(1.0));
    const Value b = tensor<float>({2}, {10, 0});
    const auto y = evaluate(ir::OpKind::Gemm, {}, {&x, &w, &b}, {{ir::ElementType::Int8, {2, 2}, perTensor(1.0)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (std::vector<std::int8_t>{14, 0, 20, 3}));
}

void TestConv::refusals_data() {
    QTest::addColumn<QString>("attribute");
    QTest::addColumn<qint64>("value");
    QTest::newRow("stride 0") << "strides" << qint64(0);
    QTest::newRow("dilation 0") << "dilations" << qint64(0);
    QTest::newRow("negative pad") << "pads" << qint64(-1);
    QTest::newRow("group 2 of one channel") << "group" << qint64(2);
    QTest::newRow("huge dilation") << "dilations" << qint64(std::numeric_limits<std::int64_t>::max());
}

void TestConv::refusals() {
    QFETCH(QString, attribute);
    QFETCH(qint64, value);
    const Value x = tensor<std::int8_t>({1, 1, 3, 3}, std::vector<std::int8_t>(9, 2), perTensor(1.0));
    const Value w = tensor<std::int8_t>({1, 1, 2, 2}, std::vector<std::int8_t>(4, 1), perTensor(1.0));
    ir::Attributes attributes;
    if (attribute == "group")
        attributes["group"] = std::int64_t(value);
    else
        attributes[attribute.toStdString()] = Integers(attribute == "pads" ? 4 : 2, value);
    const auto y =
        evaluate(ir::OpKind::Conv, attributes, {&x, &w}, {{ir::ElementType::Int8, {1, 1, 2, 2}, perTensor(1.0)}});
    QVERIFY(!y);
    QVERIFY2(y.error().front().message.find("Conv(s8[1,1,3,3], s8[1,1,2,2]) -> s8[1,1,2,2]") == 0,
             y.error().front().message.c_str());
}

QTEST_APPLESS_MAIN(TestConv)
#include "tst_conv.moc"
