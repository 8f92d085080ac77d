// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

#include <numeric>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

using Integers = std::vector<std::int64_t>;
using Bytes = std::vector<std::int8_t>;

namespace {

/// 0, 1, 2, ... in the given shape: the elements of a result then say where they come from.
Value counted(const ir::Shape& shape) {
    Integers elements(std::size_t(ir::elementCount(shape)));
    std::iota(elements.begin(), elements.end(), 0);
    return tensor<std::int64_t>(shape, elements);
}

Result<std::vector<Value>> moved(ir::OpKind kind, const ir::Attributes& attributes, const std::vector<const Value*>& x,
                                 const ir::Shape& shape) {
    return evaluate(kind, attributes, x, {{x[0]->type, shape, x[0]->quantisation}});
}

} // namespace

class TestMove : public QObject {
    Q_OBJECT
private slots:
    void split();
    void splitRequantisesEachPart();
    void slice();
    void gather();
    void gatherAlongTheMiddle();
    void expand();
    void tile();
    void depthToSpace();
    void spaceToDepthUndoesDepthToSpace();
    void refusals();
};

void TestMove::split() {
    const Value x = counted({2, 5});
    const OutputSpec three{ir::ElementType::Int64, {2, 3}, {}}, two{ir::ElementType::Int64, {2, 2}, {}};
    const auto y = evaluate(ir::OpKind::Split, {{"axis", std::int64_t(1)}}, {&x}, {three, two});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->at(0)), (Integers{0, 1, 2, 5, 6, 7}));
    QCOMPARE(elementsOf<std::int64_t>(y->at(1)), (Integers{3, 4, 8, 9}));
    QVERIFY(!evaluate(ir::OpKind::Split, {{"axis", std::int64_t(1)}}, {&x}, {three, three}));
    QVERIFY(!evaluate(ir::OpKind::Split, {{"axis", std::int64_t(1)}}, {&x}, {two, two}));
}

void TestMove::splitRequantisesEachPart() {
    const Value x = tensor<std::int8_t>({2}, {10, 20}, perTensor(0.5));
    const auto y =
        evaluate(ir::OpKind::Split, {{"axis", std::int64_t(0)}}, {&x},
                 {{ir::ElementType::Int8, {1}, perTensor(0.25, 1)}, {ir::ElementType::Int8, {1}, perTensor(1.0)}});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int8_t>(y->at(0)), Bytes{21});
    QCOMPARE(elementsOf<std::int8_t>(y->at(1)), Bytes{10});
}

void TestMove::slice() {
    const Value x = counted({3, 4});
    const ir::Attributes backwards{{"starts", Integers{2, 0}}, {"ends", Integers{-1, 4}}, {"steps", Integers{-2, 3}}};
    const auto y = moved(ir::OpKind::Slice, backwards, {&x}, {2, 2});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{8, 11, 0, 3}));
}

void TestMove::gather() {
    const Value x = counted({4});
    const Value indices = tensor<std::int64_t>({2, 2}, {-1, 0, 2, 2});
    const auto y = moved(ir::OpKind::Gather, {{"axis", std::int64_t(0)}}, {&x, &indices}, {2, 2});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{3, 0, 2, 2}));
}

void TestMove::gatherAlongTheMiddle() {
    const Value x = counted({2, 3, 2});
    const Value indices = tensor<std::int32_t>({1}, {1});
    const auto y = moved(ir::OpKind::Gather, {{"axis", std::int64_t(-2)}}, {&x, &indices}, {2, 1, 2});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{2, 3, 8, 9}));
}

void TestMove::expand() {
    const Value x = counted({2, 1});
    const auto y = moved(ir::OpKind::Expand, {}, {&x}, {2, 2, 3});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
}

void TestMove::tile() {
    const Value x = counted({2, 2});
    const auto y = moved(ir::OpKind::Tile, {{"repeats", Integers{2, 2}}}, {&x}, {4, 4});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<std::int64_t>(y->front()), (Integers{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
}

/// Eight channels of one pixel: what becomes of channel c follows from the ONNX description's reshape.
void TestMove::depthToSpace() {
    const Value x = counted({1, 8, 1, 1});
    ir::Attributes attributes{{"blocksize", std::int64_t(2)}, {"mode", std::string("DCR")}};
    const auto dcr = moved(ir::OpKind::DepthToSpace, attributes, {&x}, {1, 2, 2, 2});
    POOLWRIGHT_VERIFY_RESULT(dcr);
    QCOMPARE(elementsOf<std::int64_t>(dcr->front()), (Integers{0, 2, 4, 6, 1, 3, 5, 7}));
    attributes["mode"] = std::string("CRD");
    const auto crd = moved(ir::OpKind::DepthToSpace, attributes, {&x}, {1, 2, 2, 2});
    POOLWRIGHT_VERIFY_RESULT(crd);
    QCOMPARE(elementsOf<std::int64_t>(crd->front()), (Integers{0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestMove::spaceToDepthUndoesDepthToSpace() {
    const Value x = counted({2, 18, 2, 5});
    const ir::Attributes attributes{{"blocksize", std::int64_t(3)}, {"mode", std::string("DCR")}};
    const auto y = moved(ir::OpKind::DepthToSpace, attributes, {&x}, {2, 2, 6, 15});
    POOLWRIGHT_VERIFY_RESULT(y);
    const auto z = moved(ir::OpKind::SpaceToDepth, attributes, {&y->front()}, {2, 18, 2, 5});
    POOLWRIGHT_VERIFY_RESULT(z);
    QCOMPARE(elementsOf<std::int64_t>(z->front()), elementsOf<std::int64_t>(x));
}

void TestMove::refusals() {
    const Value x = counted({4});
    const Value outside = tensor<std::int64_t>({1}, {4});
    QVERIFY(!moved(ir::OpKind::Gather, {}, {&x, &outside}, {1}));
    const auto slice = [&x](std::int64_t start, std::int64_t step) {
        return moved(ir::OpKind::Slice, {{"starts", Integers{start}}, {"steps", Integers{step}}}, {&x}, {2});
    };
    QVERIFY(slice(2, 1));
    QVERIFY(!slice(3, 1));
    QVERIFY(!slice(0, -1));
    QVERIFY(!slice(0, 0));
    QVERIFY(!slice(0, std::numeric_limits<std::int64_t>::max()));
    QVERIFY(!moved(ir::OpKind::Expand, {}, {&x}, {3}));
    QVERIFY(!moved(ir::OpKind::Tile, {{"repeats", Integers{2}}}, {&x}, {4}));
}

QTEST_APPLESS_MAIN(TestMove)
#include "tst_move.moc"
