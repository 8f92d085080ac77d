// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "driver/compile.h"
#include "emulate/compare.h"
#include "golden/pack.h"
#include "import/import.h"
#include "import/importable.h"
#include "ir/kinds.h"
#include "lower/support.h"
#include "mpool/read.h"
#include "passes/passes.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

using namespace poolwright;
using golden::Case;
using golden::Difference;

namespace {

const std::filesystem::path folder = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "tests" / "golden";

/// How the values of a case, or of an operator's cases, agree with ONNX Runtime.
struct Tally {
    std::int64_t cases = 0, integers = 0, equal = 0, largestStep = 0;
    std::int64_t reals = 0;
    double largestError = 0; ///< relative to max(1, |expected|)
    std::string worst;       ///< case with the most integers that are not equal
    std::int64_t worstUnequal = 0;

    void add(const Tally& other) {
        cases += other.cases;
        if (other.worstUnequal > worstUnequal) {
            worst = other.worst;
            worstUnequal = other.worstUnequal;
        }
        integers += other.integers;
        equal += other.equal;
        largestStep = std::max(largestStep, other.largestStep);
        reals += other.reals;
        largestError = std::max(largestError, other.largestError);
    }
};

template <typename T>
void tallyIntegers(Tally& tally, const reference::Value& value, const reference::Value& expected) {
    for (std::int64_t i = 0; i < value.elements(); ++i) {
        const std::int64_t step = std::abs(std::int64_t(value.as<T>()[i]) - std::int64_t(expected.as<T>()[i]));
        ++tally.integers;
        tally.equal += step == 0;
        tally.largestStep = std::max(tally.largestStep, step);
    }
}

void tallyReals(Tally& tally, const reference::Value& value, const reference::Value& expected) {
    for (std::int64_t i = 0; i < value.elements(); ++i) {
        const double want = expected.as<float>()[i], have = value.as<float>()[i];
        const bool same = want == have || (std::isnan(want) && std::isnan(have));
        const double error = same ? 0 : std::abs(want - have) / std::max(1.0, std::abs(want));
        ++tally.reals;
        tally.largestError = std::max(tally.largestError, std::isnan(error) ? HUGE_VAL : error);
    }
}

Tally tallyOf(const reference::Value& value, const reference::Value& expected) {
    Tally tally;
    switch (value.type) {
    case ir::ElementType::Float32:
        tallyReals(tally, value, expected);
        break;
    case ir::ElementType::Int64:
        tallyIntegers<std::int64_t>(tally, value, expected);
        break;
    case ir::ElementType::Int32:
        tallyIntegers<std::int32_t>(tally, value, expected);
        break;
    case ir::ElementType::Int8:
        tallyIntegers<std::int8_t>(tally, value, expected);
        break;
    default:
        tallyIntegers<std::uint8_t>(tally, value, expected);
    }
    return tally;
}

std::vector<reference::Value> inputsOf(const Case& item, const ir::Graph& graph) {
    std::vector<reference::Value> values;
    for (TensorId id : graph.inputs)
        for (const golden::NamedValue& input : item.inputs)
            if (input.name == graph[id].name) {
                values.push_back(input.value);
                values.back().quantisation = graph[id].quantisation;
            }
    return values;
}

QString textOf(const Diagnostics& diagnostics) {
    return test::describe(diagnostics).trimmed().replace('\n', "; ").left(300);
}

/// Empty, or what is wrong.
QString sameForm(const reference::Value& value, const reference::Value& expected) {
    if (value.type != expected.type)
        return QString("type %1 instead of %2")
            .arg(ir::elementTypeName(value.type), ir::elementTypeName(expected.type));
    return value.shape == expected.shape ? QString() : QString("another shape");
}

struct Judgement {
    QString wrong; ///< empty when all is well
    Difference::Stage stage = Difference::Stage::Import;
    Tally tally;
};

Judgement judgeOutputs(const Case& item, const std::vector<reference::Value>& outputs) {
    Judgement judgement{.wrong = {}, .stage = Difference::Stage::Reference, .tally = {}};
    judgement.tally.cases = 1;
    if (outputs.size() != item.outputs.size())
        judgement.wrong = "another number of outputs";
    for (std::size_t i = 0; judgement.wrong.isEmpty() && i < outputs.size(); ++i) {
        judgement.wrong = sameForm(outputs[i], item.outputs[i].value);
        if (judgement.wrong.isEmpty())
            judgement.tally.add(tallyOf(outputs[i], item.outputs[i].value));
    }
    if (judgement.wrong.isEmpty() && judgement.tally.largestStep > 1)
        judgement.wrong = QString("a value is %1 steps away").arg(judgement.tally.largestStep);
    if (judgement.wrong.isEmpty() && judgement.tally.largestError > 1e-5)
        judgement.wrong = QString("a float is %1 away").arg(judgement.tally.largestError);
    return judgement;
}

Judgement judgeReference(const Case& item) {
    const auto refused = [](Difference::Stage stage, const Diagnostics& errors) {
        return Judgement{.wrong = textOf(errors), .stage = stage, .tally = {}};
    };
    Diagnostics notes;
    auto graph =
        import::importBytes(item.model, item.name, {.quantisation = {}, .nativeFloat = true, .batch = 1}, notes);
    if (graph)
        graph = passes::runPasses(std::move(*graph), {.verify = true, .nativeFloat = true, .omit = {}}, notes);
    if (!graph)
        return refused(Difference::Stage::Import, graph.error());
    const auto outputs = reference::run(*graph, inputsOf(item, *graph));
    return outputs ? judgeOutputs(item, *outputs) : refused(Difference::Stage::Reference, outputs.error());
}

/// Software is the interpreter itself, so it must agree exactly; a unit may round once more than the interpreter.
QString beyondTolerance(const driver::Outcome& outcome, const emulate::Comparison& comparison) {
    for (const emulate::Agreement& agreement : comparison.tensors) {
        const bool hardware = agreement.epoch >= 0 &&
                              outcome.program.epochs[std::size_t(agreement.epoch)].kind == program::EpochKind::Hardware;
        if (hardware ? agreement.withinOne < agreement.values : agreement.equal < agreement.values)
            return QString("%1 epoch %2, %3: %4 of %5 equal, largest difference %6")
                .arg(hardware ? "hardware" : "software")
                .arg(agreement.epoch)
                .arg(QString::fromStdString(agreement.tensor))
                .arg(agreement.equal)
                .arg(agreement.values)
                .arg(agreement.largest);
    }
    return {};
}

bool isListed(const import::ImportableOperator& entry, ir::OpKind kind) {
    static const std::vector<ir::OpKind> around = {ir::OpKind::Quantize, ir::OpKind::Dequantize, ir::OpKind::Requantize,
                                                   ir::OpKind::Reshape};
    const auto has = [kind](const std::vector<ir::OpKind>& kinds) {
        return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    return has(entry.kinds) || has(around);
}

std::map<std::string, Tally> byOperator(const std::vector<std::pair<const Case*, Tally>>& tallies) {
    std::map<std::string, Tally> sums;
    for (const auto& [item, tally] : tallies)
        sums[item->domain.empty() ? item->op : item->domain + "." + item->op].add(tally);
    return sums;
}

} // namespace

/// A difference that is listed must be there; what is pending may be gone already.
#define POOLWRIGHT_EXPECT_DIFFERENCE(judgement, known)                                                                 \
    do {                                                                                                               \
        const bool pending = (known).reason == "pending";                                                              \
        QVERIFY2(pending || !(judgement).wrong.isEmpty(), "listed in differences.txt, yet all is well");               \
        QVERIFY2(pending || (known).stage == (judgement).stage, qPrintable((judgement).wrong));                        \
        if (!(judgement).wrong.isEmpty())                                                                              \
            QSKIP((known).reason.c_str());                                                                             \
    } while (false)

class TstGoldenOps : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_cases = golden::readPacks(folder / "ops");
        m_differences = golden::readDifferences(folder / "differences.txt");
        QVERIFY2(m_cases.size() >= 600, "packs are absent or damaged");
        const auto poolFile = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "mpools" / "stm32n6570-dk-full.mpool";
        const auto pools = mpool::readPools(test::readFile(poolFile), poolFile.string());
        POOLWRIGHT_VERIFY_RESULT(pools);
        m_pools = *pools;
    }

    void interpreterEqualsOnnxRuntime_data() { rows(); }
    void interpreterEqualsOnnxRuntime() {
        QFETCH(int, index);
        const Case& item = m_cases[std::size_t(index)];
        const Judgement judgement = judgeReference(item);
        const Difference* import = golden::differenceOf(m_differences, item.name, Difference::Stage::Import);
        const Difference* values = golden::differenceOf(m_differences, item.name, Difference::Stage::Reference);
        if (const Difference* known = import ? import : values)
            POOLWRIGHT_EXPECT_DIFFERENCE(judgement, *known);
        QVERIFY2(judgement.wrong.isEmpty(), qPrintable(judgement.wrong));
        Tally tally = judgement.tally;
        tally.worst = item.name;
        tally.worstUnequal = tally.integers - tally.equal;
        m_tallies.emplace_back(&item, std::move(tally));
    }

    /// Between integers nothing needs --native-float, but for Mish, whose parts are float between one another.
    void quantisedCasesNeedNoNativeFloat() {
        QStringList wrong;
        for (const Case& item : m_cases) {
            if (item.name.find("_qdq") == std::string::npos || item.op == "Mish")
                continue;
            Diagnostics notes;
            auto graph = import::importBytes(item.model, item.name, {}, notes);
            if (graph)
                graph = passes::runPasses(std::move(*graph), {}, notes);
            if (!graph)
                wrong << QString::fromStdString(item.name) + ": " + textOf(graph.error());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    }

    void operatorTableIsTrue_data() { rows(); }

    /// The front end's table of operators: opsets and kinds against what it does.
    void operatorTableIsTrue() {
        QFETCH(int, index);
        const Case& item = m_cases[std::size_t(index)];
        Diagnostics notes;
        const auto graph =
            import::importBytes(item.model, item.name, {.quantisation = {}, .nativeFloat = true, .batch = 1}, notes);
        if (!graph)
            return; // interpreterEqualsOnnxRuntime() knows whether that is right
        const std::vector<import::ImportableOperator> all = import::importableOperators();
        const auto entry = std::find_if(all.begin(), all.end(), [&](const import::ImportableOperator& op) {
            return op.opType == item.op && op.domain == item.domain;
        });
        QVERIFY(entry != all.end());
        QVERIFY(item.domain != "" || (entry->firstOpset <= item.opset && item.opset <= entry->lastOpset));
        for (const ir::Node& node : graph->nodes)
            QVERIFY2(isListed(*entry, node.kind) || !item.alone, ir::opKindName(node.kind));
    }

    void nearlyAllValuesAreExact() {
        Tally all;
        for (const auto& [op, tally] : byOperator(m_tallies)) {
            qInfo(
                "%s: %lld cases; of %lld integers %lld equal, largest step %lld%s%s; of %lld reals largest error %.1e",
                op.c_str(), static_cast<long long>(tally.cases), static_cast<long long>(tally.integers),
                static_cast<long long>(tally.equal), static_cast<long long>(tally.largestStep),
                tally.worst.empty() ? "" : ", most differences in ", tally.worst.c_str(),
                static_cast<long long>(tally.reals), tally.largestError);
            all.add(tally);
        }
        qInfo("all: %lld cases, %lld of %lld integers equal", static_cast<long long>(all.cases),
              static_cast<long long>(all.equal), static_cast<long long>(all.integers));
        if (all.cases < 600)
            QSKIP("only some rows were run");
        QVERIFY(double(all.equal) >= 0.998 * double(all.integers)); // 0.995 is asked for
    }

    void emulatorEqualsInterpreter_data() { rows(); }
    void emulatorEqualsInterpreter() {
        QFETCH(int, index);
        const Case& item = m_cases[std::size_t(index)];
        const Judgement judgement = judgeEmulation(item);
        const Difference* import = golden::differenceOf(m_differences, item.name, Difference::Stage::Import);
        if (import && !judgement.wrong.isEmpty())
            QSKIP(import->reason.c_str());
        const Difference* compile = golden::differenceOf(m_differences, item.name, Difference::Stage::Compile);
        const Difference* values = golden::differenceOf(m_differences, item.name, Difference::Stage::Emulation);
        if (const Difference* known = compile ? compile : values)
            POOLWRIGHT_EXPECT_DIFFERENCE(judgement, *known);
        QVERIFY2(judgement.wrong.isEmpty(), qPrintable(judgement.wrong));
    }

    /// Lowering's table of where kinds run, against where they ran in the cases above.
    void unitsTableIsTrue() {
        for (const ir::KindTraits& traits : ir::allKinds()) {
            const Runs runs = m_runs[traits.name];
            const lower::Support support = lower::supportOf(traits.kind, target::builtinTarget().machine);
            qInfo("%s: %d epochs on units, %d of quantised tensors in software", traits.name, runs.onUnits,
                  runs.inSoftware);
            QVERIFY2(!support.limits.empty(), traits.name);
            QVERIFY2(support.onUnits || runs.onUnits == 0, traits.name);
            QVERIFY2(!support.onUnits || runs.onUnits > 0 || runs.inSoftware == 0, traits.name);
        }
    }

    /// The operators page: where the first form of an operator is said to run on units, a case of it does.
    void operatorsPageIsTrue() {
        if (m_emulated < m_cases.size())
            QSKIP("only some rows were run");
        QStringList wrong;
        for (const import::ImportableOperator& op : import::importableOperators()) {
            const bool hasCases = std::any_of(m_cases.begin(), m_cases.end(), [&](const Case& item) {
                return item.op == op.opType && item.domain == op.domain;
            });
            if (!hasCases || op.kinds.empty())
                continue;
            const bool claimed =
                !op.isComposed && lower::supportOf(op.kinds.front(), target::builtinTarget().machine).onUnits;
            const bool seen = m_onUnits.contains({op.domain + ":" + op.opType, ir::opKindName(op.kinds.front())});
            if (claimed != seen)
                wrong << QString::fromStdString(op.opType) + (claimed ? " is not seen on units" : " runs on units");
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
    }

private:
    struct Runs {
        int onUnits = 0, inSoftware = 0;
    };

    void countRuns(const Case& item, const program::Program& program) {
        for (const program::Epoch& epoch : program.epochs)
            for (const program::OperatorRef& op : epoch.operators) {
                const auto* software = std::get_if<program::SoftwareWork>(&epoch.work);
                m_runs[op.kind].onUnits += epoch.kind == program::EpochKind::Hardware;
                if (epoch.kind == program::EpochKind::Hardware)
                    m_onUnits.insert({item.domain + ":" + item.op, op.kind});
                m_runs[op.kind].inSoftware += software && software->inputs.front().quantisation.has_value();
            }
    }

    void rows() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_cases.size(); ++i)
            QTest::newRow(m_cases[i].name.c_str()) << int(i);
    }

    Judgement judgeEmulation(const Case& item) {
        ++m_emulated;
        const std::filesystem::path file = m_scratch.filePath("case.onnx").toStdString();
        std::ofstream(file, std::ios::binary) << item.model;
        driver::Request request;
        request.model = file;
        request.pools = m_pools;
        request.options.nativeFloat = true;
        const Result<driver::Outcome> outcome = driver::compile(request);
        if (!outcome)
            return {.wrong = textOf(outcome.error()), .stage = Difference::Stage::Compile, .tally = {}};
        countRuns(item, outcome->program);
        const auto comparison = emulate::compare(outcome->program, outcome->prepared->graph,
                                                 inputsOf(item, outcome->prepared->graph), emulate::Feeding::Isolated);
        if (!comparison)
            return {.wrong = textOf(comparison.error()), .stage = Difference::Stage::Emulation, .tally = {}};
        return {.wrong = beyondTolerance(*outcome, *comparison), .stage = Difference::Stage::Emulation, .tally = {}};
    }

    std::vector<Case> m_cases;
    std::vector<Difference> m_differences;
    mpool::PoolFile m_pools;
    QTemporaryDir m_scratch;
    std::map<std::string, Runs> m_runs;                      ///< by kind
    std::size_t m_emulated = 0;                              ///< cases
    std::set<std::pair<std::string, std::string>> m_onUnits; ///< operator and kind of a hardware epoch
    std::vector<std::pair<const Case*, Tally>> m_tallies;
};

QTEST_APPLESS_MAIN(TstGoldenOps)
#include "tst_golden_ops.moc"
