// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

using Integers = std::vector<std::int64_t>;
using Bytes = std::vector<std::int8_t>;

class TestKernels : public QObject {
    Q_OBJECT
private slots:
    void quantiseRoundsOnceAndSaturates();
    void conversions();
    void relu();
    void maxPool();
    void averagePool();
    void globalAveragePoolRoundsOnce();
    void transpose();
    void reshape();
    void refusesTensorsThatContradictThemselves();
    void anyShapesOfAnyKindAreSafe_data();
    void anyShapesOfAnyKindAreSafe();
};

void TestKernels::quantiseRoundsOnceAndSaturates() {
    QCOMPARE(quantise(2.5, 1, 0, ir::ElementType::Int8), std::int64_t(2));
    QCOMPARE(quantise(3.5, 1, 0, ir::ElementType::Int8), std::int64_t(4));
    QCOMPARE(quantise(-2.5, 1, 0, ir::ElementType::Int8), std::int64_t(-2));
    QCOMPARE(quantise(2.5, 1, 1, ir::ElementType::Int8), std::int64_t(3)); // rounds before the zero point
    QCOMPARE(quantise(1e30, 1, 0, ir::ElementType::Int8), std::int64_t(127));
    QCOMPARE(quantise(-1e30, 1, 0, ir::ElementType::UInt8), std::int64_t(0));
    QCOMPARE(quantise(70000, 1, 0, ir::ElementType::UInt16), std::int64_t(65535));
    QCOMPARE(quantise(1e12, 1, 0, ir::ElementType::Int32), std::int64_t(2147483647));
    QCOMPARE(quantise(std::nan(""), 1, 5, ir::ElementType::Int8), std::int64_t(5));
    QCOMPARE(quantise(-INFINITY, 1, 0, ir::ElementType::Int8), std::int64_t(-128));
}

void TestKernels::conversions() {
    const Value x = tensor<float>({5}, {0.0f, 0.25f, 0.75f, -0.75f, 100.0f});
    const auto q = evaluate(ir::OpKind::Quantize, {}, {&x}, {{ir::ElementType::UInt8, {5}, perTensor(0.5, 10)}});
    POOLWRIGHT_VERIFY_RESULT(q); // steps 0, 0.5, 1.5, -1.5, 200
    QCOMPARE(elementsOf<std::uint8_t>(q->front()), (std::vector<std::uint8_t>{10, 10, 12, 8, 210}));
    const auto d = evaluate(ir::OpKind::Dequantize, {}, {&q->front()}, {{ir::ElementType::Float32, {5}, {}}});
    POOLWRIGHT_VERIFY_RESULT(d);
    QCOMPARE(elementsOf<float>(d->front()), (std::vector<float>{0.0f, 0.0f, 1.0f, -1.0f, 100.0f}));
    const auto r =
        evaluate(ir::OpKind::Requantize, {}, {&q->front()}, {{ir::ElementType::Int8, {5}, perTensor(1.0, -1)}});
    POOLWRIGHT_VERIFY_RESULT(r);
    QCOMPARE(elementsOf<std::int8_t>(r->front()), (Bytes{-1, -1, 0, -2, 99}));
    const Value rows = tensor<std::int8_t>({2, 2}, {1, 2, 3, 4}, ir::Quantisation{{1.0, 0.5}, {0, 1}, 0});
    const auto f = evaluate(ir::OpKind::Dequantize, {}, {&rows}, {{ir::ElementType::Float32, {2, 2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(f);
    QCOMPARE(elementsOf<float>(f->front()), (std::vector<float>{1, 2, 1, 1.5f}));
}

void TestKernels::relu() {
    const Value x = tensor<std::int8_t>({4}, {-128, 2, 3, 127}, perTensor(0.5, 3));
    const auto same = evaluate(ir::OpKind::Relu, {}, {&x}, {{ir::ElementType::Int8, {4}, perTensor(0.5, 3)}});
    POOLWRIGHT_VERIFY_RESULT(same);
    QCOMPARE(elementsOf<std::int8_t>(same->front()), (Bytes{3, 3, 3, 127}));
    const auto other = evaluate(ir::OpKind::Relu, {}, {&x}, {{ir::ElementType::Int8, {4}, perTensor(0.25, -128)}});
    POOLWRIGHT_VERIFY_RESULT(other); // 62 / 0.25 - 128 = 120
    QCOMPARE(elementsOf<std::int8_t>(other->front()), (Bytes{-128, -128, -128, 120}));
}

void TestKernels::maxPool() {
    const Value x = tensor<std::int8_t>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, -9}, perTensor(1.0, 100));
    const ir::Attributes two{{"kernel_shape", Integers{2, 2}}};
    const auto y = evaluate(ir::OpKind::MaxPool, two, {&x}, {{ir::ElementType::Int8, {1, 1, 2, 2}, x.quantisation}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{5, 6, 8, 8}));
    // Padding never wins, although real 0 (100) would.
    const ir::Attributes padded{
        {"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}, {"pads", Integers{1, 1, 0, 0}}};
    const auto p = evaluate(ir::OpKind::MaxPool, padded, {&x}, {{ir::ElementType::Int8, {1, 1, 2, 2}, x.quantisation}});
    POOLWRIGHT_VERIFY_RESULT(p);
    QCOMPARE(elementsOf<std::int8_t>(p->front()), (Bytes{1, 3, 7, 8}));
    const ir::Attributes dilated{{"kernel_shape", Integers{2, 2}}, {"dilations", Integers{2, 2}}};
    const auto d =
        evaluate(ir::OpKind::MaxPool, dilated, {&x}, {{ir::ElementType::Int8, {1, 1, 1, 1}, x.quantisation}});
    POOLWRIGHT_VERIFY_RESULT(d);
    QCOMPARE(elementsOf<std::int8_t>(d->front()), (Bytes{7}));
    const ir::Attributes ceiling{
        {"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}, {"ceil_mode", std::int64_t(1)}};
    const auto c =
        evaluate(ir::OpKind::MaxPool, ceiling, {&x}, {{ir::ElementType::Int8, {1, 1, 2, 2}, x.quantisation}});
    POOLWRIGHT_VERIFY_RESULT(c);
    QCOMPARE(elementsOf<std::int8_t>(c->front()), (Bytes{5, 6, 8, -9}));
}

void TestKernels::averagePool() {
    const Value x = tensor<std::int8_t>({1, 1, 2, 2}, {1, 2, 4, 8}, perTensor(1.0, 0));
    ir::Attributes attributes{{"kernel_shape", Integers{2, 2}}, {"pads", Integers{1, 1, 0, 0}}};
    const OutputSpec spec{ir::ElementType::Int8, {1, 1, 2, 2}, perTensor(0.25, 0)};
    const auto without = evaluate(ir::OpKind::AveragePool, attributes, {&x}, {spec});
    POOLWRIGHT_VERIFY_RESULT(without); // 1, 1.5, 2.5, 3.75
    QCOMPARE(elementsOf<std::int8_t>(without->front()), (Bytes{4, 6, 10, 15}));
    attributes["count_include_pad"] = std::int64_t(1);
    const auto with = evaluate(ir::OpKind::AveragePool, attributes, {&x}, {spec});
    POOLWRIGHT_VERIFY_RESULT(with); // 0.25, 0.75, 1.25, 3.75
    QCOMPARE(elementsOf<std::int8_t>(with->front()), (Bytes{1, 3, 5, 15}));
}

/// Mean 1.25 and scale ratio 2: 2.5 -> 2. Rounding the mean first would give 2 as well, but -1.25 * 2 tells: see below.
void TestKernels::globalAveragePoolRoundsOnce() {
    const Value x = tensor<std::int8_t>({1, 2, 2, 2}, {1, 1, 1, 2, 3, 3, 4, 4}, perTensor(2.0, 0));
    const auto y =
        evaluate(ir::OpKind::GlobalAveragePool, {}, {&x}, {{ir::ElementType::Int8, {1, 2, 1, 1}, perTensor(1.0, 5)}});
    POOLWRIGHT_VERIFY_RESULT(y); // 2.5 and 7: the rounded means would be 1 and 4 -> 2 and 8
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{7, 12}));
    const ir::Attributes axes{{"axes", Integers{1, -1}}};
    const auto r = evaluate(ir::OpKind::ReduceMean, axes, {&x}, {{ir::ElementType::Float32, {1, 1, 2, 1}, {}}});
    POOLWRIGHT_VERIFY_RESULT(r); // rows (1 1 3 3), (1 2 4 4) times 2
    QCOMPARE(elementsOf<float>(r->front()), (std::vector<float>{4, 5.5f}));
}

void TestKernels::transpose() {
    const Value x = tensor<std::int64_t>({1, 2, 3}, {0, 1, 2, 3, 4, 5});
    const auto y =
        evaluate(ir::OpKind::Transpose, {{"perm", Integers{2, 0, 1}}}, {&x}, {{ir::ElementType::Int64, {3, 1, 2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{0, 3, 1, 4, 2, 5}));
    QVERIFY(!evaluate(ir::OpKind::Transpose, {{"perm", Integers{0, 0, 1}}}, {&x},
                      {{ir::ElementType::Int64, {1, 1, 2}, {}}}));
}

void TestKernels::reshape() {
    const Value x = tensor<std::int8_t>({2, 3}, {0, 1, 2, 3, 4, 5}, perTensor(1.0, 0));
    const auto y = evaluate(ir::OpKind::Reshape, {}, {&x}, {{ir::ElementType::Int8, {6}, perTensor(0.5, 1)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{1, 3, 5, 7, 9, 11}));
    QVERIFY(!evaluate(ir::OpKind::Reshape, {}, {&x}, {{ir::ElementType::Int8, {5}, x.quantisation}}));
}

void TestKernels::refusesTensorsThatContradictThemselves() {
    const Value good = tensor<std::int8_t>({2}, {1, 2}, perTensor(1.0));
    const OutputSpec spec{ir::ElementType::Int8, {2}, perTensor(1.0)};
    QVERIFY(evaluate(ir::OpKind::Relu, {}, {&good}, {spec}));
    const auto refused = [&](const std::function<void(Value&)>& spoil) {
        Value bad = good;
        spoil(bad);
        return !evaluate(ir::OpKind::Relu, {}, {&bad}, {spec});
    };
    QVERIFY(refused([](Value& v) { v.bytes.push_back(0); }));
    QVERIFY(refused([](Value& v) { v.quantisation->scales = {0.0}; }));
    QVERIFY(refused([](Value& v) { v.quantisation->scales = {}; }));
    QVERIFY(refused([](Value& v) { v.quantisation->scales = {1, 1, 1}; }));
    QVERIFY(refused([](Value& v) { v.quantisation = ir::Quantisation{{1, 1}, {0, 0}, 5}; }));
    QVERIFY(refused([](Value& v) { v.quantisation->zeroPoints = {300}; }));
    QVERIFY(refused([](Value& v) { v.shape = {-2}; }));
    const std::int64_t large = std::int64_t(1) << 40;
    QVERIFY(!evaluate(ir::OpKind::Relu, {}, {&good}, {{ir::ElementType::Int8, {large, large, large}, perTensor(1.0)}}));
    QVERIFY(!evaluate(ir::OpKind::Relu, {}, {&good}, {{ir::ElementType::Int8, {2}, {}}}));
    QVERIFY(!evaluate(ir::OpKind::Relu, {}, {&good}, {}));
}

void TestKernels::anyShapesOfAnyKindAreSafe_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind <= int(ir::OpKind::Identity); ++kind)
        QTest::newRow(ir::opKindName(ir::OpKind(kind))) << kind;
}

/// No crash and no success without an output of the right size, whatever is joined. Sanitizers see the rest.
void TestKernels::anyShapesOfAnyKindAreSafe() {
    QFETCH(int, kind);
    const std::vector<ir::Shape> shapes{{}, {0}, {2}, {2, 2}, {1, 2, 3}, {1, 2, 0, 2}, {1, 2, 3, 2}, {1, 1, 2, 2, 2}};
    std::vector<Value> values;
    for (const ir::Shape& shape : shapes) {
        const std::size_t count = std::size_t(ir::elementCount(shape));
        values.push_back(tensor<std::int8_t>(shape, Bytes(count, 3), perTensor(0.5, 1)));
        values.push_back(tensor<float>(shape, std::vector<float>(count, 1.5f)));
        values.push_back(tensor<std::int64_t>(shape, Integers(count, 1)));
    }
    for (const ir::Attributes& attributes :
         {ir::Attributes{},
          ir::Attributes{{"kernel_shape", Integers{2, 2}}, {"axis", std::int64_t(7)}, {"axes", Integers{9}}},
          ir::Attributes{{"pads", Integers{0, 0, 1, 1}}, {"perm", Integers{1, 0}}, {"strides", Integers{0}}}})
        for (const Value& a : values)
            for (const Value& b : values)
                for (const std::vector<const Value*>& inputs :
                     {std::vector<const Value*>{}, {nullptr, &a}, {&a}, {&a, &b}, {&a, &b, &b, &b, &b}})
                    for (const Value* like : {&a, &b}) {
                        const auto y = evaluate(ir::OpKind(kind), attributes, inputs,
                                                {{like->type, like->shape, like->quantisation}});
                        QVERIFY(!y || y->front().bytes.size() == like->bytes.size());
                    }
}

QTEST_APPLESS_MAIN(TestKernels)
#include "tst_kernels.moc"
