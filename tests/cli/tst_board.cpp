// SPDX-License-Identifier: Apache-2.0
#include "driver/compile.h"
#include "driver/emulation.h"
#include "mpool/read.h"
#include "reference/reference.h"
#include "support/npy.h"
#include "support/shared.h"

#include <QTest>

#include <cstdlib>
#include <iterator>

using namespace poolwright;

/// Six layer networks whose inputs went through a real STM32N6570-DK: the whole chain against what the board returned, and the reference
/// against ST's host reference (facts/numerics.md).
class TestBoard : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void referenceEqualsTheHostReference_data() { addNetworks(); }
    void referenceEqualsTheHostReference();
    void emulatorAgainstTheBoard();

private:
    static void addNetworks();
    static Result<driver::Outcome> compiled(const std::string& network);
    static std::vector<std::int8_t> emulated(const driver::Outcome& outcome, const test::NpyArray& inputs);
    static std::filesystem::path folder(const std::string& network) { return test::sharedFolder() / "models/oe" / network; }
};

static const char* const networks[] = {"baseline_conv2d_16f_3x3", "baseline_conv2d_1x1",  "baseline_conv2d_32f_5x5",
                                       "baseline_conv2d_3x3",     "baseline_conv2d_pool", "baseline_depthwise_3x3"};

void TestBoard::initTestCase() {
    POOLWRIGHT_NEEDS_SHARED();
}

void TestBoard::addNetworks() {
    QTest::addColumn<QString>("network");
    for (const char* network : networks)
        QTest::newRow(network) << QString(network);
}

Result<driver::Outcome> TestBoard::compiled(const std::string& network) {
    driver::Request request;
    request.model = folder(network) / (network + "_int8_OE_3_3_0.onnx");
    const std::filesystem::path pools = test::sharedFolder() / "samples/mpool/st-objdet-dk-app2.mpool";
    Result<mpool::PoolFile> file = mpool::readPools(test::readFile(pools), pools.string());
    if (!file)
        return tl::unexpected(file.error());
    request.pools = *file;
    request.options.verify = true;
    request.options.enableVirtualMemPools = true;
    return driver::compile(request);
}

static reference::Value sample(const test::NpyArray& inputs, const program::TensorView& view, std::int64_t n) {
    const std::int64_t each = ir::elementCount(view.shape);
    reference::Value value{view.type, view.shape, view.quantisation, {}};
    value.bytes.assign(inputs.bytes.begin() + n * each, inputs.bytes.begin() + (n + 1) * each);
    return value;
}

void TestBoard::referenceEqualsTheHostReference() {
    QFETCH(QString, network);
    const Result<driver::Outcome> outcome = compiled(network.toStdString());
    POOLWRIGHT_VERIFY_RESULT(outcome);
    const test::NpyArray inputs = test::readNpy(folder(network.toStdString()) / "network_val_c_inputs_1.npy");
    const test::NpyArray expected = test::readNpy(folder(network.toStdString()) / "network_val_m_outputs_1.npy");
    std::vector<std::uint8_t> got;
    for (std::int64_t n = 0; n < inputs.shape[0]; ++n) {
        const auto outputs = reference::run(outcome->prepared->graph, {sample(inputs, outcome->program.inputs[0], n)});
        POOLWRIGHT_VERIFY_RESULT(outputs);
        got.insert(got.end(), outputs->front().bytes.begin(), outputs->front().bytes.end());
    }
    QCOMPARE(got.size(), expected.bytes.size());
    QVERIFY(got == expected.bytes);
}

std::vector<std::int8_t> TestBoard::emulated(const driver::Outcome& outcome, const test::NpyArray& inputs) {
    std::vector<std::int8_t> got;
    for (std::int64_t n = 0; n < inputs.shape[0]; ++n) {
        Diagnostics findings;
        const auto outputs =
            driver::emulateOnce(outcome.program, {sample(inputs, outcome.program.inputs[0], n)}, {}, {}, findings);
        if (!outputs || !findings.empty()) {
            qWarning("%s", qPrintable(test::describe(outputs ? findings : outputs.error())));
            return {};
        }
        const std::int8_t* values = outputs->front().as<std::int8_t>();
        got.insert(got.end(), values, values + outputs->front().elements());
    }
    return got;
}

void TestBoard::emulatorAgainstTheBoard() {
    std::int64_t all = 0, equal = 0;
    for (const char* network : networks) {
        const Result<driver::Outcome> outcome = compiled(network);
        POOLWRIGHT_VERIFY_RESULT(outcome);
        QVERIFY(outcome->report->fits);
        const test::NpyArray board = test::readNpy(folder(network) / "network_val_c_outputs_1.npy");
        const std::vector<std::int8_t> got = emulated(*outcome, test::readNpy(folder(network) / "network_val_c_inputs_1.npy"));
        QCOMPARE(std::int64_t(got.size()), board.elements());
        std::int64_t same = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const int difference = got[i] - board.as<std::int8_t>()[i];
            QVERIFY2(std::abs(difference) <= 1, network);
            same += difference == 0;
        }
        qInfo("%s: %lld of %zu equal to the board", network, static_cast<long long>(same), got.size());
        all += std::int64_t(got.size());
        equal += same;
    }
    qInfo("all: %lld of %lld (%.3f %%)", static_cast<long long>(equal), static_cast<long long>(all), 100.0 * double(equal) / double(all));
    QVERIFY(double(equal) >= 0.995 * double(all));
}

QTEST_GUILESS_MAIN(TestBoard)
#include "tst_board.moc"
