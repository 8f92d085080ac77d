// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "lowered.h"

using namespace poolwright;
using test::GraphMaker;

/// Concatenations: written in place, read from their parts, or copied late. What is computed never depends on it.
class TestLowerConcat : public QObject {
    Q_OBJECT

private slots:
    void readFromParts_data();
    void readFromParts();
    void peakOfASkip();
    void manyReaders();
    void copiedLate();
    void neighboursStayInPlace();
    void sumsInIdleRows();
};

namespace {

using Window = GraphMaker::Window;

struct Case {
    const char* name;
    std::vector<std::int64_t> channels; ///< of the parts; the first one waits
    std::int64_t height, width;
    Window reader;
    bool isApart = true; ///< false: the convolution would lose more than is won
};

const std::vector<Case>& cases() {
    static const std::vector<Case> list{
        {"equal parts 3x3", {16, 16}, 17, 19, {12, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"unequal parts 3x3", {24, 8}, 16, 16, {16, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"prime counts", {13, 7}, 11, 13, {17, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"large primes", {37, 31}, 9, 9, {23, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"three parts", {16, 8, 24}, 12, 10, {10, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"four parts", {16, 16, 16, 16}, 12, 10, {24, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"1x1", {64, 64}, 14, 14, {32, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}},
        {"stride 2", {16, 24}, 15, 17, {9, 3, 3, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}}},
        {"long kernel", {8, 8}, 13, 21, {6, 5, 3, 1, {1, 1}, {1, 1}, {2, 1, 2, 1}}},
        {"dilated", {16, 8}, 14, 14, {8, 3, 3, 1, {1, 1}, {2, 2}, {2, 2, 2, 2}}, false},
        {"partial sums", {96, 64}, 9, 9, {40, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"wide line", {8, 8}, 4, 400, {8, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}},
        {"one channel beside many", {1, 40}, 9, 9, {8, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}, false},
    };
    return list;
}

/// Parts of one quantisation, the first one made long before the others, joined; `image` is 4 channels.
TensorId skipped(GraphMaker& maker, TensorId image, const std::vector<std::int64_t>& channels) {
    const Window same{1, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}};
    const ir::Quantisation shared{{0.05}, {-3}, -1};
    const auto part = [&](TensorId from, std::int64_t outputs) {
        Window window = same;
        window.outputs = outputs;
        const TensorId made = maker.conv(from, window);
        maker.graph[made].quantisation = shared;
        return made;
    };
    std::vector<TensorId> parts{part(image, channels[0])};
    TensorId deep = image;
    for (int i = 0; i < 3; ++i) // what comes between
        deep = part(deep, 2 * channels.back());
    for (std::size_t i = 1; i < channels.size(); ++i)
        parts.push_back(part(deep, channels[i]));
    ir::Shape shape = maker.graph[image].shape;
    shape[1] = 0;
    for (std::int64_t count : channels)
        shape[1] += count;
    return maker.node(ir::OpKind::Concat, parts, shape, shared, {{"axis", std::int64_t(1)}});
}

const program::Buffer* bufferOf(const program::Program& program, const std::string& tensor) {
    for (const program::Buffer& buffer : program.buffers)
        for (const program::TensorView& view : buffer.tensors)
            if (view.name == tensor)
                return &buffer;
    return nullptr;
}

std::int64_t peakOf(const program::Program& program) {
    std::int64_t peak = 0;
    for (int epoch = 0; epoch <= program.lastEpoch(); ++epoch) {
        std::int64_t alive = 0;
        for (const program::Buffer& buffer : program.buffers)
            if (buffer.kind != program::BufferKind::Constant && buffer.live.first <= epoch && epoch <= buffer.live.last)
                alive += buffer.size.value;
        peak = std::max(peak, alive);
    }
    return peak;
}

} // namespace

void TestLowerConcat::readFromParts_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < cases().size(); ++i)
        QTest::newRow(cases()[i].name) << int(i);
}

/// The same convolution of one whole input, which is what the parts hold: byte for byte the same result.
void TestLowerConcat::readFromParts() {
    QFETCH(int, index);
    const Case& c = cases()[std::size_t(index)];
    for (unsigned seed = 1; seed <= 2; ++seed) {
        GraphMaker maker(seed);
        const TensorId image = maker.activation({1, 4, c.height, c.width}, {{0.05}, {-3}, -1});
        maker.graph.inputs = {image};
        const TensorId whole = skipped(maker, image, c.channels), result = maker.conv(whole, c.reader);
        maker.output(result);
        const auto apart = test::compileGraph(maker.graph);
        POOLWRIGHT_VERIFY_RESULT(apart);
        QCOMPARE(bufferOf(apart->program, maker.graph[whole].name) == nullptr, c.isApart);
        QCOMPARE(test::epochsOfKind(apart->program, program::EpochKind::Software), 0);
        ir::Graph together = maker.graph;
        together.outputs = {whole, result}; // an output of the network must be there as a whole
        const auto joined = test::compileGraph(together);
        POOLWRIGHT_VERIFY_RESULT(joined);
        const auto inputs = test::randomInputs(maker.graph, seed);
        const auto a = emulate::run(apart->program, inputs), b = emulate::run(joined->program, inputs);
        POOLWRIGHT_VERIFY_RESULT(a);
        POOLWRIGHT_VERIFY_RESULT(b);
        QVERIFY(a->at(0).bytes == b->at(1).bytes);
        POOLWRIGHT_VERIFY_LOWERED(maker.graph, seed, {1, 0.9});
    }
}

namespace {

/// image -> skip -> two wide convolutions at half the size -> back to full size -> skip beside it. With a `deepFactor`
/// of 4 all tensors but image and result have channels * height * width bytes.
TensorId oneLevel(GraphMaker& maker, std::int64_t channels, std::int64_t height, std::int64_t width,
                  std::int64_t deepFactor = 4) {
    const ir::Quantisation shared{{0.05}, {-3}, -1};
    const TensorId image = maker.activation({1, 1, height, width}, shared);
    maker.graph.inputs = {image};
    const TensorId skip = maker.conv(image, {channels, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}});
    maker.graph[skip].quantisation = shared;
    const TensorId down = maker.conv(skip, {deepFactor * channels, 3, 3, 1, {2, 2}, {1, 1}, {1, 1, 1, 1}});
    const TensorId deep = maker.conv(down, {deepFactor * channels, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}});
    const TensorId up = maker.convTranspose(deep, {channels, 2, 2, 1, {2, 2}});
    maker.graph[up].quantisation = shared;
    return maker.node(ir::OpKind::Concat, {skip, up}, {1, 2 * channels, height, width}, shared,
                      {{"axis", std::int64_t(1)}});
}

} // namespace

/// By hand: skip, up and result are alive together. Written in place, the whole would be alive beside `down` and
/// `deep`: a third more.
void TestLowerConcat::peakOfASkip() {
    GraphMaker maker(1);
    const TensorId whole = oneLevel(maker, 16, 24, 20);
    maker.output(maker.conv(whole, {16, 1, 1, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}}));
    const auto compiled = test::compileGraph(maker.graph);
    POOLWRIGHT_VERIFY_RESULT(compiled);
    QCOMPARE(peakOf(compiled->program), std::int64_t(3 * 16 * 24 * 20));
    POOLWRIGHT_VERIFY_LOWERED(maker.graph, 1, {1, 0.9});
}

void TestLowerConcat::manyReaders() {
    for (unsigned seed = 1; seed <= 4; ++seed) {
        GraphMaker maker(seed);
        const TensorId whole = oneLevel(maker, 12, 10, 14, 12);
        maker.output(maker.conv(whole, {9, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}));
        maker.output(maker.convTranspose(whole, {6, 2, 2, 1, {2, 2}}));
        const auto compiled = test::compileGraph(maker.graph);
        POOLWRIGHT_VERIFY_RESULT(compiled);
        QVERIFY(!bufferOf(compiled->program, maker.graph[whole].name));
        POOLWRIGHT_VERIFY_LOWERED(maker.graph, seed, {1, 0.9});
    }
}

/// A pool reads the whole as well, so it must exist: but not before the late part does.
void TestLowerConcat::copiedLate() {
    GraphMaker maker(1);
    const TensorId whole = oneLevel(maker, 16, 16, 16, 8);
    const ir::Quantisation same = maker.quantisationOf(whole);
    maker.output(maker.node(ir::OpKind::MaxPool, {whole}, {1, 32, 8, 8}, same,
                            {{"kernel_shape", std::vector<std::int64_t>{2, 2}},
                             {"strides", std::vector<std::int64_t>{2, 2}},
                             {"pads", std::vector<std::int64_t>{0, 0, 0, 0}}}));
    maker.output(maker.conv(whole, {8, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}));
    const auto compiled = test::compileGraph(maker.graph);
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const auto* joined = bufferOf(compiled->program, maker.graph[whole].name);
    const auto* skip = bufferOf(compiled->program, maker.graph[maker.graph.nodes.front().outputs[0]].name);
    QVERIFY(joined && skip && joined != skip);
    QVERIFY(joined->live.first > skip->live.first + 1);
    POOLWRIGHT_VERIFY_LOWERED(maker.graph, 1, {1, 0.9});
}

void TestLowerConcat::neighboursStayInPlace() {
    GraphMaker maker(1);
    const ir::Quantisation shared{{0.05}, {-3}, -1};
    const TensorId image = maker.activation({1, 4, 9, 9}, shared);
    maker.graph.inputs = {image};
    std::vector<TensorId> parts;
    for (int i = 0; i < 2; ++i) {
        parts.push_back(maker.conv(image, {8, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}));
        maker.graph[parts.back()].quantisation = shared;
    }
    const TensorId whole = maker.node(ir::OpKind::Concat, parts, {1, 16, 9, 9}, shared, {{"axis", std::int64_t(1)}});
    maker.output(maker.conv(whole, {5, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}));
    const auto compiled = test::compileGraph(maker.graph);
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const auto* joined = bufferOf(compiled->program, maker.graph[parts[0]].name);
    QVERIFY(joined);
    QCOMPARE(joined, bufferOf(compiled->program, maker.graph[parts[1]].name));
    QCOMPARE(joined->size.value, 16 * 9 * 9);
    POOLWRIGHT_VERIFY_LOWERED(maker.graph, 1, {1, 0.9});
}

/// Too large for the chip, and at the peak: partial sums take rows of the result and of `up` that are idle.
void TestLowerConcat::sumsInIdleRows() {
    GraphMaker maker(1);
    const TensorId whole = oneLevel(maker, 8, 432, 512);
    maker.output(maker.conv(whole, {8, 3, 3, 1, {1, 1}, {1, 1}, {1, 1, 1, 1}}));
    const auto compiled = test::compileGraph(maker.graph);
    POOLWRIGHT_VERIFY_RESULT(compiled);
    QCOMPARE(peakOf(compiled->program), std::int64_t(3 * 8 * 432 * 512));
    POOLWRIGHT_VERIFY_LOWERED(maker.graph, 1, {1, 0.9});
}

QTEST_APPLESS_MAIN(TestLowerConcat)
#include "tst_lower_concat.moc"
