// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "import/import.h"
#include "import/quantisation_file.h"

using namespace poolwright;

namespace {

QString wrapped(const QString& entry) {
    return "{\"version\": \"4.0\", \"tensors\": {\"conv_weights\": " + entry + "}}";
}

} // namespace

class TstImportFiles : public QObject {
    Q_OBJECT

private slots:
    void foreignFile_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        QTest::newRow("web page") << QByteArray("\n<!DOCTYPE html><html>") << "web page";
        QTest::newRow("git-lfs") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:0")
                                 << "git-lfs pointer";
        QTest::newRow("tflite") << QByteArray("\x1c\0\0\0TFL3\0\0", 10) << "TensorFlow Lite";
        QTest::newRow("zip") << QByteArray("PK\x03\x04zzzz") << "zip archive";
        QTest::newRow("empty") << QByteArray() << "the file is empty";
        QTest::newRow("text") << QByteArray("hello, this is no model") << "not an ONNX model";
    }

    void foreignFile() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        Diagnostics notes;
        const auto graph = import::importBytes(bytes.toStdString(), "f.onnx", {}, notes);
        QVERIFY(!graph);
        QCOMPARE(graph.error()[0].where.path, std::string("f.onnx"));
        QVERIFY2(test::describe(graph.error()).contains(message), qPrintable(test::describe(graph.error())));
        QVERIFY(!graph.error()[0].hint.empty());
    }

    void missingFile() {
        Diagnostics notes;
        const auto graph = import::importModel("/nowhere/model.onnx", {}, notes);
        QVERIFY(!graph);
        QCOMPARE(graph.error()[0].code, std::string("PW2001"));
    }

    void quantisationEntry() {
        const auto file = import::parseQuantisation(
            wrapped("{\"format\": {\"class\": \"integer\", \"type\": \"S8\", \"params\": [[0.5, 0.25], [0, 1]]}}")
                .toStdString(),
            "q.json");
        POOLWRIGHT_VERIFY_RESULT(file);
        const auto& entry = file->tensors.at("conv_weights");
        QVERIFY(entry.isInteger);
        QCOMPARE(entry.parameters, (ir::Quantisation{{0.5, 0.25}, {0, 1}, 0}));
    }

    void badQuantisation_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto format = [](const char* inner) { return wrapped(QString("{\"format\": %1}").arg(inner)); };
        QTest::newRow("not JSON") << "{"
                                  << "not JSON";
        QTest::newRow("list") << "[]"
                              << "unknown version";
        QTest::newRow("no version") << "{\"tensors\": {}}"
                                    << "unknown version";
        QTest::newRow("old version") << "{\"version\": \"3.1\", \"tensors\": {}}"
                                     << "unknown version";
        QTest::newRow("no tensors") << "{\"version\": \"4.0\"}"
                                    << "no \"tensors\"";
        QTest::newRow("number") << wrapped("3") << "conv_weights: error: \"format\" is missing";
        QTest::newRow("bool") << format("{\"class\": \"integer\", \"type\": \"BOOL\", \"params\": [[1],[0]]}")
                              << "conv_weights: error: format integer/BOOL is not known";
        QTest::newRow("no params") << format("{\"class\": \"integer\", \"type\": \"S8\"}")
                                   << "\"params\" is not a list";
        QTest::newRow("null params") << format("{\"class\": \"integer\", \"type\": \"S8\", \"params\": [null, null]}")
                                     << "\"params\" is not a list";
        QTest::newRow("lengths") << format("{\"class\": \"integer\", \"type\": \"S8\", \"params\": [[1, 2],[0]]}")
                                 << "2 scales and 1 zero points";
        QTest::newRow("negative scale") << format("{\"class\": \"integer\", \"type\": \"S8\", \"params\": [[-1],[0]]}")
                                        << "scale is not a positive";
        QTest::newRow("zero point") << format("{\"class\": \"integer\", \"type\": \"S8\", \"params\": [[1],[0.5]]}")
                                    << "zero point is not an integer";
    }

    void badQuantisation() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto file = import::parseQuantisation(text.toStdString(), "q.json");
        QVERIFY(!file);
        QVERIFY2(test::describe(file.error()).contains(message), qPrintable(test::describe(file.error())));
        QCOMPARE(file.error()[0].where.path, std::string("q.json"));
    }

    void examplesImport_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"keyword_spotting_int8.onnx", "image_classifier_int8.onnx", "segmentation_int8.onnx"})
            QTest::newRow(file) << QString(file);
    }

    void examplesImport() {
        QFETCH(QString, file);
        const auto path = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "resources" / "examples" / file.toStdString();
        Diagnostics notes;
        const auto graph = import::importModel(path, {}, notes);
        POOLWRIGHT_VERIFY_RESULT(graph);
        QVERIFY(ir::verify(*graph).empty());
    }
};

QTEST_APPLESS_MAIN(TstImportFiles)
#include "tst_import_files.moc"
