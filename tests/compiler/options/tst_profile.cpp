// SPDX-License-Identifier: Apache-2.0
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "mpool/read.h"
#include "options/profile.h"
#include "support/shared.h"
#endif

#include <QtTest>

#include <random>

using namespace poolwright;
using namespace poolwright::options;

static Result<ProfileFile> quirks() {
    const auto path = test::sharedFolder() / "cases/c10-profile-quirks/profiles.json";
    return readProfiles(test::readFile(path), path.string());
}

static QString found(const ResolvedProfile& profile, const char* code) {
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (diagnostic.code == code)
            return QString::fromStdString(toText(diagnostic));
    return {};
}

class TestProfile : public QObject {
    Q_OBJECT

private slots:
    void readsAllSamples() {
        POOLWRIGHT_NEEDS_SHARED();
        int profiles = 0;
        for (const auto& entry : std::filesystem::directory_iterator(test::sharedFolder() / "samples/profiles")) {
            const auto file = readProfiles(test::readFile(entry.path()), entry.path().string());
            POOLWRIGHT_VERIFY_RESULT(file);
            for (const Profile& profile : file->profiles) {
                const auto resolved = resolveProfile(*file, profile.name);
                POOLWRIGHT_VERIFY_RESULT(resolved);
                QVERIFY2(!hasErrors(resolved->diagnostics), qPrintable(test::describe(resolved->diagnostics)));
                ++profiles;
            }
        }
        QCOMPARE(profiles, 17);
    }

    /// cases/c10: what its README says.
    void caseProfileQuirks() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = quirks();
        POOLWRIGHT_VERIFY_RESULT(file);
        QVERIFY((file->names() == std::vector<std::string>{"default", "noext", "o3"}));

        const auto noext = resolveProfile(*file, "noext");
        POOLWRIGHT_VERIFY_RESULT(noext);
        QVERIFY(found(*noext, "PW1032").contains("\"memory_desc\" is an old name and ignored"));
        QVERIFY(found(*noext, "PW1032").contains("\"machine_desc\""));
        QVERIFY(noext->options.loadMdesc.empty());

        const auto o3 = resolveProfile(*file, "o3");
        POOLWRIGHT_VERIFY_RESULT(o3);
        QString repeats;
        for (const Diagnostic& diagnostic : o3->diagnostics)
            if (diagnostic.code == "PW1011")
                repeats += QString::fromStdString(toText(diagnostic));
        QVERIFY(repeats.contains("--Ocache-opt") && repeats.contains("--enable-virtual-mem-pools") &&
                repeats.contains("harmless"));
        QVERIFY2(found(*o3, "PW1012").contains("--optimization 3 and -O1; the last one wins: optimization is 1"),
                 qPrintable(found(*o3, "PW1012")));
        QVERIFY(found(*o3, "PW1013").contains("--Omax-ca-pipe 0 lets the search explore"));
        const QString unknown = found(*o3, "PW1010");
        QVERIFY2(unknown.contains("error: unknown option --Ofoo") && unknown.contains("meant?"), qPrintable(unknown));
        QVERIFY2(unknown.contains("profiles.json:10:111"), qPrintable(unknown));
        QCOMPARE(o3->options.optimization, 1);
        const std::string folder = std::filesystem::path(file->path).parent_path().string();
        QCOMPARE(resolvedText(*o3),
                 "--load-mpool-file " + folder +
                     "/a.mpool\n--native-float\n--cache-maintenance\n--Ocache-opt\n--enable-virtual-mem-pools\n"
                     "--optimization 1\n--Oauto\n--Omax-ca-pipe 4\n");

        const auto second =
            resolveProfile(*file, "default", {"--load-mpool", "other.mpool", "--enable-epoch-controller"});
        QVERIFY(found(*second, "PW1033").contains("other.mpool on the command line is ignored"));
        QVERIFY(second->options.loadMpool.ends_with("a.mpool"));
        QVERIFY(second->options.enableEpochController);
        QVERIFY(!resolveProfile(*file, "fast"));
    }

    void savingKeepsComments() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = quirks();
        const auto changed = withOption(*file, "o3", "--Omax-ca-pipe", "0");
        POOLWRIGHT_VERIFY_RESULT(changed);
        std::string expected = file->text;
        expected.replace(expected.find("--Omax-ca-pipe 4") + 15, 1, "0");
        QCOMPARE(changed->text, expected);
        const auto without = withOption(*file, "o3", "--Ofoo", std::nullopt);
        QVERIFY(!without); // not in the table
        const auto fewer = withOption(*file, "o3", "--optimization", std::nullopt);
        POOLWRIGHT_VERIFY_RESULT(fewer);
        QCOMPARE(fewer->find("o3")->optionText.find("-O1"), std::string::npos);
        QCOMPARE(fewer->find("o3")->optionText.find("--optimization"), std::string::npos);
        QVERIFY(fewer->text.find("// copied from an older release") != std::string::npos);
        QVERIFY(fewer->text.find("pools\\\n") != std::string::npos);
        const auto more = withOption(*file, "default", "--Oauto-sched", "true");
        POOLWRIGHT_VERIFY_RESULT(more);
        QVERIFY(more->text.find("--Os --Oauto-sched\"") != std::string::npos);
        QCOMPARE(withOptionText(*file, "o3", file->find("o3")->optionText)->text, file->text);
    }

    void pathsStartAtTheProfileFile() {
        const auto file = readProfiles("{\"Profiles\": {\"a\": {\"memory_pool\": \"../p/x.mpool\", \"machine_desc\": "
                                       "\"/abs/m.mdesc\", \"options\": \"\"}}}",
                                       "conf/sub/profiles.json");
        POOLWRIGHT_VERIFY_RESULT(file);
        const auto resolved = resolveProfile(*file, "a");
        QCOMPARE(resolved->memoryPool.string(), std::string("conf/p/x.mpool"));
        QCOMPARE(resolved->machineDesc.string(), std::string("/abs/m.mdesc"));
    }

    void selections() {
        QVERIFY((*parseSelection("") == ProfileSelection{"default", "", true, false}));
        QVERIFY((*parseSelection("profile-allmems--O3") == ProfileSelection{"allmems--O3", "", true, false}));
        QVERIFY((*parseSelection("fast@a/b@c.json") == ProfileSelection{"fast", "a/b@c.json", false, false}));
        QVERIFY((*parseSelection("@x.json") == ProfileSelection{"default", "x.json", false, false}));
        QVERIFY(parseSelection("help")->help);
        QVERIFY(!parseSelection("fast") && !parseSelection("fast@"));
    }

    void brokenFiles_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::newRow("no profiles") << QByteArray("{ }") << 1 << 1;
        QTest::newRow("profiles a list") << QByteArray("{\n \"Profiles\": [] }") << 2 << 14;
        QTest::newRow("profile a string") << QByteArray("{\n \"Profiles\": { \"a\": \"b\" } }") << 2 << 21;
        QTest::newRow("no pool") << QByteArray("{\n \"Profiles\": { \"a\": {\"options\": \"\"} } }") << 2 << 21;
        QTest::newRow("options a list") << QByteArray(
                                               "{\"Profiles\": {\"a\": {\"memory_pool\": \"x\", \"options\": []}}}")
                                        << 1 << 52;
        QTest::newRow("open quote") << QByteArray(
                                           "{\"Profiles\": {\"a\": {\"memory_pool\": \"x\", \"options\": \"'\"}}}")
                                    << 1 << 52;
        QTest::newRow("syntax") << QByteArray("{\"Profiles\": {\"a\" {}}}") << 1 << 19;
    }

    void brokenFiles() {
        QFETCH(QByteArray, text);
        const auto file = readProfiles(text.toStdString(), "p.json");
        QVERIFY(!file);
        QTEST(file.error().front().where.line, "line");
        QTEST(file.error().front().where.column, "column");
    }

    void survivesMutations() {
        POOLWRIGHT_NEEDS_SHARED();
        std::mt19937 random(10);
        std::vector<std::string> texts = {quirks()->text};
        for (const auto& entry : std::filesystem::directory_iterator(test::sharedFolder() / "samples/profiles"))
            texts.push_back(test::readFile(entry.path()));
        int good = 0;
        for (int round = 0; round < 2000; ++round) {
            std::string text = texts[std::size_t(round) % texts.size()];
            for (unsigned i = random() % 4 + 1; i > 0; --i) {
                const std::size_t at = random() % text.size();
                if (random() % 2)
                    text[at] = "\\\"{}[],:-= \n\xc3/u'"[random() % 16];
                else
                    text.insert(at, text.substr(random() % text.size(), 12));
            }
            const auto file = readProfiles(text, "mutant.json");
            if (!file) {
                QVERIFY(hasErrors(file.error()));
                continue;
            }
            for (const Profile& profile : file->profiles) {
                POOLWRIGHT_VERIFY_RESULT(resolveProfile(*file, profile.name, {"--Os"}));
                const auto edited = withOptionText(*file, profile.name, profile.optionText + " --Oalt-sched");
                QVERIFY(!edited || edited->find(profile.name)->optionText == profile.optionText + " --Oalt-sched");
                good += edited.has_value();
            }
        }
        QVERIFY(good > 100);
    }

    /// The profiles that we ship: names of the primer, no finding, pool files that are there and sound.
    void builtInProfiles() {
        const std::filesystem::path path = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "mpools/profiles.json";
        const auto file = readProfiles(test::readFile(path), path.string());
        POOLWRIGHT_VERIFY_RESULT(file);
        for (const char* name :
             {"minimal", "default", "allmems--O3", "allmems--auto", "internal-memories-only--default"}) {
            const auto resolved = resolveProfile(*file, name);
            POOLWRIGHT_VERIFY_RESULT(resolved);
            QVERIFY2(resolved->diagnostics.empty(), qPrintable(test::describe(resolved->diagnostics)));
            QVERIFY2(std::filesystem::exists(resolved->memoryPool), resolved->memoryPool.c_str());
        }
        int pools = 0;
        for (const auto& entry : std::filesystem::directory_iterator(path.parent_path())) {
            if (entry.path().extension() != ".mpool")
                continue;
            const auto pool = mpool::readPools(test::readFile(entry.path()), entry.path().filename().string());
            POOLWRIGHT_VERIFY_RESULT(pool);
            QVERIFY2(pool->findings.empty(), qPrintable(test::describe(pool->findings)));
            ++pools;
        }
        QCOMPARE(pools, 6);
    }
};

QTEST_APPLESS_MAIN(TestProfile)
#include "tst_profile.moc"
