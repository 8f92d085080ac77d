// SPDX-License-Identifier: Apache-2.0
#include "support/npy.h"
#include "support/shared.h"

#include "cli/cli_run.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace poolwright;
using test::Run;

/// The executable as a script uses it: exit codes, JSON forms, files.
class TestCli : public QObject {
    Q_OBJECT
private slots:
    void unknownCommandIsBadUsage();
    void compileWritesWhatTheManifestLists();
    void compilingTwiceGivesTheSameBytes();
    void reportAgreesWithTheCompile();
    void emulationOfTheExampleEqualsItself();
    void aModelThatIsNoneIsAnError();
    void aPoolThatIsTooSmallDoesNotFit();
    void earlierArtefactsSurviveAFailure();
    void profilesBuildTheCompile();
    void silentSpillIsFoundAndGated();
    void profileQuirks();
    void unitsAndOverlaps();
    void holeInTheVirtualPool();
    void holeAndTwoBuffers();
    void translatedModelIsTheSame();
    void optionsAsJson();
    void poolFilesWithErrorsAreNotCompiled();
    void outputsStayInTheirFolder();
    void whatArtefactsDoNotSayIsNoVerdict();
    void dotOfTheVendorHasNoFalseOverlaps();
    void badNamesAndShapesAreRefused();
    void helpAndEmptyModelLists();

private:
    static Run run(const QStringList& arguments) { return test::run(arguments, 120000); }
    /// A copy of a stock pool file with one text replaced.
    static QString edited(const QTemporaryDir& folder, const char* from, const char* to);
    static QString example() {
        return QStringLiteral(POOLWRIGHT_SOURCE_DIR "/resources/examples/keyword_spotting_int8.onnx");
    }
    static QString pools(const QString& name) { return QStringLiteral(POOLWRIGHT_SOURCE_DIR "/mpools/") + name; }
    static QStringList compileArguments(const QString& folder,
                                        const QString& pool = QStringLiteral("stm32n6570-dk-full.mpool"));
    static QByteArray content(const QString& path);
    static QString shared(const QString& path) {
        return QString::fromStdString((test::sharedFolder() / path.toStdString()).string());
    }
};

QStringList TestCli::compileArguments(const QString& folder, const QString& pool) {
    return {"compile",
            "--onnx-input",
            example(),
            "--load-mpool",
            pools(pool),
            "-g",
            "network.c",
            "--out-dir-prefix",
            folder + "/",
            "--native-float",
            "--enable-virtual-mem-pools",
            "--cache-maintenance"};
}

QByteArray TestCli::content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestCli::unknownCommandIsBadUsage() {
    QCOMPARE(run({}).code, 2);
    QCOMPARE(run({"frobnicate"}).code, 2);
    QCOMPARE(run({"compile", "--Ofoo"}).code, 2);
    QCOMPARE(run({"report"}).code, 2);
    QCOMPARE(run({"--help"}).code, 0);
    QCOMPARE(run({"report", "/no/such/file"}).code, 4);
}

void TestCli::compileWritesWhatTheManifestLists() {
    QTemporaryDir folder;
    const Run compile = run(compileArguments(folder.path()));
    QVERIFY2(compile.code == 0, qPrintable(compile.err));
    const QJsonObject manifest = QJsonDocument::fromJson(content(folder.filePath("manifest.json"))).object();
    const QJsonArray files = manifest["files"].toArray();
    QStringList names;
    for (const QJsonValue& file : files) {
        names << file["name"].toString();
        QCOMPARE(content(folder.filePath(names.last())).size(), file["bytes"].toInteger());
    }
    for (const char* name :
         {"network.c", "network.csv", "network.dot", "c_info.json", "network_mapping_recap.txt",
          "network_generate_report.txt", "network_saved.mpool", "network_options.ini", "atonbuf.xSPI2.raw"})
        QVERIFY2(names.contains(name), name);
    QVERIFY(content(folder.filePath("network.c")).contains("LL_ATON_EpochBlockItems_Default"));
}

void TestCli::compilingTwiceGivesTheSameBytes() {
    QTemporaryDir first, second;
    QCOMPARE(run(compileArguments(first.path())).code, 0);
    QCOMPARE(run(compileArguments(second.path())).code, 0);
    const QStringList names = QDir(first.path()).entryList(QDir::Files);
    QVERIFY(names.size() > 10);
    for (const QString& name : names) {
        QByteArray a = content(first.filePath(name)), b = content(second.filePath(name));
        // The command line is part of some files, and it names the folder.
        a.replace(first.path().toUtf8(), "DIR");
        b.replace(second.path().toUtf8(), "DIR");
        if (name != "manifest.json")
            QVERIFY2(a == b, qPrintable(name));
    }
}

void TestCli::reportAgreesWithTheCompile() {
    QTemporaryDir folder;
    const Run compile = run(compileArguments(folder.path()) + QStringList{"--format", "json"});
    QCOMPARE(compile.code, 0);
    const Run report = run({"report", folder.path(), "--format", "json"});
    QVERIFY2(report.code == 0, qPrintable(report.err));
    const QJsonObject a = compile.json(), b = report.json();
    QCOMPARE(a["schema_version"].toInt(), 1);
    for (const char* key : {"fits", "epochs", "totals"})
        QCOMPARE(b[key], a[key]);
    QCOMPARE(b["estimate"]["vendor_cycles"], a["estimate"]["vendor_cycles"]);
    QCOMPARE(b["buffers"].toArray().size(), a["buffers"].toArray().size());
}

void TestCli::emulationOfTheExampleEqualsItself() {
    QTemporaryDir folder, first, second;
    QCOMPARE(run(compileArguments(folder.path())).code, 0);
    const Run emulate =
        run({"emulate", folder.path(), "--seed", "7", "--outputs", first.path(), "--reference", example()});
    QVERIFY2(emulate.code == 0, qPrintable(emulate.err));
    QVERIFY2(!emulate.err.contains("warning"), qPrintable(emulate.err));
    QCOMPARE(run({"emulate", folder.path(), "--seed", "7", "--outputs", second.path()}).code, 0);
    QVERIFY(!content(first.filePath("out_0.npy")).isEmpty());
    QCOMPARE(content(first.filePath("out_0.npy")), content(second.filePath("out_0.npy")));
    QCOMPARE(run({"emulate", folder.path()}).code, 2);
}

void TestCli::aModelThatIsNoneIsAnError() {
    QTemporaryDir folder;
    QFile page(folder.filePath("model.onnx"));
    QVERIFY(page.open(QIODevice::WriteOnly));
    page.write("<!DOCTYPE html><html></html>");
    page.close();
    const Run compile =
        run({"compile", "--onnx-input", page.fileName(), "--load-mpool", pools("stm32n6570-dk-full.mpool")});
    QCOMPARE(compile.code, 2);
    QVERIFY2(compile.err.contains("error:") && compile.err.contains("[PW20"), qPrintable(compile.err));
}

void TestCli::aPoolThatIsTooSmallDoesNotFit() {
    QTemporaryDir folder;
    QByteArray text = content(pools("stm32n6570-dk-internal.mpool"));
    QVERIFY(!text.isEmpty());
    // Only the first pool that is on keeps a few bytes; all others are switched off.
    QJsonObject root = QJsonDocument::fromJson(text).object();
    QJsonObject memory = root["memory"].toObject();
    QJsonArray list = memory["mempools"].toArray();
    for (int i = 0; i < list.size(); ++i) {
        QJsonObject pool = list[i].toObject();
        pool["size"] = QJsonObject{{"value", i + 1 == list.size() ? "64" : "0"}, {"magnitude", "BYTES"}};
        list[i] = pool;
    }
    memory["mempools"] = list;
    root["memory"] = memory;
    QFile small(folder.filePath("small.mpool"));
    QVERIFY(small.open(QIODevice::WriteOnly));
    small.write(QJsonDocument(root).toJson());
    small.close();
    const Run compile = run({"compile", "--onnx-input", example(), "--load-mpool", small.fileName(), "--native-float",
                             "--out-dir-prefix", folder.path() + "/out/", "--format", "json"});
    QVERIFY2(compile.code == 3, qPrintable(compile.err));
    const QJsonObject json = compile.json();
    QCOMPARE(json["fits"].toBool(), false);
    QVERIFY(!json["unplaced"].toArray().isEmpty());
    for (const QJsonValue& unplaced : json["unplaced"].toArray())
        QVERIFY(!unplaced["reason"].toString().isEmpty());
}

void TestCli::earlierArtefactsSurviveAFailure() {
    QTemporaryDir folder;
    QCOMPARE(run(compileArguments(folder.path())).code, 0);
    const QByteArray before = content(folder.filePath("network.c"));
    QStringList broken = compileArguments(folder.path());
    broken[2] = "/no/such/model.onnx";
    QCOMPARE(run(broken).code, 4);
    QCOMPARE(content(folder.filePath("network.c")), before);
}

void TestCli::profilesBuildTheCompile() {
    QTemporaryDir folder;
    const Run generate = run({"generate", "-m", example(), "--st-neural-art", "profile-minimal", "--name", "kws",
                              "--output", folder.path(), "--Oshuffle-dma"});
    QVERIFY2(generate.code == 0, qPrintable(generate.err));
    QVERIFY(content(folder.filePath("kws.c")).contains("LL_ATON_EpochBlockItems_kws"));
    // What is asked for and this version does not do is said.
    QVERIFY2(generate.err.contains("PW6020") && generate.err.contains("--Oshuffle-dma"), qPrintable(generate.err));
    QCOMPARE(run({"generate", "-m", example(), "--st-neural-art", "profile-nosuch"}).code, 2);
    const Run list = run({"generate", "--st-neural-art", "help"});
    for (const char* name : {"minimal", "default", "allmems--O3", "allmems--auto", "internal-memories-only--default"})
        QVERIFY2(list.out.contains(name), name);
}

void TestCli::silentSpillIsFoundAndGated() {
    POOLWRIGHT_NEEDS_SHARED();
    const QStringList spilled{shared("cases/c03-silent-spill/spilled_c_info.json"),
                              shared("cases/c03-silent-spill/spilled.csv")};
    const QStringList onchip{shared("cases/c03-silent-spill/onchip_c_info.json"),
                             shared("cases/c03-silent-spill/onchip.csv")};
    const Run found = run(QStringList{"report"} + spilled + QStringList{"--assert-pool", "hyperRAM=0"});
    QCOMPARE(found.code, 1);
    QVERIFY2(found.err.contains("act_c") && found.err.contains("hyperRAM") && found.err.contains("131,072"),
             qPrintable(found.err));
    const Run clean = run(QStringList{"report"} + onchip + QStringList{"--assert-pool", "hyperRAM=0"});
    QVERIFY2(clean.code == 0, qPrintable(clean.err));
    const Run diff = run({"diff", spilled[0], onchip[0], "--with-a", spilled[1], "--with-b", onchip[1]});
    QCOMPARE(diff.code, 1);
    for (const char* text : {"1 placement change", "act_c: hyperRAM -> cpuRAM2", "98,400,112", "98,905,640"})
        QVERIFY2(diff.out.contains(text), qPrintable(diff.out));
}

void TestCli::profileQuirks() {
    POOLWRIGHT_NEEDS_SHARED();
    const QString file = shared("cases/c10-profile-quirks/profiles.json");
    const Run o3 = run({"generate", "-m", example(), "--st-neural-art", "o3@" + file, "--show-options"});
    QCOMPARE(o3.code, 2);
    QVERIFY2(o3.err.contains("--Ofoo") && o3.err.contains("--Omax-ca-pipe") && o3.err.contains("-O1"),
             qPrintable(o3.err));
    const Run noext = run({"generate", "-m", example(), "--st-neural-art", "noext@" + file, "--show-options"});
    QVERIFY2(noext.err.contains("memory_desc"), qPrintable(noext.err));
    const Run ignored = run({"generate", "-m", example(), "--st-neural-art", "default@" + file, "--load-mpool",
                             "other.mpool", "--show-options"});
    QVERIFY2(ignored.err.contains("ignored"), qPrintable(ignored.err));
    QCOMPARE(ignored.code, 0);
}

void TestCli::unitsAndOverlaps() {
    POOLWRIGHT_NEEDS_SHARED();
    const QString file = shared("cases/c12-units-and-overlap/units.mpool");
    const Run check = run({"mpool", "check", file});
    QCOMPARE(check.code, 1);
    for (const char* text : {"262,144", "65,536", "AXISRAM3", "0x341C0000", "0x34200000"})
        QVERIFY2(check.err.contains(text), text);
    const Run show = run({"mpool", "show", file, "--format", "json"});
    const QJsonArray list = show.json()["pools"].toArray();
    QCOMPARE(list.size(), 4);
    // A missing file is an input/output error, not a finding.
    QCOMPARE(run({"mpool", "check", "/no/such.mpool"}).code, 4);
}

void TestCli::holeInTheVirtualPool() {
    POOLWRIGHT_NEEDS_SHARED();
    const Run merged =
        run({"mpool", "show", shared("cases/c06-virtual-hole/merged.mpool"), "--enable-virtual-mem-pools"});
    QVERIFY2(merged.out.contains("2,883,584"), qPrintable(merged.out));
    const Run hole = run({"mpool", "show", shared("cases/c06-virtual-hole/hole.mpool"), "--enable-virtual-mem-pools"});
    QVERIFY2(hole.out.contains("1,835,008"), qPrintable(hole.out));
    const Run check =
        run({"mpool", "check", shared("cases/c06-virtual-hole/merged.mpool"), "--enable-virtual-mem-pools"});
    QVERIFY2(check.err.contains("npuRAM3"), qPrintable(check.err));
}

/// What the README of the case says of its two buffers and its two pool files.
void TestCli::holeAndTwoBuffers() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto place = [](const char* pools, const QStringList& more) {
        return run(QStringList{"place", shared("cases/c06-virtual-hole/buffers.json"), "--load-mpool",
                               shared(("cases/c06-virtual-hole/" + std::string(pools)).c_str())} +
                   more);
    };
    const Run merged = place("merged.mpool", {"--enable-virtual-mem-pools"});
    QCOMPARE(merged.code, 0);
    QVERIFY2(merged.out.contains("in cpuRAM2_npuRAM3_npuRAM4_npuRAM5_npuRAM6 (throughput MID, latency MID)"),
             qPrintable(merged.out));
    const Run hole = place("hole.mpool", {"--enable-virtual-mem-pools"});
    QCOMPARE(hole.code, 3);
    QVERIFY2(hole.out.contains("in npuRAM3_npuRAM4_npuRAM5_npuRAM6 (throughput HIGH, latency LOW)"),
             qPrintable(hole.out));
    QVERIFY2(hole.out.contains("no place"), qPrintable(hole.out));
    for (const char* file : {"merged.mpool", "hole.mpool"}) {
        const Run apart = place(file, {"--format", "json"});
        QCOMPARE(apart.code, 3);
        QCOMPARE(QJsonDocument::fromJson(apart.out.toUtf8())["unplaced"][0]["name"].toString(), QString("big"));
    }
}

/// A model translated to the vendor's pair computes what the model itself does, whatever its outputs are called.
void TestCli::translatedModelIsTheSame() {
    QTemporaryDir folder;
    const QString model = "keyword_spotting_int8";
    const QString original = example();
    QCOMPARE(run({"translate", original, "--output", folder.path()}).code, 0);
    const QString pair = folder.filePath(model + "_OE_3_3_1.onnx");
    QVERIFY(QFile::exists(folder.filePath(model + "_OE_3_3_1_Q.json")));
    const auto outputOf = [&](const QString& file, const QString& name) {
        QStringList arguments = compileArguments(folder.filePath(name));
        arguments[2] = file;
        const Run compiled = run(arguments);
        const Run emulated = run({"emulate", folder.filePath(name), "--seed", "3", "--outputs",
                                  folder.filePath(name + "_run"), "--reference", original});
        return compiled.code == 0 && emulated.code == 0 ? content(folder.filePath(name + "_run/out_0.npy"))
                                                        : QByteArray();
    };
    const QByteArray output = outputOf(original, "out");
    QVERIFY(!output.isEmpty());
    QCOMPARE(outputOf(pair, "translated"), output);
    QCOMPARE(run({"translate", folder.filePath("out/manifest.json"), "--output", folder.path()}).code, 2);
}

void TestCli::optionsAsJson() {
    const Run options = run({"options", "--format", "json"});
    QCOMPARE(options.code, 0);
    QVERIFY(QJsonDocument::fromJson(options.out.toUtf8()).array().size() > 50);
}

QString TestCli::edited(const QTemporaryDir& folder, const char* from, const char* to) {
    QByteArray text = content(pools("stm32n6570-dk-full.mpool"));
    if (!text.contains(from))
        qFatal("the stock pool file has no %s", from);
    text.replace(from, to);
    QFile file(folder.filePath("edited.mpool"));
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
    return file.fileName();
}

void TestCli::poolFilesWithErrorsAreNotCompiled() {
    QTemporaryDir folder;
    for (const auto& [from, to] : {std::pair{"\"npuRAM4\"", "\"npuRAM3\""}, {"0x34270000", "0x34260000"}}) {
        QStringList arguments = compileArguments(folder.filePath("out"));
        arguments[4] = edited(folder, from, to);
        const Run compile = run(arguments);
        QVERIFY2(compile.code == 2 && compile.err.contains("error:"), qPrintable(compile.err));
        QCOMPARE(run({"fit", example(), "--load-mpool", arguments[4]}).code, 2);
    }
    QVERIFY(!QDir(folder.filePath("out")).exists());
}

void TestCli::outputsStayInTheirFolder() {
    QTemporaryDir folder;
    for (const auto& [from, to] :
         {std::pair{"\"AXISRAM4\"", "\"AXISRAM3\""}, {"\"AXISRAM4\"", "\"x/../../../escape\""}}) {
        QStringList arguments = compileArguments(folder.filePath("a/b/out"));
        arguments[4] = edited(folder, from, to);
        const Run compile = run(arguments);
        QVERIFY2(compile.code == 2 && compile.err.contains("PW6016"), qPrintable(compile.err));
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"edited.mpool"});
    QVERIFY(!QDir(folder.filePath("a")).exists());
}

void TestCli::whatArtefactsDoNotSayIsNoVerdict() {
    const Run bare = run({"report", pools("stm32n6570-dk-full.mpool"), "--assert-fits"});
    QVERIFY2(bare.code == 1 && bare.out.contains("PLACEMENT UNKNOWN") && bare.err.contains("PW5035"),
             qPrintable(bare.err));
    QCOMPARE(run({"report", pools("stm32n6570-dk-full.mpool"), "--assert-sw-epochs", "0"}).code, 1);
    QCOMPARE(run({"report", pools("stm32n6570-dk-full.mpool"), "--assert-sw-epochs", "-3"}).code, 2);
}

void TestCli::dotOfTheVendorHasNoFalseOverlaps() {
    POOLWRIGHT_NEEDS_SHARED();
    const Run report = run({"report", shared("samples/dot/pele-facedet.tmp.dot")});
    QCOMPARE(report.code, 0);
    QVERIFY2(!report.err.contains("PW5041"), qPrintable(report.err.left(500)));
}

void TestCli::badNamesAndShapesAreRefused() {
    QTemporaryDir folder;
    const Run name = run(compileArguments(folder.filePath("out")) + QStringList{"--network-name", "1 bad;name"});
    QVERIFY2(name.code == 2 && name.err.contains("PW6014"), qPrintable(name.err));
    QCOMPARE(run(compileArguments(folder.path())).code, 0);
    // 1x10x49 stacks nothing of 1x1x49x10.
    QFile npy(folder.filePath("x.npy"));
    QVERIFY(npy.open(QIODevice::WriteOnly));
    QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 10, 49), }";
    header = header.leftJustified(117, ' ') + '\n';
    npy.write(QByteArray("\x93NUMPY\x01\x00", 8) + char(header.size()) + char(0) + header + QByteArray(4 * 490, 0));
    npy.close();
    const Run emulate = run({"emulate", folder.path(), "--inputs", npy.fileName()});
    QVERIFY2(emulate.code == 2 && emulate.err.contains("PW6011"), qPrintable(emulate.err));
    QCOMPARE(run({"emulate", folder.path(), "--seed", "-1"}).code, 2);
}

void TestCli::helpAndEmptyModelLists() {
    QTemporaryDir folder;
    QCOMPARE(run({"compile", "--help"}).code, 0);
    QCOMPARE(run({"generate", "--help"}).code, 0);
    QCOMPARE(run({"models", folder.path(), "--load-mpool", pools("stm32n6570-dk-full.mpool")}).code, 2);
    QCOMPARE(run({"models", "/no/such.onnx", "--load-mpool", pools("stm32n6570-dk-full.mpool")}).code, 1);
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
