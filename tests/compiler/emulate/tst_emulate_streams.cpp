// SPDX-License-Identifier: Apache-2.0
#include "rig.h"

#include "support/shared.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::program;
using namespace poolwright::test;

class TestEmulateStreams : public QObject {
    Q_OBJECT
private slots:
    void rasterAddresses_data();
    void rasterAddresses();
    void wordFormats_data();
    void wordFormats();
    void broadcastAndDroppedFrames();
    void transposingCopy();
    void framesThatDoNotFitAreNamed();
    void readingPastTheBuffer();
};

void TestEmulateStreams::rasterAddresses_data() {
    QTest::addColumn<int>("bits");
    QTest::newRow("8") << 8;
    QTest::newRow("16") << 16;
    QTest::newRow("24") << 24;
}

/// Random walks against the formula of facts 2.1, spelled out word by word.
void TestEmulateStreams::rasterAddresses() {
    QFETCH(int, bits);
    const int bytes = bits / 8;
    std::mt19937 random(static_cast<unsigned>(bits));
    const std::vector<int> memory = randomValues(random, 6000, 0, 255);
    for (int round = 0; round < 50; ++round) {
        const auto pick = [&random](int lowest, int highest) { return randomValues(random, 1, lowest, highest)[0]; };
        Rig rig;
        StreamEngineConfig walk = rig.raster(rig.constant(bytesOf(memory)), pick(1, 4), pick(1, 5), pick(1, 6), bits);
        walk.offsetStart = pick(0, 50);
        walk.frameTotal = pick(1, 6);
        walk.frameLoopCount = pick(0, 3);
        walk.frameOffset = pick(0, 100);
        walk.loopOffset = pick(0, 300);
        if (pick(0, 1))
            walk.batchOffset = pick(0, 60);
        if (pick(0, 1))
            walk.lineOffset = pick(0, 400);

        std::vector<int> expected;
        for (std::int64_t frame = 0; frame < walk.frameTotal; ++frame) {
            std::int64_t start = walk.offsetStart + frame * walk.frameOffset;
            if (walk.frameLoopCount > 0)
                start = walk.offsetStart + (frame / walk.frameLoopCount) * walk.loopOffset +
                        (frame % walk.frameLoopCount) * walk.frameOffset;
            for (std::int64_t y = 0; y < walk.fheight; ++y)
                for (std::int64_t x = 0; x < walk.fwidth; ++x)
                    for (std::int64_t c = 0; c < walk.batchDepth; ++c)
                        for (int b = 0; b < bytes; ++b)
                            expected.push_back(memory[std::size_t(start + y * walk.lineOffset + x * walk.batchOffset +
                                                                  c * bytes + b)]);
        }
        const BufferId result = rig.buffer(std::int64_t(expected.size()));
        const int in = rig.add(walk),
                  out = rig.add(Rig::toMemory(rig.raw(result, wordsPerFrame(walk) * bytes, bits, walk.frameTotal)));
        rig.link(in, out);
        const auto values = rig.run(result, 1, true);
        POOLWRIGHT_VERIFY_RESULT(values);
        QCOMPARE(*values, expected);
    }
}

void TestEmulateStreams::wordFormats_data() {
    QTest::addColumn<bool>("alignRight");
    QTest::addColumn<bool>("isUnsigned");
    QTest::addColumn<int>("expected");
    QTest::newRow("sign") << true << false << -56;
    QTest::newRow("no sign") << true << true << 200;
    QTest::newRow("high bits") << false << false << -56 * 256;
}

/// The byte 200 as a 16-bit word.
void TestEmulateStreams::wordFormats() {
    QFETCH(bool, alignRight);
    QFETCH(bool, isUnsigned);
    QFETCH(int, expected);
    Rig rig;
    StreamEngineConfig in = rig.raw(rig.constant({200}), 1);
    in.bitsOut = 16;
    in.alignRight = alignRight;
    in.bitsUnsigned = isUnsigned;
    const BufferId result = rig.buffer(2);
    rig.add(in);
    rig.link(0, rig.add(Rig::toMemory(rig.raw(result, 2, 16))));
    const auto values = rig.run(result, 2);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, std::vector<int>{expected});
}

/// Frames 0..5 to two engines: one gets all, the other every third.
void TestEmulateStreams::broadcastAndDroppedFrames() {
    Rig rig;
    const int in = rig.add(rig.raw(rig.constant({0, 1, 2, 3, 4, 5}), 1, 8, 6));
    const BufferId all = rig.buffer(6), some = rig.buffer(2);
    const int first = rig.add(Rig::toMemory(rig.raw(all, 1, 8, 6))),
              second = rig.add(Rig::toMemory(rig.raw(some, 1, 8, 2)));
    rig.link(in, first);
    rig.link(in, second, 0, 2, 1);
    const auto everything = rig.run(all), third = rig.run(some);
    POOLWRIGHT_VERIFY_RESULT(everything);
    POOLWRIGHT_VERIFY_RESULT(third);
    QCOMPARE(*everything, (std::vector<int>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(*third, (std::vector<int>{2, 5}));
}

/// A raster that writes 2 x 3 as 3 x 2.
void TestEmulateStreams::transposingCopy() {
    Rig rig;
    const int in = rig.add(rig.raw(rig.constant({1, 2, 3, 4, 5, 6}), 6));
    const BufferId result = rig.buffer(6);
    StreamEngineConfig out = Rig::toMemory(rig.raster(result, 2, 3, 1));
    out.batchOffset = 2;
    out.lineOffset = 1;
    rig.link(in, rig.add(out));
    const auto values = rig.run(result);
    POOLWRIGHT_VERIFY_RESULT(values);
    QCOMPARE(*values, (std::vector<int>{1, 4, 2, 5, 3, 6}));
}

void TestEmulateStreams::framesThatDoNotFitAreNamed() {
    const auto copy = [](std::int64_t from, std::int64_t to) {
        Rig rig;
        const BufferId result = rig.buffer(to);
        const int in = rig.add(rig.raw(rig.constant(std::vector<std::uint8_t>(std::size_t(from))), from));
        const int out = rig.add(Rig::toMemory(rig.raw(result, to)));
        rig.link(in, out);
        return rig.run(result);
    };
    const auto stopped = copy(3, 8);
    QVERIFY(!stopped);
    QCOMPARE(
        QString::fromStdString(toText(stopped.error().front())),
        QStringLiteral("epoch 1, unit1: error: stopped after 0 frames, 1 are left; port 0 has 3 of 8 words [PW4141]"));
    const auto surplus = copy(3, 2);
    QVERIFY(!surplus);
    QCOMPARE(QString::fromStdString(surplus.error().front().code), QStringLiteral("PW4142"));
}

/// verify() refuses such a program, so the memory is asked itself.
void TestEmulateStreams::readingPastTheBuffer() {
    Rig rig;
    const BufferId id = rig.constant({1, 2, 3});
    auto memory = emulate::Memory::create(rig.program());
    POOLWRIGHT_VERIFY_RESULT(memory);
    const std::string unit = "Conv_1";
    QVERIFY(memory->read(id, 0, 3, {1, &unit}));
    QVERIFY(memory->read(id, 0, 5, {1, &unit}, 2));
    const auto bad = memory->read(id, 1, 3, {1, &unit});
    QVERIFY(!bad);
    QCOMPARE(QString::fromStdString(toText(bad.error().front())),
             QStringLiteral("epoch 1, Conv_1: error: accesses bytes 1 to 4 of buffer buffer0 of 3 bytes [PW4104]"));
    QVERIFY(!memory->write(id, -1, 1, {1, &unit}));
    QVERIFY(!memory->read(BufferId(7), 0, 1, {1, &unit}));
    QVERIFY(!memory->read(id, std::numeric_limits<std::int64_t>::max(), 3, {1, &unit}));
}

QTEST_APPLESS_MAIN(TestEmulateStreams)
#include "tst_emulate_streams.moc"
