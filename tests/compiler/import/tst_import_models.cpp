// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "import/import.h"
#include "ir/constant.h"

#include <onnx/onnx_pb.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <map>

using namespace poolwright;

namespace {

std::filesystem::path models() {
    return test::sharedFolder() / "models";
}

struct OePair {
    const char* folder;
    const char* stem;
};

const OePair pairs[] = {
    {"baseline_conv2d_16f_3x3", "baseline_conv2d_16f_3x3_int8_OE_3_3_0"},
    {"baseline_conv2d_1x1", "baseline_conv2d_1x1_int8_OE_3_3_0"},
    {"baseline_conv2d_32f_5x5", "baseline_conv2d_32f_5x5_int8_OE_3_3_0"},
    {"baseline_conv2d_3x3", "baseline_conv2d_3x3_int8_OE_3_3_0"},
    {"baseline_conv2d_pool", "baseline_conv2d_pool_int8_OE_3_3_0"},
    {"baseline_depthwise_3x3", "baseline_depthwise_3x3_int8_OE_3_3_0"},
    {"face_detection_front_128", "face_detection_front_128_integer_quant_OE_3_2_0"},
    {"face_detection_front_128_weight_quant", "face_detection_front_128_weight_quant_OE_3_2_0"},
    {"segmentation_128", "model_int8_OE_3_3_1"},
};

void addPairs() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("json");
    for (const OePair& pair : pairs) {
        const QString path = QString("oe/%1/%2").arg(pair.folder, pair.stem);
        QTest::newRow(pair.folder) << path + ".onnx" << path + "_Q.json";
    }
}

Result<ir::Graph> importPair(const QString& model, const QString& json) {
    import::Options options;
    if (!json.isEmpty())
        options.quantisation = models() / json.toStdString();
    Diagnostics notes;
    return import::importModel(models() / model.toStdString(), options, notes);
}

onnx::ModelProto parsed(const QString& model) {
    onnx::ModelProto proto;
    proto.ParseFromString(test::readFile(models() / model.toStdString()));
    return proto;
}

} // namespace

class TstImportModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { POOLWRIGHT_NEEDS_SHARED(); }

    /// The vendor wrote the shape of every tensor into value_info; ours come from our own rules alone.
    void shapesEqualValueInfo_data() { addPairs(); }

    void shapesEqualValueInfo() {
        QFETCH(QString, model);
        QFETCH(QString, json);
        const auto graph = importPair(model, json);
        POOLWRIGHT_VERIFY_RESULT(graph);
        QVERIFY(ir::verify(*graph).empty());
        const onnx::ModelProto proto = parsed(model);
        std::map<std::string, ir::Shape> expected;
        for (const auto* list : {&proto.graph().value_info(), &proto.graph().input(), &proto.graph().output()})
            for (const auto& info : *list) {
                ir::Shape& shape = expected[info.name()];
                shape.clear(); // inputs and outputs stand in value_info too
                for (const auto& dim : info.type().tensor_type().shape().dim())
                    shape.push_back(dim.dim_value());
            }
        int compared = 0;
        for (const ir::Tensor& tensor : graph->tensors)
            if (const auto found = expected.find(tensor.name); found != expected.end() && !tensor.isConstant()) {
                QVERIFY2(tensor.shape == found->second, tensor.name.c_str());
                ++compared;
            }
        QVERIFY(compared >= int(graph->nodes.size()));
    }

    /// Weights are recovered from floats by the scales of the JSON, read here by Qt's own parser.
    void integersLieOnTheGrid_data() { addPairs(); }

    void integersLieOnTheGrid() {
        QFETCH(QString, model);
        QFETCH(QString, json);
        const auto graph = importPair(model, json);
        POOLWRIGHT_VERIFY_RESULT(graph);
        const auto text = test::readFile(models() / json.toStdString());
        const QJsonObject tensors =
            QJsonDocument::fromJson(QByteArray::fromStdString(text)).object()["tensors"].toObject();
        std::map<std::string, const ir::Tensor*> byName;
        for (const ir::Tensor& tensor : graph->tensors)
            byName[tensor.name] = &tensor;
        const onnx::ModelProto proto = parsed(model);
        int checked = 0;
        for (const auto& initialiser : proto.graph().initializer()) {
            const QJsonObject format =
                tensors[QString::fromStdString(initialiser.name())].toObject()["format"].toObject();
            const auto found = byName.find(initialiser.name());
            if (format["class"].toString() != "integer" || found == byName.end())
                continue;
            const QJsonArray scales = format["params"].toArray()[0].toArray();
            const std::vector<std::int64_t> integers = ir::integersOf(*found->second);
            const auto* floats = reinterpret_cast<const float*>(initialiser.raw_data().data());
            const std::size_t perChannel = integers.size() / std::size_t(scales.size());
            const bool isBias = format["type"].toString() == "S32";
            for (std::size_t i = 0; i < integers.size(); ++i) {
                const double scale = scales[qsizetype(i / perChannel)].toDouble();
                const double residual = std::abs(double(floats[i]) / scale - double(integers[i]));
                QVERIFY2(residual <= (isBias ? 1e-5 + 1e-7 * std::abs(double(integers[i])) : 1e-5),
                         initialiser.name().c_str());
            }
            ++checked;
        }
        QVERIFY(checked > 0);
    }

    void everyOtherModel_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("message"); ///< empty: it imports
        const auto row = [](const char* model, const char* json, const char* message) {
            QTest::newRow(model) << QString(model) << QString(json) << QString(message);
        };
        row("qdq/mobilenet_v2_224_int8.onnx", "", "");
        row("qdq/deeplab_v3_mobilenetv2_05_16_320_fft_qdq_int8.onnx", "", "");
        row("qdq/yamnet_1024_64x96_tl_qdq_int8.onnx", "", "");
        row("qdq/face_landmarks_v1_192_int8_pc.onnx", "", "");
        row("qdq/yunetn_320_qdq_int8.onnx", "", "");
        row("float/mobilenet_v2_128_0.5.onnx", "", "");
        row("float/yamnet_256_64x96_tl.onnx", "", "");
        row("qdq/yolov8n_int8.onnx", "", "");
        row("qdq/yolov11n_micro_224_int8.onnx", "", "");
        row("qdq/yunet_mct_quant.onnx", "", "");
        row("float/svc_wl_48_pct_2.onnx", "",
            "operator SVMClassifier (domain ai.onnx.ml) is not supported: 1 node 'SVMc'");
        row("oe/mobilefacenet_int8_faces/mobilefacenet_int8_faces.onnx", "",
            "");
        row("oe/mobilefacenet_perchannel/mobilefacenet__PerChannel_quant.onnx", "",
            "");
        row("oe/mobilefacenet_int8_faces/mobilefacenet_int8_faces_OE_3_2_0.onnx",
            "oe/mobilefacenet_int8_faces/mobilefacenet_int8_faces_OE_3_2_0_Q.json", "");
        row("oe/mobilefacenet_perchannel/mobilefacenet__PerChannel_quant_OE_3_2_0.onnx",
            "oe/mobilefacenet_perchannel/mobilefacenet__PerChannel_quant_OE_3_2_0_Q.json", "");
        row("oe/face_landmark_ptq/face_landmark_ptq_OE_3_3_0.onnx",
            "oe/face_landmark_ptq/face_landmark_ptq_OE_3_3_0_Q.json", "");
        row("tflite/spatial_cnn_int8.tflite", "", "this is a TensorFlow Lite model");
        row("tflite/mobilenet_v1_0.25_96_tfs_int8.tflite", "", "this is a TensorFlow Lite model");
        row("PROVENANCE.md", "", "this is not an ONNX model");
    }

    void everyOtherModel() {
        QFETCH(QString, model);
        QFETCH(QString, json);
        QFETCH(QString, message);
        const auto graph = importPair(model, json);
        if (message.isEmpty()) {
            POOLWRIGHT_VERIFY_RESULT(graph);
            QVERIFY(ir::verify(*graph).empty());
            return;
        }
        QVERIFY(!graph);
        QVERIFY2(test::describe(graph.error()).contains(message), qPrintable(test::describe(graph.error())));
        QVERIFY(!graph.error()[0].hint.empty());
    }

    void baselineText() {
        const auto graph = importPair("oe/baseline_depthwise_3x3/baseline_depthwise_3x3_int8_OE_3_3_0.onnx",
                                      "oe/baseline_depthwise_3x3/baseline_depthwise_3x3_int8_OE_3_3_0_Q.json");
        POOLWRIGHT_VERIFY_RESULT(graph);
        const QString text = QString::fromStdString(ir::toText(*graph));
        for (const char* line : {
                 "tensor Input_0_out_0: s8[1,64,64,3] scale=[0.007843127474188805] zero=[-1] "
                 "original=serving_default_keras_tensor_30",
                 "node Transpose_1_out_0 = Transpose(Input_0_out_0) perm=[0,3,1,2] # Transpose_1",
                 "node Dequantize_2_out_0 = DequantizeLinear(Transpose_1_out_0) # Dequantize_2",
                 "node Pad_3_out_0 = Pad(Dequantize_2_out_0) mode=constant pads=[0,0,1,1,0,0,1,1] value=0 # Pad_3",
                 "tensor Conv2D_4_bias: s32[3] "
                 "scale=[2.3225102268042974e-05,2.3004156901151873e-05,2.4190892872866243e-05] zero=[0,0,0] axis=0",
                 "group=3 kernel_shape=[3,3] pads=[0,0,0,0] strides=[1,1] # Conv2D_4 <DEPTHWISE_CONV_2D_0>",
                 "tensor Quantize_10_out_0: s8[1,3] scale=[0.0007590814493596554] zero=[-128] "
                 "original=reshape_1_reshape",
             })
            QVERIFY2(text.contains(line), qPrintable(QString("%1\nis not in\n%2").arg(line, text)));
    }

    /// Without the JSON the weights stay float, which is never silent.
    void missingQuantisationFileIsNoticed() {
        Diagnostics notes;
        const auto path = models() / "oe/baseline_conv2d_1x1/baseline_conv2d_1x1_int8_OE_3_3_0.onnx";
        POOLWRIGHT_VERIFY_RESULT(import::importModel(path, {}, notes));
        QVERIFY2(test::describe(notes).contains("1 weight tensors are float among quantised activations"),
                 qPrintable(test::describe(notes)));
        notes.clear();
        POOLWRIGHT_VERIFY_RESULT(
            import::importModel(path, {.quantisation = {}, .nativeFloat = true, .batch = 1}, notes));
        QVERIFY(!test::describe(notes).contains("PW2024"));
    }

    /// A _Q.json of another model is told by the name and checksum that it carries.
    void foreignQuantisationFileIsRefused() {
        const auto graph = importPair("oe/baseline_conv2d_3x3/baseline_conv2d_3x3_int8_OE_3_3_0.onnx",
                                      "oe/baseline_conv2d_1x1/baseline_conv2d_1x1_int8_OE_3_3_0_Q.json");
        QVERIFY(!graph);
        QCOMPARE(graph.error()[0].code, std::string("PW2025"));
        QVERIFY2(test::describe(graph.error()).contains("baseline_conv2d_1x1"), qPrintable(test::describe(graph.error())));
    }

    /// Whatever a damaged file holds: no crash, no hang, no allocation out of proportion (the whole run has seconds).
    void mutatedBytes_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("json");
        QTest::newRow("baseline") << "oe/baseline_depthwise_3x3/baseline_depthwise_3x3_int8_OE_3_3_0.onnx"
                                  << "oe/baseline_depthwise_3x3/baseline_depthwise_3x3_int8_OE_3_3_0_Q.json";
        QTest::newRow("classifier") << "float/svc_wl_48_pct_2.onnx"
                                    << "";
    }

    void mutatedBytes() {
        QFETCH(QString, model);
        QFETCH(QString, json);
        const std::string original = test::readFile(models() / model.toStdString());
        import::Options options;
        if (!json.isEmpty())
            options.quantisation = models() / json.toStdString();
        std::uint32_t state = 12345;
        const auto random = [&state] { return state = state * 1664525u + 1013904223u, state >> 8; };
        for (int round = 0; round < 1000; ++round) {
            std::string bytes = original;
            for (std::uint32_t edits = 1 + random() % 4; edits > 0; --edits)
                bytes[random() % bytes.size()] = char(random());
            if (round % 10 == 0)
                bytes.resize(random() % bytes.size());
            Diagnostics notes;
            const auto graph = import::importBytes(bytes, "mutated.onnx", options, notes);
            if (graph)
                QVERIFY(ir::verify(*graph).empty());
            else
                QVERIFY(hasErrors(graph.error()));
        }
    }
};

QTEST_APPLESS_MAIN(TstImportModels)
#include "tst_import_models.moc"
