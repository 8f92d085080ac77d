// SPDX-License-Identifier: Apache-2.0
#include "import/import.h"
#include "passes/passes.h"
#include "reference/reference.h"
#include "support/npy.h"
#include "support/shared.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

using namespace poolwright;

namespace {

/// Expected files of one of the baseline folders.
struct Baseline {
    std::filesystem::path model, quantisation, inputs, outputs;
};

Baseline baseline(const std::string& name) {
    const auto folder = test::sharedFolder() / "models" / "oe" / name;
    const std::string stem = name + "_int8_OE_3_3_0";
    return {folder / (stem + ".onnx"), folder / (stem + "_Q.json"), folder / "network_val_c_inputs_1.npy",
            folder / "network_val_m_outputs_1.npy"};
}

Result<ir::Graph> quantisedGraph(const std::filesystem::path& model, const std::filesystem::path& quantisation,
                                 bool nativeFloat) {
    import::Options options;
    options.quantisation = quantisation;
    Diagnostics notes;
    auto imported = import::importModel(model, options, notes);
    if (!imported)
        return imported;
    return passes::runPasses(std::move(*imported), {.verify = true, .nativeFloat = nativeFloat, .omit = {}}, notes);
}

std::map<std::string, int> kindsOf(const ir::Graph& graph) {
    std::map<std::string, int> kinds;
    for (const ir::Node& node : graph.nodes)
        ++kinds[ir::opKindName(node.kind)];
    return kinds;
}

QString kindsText(const ir::Graph& graph) {
    QString text;
    for (const auto& [kind, count] : kindsOf(graph))
        text += QString("%1%2 %3").arg(text.isEmpty() ? "" : ", ").arg(QString::fromStdString(kind)).arg(count);
    return text;
}

reference::Value sample(const ir::Tensor& input, const test::NpyArray& all, std::size_t index) {
    reference::Value value{.type = input.type, .shape = input.shape, .quantisation = input.quantisation, .bytes = {}};
    const auto size = std::size_t(input.bytes());
    value.bytes.assign(all.bytes.begin() + std::ptrdiff_t(index * size),
                       all.bytes.begin() + std::ptrdiff_t((index + 1) * size));
    return value;
}

} // namespace

class TstPassesModels : public QObject {
    Q_OBJECT

private slots:
    void baselineEqualsVendorReference_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kinds");
        const char* conv = "Conv 1, GlobalAveragePool 1, Reshape 1, Transpose 1";
        for (const char* name : {"baseline_conv2d_16f_3x3", "baseline_conv2d_1x1", "baseline_conv2d_32f_5x5",
                                 "baseline_conv2d_3x3", "baseline_depthwise_3x3"})
            QTest::newRow(name) << QString(name) << QString(conv);
        QTest::newRow("pool") << QString("baseline_conv2d_pool")
                              << QString("Conv 1, GlobalAveragePool 1, MaxPool 1, Reshape 1, Transpose 1");
    }

    /// The vendor's host reference computed these outputs from the original .tflite (facts/file-formats.md
    /// section 6.4): the folded graph under the integer reference must give every one of them.
    void baselineEqualsVendorReference() {
        POOLWRIGHT_NEEDS_SHARED();
        QFETCH(QString, name);
        QFETCH(QString, kinds);
        const Baseline files = baseline(name.toStdString());
        const auto graph = quantisedGraph(files.model, files.quantisation, false);
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(kindsText(*graph), kinds);
        const test::NpyArray inputs = test::readNpy(files.inputs), expected = test::readNpy(files.outputs);
        std::vector<std::uint8_t> outputs;
        for (std::size_t i = 0; i < std::size_t(inputs.shape[0]); ++i) {
            const auto result = reference::run(*graph, {sample((*graph)[graph->inputs[0]], inputs, i)});
            POOLWRIGHT_VERIFY_RESULT(result);
            outputs.insert(outputs.end(), result->front().bytes.begin(), result->front().bytes.end());
        }
        QCOMPARE(outputs.size(), expected.bytes.size());
        QCOMPARE(outputs == expected.bytes, true);
    }

    /// The vendor's front end wrote the parameters of every tensor into the JSON, also of those between
    /// DequantizeLinear and QuantizeLinear: our rules must come to the same.
    void parametersEqualTheJson_data() {
        QTest::addColumn<QString>("stem");
        for (const char* stem : {"baseline_conv2d_pool/baseline_conv2d_pool_int8_OE_3_3_0",
                                 "baseline_depthwise_3x3/baseline_depthwise_3x3_int8_OE_3_3_0",
                                 "face_detection_front_128/face_detection_front_128_integer_quant_OE_3_2_0",
                                 "segmentation_128/model_int8_OE_3_3_1"})
            QTest::newRow(stem) << QString(stem);
    }

    void parametersEqualTheJson() {
        POOLWRIGHT_NEEDS_SHARED();
        QFETCH(QString, stem);
        const auto folder = test::sharedFolder() / "models" / "oe";
        const auto json = folder / (stem + "_Q.json").toStdString();
        const auto graph = quantisedGraph(folder / (stem + ".onnx").toStdString(), json, false);
        POOLWRIGHT_VERIFY_RESULT(graph);
        const QJsonObject tensors =
            QJsonDocument::fromJson(QByteArray::fromStdString(test::readFile(json))).object()["tensors"].toObject();
        int compared = 0;
        for (const ir::Tensor& tensor : graph->tensors) {
            const QJsonObject format = tensors[QString::fromStdString(tensor.name)].toObject()["format"].toObject();
            if (tensor.isConstant() || format["class"].toString() != "integer")
                continue;
            QVERIFY2(tensor.quantisation, tensor.name.c_str());
            const QJsonArray params = format["params"].toArray();
            QVERIFY2(tensor.quantisation->scales[0] == params[0].toArray()[0].toDouble(), tensor.name.c_str());
            QVERIFY2(tensor.quantisation->zeroPoints[0] == params[1].toArray()[0].toInt(), tensor.name.c_str());
            ++compared;
        }
        QVERIFY(compared >= int(graph->nodes.size()) / 2);
    }

    /// The examples that the product ships: what they compute must depend on the input and use the range of its type.
    void exampleIsLively_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"keyword_spotting_int8.onnx", "image_classifier_int8.onnx", "segmentation_int8.onnx"})
            QTest::newRow(file) << QString(file);
    }

    void exampleIsLively() {
        QFETCH(QString, file);
        const auto path = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "resources" / "examples" / file.toStdString();
        const auto graph = quantisedGraph(path, {}, false);
        POOLWRIGHT_VERIFY_RESULT(graph);
        reference::Value input{.type = ir::ElementType::Float32,
                               .shape = (*graph)[graph->inputs[0]].shape,
                               .quantisation = {},
                               .bytes = {}};
        input.bytes.resize(std::size_t(input.elements()) * sizeof(float));
        std::uint32_t state = 1;
        for (std::int64_t i = 0; i < input.elements(); ++i) {
            state = state * 1664525u + 1013904223u;
            input.as<float>()[i] = float(state >> 8) / float(1 << 23) - 1.0f;
        }
        const auto result = reference::run(*graph, {input}, {}, [&](TensorId id, const reference::Value& value) {
            const ir::Tensor& tensor = (*graph)[id];
            if (tensor.type != ir::ElementType::Int8 || tensor.isConstant() || value.elements() < 500)
                return;
            int histogram[256] = {};
            for (std::int64_t i = 0; i < value.elements(); ++i)
                ++histogram[value.as<std::int8_t>()[i] + 128];
            const auto used =
                std::count_if(std::begin(histogram), std::end(histogram), [](int count) { return count > 0; });
            QVERIFY2(used > 64, tensor.name.c_str());
            QVERIFY2(histogram[255] < value.elements() / 10, tensor.name.c_str()); // saturated
        });
        POOLWRIGHT_VERIFY_RESULT(result);
    }

    void modelFolds_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("quantisation");
        QTest::addColumn<bool>("nativeFloat");
        QTest::addColumn<QString>("kinds"); ///< empty: refused
        const auto row = [](const char* model, const char* quantisation, bool nativeFloat, const char* kinds) {
            QTest::addRow("%s%s", model, nativeFloat ? " (float)" : "")
                << QString(model) << QString(quantisation) << nativeFloat << QString(kinds);
        };
        row("qdq/mobilenet_v2_224_int8.onnx", "", false,
            "Add 10, Conv 52, DequantizeLinear 1, Gemm 1, GlobalAveragePool 1, QuantizeLinear 1, Reshape 1");
        row("qdq/yunetn_320_qdq_int8.onnx", "", false,
            "Add 2, Conv 59, DequantizeLinear 12, MaxPool 4, QuantizeLinear 1, Reshape 12, Resize 2, Sigmoid 6, "
            "Transpose 12");
        row("qdq/yamnet_1024_64x96_tl_qdq_int8.onnx", "", false, "");
        row("qdq/yamnet_1024_64x96_tl_qdq_int8.onnx", "", true,
            "Conv 27, DequantizeLinear 1, Gemm 1, GlobalAveragePool 1, QuantizeLinear 1, Reshape 1, Softmax 1, "
            "Transpose 1");
        row("oe/segmentation_128/model_int8_OE_3_3_1.onnx", "oe/segmentation_128/model_int8_OE_3_3_1_Q.json", false,
            "Conv 13");
        row("float/mobilenet_v2_128_0.5.onnx", "", false, "");
        row("float/mobilenet_v2_128_0.5.onnx", "", true,
            "Add 10, Clip 35, Conv 52, Gemm 1, GlobalAveragePool 1, Reshape 1, Softmax 1");
    }

    void modelFolds() {
        POOLWRIGHT_NEEDS_SHARED();
        QFETCH(QString, model);
        QFETCH(QString, quantisation);
        QFETCH(bool, nativeFloat);
        QFETCH(QString, kinds);
        const auto folder = test::sharedFolder() / "models";
        const auto json = quantisation.isEmpty() ? std::filesystem::path() : folder / quantisation.toStdString();
        const auto graph = quantisedGraph(folder / model.toStdString(), json, nativeFloat);
        if (kinds.isEmpty()) {
            QVERIFY(!graph);
            QCOMPARE(graph.error()[0].code, std::string("PW2101"));
            return;
        }
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(kindsText(*graph), kinds);
    }
};

QTEST_APPLESS_MAIN(TstPassesModels)
#include "tst_passes_models.moc"
