// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

using Integers = std::vector<std::int64_t>;
using Bytes = std::vector<std::int8_t>;
using Floats = std::vector<float>;

class TestLayout : public QObject {
    Q_OBJECT
private slots:
    void concat();
    void concatRequantisesEachPart();
    void pad_data();
    void pad();
    void negativePadsCrop();
    void padRefusals();
    void cubic();
    void regionOfInterest();
    void antialias();
    void nearest_data();
    void nearest();
    void nearestInTwoDimensions();
    void linear_data();
    void linear();
    void linearOnBytesRoundsOnce();
};

void TestLayout::concat() {
    const Value a = tensor<std::int64_t>({2, 1}, {1, 2});
    const Value b = tensor<std::int64_t>({2, 2}, {3, 4, 5, 6});
    const auto y =
        evaluate(ir::OpKind::Concat, {{"axis", std::int64_t(-1)}}, {&a, &b}, {{ir::ElementType::Int64, {2, 3}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{1, 3, 4, 2, 5, 6}));
    QVERIFY(
        !evaluate(ir::OpKind::Concat, {{"axis", std::int64_t(0)}}, {&a, &b}, {{ir::ElementType::Int64, {4, 1}, {}}}));
    QVERIFY(
        !evaluate(ir::OpKind::Concat, {{"axis", std::int64_t(1)}}, {&a, &b}, {{ir::ElementType::Int64, {2, 4}, {}}}));
}

void TestLayout::concatRequantisesEachPart() {
    const Value a = tensor<std::int8_t>({1, 2}, {1, 100}, perTensor(1.0, 0));
    const Value b = tensor<std::int8_t>({1, 2}, {1, 3}, perTensor(0.5, 2)); // -0.5, 0.5
    const auto y = evaluate(ir::OpKind::Concat, {{"axis", std::int64_t(1)}}, {&a, &b},
                            {{ir::ElementType::Int8, {1, 4}, perTensor(0.5, 2)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{4, 127, 1, 3}));
}

void TestLayout::pad_data() {
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<QList<int>>("expected");
    using L = QList<int>;
    QTest::newRow("constant") << QByteArray("constant") << L{9, 9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 4, 5, 6, 9};
    QTest::newRow("edge") << QByteArray("edge") << L{1, 1, 2, 3, 3, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6};
    QTest::newRow("reflect") << QByteArray("reflect") << L{5, 4, 5, 6, 5, 2, 1, 2, 3, 2, 5, 4, 5, 6, 5};
    QTest::newRow("wrap") << QByteArray("wrap") << L{6, 4, 5, 6, 4, 3, 1, 2, 3, 1, 6, 4, 5, 6, 4};
}

/// [1 2 3; 4 5 6] with one row above and one column at either side; the constant is real 0, the zero point 9.
void TestLayout::pad() {
    QFETCH(QByteArray, mode);
    QFETCH(QList<int>, expected);
    const Value x = tensor<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6}, perTensor(0.5, 9));
    const ir::Attributes attributes{{"mode", mode.toStdString()}, {"pads", Integers{1, 1, 0, 1}}};
    const auto y = evaluate(ir::OpKind::Pad, attributes, {&x}, {{ir::ElementType::Int8, {3, 5}, x.quantisation}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), Bytes(expected.begin(), expected.end()));
}

/// Cropping comes first: what wraps around are the elements that are left.
void TestLayout::negativePadsCrop() {
    const Value x = tensor<std::int8_t>({5}, {1, 2, 3, 4, 5}, perTensor(0.5, 9));
    const OutputSpec five{ir::ElementType::Int8, {5}, x.quantisation};
    const ir::Attributes attributes{{"pads", Integers{-2, 2}}, {"mode", std::string("wrap")}};
    const auto wrapped = evaluate(ir::OpKind::Pad, attributes, {&x}, {five});
    POOLWRIGHT_VERIFY_RESULT(wrapped);
    QCOMPARE(elementsOf<std::int8_t>(wrapped->front()), (Bytes{3, 4, 5, 3, 4}));
    const auto cropped = evaluate(ir::OpKind::Pad, {{"pads", Integers{-2, 2}}}, {&x}, {five});
    POOLWRIGHT_VERIFY_RESULT(cropped);
    QCOMPARE(elementsOf<std::int8_t>(cropped->front()), (Bytes{3, 4, 5, 9, 9}));
}

void TestLayout::padRefusals() {
    const Value x = tensor<std::int8_t>({3}, {1, 2, 3}, perTensor(0.5, 9));
    const OutputSpec two{ir::ElementType::Int8, {2}, x.quantisation}, six{ir::ElementType::Int8, {6}, x.quantisation};
    QVERIFY(!evaluate(ir::OpKind::Pad, {{"pads", Integers{-4, 3}}}, {&x}, {two}));
    QVERIFY(!evaluate(ir::OpKind::Pad, {{"pads", Integers{-1, 1}}}, {&x}, {two}));
    QVERIFY(!evaluate(ir::OpKind::Pad, {{"pads", Integers{1, 1}}}, {&x}, {six}));
    QVERIFY(!evaluate(ir::OpKind::Pad, {{"pads", Integers{3, 0}}, {"mode", std::string("reflect")}}, {&x}, {six}));
    QVERIFY(!evaluate(ir::OpKind::Pad, {{"pads", Integers{2, 1}}, {"mode", std::string("circular")}}, {&x}, {six}));
    QVERIFY(evaluate(ir::OpKind::Pad, {{"pads", Integers{3, 0}}}, {&x}, {six}));
}

void TestLayout::nearest_data() {
    QTest::addColumn<QByteArray>("coordinates");
    QTest::addColumn<QByteArray>("rounding");
    QTest::addColumn<int>("extent");
    QTest::addColumn<QList<int>>("expected"); // of the elements 0 1 2 3
    using L = QList<int>;
    // 2x: half_pixel reads at -0.25 0.25 0.75 1.25 1.75 2.25 2.75 3.25
    QTest::newRow("half_pixel 2x") << QByteArray("half_pixel") << QByteArray("round_prefer_floor") << 8
                                   << L{0, 0, 1, 1, 2, 2, 3, 3};
    QTest::newRow("half_pixel 2x floor") << QByteArray("half_pixel") << QByteArray("floor") << 8
                                         << L{0, 0, 0, 1, 1, 2, 2, 3};
    QTest::newRow("half_pixel 2x ceil") << QByteArray("half_pixel") << QByteArray("ceil") << 8
                                        << L{0, 1, 1, 2, 2, 3, 3, 3};
    QTest::newRow("asymmetric 2x") << QByteArray("asymmetric") << QByteArray("floor") << 8 << L{0, 0, 1, 1, 2, 2, 3, 3};
    QTest::newRow("asymmetric 2x prefer floor")
        << QByteArray("asymmetric") << QByteArray("round_prefer_floor") << 8 << L{0, 0, 1, 1, 2, 2, 3, 3};
    QTest::newRow("asymmetric 2x prefer ceil")
        << QByteArray("asymmetric") << QByteArray("round_prefer_ceil") << 8 << L{0, 1, 1, 2, 2, 3, 3, 3};
    // 7 elements on 4: align_corners reads at 0 0.5 1 1.5 2 2.5 3
    QTest::newRow("align_corners") << QByteArray("align_corners") << QByteArray("round_prefer_floor") << 7
                                   << L{0, 0, 1, 1, 2, 2, 3};
    // half: half_pixel reads at 0.5 2.5
    QTest::newRow("half_pixel half") << QByteArray("half_pixel") << QByteArray("round_prefer_floor") << 2 << L{0, 2};
    // without the half that is taken off: 1 3
    QTest::newRow("tf_half_pixel_for_nn half")
        << QByteArray("tf_half_pixel_for_nn") << QByteArray("floor") << 2 << L{1, 3};
    QTest::newRow("half_pixel half prefer ceil")
        << QByteArray("half_pixel") << QByteArray("round_prefer_ceil") << 2 << L{1, 3};
    // quarter: half_pixel reads at 1.5, pytorch_half_pixel at 0
    QTest::newRow("half_pixel one") << QByteArray("half_pixel") << QByteArray("ceil") << 1 << L{2};
    QTest::newRow("pytorch_half_pixel one") << QByteArray("pytorch_half_pixel") << QByteArray("ceil") << 1 << L{0};
}

void TestLayout::nearest() {
    QFETCH(QByteArray, coordinates);
    QFETCH(QByteArray, rounding);
    QFETCH(int, extent);
    QFETCH(QList<int>, expected);
    const Value x = tensor<std::int8_t>({1, 1, 4}, {0, 1, 2, 3}, perTensor(1.0));
    const ir::Attributes attributes{{"mode", std::string("nearest")},
                                    {"coordinate_transformation_mode", coordinates.toStdString()},
                                    {"nearest_mode", rounding.toStdString()}};
    const auto y =
        evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Int8, {1, 1, extent}, x.quantisation}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), Bytes(expected.begin(), expected.end()));
}

void TestLayout::nearestInTwoDimensions() {
    const Value x = tensor<std::int8_t>({1, 2, 1, 2}, {1, 2, 3, 4}, perTensor(1.0));
    const ir::Attributes attributes{{"coordinate_transformation_mode", std::string("asymmetric")},
                                    {"nearest_mode", std::string("floor")}};
    const auto y =
        evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Int8, {1, 2, 2, 4}, perTensor(0.5)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{2, 2, 4, 4, 2, 2, 4, 4, 6, 6, 8, 8, 6, 6, 8, 8}));
    QVERIFY(!evaluate(ir::OpKind::Resize, {{"scales", std::vector<double>{1, 1, 2, 3}}}, {&x},
                      {{ir::ElementType::Int8, {1, 2, 2, 4}, perTensor(0.5)}}));
    QVERIFY(!evaluate(ir::OpKind::Resize, {{"mode", std::string("area")}}, {&x},
                      {{ir::ElementType::Int8, {1, 2, 2, 4}, perTensor(0.5)}}));
}

void TestLayout::linear_data() {
    QTest::addColumn<QByteArray>("coordinates");
    QTest::addColumn<QList<float>>("expected"); // of 0 8 16, doubled
    QTest::newRow("half_pixel") << QByteArray("half_pixel") << QList<float>{0, 2, 6, 10, 14, 16};
    QTest::newRow("asymmetric") << QByteArray("asymmetric") << QList<float>{0, 4, 8, 12, 16, 16};
    QTest::newRow("align_corners") << QByteArray("align_corners") << QList<float>{0, 3.2f, 6.4f, 9.6f, 12.8f, 16};
}

void TestLayout::linear() {
    QFETCH(QByteArray, coordinates);
    QFETCH(QList<float>, expected);
    const Value x = tensor<float>({1, 1, 3, 1}, {0, 8, 16});
    const ir::Attributes attributes{{"mode", std::string("linear")},
                                    {"coordinate_transformation_mode", coordinates.toStdString()}};
    const auto y = evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Float32, {1, 1, 6, 1}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<float>(y->front()), Floats(expected.begin(), expected.end()));
}

/// Corners 0 0 0 4: the quarter points of both axes give 4 * 1/4 * 1/4, ..., rounded once.
void TestLayout::linearOnBytesRoundsOnce() {
    const Value x = tensor<std::int8_t>({1, 1, 2, 2}, {0, 0, 0, 4}, perTensor(1.0));
    const ir::Attributes attributes{{"mode", std::string("linear")}};
    const auto y =
        evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Int8, {1, 1, 4, 4}, perTensor(0.25, -1)}});
    POOLWRIGHT_VERIFY_RESULT(y); // shares 0 1/4 3/4 1 per axis, 16 steps in the corner
    QCOMPARE(elementsOf<std::int8_t>(y->front()), (Bytes{-1, -1, -1, -1, -1, 0, 2, 3, -1, 2, 8, 11, -1, 3, 11, 15}));
}

/// A straight line stays one under Keys' kernel (coefficient -0.5) inside; at 1/2 its shares are -1/16 9/16 9/16 -1/16.
void TestLayout::cubic() {
    const Value x = tensor<float>({1, 1, 1, 6}, {0, 1, 4, 9, 16, 25});
    ir::Attributes attributes{{"mode", std::string("cubic")},
                              {"coordinate_transformation_mode", std::string("align_corners")},
                              {"cubic_coeff_a", -0.5}};
    const OutputSpec eleven{ir::ElementType::Float32, {1, 1, 1, 11}, {}};
    const auto y = evaluate(ir::OpKind::Resize, attributes, {&x}, {eleven});
    POOLWRIGHT_VERIFY_RESULT(y);
    const Floats values = elementsOf<float>(y->front());
    QCOMPARE(values[4], 4.0F);
    QCOMPARE(values[5], (-1.0F + 9 * 4 + 9 * 9 - 16) / 16);
    QCOMPARE(values[1], (0.0F + 9 * 0 + 9 * 1 - 4) / 16); // the tap outside repeats the edge
    attributes["exclude_outside"] = std::int64_t(1);
    const auto excluded = evaluate(ir::OpKind::Resize, attributes, {&x}, {eleven});
    POOLWRIGHT_VERIFY_RESULT(excluded);
    QCOMPARE(elementsOf<float>(excluded->front())[1], (9.0F * 0 + 9 * 1 - 4) / 17); // or is left out
}

/// The part from 1/2 to 3/2 of four elements: coordinates 1.5 3 4.5, the last one outside.
void TestLayout::regionOfInterest() {
    const Value x = tensor<float>({4}, {10, 20, 30, 40});
    ir::Attributes attributes{{"mode", std::string("linear")},
                              {"coordinate_transformation_mode", std::string("tf_crop_and_resize")},
                              {"roi", std::vector<double>{0.5, 1.5}},
                              {"extrapolation_value", -1.0}};
    const auto y = evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Float32, {3}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<float>(y->front()), (Floats{25, 40, -1}));
    attributes["mode"] = std::string("nearest");
    const auto nearest = evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Float32, {3}, {}}});
    POOLWRIGHT_VERIFY_RESULT(nearest);
    QCOMPARE(elementsOf<float>(nearest->front()), (Floats{20, 40, -1}));
}

/// Four elements on two: the tent is two elements wide either side of 0.5 and 2.5, shares 1 3 3 1 of 8; the one outside
/// counts as the edge or not at all.
void TestLayout::antialias() {
    const Value x = tensor<float>({4}, {8, 16, 24, 56});
    ir::Attributes attributes{{"mode", std::string("linear")}, {"antialias", std::int64_t(1)}};
    const auto y = evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Float32, {2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<float>(y->front()),
             (Floats{(8 + 3 * 8 + 3 * 16 + 24) / 8.0F, (16 + 3 * 24 + 3 * 56 + 56) / 8.0F}));
    attributes["exclude_outside"] = std::int64_t(1);
    const auto excluded = evaluate(ir::OpKind::Resize, attributes, {&x}, {{ir::ElementType::Float32, {2}, {}}});
    POOLWRIGHT_VERIFY_RESULT(excluded);
    QCOMPARE(elementsOf<float>(excluded->front()),
             (Floats{float((3 * 8 + 3 * 16 + 24) / 7.0), float((16 + 3 * 24 + 3 * 56) / 7.0)}));
}

QTEST_APPLESS_MAIN(TestLayout)
#include "tst_layout.moc"
