// SPDX-License-Identifier: Apache-2.0
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "options/ini.h"
#include "options/parse.h"
#include "support/shared.h"
#include "text/json.h"
#endif

#include <QtTest>

#include <set>

using namespace poolwright;
using namespace poolwright::options;

static Parsed parsedOf(const std::vector<std::string>& words) {
    std::vector<Token> tokens;
    for (const std::string& word : words)
        tokens.push_back({word, {}});
    return parseTokens(tokens);
}

static int count(const Diagnostics& diagnostics, const std::string& code) {
    int n = 0;
    for (const Diagnostic& diagnostic : diagnostics)
        n += diagnostic.code == code;
    return n;
}

class TestOptions : public QObject {
    Q_OBJECT

private slots:
    void everySpellingHasOneOption() {
        std::set<std::string_view> seen;
        for (const OptionSpec& spec : optionTable()) {
            QVERIFY(!spec.sentence.empty() && spec.sentence.ends_with('.'));
            for (std::string_view spelling : spec.spellings)
                QVERIFY2(seen.insert(spelling).second, spelling.data());
        }
        // Options of facts/file-formats.md section 8, one of each row.
        for (const char* spelling : {"-i",
                                     "--json-quant-file",
                                     "-g",
                                     "-t",
                                     "--target",
                                     "--load-mpool",
                                     "--load-cdesc",
                                     "--mvei",
                                     "--native-float",
                                     "--Ocache-opt",
                                     "--enable-virtual-mem-pools",
                                     "--ec-optimize",
                                     "-M",
                                     "--Os",
                                     "-Os",
                                     "--optimization",
                                     "-A",
                                     "--Oauto-sched",
                                     "--Oalt-sched",
                                     "--d-auto",
                                     "--Omax-ca-pipe",
                                     "--Oconv-split-stripe-full",
                                     "--Oshuffle-dma",
                                     "--Opreserve-inputs",
                                     "--force-all-in-out-to-mem",
                                     "--disable-sw-fallback",
                                     "--no-hw-sw-parallelism",
                                     "--GELU-recognition",
                                     "--onnx-omit-opt",
                                     "--all-buffers-info",
                                     "--output-info-file",
                                     "--network-name",
                                     "--csv-file",
                                     "--sched-stats",
                                     "--num-ops-info",
                                     "--load-options",
                                     "--generate-stai",
                                     "--encrypt-weights",
                                     "--d-json-out",
                                     "--d-dead",
                                     "--d-onnx-temps",
                                     "--help",
                                     "--st-neural-art",
                                     "--no-inputs-allocation",
                                     "--input-data-type",
                                     "--outputs-ch-position",
                                     "--fix-parametric-shapes",
                                     "--c-api"})
            QVERIFY2(findOption(spelling), spelling);
    }

    void spellings() {
        Diagnostics warnings;
        const auto options =
            parse({"-i", "m.onnx", "--json-quant-file=q.json", "-gnet.c", "--target", "stm32n6", "-O3", "-Os",
                   "--load-mpool=a b.mpool", "--Omax-ca-pipe=2", "--onnx-omit-opt", "a,b", "--onnx-omit-opt=c"},
                  warnings);
        POOLWRIGHT_VERIFY_RESULT(options);
        QVERIFY(warnings.empty());
        QCOMPARE(options->onnxInput, std::string("m.onnx"));
        QCOMPARE(options->jsonQuantFile, std::string("q.json"));
        QCOMPARE(options->cOutput, std::string("net.c"));
        QCOMPARE(options->loadMdesc, std::string("stm32n6"));
        QCOMPARE(options->optimization, 3);
        QVERIFY(options->optimizeSize);
        QCOMPARE(options->loadMpool, std::string("a b.mpool"));
        QCOMPARE(options->maxCaPipe, 2);
        QVERIFY((options->onnxOmitOpt == std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(parsedOf({"-O", "1"}).options.optimization, 1);
        QVERIFY(parsedOf({"--st-neural-art", "--Os"}).options.stNeuralArtGiven);
        QVERIFY(parsedOf({"--st-neural-art", "--Os"}).options.optimizeSize);
        QVERIFY(!parsedOf({"--Os", "--Os=false"}).options.optimizeSize);
        QVERIFY((parsedOf({"model.onnx", "--Os"}).positional == std::vector<std::string>{"model.onnx"}));
    }

    void errors_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("code");
        QTest::newRow("unknown") << QStringList{"--Ofoo"} << "PW1010";
        QTest::newRow("unknown short") << QStringList{"-q"} << "PW1010";
        QTest::newRow("no value") << QStringList{"-i"} << "PW1015";
        QTest::newRow("value is an option") << QStringList{"-i", "--Os"} << "PW1015";
        QTest::newRow("empty value") << QStringList{"--csv-file="} << "PW1015";
        QTest::newRow("no number") << QStringList{"--optimization", "fast"} << "PW1016";
        QTest::newRow("out of range") << QStringList{"-O4"} << "PW1016";
        QTest::newRow("negative") << QStringList{"--Omax-ca-pipe", "-1"} << "PW1016";
        QTest::newRow("flag with value") << QStringList{"--Os=1"} << "PW1016";
        QTest::newRow("stray word") << QStringList{"model.onnx"} << "PW1017";
    }

    void errors() {
        QFETCH(QStringList, words);
        QFETCH(QString, code);
        std::vector<std::string> list;
        for (const QString& word : words)
            list.push_back(word.toStdString());
        Diagnostics warnings;
        const auto options = parse(list, warnings);
        QVERIFY(!options);
        QCOMPARE(QString::fromStdString(options.error().front().code), code);
        QVERIFY(!options.error().front().hint.empty());
    }

    void nearestNamesOfUnknownOptions() {
        const Parsed parsed = parsedOf({"--native-flaot"});
        QVERIFY(parsed.diagnostics.at(0).hint.find("--native-float") != std::string::npos);
    }

    void repeatsAndConflicts() {
        const Parsed parsed =
            parsedOf({"--Ocache-opt", "--cache-maintenance", "--optimization", "3", "--Ocache-opt", "-O1"});
        QCOMPARE(count(parsed.diagnostics, "PW1011"), 1);
        QCOMPARE(count(parsed.diagnostics, "PW1012"), 1);
        QCOMPARE(parsed.options.optimization, 1);
        QVERIFY((parsed.options.given == std::vector<std::pair<std::string, std::string>>{{"Ocache-opt", "true"},
                                                                                          {"cache-maintenance", "true"},
                                                                                          {"optimization", "1"}}));
        QCOMPARE(count(parsedOf({"--Oauto", "--Omax-ca-pipe", "4"}).diagnostics, "PW1013"), 1);
        QCOMPARE(count(parsedOf({"--Ocache-opt"}).diagnostics, "PW1014"), 1);
    }

    void commandLineReadsBack() {
        CompilerOptions options = parsedOf({"--Os", "-i", "my model.onnx", "-O1", "--st-neural-art"}).options;
        options.dotFile = "x.dot"; // by hand, as the editor does
        options.optimizeSize = false;
        QCOMPARE(toCommandLine(options),
                 std::string("--onnx-input \"my model.onnx\" --optimization 1 --st-neural-art --dot-file x.dot"));
        const CompilerOptions again = parsedOf(toTokens(options)).options;
        QVERIFY(again == withGivenRefreshed(options));
    }

    void iniOfSamplesRoundTrips_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"chen-steel", "laroche-g800", "pele-facedet", "pele-facerec"})
            QTest::newRow(name) << name;
    }

    /// Files of four real compiles: read, written again, every key=value line in place (what equals our defaults
    /// included, as it was given).
    void iniOfSamplesRoundTrips() {
        POOLWRIGHT_NEEDS_SHARED();
        QFETCH(QString, name);
        const std::string text =
            test::readFile(test::sharedFolder() / "samples/options" / (name.toStdString() + ".atonn_options.ini"));
        const auto tokens = readIni(text, "o.ini");
        POOLWRIGHT_VERIFY_RESULT(tokens);
        const Parsed parsed = parseTokens(*tokens);
        QVERIFY2(parsed.diagnostics.empty(), qPrintable(test::describe(parsed.diagnostics)));
        QVERIFY(parsed.options.loadMpool.ends_with(".mpool") && parsed.options.jsonQuantFile.ends_with("_Q.json"));
        const QString written = QString::fromStdString(writeIni(parsed.options, {"t", "v", "d"}));
        QCOMPARE(written.section("\n\n", 1), QString::fromStdString(text).section("\n\n", 1));
    }

    void iniErrorsHaveLines() {
        const auto tokens = readIni("# x\n\nOs=true\nnonsense\n", "o.ini");
        QVERIFY(!tokens);
        QCOMPARE(tokens.error().front().where.line, 4);
        const auto unknown = readIni("Os=true\nfoo=1\n", "o.ini");
        const Parsed parsed = parseTokens(*unknown);
        QCOMPARE(parsed.diagnostics.at(0).where.line, 2);
        QCOMPARE(parsed.diagnostics.at(0).where.path, std::string("o.ini"));
    }

    void splitsOptionText() {
        const auto tokens = splitOptionText("  --a  'b c'\t--d=\"e f\"g\n");
        POOLWRIGHT_VERIFY_RESULT(tokens);
        QCOMPARE(tokens->size(), std::size_t(3));
        QCOMPARE(tokens->at(1).text, std::string("b c"));
        QCOMPARE(tokens->at(1).offset, std::size_t(7));
        QCOMPARE(tokens->at(2).text, std::string("--d=e fg"));
        QVERIFY(!splitOptionText("--a \"b"));
    }

    void helpForms() {
        const auto json = text::parseJson(tableAsJson(), "help");
        POOLWRIGHT_VERIFY_RESULT(json);
        QCOMPARE(json->root.items.size(), optionTable().size());
        QVERIFY(tableAsMarkdown().find("| `-O`, `--optimization` | 0..3 | 2 |") != std::string::npos);
        QVERIFY(tableAsText().find("--Oauto") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"
