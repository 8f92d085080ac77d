// SPDX-License-Identifier: Apache-2.0
#define QT_NO_KEYWORDS // the macro "emit" would hide the room's namespace
#include "emit/c_writer.h"
#include "emit/initialisers.h"

#include <QTest>

using namespace poolwright;

class TestInitialisers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rawStartsAtThePoolAndEndsAtTheLastConstant();
    void constantAcrossMembersOfAVirtualPoolIsSplit();
    void intelHexIsTheTextbookRecord();
    void hexDumps();
    void cArrayIsLittleEndian();
    void identifiersAndStrings();

private:
    static mpool::PoolFile twoPools(mpool::FileFormat format = mpool::FileFormat::Raw);
    static program::Program programWith(const mpool::PoolFile& pools, Address at, std::vector<std::uint8_t> bytes, int pool);
};

mpool::PoolFile TestInitialisers::twoPools(mpool::FileFormat format) {
    mpool::PoolFile file;
    for (int i = 0; i < 2; ++i) {
        mpool::Pool pool;
        pool.name = "ram" + std::to_string(i);
        pool.fname = "RAM" + std::to_string(i);
        pool.format = format;
        pool.offset.bytes = 0x1000 + i * 0x10;
        pool.size.bytes = 0x10;
        file.pools.push_back(pool);
    }
    return file;
}

program::Program TestInitialisers::programWith(const mpool::PoolFile& pools, Address at, std::vector<std::uint8_t> bytes, int pool) {
    program::Program program;
    for (std::size_t i = 0; i < pools.pools.size(); ++i) {
        mpool::EffectivePool effective;
        effective.range = pools.pools[i].range();
        effective.members = {PoolId(i)};
        program.pools.push_back(effective);
    }
    mpool::EffectivePool both;
    both.range = {Address(0x1000), ByteCount(0x20)};
    both.members = {PoolId(0), PoolId(1)};
    program.pools.push_back(both);
    program::Buffer buffer;
    buffer.name = "w";
    buffer.kind = program::BufferKind::Constant;
    buffer.size = ByteCount(std::int64_t(bytes.size()));
    buffer.contents = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    program.buffers.push_back(buffer);
    program.placements.push_back(program::Placement{PoolId(pool), at});
    return program;
}

void TestInitialisers::rawStartsAtThePoolAndEndsAtTheLastConstant() {
    const mpool::PoolFile pools = twoPools();
    const auto initialisers = emit::initialisersOf(programWith(pools, Address(0x1014), {1, 2, 3}, 1), pools);
    QCOMPARE(initialisers.size(), std::size_t(2));
    QCOMPARE(initialisers[0].fileName, std::string("atonbuf.RAM0.raw"));
    QVERIFY(initialisers[0].bytes.empty());
    QCOMPARE(initialisers[1].bytes, (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 2, 3}));
}

void TestInitialisers::constantAcrossMembersOfAVirtualPoolIsSplit() {
    const mpool::PoolFile pools = twoPools();
    const auto initialisers = emit::initialisersOf(programWith(pools, Address(0x100E), {1, 2, 3, 4}, 2), pools);
    QCOMPARE(initialisers[0].bytes.size(), std::size_t(16));
    QCOMPARE(int(initialisers[0].bytes[14]), 1);
    QCOMPARE(int(initialisers[0].bytes[15]), 2);
    QCOMPARE(initialisers[1].bytes, (std::vector<std::uint8_t>{3, 4}));
}

void TestInitialisers::intelHexIsTheTextbookRecord() {
    // The record that descriptions of the format give as their example: address 0x0100, sixteen bytes, checksum 0x40.
    emit::Initialiser initialiser;
    initialiser.format = mpool::FileFormat::IntelHex;
    initialiser.range = {Address(0x70380100), ByteCount(16)};
    initialiser.bytes = {0x21, 0x46, 0x01, 0x36, 0x01, 0x21, 0x47, 0x01, 0x36, 0x00, 0x7E, 0xFE, 0x09, 0xD2, 0x19, 0x01};
    QCOMPARE(emit::fileContent(initialiser, {}), std::string(":020000047038" "52\n"
                                                             ":10010000214601360121470136007EFE09D2190140\n"
                                                             ":00000001FF\n"));
}

void TestInitialisers::hexDumps() {
    emit::Initialiser initialiser;
    initialiser.bytes = {0x01, 0x23, 0x45, 0x67, 0x89};
    initialiser.format = mpool::FileFormat::Hex;
    QCOMPARE(emit::fileContent(initialiser, {}), std::string("01 23 45 67 89\n"));
    initialiser.format = mpool::FileFormat::Hex16;
    QCOMPARE(emit::fileContent(initialiser, {}), std::string("2301 6745 0089\n"));
    initialiser.format = mpool::FileFormat::Hex32;
    QCOMPARE(emit::fileContent(initialiser, {}), std::string("67452301 00000089\n"));
}

void TestInitialisers::cArrayIsLittleEndian() {
    emit::Initialiser initialiser;
    initialiser.format = mpool::FileFormat::C;
    initialiser.bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const std::string text = emit::fileContent(initialiser, "_mem_pool_RAM0_net");
    QVERIFY(text.find("0x0807060504030201ULL, 0x0000000000000009ULL,\n};") != std::string::npos);
}

void TestInitialisers::identifiersAndStrings() {
    QCOMPARE(emit::identifier("/model/conv.1"), std::string("_model_conv_1"));
    QCOMPARE(emit::identifier("3x3"), std::string("_3x3"));
    QCOMPARE(emit::cString("a\"b\\c\n"), std::string("\"a\\\"b\\\\c\\012\""));
    emit::CWriter writer;
    writer.comment("ends */ here");
    QCOMPARE(writer.text(), std::string("/* ends * / here */\n"));
}

QTEST_APPLESS_MAIN(TestInitialisers)
#include "tst_initialisers.moc"
