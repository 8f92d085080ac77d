// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"
#include "base/units.h"

#include <QTest>

using namespace poolwright;

class TestBase : public QObject {
    Q_OBJECT
private slots:
    void diagnosticText();
    void rangesOfNoSizeOverlapNothing();
    void numbersForPeople();
};

void TestBase::diagnosticText() {
    const Diagnostic diagnostic = makeError("PW1203", "size is negative", {"a.mpool", 12, 7, "npuRAM3"}, "write 0 to disable the pool");
    QCOMPARE(toText(diagnostic),
             std::string("a.mpool:12:7: npuRAM3: error: size is negative [PW1203]\n    hint: write 0 to disable the pool"));
    QCOMPARE(toText(makeWarning("PW1", "w")), std::string("warning: w [PW1]"));
}

void TestBase::rangesOfNoSizeOverlapNothing() {
    const AddressRange sram{Address(0x34000000), ByteCount(0x1000)};
    QVERIFY(!sram.overlaps({Address(0x34000800), ByteCount(0)}));
    QVERIFY(sram.overlaps({Address(0x34000FFF), ByteCount(1)}));
    QVERIFY(!sram.overlaps({Address(0x34001000), ByteCount(1)}));
}

void TestBase::numbersForPeople() {
    QCOMPARE(toText(ByteCount(1835008)), std::string("1,835,008 B"));
    QCOMPARE(toText(ByteCount(-1000)), std::string("-1,000 B"));
    QCOMPARE(toText(ByteCount(999)), std::string("999 B"));
    QCOMPARE(toText(Address(0x34200000)), std::string("0x34200000"));
}

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
