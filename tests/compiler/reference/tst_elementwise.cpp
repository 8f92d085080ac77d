// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

using Bytes = std::vector<std::int8_t>;
using Floats = std::vector<float>;

class TestElementwise : public QObject {
    Q_OBJECT
private slots:
    void addOfDifferentScales();
    void broadcastingAsNumpy_data();
    void broadcastingAsNumpy();
    void mulIsExactBeforeItsRounding();
    void mixedOperands();
    void shapeArithmetic();
    void functions_data();
    void functions();
    void functionsOnBytes();
    void batchNormalization();
    void softmax();
};

/// (10 - 2) * 0.5 + (4 + 1) * 0.25 = 5.25; (0 - 2) * 0.5 + (-1 + 1) * 0.25 = -1; out scale 0.5, zero 1: 10.5 -> 10 + 1.
void TestElementwise::addOfDifferentScales() {
    const Value a = tensor<std::int8_t>({2}, {10, 0}, perTensor(0.5, 2));
    const Value b = tensor<std::int8_t>({2}, {4, -1}, perTensor(0.25, -1));
    const OutputSpec spec{ir::ElementType::Int8, {2}, perTensor(0.5, 1)};
    const auto sum = evaluate(ir::OpKind::Add, {}, {&a, &b}, {spec});
    POOLWRIGHT_VERIFY_RESULT(sum);
    QCOMPARE(elementsOf<std::int8_t>(sum->front()), (Bytes{11, -1}));
    const auto difference = evaluate(ir::OpKind::Sub, {}, {&a, &b}, {spec}); // 2.75 and -1
    POOLWRIGHT_VERIFY_RESULT(difference);
    QCOMPARE(elementsOf<std::int8_t>(difference->front()), (Bytes{7, -1}));
}

void TestElementwise::broadcastingAsNumpy_data() {
    QTest::addColumn<QList<qint64>>("a");
    QTest::addColumn<QList<qint64>>("b");
    QTest::addColumn<QList<qint64>>("out");
    QTest::addColumn<QList<float>>("expected"); // empty: refused
    using L = QList<qint64>;
    using F = QList<float>;
    QTest::newRow("equal") << L{2} << L{2} << L{2} << F{0, 11};
    QTest::newRow("scalar") << L{3} << L{} << L{3} << F{0, 1, 2};
    QTest::newRow("column and row") << L{2, 1} << L{3} << L{2, 3} << F{0, 10, 20, 1, 11, 21};
    QTest::newRow("channel") << L{1, 2, 1, 2} << L{2, 1, 1} << L{1, 2, 1, 2} << F{0, 1, 12, 13};
    QTest::newRow("leading dimension") << L{2} << L{2, 2} << L{2, 2} << F{0, 11, 20, 31};
    QTest::newRow("wrong output") << L{2} << L{2} << L{2, 2} << F{};
    QTest::newRow("extents differ") << L{2} << L{3} << L{3} << F{};
    QTest::newRow("output of too low a rank") << L{2, 1} << L{2} << L{2} << F{};
}

/// a counts 0, 1, 2, ...; b counts 0, 10, 20, ...
void TestElementwise::broadcastingAsNumpy() {
    QFETCH(QList<qint64>, a);
    QFETCH(QList<qint64>, b);
    QFETCH(QList<qint64>, out);
    QFETCH(QList<float>, expected);
    const auto counted = [](const QList<qint64>& shape, float step) {
        const ir::Shape extents(shape.begin(), shape.end());
        Floats elements;
        for (std::int64_t i = 0; i < ir::elementCount(extents); ++i)
            elements.push_back(float(i) * step);
        return tensor<float>(extents, elements);
    };
    const Value va = counted(a, 1), vb = counted(b, 10);
    const auto sum =
        evaluate(ir::OpKind::Add, {}, {&va, &vb}, {{ir::ElementType::Float32, {out.begin(), out.end()}, {}}});
    QCOMPARE(sum.has_value(), !expected.empty());
    if (sum)
        QCOMPARE(elementsOf<float>(sum->front()), Floats(expected.begin(), expected.end()));
}

/// The integers' product comes first: 15 * 0.5 is a true tie, which goes to the even 8.
void TestElementwise::mulIsExactBeforeItsRounding() {
    const Value a = tensor<std::int8_t>({2}, {4, -2}, perTensor(0.5, 1));
    const Value b = tensor<std::uint8_t>({1}, {15}, perTensor(0.25, 10));
    const auto product = evaluate(ir::OpKind::Mul, {}, {&a, &b}, {{ir::ElementType::Int8, {2}, perTensor(0.25, 0)}});
    POOLWRIGHT_VERIFY_RESULT(product); // 3 * 5 * 0.5 = 7.5; -3 * 5 * 0.5 = -7.5
    QCOMPARE(elementsOf<std::int8_t>(product->front()), (Bytes{8, -8}));
}

void TestElementwise::mixedOperands() {
    const Value a = tensor<std::int8_t>({2}, {4, -2}, perTensor(0.5, 0));
    const Value b = tensor<float>({}, {1.5f});
    const auto product = evaluate(ir::OpKind::Mul, {}, {&a, &b}, {{ir::ElementType::Float32, {2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(product);
    QCOMPARE(elementsOf<float>(product->front()), (Floats{3, -1.5f}));
}

void TestElementwise::shapeArithmetic() {
    const Value a = tensor<std::int64_t>({2}, {7, std::numeric_limits<std::int64_t>::max()});
    const Value b = tensor<std::int64_t>({}, {2});
    const auto product = evaluate(ir::OpKind::Mul, {}, {&a, &b}, {{ir::ElementType::Int64, {2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(product);
    QCOMPARE(elementsOf<std::int64_t>(product->front()), (std::vector<std::int64_t>{14, -2})); // wraps as numpy does
    const Value f = tensor<float>({2}, {1, 2});
    QVERIFY(!evaluate(ir::OpKind::Add, {}, {&a, &f}, {{ir::ElementType::Int64, {2}, {}}}));
}

void TestElementwise::functions_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QList<float>>("expected"); // for -4, -1, 0, 1, 8
    const auto row = [](ir::OpKind kind, const QList<float>& expected) {
        QTest::newRow(ir::opKindName(kind)) << int(kind) << expected;
    };
    row(ir::OpKind::Relu, {0, 0, 0, 1, 8});
    row(ir::OpKind::Clip, {-1.5f, -1, 0, 1, 6});
    row(ir::OpKind::Sigmoid, {0.01798621f, 0.26894142f, 0.5f, 0.73105858f, 0.99966465f});
    row(ir::OpKind::HardSigmoid, {0, 0.25f, 0.5f, 0.75f, 1});
    row(ir::OpKind::HardSwish, {0, -1.0f / 3, 0, 2.0f / 3, 8});
    row(ir::OpKind::Tanh, {-0.99932930f, -0.76159416f, 0, 0.76159416f, 0.99999977f});
}

void TestElementwise::functions() {
    QFETCH(int, kind);
    QFETCH(QList<float>, expected);
    const Value x = tensor<float>({5}, {-4, -1, 0, 1, 8});
    const ir::Attributes attributes{{"min", -1.5}, {"max", 6.0}, {"alpha", 0.25}, {"beta", 0.5}};
    const auto y = evaluate(ir::OpKind(kind), attributes, {&x}, {{ir::ElementType::Float32, {5}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    for (int i = 0; i < 5; ++i)
        QVERIFY2(std::abs(y->front().as<float>()[i] - expected[i]) < 1e-6f,
                 qPrintable(QString("%1: %2, expected %3").arg(i).arg(y->front().as<float>()[i]).arg(expected[i])));
}

/// Bytes go through a table; 16-bit tensors do not. Same reals, same results.
void TestElementwise::functionsOnBytes() {
    Bytes bytes;
    std::vector<std::int16_t> words;
    for (int q = -128; q < 128; ++q) {
        bytes.push_back(std::int8_t(q));
        words.push_back(std::int16_t(q));
    }
    const Value b = tensor<std::int8_t>({256}, bytes, perTensor(0.0625, -3));
    const Value w = tensor<std::int16_t>({256}, words, perTensor(0.0625, -3));
    const OutputSpec spec{ir::ElementType::UInt8, {256}, perTensor(1.0 / 256, 0)};
    const auto yb = evaluate(ir::OpKind::Sigmoid, {}, {&b}, {spec});
    const auto yw = evaluate(ir::OpKind::Sigmoid, {}, {&w}, {spec});
    POOLWRIGHT_VERIFY_RESULT(yb);
    POOLWRIGHT_VERIFY_RESULT(yw);
    QCOMPARE(yb->front().bytes, yw->front().bytes);
    QCOMPARE(int(yb->front().bytes[128 - 3]), 128);  // sigmoid(0)
    QCOMPARE(int(yb->front().bytes[128 - 35]), 31);  // sigmoid(-2) = 0.1192029: 30.516
    QCOMPARE(int(yb->front().bytes[128 + 29]), 225); // sigmoid(2) = 0.8807971: 225.484
}

void TestElementwise::batchNormalization() {
    const Value x = tensor<float>({1, 2, 2}, {1, 2, 3, 4});
    const Value scale = tensor<float>({2}, {2, 1}), bias = tensor<float>({2}, {0, 10}),
                mean = tensor<float>({2}, {1, 2}), variance = tensor<float>({2}, {4, 0.75f});
    const auto y = evaluate(ir::OpKind::BatchNormalization, {{"epsilon", 0.0}}, {&x, &scale, &bias, &mean, &variance},
                            {{ir::ElementType::Float32, {1, 2, 2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(y->front().as<float>()[0], 0.0f);
    QCOMPARE(y->front().as<float>()[1], 1.0f);
    QCOMPARE(y->front().as<float>()[2], 11.154701f); // 10 + 1 / sqrt(0.75)
    const auto z = evaluate(ir::OpKind::BatchNormalization, {{"epsilon", 0.25}}, {&x, &scale, &bias, &mean, &variance},
                            {{ir::ElementType::Float32, {1, 2, 2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(z);
    QCOMPARE(z->front().as<float>()[3], 12.0f);
}

/// softmax of (0, ln 3) is (1/4, 3/4), along either axis and with large offsets.
void TestElementwise::softmax() {
    const float ln3 = 1.0986123f;
    const Value x = tensor<float>({2, 2}, {0, ln3, 1000, 1000});
    const auto rows = evaluate(ir::OpKind::Softmax, {{"axis", std::int64_t(-1)}}, {&x},
                               {{ir::ElementType::UInt8, {2, 2}, perTensor(1.0 / 256)}});
    POOLWRIGHT_VERIFY_RESULT(rows);
    QCOMPARE(elementsOf<std::uint8_t>(rows->front()), (std::vector<std::uint8_t>{64, 192, 128, 128}));
    const Value t = tensor<float>({2, 2}, {0, 1000, ln3, 1000});
    const auto columns = evaluate(ir::OpKind::Softmax, {{"axis", std::int64_t(0)}}, {&t},
                                  {{ir::ElementType::UInt8, {2, 2}, perTensor(1.0 / 256)}});
    POOLWRIGHT_VERIFY_RESULT(columns);
    QCOMPARE(elementsOf<std::uint8_t>(columns->front()), (std::vector<std::uint8_t>{64, 128, 192, 128}));
}

QTEST_APPLESS_MAIN(TestElementwise)
#include "tst_elementwise.moc"
