// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "import/export_model.h"
#include "import/import.h"
#include "passes/passes.h"
#include "reference/reference.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <fstream>
#include <random>

using namespace poolwright;

namespace {

Result<ir::Graph> quantisedGraph(const std::filesystem::path& model, const std::filesystem::path& quantisation) {
    import::Options options;
    options.quantisation = quantisation;
    options.nativeFloat = true;
    Diagnostics notes;
    auto imported = import::importModel(model, options, notes);
    if (!imported)
        return imported;
    return passes::runPasses(std::move(*imported), {.verify = true, .nativeFloat = true, .omit = {}}, notes);
}

void write(const std::filesystem::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

/// Everything that decides about an inference, names left out: kinds, wiring, attributes, types, shapes, parameters and
/// the bytes of constants. Two graphs with the same list compute the same.
QStringList meaningOf(const ir::Graph& graph) {
    QStringList lines;
    const auto tensorText = [&](TensorId id) {
        if (!id.isValid())
            return QString("-");
        const ir::Tensor& t = graph[id];
        QString text = t.isConstant()
                           ? QString("const %1").arg(qHash(QByteArrayView(t.data->data(), qsizetype(t.data->size()))))
                           : QString("#%1").arg(id.index);
        text += QString(" ") + ir::elementTypeName(t.type);
        for (auto extent : t.shape)
            text += QString(" %1").arg(extent);
        if (t.quantisation && (!t.isConstant() || t.type == ir::ElementType::Int8))
            for (std::size_t i = 0; i < t.quantisation->scales.size(); ++i)
                text += QString(" %1/%2").arg(t.quantisation->scales[i], 0, 'g', 17).arg(t.quantisation->zeroPoints[i]);
        return text;
    };
    for (const ir::Node& node : graph.nodes) {
        QString line = ir::opKindName(node.kind);
        for (TensorId id : node.inputs)
            line += " | " + tensorText(id);
        line += " ->";
        for (TensorId id : node.outputs)
            line += " | " + tensorText(id);
        lines << line;
    }
    return lines;
}

reference::Value randomValue(const ir::Tensor& tensor) {
    reference::Value value{
        .type = tensor.type, .shape = tensor.shape, .quantisation = tensor.quantisation, .bytes = {}};
    value.bytes.resize(std::size_t(tensor.bytes()));
    std::mt19937 random(7);
    if (tensor.type == ir::ElementType::Float32)
        for (std::int64_t i = 0; i < value.elements(); ++i)
            value.as<float>()[i] = float(random() % 2048) / 1024 - 1;
    else
        for (auto& byte : value.bytes)
            byte = std::uint8_t(random());
    return value;
}

} // namespace

class TstExportModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { POOLWRIGHT_NEEDS_SHARED(); }

    void comesBackTheSame_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("json");
        QTest::addColumn<bool>("isSmall");
        const auto folder = test::sharedFolder() / "models";
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const auto path = entry.path();
            if (path.extension() != ".onnx" || path.parent_path().filename() == "float")
                continue;
            auto json = path;
            json.replace_filename(path.stem().string() + "_Q.json");
            const bool hasJson = std::filesystem::exists(json);
            QTest::newRow(path.stem().c_str())
                << QString::fromStdString(path.string())
                << (hasJson ? QString::fromStdString(json.string()) : QString())
                << (path.filename().string().starts_with("baseline") || path.filename().string().starts_with("face_"));
        }
    }

    /// Written in the vendor's dialect and read again, a graph computes the same; so does what is written from that.
    void comesBackTheSame() {
        QFETCH(QString, model);
        QFETCH(QString, json);
        QFETCH(bool, isSmall);
        const auto first = quantisedGraph(model.toStdString(), json.toStdString());
        if (!first && (first.error()[0].code == "PW2030" || first.error()[0].code == "PW2047"))
            QSKIP("an operator of the model is not read");
        POOLWRIGHT_VERIFY_RESULT(first);
        import::ExportOptions options;
        options.fileName = "again.onnx";
        const auto exported = import::exportModel(*first, options);
        POOLWRIGHT_VERIFY_RESULT(exported);
        QTemporaryDir temporary;
        const std::filesystem::path folder = temporary.path().toStdString();
        write(folder / "again.onnx", exported->onnx);
        write(folder / "again_Q.json", exported->quantisation);
        const auto second = quantisedGraph(folder / "again.onnx", folder / "again_Q.json");
        POOLWRIGHT_VERIFY_RESULT(second);
        const QStringList before = meaningOf(*first), after = meaningOf(*second);
        for (qsizetype i = 0; i < std::min(before.size(), after.size()); ++i)
            QCOMPARE(after[i], before[i]);
        QCOMPARE(after.size(), before.size());
        const auto twice = import::exportModel(*second, options);
        POOLWRIGHT_VERIFY_RESULT(twice);
        if (isSmall)
            compareOutputs(*first, *second);
    }

    static void compareOutputs(const ir::Graph& first, const ir::Graph& second) {
        std::vector<reference::Value> inputs;
        for (TensorId input : first.inputs)
            inputs.push_back(randomValue(first[input]));
        const auto expected = reference::run(first, inputs);
        const auto found = reference::run(second, inputs);
        POOLWRIGHT_VERIFY_RESULT(expected);
        POOLWRIGHT_VERIFY_RESULT(found);
        QCOMPARE(found->size(), expected->size());
        for (std::size_t i = 0; i < expected->size(); ++i)
            QVERIFY((*found)[i].bytes == (*expected)[i].bytes);
    }

    void badEntry_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QJsonValue>("params");
        QTest::addColumn<QString>("code");
        const auto params = [](QJsonArray scales, QJsonArray zeros) { return QJsonValue(QJsonArray{scales, zeros}); };
        QTest::newRow("wrong scale") << "Input_0_out_0" << params({0.0079}, {-1}) << "PW2023";
        QTest::newRow("wrong zero") << "Input_0_out_0" << params({0.007843127474188805}, {0}) << "PW2023";
        QTest::newRow("weights off the grid")
            << "Conv2D_4_weights" << params({0.002, 0.002, 0.002}, {0, 0, 0}) << "PW2022";
        QTest::newRow("wrong length") << "Conv2D_4_weights" << params({0.1, 0.1}, {0, 0}) << "PW2022";
        QTest::newRow("not a number") << "Conv2D_4_bias" << params({"x"}, {0}) << "PW2021";
        QTest::newRow("missing zero") << "Conv2D_4_bias" << params({0.1}, {}) << "PW2021";
        QTest::newRow("unknown tensor") << "Conv2D_99_weights" << params({0.1}, {0}) << "PW2026";
    }

    /// One bad entry is an error that names it.
    void badEntry() {
        QFETCH(QString, tensor);
        QFETCH(QJsonValue, params);
        QFETCH(QString, code);
        const auto folder = test::sharedFolder() / "models/oe/baseline_depthwise_3x3";
        const std::string stem = "baseline_depthwise_3x3_int8_OE_3_3_0";
        QJsonObject root =
            QJsonDocument::fromJson(QByteArray::fromStdString(test::readFile(folder / (stem + "_Q.json")))).object();
        QJsonObject tensors = root["tensors"].toObject(), entry = tensors[tensor].toObject();
        QJsonObject format{{"class", "integer"}, {"type", tensor.endsWith("bias") ? "S32" : "S8"}, {"params", params}};
        entry["format"] = format;
        tensors[tensor] = entry;
        root["tensors"] = tensors;
        QTemporaryDir temporary;
        const std::filesystem::path json = temporary.filePath("q.json").toStdString();
        write(json, QJsonDocument(root).toJson().toStdString());
        const auto graph = quantisedGraph(folder / (stem + ".onnx"), json);
        QVERIFY(!graph);
        QCOMPARE(QString::fromStdString(graph.error()[0].code), code);
        QVERIFY2(test::describe(graph.error()).contains(tensor), qPrintable(test::describe(graph.error())));
    }

    /// Two networks of one family: most names are the same, the file and its MD5 are not.
    void fileOfAnotherModel() {
        const auto folder = test::sharedFolder() / "models/oe";
        const auto json = folder / "baseline_conv2d_3x3/baseline_conv2d_3x3_int8_OE_3_3_0_Q.json";
        const auto other = folder / "baseline_conv2d_16f_3x3/baseline_conv2d_16f_3x3_int8_OE_3_3_0.onnx";
        const auto graph = quantisedGraph(other, json);
        QVERIFY(!graph);
        QCOMPARE(QString::fromStdString(graph.error()[0].code), QString("PW2025"));
    }

    /// Facts of the vendor's files (facts/file-formats.md section 6.1), held against what ours say of the same network.
    void looksLikeTheVendors() {
        const auto folder = test::sharedFolder() / "models/oe/baseline_depthwise_3x3";
        const std::string stem = "baseline_depthwise_3x3_int8_OE_3_3_0";
        const auto graph = quantisedGraph(folder / (stem + ".onnx"), folder / (stem + "_Q.json"));
        POOLWRIGHT_VERIFY_RESULT(graph);
        const auto exported = import::exportModel(*graph, {.fileName = stem + ".onnx"});
        POOLWRIGHT_VERIFY_RESULT(exported);
        const auto read = [](const std::string& text) {
            return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        };
        const QJsonObject ours = read(exported->quantisation),
                          theirs = read(test::readFile(folder / (stem + "_Q.json")));
        QCOMPARE(ours["version"], theirs["version"]);
        const auto format = [](const QJsonObject& root, const char* tensor) {
            return root["tensors"].toObject()[tensor].toObject()["format"].toObject();
        };
        QString weights;
        for (const QString& name : ours["tensors"].toObject().keys())
            if (name.endsWith("_weights"))
                weights = name;
        QCOMPARE(format(ours, weights.toUtf8()), format(theirs, "Conv2D_4_weights"));
        const QJsonObject input = ours["tensors"].toObject()["Input_0_out_0"].toObject();
        QCOMPARE(input, theirs["tensors"].toObject()["Input_0_out_0"].toObject());
        const auto port = [](const QJsonObject& root, const char* key) {
            return root["model_info"].toObject()[key].toArray()[0].toObject();
        };
        QCOMPARE(port(ours, "original_inputs"), port(theirs, "original_inputs"));
        const QJsonObject file =
            ours["environment"].toObject()["generated_model"].toObject()["model_files"].toArray()[0].toObject();
        QCOMPARE(file["signature"].toString().size(), 34);
    }
};

QTEST_APPLESS_MAIN(TstExportModels)
#include "tst_export_models.moc"
