// SPDX-License-Identifier: Apache-2.0
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "mpool/edit.h"
#include "mpool/write.h"
#include "samples.h"
#endif

#include <QtTest>

#include <random>

using namespace poolwright;
using namespace poolwright::mpool;

/// What differs between two texts when common head and tail are taken off: "old -> new".
static QString difference(const std::string& a, const std::string& b) {
    std::size_t head = 0, tail = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head])
        ++head;
    while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    return QString::fromStdString(a.substr(head, a.size() - head - tail) + " -> " +
                                  b.substr(head, b.size() - head - tail));
}

static Result<PoolFile> caseFile(const char* name) {
    return test::readMpool(test::sharedFolder() / "cases/c06-virtual-hole" / name);
}

class TestMpoolEdit : public QObject {
    Q_OBJECT

private slots:
    void respellsAsWritten_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("magnitude");
        QTest::addColumn<qlonglong>("bytes");
        QTest::addColumn<QByteArray>("newValue");
        QTest::addColumn<int>("newMagnitude");
        const auto row = [](const char* name, const char* value, Magnitude m, qlonglong bytes, const char* now,
                            Magnitude n) {
            QTest::newRow(name) << QByteArray(value) << int(m) << bytes << QByteArray(now) << int(n);
        };
        row("hex stays hex", "0x34200000", Magnitude::Bytes, 0x342e0000, "0x342e0000", Magnitude::Bytes);
        row("upper stays upper", "0x342E0000", Magnitude::Bytes, 0x341C0000, "0x341C0000", Magnitude::Bytes);
        row("digits kept", "0x00001000", Magnitude::Bytes, 0x20, "0x00000020", Magnitude::Bytes);
        row("kilobytes kept", "448", Magnitude::KBytes, 384 * 1024, "384", Magnitude::KBytes);
        row("megabytes to kilobytes", "1", Magnitude::MBytes, 1000 * 1024, "1000", Magnitude::KBytes);
        row("megabytes to bytes", "1", Magnitude::MBytes, 1048575, "1048575", Magnitude::Bytes);
        row("hex kilobytes", "0x1C0", Magnitude::KBytes, 400 * 1024, "0x190", Magnitude::KBytes);
        row("zero", "16", Magnitude::MBytes, 0, "0", Magnitude::MBytes);
    }

    void respellsAsWritten() {
        QFETCH(QByteArray, value);
        QFETCH(int, magnitude);
        QFETCH(qlonglong, bytes);
        const Quantity now = respelled({value.toStdString(), Magnitude(magnitude), 0}, bytes);
        QTEST(QByteArray::fromStdString(now.valueText), "newValue");
        QTEST(int(now.magnitude), "newMagnitude");
        QCOMPARE(now.bytes, bytes);
    }

    /// One edit of every kind in every pool of every sample changes one place and reads back as asked.
    void oneEditOnePlace() {
        POOLWRIGHT_NEEDS_SHARED();
        int edits = 0;
        for (const auto& path : test::sampleMpools()) {
            const auto file = test::readMpool(path);
            POOLWRIGHT_VERIFY_RESULT(file);
            for (std::size_t i = 0; i < file->pools.size(); ++i) {
                const Pool& pool = file->pools[i];
                if (pool.name == "ec params pool")
                    continue;
                const ByteCount size(pool.size.bytes + 1024 * 1024);
                const auto edited = withSize(*file, PoolId(i), size);
                POOLWRIGHT_VERIFY_RESULT(edited);
                QCOMPARE(edited->pools[i].size.bytes, size.value);
                const QString changed = difference(file->text, edited->text);
                QVERIFY2(changed.size() < 60, qPrintable(changed));
                QCOMPARE(std::count(file->text.begin(), file->text.end(), '\n'),
                         std::count(edited->text.begin(), edited->text.end(), '\n'));
                PoolFile expected = *file;
                expected.pools[i].size = edited->pools[i].size;
                QVERIFY(expected.pools == edited->pools);
                const auto back = withSize(*edited, PoolId(i), ByteCount(pool.size.bytes));
                QVERIFY2(back->text == file->text || back->pools[i].size.magnitude != pool.size.magnitude,
                         qPrintable(difference(file->text, back->text)));

                const auto renamed = withName(*file, PoolId(i), "renamed");
                POOLWRIGHT_VERIFY_RESULT(renamed);
                QCOMPARE(renamed->text.size() - file->text.size(), std::string("renamed").size() - pool.name.size());
                edits += 2;
            }
        }
        QVERIFY(edits > 400);
    }

    void freqRatioChangesItsDigitsAlone() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readSample("chen-steel-user");
        Properties now = file->pools[0].properties;
        now.freqRatio = 2.5;
        const auto edited = withProperties(*file, PoolId(0), now);
        POOLWRIGHT_VERIFY_RESULT(edited);
        QCOMPARE(difference(file->text, edited->text), QString("1.2 -> 2."));
        QCOMPARE(withProperties(*file, PoolId(0), file->pools[0].properties)->text, file->text);
    }

    void absentKeysAreAddedInTheLayoutOfTheObject() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto oneLine = test::readSample("chen-steel-user");
        Properties now = oneLine->pools[0].properties;
        now.cacheable = now.constantsPreferred = true;
        const auto edited = withProperties(*oneLine, PoolId(0), now);
        POOLWRIGHT_VERIFY_RESULT(edited);
        QCOMPARE(difference(oneLine->text, edited->text),
                 QString(" -> , \"cacheable\": \"CACHEABLE_ON\", \"constants_preferred\": \"true\""));
        QVERIFY(edited->pools[0].properties == now);

        const auto manyLines = caseFile("merged.mpool");
        const auto on = withCacheable(*manyLines, PoolId(1), true);
        POOLWRIGHT_VERIFY_RESULT(on);
        QCOMPARE(difference(manyLines->text, on->text), QString(" -> ,\n          \"cacheable\": \"CACHEABLE_ON\""));
        QCOMPARE(withCacheable(*manyLines, PoolId(1), false)->text, manyLines->text);
        QCOMPARE(difference(on->text, withCacheable(*on, PoolId(1), false)->text), QString("N -> FF"));
    }

    void keepsStringOrBoolOfConstantsPreferred() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto dump = test::readSample("chen-steel-saved-by-atonn-1.0.0");
        const auto hyper = *dump->find("hyperRAM");
        QCOMPARE(difference(dump->text, withConstantsPreferred(*dump, hyper, false)->text), QString("tru -> fals"));
        const auto user = test::readSample("chen-steel-user");
        QCOMPARE(difference(user->text, withConstantsPreferred(*user, *user->find("hyperRAM"), false)->text),
                 QString("tru -> fals"));
    }

    /// hole.mpool of c06 is merged.mpool with a hole of one byte: our edit gives that very file.
    void insertHoleMakesTheCaseFile() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto merged = caseFile("merged.mpool"), hole = caseFile("hole.mpool");
        const auto made = insertHole(*merged, PoolId(0), PoolId(1));
        POOLWRIGHT_VERIFY_RESULT(made);
        QCOMPARE(made->text, hole->text);
        const auto closed = closeHole(*hole, PoolId(0), PoolId(1));
        POOLWRIGHT_VERIFY_RESULT(closed);
        QVERIFY(closed->pools[0].range() == merged->pools[0].range());
        QVERIFY(!insertHole(*hole, PoolId(0), PoolId(1)));
        QVERIFY(!closeHole(*hole, PoolId(1), PoolId(0)));
        const auto aligned = insertHole(*merged, PoolId(0), PoolId(1), ByteCount(1), 4096);
        QCOMPARE(aligned->pools[0].size.bytes, 1048576 - 4096);
        QVERIFY(!insertHole(*merged, PoolId(0), PoolId(1), ByteCount(1048576)));
    }

    void boundaryMovesBothPools() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = caseFile("merged.mpool");
        const auto moved = moveBoundary(*file, PoolId(0), PoolId(1), Address(0x34220000));
        POOLWRIGHT_VERIFY_RESULT(moved);
        QCOMPARE(moved->pools[0].size.bytes, 1048576 + 0x20000);
        QCOMPARE(moved->pools[1].offset.valueText, std::string("0x34220000"));
        QVERIFY(moved->pools[1].range().end() == file->pools[1].range().end());
        const auto start = withStart(*file, PoolId(1), Address(0x34210000));
        QCOMPARE(start->pools[1].size.valueText, std::string("384"));
        QVERIFY(!withStart(*file, PoolId(1), Address(0x34300000)));
        QVERIFY(!withEnd(*file, PoolId(1), Address(0x200000000)));
        QVERIFY(!withSize(*file, PoolId(9), ByteCount(1)));
        QVERIFY(!withSize(*file, PoolId(), ByteCount(1)));
    }

    void splitThenMergeIsTheSameText() {
        POOLWRIGHT_NEEDS_SHARED();
        for (const char* name : {"chen-steel-user", "laroche-zoo-harness_allmems", "maria-cubeai-memory_pool"}) {
            const auto file = test::readSample(name);
            const PoolId id = *file->find("npuRAM6");
            const auto two = splitPool(*file, id, Address(0x34370000), "npuRAM6b", "AXISRAM6b");
            POOLWRIGHT_VERIFY_RESULT(two);
            QVERIFY2(two->findings.empty(), qPrintable(test::describe(two->findings)));
            QCOMPARE(two->pools.size(), file->pools.size() + 1);
            const Pool& upper = (*two)[PoolId(id.index + 1)];
            QCOMPARE(upper.name, std::string("npuRAM6b"));
            QCOMPARE(upper.range().start.value, 0x34370000u);
            QCOMPARE(upper.size.bytes, 458752 - 0x20000);
            QVERIFY(upper.properties == (*file)[id].properties);
            const auto one = mergePools(*two, id, PoolId(id.index + 1));
            POOLWRIGHT_VERIFY_RESULT(one);
            QCOMPARE(difference(file->text, one->text), QString(" -> "));
        }
    }

    void addThenRemoveIsTheSameText() {
        POOLWRIGHT_NEEDS_SHARED();
        for (const auto& path : test::sampleMpools()) {
            const auto file = test::readMpool(path);
            Pool pool;
            pool.name = "extra";
            pool.fname = "EXTRA";
            pool.properties.freqRatio = 3.25;
            pool.properties.cacheable = true;
            pool.format = FileFormat::IntelHex;
            pool.offset.bytes = 0x60000000;
            pool.size.bytes = 12345;
            const auto more = addPool(*file, pool);
            POOLWRIGHT_VERIFY_RESULT(more);
            const Pool& added = more->pools.back();
            QVERIFY(added.properties == pool.properties && added.range() == pool.range() &&
                    added.format == pool.format);
            QVERIFY(added.mode == UseMode::Absolute);
            QCOMPARE(added.fname, pool.fname);
            const auto less = removePool(*more, PoolId(more->pools.size() - 1));
            QCOMPARE(difference(file->text, less->text), QString(" -> "));
        }
    }

    void removesFirstAndOnlyPool() {
        POOLWRIGHT_NEEDS_SHARED();
        auto file = test::readSample("chen-steel-user");
        const std::size_t count = file->pools.size();
        for (std::size_t i = 0; i < count; ++i) {
            file = removePool(*file, PoolId(0));
            POOLWRIGHT_VERIFY_RESULT(file);
            QCOMPARE(file->pools.size(), count - 1 - i);
        }
        Pool pool;
        pool.name = pool.fname = "first";
        pool.size.bytes = 4096;
        const auto first = addPool(*file, pool);
        POOLWRIGHT_VERIFY_RESULT(first);
        QCOMPARE(first->pools.at(0).size.bytes, 4096);
        QVERIFY(first->text.find("max_onchip_sram_size") != std::string::npos);
    }

    void commentsStay() {
        const std::string text =
            "{ \"memory\": { \"cacheinfo\": [], \"mem_file_prefix\": \"a\", \"mempools\": [ // all\n"
            " { \"fname\": \"F\", \"name\": \"n\", \"fformat\": \"FORMAT_RAW\", /* slow */\n"
            "   \"prop\": { \"rights\": \"ACC_WRITE\", \"throughput\": \"LOW\", \"latency\": \"LOW\", \"byteWidth\": "
            "8, // eight\n"
            "      \"freqRatio\": 2 /* two */ },\n"
            "   \"offset\": { \"value\": \"0\", \"magnitude\": \"BYTES\" }, \"size\": { \"value\": \"1\", "
            "\"magnitude\": \"KBYTES\" } }, ] } }";
        const auto file = readPools(text, "x.mpool");
        POOLWRIGHT_VERIFY_RESULT(file);
        const auto on = withCacheable(*file, PoolId(0), true);
        POOLWRIGHT_VERIFY_RESULT(on);
        QCOMPARE(difference(text, on->text), QString(" -> ,\n      \"cacheable\": \"CACHEABLE_ON\""));
        const auto two = splitPool(*on, PoolId(0), Address(512), "m", "G");
        POOLWRIGHT_VERIFY_RESULT(two);
        QCOMPARE(two->pools.size(), std::size_t(2));
        QCOMPARE(removePool(*two, PoolId(1))->pools.size(), std::size_t(1));
    }

    /// Random walks of edits: the text stays strict JSON and says what the values say.
    void randomEdits() {
        POOLWRIGHT_NEEDS_SHARED();
        std::mt19937 random(6);
        int done = 0;
        for (const auto& path : test::sampleMpools()) {
            PoolFile file = *test::readMpool(path);
            for (int step = 0; step < 40; ++step) {
                const PoolId a(int(random() % file.pools.size())), b(int(random() % file.pools.size()));
                const Address address(file[a].range().start.value + random() % 0x100000);
                Properties properties = file[a].properties;
                properties.cacheable = random() % 2;
                properties.constantsPreferred = random() % 2;
                properties.freqRatio = double(1 + random() % 100) / 8;
                const auto edit = [&]() -> Result<PoolFile> {
                    switch (random() % 9) {
                    case 0:
                        return withStart(file, a, address);
                    case 1:
                        return withEnd(file, a, address);
                    case 2:
                        return withProperties(file, a, properties);
                    case 3:
                        return splitPool(file, a, address, "s" + std::to_string(step), "F" + std::to_string(step));
                    case 4:
                        return mergePools(file, a, b);
                    case 5:
                        return insertHole(file, a, b, ByteCount(1 + random() % 100));
                    case 6:
                        return closeHole(file, a, b);
                    case 7:
                        return moveBoundary(file, a, b, address);
                    default:
                        return file.pools.size() > 3 ? removePool(file, a) : disablePool(file, a);
                    }
                };
                const auto next = edit();
                if (!next)
                    continue;
                ++done;
                for (const Diagnostic& finding : next->findings)
                    QVERIFY2(finding.code >= "PW1206", qPrintable(test::describe(next->findings)));
                const auto again = readPools(next->text, next->path);
                POOLWRIGHT_VERIFY_RESULT(again);
                QVERIFY(again->pools == next->pools);
                file = *next;
            }
        }
        QVERIFY(done > 200);
    }

    void refusesWhatCannotBe() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = caseFile("merged.mpool");
        QVERIFY(!withName(*file, PoolId(0), "npuRAM3"));
        QVERIFY(!withName(*file, PoolId(0), ""));
        QVERIFY(!mergePools(*file, PoolId(0), PoolId(2)));
        QVERIFY(!moveBoundary(*file, PoolId(1), PoolId(0), Address(0x34200000)));
        QVERIFY(!splitPool(*file, PoolId(0), Address(0x34100000), "a", "b"));
        Properties silly = file->pools[0].properties;
        silly.byteWidth = 0;
        QVERIFY(!withProperties(*file, PoolId(0), silly));
        // Overlapping is shown, not refused.
        const auto overlapping = withOffset(*file, PoolId(1), Address(0x34180000));
        POOLWRIGHT_VERIFY_RESULT(overlapping);
        QVERIFY(hasErrors(overlapping->findings));
    }

    /// chen: what atonn 1.0.0 saved from the user's file. The values must be equal; even the text is.
    void dumpEqualsTheVendors() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto user = test::readSample("chen-steel-user"),
                   saved = test::readSample("chen-steel-saved-by-atonn-1.0.0");
        const std::string dump = writeDump(*user, {true, false});
        const auto again = readPools(dump, saved->path);
        POOLWRIGHT_VERIFY_RESULT(again);
        QCOMPARE(again->pools.size(), saved->pools.size());
        for (std::size_t i = 0; i < saved->pools.size(); ++i) {
            Pool ours = again->pools[i], theirs = saved->pools[i];
            ours.where = theirs.where = {};
            QVERIFY2(ours == theirs, theirs.name.c_str());
        }
        QCOMPARE(difference(saved->text, dump), QString(" -> "));
    }

    /// pele's dumps, read and dumped again, are the same text: order, magnitudes, the pool of the epoch controller.
    void dumpOfADumpIsItself() {
        POOLWRIGHT_NEEDS_SHARED();
        for (const char* name : {"pele-facedet-saved-by-atonn-1.1.0", "pele-facerec-saved-by-atonn-1.1.0"}) {
            const auto saved = test::readSample(name);
            PoolFile without = *saved;
            without.pools.pop_back();
            std::reverse(without.pools.begin(), without.pools.begin() + 7);
            QCOMPARE(difference(saved->text, writeDump(without, {false, true})), QString(" -> "));
        }
    }

    void canonicalFormLosesNothing() {
        POOLWRIGHT_NEEDS_SHARED();
        for (const auto& path : test::sampleMpools()) {
            const auto file = test::readMpool(path);
            const std::string canonical = writeCanonical(*file);
            const auto again = readPools(canonical, file->path);
            POOLWRIGHT_VERIFY_RESULT(again);
            QVERIFY(again->findings.empty());
            QCOMPARE(writeCanonical(*again), canonical);
            QCOMPARE(again->caches == file->caches, true);
            QCOMPARE(again->pools.size(), file->pools.size());
            for (std::size_t i = 0; i < file->pools.size(); ++i) {
                Pool a = file->pools[i], b = again->pools[i];
                a.where = b.where = {};
                QVERIFY(a == b);
            }
            if (file->text.find("\"freqRatio\": 2.50") != std::string::npos)
                QVERIFY(canonical.find("\"freqRatio\": 2.50") != std::string::npos);
            QCOMPARE(canonical.find("max_onchip_sram_size") != std::string::npos,
                     file->text.find("max_onchip_sram_size") != std::string::npos);
        }
    }

    void canonicalKeepsUnknownKeysAndDropsComments() {
        const auto file = readPools("{ \"memory\": { // c\n \"mem_file_prefix\": \"p\", \"cacheinfo\": [], "
                                    "\"mempools\": [], \"x\": [1.0] }, \"y\": 1 }",
                                    "x");
        POOLWRIGHT_VERIFY_RESULT(file);
        const std::string text = writeCanonical(*file);
        QVERIFY(text.find("//") == std::string::npos);
        QVERIFY(text.find("\"x\": [1.0]") != std::string::npos && text.find("\"y\": 1") != std::string::npos);
        POOLWRIGHT_VERIFY_RESULT(readPools(text, "x"));
    }
};

QTEST_APPLESS_MAIN(TestMpoolEdit)
#include "tst_mpooledit.moc"
