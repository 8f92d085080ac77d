// SPDX-License-Identifier: Apache-2.0
#include "rig.h"

#include "support/shared.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::program;
using namespace poolwright::test;

namespace {

/// A convolution as the textbook has it, features [H][W][C], kernels [O][kh][kw][C]; sums [oh][ow][O]. Seven loops,
/// nothing shared with the emulator.
struct Naive {
    int height, width, channels, outputs, kernelHeight, kernelWidth;
    int vstride = 1, hstride = 1;
    int top = 0, left = 0, bottom = 0, right = 0;
    int zero = 0;

    int outHeight() const { return (height + top + bottom - kernelHeight) / vstride + 1; }
    int outWidth() const { return (width + left + right - kernelWidth) / hstride + 1; }

    std::vector<std::int64_t> sums(const std::vector<int>& x, const std::vector<int>& w) const {
        std::vector<std::int64_t> sums;
        for (int oy = 0; oy < outHeight(); ++oy)
            for (int ox = 0; ox < outWidth(); ++ox)
                for (int o = 0; o < outputs; ++o) {
                    std::int64_t sum = 0;
                    for (int ky = 0; ky < kernelHeight; ++ky)
                        for (int kx = 0; kx < kernelWidth; ++kx)
                            for (int c = 0; c < channels; ++c) {
                                const int y = oy * vstride + ky - top, column = ox * hstride + kx - left;
                                if (y < 0 || y >= height || column < 0 || column >= width)
                                    continue;
                                sum += std::int64_t(x[std::size_t((y * width + column) * channels + c)] - zero) *
                                       w[std::size_t(((o * kernelHeight + ky) * kernelWidth + kx) * channels + c)];
                            }
                    sums.push_back(sum);
                }
        return sums;
    }
};

/// facts/numerics.md section 1, by real numbers: halves go up, then the value is clamped.
int roundedShift(std::int64_t value, int shift, int bits) {
    const double limit = std::ldexp(1.0, bits - 1);
    return int(std::min(std::max(std::floor(std::ldexp(double(value), -shift) + 0.5), -limit), limit - 1));
}

/// Kernels [O][kh][kw][C] to the stream order of facts 2.3.4: kernel group, channel group, kernel, row, column, channel
/// of the group.
std::vector<int> kernelStream(const std::vector<int>& w, int outputs, int area, int channels, int groupOutputs,
                              int groupChannels) {
    std::vector<int> stream;
    for (int o0 = 0; o0 < outputs; o0 += groupOutputs)
        for (int c0 = 0; c0 < channels; c0 += groupChannels)
            for (int o = o0; o < o0 + groupOutputs; ++o)
                for (int p = 0; p < area; ++p)
                    for (int c = c0; c < c0 + groupChannels; ++c)
                        stream.push_back(w[std::size_t((o * area + p) * channels + c)]);
    return stream;
}

ConvConfig convOf(const Naive& shape) {
    ConvConfig conv;
    conv.fWidth = shape.width;
    conv.fHeight = shape.height;
    conv.batchDepth = shape.channels;
    conv.kernelHeight = shape.kernelHeight;
    conv.kernelWidth = shape.kernelWidth;
    conv.nKernels = shape.outputs;
    conv.hstride = shape.hstride;
    conv.vstride = shape.vstride;
    conv.topPadding = shape.top;
    conv.botPadding = shape.bottom;
    conv.leftPadding = shape.left;
    conv.rightPadding = shape.right;
    conv.rightCrop = shape.width - 1;
    conv.botCrop = shape.height - 1;
    conv.roundingO = conv.saturationO = true;
    return conv;
}

} // namespace

class TestEmulateConv : public QObject {
    Q_OBJECT
private slots:
    void geometry_data();
    void geometry();
    void requantisedConvolution();
    void partialSumsThroughMemory();
    void pipesShareOneKernelStream();
    void deepModeEqualsNormalMode_data();
    void deepModeEqualsNormalMode();
    void sumsInALoop();
    void cropAndPadding();
    void rawLinksSaturateAt24Bits();
};

void TestEmulateConv::geometry_data() {
    QTest::addColumn<QVector<int>>("shape"); // h w c o kh kw vs hs top left bottom right
    QTest::addColumn<int>("zero");
    QTest::addColumn<int>("mode"); // simd, or 3: simd 1 with unsigned features
    QTest::newRow("1x1") << QVector<int>{4, 5, 8, 8, 1, 1, 1, 1, 0, 0, 0, 0} << 0 << 1;
    QTest::newRow("3x3 same") << QVector<int>{5, 6, 8, 8, 3, 3, 1, 1, 1, 1, 1, 1} << 0 << 1;
    QTest::newRow("3x3 rgb stride 2") << QVector<int>{7, 9, 3, 8, 3, 3, 2, 2, 0, 0, 1, 1} << 0 << 3;
    QTest::newRow("3x6") << QVector<int>{6, 12, 3, 5, 3, 6, 1, 1, 2, 2, 2, 2} << 0 << 3;
    QTest::newRow("zero point by fsub") << QVector<int>{5, 6, 8, 4, 3, 3, 1, 1, 1, 1, 1, 1} << -21 << 2;
    QTest::newRow("16 bits") << QVector<int>{4, 4, 4, 4, 2, 3, 1, 2, 0, 1, 1, 0} << 0 << 0;
    QTest::newRow("different strides") << QVector<int>{9, 8, 5, 7, 3, 2, 3, 2, 1, 0, 0, 1} << 0 << 1;
}

void TestEmulateConv::geometry() {
    QFETCH(QVector<int>, shape);
    QFETCH(int, zero);
    QFETCH(int, mode);
    const Naive naive{shape[0], shape[1], shape[2], shape[3],  shape[4],  shape[5], shape[6],
                      shape[7], shape[8], shape[9], shape[10], shape[11], zero};
    std::mt19937 random(7);
    const int bytes = mode == 0 ? 2 : 1, limit = mode == 0 ? 32767 : 127;
    const std::vector<int> x = randomValues(random, naive.height * naive.width * naive.channels,
                                            mode == 3 ? 0 : -limit - 1, mode == 3 ? 255 : limit);
    const std::vector<int> w =
        randomValues(random, naive.outputs * naive.kernelHeight * naive.kernelWidth * naive.channels, -limit, limit);

    Rig rig;
    StreamEngineConfig features =
        rig.raster(rig.constant(bytesOf(x, bytes)), naive.height, naive.width, naive.channels, bytes * 8);
    StreamEngineConfig kernels = rig.raw(rig.constant(bytesOf(w, bytes)), std::int64_t(w.size()) * bytes, bytes * 8);
    ConvConfig conv = convOf(naive);
    conv.simd = mode == 3 ? 1 : mode;
    conv.fUnsigned = mode == 3;
    conv.inbytesF = conv.simd == 1 ? 1 : 2;
    conv.fsub = zero;
    conv.outbytesO = 2;
    conv.shiftO = mode == 0 ? 17 : 3;
    if (mode == 2) {
        features.alignRight = kernels.alignRight = true;
        features.bitsOut = kernels.bitsOut = 16;
    }
    const std::vector<std::int64_t> sums = naive.sums(x, w);
    const BufferId result = rig.buffer(std::int64_t(sums.size()) * 2);
    const int in = rig.add(features), weights = rig.add(kernels), unit = rig.add(conv);
    const int out = rig.add(Rig::toMemory(rig.raster(result, naive.outHeight(), naive.outWidth(), naive.outputs, 16)));
    rig.link(in, unit, 0);
    rig.link(weights, unit, 1);
    rig.link(unit, out);
    const auto values = rig.run(result, 2);
    POOLWRIGHT_VERIFY_RESULT(values);
    for (std::size_t i = 0; i < sums.size(); ++i)
        QCOMPARE((*values)[i], roundedShift(sums[i], conv.shiftO, 16));
}

/// CONV_ACC, mul_scale, off_bias and suboff in one epoch, two kernel groups of the vectors (facts/numerics.md section
/// 2).
void TestEmulateConv::requantisedConvolution() {
    const Naive naive{6, 5, 8, 16, 3, 3, 1, 1, 1, 1, 1, 1, 0};
    std::mt19937 random(11);
    const std::vector<int> x = randomValues(random, 6 * 5 * 8, 0, 255), w = randomValues(random, 16 * 9 * 8, -127, 127);
    const std::vector<int> a = randomValues(random, 16, 16384, 32767),
                           c = randomValues(random, 16, -90000000, 90000000);
    const int sa = 5, s1 = 15, as = 20011, s2 = 20;

    Rig rig;
    StreamEngineConfig features = rig.raster(rig.constant(bytesOf(x)), 6, 5, 8, 8, 2);
    features.frameOffset = 0; // the same features for both kernel groups
    const StreamEngineConfig kernels = rig.raw(rig.constant(bytesOf(kernelStream(w, 16, 9, 8, 8, 8))), 8 * 9 * 8, 8, 2);
    ConvConfig conv = convOf(naive);
    conv.nKernels = 8;
    conv.fUnsigned = true;
    conv.shiftO = sa;
    ArithConfig scale;
    scale.scalar = false;
    scale.broadcast = ArithBroadcast::Channel;
    scale.aVector = rig.constant(bytesOf(a, 2));
    scale.vecCount = 16;
    scale.shiftO = s1;
    scale.roundingO = scale.saturationO = true;
    scale.fWidth = 5;
    scale.fHeight = 6;
    scale.fChannels = 16;
    scale.batchDepth = 8;
    ArithConfig bias = scale;
    bias.aVector = {};
    bias.aScalar = as;
    bias.combinebc = true;
    bias.cVector = rig.constant(bytesOf(c, 4));
    bias.shiftO = s2;
    bias.outbytesO = 1;
    ArithConfig suboff;
    suboff.inbytesX = 1;
    suboff.aScalar = 16384;
    suboff.combinebc = true;
    suboff.cScalar = 128 * 16384;
    suboff.shiftO = 14;
    suboff.outbytesO = 1;
    const BufferId result = rig.buffer(6 * 5 * 16);
    StreamEngineConfig out = Rig::toMemory(rig.raster(result, 6, 5, 8, 8, 2));
    out.batchOffset = 16; // channel last
    out.lineOffset = 5 * 16;
    out.frameOffset = 8;
    const int units[] = {rig.add(features), rig.add(kernels), rig.add(conv), rig.add(scale),
                         rig.add(bias),     rig.add(suboff),  rig.add(out)};
    rig.link(units[0], units[2], 0);
    rig.link(units[1], units[2], 1);
    for (int i = 2; i < 6; ++i)
        rig.link(units[i], units[i + 1]);
    const auto values = rig.run(result, 1, true);
    POOLWRIGHT_VERIFY_RESULT(values);

    const std::vector<std::int64_t> sums = naive.sums(x, w);
    int saturated = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t channel = i % 16;
        const int x16 = roundedShift(sums[i], sa, 16);
        const int y16 = roundedShift(std::int64_t(a[channel]) * x16, s1, 16);
        const int z = roundedShift(std::int64_t(as) * y16 + c[channel], s2, 8);
        saturated += z == 127 || z == -128;
        QCOMPARE((*values)[i], z + 128);
    }
    QVERIFY2(saturated > 0 && saturated < int(sums.size()) / 2, "the case should saturate in places only");
}

/// 32 input channels in 4 groups of 8, 16 kernels in 2 groups: the sums of 24 bits travel through memory (epoch.h,
/// Accumulation).
void TestEmulateConv::partialSumsThroughMemory() {
    const int groups = 4, kernelGroups = 2;
    const Naive naive{5, 4, 32, 16, 3, 3, 1, 1, 1, 1, 1, 1, 0};
    std::mt19937 random(3);
    const std::vector<int> x = randomValues(random, 5 * 4 * 32, -128, 127),
                           w = randomValues(random, 16 * 9 * 32, -127, 127);

    Rig rig;
    StreamEngineConfig features = rig.raster(rig.constant(bytesOf(x)), 5, 4, 8, 8, groups * kernelGroups);
    features.batchOffset = 32;
    features.lineOffset = 4 * 32;
    features.frameOffset = 8;
    features.frameLoopCount = groups;
    features.loopOffset = 0;
    const StreamEngineConfig kernels =
        rig.raw(rig.constant(bytesOf(kernelStream(w, 16, 9, 32, 8, 8))), 8 * 9 * 8, 8, groups * kernelGroups);
    ConvConfig conv = convOf(naive);
    conv.batchDepth = conv.nKernels = 8;
    conv.accumulate = true;
    conv.accumulateFirst = false;
    conv.afiltTotal = groups;
    conv.afiltFirst = 1;
    conv.afiltLast = groups - 1;
    conv.rawO = true;
    conv.outbytesO = 3;
    const BufferId scratch = rig.buffer(5 * 4 * 8 * 3, BufferKind::Scratch), result = rig.buffer(5 * 4 * 16 * 3);
    StreamEngineConfig partial = rig.raw(scratch, 5 * 4 * 8 * 3, 24, groups * kernelGroups - 1);
    partial.frameOffset = 0;
    StreamEngineConfig writer = Rig::toMemory(partial);
    writer.frameTotal = groups * kernelGroups;
    StreamEngineConfig out = Rig::toMemory(rig.raster(result, 5, 4, 8, 24, kernelGroups));
    out.batchOffset = 16 * 3;
    out.lineOffset = 4 * 16 * 3;
    out.frameOffset = 8 * 3;
    partial.syncEngine = 3; // the writer is stream engine 3
    const int in = rig.add(features), weights = rig.add(kernels), sums = rig.add(partial), unit = rig.add(conv),
              back = rig.add(writer), end = rig.add(out);
    rig.link(in, unit, 0);
    rig.link(weights, unit, 1);
    rig.link(sums, unit, 2);
    rig.link(unit, back);
    rig.link(unit, end, 0, groups - 1, 1);
    const auto values = rig.run(result, 3);
    POOLWRIGHT_VERIFY_RESULT(values);
    const std::vector<std::int64_t> expected = naive.sums(x, w);
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(std::int64_t((*values)[i]), expected[i]);
}

/// Four CONV_ACC in series, each with 8 of 32 channels, all on one kernel stream; 24-bit links, the last one shifts.
void TestEmulateConv::pipesShareOneKernelStream() {
    const int pipes = 4, kernels = 8;
    const Naive naive{4, 6, 32, kernels, 3, 3, 2, 1, 1, 1, 1, 1, 0};
    std::mt19937 random(5);
    const std::vector<int> x = randomValues(random, 4 * 6 * 32, 0, 255),
                           w = randomValues(random, kernels * 9 * 32, -127, 127);

    Rig rig;
    const BufferId data = rig.constant(bytesOf(x));
    std::vector<int> ins, convs;
    for (int p = 0; p < pipes; ++p) {
        StreamEngineConfig features = rig.raster(data, 4, 6, 8);
        features.offsetStart = 8 * p;
        features.batchOffset = 32;
        features.lineOffset = 6 * 32;
        ins.push_back(rig.add(features));
    }
    const std::vector<int> stream = kernelStream(w, kernels, 9, 32, kernels, 8);
    const int weights = rig.add(rig.raw(rig.constant(bytesOf(stream)), std::int64_t(stream.size())));
    for (int p = 0; p < pipes; ++p) {
        ConvConfig conv = convOf(naive);
        conv.batchDepth = 8;
        conv.fUnsigned = true;
        conv.kfiltTotal = pipes * kernels;
        conv.kfiltFirst = p * kernels;
        conv.kfiltLast = p * kernels + kernels - 1;
        conv.accumulate = p > 0;
        conv.rawO = p < pipes - 1;
        conv.outbytesO = conv.rawO ? 3 : 2;
        conv.shiftO = conv.rawO ? 0 : 6;
        convs.push_back(rig.add(conv));
    }
    const BufferId result = rig.buffer(naive.outHeight() * naive.outWidth() * kernels * 2);
    const int out = rig.add(Rig::toMemory(rig.raster(result, naive.outHeight(), naive.outWidth(), kernels, 16)));
    for (std::size_t p = 0; p < convs.size(); ++p) {
        rig.link(ins[p], convs[p], 0);
        rig.link(weights, convs[p], 1);
        if (p > 0)
            rig.link(convs[p - 1], convs[p], 2);
    }
    rig.link(convs.back(), out);
    const auto values = rig.run(result, 2);
    POOLWRIGHT_VERIFY_RESULT(values);
    const std::vector<std::int64_t> sums = naive.sums(x, w);
    for (std::size_t i = 0; i < sums.size(); ++i)
        QCOMPARE((*values)[i], roundedShift(sums[i], 6, 16));
}

void TestEmulateConv::deepModeEqualsNormalMode_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("kernels");
    QTest::addColumn<bool>("padded");
    QTest::newRow("whole frame packed") << 20 << 20 << false;
    QTest::newRow("frame that is no multiple of 3") << 16 << 10 << false;
    QTest::newRow("pixels padded to 3 bytes") << 128 << 16 << true;
}

/// 1 x 1 in deep mode, features as packed 24-bit words, kernels in blocks of 8 (facts 2.3.4, 2.3.5), two kernel groups.
void TestEmulateConv::deepModeEqualsNormalMode() {
    QFETCH(int, channels);
    QFETCH(int, kernels);
    QFETCH(bool, padded);
    const int height = 3, width = 5, total = padded ? 2 * channels : channels, outputs = 2 * kernels;
    const Naive naive{height, width, channels, outputs, 1, 1};
    std::mt19937 random(9);
    // The lower half of the channels is convolved; with `padded` there are others beside them.
    const std::vector<int> all = randomValues(random, height * width * total, -128, 127);
    const std::vector<int> w = randomValues(random, outputs * channels, -127, 127);
    std::vector<int> x, stream;
    for (std::size_t pixel = 0; pixel < std::size_t(height * width); ++pixel)
        x.insert(x.end(), all.begin() + std::ptrdiff_t(pixel) * total,
                 all.begin() + std::ptrdiff_t(pixel) * total + channels);
    for (int group = 0; group < outputs; group += kernels) {
        for (int block = 0; block < kernels; block += 8)
            for (int c = 0; c < channels; ++c)
                for (int k = block; k < std::min(block + 8, kernels); ++k)
                    stream.push_back(w[std::size_t((group + k) * channels + c)]);
        while (stream.size() % 3 != 0)
            stream.push_back(0);
    }

    Rig rig;
    StreamEngineConfig features;
    if (padded) {
        features = rig.raster(rig.constant(bytesOf(all)), height, width, (channels + 2) / 3, 24, 2);
        features.batchOffset = total;
        features.lineOffset = width * total;
        features.rawOut = true;
    } else {
        const int bytes = (height * width * channels + 2) / 3 * 3;
        features = rig.raw(rig.constant(bytesOf(all)), bytes, 24, 2);
    }
    features.frameOffset = 0;
    const StreamEngineConfig weights = rig.raw(rig.constant(bytesOf(stream)), std::int64_t(stream.size()) / 2, 24, 2);
    ConvConfig conv = convOf(naive);
    conv.nKernels = kernels;
    conv.deepmode = true;
    conv.kseten = 3;
    conv.inbytesF = padded ? 1 : 3;
    conv.shiftO = 4;
    const BufferId result = rig.buffer(height * width * outputs * 2);
    StreamEngineConfig out = Rig::toMemory(rig.raster(result, height, width, kernels, 16, 2));
    out.batchOffset = outputs * 2;
    out.lineOffset = width * outputs * 2;
    out.frameOffset = kernels * 2;
    const int in = rig.add(features), kernelEngine = rig.add(weights), unit = rig.add(conv), end = rig.add(out);
    rig.link(in, unit, 0);
    rig.link(kernelEngine, unit, 1);
    rig.link(unit, end);
    const auto values = rig.run(result, 2);
    POOLWRIGHT_VERIFY_RESULT(values);
    const std::vector<std::int64_t> sums = naive.sums(x, w);
    for (std::size_t i = 0; i < sums.size(); ++i)
        QCOMPARE((*values)[i], roundedShift(sums[i], 4, 16));
}

/// One pixel, the output goes back into port 2 of the same unit; the first sum is made inside (accumulateGenFirst).
void TestEmulateConv::sumsInALoop() {
    const int groups = 4;
    std::mt19937 random(13);
    const std::vector<int> x = randomValues(random, 64, -128, 127), w = randomValues(random, 16 * 64, -127, 127);
    Rig rig;
    const StreamEngineConfig features = rig.raster(rig.constant(bytesOf(x)), 1, 1, 16, 8, 2 * groups);
    StreamEngineConfig twice = features;
    twice.frameLoopCount = groups;
    const StreamEngineConfig kernels =
        rig.raw(rig.constant(bytesOf(kernelStream(w, 16, 1, 64, 8, 16))), 8 * 16, 8, 2 * groups);
    ConvConfig conv = convOf({1, 1, 16, 8, 1, 1});
    conv.accumulate = conv.accumulateGenFirst = conv.rawO = true;
    conv.outbytesO = 3;
    conv.afiltTotal = groups;
    conv.afiltFirst = 1;
    conv.afiltLast = groups - 1;
    const BufferId result = rig.buffer(16 * 3);
    const int in = rig.add(twice), weights = rig.add(kernels), unit = rig.add(conv),
              out = rig.add(Rig::toMemory(rig.raw(result, 8 * 3, 24, 2)));
    rig.link(in, unit, 0);
    rig.link(weights, unit, 1);
    rig.link(unit, unit, 2);
    rig.link(unit, out, 0, groups - 1, 1);
    const auto values = rig.run(result, 3);
    POOLWRIGHT_VERIFY_RESULT(values);
    const std::vector<std::int64_t> sums = Naive{1, 1, 64, 16, 1, 1}.sums(x, w);
    for (std::size_t i = 0; i < sums.size(); ++i)
        QCOMPARE(std::int64_t((*values)[i]), sums[i]);
}

/// A 1 x 1 kernel of weight 1 that keeps rows 1..2 and columns 2..4 and pads with zfbias: what the vendor uses to pad
/// and crop.
void TestEmulateConv::cropAndPadding() {
    std::vector<int> x(4 * 6);
    std::iota(x.begin(), x.end(), 1);
    Rig rig;
    ConvConfig conv = convOf({4, 6, 1, 1, 1, 1});
    conv.topCrop = 1;
    conv.botCrop = 2;
    conv.leftCrop = 2;
    conv.rightCrop = 4;
    conv.topPadding = 1;
    conv.rightPadding = 2;
    conv.zfbias = -128;
    conv.outbytesO = 1;
    const BufferId result = rig.buffer(3 * 5);
    const int in = rig.add(rig.raster(rig.constant(bytesOf(x)), 4, 6, 1)), one = rig.add(rig.raw(rig.constant({1}), 1)),
              unit = rig.add(conv), out = rig.add(Rig::toMemory(rig.raster(result, 3, 5, 1)));
    rig.link(in, unit, 0);
    rig.link(one, unit, 1);
    rig.link(unit, out);
    const auto values = rig.run(result);
    POOLWRIGHT_VERIFY_RESULT(values);
    const std::vector<int> expected{-128, -128, -128, -128, -128, 9, 10, 11, -128, -128, 15, 16, 17, -128, -128};
    QCOMPARE(*values, expected);
}

void TestEmulateConv::rawLinksSaturateAt24Bits() {
    Rig rig;
    ConvConfig conv = convOf({1, 1, 2, 2, 1, 1});
    conv.simd = 0;
    conv.inbytesF = 2;
    conv.rawO = true;
    conv.outbytesO = 3;
    const BufferId result = rig.buffer(6);
    const int in = rig.add(rig.raw(rig.constant(bytesOf({30000, 30000}, 2)), 4, 16)),
              weights = rig.add(rig.raw(rig.constant(bytesOf({30000, 30000, -30000, 29999}, 2)), 8, 16)),
              unit = rig.add(conv), out = rig.add(Rig::toMemory(rig.raw(result, 6, 24)));
    rig.link(in, unit, 0);
    rig.link(weights, unit, 1);
    rig.link(unit, out);
    const auto values = rig.run(result, 3);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, (std::vector<int>{(1 << 23) - 1, -30000}));
}

QTEST_APPLESS_MAIN(TestEmulateConv)
#include "tst_emulate_conv.moc"
