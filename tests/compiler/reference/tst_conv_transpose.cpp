// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

#include <random>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

using Integers = std::vector<std::int64_t>;

namespace {

struct Case {
    std::int64_t group, channels, groupOutputs, height, width, kh, kw, sh, sw, dh, dw, top, left, bottom, right, eh, ew;

    std::int64_t outputs() const { return group * groupOutputs; }
    std::int64_t outHeight() const { return sh * (height - 1) + eh + (kh - 1) * dh + 1 - top - bottom; }
    std::int64_t outWidth() const { return sw * (width - 1) + ew + (kw - 1) * dw + 1 - left - right; }
    ir::Attributes attributes() const {
        return {{"strides", Integers{sh, sw}},
                {"dilations", Integers{dh, dw}},
                {"pads", Integers{top, left, bottom, right}},
                {"output_padding", Integers{eh, ew}},
                {"group", group}};
    }
};

/// The definition: every input element adds its products where they land.
std::vector<double> scattered(const Case& c, const std::vector<double>& x, const std::vector<double>& w) {
    std::vector<double> y(std::size_t(c.outputs() * c.outHeight() * c.outWidth()), 0.0);
    for (std::int64_t ch = 0; ch < c.channels; ++ch)
        for (std::int64_t h = 0; h < c.height; ++h)
            for (std::int64_t v = 0; v < c.width; ++v)
                for (std::int64_t o = 0; o < c.groupOutputs; ++o)
                    for (std::int64_t a = 0; a < c.kh; ++a)
                        for (std::int64_t b = 0; b < c.kw; ++b) {
                            const std::int64_t oh = h * c.sh - c.top + a * c.dh, ow = v * c.sw - c.left + b * c.dw;
                            if (oh < 0 || oh >= c.outHeight() || ow < 0 || ow >= c.outWidth())
                                continue;
                            const std::int64_t row = ch / (c.channels / c.group) * c.groupOutputs + o;
                            y[std::size_t((row * c.outHeight() + oh) * c.outWidth() + ow)] +=
                                x[std::size_t((ch * c.height + h) * c.width + v)] *
                                w[std::size_t(((ch * c.groupOutputs + o) * c.kh + a) * c.kw + b)];
                        }
    return y;
}

template <typename T> std::vector<T> randomElements(std::int64_t count, int seed) {
    std::mt19937 random{std::uint32_t(seed)};
    std::vector<T> elements;
    for (std::int64_t i = 0; i < count; ++i)
        elements.push_back(T(int(random() % 255) - 127));
    return elements;
}

} // namespace

class TestConvTranspose : public QObject {
    Q_OBJECT
private slots:
    void equalsItsDefinition_data();
    void equalsItsDefinition();
    void stepsPerOutputChannelHoldInEveryGroup();
    void refusals();
};

void TestConvTranspose::equalsItsDefinition_data() {
    QTest::addColumn<QList<int>>("numbers");
    QTest::newRow("plain") << QList<int>{1, 3, 2, 4, 5, 3, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    QTest::newRow("stride 2") << QList<int>{1, 3, 2, 4, 5, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0};
    QTest::newRow("stride over the kernel") << QList<int>{1, 2, 2, 3, 3, 2, 1, 4, 3, 1, 1, 0, 0, 0, 0, 0, 0};
    QTest::newRow("pads, extra") << QList<int>{1, 4, 5, 4, 5, 3, 4, 2, 3, 1, 1, 1, 2, 0, 1, 1, 2};
    QTest::newRow("dilated groups") << QList<int>{2, 6, 3, 5, 4, 3, 2, 2, 1, 2, 3, 1, 0, 2, 1, 0, 0};
    QTest::newRow("depthwise") << QList<int>{5, 5, 1, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0};
}

/// Bytes with real sums: the output step is 1, so that float and int8 sums are one rounding apart from the definition.
void TestConvTranspose::equalsItsDefinition() {
    QFETCH(QList<int>, numbers);
    const QList<int>& n = numbers;
    const Case c{n[0], n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7], n[8],
                 n[9], n[10], n[11], n[12], n[13], n[14], n[15], n[16]};
    const auto x = randomElements<std::int8_t>(c.channels * c.height * c.width, 1);
    const auto w = randomElements<std::int8_t>(c.channels * c.groupOutputs * c.kh * c.kw, 2);
    const ir::Shape shape{1, c.channels, c.height, c.width}, wShape{c.channels, c.groupOutputs, c.kh, c.kw},
        outShape{1, c.outputs(), c.outHeight(), c.outWidth()};
    const Value xv = tensor(shape, x, perTensor(0.5, -3)), wv = tensor(wShape, w, perTensor(0.25));
    std::vector<double> xr, wr;
    for (std::int8_t v : x)
        xr.push_back((v + 3) * 0.5);
    for (std::int8_t v : w)
        wr.push_back(v * 0.25);
    const std::vector<double> expected = scattered(c, xr, wr);
    const auto floats =
        evaluate(ir::OpKind::ConvTranspose, c.attributes(), {&xv, &wv}, {{ir::ElementType::Float32, outShape, {}}});
    POOLWRIGHT_VERIFY_RESULT(floats);
    QCOMPARE(elementsOf<float>(floats->front()), std::vector<float>(expected.begin(), expected.end()));
    const auto bytes = evaluate(ir::OpKind::ConvTranspose, c.attributes(), {&xv, &wv},
                                {{ir::ElementType::Int8, outShape, perTensor(64, 2)}});
    POOLWRIGHT_VERIFY_RESULT(bytes);
    std::vector<std::int8_t> rounded;
    for (double y : expected)
        rounded.push_back(std::int8_t(std::clamp(std::nearbyint(y / 64) + 2, -128.0, 127.0)));
    QCOMPARE(elementsOf<std::int8_t>(bytes->front()), rounded);
}

void TestConvTranspose::stepsPerOutputChannelHoldInEveryGroup() {
    const Value x = tensor<std::int8_t>({1, 2, 1, 1}, {10, 20}, perTensor(1.0));
    const Value w = tensor<std::int8_t>({2, 2, 1, 1}, {1, 1, 1, 1}, ir::Quantisation{{1.0, 0.5}, {0, 0}, 1});
    const Value bias = tensor<float>({4}, {0, 1, 2, 3});
    const auto y = evaluate(ir::OpKind::ConvTranspose, {{"group", std::int64_t(2)}}, {&x, &w, &bias},
                            {{ir::ElementType::Int8, {1, 4, 1, 1}, perTensor(1.0)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (std::vector<std::int8_t>{10, 6, 22, 13}));
}

void TestConvTranspose::refusals() {
    const Value x = tensor<float>({1, 2, 2, 2}, std::vector<float>(8, 1)),
                w = tensor<float>({2, 3, 2, 2}, std::vector<float>(24, 1));
    const auto run = [&](const ir::Attributes& attributes, const ir::Shape& shape) {
        return evaluate(ir::OpKind::ConvTranspose, attributes, {&x, &w}, {{ir::ElementType::Float32, shape, {}}});
    };
    QVERIFY(run({}, {1, 3, 3, 3}));
    QVERIFY(!run({}, {1, 3, 4, 3}));
    QVERIFY(!run({}, {1, 4, 3, 3}));
    QVERIFY(!run({{"group", std::int64_t(3)}}, {1, 9, 3, 3}));
    QVERIFY(!run({{"strides", Integers{0, 1}}}, {1, 3, 3, 3}));
    QVERIFY(!run({{"pads", Integers{-1, 0, 0, 0}}}, {1, 3, 4, 3}));
    QVERIFY(!run({{"output_padding", Integers{std::numeric_limits<std::int64_t>::max(), 0}}}, {1, 3, 3, 3}));
}

QTEST_APPLESS_MAIN(TestConvTranspose)
#include "tst_conv_transpose.moc"
