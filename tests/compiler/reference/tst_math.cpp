// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

#include <cmath>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;
using ir::ElementType;
using ir::OpKind;

using Bytes = std::vector<std::int8_t>;
using Floats = std::vector<float>;
using Longs = std::vector<std::int64_t>;

/// Operators that compute, against values worked out by hand from the ONNX operator descriptions.
class TestMath : public QObject {
    Q_OBJECT
private slots:
    void floorSeesFloat32();
    void slopesKeepTheirForm();
    void integersDivideAndWrap();
    void comparisonsAndChoice();
    void reductions_data();
    void reductions();
    void extremaChooseIndices();
    void matricesBroadcast();
    void normalisations();
    void castsTruncate();
};

static Value truth(const ir::Shape& shape, const std::vector<std::uint8_t>& elements) {
    return {ElementType::Bool, shape, {}, elements};
}

static OutputSpec floats(const ir::Shape& shape) {
    return {ElementType::Float32, shape, {}};
}

/// Scale 0.1f is 0.100000001490116, yet 10 of them are 1 in float32: a Ceil of the exact product would be 2.
void TestMath::floorSeesFloat32() {
    const Value x = tensor<std::int8_t>({3}, {10, -15, 4}, perTensor(double(0.1f)));
    const auto up = evaluate(OpKind::Ceil, {}, {&x}, {floats({3})});
    POOLWRIGHT_VERIFY_RESULT(up);
    QCOMPARE(elementsOf<float>(up->front()), (Floats{1, -1, 1}));
}

/// Reals -2, 3, -1, 4 under slopes 0.5 and 0.25; scale 0.5: -2, 6, -0.5 (to even: 0), 8.
void TestMath::slopesKeepTheirForm() {
    const Value x = tensor<std::int8_t>({1, 2, 2}, {-4, 6, -2, 8}, perTensor(0.5));
    const Value slope = tensor<float>({2, 1}, {0.5F, 0.25F});
    const auto y = evaluate(OpKind::PRelu, {}, {&x, &slope}, {{ElementType::Int8, {1, 2, 2}, perTensor(0.5)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{-2, 6, 0, 8}));
}

void TestMath::integersDivideAndWrap() {
    const Value a = tensor<std::int64_t>({4}, {7, -7, std::numeric_limits<std::int64_t>::min(), 9});
    const Value b = tensor<std::int64_t>({4}, {2, 2, -1, 9});
    const OutputSpec spec{ElementType::Int64, {4}, {}};
    const auto quotients = evaluate(OpKind::Div, {}, {&a, &b}, {spec});
    POOLWRIGHT_VERIFY_RESULT(quotients);
    QCOMPARE(elementsOf<std::int64_t>(quotients->front()), (Longs{3, -3, std::numeric_limits<std::int64_t>::min(), 1}));
    const auto rests = evaluate(OpKind::Mod, {{"fmod", std::int64_t(0)}}, {&a, &b}, {spec});
    POOLWRIGHT_VERIFY_RESULT(rests);
    QCOMPARE(elementsOf<std::int64_t>(rests->front()), (Longs{1, 1, 0, 0}));
    const Value zero = tensor<std::int64_t>({}, {0});
    QVERIFY(!evaluate(OpKind::Div, {}, {&a, &zero}, {spec}));
}

void TestMath::comparisonsAndChoice() {
    const Value a = tensor<std::int8_t>({2, 1}, {2, 6}, perTensor(0.5)); // 1, 3
    const Value b = tensor<float>({2}, {1.0F, 2.0F});
    const auto less = evaluate(OpKind::LessOrEqual, {}, {&a, &b}, {{ElementType::Bool, {2, 2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(less);
    QCOMPARE(less->front().bytes, (std::vector<std::uint8_t>{1, 1, 0, 0}));
    const auto chosen = evaluate(OpKind::Where, {}, {&less->front(), &a, &b}, {floats({2, 2})});
    POOLWRIGHT_VERIFY_RESULT(chosen);
    QCOMPARE(elementsOf<float>(chosen->front()), (Floats{1, 1, 1, 2}));
    const Value c = truth({2}, {1, 0}), d = truth({2}, {1, 1});
    const auto differ = evaluate(OpKind::Xor, {}, {&c, &d}, {{ElementType::Bool, {2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(differ);
    QCOMPARE(differ->front().bytes, (std::vector<std::uint8_t>{0, 1}));
}

void TestMath::reductions_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<float>("expected"); // of 1, -2, 3
    const auto row = [](OpKind kind, double expected) {
        QTest::newRow(ir::opKindName(kind)) << int(kind) << float(expected);
    };
    row(OpKind::ReduceSum, 2);
    row(OpKind::ReduceMean, 2.0 / 3);
    row(OpKind::ReduceProd, -6);
    row(OpKind::ReduceMax, 3);
    row(OpKind::ReduceMin, -2);
    row(OpKind::ReduceL1, 6);
    row(OpKind::ReduceL2, std::sqrt(14.0));
    row(OpKind::ReduceSumSquare, 14);
    row(OpKind::ReduceLogSum, std::log(2.0));
    row(OpKind::ReduceLogSumExp, std::log(std::exp(1.0) + std::exp(-2.0) + std::exp(3.0)));
}

/// Over dimension 1 of [2, 3, 1]; the second row is 0, 0, 0 but for one element, which must not leak into the first.
void TestMath::reductions() {
    QFETCH(int, kind);
    QFETCH(float, expected);
    const Value x = tensor<float>({2, 3, 1}, {1, -2, 3, 0, 100, 0});
    const ir::Attributes attributes{{"axes", Longs{1}}, {"keepdims", std::int64_t(0)}};
    const auto y = evaluate(OpKind(kind), attributes, {&x}, {floats({2, 1})});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(y->front().as<float>()[0], expected);
    QVERIFY(!evaluate(OpKind(kind), attributes, {&x}, {floats({2, 3})}));
}

void TestMath::extremaChooseIndices() {
    const Value x = tensor<std::int8_t>({2, 3}, {5, 7, 7, -1, -4, -4}, perTensor(0.25, 3));
    const auto indices = [&](OpKind kind, std::int64_t last) {
        const ir::Attributes attributes{
            {"axis", std::int64_t(1)}, {"keepdims", std::int64_t(1)}, {"select_last_index", last}};
        const auto y = evaluate(kind, attributes, {&x}, {{ElementType::Int64, {2, 1}, {}}});
        return y ? elementsOf<std::int64_t>(y->front()) : Longs();
    };
    QCOMPARE(indices(OpKind::ArgMax, 0), (Longs{1, 0}));
    QCOMPARE(indices(OpKind::ArgMax, 1), (Longs{2, 0}));
    QCOMPARE(indices(OpKind::ArgMin, 0), (Longs{0, 1}));
    QCOMPARE(indices(OpKind::ArgMin, 1), (Longs{0, 2}));
}

/// [1 2] and [3 4], times the columns [1 1]' and [0 2]'.
void TestMath::matricesBroadcast() {
    const Value a = tensor<float>({2, 1, 1, 2}, {1, 2, 3, 4});
    const Value b = tensor<float>({2, 2, 1}, {1, 1, 0, 2});
    const auto y = evaluate(OpKind::MatMul, {{"alpha", 0.5}}, {&a, &b}, {floats({2, 2, 1, 1})});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<float>(y->front()), (Floats{1.5F, 2, 3.5F, 4}));
}

void TestMath::normalisations() {
    const Value x = tensor<float>({1, 2, 2}, {1, 3, 5, 5});
    const Value scale = tensor<float>({2}, {2, 3}), bias = tensor<float>({2}, {1, -1});
    const ir::Attributes exact{{"epsilon", 0.0}, {"axis", std::int64_t(1)}};
    const ir::Attributes half{{"epsilon", 1.0}};
    // Channel 0: mean 2, variance 1, with epsilon 1 -+1 / sqrt(2); channel 1 has no variance.
    const auto instance = evaluate(OpKind::InstanceNormalization, half, {&x, &scale, &bias}, {floats({1, 2, 2})});
    POOLWRIGHT_VERIFY_RESULT(instance);
    const double root = std::sqrt(2.0);
    QCOMPARE(elementsOf<float>(instance->front()), (Floats{float(1 - root), float(1 + root), -1, -1}));
    const Value lines = tensor<float>({2, 2}, {1, 3, 7, 5});
    const auto layer = evaluate(OpKind::LayerNormalization, exact, {&lines, &scale}, {floats({2, 2})});
    POOLWRIGHT_VERIFY_RESULT(layer);
    QCOMPARE(elementsOf<float>(layer->front()), (Floats{-2, 3, 2, -3}));
    const Value sides = tensor<float>({2, 2}, {3, 4, 0, 0});
    const auto unit = evaluate(OpKind::LpNormalization, {{"p", std::int64_t(2)}}, {&sides}, {floats({2, 2})});
    POOLWRIGHT_VERIFY_RESULT(unit);
    QCOMPARE(elementsOf<float>(unit->front()), (Floats{0.6F, 0.8F, 0, 0}));
}

void TestMath::castsTruncate() {
    const Value x = tensor<float>({4}, {2.9F, -2.9F, 0, 300});
    const auto cast = [&](ElementType type) { return evaluate(OpKind::Cast, {}, {&x}, {{type, {4}, {}}}); };
    const auto integers = cast(ElementType::Int64), truths = cast(ElementType::Bool);
    POOLWRIGHT_VERIFY_RESULT(integers);
    QCOMPARE(elementsOf<std::int64_t>(integers->front()), (Longs{2, -2, 0, 300}));
    POOLWRIGHT_VERIFY_RESULT(truths);
    QCOMPARE(truths->front().bytes, (std::vector<std::uint8_t>{1, 1, 0, 1}));
}

QTEST_APPLESS_MAIN(TestMath)
#include "tst_math.moc"
