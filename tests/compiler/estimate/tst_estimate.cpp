// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 stumbles when <compare> is the first standard header

#include "estimate/estimate.h"

#include <QTest>

#include <algorithm>

using namespace poolwright;
using namespace poolwright::program;
using target::UnitKind;

namespace {

mpool::EffectivePool pool(const char* name, std::uint64_t start, std::int64_t size, double freqRatio, int byteWidth,
                          int id) {
    mpool::EffectivePool made;
    made.name = name;
    made.range = {Address(start), ByteCount(size)};
    made.properties.rights = mpool::Rights::ReadWrite;
    made.properties.freqRatio = freqRatio;
    made.properties.byteWidth = byteWidth;
    made.members = {PoolId(id)};
    made.external = start >= 0x60000000;
    return made;
}

/// A program of one epoch between the two pseudo-epochs, on pools 0 npuRAM3, 1 cpuRAM2, 2 octoFlash, 3 the union of 1
/// and 0.
struct Bench {
    Program program;
    HardwareWork work;

    Bench() {
        program.machine = target::builtinTarget().machine;
        program.epochs.resize(3);
        program.epochs[1].kind = EpochKind::Hardware;
        program.pools = {pool("npuRAM3", 0x34200000, 458752, 1.25, 8, 0),
                         pool("cpuRAM2", 0x34100000, 1048576, 2.5, 8, 1),
                         pool("octoFlash", 0x70000000, 1 << 26, 6, 1, 2),
                         pool("cpuRAM2_npuRAM3", 0x34100000, 1048576 + 458752, 2.5, 8, 0)};
        program.pools[3].members = {PoolId(1), PoolId(0)};
        program.pools[2].properties.rights = mpool::Rights::ReadOnly;
        program.pools[2].properties.readPower = 110;
    }

    BufferId buffer(const char* name, std::int64_t size, int inPool, std::uint64_t address, bool constant = false) {
        Buffer made;
        made.name = name;
        made.size = ByteCount(size);
        made.kind = constant ? BufferKind::Constant : BufferKind::Activation;
        made.live = {0, 2};
        program.buffers.push_back(made);
        program.placements.push_back(Placement{PoolId(inPool), Address(address)});
        return BufferId(program.buffers.size() - 1);
    }

    int engine(BufferId buffer, Direction direction, int index, StreamEngineConfig settings) {
        settings.buffer = buffer;
        settings.direction = direction;
        return unit(UnitKind::StreamEngine, index, settings);
    }
    int unit(UnitKind kind, int index, UnitConfig config) {
        work.units.push_back({kind, index, std::move(config), "u" + std::to_string(work.units.size()), ""});
        return int(work.units.size()) - 1;
    }
    void link(int from, int to, int port = 0, int drop = 0, int pass = 0) {
        work.links.push_back({from, to, port, drop, pass});
    }

    estimate::EpochEstimate run(const target::Board& board = target::builtinTarget().boards[0]) {
        program.epochs[1].work = work;
        return estimate::estimate(program, board).epochs[1];
    }
};

StreamEngineConfig raster(std::int64_t width, std::int64_t height, std::int64_t depth, std::int64_t frames) {
    StreamEngineConfig settings;
    settings.fwidth = width;
    settings.fheight = height;
    settings.batchDepth = depth;
    settings.batchOffset = depth;
    settings.lineOffset = width * depth;
    settings.frameTotal = frames;
    return settings;
}

StreamEngineConfig linear(std::int64_t bytes, int bits, std::int64_t frames = 1) {
    StreamEngineConfig settings;
    settings.raw = true;
    settings.offsetEnd = bytes;
    settings.bitsIn = settings.bitsOut = bits;
    settings.frameTotal = frames;
    return settings;
}

ConvConfig conv(int size, int depth, int kernel, int kernels, int stride, int padding) {
    ConvConfig settings;
    settings.fWidth = settings.fHeight = size;
    settings.batchDepth = depth;
    settings.kernelWidth = settings.kernelHeight = kernel;
    settings.nKernels = kernels;
    settings.hstride = settings.vstride = stride;
    settings.leftPadding = settings.topPadding = padding;
    settings.rightCrop = settings.botCrop = size - 1;
    return settings;
}

} // namespace

class TestEstimate : public QObject {
    Q_OBJECT
private slots:
    void stridedConvolutionReadsAllFeatures();
    void deepFullyConnected();
    void partialSumsLoadTheAccumulator();
    void copyComputesNothing();
    void virtualPoolIsChargedByMember();
    void softwareEpochs();
    void unplacedCostsNothing();
};

/// 3x3, stride 2, 112x112x3, 64 channels as 8 blocks of 8: the features are streamed 8 times (facts/cost-model.md
/// section 1.2).
void TestEstimate::stridedConvolutionReadsAllFeatures() {
    Bench bench;
    const BufferId in = bench.buffer("in", 112 * 112 * 3, 0, 0x34200000);
    const BufferId weights = bench.buffer("weights", 64 * 27, 2, 0x70000000, true);
    const BufferId out = bench.buffer("out", 56 * 56 * 64, 0, 0x34210000);
    const int features = bench.engine(in, Direction::FromMemory, 0, raster(112, 112, 3, 8));
    const int kernels = bench.engine(weights, Direction::FromMemory, 5, linear(8 * 27, 8, 8));
    ConvConfig settings = conv(112, 3, 3, 8, 2, 1);
    settings.rightPadding = settings.botPadding = 0;
    const int convolution = bench.unit(UnitKind::ConvAcc, 0, settings);
    ArithConfig scale;
    scale.scalar = false;
    scale.vecCount = 64;
    const int arith = bench.unit(UnitKind::Arith, 0, scale);
    const int store = bench.engine(out, Direction::ToMemory, 1, raster(56, 56, 8, 8));
    bench.link(features, convolution, 0);
    bench.link(kernels, convolution, 1);
    bench.link(convolution, arith);
    bench.link(arith, store);
    const auto estimate = bench.run();
    QCOMPARE(estimate.computeCycles, Cycles(301056));
    QCOMPARE(estimate.boundBy, std::string("features"));
    // 56*56*64 outputs of 27 MAC each, and one operation for each output of the ARITH.
    QCOMPARE(estimate.operations, std::int64_t(2 * 200704 * 27 + 200704));
    QCOMPARE(estimate.units.size(), std::size_t(2));
    QCOMPARE(estimate.busRead[0], std::int64_t(301056));
    QCOMPARE(estimate.busRead[1], std::int64_t(64 * 27));
    QCOMPARE(estimate.busWrite[0], std::int64_t(200704));
    QCOMPARE(estimate.vendorCycles, Cycles(301056));    // memory: (301056 + 200704) * 1.25 / 8 = 78,400
    QCOMPARE(estimate.calibratedCore, 301056.0 + 4000); // flash: 1728 B * 2.5 = 4,320, below 0.6 of it
    QCOMPARE(estimate.calibratedPre, 4200.0 + 108 * 64);
}

/// A deep 1x1 of 512 -> 128 on one pixel: 65,536 weight bytes move as 24-bit words.
void TestEstimate::deepFullyConnected() {
    Bench bench;
    const BufferId in = bench.buffer("in", 512, 0, 0x34200000);
    const BufferId weights = bench.buffer("weights", 65536, 2, 0x70000000, true);
    const BufferId out = bench.buffer("out", 128, 0, 0x34210000);
    const int features = bench.engine(in, Direction::FromMemory, 0, linear(129, 24, 4 * 8));
    StreamEngineConfig words = linear(65536, 24);
    const int kernels = bench.engine(weights, Direction::FromMemory, 5, words);
    ConvConfig settings = conv(1, 128, 1, 16, 1, 0);
    settings.deepmode = true;
    const int convolution = bench.unit(UnitKind::ConvAcc, 0, settings);
    const int store = bench.engine(out, Direction::ToMemory, 1, raster(1, 1, 16, 8));
    bench.link(features, convolution, 0);
    bench.link(kernels, convolution, 1);
    bench.link(convolution, store, 0, 3, 1);
    const auto estimate = bench.run();
    QCOMPARE(estimate.computeCycles, Cycles(21845)); // weights: 65536 / 3 words
    QCOMPARE(estimate.boundBy, std::string("octoFlash"));
    const auto flash = std::ranges::find(estimate.traffic, 2, &estimate::PoolTraffic::pool);
    QCOMPARE(flash->readCycles, 131070.0);
    QCOMPARE(flash->readBytes, std::int64_t(65535)); // whole words only
    QCOMPARE(estimate.vendorCycles, Cycles(393210));
}

void TestEstimate::partialSumsLoadTheAccumulator() {
    Bench bench;
    const BufferId in = bench.buffer("in", 16 * 16 * 16, 0, 0x34200000);
    const BufferId weights = bench.buffer("weights", 8 * 16 * 9, 0, 0x34208000, true);
    const BufferId sums = bench.buffer("sums", 16 * 16 * 8 * 3, 0, 0x3420A000);
    const BufferId out = bench.buffer("out", 16 * 16 * 8, 0, 0x34210000);
    const int features = bench.engine(in, Direction::FromMemory, 0, raster(16, 16, 4, 4));
    const int kernels = bench.engine(weights, Direction::FromMemory, 1, linear(8 * 4 * 9, 8, 4));
    StreamEngineConfig back = linear(16 * 16 * 8 * 3, 24, 4);
    back.syncEngine = 3;
    const int readSums = bench.engine(sums, Direction::FromMemory, 2, back);
    ConvConfig settings = conv(16, 4, 3, 8, 1, 1);
    settings.rightPadding = settings.botPadding = 1;
    settings.accumulate = true;
    const int convolution = bench.unit(UnitKind::ConvAcc, 0, settings);
    const int writeSums = bench.engine(sums, Direction::ToMemory, 3, linear(16 * 16 * 8 * 3, 24, 4));
    const int store = bench.engine(out, Direction::ToMemory, 4, raster(16, 16, 8, 1));
    bench.link(features, convolution, 0);
    bench.link(kernels, convolution, 1);
    bench.link(readSums, convolution, 2);
    bench.link(convolution, writeSums);
    bench.link(convolution, store, 0, 3, 1);
    const auto estimate = bench.run();
    QCOMPARE(estimate.computeCycles, Cycles(16 * 16 * 8 * 4)); // four frames of sums; features are 4,096
    QCOMPARE(estimate.operations, std::int64_t(2) * 16 * 16 * 8 * 9 * 16);
}

void TestEstimate::copyComputesNothing() {
    Bench bench;
    const BufferId in = bench.buffer("in", 64000, 0, 0x34200000);
    const BufferId out = bench.buffer("out", 64000, 0, 0x34210000);
    const int read = bench.engine(in, Direction::FromMemory, 0, linear(64000, 8));
    StreamEngineConfig scattered = raster(64000, 1, 1, 1);
    scattered.batchOffset = 2;
    const int write = bench.engine(out, Direction::ToMemory, 5, scattered);
    bench.link(read, write);
    const auto estimate = bench.run();
    QCOMPARE(estimate.computeCycles, Cycles(0));
    QCOMPARE(estimate.operations, std::int64_t(0));
    QCOMPARE(estimate.vendorCycles, Cycles(80000)); // epoch 2 of the sample csv
    QCOMPARE(estimate.atonEnergy, 2 * 5.331 * 90000);
    QCOMPARE(estimate.atonPowerMilliwatts, 0.0);
    QCOMPARE(estimate.calibratedCore, 1.15 * 64000);
}

void TestEstimate::virtualPoolIsChargedByMember() {
    Bench bench;
    const BufferId in = bench.buffer("in", 1000, 3, 0x34200000 - 250);
    const BufferId out = bench.buffer("out", 1000, 0, 0x34210000);
    const int read = bench.engine(in, Direction::FromMemory, 0, linear(1000, 8));
    const int write = bench.engine(out, Direction::ToMemory, 5, linear(1000, 8));
    bench.link(read, write);
    const auto estimate = bench.run();
    QCOMPARE(estimate.traffic.size(), std::size_t(2));
    QCOMPARE(estimate.traffic[0].pool, 0);
    QCOMPARE(estimate.traffic[0].readBytes, std::int64_t(750));
    QCOMPARE(estimate.traffic[1].pool, 1);
    QCOMPARE(estimate.traffic[1].readBytes, std::int64_t(250));
    QCOMPARE(estimate.traffic[1].readCycles, 250 * 2.5 / 8);
}

void TestEstimate::softwareEpochs() {
    Bench bench;
    SoftwareWork work;
    work.kind = ir::OpKind::Dequantize;
    TensorView in, out;
    in.buffer = bench.buffer("in", 62720, 0, 0x34200000);
    in.shape = out.shape = {1, 1280, 7, 7};
    in.strides = {62720, 1, 8960, 1280};
    out.buffer = bench.buffer("out", 62720 * 4, 1, 0x34100000);
    out.type = ir::ElementType::Float32;
    out.strides = {250880, 4, 35840, 5120};
    work.inputs = {in};
    work.outputs = {out};
    bench.program.epochs[1].kind = EpochKind::Software;
    bench.program.epochs[1].work = work;
    const auto estimate = estimate::estimate(bench.program, target::builtinTarget().boards[0]).epochs[1];
    QCOMPARE(estimate.computeCycles, Cycles(2 * 62720 + 2));
    QCOMPARE(estimate.boundBy, std::string("CPU"));
    // Measured on the board: 443,761 CPU cycles for this very layer.
    const double cpuCycles = estimate.calibratedCore * 800 / 1000;
    QVERIFY2(std::abs(cpuCycles / 443761 - 1) < 0.02, qPrintable(QString::number(cpuCycles)));
}

void TestEstimate::unplacedCostsNothing() {
    Bench bench;
    const BufferId in = bench.buffer("in", 1000, 0, 0x34200000);
    const BufferId out = bench.buffer("out", 1000, 0, 0x34210000);
    bench.program.placements[std::size_t(in.index)].reset();
    const int read = bench.engine(in, Direction::FromMemory, 0, linear(1000, 8));
    const int write = bench.engine(out, Direction::ToMemory, 5, linear(1000, 8));
    bench.link(read, write);
    const auto estimate = bench.run();
    QCOMPARE(estimate.traffic.size(), std::size_t(1));
    QCOMPARE(estimate.traffic[0].readBytes, std::int64_t(0));
}

QTEST_APPLESS_MAIN(TestEstimate)
#include "tst_estimate.moc"
