// SPDX-License-Identifier: Apache-2.0
#include "target/machine.h"

#include "support/shared.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::target;

class TestTarget : public QObject {
    Q_OBJECT
private slots:
    void builtinHasTheUnitsOfTheInventory();
    void printIndicesOfTheInventory();
    void banksAndBoards();
    void shippedFileEqualsTheBuiltin();
    void brokenFilesNameTheKey_data();
    void brokenFilesNameTheKey();
    void olderMachineDescription();
    void newerMachineDescription();
    void brokenMachineDescription();
};

void TestTarget::builtinHasTheUnitsOfTheInventory() {
    const Machine& machine = builtinTarget().machine;
    QCOMPARE(machine.name, std::string("stm32n6"));
    QCOMPARE(machine.count(UnitKind::StreamEngine), 10);
    QCOMPARE(machine.count(UnitKind::ConvAcc), 4);
    QCOMPARE(machine.count(UnitKind::DecUnit), 2);
    QCOMPARE(machine.count(UnitKind::Activ), 2);
    QCOMPARE(machine.count(UnitKind::Arith), 4);
    QCOMPARE(machine.count(UnitKind::Pool), 2);
    QCOMPARE(machine.count(UnitKind::RecBuf), 1);
    QCOMPARE(machine.power(UnitKind::ConvAcc), 30.132);
    QCOMPARE(machine.memoryPort(4), 0);
    QCOMPARE(machine.memoryPort(5), 1);
    QCOMPARE(machine.memoryPort(10), -1);
    QCOMPARE(std::string(unitPrintName(UnitKind::Arith)), std::string("ARITH_ACC_V2"));
    QCOMPARE(std::string(unitEnumName(UnitKind::DecUnit)), std::string("DECUN"));
}

void TestTarget::printIndicesOfTheInventory() {
    const Machine& machine = builtinTarget().machine;
    QCOMPARE(machine.printIndex(UnitKind::StreamEngine, 9), 9);
    QCOMPARE(machine.printIndex(UnitKind::ConvAcc, 0), 10);
    QCOMPARE(machine.printIndex(UnitKind::DecUnit, 1), 15);
    QCOMPARE(machine.printIndex(UnitKind::Activ, 0), 16);
    QCOMPARE(machine.printIndex(UnitKind::Arith, 3), 21);
    QCOMPARE(machine.printIndex(UnitKind::Pool, 0), 22);
    QCOMPARE(machine.printIndex(UnitKind::Processor, 0), 27);
    QCOMPARE(machine.nullUnitPrintIndex(), 28);
}

void TestTarget::banksAndBoards() {
    const Target& target = builtinTarget();
    QCOMPARE(target.banks.size(), std::size_t(9));
    for (std::size_t i = 1; i < 7; ++i) // the internal banks touch each other
        QCOMPARE(target.banks[i].range.start, target.banks[i - 1].range.end());
    QCOMPARE(target.banks[6].range.end(), Address(0x343C0000));
    QVERIFY(!target.banks[7].writable);
    QCOMPARE(target.board("").name, std::string("STM32N6570-DK"));
    QCOMPARE(target.board("no such board").flashBytesPerSecond, 400e6);
    QCOMPARE(target.board("STM32N6570-DK AI-Studio").npuMegahertz, 800.0);
    QCOMPARE(target.board("NUCLEO-N657X0-Q").absentBanks, std::vector<std::string>{"XSPI1"});
}

void TestTarget::shippedFileEqualsTheBuiltin() {
    const auto path = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "resources/targets/stm32n6.json";
    const auto read = readTarget(test::readFile(path), path.string());
    POOLWRIGHT_VERIFY_RESULT(read);
    QCOMPARE(read->banks.size(), builtinTarget().banks.size());
    QCOMPARE(read->boards.size(), builtinTarget().boards.size());
}

void TestTarget::brokenFilesNameTheKey_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    const QString head = R"({"format":"poolwright-target","machine":{"units":[{"kind":"STRENG","count":10}%1]},)"
                         R"("boards":[{"name":"b"%2}]%3})";
    QTest::newRow("not JSON") << "{\n \"format\": oops }"
                              << "PW1101"
                              << "x.json:2:";
    QTest::newRow("empty") << ""
                           << "PW1101"
                           << "x.json:1:1";
    QTest::newRow("an array") << "[]"
                              << "PW1102"
                              << "object";
    QTest::newRow("other format") << R"({"format":"mpool"})"
                                  << "PW1102"
                                  << "machine";
    QTest::newRow("unknown unit") << head.arg(R"(,{"kind":"GPU","count":1})", "", "") << "PW1105"
                                  << "GPU";
    QTest::newRow("huge count") << head.arg(R"(,{"kind":"POOL","count":99999999999})", "", "") << "PW1103"
                                << "machine.units[1].count";
    QTest::newRow("no clock") << head.arg("", R"(,"npu_megahertz":0)", "") << "PW1103"
                              << "boards[0].npu_megahertz";
    QTest::newRow("misspelt key") << head.arg("", R"(,"cpu_mhz":800)", "") << "PW1104"
                                  << "boards[0].cpu_mhz";
    QTest::newRow("overlapping banks")
        << head.arg("", "",
                    R"(,"banks":[{"name":"A","address":"0x10","size":16},{"name":"B","address":"31","size":4}])")
        << "PW1107"
        << "A and B";
    QTest::newRow("alignment of 3")
        << R"({"format":"poolwright-target","machine":{"units":[{"kind":"STRENG","count":10}],"limits":{"io_alignment":3}},)"
           R"("boards":[{"name":"b"}]})"
        << "PW1103"
        << "machine.limits.io_alignment";
    QTest::newRow("address of 33 bits") << head.arg("", "",
                                                    R"(,"banks":[{"name":"A","address":"0x100000000","size":16}])")
                                        << "PW1103"
                                        << "0x100000000";
}

void TestTarget::brokenFilesNameTheKey() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    QFETCH(QString, says);
    const auto read = readTarget(text.toStdString(), "x.json");
    QVERIFY(!read.has_value());
    const QString all = test::describe(read.error());
    QVERIFY2(all.contains(code) && all.contains(says), qPrintable(all));
}

void TestTarget::olderMachineDescription() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto path = test::sharedFolder() / "samples/mdesc/edgeimpulse-firmware-stm32n6.mdesc";
    const auto read = withMachineDescription(builtinTarget(), test::readFile(path), path.string());
    POOLWRIGHT_VERIFY_RESULT(read);
    const Machine& machine = read->machine;
    QCOMPARE(machine.power(UnitKind::Processor), 200.0);
    QCOMPARE(machine.count(UnitKind::StreamEngine), 10);
    // The order of this form gives the numbers that its compiler prints (facts/neural-art-target.md section 1.1).
    QCOMPARE(machine.printIndex(UnitKind::ConvAcc, 0), 0);
    QCOMPARE(machine.printIndex(UnitKind::Arith, 0), 6);
    QCOMPARE(machine.printIndex(UnitKind::StreamEngine, 0), 15);
    QCOMPARE(machine.printIndex(UnitKind::StreamEngine, 7), 22);
    QCOMPARE(machine.memoryPort(7), 1);
    QCOMPARE(machine.printIndex(UnitKind::Processor, 0), 25);
    QCOMPARE(machine.nullUnitPrintIndex(), 26);
}

void TestTarget::newerMachineDescription() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto path = test::sharedFolder() / "samples/mdesc/edgeimpulse-standalone-stm32n6.mdesc";
    const auto read = withMachineDescription(builtinTarget(), test::readFile(path), path.string());
    POOLWRIGHT_VERIFY_RESULT(read);
    QCOMPARE(read->machine.printIndex(UnitKind::ConvAcc, 0), 10);
    QCOMPARE(read->machine.printIndex(UnitKind::Pool, 1), 23);
    QCOMPARE(read->machine.printIndex(UnitKind::Processor, 0), 27);
    QCOMPARE(read->machine.nullUnitPrintIndex(), 28);
}

void TestTarget::brokenMachineDescription() {
    const auto none = withMachineDescription(builtinTarget(), R"({"machine":{"accelerators":[]}})", "m.mdesc");
    QVERIFY(!none.has_value());
    const auto odd =
        withMachineDescription(builtinTarget(), R"({"machine":{"accelerators":[{"type":"TPU","num":1}]}})", "m.mdesc");
    QVERIFY(!odd.has_value());
    QVERIFY(test::describe(odd.error()).contains("TPU"));
}

QTEST_APPLESS_MAIN(TestTarget)
#include "tst_target.moc"
