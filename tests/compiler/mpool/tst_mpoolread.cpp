// SPDX-License-Identifier: Apache-2.0
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "mpool/check.h"
#include "mpool/read.h"
#include "samples.h"
#endif

#include <QtTest>

#include <random>

using namespace poolwright;
using namespace poolwright::mpool;

/// A small file in the input dialect; the rows below spoil one line each. Line numbers are those of this text.
static const char* const good = R"json({
  "memory": {
    "cacheinfo": [],
    "mem_file_prefix": "atonbuf",
    "mempools": [
      {
        "fname": "AXISRAM2",
        "name": "cpuRAM2",
        "fformat": "FORMAT_RAW",
        "prop": {
          "rights": "ACC_WRITE",
          "throughput": "MID",
          "latency": "MID",
          "byteWidth": 8,
          "freqRatio": 2.50,
          "read_power": 17.324,
          "cacheable": "CACHEABLE_OFF",
          "constants_preferred": "false"
        },
        "offset": { "value": "0x34100000", "magnitude": "BYTES" },
        "size": { "value": "1", "magnitude": "MBYTES" }
      },
      {
        "fname": "xSPI2", "name": "octoFlash", "fformat": "FORMAT_RAW", "mode": "USEMODE_ABSOLUTE",
        "prop": { "rights": "ACC_READ", "throughput": "MID", "latency": "HIGH", "byteWidth": 1, "freqRatio": 6 },
        "offset": { "value": "0x70000000", "magnitude": "BYTES" },
        "size": { "value": "64", "magnitude": "MBYTES" }
      }
    ]
  }
}
)json";

static const Diagnostic* find(const Diagnostics& diagnostics, const std::string& code) {
    for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.code == code)
            return &diagnostic;
    return nullptr;
}

class TestMpoolRead : public QObject {
    Q_OBJECT

private slots:
    void readsTheInputDialect() {
        const auto file = readPools(good, "good.mpool");
        POOLWRIGHT_VERIFY_RESULT(file);
        QVERIFY2(file->findings.empty(), qPrintable(test::describe(file->findings)));
        const Pool& pool = (*file)[*file->find("cpuRAM2")];
        QCOMPARE(pool.range().start.value, 0x34100000u);
        QCOMPARE(pool.size.bytes, 1048576);
        QCOMPARE(pool.properties.freqRatio, 2.5);
        QCOMPARE(pool.where.line, 6);
        QCOMPARE(pool.where.column, 7);
        QVERIFY((*file)[PoolId(1)].properties.rights == Rights::ReadOnly);
        QVERIFY(!file->find("npuRAM3"));
    }

    void readsAllSamples() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto paths = test::sampleMpools();
        QCOMPARE(paths.size(), std::size_t(30));
        for (const auto& path : paths) {
            const auto file = test::readMpool(path);
            POOLWRIGHT_VERIFY_RESULT(file);
            // The wild files are sound: no overlaps, no unknown keys (facts/file-formats.md sections 1.1 and 1.3).
            QVERIFY2(file->findings.empty(), qPrintable(test::describe(file->findings)));
            QVERIFY(file->pools.size() >= 6);
        }
    }

    void readsTheDumpDialect() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readSample("pele-facedet-saved-by-atonn-1.1.0");
        POOLWRIGHT_VERIFY_RESULT(file);
        const Pool& params = (*file)[*file->find("ec params pool")];
        QCOMPARE(params.size.bytes, 9223372036854775776);
        QVERIFY(params.format == FileFormat::C && params.mode == UseMode::Relative);
        const Pool& npu = (*file)[*file->find("npuRAM3")];
        QCOMPARE(npu.range().start.value, 0x34200000u);
        QVERIFY((*file)[*file->find("hyperRAM")].properties.constantsPreferred);
        QVERIFY(!file->caches.at(0).bypassEnable);
    }

    void brokenFiles_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        const auto row = [](const char* name, const char* from, const char* to, const char* code, int line,
                            int column) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString(code) << line << column;
        };
        row("missing comma", "\"atonbuf\",", "\"atonbuf\"", "PW1001", 5, 5);
        row("cut off", "  }\n}\n", "", "PW1001", 2, 13);
        row("Latin-1 byte", "cpuRAM2", "cpu\xe4RAM2", "PW1004", 8, 21);
        row("no memory", "\"memory\"", "\"memmory\"", "PW1201", 1, 1);
        row("no mempools", "\"mempools\"", "\"pools\"", "PW1201", 2, 13);
        row("cacheinfo no array", "\"cacheinfo\": []", "\"cacheinfo\": {}", "PW1203", 3, 18);
        row("no name", "\"name\": \"cpuRAM2\",\n", "\n", "PW1201", 6, 7);
        row("no offset", "\"offset\": { \"value\": \"0x34100000\"", "\"ofset\": { \"value\": \"0x34100000\"", "PW1201",
            6, 7);
        row("no rights", "\"rights\": \"ACC_WRITE\",", "", "PW1201", 10, 17);
        row("name is a number", "\"name\": \"cpuRAM2\"", "\"name\": 2", "PW1203", 8, 17);
        row("name empty", "\"name\": \"cpuRAM2\"", "\"name\": \"\"", "PW1203", 8, 17);
        row("prop is a string",
            "\"prop\": { \"rights\": \"ACC_READ\", \"throughput\": \"MID\", \"latency\": \"HIGH\", \"byteWidth\": 1, "
            "\"freqRatio\": 6 }",
            "\"prop\": \"fast\"", "PW1203", 25, 17);
        row("byteWidth is a string", "\"byteWidth\": 8", "\"byteWidth\": \"8\"", "PW1203", 14, 24);
        row("byteWidth 0", "\"byteWidth\": 8", "\"byteWidth\": 0", "PW1205", 14, 24);
        row("byteWidth fraction", "\"byteWidth\": 8", "\"byteWidth\": 8.5", "PW1205", 14, 24);
        row("freqRatio 0", "2.50", "0", "PW1205", 15, 24);
        row("freqRatio huge", "2.50", "1e999", "PW1205", 15, 24);
        row("power negative", "17.324", "-1", "PW1205", 16, 25);
        row("unknown rights", "ACC_WRITE", "ACC_RW", "PW1204", 11, 21);
        row("unknown level", "\"throughput\": \"MID\",\n", "\"throughput\": \"MEDIUM\",\n", "PW1204", 12, 25);
        row("unknown format", "\"fformat\": \"FORMAT_RAW\",\n", "\"fformat\": \"FORMAT_BIN\",\n", "PW1204", 9, 20);
        row("unknown mode", "USEMODE_ABSOLUTE", "ABSOLUTE", "PW1204", 24, 81);
        row("unknown magnitude", "\"1\", \"magnitude\": \"MBYTES\"", "\"1\", \"magnitude\": \"MB\"", "PW1204", 21, 46);
        row("cacheable unknown", "CACHEABLE_OFF", "NO", "PW1204", 17, 24);
        row("constants_preferred unknown", "\"false\"", "\"no\"", "PW1204", 18, 34);
        row("size negative", "\"value\": \"1\"", "\"value\": \"-1\"", "PW1205", 21, 28);
        row("size no number", "\"value\": \"1\"", "\"value\": \"1M\"", "PW1205", 21, 28);
        row("size empty", "\"value\": \"1\"", "\"value\": \"\"", "PW1205", 21, 28);
        row("size overflows", "\"value\": \"1\"", "\"value\": \"9000000000000000000\"", "PW1205", 21, 28);
        row("offset overflows 64 bits", "0x34100000", "0x134100000000000000", "PW1205", 20, 30);
    }

    void brokenFiles() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QByteArray text(good);
        const qsizetype at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        const auto file = readPools(text.toStdString(), "broken.mpool");
        QVERIFY(!file);
        const Diagnostic& error = file.error().front();
        QTEST(QString::fromStdString(error.code), "code");
        QTEST(error.where.line, "line");
        QTEST(error.where.column, "column");
        QVERIFY(!error.hint.empty());
        QCOMPARE(error.where.path, std::string("broken.mpool"));
    }

    void findings_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        QTest::addColumn<bool>("isError");
        const auto row = [](const char* name, const char* from, const char* to, const char* code, int line,
                            bool isError) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString(code) << line << isError;
        };
        row("unknown key", "\"read_power\"", "\"reed_power\"", "PW1202", 16, false);
        row("doubled key", "\"latency\": \"MID\",\n", "\"latency\": \"MID\", \"latency\": \"LOW\",\n", "PW1002", 13,
            false);
        row("comment", "\"cacheinfo\": [],", "\"cacheinfo\": [], // none", "PW1003", 3, false);
        row("trailing comma", "\"constants_preferred\": \"false\"", "\"constants_preferred\": \"false\",", "PW1003", 18,
            false);
        row("no prefix", "\"mem_file_prefix\": \"atonbuf\",", "", "PW1201", 2, false);
        row("no cacheinfo", "\"cacheinfo\": [],", "", "PW1201", 2, false);
        row("bare size", "\"value\": \"1\"", "\"value\": 1", "PW1203", 21, false);
        row("overlap", "0x70000000", "0x340FFFF0", "PW1206", 23, true);
        row("doubled name", "octoFlash", "cpuRAM2", "PW1207", 23, true);
        row("doubled fname", "xSPI2", "AXISRAM2", "PW1208", 23, false);
        row("past the bank", "0x34100000", "0x34100010", "PW1209", 6, false);
        row("misaligned", "0x34100000", "0x34100004", "PW1210", 6, false);
        row("internal relative", "\"fformat\": \"FORMAT_RAW\",\n",
            "\"fformat\": \"FORMAT_RAW\", \"mode\": \"USEMODE_RELATIVE\",\n", "PW1211", 6, false);
        row("in no bank", "0x70000000", "0x50000000", "PW1213", 23, false);
        row("beyond 32 bits", "0x70000000", "0xFFFF0000", "PW1216", 23, true);
    }

    void findings() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, code);
        QByteArray text(good);
        const qsizetype at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        const auto file = readPools(text.toStdString(), "odd.mpool", test::stm32n6Banks());
        POOLWRIGHT_VERIFY_RESULT(file);
        const Diagnostic* found = find(file->findings, code.toStdString());
        QVERIFY2(found, qPrintable(test::describe(file->findings)));
        QTEST(found->where.line, "line");
        QTEST(found->severity == Severity::Error, "isError");
        QVERIFY(!found->hint.empty());
    }

    void misspeltKeysNameTheNearest() {
        std::string text = good;
        text.replace(text.find("\"freqRatio\""), 11, "\"freqratio\"");
        const auto file = readPools(text, "x.mpool");
        QVERIFY(!file);
        QCOMPARE(file.error().front().hint, std::string("is \"freqratio\" meant to be \"freqRatio\"?"));
    }

    void proseSpellingsAreTaken() {
        std::string text = good;
        text.replace(text.find("\"freqRatio\""), 11, "\"freq_ratio\"");
        text.replace(text.find("\"byteWidth\""), 11, "\"byte_width\"");
        text.replace(text.find("\"CACHEABLE_OFF\""), 15, "\"ON\"");
        text.replace(text.find("\"false\""), 7, "true");
        const auto file = readPools(text, "x.mpool");
        POOLWRIGHT_VERIFY_RESULT(file);
        QVERIFY(file->findings.empty());
        QVERIFY(file->pools[0].properties.cacheable && file->pools[0].properties.constantsPreferred);
    }

    /// cases/c12: what its README says.
    void caseUnitsAndOverlap() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file =
            test::readMpool(test::sharedFolder() / "cases/c12-units-and-overlap/units.mpool", test::stm32n6Banks());
        POOLWRIGHT_VERIFY_RESULT(file);
        QVERIFY(!file->pools[0].isEnabled());
        QCOMPARE(file->pools[2].size.bytes, 458752);
        QCOMPARE(file->pools[3].offset.bytes, 0x34100000);
        const auto shared = overlaps(*file);
        QCOMPARE(shared.size(), std::size_t(2));
        QVERIFY((shared[0] == Overlap{PoolId(1), PoolId(3), {Address(0x34100000), ByteCount(65536)}}));
        QVERIFY((shared[1] == Overlap{PoolId(1), PoolId(2), {Address(0x341C0000), ByteCount(262144)}}));
        const QString found = test::describe(file->findings);
        QVERIFY2(found.contains("A (writable) and B (writable) overlap in 0x341C0000-0x34200000 (262,144 B)"), qPrintable(found));
        QVERIFY2(found.contains("A (writable) and C (read only) overlap in 0x34100000-0x34110000 (65,536 B)"), qPrintable(found));
        QVERIFY2(found.contains("share the fname AXISRAM3: two pools would write the same initialiser file"),
                 qPrintable(found));
        QVERIFY2(
            found.contains(
                "pool B runs past the end of the AXISRAM2 bank by 196,608 B, into AXISRAM3 / npuRAM3 (0x34200000)"),
            qPrintable(found));
        QCOMPARE(file->findings.size(), std::size_t(4));
        QVERIFY(file->pools[1].properties.rights == Rights::ReadWrite &&
                file->pools[3].properties.rights == Rights::ReadOnly);
    }

    /// Two thousand spoilt samples: a value or diagnostics, never a crash.
    void survivesMutations() {
        POOLWRIGHT_NEEDS_SHARED();
        std::mt19937 random(12);
        std::vector<std::string> texts;
        for (const auto& path : test::sampleMpools())
            texts.push_back(test::readFile(path));
        int failed = 0;
        for (int round = 0; round < 2000; ++round) {
            std::string text = texts[std::size_t(round) % texts.size()];
            const unsigned changes = 1 + random() % 4;
            for (unsigned i = 0; i < changes; ++i) {
                const std::size_t at = random() % text.size();
                switch (random() % 4) {
                case 0:
                    text[at] = char(random());
                    break;
                case 1:
                    text.erase(at, 1 + random() % 20);
                    break;
                case 2:
                    text.insert(at, text.substr(random() % text.size(), 30));
                    break;
                default:
                    text[at] = "{}[]\",:0-9x"[random() % 11];
                }
            }
            const auto file = readPools(text, "mutant", test::stm32n6Banks());
            if (!file) {
                ++failed;
                QVERIFY(hasErrors(file.error()));
            }
        }
        QVERIFY(failed > 500 && failed < 2000);
    }

    void manyOverlapsAreCapped() {
        PoolFile file;
        for (int i = 0; i < 3000; ++i) {
            Pool pool;
            pool.name = "p" + std::to_string(i);
            pool.size.bytes = 100;
            file.pools.push_back(pool);
        }
        QCOMPARE(overlaps(file).size(), std::size_t(200));
    }
};

QTEST_APPLESS_MAIN(TestMpoolRead)
#include "tst_mpoolread.moc"
