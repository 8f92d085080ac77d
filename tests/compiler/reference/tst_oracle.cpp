// SPDX-License-Identifier: Apache-2.0
#include "import/import.h"
#include "passes/passes.h"
#include "reference/npy.h"
#include "reference/reference.h"

#include "support/npy.h"
#include "support/shared.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::test;

/// The arithmetic of the quantised graph against ST's host reference (facts/file-formats.md section 6.4): every value.
class TestOracle : public QObject {
    Q_OBJECT
private slots:
    void hostReference_data();
    void hostReference();
};

void TestOracle::hostReference_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"conv2d_16f_3x3", "conv2d_1x1", "conv2d_32f_5x5", "conv2d_3x3", "conv2d_pool", "depthwise_3x3"})
        QTest::newRow(name) << name;
}

void TestOracle::hostReference() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QString, name);
    const std::string model = "baseline_" + name.toStdString();
    const auto folder = sharedFolder() / "models/oe" / model;
    import::Options options;
    options.quantisation = folder / (model + "_int8_OE_3_3_0_Q.json");
    Diagnostics diagnostics;
    Result<ir::Graph> graph = import::importModel(folder / (model + "_int8_OE_3_3_0.onnx"), options, diagnostics);
    POOLWRIGHT_VERIFY_RESULT(graph);
    graph = passes::runPasses(std::move(*graph), {}, diagnostics);
    POOLWRIGHT_VERIFY_RESULT(graph);

    const NpyArray inputs = test::readNpy(folder / "network_val_c_inputs_1.npy");
    const NpyArray expected = test::readNpy(folder / "network_val_m_outputs_1.npy");
    const ir::Tensor& input = (*graph)[graph->inputs.front()];
    const std::size_t inputSize = std::size_t(input.elements());
    std::vector<std::uint8_t> outputs;
    for (std::size_t at = 0; at + inputSize <= inputs.bytes.size(); at += inputSize) {
        const auto from = inputs.bytes.begin() + std::ptrdiff_t(at);
        const reference::Value value{input.type, input.shape, {}, {from, from + std::ptrdiff_t(inputSize)}};
        const auto result = reference::run(*graph, {value});
        POOLWRIGHT_VERIFY_RESULT(result);
        outputs.insert(outputs.end(), result->front().bytes.begin(), result->front().bytes.end());
    }
    QCOMPARE(inputs.shape.front(), std::int64_t(10));
    QCOMPARE(outputs, expected.bytes);
}

QTEST_APPLESS_MAIN(TestOracle)
#include "tst_oracle.moc"
