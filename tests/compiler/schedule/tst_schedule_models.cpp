// SPDX-License-Identifier: Apache-2.0
#include "pipeline.h"
#include "support/npy.h"

#include <QElapsedTimer>
#include <QObject>

#include <algorithm>

using namespace poolwright;

/// Whole models: what the board returned for the layer nets, and every epoch against the interpreter for all that
/// import.
class TestScheduleModels : public QObject {
    Q_OBJECT

private slots:
    void boardOutputs_data();
    void boardOutputs();
    void vendorConstants();
    void vendorEpochs_data();
    void vendorEpochs();
    void epochsMatchInterpreter_data();
    void epochsMatchInterpreter();
    void cleanupTestCase();

private:
    double m_boardEqual = 0, m_boardValues = 0;
};

namespace {

std::vector<std::filesystem::path> modelsIn(const std::string& folder, const std::string& part) {
    std::vector<std::filesystem::path> models;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedFolder() / "models" / folder))
        if (entry.path().extension() == ".onnx" && entry.path().filename().string().find(part) != std::string::npos)
            models.push_back(entry.path());
    std::sort(models.begin(), models.end());
    return models;
}

/// All units of a kind whose name ends so, in epoch order.
std::vector<program::Unit> unitsOf(const program::Program& program, target::UnitKind kind, const std::string& ending) {
    std::vector<program::Unit> units;
    for (const program::Epoch& epoch : program.epochs)
        if (const program::HardwareWork* work = epoch.hardware())
            for (const program::Unit& unit : work->units)
                if (unit.kind == kind && unit.node.ends_with(ending))
                    units.push_back(unit);
    return units;
}

QString describe(const emulate::Agreement& a) {
    return QString("%1 (epoch %2): %3 of %4 equal, %5 within one, largest %6")
        .arg(QString::fromStdString(a.tensor))
        .arg(a.epoch)
        .arg(a.equal)
        .arg(a.values)
        .arg(a.withinOne)
        .arg(a.largest);
}

/// Tensors that the epoch does not reproduce well enough. Units round three times where the interpreter rounds once,
/// and x16 may saturate (facts/numerics.md section 2), on noise more than on pictures: so 88 % must be equal and 99 %
/// within one.
QStringList poorTensors(const emulate::Comparison& comparison) {
    QStringList poor;
    for (const emulate::Agreement& a : comparison.tensors)
        if (double(a.equal) < 0.88 * double(a.values) - 2 || double(a.withinOne) < 0.98 * double(a.values) ||
            a.largest > 64) // sums that saturate (16), through a table that makes four steps of one
            poor << describe(a);
    return poor;
}

} // namespace

void TestScheduleModels::boardOutputs_data() {
    POOLWRIGHT_NEEDS_SHARED();
    QTest::addColumn<QString>("model");
    for (const auto& model : modelsIn("oe", "baseline_"))
        QTest::newRow(model.parent_path().filename().c_str()) << QString::fromStdString(model.string());
}

void TestScheduleModels::boardOutputs() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QString, model);
    const std::filesystem::path path = model.toStdString();
    auto graph = test::graphOf(path);
    POOLWRIGHT_VERIFY_RESULT(graph);
    auto compiled = test::compileGraph(std::move(*graph));
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const auto inputs = test::readNpy(path.parent_path() / "network_val_c_inputs_1.npy");
    const auto outputs = test::readNpy(path.parent_path() / "network_val_c_outputs_1.npy");
    const std::size_t images = std::size_t(inputs.shape[0]);
    const std::size_t inputBytes = inputs.bytes.size() / images, outputBytes = outputs.bytes.size() / images;
    std::size_t equal = 0;
    int worst = 0;
    for (std::size_t i = 0; i < images; ++i) {
        const ir::Tensor& tensor = compiled->graph[compiled->graph.inputs[0]];
        reference::Value value{tensor.type, tensor.shape, tensor.quantisation, {}};
        value.bytes.assign(inputs.bytes.begin() + std::ptrdiff_t(i * inputBytes),
                           inputs.bytes.begin() + std::ptrdiff_t((i + 1) * inputBytes));
        auto results = emulate::run(compiled->program, {value});
        POOLWRIGHT_VERIFY_RESULT(results);
        QCOMPARE(results->front().bytes.size(), outputBytes);
        for (std::size_t j = 0; j < outputBytes; ++j) {
            const int difference =
                int(results->front().as<std::int8_t>()[j]) - outputs.as<std::int8_t>()[i * outputBytes + j];
            equal += difference == 0;
            worst = std::max(worst, std::abs(difference));
        }
    }
    qInfo("%s: %zu of %zu equal, worst %d", path.parent_path().filename().c_str(), equal, outputs.bytes.size(), worst);
    m_boardEqual += double(equal);
    m_boardValues += double(outputs.bytes.size());
    QVERIFY(worst <= 1);
    QVERIFY(double(equal) >= 0.99 * double(outputs.bytes.size()));
}

/// facts/numerics.md section 2: 2265 of 2270 values, 1306 of 1310 of the six nets at hand.
void TestScheduleModels::cleanupTestCase() {
    QVERIFY(m_boardEqual >= 0.995 * m_boardValues);
}

/// What the vendor's compiler wrote for the pooling and the fully connected layer of YAMNet-1024 (facts/numerics.md,
/// source S1).
void TestScheduleModels::vendorConstants() {
    POOLWRIGHT_NEEDS_SHARED();
    auto graph = test::graphOf(test::sharedFolder() / "models/qdq/yamnet_1024_64x96_tl_qdq_int8.onnx");
    POOLWRIGHT_VERIFY_RESULT(graph);
    auto compiled = test::compileGraph(std::move(*graph));
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const auto pool = unitsOf(compiled->program, target::UnitKind::Pool, "");
    QCOMPARE(pool.size(), std::size_t(2)); // behind each half of the 1024 channels of the last convolution
    for (const program::Unit& unit : pool) {
        QCOMPARE(std::get<program::PoolConfig>(unit.config).mulval, 21845);
        QCOMPARE(std::get<program::PoolConfig>(unit.config).shiftO, 9);
    }
    const auto mean = std::get<program::ArithConfig>(
        unitsOf(compiled->program, target::UnitKind::Arith, "_requantize").back().config);
    QCOMPARE(mean.aScalar, 19737);
    QCOMPARE(mean.shiftO, 14);
    QCOMPARE(mean.cScalar, std::int64_t(6 * 65536 + 36000));
    const auto scale =
        std::get<program::ArithConfig>(unitsOf(compiled->program, target::UnitKind::Arith, "_mul_scale").back().config);
    const auto bias =
        std::get<program::ArithConfig>(unitsOf(compiled->program, target::UnitKind::Arith, "_off_bias").back().config);
    QCOMPARE(scale.shiftO, 10);
    QCOMPARE(bias.aScalar, 17033);
    QCOMPARE(bias.shiftO, 20);
}

/// All networks of the shared models whose epochs a report of the vendor's tool counts.
void TestScheduleModels::vendorEpochs_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("total");
    QTest::addColumn<int>("software"); // and hybrid: what is not carried out by units alone
    QTest::addColumn<bool>("isTotalMet");
    const auto add = [](const char* model, int total, int software, bool isTotalMet) {
        QTest::newRow(model) << QString(model) << total << software << isTotalMet;
    };
    // facts/measured.csv, lines of Magnus3327/stm32n6-edge-ai-benchmarks, ST Edge AI 2.2.0
    add("oe/baseline_conv2d_16f_3x3/baseline_conv2d_16f_3x3_int8_OE_3_3_0.onnx", 1, 0, true);
    add("oe/baseline_conv2d_1x1/baseline_conv2d_1x1_int8_OE_3_3_0.onnx", 1, 0, true);
    add("oe/baseline_conv2d_3x3/baseline_conv2d_3x3_int8_OE_3_3_0.onnx", 1, 0, true);
    add("oe/baseline_conv2d_pool/baseline_conv2d_pool_int8_OE_3_3_0.onnx", 1, 0, true);
    add("qdq/mobilenet_v2_224_int8.onnx", 58, 3, false); // more than 512 channels: facts/neural-art-target.md 2.5.4
    // samples/reports/pele-facerec.face_recognition_generate_report.txt, ST Edge AI 2.1.0
    add("oe/mobilefacenet_int8_faces/mobilefacenet_int8_faces_OE_3_2_0.onnx", 165, 112, true);
    // samples/reports/st-audio.network_analyze_report.txt
    add("qdq/yamnet_1024_64x96_tl_qdq_int8.onnx", 39, 3, true);
    // samples/reports/maria-seg.network_generate_report.txt, ST Edge AI 4.0.1
    add("oe/segmentation_128/model_int8_OE_3_3_1.onnx", 14, 0, true);
}

void TestScheduleModels::vendorEpochs() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QString, model);
    auto graph = test::graphOf(test::sharedFolder() / "models" / model.toStdString());
    POOLWRIGHT_VERIFY_RESULT(graph);
    auto compiled = test::compileGraph(std::move(*graph));
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const int hardware = test::epochsOfKind(compiled->program, program::EpochKind::Hardware);
    const int own = test::epochsOfKind(compiled->program, program::EpochKind::Software) +
                    test::epochsOfKind(compiled->program, program::EpochKind::Hybrid);
    QFETCH(int, software);
    QFETCH(int, total);
    QFETCH(bool, isTotalMet);
    qInfo("%d epochs, %d in software; the vendor's tool: %d and %d", hardware + own, own, total, software);
    QVERIFY(own <= software);
    QVERIFY(!isTotalMet || hardware + own <= total);
}

void TestScheduleModels::epochsMatchInterpreter_data() {
    POOLWRIGHT_NEEDS_SHARED();
    QTest::addColumn<QString>("model");
    const std::string part = qEnvironmentVariable("POOLWRIGHT_MODEL").toStdString();
    for (const char* folder : {"oe", "qdq"})
        for (const auto& model : modelsIn(folder, part))
            QTest::newRow(model.filename().c_str()) << QString::fromStdString(model.string());
}

void TestScheduleModels::epochsMatchInterpreter() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QString, model);
    QElapsedTimer timer;
    timer.start();
    auto graph = test::graphOf(model.toStdString());
    if (!graph)
        QSKIP(qPrintable("is not imported: " + test::describe(graph.error())));
    auto compiled = test::compileGraph(std::move(*graph));
    POOLWRIGHT_VERIFY_RESULT(compiled);
    const double seconds = double(timer.elapsed()) / 1000;
    auto comparison = emulate::compare(compiled->program, compiled->graph, test::randomInputs(compiled->graph, 1),
                                       emulate::Feeding::Isolated);
    POOLWRIGHT_VERIFY_RESULT(comparison);
    const emulate::Agreement total = comparison->total();
    qInfo("%d hardware and %d software epochs, compiled in %.2f s, emulated %.2f s, outputs %lld of %lld equal, "
          "largest %g",
          test::epochsOfKind(compiled->program, program::EpochKind::Hardware),
          test::epochsOfKind(compiled->program, program::EpochKind::Software), seconds,
          double(timer.elapsed()) / 1000 - seconds, static_cast<long long>(total.equal),
          static_cast<long long>(total.values), total.largest);
    if (qEnvironmentVariableIsSet("POOLWRIGHT_VERBOSE"))
        for (const program::Epoch& epoch : compiled->program.epochs)
            qInfo("  %s: %s", epoch.name.c_str(), epoch.reason.c_str());
    QVERIFY(double(total.equal) >= 0.9 * double(total.values));
    const QStringList poor = poorTensors(*comparison);
    QVERIFY2(poor.isEmpty(), qPrintable(poor.join('\n')));
}

QTEST_APPLESS_MAIN(TestScheduleModels)
#include "tst_schedule_models.moc"
