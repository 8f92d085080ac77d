// SPDX-License-Identifier: Apache-2.0
#include "emulate/compare.h"
#include "emulate/initialiser.h"
#include "rig.h"

#include "support/shared.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::program;
using namespace poolwright::test;
using emulate::Feeding;
using reference::Value;

namespace {

ir::Quantisation perTensor(double scale, int zero) {
    return {{scale}, {zero}, -1};
}

TensorView viewOf(const std::string& name, BufferId buffer, std::int64_t elements, ir::Quantisation quantisation,
                  ir::ElementType type = ir::ElementType::Int8) {
    return {name, buffer, 0, type, {1, elements}, {elements, 1}, std::move(quantisation)};
}

/// x [1, 4] --epoch 1: + 3 (wrongly, when `wrong`)--> y --epoch 2, software: Requantize--> z. As a graph: y is x under
/// a zero point 3 steps higher, z has twice the scale.
struct TwoEpochs {
    Rig rig;
    ir::Graph graph;
    BufferId x, y, z;

    explicit TwoEpochs(bool wrong = false) {
        Program& program = rig.program();
        program.epochs.resize(4);
        x = rig.buffer(4, BufferKind::Input);
        y = rig.buffer(4, BufferKind::Activation);
        z = rig.buffer(4);
        const TensorView xv = viewOf("x", x, 4, perTensor(0.5, 0)), yv = viewOf("y", y, 4, perTensor(0.5, 3)),
                         zv = viewOf("z", z, 4, perTensor(1, 0));
        for (const TensorView& view : {xv, yv, zv})
            program.buffers[std::size_t(view.buffer.index)].tensors = {view};
        program.buffers[std::size_t(x.index)].live = {0, 1};
        program.buffers[std::size_t(y.index)].live = {1, 2};
        program.buffers[std::size_t(z.index)].live = {2, 3};
        program.inputs = {xv};
        program.outputs = {zv};
        ArithConfig arith;
        arith.inbytesX = 1;
        arith.aScalar = 1;
        arith.cScalar = wrong ? 5 : 3;
        arith.outbytesO = 1;
        arith.saturationO = true;
        const int in = rig.add(rig.raw(x, 4)), unit = rig.add(arith), out = rig.add(Rig::toMemory(rig.raw(y, 4)));
        rig.link(in, unit);
        rig.link(unit, out);
        SoftwareWork work;
        work.kind = ir::OpKind::Requantize;
        work.inputs = {yv};
        work.outputs = {zv};
        program.epochs[2].kind = EpochKind::Software;
        program.epochs[2].reason = "Requantize: test";
        program.epochs[2].work = work;
        makeGraph();
    }

    void makeGraph() {
        const auto tensor = [this](const char* name, ir::Quantisation quantisation) {
            ir::Tensor t;
            t.name = name;
            t.type = ir::ElementType::Int8;
            t.shape = {1, 4};
            t.quantisation = std::move(quantisation);
            return graph.addTensor(t);
        };
        const TensorId ids[] = {tensor("x", perTensor(0.5, 0)), tensor("y", perTensor(0.5, 3)),
                                tensor("z", perTensor(1, 0))};
        for (int i = 0; i < 2; ++i) {
            ir::Node node;
            node.name = "node" + std::to_string(i);
            node.kind = ir::OpKind::Requantize;
            node.inputs = {ids[i]};
            node.outputs = {ids[i + 1]};
            graph.nodes.push_back(node);
        }
        graph.inputs = {ids[0]};
        graph.outputs = {ids[2]};
    }

    static Value input() { return {ir::ElementType::Int8, {1, 4}, perTensor(0.5, 0), {0, 10, 0xF6, 100}}; }
};

std::vector<int> numbers(const Value& value) {
    return {value.as<std::int8_t>(), value.as<std::int8_t>() + value.bytes.size()};
}

mpool::EffectivePool pool(const char* name, std::uint64_t start, std::int64_t size, mpool::FileFormat format) {
    mpool::EffectivePool pool;
    pool.name = pool.fname = name;
    pool.range = {Address(start), ByteCount(size)};
    pool.format = format;
    pool.members = {PoolId(0)};
    return pool;
}

} // namespace

class TestEmulateMachine : public QObject {
    Q_OBJECT
private slots:
    void runsEpochsInOrder();
    void comparesWithTheInterpreter();
    void isolatedEpochsHideEarlierErrors();
    void unsignedCopiesAreShifted();
    void wrongInputsAreRefused();
    void unwrittenBytesAreNoted();
    void placedBuffersShareMemory();
    void cancelledRunStops();
    void initialiserFormats_data();
    void initialiserFormats();
    void brokenInitialisers_data();
    void brokenInitialisers();
    void constantsFromInitialisers();
};

void TestEmulateMachine::runsEpochsInOrder() {
    const TwoEpochs net;
    std::vector<int> order;
    emulate::Options options;
    options.beforeEpoch = [&order](emulate::Machine&, EpochId epoch) { order.push_back(epoch.index); };
    options.afterEpoch = [&](emulate::Machine& machine, EpochId epoch) {
        if (epoch.index == 1)
            QCOMPARE(numbers(*machine.read(machine.program().buffers[1].tensors[0])),
                     (std::vector<int>{3, 13, -7, 103}));
    };
    TwoEpochs copy = net;
    const auto outputs = emulate::run(copy.rig.program(), {TwoEpochs::input()}, options);
    POOLWRIGHT_VERIFY_RESULT(outputs);
    QCOMPARE(numbers(outputs->front()), (std::vector<int>{0, 5, -5, 50}));
    QCOMPARE(order, (std::vector<int>{0, 1, 2, 3}));
}

void TestEmulateMachine::comparesWithTheInterpreter() {
    TwoEpochs net;
    const auto comparison = emulate::compare(net.rig.program(), net.graph, {TwoEpochs::input()}, Feeding::Chained);
    POOLWRIGHT_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->tensors.size(), std::size_t(2));
    QCOMPARE(comparison->tensors[0], (emulate::Agreement{"y", 1, 4, 4, 4, 0}));
    QCOMPARE(comparison->tensors[1], (emulate::Agreement{"z", 2, 4, 4, 4, 0}));
    QCOMPARE(comparison->total().equal, 4);
}

/// Epoch 1 adds 5 instead of 3: chained, z is off by one everywhere; isolated, only y is wrong.
void TestEmulateMachine::isolatedEpochsHideEarlierErrors() {
    TwoEpochs net(true);
    const auto chained = emulate::compare(net.rig.program(), net.graph, {TwoEpochs::input()}, Feeding::Chained);
    POOLWRIGHT_VERIFY_RESULT(chained);
    QCOMPARE(chained->tensors[0], (emulate::Agreement{"y", 1, 4, 0, 0, 2}));
    QCOMPARE(chained->outputs[0], (emulate::Agreement{"z", -1, 4, 0, 4, 1}));
    const auto isolated = emulate::compare(net.rig.program(), net.graph, {TwoEpochs::input()}, Feeding::Isolated);
    POOLWRIGHT_VERIFY_RESULT(isolated);
    QCOMPARE(isolated->tensors[0], (emulate::Agreement{"y", 1, 4, 0, 0, 2}));
    QCOMPARE(isolated->tensors[1], (emulate::Agreement{"z", 2, 4, 4, 4, 0}));
}

/// y is stored unsigned: zero point 3 + 128.
void TestEmulateMachine::unsignedCopiesAreShifted() {
    TwoEpochs net;
    Program& program = net.rig.program();
    const TensorView y = viewOf("y", net.y, 4, perTensor(0.5, 131), ir::ElementType::UInt8);
    program.buffers[std::size_t(net.y.index)].tensors = {y};
    std::get<SoftwareWork>(program.epochs[2].work).inputs = {y};
    std::get<ArithConfig>(net.rig.work().units[1].config).cScalar = 131;
    std::get<ArithConfig>(net.rig.work().units[1].config).saturationO = false;
    const auto comparison = emulate::compare(program, net.graph, {TwoEpochs::input()}, Feeding::Isolated);
    POOLWRIGHT_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->tensors[0], (emulate::Agreement{"y", 1, 4, 4, 4, 0}));
    QCOMPARE(comparison->outputs[0].equal, 4);
}

void TestEmulateMachine::wrongInputsAreRefused() {
    TwoEpochs net;
    const auto none = emulate::run(net.rig.program(), {});
    QVERIFY(!none);
    QCOMPARE(none.error().front().code, std::string("PW4150"));
    Value value = TwoEpochs::input();
    value.type = ir::ElementType::Float32;
    QCOMPARE(emulate::run(net.rig.program(), {value}).error().front().code, std::string("PW4111"));
    value = TwoEpochs::input();
    value.shape = {4, 1};
    QCOMPARE(emulate::run(net.rig.program(), {value}).error().front().code, std::string("PW4151"));
}

/// Epoch 1 writes 3 of the 4 bytes that epoch 2 reads.
void TestEmulateMachine::unwrittenBytesAreNoted() {
    TwoEpochs net;
    std::get<StreamEngineConfig>(net.rig.work().units[0].config).offsetEnd = 3;
    std::get<StreamEngineConfig>(net.rig.work().units[2].config).offsetEnd = 3;
    emulate::Options options;
    options.detectUnwritten = true;
    Diagnostics findings;
    const auto outputs = emulate::run(net.rig.program(), {TwoEpochs::input()}, options, &findings);
    POOLWRIGHT_VERIFY_RESULT(outputs);
    QVERIFY2(findings.size() == 1, qPrintable(describe(findings)));
    QCOMPARE(findings[0].message, std::string("reads byte 3 of buffer buffer1, which nothing wrote"));
    TwoEpochs whole;
    findings.clear();
    const auto clean = emulate::run(whole.rig.program(), {TwoEpochs::input()}, options, &findings);
    POOLWRIGHT_VERIFY_RESULT(clean);
    QVERIFY(findings.empty());
}

/// z takes the place of x, which is dead by then.
void TestEmulateMachine::placedBuffersShareMemory() {
    TwoEpochs net;
    Program& program = net.rig.program();
    program.pools = {pool("ram", 0x34000000, 64, mpool::FileFormat::Raw)};
    program.placements = {Placement{PoolId(0), Address(0x34000000)}, Placement{PoolId(0), Address(0x34000010)},
                          Placement{PoolId(0), Address(0x34000000)}};
    const auto outputs = emulate::run(program, {TwoEpochs::input()});
    POOLWRIGHT_VERIFY_RESULT(outputs);
    QCOMPARE(numbers(outputs->front()), (std::vector<int>{0, 5, -5, 50}));
    auto machine = emulate::Machine::create(program);
    POOLWRIGHT_VERIFY_RESULT(machine);
    QCOMPARE(machine->memory().size().value, 20);
    QVERIFY(machine->setInput(0, TwoEpochs::input()));
    QCOMPARE(numbers(*machine->read(program.outputs[0])), numbers(TwoEpochs::input()));
    program.placements[1].reset();
    program.unplaced = {{BufferId(1), "larger than every pool"}};
    QCOMPARE(emulate::run(program, {TwoEpochs::input()}).error().front().code, std::string("PW4106"));
}

void TestEmulateMachine::cancelledRunStops() {
    TwoEpochs net;
    emulate::Options options;
    options.afterEpoch = [&options](emulate::Machine&, EpochId epoch) {
        if (epoch.index == 1)
            options.cancel.cancel();
    };
    QCOMPARE(emulate::run(net.rig.program(), {TwoEpochs::input()}, options).error().front().code,
             std::string("PW4100"));
}

void TestEmulateMachine::initialiserFormats_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QByteArray>("content");
    using mpool::FileFormat;
    QTest::newRow("raw") << int(FileFormat::Raw) << QByteArray("\x01\x02\x03\x04", 4);
    QTest::newRow("hex") << int(FileFormat::Hex) << QByteArray("01 02\r\n03 0x04\n");
    QTest::newRow("hex16") << int(FileFormat::Hex16) << QByteArray("0201 0403");
    QTest::newRow("hex32") << int(FileFormat::Hex32) << QByteArray("04030201");
    // Checksums by hand: 02+00+00+04+70+00 = 76 -> 8A; 04+00+10+00+01+02+03+04 = 1E -> E2.
    QTest::newRow("Intel-Hex") << int(FileFormat::IntelHex)
                               << QByteArray(":0200000470008A\n:0400100001020304E2\r\n:00000001FF\n");
    QTest::newRow("Intel-Hex in two records")
        << int(FileFormat::IntelHex) << QByteArray(":0200000470008A\n:020010000102EB\n:020012000304E5\n:00000001FF\n");
}

void TestEmulateMachine::initialiserFormats() {
    QFETCH(int, format);
    QFETCH(QByteArray, content);
    const auto blocks =
        emulate::readInitialiser(content.toStdString(), mpool::FileFormat(format), Address(0x70000010), "f");
    POOLWRIGHT_VERIFY_RESULT(blocks);
    QCOMPARE(*blocks, (std::vector<emulate::MemoryBlock>{{Address(0x70000010), {1, 2, 3, 4}}}));
    const auto words = emulate::readInitialiser("const uint64_t a[] = {\n 0x0000000004030201ULL, };",
                                                mpool::FileFormat::C, Address(8), "f");
    POOLWRIGHT_VERIFY_RESULT(words);
    QCOMPARE(*words, (std::vector<emulate::MemoryBlock>{{Address(8), {1, 2, 3, 4, 0, 0, 0, 0}}}));
}

void TestEmulateMachine::brokenInitialisers_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("place");
    using mpool::FileFormat;
    QTest::newRow("no digit") << int(FileFormat::Hex) << "01 02\nzz"
                              << "f:2";
    QTest::newRow("half a word") << int(FileFormat::Hex16) << "0102\n03\n"
                                 << "f:2";
    QTest::newRow("checksum") << int(FileFormat::IntelHex) << ":00000001FF\n:00000001FE\n"
                              << "";
    QTest::newRow("wrong checksum") << int(FileFormat::IntelHex) << ":0400100001020304E3\n"
                                    << "f:1";
    QTest::newRow("length") << int(FileFormat::IntelHex) << "\n:0500100001020304E2\n"
                            << "f:2";
    QTest::newRow("no colon") << int(FileFormat::IntelHex) << "0400100001020304E2"
                              << "f:1";
    QTest::newRow("no end") << int(FileFormat::IntelHex) << ":0200000470008A\n"
                            << "f";
    QTest::newRow("no array") << int(FileFormat::C) << "int a;"
                              << "f";
}

void TestEmulateMachine::brokenInitialisers() {
    QFETCH(int, format);
    QFETCH(QString, content);
    QFETCH(QString, place);
    const auto blocks = emulate::readInitialiser(content.toStdString(), mpool::FileFormat(format), Address(0), "f");
    QCOMPARE(blocks.has_value(), place.isEmpty());
    if (!blocks)
        QVERIFY2(QString::fromStdString(toText(blocks.error().front())).startsWith(place + ":"),
                 toText(blocks.error().front()).c_str());
}

/// A program without contents gets them from two files that meet in the middle of the constant.
void TestEmulateMachine::constantsFromInitialisers() {
    TwoEpochs net;
    Program& program = net.rig.program();
    const BufferId constant = net.rig.constant({1, 2, 3, 4});
    program.buffers[std::size_t(constant.index)].contents = {};
    program.pools = {pool("a", 0x1000, 18, mpool::FileFormat::Raw), pool("b", 0x1012, 64, mpool::FileFormat::Hex)};
    program.placements.resize(4);
    program.placements[3] = Placement{PoolId(0), Address(0x1010)};
    const auto read = [](const std::string& name) -> std::optional<std::string> {
        if (name == "net.a.raw")
            return std::string(16, '\0') + "\x05\x06";
        if (name == "net.b.hex")
            return "07 08 09";
        return std::nullopt;
    };
    const auto initialisers = emulate::readInitialisers(program, "net", read);
    POOLWRIGHT_VERIFY_RESULT(initialisers);
    const auto filled = emulate::withInitialisers(program, *initialisers);
    POOLWRIGHT_VERIFY_RESULT(filled);
    QCOMPARE(*(*filled)[constant].contents, (std::vector<std::uint8_t>{5, 6, 7, 8}));
    const auto half = emulate::withInitialisers(program, {initialisers->front()});
    QVERIFY(!half);
    QCOMPARE(half.error().front().code, std::string("PW4164"));
}

QTEST_APPLESS_MAIN(TestEmulateMachine)
#include "tst_emulate_machine.moc"
