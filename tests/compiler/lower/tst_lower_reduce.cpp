// SPDX-License-Identifier: Apache-2.0
#include "lowered.h"

#include <functional>

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

using Integers = std::vector<std::int64_t>;

/// Reductions, minima, comparisons and logic: every value by loops over the definition.
class TestLowerReduce : public QObject {
    Q_OBJECT

private slots:
    void reductions_data();
    void reductions();
    void pairs_data();
    void pairs();
    void logic();
};

namespace {

/// Runs the graph, which must not need software, on bytes chosen at random.
Result<std::vector<reference::Value>> runOnUnits(const ir::Graph& graph, const std::vector<reference::Value>& inputs) {
    auto compiled = test::compileGraph(graph);
    if (!compiled)
        return tl::unexpected(compiled.error());
    if (test::epochsOfKind(compiled->program, program::EpochKind::Software) > 0)
        return fail(makeError("test", test::reasonsOf(compiled->program).toStdString()));
    return emulate::run(compiled->program, inputs);
}

std::int64_t offsetOf(const Integers& index, const ir::Shape& shape) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < shape.size(); ++i)
        offset = offset * shape[i] + index[i];
    return offset;
}

void forEachIndex(const ir::Shape& shape, const std::function<void(const Integers&)>& visit) {
    Integers index(shape.size(), 0);
    for (std::int64_t n = 0; n < ir::elementCount(shape); ++n) {
        visit(index);
        for (std::size_t i = shape.size(); i-- > 0 && ++index[i] == shape[i];)
            index[i] = 0;
    }
}

} // namespace

void TestLowerReduce::reductions_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<std::vector<std::int64_t>>("shape");
    QTest::addColumn<std::vector<std::int64_t>>("axes");
    for (OpKind kind : {OpKind::ReduceMean, OpKind::ReduceSum, OpKind::ReduceMax, OpKind::ReduceMin}) {
        for (const Integers& axes : {Integers{1}, {2}, {3}, {2, 3}, {1, 2}, {1, 2, 3}, {0, 1, 2, 3}})
            for (const Integers& shape : {Integers{1, 24, 5, 6}, Integers{2, 7, 3, 4}})
                QTest::addRow("%s %d axes from %d of %d", ir::opKindName(kind), int(axes.size()), int(axes[0]),
                              int(shape[1]))
                    << int(kind) << shape << axes;
        QTest::addRow("%s of a matrix", ir::opKindName(kind)) << int(kind) << Integers{3, 5, 40} << Integers{2};
        QTest::addRow("%s of a long line", ir::opKindName(kind)) << int(kind) << Integers{1, 9000} << Integers{1};
    }
}

void TestLowerReduce::reductions() {
    QFETCH(int, kind);
    QFETCH(std::vector<std::int64_t>, shape);
    QFETCH(std::vector<std::int64_t>, axes);
    const bool averages = OpKind(kind) == OpKind::ReduceMean || OpKind(kind) == OpKind::ReduceSum;
    for (unsigned seed = 0; seed < 4; ++seed) {
        GraphMaker g(seed);
        const std::int64_t keep = seed % 2;
        ir::Shape outShape;
        std::int64_t elements = 1;
        for (std::int64_t i = 0; i < std::int64_t(shape.size()); ++i) {
            const bool reduced = std::count(axes.begin(), axes.end(), i) > 0;
            elements *= reduced ? shape[std::size_t(i)] : 1;
            if (!reduced || keep)
                outShape.push_back(reduced ? 1 : shape[std::size_t(i)]);
        }
        const ir::Quantisation in{{g.scale()}, {g.pick(-128, 127)}, -1};
        const double times = OpKind(kind) == OpKind::ReduceSum ? double(elements) : 1;
        const ir::Quantisation out =
            averages ? ir::Quantisation{{in.scales[0] * times * g.scale(0.05, 0.6)}, {g.pick(-60, 60)}, -1} : in;
        const TensorId x = g.activation(shape, in);
        g.graph.inputs.push_back(x);
        g.output(g.node(OpKind(kind), {x}, outShape, out, {{"axes", axes}, {"keepdims", keep}}));
        const auto inputs = test::randomInputs(g.graph, seed);
        const auto outputs = runOnUnits(g.graph, inputs);
        POOLWRIGHT_VERIFY_RESULT(outputs);
        std::map<std::int64_t, std::vector<int>> groups; // result -> its elements
        forEachIndex(shape, [&](const Integers& index) {
            Integers kept = index;
            for (std::int64_t axis : axes)
                kept[std::size_t(axis)] = 0;
            groups[offsetOf(kept, shape)].push_back(inputs[0].as<std::int8_t>()[offsetOf(index, shape)]);
        });
        std::size_t next = 0; // groups come in the order of the results
        for (const auto& [first, values] : groups) {
            double wanted = 0;
            if (averages) {
                for (int value : values)
                    wanted += (value - in.zeroPoints[0]) * in.scales[0] * times / double(elements);
                wanted = std::clamp(wanted / out.scales[0] + out.zeroPoints[0], -128.0, 127.0);
            } else {
                wanted = OpKind(kind) == OpKind::ReduceMax ? *std::max_element(values.begin(), values.end())
                                                           : *std::min_element(values.begin(), values.end());
            }
            const int got = (*outputs)[0].as<std::int8_t>()[next++];
            QVERIFY2(std::abs(got - wanted) <= (averages ? 0.6 : 0),
                     qPrintable(QString("%1 for %2").arg(got).arg(wanted)));
        }
        QCOMPARE(std::int64_t(next), ir::elementCount(outShape));
    }
}

void TestLowerReduce::pairs_data() {
    QTest::addColumn<int>("kind");
    for (OpKind kind : {OpKind::Min, OpKind::Max, OpKind::Equal, OpKind::Less, OpKind::LessOrEqual, OpKind::Greater,
                        OpKind::GreaterOrEqual})
        QTest::addRow("%s", ir::opKindName(kind)) << int(kind);
}

/// Two activations, the second broadcast along rows.
void TestLowerReduce::pairs() {
    QFETCH(int, kind);
    const bool picks = OpKind(kind) == OpKind::Min || OpKind(kind) == OpKind::Max;
    for (unsigned seed = 0; seed < 10; ++seed) {
        GraphMaker g(seed);
        const ir::Quantisation a = g.parameters(), b = picks ? g.parameters() : a, c = g.parameters();
        const TensorId x = g.activation({3, 50}, a), y = g.activation({1, 50}, b);
        g.graph.inputs = {x, y};
        const TensorId out = g.node(OpKind(kind), {x, y}, {3, 50}, c);
        if (!picks) {
            g.graph[out].type = ir::ElementType::Bool;
            g.graph[out].quantisation.reset();
        }
        g.output(out);
        const auto inputs = test::randomInputs(g.graph, seed);
        const auto outputs = runOnUnits(g.graph, inputs);
        POOLWRIGHT_VERIFY_RESULT(outputs);
        for (int i = 0; i < 150; ++i) {
            const int qx = inputs[0].as<std::int8_t>()[i], qy = inputs[1].as<std::int8_t>()[i % 50];
            const int got = (*outputs)[0].as<std::int8_t>()[i];
            if (picks) {
                const double rx = (qx - a.zeroPoints[0]) * a.scales[0], ry = (qy - b.zeroPoints[0]) * b.scales[0];
                const double real = OpKind(kind) == OpKind::Min ? std::min(rx, ry) : std::max(rx, ry);
                QVERIFY(std::abs(got - std::clamp(real / c.scales[0] + c.zeroPoints[0], -128.0, 127.0)) <= 0.51);
                continue;
            }
            const bool wanted = OpKind(kind) == OpKind::Equal         ? qx == qy
                                : OpKind(kind) == OpKind::Less        ? qx < qy
                                : OpKind(kind) == OpKind::LessOrEqual ? qx <= qy
                                : OpKind(kind) == OpKind::Greater     ? qx > qy
                                                                      : qx >= qy;
            QCOMPARE(got, int(wanted));
        }
    }
}

void TestLowerReduce::logic() {
    for (OpKind kind : {OpKind::And, OpKind::Or, OpKind::Xor, OpKind::Not}) {
        GraphMaker g(1);
        const auto truths = [&] {
            const TensorId tensor = g.activation({1, 4}, {{1}, {0}, -1});
            g.graph[tensor].type = ir::ElementType::Bool;
            g.graph[tensor].quantisation.reset();
            return tensor;
        };
        const TensorId x = truths(), y = truths();
        g.graph.inputs = {x, y};
        std::vector<TensorId> operands{x, y};
        if (kind == OpKind::Not)
            operands.pop_back();
        const TensorId out = g.node(kind, operands, {1, 4}, {{1}, {0}, -1});
        g.graph[out].type = ir::ElementType::Bool;
        g.graph[out].quantisation.reset();
        g.output(out);
        const std::vector<reference::Value> inputs{{ir::ElementType::Bool, {1, 4}, {}, {0, 0, 1, 1}},
                                                   {ir::ElementType::Bool, {1, 4}, {}, {0, 1, 0, 1}}};
        const auto outputs = runOnUnits(g.graph, inputs);
        POOLWRIGHT_VERIFY_RESULT(outputs);
        const std::vector<std::uint8_t> wanted = kind == OpKind::And   ? std::vector<std::uint8_t>{0, 0, 0, 1}
                                                 : kind == OpKind::Or  ? std::vector<std::uint8_t>{0, 1, 1, 1}
                                                 : kind == OpKind::Xor ? std::vector<std::uint8_t>{0, 1, 1, 0}
                                                                       : std::vector<std::uint8_t>{1, 1, 0, 0};
        QVERIFY((*outputs)[0].bytes == wanted);
    }
}

QTEST_APPLESS_MAIN(TestLowerReduce)
#include "tst_lower_reduce.moc"
