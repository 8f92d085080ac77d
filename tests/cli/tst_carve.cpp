// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace poolwright;
using test::Run;
using test::run;

/// `mpool carve` against compiles of what it writes, the regions of case c01, and every boundary of a small problem.
class TestCarve : public QObject {
    Q_OBJECT
private slots:
    void aCompileComesToTheStatedFigures();
    void firmwareIsInNoPool();
    void theSecondProposalNeedsNoMoreRam();
    void joinedPoolsThatHurtAreSaidSo();
    void noBoundaryIsBetter();
    void freeMemoryIsTakenWhenAsked();
    void wrongRegions_data();
    void wrongRegions();
    void firmwareOfEveryKind_data();
    void firmwareOfEveryKind();
    void damagedFirmware_data();
    void damagedFirmware();

private:
    struct Region {
        qint64 start, size;
    };
    struct RamPool {
        const char* name;
        qint64 start, size;
        double ratio;
    };

    static QString source(const QString& path) { return QStringLiteral(POOLWRIGHT_SOURCE_DIR "/") + path; }
    static QString example() { return source("resources/examples/image_classifier_int8.onnx"); }
    static QString stock() { return source("mpools/stm32n6570-dk-full.mpool"); }
    static Run carve(const QString& pools, const QStringList& more) {
        return run(QStringList{"mpool", "carve", example(), "--load-mpool", pools, "--format", "json"} + more);
    }
    static QJsonObject figures(const Run& run, int proposal) {
        return run.json()["proposals"].toArray()[proposal].toObject()["figures"].toObject();
    }
    static void write(const QString& path, const QByteArray& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static QByteArray content(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QJsonObject compiled(const QString& pools, bool virtualPools) const;
    static QList<Region> regionsOf(const QByteArray& mpool);
    static QByteArray poolText(const QList<RamPool>& ram);

    QTemporaryDir m_folder;
};

QJsonObject TestCarve::compiled(const QString& pools, bool virtualPools) const {
    QStringList arguments{"compile",          "--onnx-input",          example(),  "--load-mpool", pools,
                          "--out-dir-prefix", m_folder.filePath("o/"), "--format", "json"};
    if (virtualPools)
        arguments << "--enable-virtual-mem-pools";
    return run(arguments).json();
}

QList<TestCarve::Region> TestCarve::regionsOf(const QByteArray& mpool) {
    const auto bytes = [](const QJsonValue& quantity) {
        const QMap<QString, qint64> units{{"BYTES", 1}, {"KBYTES", 1024}, {"MBYTES", 1048576}};
        return quantity["value"].toString().toLongLong(nullptr, 0) * units[quantity["magnitude"].toString()];
    };
    QList<Region> regions;
    const QJsonArray pools = QJsonDocument::fromJson(mpool)["memory"]["mempools"].toArray();
    for (const QJsonValue& pool : pools)
        if (const qint64 size = bytes(pool["size"]); size > 0)
            regions.append({bytes(pool["offset"]), size});
    return regions;
}

QByteArray TestCarve::poolText(const QList<RamPool>& ram) {
    QStringList items;
    const auto item = [&](const QString& name, const QString& rights, const QString& speed, int width, double ratio,
                          qint64 start, qint64 size, const QString& more) {
        items << QString(R"({"fname": "f%1", "name": "%1", "fformat": "FORMAT_RAW", "prop": {"rights": "%2", %3,
"byteWidth": %4, "freqRatio": %5, "read_power": 1, "write_power": 1%6},
"offset": {"value": "%7", "magnitude": "BYTES"}, "size": {"value": "%8", "magnitude": "BYTES"}})")
                     .arg(name, rights, speed)
                     .arg(width)
                     .arg(ratio)
                     .arg(more)
                     .arg(start)
                     .arg(size);
    };
    for (const RamPool& pool : ram)
        item(pool.name, "ACC_WRITE",
             pool.ratio < 2 ? R"("throughput": "HIGH", "latency": "LOW")" : R"("throughput": "MID", "latency": "MID")",
             8, pool.ratio, pool.start, pool.size, "");
    item("flash", "ACC_READ", R"("throughput": "MID", "latency": "HIGH")", 1, 6, 0x71000000, 0x1000000,
         R"(, "constants_preferred": "true")");
    item("hyper", "ACC_WRITE", R"("throughput": "MID", "latency": "HIGH")", 2, 5, 0x90000000, 0x100000, "");
    return QString(R"({"memory": {"cacheinfo": [], "mem_file_prefix": "atonbuf", "mempools": [%1]}})")
        .arg(items.join(",\n"))
        .toUtf8();
}

void TestCarve::aCompileComesToTheStatedFigures() {
    const QString pools = m_folder.filePath("tight.mpool"), out = m_folder.filePath("better.mpool");
    write(pools, poolText({{"a", 0x34200000, 0x4000, 1.25}, {"b", 0x34204000, 0x4000, 1.25}}));
    for (const QString& objective : QStringList{"time", "ram"}) {
        const Run made = carve(pools, {"--all-free", "--out", out, "--objective", objective});
        QCOMPARE(made.code, 0);
        const QJsonObject said = figures(made, objective == "ram");
        const QJsonObject report = compiled(out, said["virtual_pools"].toBool());
        QVERIFY(report["fits"].toBool());
        QCOMPARE(report["estimate"].toObject()["calibrated_ms"].toDouble(), said["estimated_ms"].toDouble());
        QCOMPARE(report["totals"].toObject()["external_activations_bytes"].toInt(),
                 said["external_activations_bytes"].toInt());
        QVERIFY(said["estimated_ms"].toDouble() <=
                made.json()["given"].toObject()["estimated_ms"].toDouble() * (objective == "ram" ? 1.01 : 1));
    }
}

void TestCarve::firmwareIsInNoPool() {
    POOLWRIGHT_NEEDS_SHARED();
    const QString script = QString::fromStdString((test::sharedFolder() / "cases/c01-fsbl-in-cpuram2/app.ld").string());
    const Run made = carve(stock(), {"--firmware", script, "--keep-free", "0x343B0000+64K"});
    QCOMPARE(made.code, 0);
    // The regions of the script as its text gives them.
    const QList<Region> firmware{
        {0x340B0000, 384 * 1024}, {0x34180400, 255 * 1024}, {0x341C0000, 256 * 1024}, {0x343B0000, 64 * 1024}};
    const QJsonArray proposals = made.json()["proposals"].toArray();
    QCOMPARE(proposals.size(), 2);
    for (const QJsonValue& proposal : proposals)
        for (const Region& pool : regionsOf(proposal.toObject()["mpool"].toString().toUtf8()))
            for (const Region& kept : firmware)
                QVERIFY(pool.start + pool.size <= kept.start || kept.start + kept.size <= pool.start);
}

void TestCarve::theSecondProposalNeedsNoMoreRam() {
    const Run made = carve(stock(), {});
    QCOMPARE(made.code, 0);
    QVERIFY(figures(made, 1)["fits"].toBool());
    QVERIFY(figures(made, 1)["ram_reserved_bytes"].toInt() <= figures(made, 0)["ram_reserved_bytes"].toInt());
    QVERIFY(figures(made, 1)["ram_reserved_bytes"].toInt() >= figures(made, 1)["ram_used_bytes"].toInt());
    QVERIFY(figures(made, 1)["estimated_ms"].toDouble() <= figures(made, 0)["estimated_ms"].toDouble() * 1.01);
    const double peak = compiled(stock(), false)["totals"].toObject()["peak_live_bytes"].toDouble();
    QVERIFY2(figures(made, 1)["ram_reserved_bytes"].toDouble() >= peak, "no plan is below what is alive at once");
}

/// A slow bank touching a fast one of just the size of the peak: joined, everything runs at the slow one's ratio
/// (neural-art-target.md section 5.3), a hole of one byte restores it.
void TestCarve::joinedPoolsThatHurtAreSaidSo() {
    const QString pools = m_folder.filePath("joined.mpool");
    // Too small for the largest buffers by itself, so that these go into the group.
    write(pools, poolText({{"slow", 0x341C0000, 0x40000, 25}, {"fast", 0x34200000, 0x8000, 1.25}}));
    const Run made = carve(pools, {"--enable-virtual-mem-pools"});
    QCOMPARE(made.code, 0);
    const QString sentences = QString::fromUtf8(QJsonDocument(made.json()["virtual_pools"].toArray()).toJson());
    QVERIFY2(sentences.contains("fast loses freqRatio 1.25 and counts as 25"), qPrintable(sentences));
    QVERIFY2(sentences.contains("a hole of one byte between slow and fast"), qPrintable(sentences));
    const double with = compiled(pools, true)["estimate"].toObject()["calibrated_ms"].toDouble();
    const double without = compiled(pools, false)["estimate"].toObject()["calibrated_ms"].toDouble();
    QCOMPARE(sentences.contains("virtual pools hurt here"), with > without);
    QCOMPARE(sentences.contains("virtual pools help here"), with < without);
    QVERIFY(figures(made, 0)["estimated_ms"].toDouble() <= std::min(with, without));
}

/// All boundaries between two pools of one bank, 4 KiB apart.
void TestCarve::noBoundaryIsBetter() {
    const auto withBoundary = [&](qint64 at) {
        const QString pools = m_folder.filePath("grid.mpool");
        write(pools, poolText({{"a", 0x34200000, at, 1.25}, {"b", 0x34200000 + at, 0xA000 - at, 1.25}}));
        return pools;
    };
    double best = 1e9;
    for (qint64 at = 0x1000; at < 0xA000; at += 0x1000)
        if (const QJsonObject report = compiled(withBoundary(at), false); report["fits"].toBool())
            best = std::min(best, report["estimate"].toObject()["calibrated_ms"].toDouble());
    const Run made = carve(withBoundary(0x5000), {"--keep-virtual"});
    QCOMPARE(made.code, 0);
    QVERIFY2(
        figures(made, 0)["estimated_ms"].toDouble() <= best * 1.01,
        qPrintable(QString("%1 ms, best boundary %2 ms").arg(figures(made, 0)["estimated_ms"].toDouble()).arg(best)));
}

void TestCarve::freeMemoryIsTakenWhenAsked() {
    const QString pools = m_folder.filePath("small.mpool");
    write(pools, poolText({{"a", 0x34200000, 0x1000, 1.25}}));
    const Run kept = carve(pools, {}), taken = carve(pools, {"--all-free"});
    QCOMPARE(kept.code, 0);
    QCOMPARE(taken.code, 0);
    QVERIFY(figures(kept, 0)["external_activations_bytes"].toInt() > 0);
    QCOMPARE(figures(taken, 0)["external_activations_bytes"].toInt(), 0);
    QVERIFY(figures(taken, 0)["estimated_ms"].toDouble() < figures(kept, 0)["estimated_ms"].toDouble());
}

void TestCarve::wrongRegions_data() {
    QTest::addColumn<QStringList>("regions");
    QTest::addColumn<QString>("code");
    QTest::newRow("no size") << QStringList{"0x34200000"} << "PW6030";
    QTest::newRow("word") << QStringList{"npuRAM3"} << "PW6030";
    QTest::newRow("empty") << QStringList{"0x34200000+0"} << "PW6030";
    QTest::newRow("negative") << QStringList{"0x34200000+-5"} << "PW6030";
    QTest::newRow("overflow") << QStringList{"0x34200000+99999999999999999999M"} << "PW6030";
    QTest::newRow("beyond 32 bits") << QStringList{"0xFFFFFFFF+2"} << "PW6030";
    QTest::newRow("no bank") << QStringList{"0x10000000+1K"} << "PW6031";
    QTest::newRow("past a bank") << QStringList{"0x343BFF00+1K"} << "PW6031";
    QTest::newRow("overlapping") << QStringList{"0x34200000+1K", "0x34200200+1K"} << "PW6032";
}

void TestCarve::wrongRegions() {
    QFETCH(QStringList, regions);
    QFETCH(QString, code);
    const QString out = m_folder.filePath("untouched.mpool");
    write(out, "mine");
    QStringList arguments{"--out", out};
    for (const QString& region : regions)
        arguments << "--keep-free" << region;
    const Run made = carve(stock(), arguments);
    QCOMPARE(made.code, 2);
    QVERIFY2(made.err.contains(code), qPrintable(made.err));
    QCOMPARE(content(out), QByteArray("mine"));
}

/// One region of 16 bytes in npuRAM3, as each kind of file says it.
void TestCarve::firmwareOfEveryKind_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("script") << QByteArray(
        "/* MEMORY { */\nMEMORY\n{\n  RAM (xrw) : org = 0x34200000 + 64K, len = 16\n}\n");
    QTest::newRow("map") << QByteArray("Memory Configuration\n\nName Origin Length Attributes\n"
                                       "RAM 0x34210000 0x00000010 xrw\n*default* 0x00000000 0xffffffff\n");
    QTest::newRow("hex") << QByteArray(":020000043421A5\n:1000000000000000000000000000000000000000F0\n:00000001FF\n");
    QByteArray elf("\x7f"
                   "ELF\x01\x01");
    elf = elf.leftJustified(84, '\0');
    const auto put = [&](int at, quint32 value, int width) {
        for (int i = 0; i < width; ++i)
            elf[at + i] = char(value >> (8 * i));
    };
    put(28, 52, 4); // e_phoff, e_phentsize, e_phnum; then p_type PT_LOAD, p_vaddr, p_paddr, p_filesz, p_memsz
    put(42, 32, 2);
    put(44, 1, 2);
    put(52, 1, 4);
    put(60, 0x34210000, 4);
    put(64, 0x34210000, 4);
    put(68, 4, 4);
    put(72, 16, 4);
    QTest::newRow("elf") << elf;
}

void TestCarve::firmwareOfEveryKind() {
    QFETCH(QByteArray, text);
    const QString path = m_folder.filePath("firmware"), pools = m_folder.filePath("one.mpool");
    write(path, text);
    write(pools, poolText({{"a", 0x34200000, 0x70000, 1.25}}));
    const Run made = carve(pools, {"--firmware", path});
    QCOMPARE(made.code, 0);
    const QJsonObject first = made.json()["proposals"].toArray()[0].toObject()["steps"].toArray()[0].toObject();
    QCOMPARE(first["kind"].toString(), "keep-free");
    QVERIFY2(first["sentence"].toString().contains("(0x34210000 to 0x34210010)"),
             qPrintable(first["sentence"].toString()));
}

void TestCarve::damagedFirmware_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << QByteArray() << "PW5051";
    QTest::newRow("no end") << QByteArray("MEMORY { RAM (x) : ORIGIN = 0x34000000") << "does not end";
    QTest::newRow("expression") << QByteArray("MEMORY\n{\n RAM (x) : ORIGIN = BASE, LENGTH = 4K\n}") << ":3:";
    QTest::newRow("elf") << QByteArray("\x7f"
                                       "ELF")
                         << "ELF";
    QTest::newRow("elf table") << QByteArray("\x7f"
                                             "ELF\x01\x01")
                                      .leftJustified(60, '\xff')
                               << "beyond the end";
    QTest::newRow("checksum") << QByteArray(":0100000001FF\n") << "checksum";
}

void TestCarve::damagedFirmware() {
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const QString path = m_folder.filePath("firmware");
    write(path, text);
    const Run made = carve(stock(), {"--firmware", path});
    QCOMPARE(made.code, 2);
    QVERIFY2(made.err.contains(message), qPrintable(made.err));
}

QTEST_APPLESS_MAIN(TestCarve)
#include "tst_carve.moc"
