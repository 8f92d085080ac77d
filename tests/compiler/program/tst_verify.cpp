// SPDX-License-Identifier: Apache-2.0
#include <string> // first: moc trips over <concepts> when nothing else of the library came before it

#include "program/print.h"
#include "program/program.h"
#include "program/serialise.h"
#include "program/unfit.h"

#include "support/shared.h"

#include <QRegularExpression>
#include <QTest>

using namespace poolwright;
using namespace poolwright::program;
using Change = std::function<void(Program&)>;
Q_DECLARE_METATYPE(Change)

namespace {

TensorView view(const char* name, BufferId buffer, std::int64_t elements) {
    return {name, buffer, 0, ir::ElementType::Int8, {1, elements}, {elements, 1}, std::nullopt};
}

Buffer buffer(const char* name, std::int64_t size, BufferKind kind, EpochRange live) {
    Buffer buffer;
    buffer.name = name;
    buffer.size = ByteCount(size);
    buffer.kind = kind;
    buffer.live = live;
    if (kind == BufferKind::Constant)
        buffer.contents = std::make_shared<const std::vector<std::uint8_t>>(std::size_t(size), std::uint8_t(1));
    return buffer;
}

enum : int { input, weights, factors, middle, output };
enum : int { features, kernels, conv, scale, writer };

StreamEngineConfig engine(int id, std::int64_t height, std::int64_t width, std::int64_t depth) {
    StreamEngineConfig engine;
    engine.buffer = BufferId(id);
    engine.fheight = height;
    engine.fwidth = width;
    engine.batchDepth = depth;
    engine.batchOffset = depth;
    engine.lineOffset = width * depth;
    return engine;
}

/// Epoch 1: 3 x 3 convolution with 8 kernels on 4 x 4 x 8; epoch 2: software. Placed in one pool of 1024 bytes.
Program smallProgram() {
    Program program;
    program.networkName = "small";
    program.machine = target::builtinTarget().machine;
    program.buffers = {
        buffer("input", 128, BufferKind::Input, {0, 1}), buffer("weights", 576, BufferKind::Constant, {0, 3}),
        buffer("factors", 16, BufferKind::Constant, {0, 3}), buffer("middle", 32, BufferKind::Activation, {1, 2}),
        buffer("output", 32, BufferKind::Output, {2, 3})};
    program.buffers[middle].tensors = {view("m", BufferId(middle), 32)};
    program.inputs = {view("x", BufferId(input), 128)};
    program.outputs = {view("y", BufferId(output), 32)};
    program.epochs.resize(4);

    ConvConfig convolution;
    convolution.fHeight = convolution.fWidth = 4;
    convolution.batchDepth = convolution.nKernels = 8;
    convolution.kernelHeight = convolution.kernelWidth = 3;
    convolution.rightCrop = convolution.botCrop = 3;
    ArithConfig arith;
    arith.scalar = false;
    arith.broadcast = ArithBroadcast::Channel;
    arith.aVector = BufferId(factors);
    arith.vecCount = 8;
    arith.fWidth = arith.fHeight = 2;
    arith.fChannels = arith.batchDepth = 8;
    arith.outbytesO = 1;
    StreamEngineConfig kernelEngine = engine(weights, 1, 1, 576);
    kernelEngine.raw = true;
    kernelEngine.offsetEnd = 576;
    StreamEngineConfig out = engine(middle, 2, 2, 8);
    out.direction = Direction::ToMemory;
    HardwareWork work;
    using target::UnitKind;
    work.units = {{UnitKind::StreamEngine, 0, engine(input, 4, 4, 8), "Conv_in", "Conv"},
                  {UnitKind::StreamEngine, 1, kernelEngine, "Conv_weights", "Conv"},
                  {UnitKind::ConvAcc, 0, convolution, "Conv_1", "Conv"},
                  {UnitKind::Arith, 0, arith, "Conv_scale", "Mul"},
                  {UnitKind::StreamEngine, 5, out, "Conv_out", "Conv"}};
    work.links = {{features, conv, 0}, {kernels, conv, 1}, {conv, scale, 0}, {scale, writer, 0}};
    program.epochs[1] = {EpochKind::Hardware, "Conv_1", {}, work, {}};
    SoftwareWork software;
    software.kind = ir::OpKind::Softmax;
    software.inputs = {view("m", BufferId(middle), 32)};
    software.outputs = program.outputs;
    program.epochs[2] = {EpochKind::Software, "Softmax_2", {}, software, "Softmax runs on the CPU"};

    mpool::EffectivePool pool;
    pool.name = pool.fname = "ram";
    pool.range = {Address(0x34000000), ByteCount(1024)};
    pool.reservedTail = ByteCount(8);
    program.pools = {pool};
    const auto at = [](std::uint64_t offset) { return Placement{PoolId(0), Address(0x34000000 + offset)}; };
    program.placements = {at(0), at(128), at(704), at(720), at(0)};
    return program;
}

HardwareWork& work(Program& program) {
    return std::get<HardwareWork>(program.epochs[1].work);
}
template <typename Config> Config& unit(Program& program, int index) {
    return std::get<Config>(work(program).units[std::size_t(index)].config);
}
ConvConfig& convOf(Program& program) {
    return unit<ConvConfig>(program, conv);
}
ArithConfig& arithOf(Program& program) {
    return unit<ArithConfig>(program, scale);
}
StreamEngineConfig& streamOf(Program& program, int index) {
    return unit<StreamEngineConfig>(program, index);
}

/// The last unit before the writer becomes another one.
template <typename Config> void replaceScale(Program& program, target::UnitKind kind, const Config& config) {
    work(program).units[scale].kind = kind;
    work(program).units[scale].config = config;
}

PoolConfig poolConfig() {
    PoolConfig pool;
    pool.inputX = pool.inputY = pool.outputX = pool.outputY = 2;
    pool.windowX = pool.windowY = 1;
    pool.batchSize = 8;
    return pool;
}

ActivConfig activConfig() {
    ActivConfig activ;
    activ.rom0.assign(32, 0);
    activ.rom1 = {0, 1, 0};
    return activ;
}

} // namespace

class TestVerify : public QObject {
    Q_OBJECT
private slots:
    void soundPrograms();
    void brokenRules_data();
    void brokenRules();
    void traffic();
    void spansByBruteForce();
    void text();
    void files_data();
    void files();
    void namesOfAnyBytes();
    void unfit();
};

void TestVerify::soundPrograms() {
    Program program = smallProgram();
    QCOMPARE(test::describe(verify(program)), QString());
    program.placements.clear();
    program.pools.clear();
    QCOMPARE(test::describe(verify(program)), QString());
    replaceScale(program, target::UnitKind::Pool, poolConfig());
    QCOMPARE(test::describe(verify(program)), QString());
    replaceScale(program, target::UnitKind::Activ, activConfig());
    QCOMPARE(test::describe(verify(program)), QString());
}

void TestVerify::brokenRules_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* code, Change change) {
        QTest::newRow(name) << change << QString(code);
    };
    row("empty buffer", "PW3501", [](Program& p) { p.buffers[middle].size = ByteCount(0); });
    row("alignment", "PW3502", [](Program& p) { p.buffers[middle].alignment = 12; });
    row("live range", "PW3503", [](Program& p) { p.buffers[middle].live.last = 9; });
    row("constant not always alive", "PW3503", [](Program& p) { p.buffers[weights].live.last = 1; });
    row("contents", "PW3504", [](Program& p) { p.buffers[weights].contents = p.buffers[factors].contents; });
    row("idle epoch", "PW3505", [](Program& p) { p.epochs[2] = {}; });
    row("work of another kind", "PW3506", [](Program& p) { p.epochs[2].work = HardwareWork{}; });
    row("no reason", "PW3507", [](Program& p) { p.epochs[2].reason.clear(); });
    row("view without buffer", "PW3510", [](Program& p) { p.inputs[0].buffer = {}; });
    row("view of another buffer", "PW3510", [](Program& p) { p.buffers[middle].tensors[0].buffer = BufferId(input); });
    row("strides", "PW3511", [](Program& p) { p.inputs[0].strides.pop_back(); });
    row("view past its buffer", "PW3512", [](Program& p) { p.inputs[0].offset = 1; });
    row("no output", "PW3520", [](Program& p) { std::get<SoftwareWork>(p.epochs[2].work).outputs.clear(); });
    row("constant written", "PW3530", [](Program& p) { streamOf(p, writer).buffer = BufferId(weights); });
    row("use outside the live range", "PW3531", [](Program& p) { p.buffers[middle].live.last = 1; });
    row("read before written", "PW3532", [](Program& p) { p.buffers[input].kind = BufferKind::Activation; });
    row("output that dies", "PW3533", [](Program& p) { p.buffers[output].live.last = 2; });
    row("no pool", "PW3540", [](Program& p) { p.placements[middle]->pool = PoolId(3); });
    row("reserved tail", "PW3541", [](Program& p) { p.placements[middle]->address = Address(0x34000000 + 992); });
    row("misaligned", "PW3542", [](Program& p) { p.placements[middle]->address = Address(0x34000000 + 721); });
    row("read-only", "PW3543", [](Program& p) { p.pools[0].properties.rights = mpool::Rights::ReadOnly; });
    row("overlap", "PW3544", [](Program& p) { p.placements[middle]->address = Address(0x34000010); });
    row("placements", "PW3545", [](Program& p) { p.placements.pop_back(); });
    row("no place and no reason", "PW3546", [](Program& p) { p.placements[middle].reset(); });
    row("configuration", "PW3550", [](Program& p) { work(p).units[scale].config = PoolConfig{}; });
    row("unit used twice", "PW3551", [](Program& p) { work(p).units[kernels].index = 0; });
    row("node name", "PW3552", [](Program& p) { work(p).units[kernels].node = "Conv_in"; });
    row("unit that does not exist", "PW3553", [](Program& p) { work(p).units[conv].index = 4; });
    row("link to nowhere", "PW3555", [](Program& p) { work(p).links[3].to = 5; });
    row("link backwards", "PW3556", [](Program& p) { work(p).links.push_back({writer, features, 0}); });
    row("idle port", "PW3557", [](Program& p) { work(p).links.push_back({conv, scale, 1}); });
    row("frame counts", "PW3558", [](Program& p) { work(p).links[3].dropFrames = 256; });
    row("port fed twice", "PW3559", [](Program& p) { work(p).links.push_back({features, conv, 1}); });
    row("port not fed", "PW3560", [](Program& p) { convOf(p).accumulate = true; });
    row("nobody listens", "PW3561", [](Program& p) { work(p).links.pop_back(); });
    row("no writer", "PW3562", [](Program& p) { streamOf(p, writer).direction = Direction::FromMemory; });
    row("sync", "PW3563", [](Program& p) { streamOf(p, features).syncEngine = 1; });
    row("output shift", "PW3570", [](Program& p) { convOf(p).shiftO = 64; });
    row("output bytes", "PW3571", [](Program& p) { arithOf(p).outbytesO = 4; });
    row("rounding mode", "PW3572", [](Program& p) { convOf(p).roundModeO = 2; });
    row("no frames", "PW3580", [](Program& p) { streamOf(p, features).frameTotal = 0; });
    row("offset", "PW3581", [](Program& p) { streamOf(p, features).loopOffset = std::int64_t(1) << 40; });
    row("word bits", "PW3582", [](Program& p) { streamOf(p, features).bitsIn = 12; });
    row("raw frame", "PW3583",
        [](Program& p) { streamOf(p, kernels).bitsIn = 16, streamOf(p, kernels).offsetEnd = 5; });
    row("raster", "PW3584", [](Program& p) { streamOf(p, features).fwidth = 0; });
    row("past the buffer", "PW3585", [](Program& p) { streamOf(p, features).offsetStart = 1; });
    row("frame size", "PW3586", [](Program& p) {
        StreamEngineConfig& reader = streamOf(p, features);
        reader.fwidth = reader.fheight = reader.batchDepth = 60000;
        reader.batchOffset = reader.lineOffset = 0;
    });
    row("view of too many elements", "PW3511", [](Program& p) {
        p.inputs[0].shape = {1 << 30, 1 << 30};
        p.inputs[0].strides = {0, 0};
    });
    row("kernel size", "PW3590", [](Program& p) { convOf(p).kernelHeight = 4; });
    row("kernels", "PW3591", [](Program& p) { convOf(p).nKernels = 25; });
    row("tile", "PW3592", [](Program& p) { convOf(p).nKernels = 9; });
    row("line memory", "PW3593", [](Program& p) { convOf(p).fWidth = 257; });
    row("deep mode", "PW3594", [](Program& p) { convOf(p).deepmode = true; });
    row("feature bytes", "PW3595", [](Program& p) { convOf(p).inbytesF = 2; });
    row("kernel filter", "PW3596", [](Program& p) { convOf(p).kfiltTotal = 16, convOf(p).kfiltLast = 8; });
    row("accumulator filter", "PW3597", [](Program& p) { convOf(p).afiltTotal = 2; });
    row("stride", "PW3598", [](Program& p) { convOf(p).hstride = 8; });
    row("crop", "PW3599", [](Program& p) { convOf(p).leftCrop = 4; });
    row("simd", "PW3600", [](Program& p) { convOf(p).simd = 3; });
    row("operand bytes", "PW3601", [](Program& p) { arithOf(p).inbytesX = 0; });
    row("coefficient", "PW3602", [](Program& p) { arithOf(p).cScalar = 40000; });
    row("combined with y", "PW3603", [](Program& p) { arithOf(p).combinebc = arithOf(p).dualinput = true; });
    row("coefficients", "PW3604", [](Program& p) { arithOf(p).vecCount = 513; });
    row("coefficients written", "PW3604", [](Program& p) { arithOf(p).aVector = BufferId(middle); });
    row("vector past its buffer", "PW3605", [](Program& p) { arithOf(p).aOffset = 2; });
    row("channels", "PW3606", [](Program& p) { arithOf(p).fChannels = 12; });
    const auto pool = [&row](const char* name, const char* code, const std::function<void(PoolConfig&)>& change) {
        row(name, code, [change](Program& p) {
            PoolConfig config = poolConfig();
            change(config);
            replaceScale(p, target::UnitKind::Pool, config);
        });
    };
    pool("pool batch", "PW3610", [](PoolConfig& c) { c.batchSize = 16; });
    pool("pool line", "PW3611", [](PoolConfig& c) { c.inputX = 512; });
    pool("mulval", "PW3612", [](PoolConfig& c) { c.mulval = 32768; });
    pool("window", "PW3613", [](PoolConfig& c) { c.windowX = 4; });
    pool("pool stride", "PW3614", [](PoolConfig& c) { c.strideY = 16; });
    pool("pool output", "PW3615", [](PoolConfig& c) { c.outputX = 0; });
    pool("pool padding", "PW3616", [](PoolConfig& c) { c.bottomPad = 1; });
    const auto activ = [&row](const char* name, const char* code, const std::function<void(ActivConfig&)>& change) {
        row(name, code, [change](Program& p) {
            ActivConfig config = activConfig();
            change(config);
            replaceScale(p, target::UnitKind::Activ, config);
        });
    };
    activ("bwidth", "PW3620", [](ActivConfig& c) { c.bwidth = 6; });
    activ("short table", "PW3621", [](ActivConfig& c) { c.rom0.pop_back(); });
    activ("no rows", "PW3622", [](ActivConfig& c) { c.rom1.pop_back(); });
    activ("row outside", "PW3623", [](ActivConfig& c) { c.rom0[31] = 1; });
}

/// One change to a sound program; the rule it breaks must be among the findings.
void TestVerify::brokenRules() {
    QFETCH(Change, change);
    QFETCH(QString, code);
    Program program = smallProgram();
    change(program);
    const Diagnostics findings = verify(program);
    const bool found = std::any_of(findings.begin(), findings.end(),
                                   [&](const Diagnostic& d) { return QString::fromStdString(d.code) == code; });
    QVERIFY2(found, qPrintable("found instead:\n" + test::describe(findings)));
}

void TestVerify::traffic() {
    Program program = smallProgram();
    StreamEngineConfig& reader = streamOf(program, features);
    reader.frameTotal = 3;
    reader.cacheable = reader.cacheAllocate = true;
    std::vector<Transfer> transfers = transfersOf(program, EpochId(1));
    QCOMPARE(transfers.size(), std::size_t(3));
    QCOMPARE(transfers[0].bytes, 384);
    QCOMPARE(transfers[0].words, 384);
    QCOMPARE(transfers[0].contiguousBytes, 128);
    QVERIFY(transfers[0].cachedReRead && !transfers[0].write);
    QCOMPARE(transfers[1].bytes, 576);
    QVERIFY(!transfers[1].cachedReRead);
    QVERIFY(transfers[2].write);
    QCOMPARE(transfers[2].streamEngine, 5);
    reader.lineOffset = 64;
    QCOMPARE(transfersOf(program, EpochId(1))[0].contiguousBytes, 32);
    reader.batchOffset = 16;
    QCOMPARE(transfersOf(program, EpochId(1))[0].contiguousBytes, 8);
    reader.bitsIn = 24;
    QCOMPARE(transfersOf(program, EpochId(1))[0].bytes, 3 * 128 * 3);

    transfers = transfersOf(program, EpochId(2));
    QCOMPARE(transfers.size(), std::size_t(2));
    QCOMPARE(transfers[0].bytes, 32);
    QCOMPARE(transfers[0].contiguousBytes, 32);
    QCOMPARE(transfers[0].streamEngine, -1);
    QVERIFY(transfersOf(program, EpochId(0)).empty());
}

void TestVerify::spansByBruteForce() {
    for (int seed = 0; seed < 200; ++seed) {
        auto pick = [state = std::uint32_t(seed * 7919 + 1)](int limit) mutable {
            state = state * 1664525u + 1013904223u;
            return int((state >> 16) % std::uint32_t(limit));
        };
        StreamEngineConfig walk = engine(0, 1 + pick(3), 1 + pick(3), 1 + pick(3));
        walk.offsetStart = pick(20);
        walk.frameTotal = 1 + pick(7);
        walk.frameLoopCount = pick(4);
        walk.frameOffset = pick(40) - 10;
        walk.loopOffset = pick(40) - 10;
        walk.batchOffset = pick(20);
        walk.lineOffset = pick(30) - 5;
        ByteSpan expected{1 << 20, -(1 << 20)};
        for (std::int64_t f = 0; f < walk.frameTotal; ++f)
            for (std::int64_t y = 0; y < walk.fheight; ++y)
                for (std::int64_t x = 0; x < walk.fwidth; ++x) {
                    const std::int64_t at = frameOffsetOf(walk, f) + y * walk.lineOffset + x * walk.batchOffset;
                    expected = {std::min(expected.first, at), std::max(expected.end, at + walk.batchDepth)};
                }
        QCOMPARE(spanOf(walk), expected);
    }
}

void TestVerify::text() {
    const Program program = smallProgram();
    QCOMPARE(
        QString::fromStdString(toText(program, EpochId(1))),
        QStringLiteral(
            "epoch 1 hardware Conv_1\n"
            "  unit 0: STRENG 0 Conv_in from b0 [0] 4x4x8 pixel=8 line=32 frames 1 8/8\n"
            "  unit 1: STRENG 1 Conv_weights from b1 [0,576] raw frames 1 8/8\n"
            "  unit 2: CONVACC 0 Conv_1 4x4x8 kernel 3x3 x 8 simd=1 outbytes=2\n"
            "  unit 3: ARITH 0 Conv_scale AFFINE inbytes_x=2 A=b2[0]:16 count=8 channel of 2x2x8 batch 8 outbytes=1\n"
            "  unit 4: STRENG 5 Conv_out to b3 [0] 2x2x8 pixel=8 line=16 frames 1 8/8\n"
            "  link 0 -> 2:0\n  link 1 -> 2:1\n  link 2 -> 3:0\n  link 3 -> 4:0\n"));
    const QString whole = QString::fromStdString(toText(program));
    QVERIFY(whole.startsWith("program small on "));
    QVERIFY(whole.contains(
        "buffer b3 middle activation 32 B live 1..2 at 0x340002D0 ram\n  view b3 m s8 [1,32] strides [32,1]\n"));
    QVERIFY(whole.contains("epoch 2 software Softmax_2\n  because: Softmax runs on the CPU\n  Softmax by the CPU\n"));
}

/// A file whose one number is another.
void TestVerify::files_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("isRead");
    QTest::newRow("unit kind beyond the last") << "kind" << "99" << false;
    QTest::newRow("unit kind below the first") << "kind" << "-1" << false;
    QTest::newRow("unit kind beyond every integer") << "kind" << "1e26" << false;
    QTest::newRow("direction") << "direction" << "2" << false;
    QTest::newRow("element type") << "type" << "8" << false;
    QTest::newRow("rights of a pool") << "rights" << "7" << false;
    QTest::newRow("a buffer's alignment is any number") << "alignment" << "64" << true;
    QTest::newRow("but a whole one") << "alignment" << "16.5" << false;
    QTest::newRow("of 64 bits") << "alignment" << "9223372036854775808" << false;
    QTest::newRow("with a sign") << "alignment" << "-9223372036854775808" << true;
}

void TestVerify::files() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(bool, isRead);
    const QRegularExpression line("\"" + key + "\": -?\\d+");
    QString text = QString::fromStdString(toJson(smallProgram()));
    const auto match = line.match(text);
    QVERIFY(match.hasMatch());
    text.replace(match.capturedStart(), match.capturedLength(), QString("\"%1\": %2").arg(key, value));
    const auto program = fromJson(text.toStdString(), "net.pwp");
    QCOMPARE(program.has_value(), isRead);
    if (!isRead)
        QCOMPARE(program.error().front().code, std::string("PW4101"));
}

/// ONNX names are bytes, JSON is UTF-8.
void TestVerify::namesOfAnyBytes() {
    Program program = smallProgram();
    program.buffers[middle].name = "\x83x";
    const auto read = fromJson(toJson(program), "net.pwp");
    POOLWRIGHT_VERIFY_RESULT(read);
    QCOMPARE(read->buffers[middle].name, std::string("\xEF\xBF\xBDx"));
}

/// Numbers beyond their registers are told apart from what another layout would mend.
void TestVerify::unfit() {
    Program program = smallProgram();
    HardwareWork work = *program.epochs[1].hardware();
    QVERIFY(unfitUnits(program, work).empty());
    std::get<ArithConfig>(work.units[scale].config).shiftO = 64; // the register has 6 bits
    QCOMPARE(unfitUnits(program, work).front().code, std::string("PW3570"));
    work = *program.epochs[1].hardware();
    std::get<ConvConfig>(work.units[conv].config).kernelHeight = 9;
    QVERIFY(unfitUnits(program, work).empty());
    program.machine.groups.clear();
    QCOMPARE(unfitUnits(program, work).front().code, std::string("PW3553"));
}

QTEST_APPLESS_MAIN(TestVerify)
#include "tst_verify.moc"
