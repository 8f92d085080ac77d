// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "driver/compile.h"
#include "golden/pack.h"
#include "text/crc32.h"

#include <QProcess>
#include <QTemporaryDir>

#include <cmath>
#include <map>
#include <set>

using namespace poolwright;
using golden::Difference;
using golden::SampledModel;
using golden::SampledTensor;

namespace {

const std::filesystem::path folder = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "tests" / "golden";

/// The numbers of make_models.py: 32-bit linear congruential, the top 8 bits as integers, the top 24 as reals in [0,
/// 1).
reference::Value seeded(const ir::Tensor& tensor, std::uint32_t seed) {
    reference::Value value{
        .type = tensor.type, .shape = tensor.shape, .quantisation = tensor.quantisation, .bytes = {}};
    value.bytes.resize(std::size_t(tensor.bytes()));
    std::uint32_t state = seed;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        state = state * 1664525u + 1013904223u;
        if (tensor.type == ir::ElementType::Float32)
            value.as<float>()[i] = float(state >> 8) / float(1 << 24);
        else
            value.as<std::uint8_t>()[i] =
                std::uint8_t((state >> 24) ^ (tensor.type == ir::ElementType::Int8 ? 0x80u : 0u));
    }
    return value;
}

std::vector<reference::Value> seededInputs(const ir::Graph& graph) {
    std::vector<reference::Value> inputs;
    for (std::size_t i = 0; i < graph.inputs.size(); ++i)
        inputs.push_back(seeded(graph[graph.inputs[i]], std::uint32_t(1 + i)));
    return inputs;
}

double elementOf(const reference::Value& value, std::int64_t index) {
    switch (value.type) {
    case ir::ElementType::Float32:
        return double(value.as<float>()[index]);
    case ir::ElementType::Int64:
        return double(value.as<std::int64_t>()[index]);
    case ir::ElementType::Int32:
        return value.as<std::int32_t>()[index];
    case ir::ElementType::Int8:
        return value.as<std::int8_t>()[index];
    default:
        return value.as<std::uint8_t>()[index];
    }
}

/// How values agree, in steps: of the integers, or for reals of what they are made of.
struct Steps {
    std::int64_t values = 0, equal = 0;
    double largest = 0;

    void add(double have, double want, double step) {
        const double steps = have == want ? 0 : std::abs(have - want) / step;
        ++values;
        equal += steps < 1e-3;
        largest = std::max(largest, std::isnan(steps) ? HUGE_VAL : steps);
    }
    QString text() const {
        return QString("%1 of %2 values equal, largest difference %3 steps")
            .arg(qlonglong(equal))
            .arg(qlonglong(values))
            .arg(largest, 0, 'g', 3);
    }
};

/// Reals count in steps of the Dequantize that made them; where none did (0), in ten-thousandths of their size:
/// ONNX Runtime sums in float32, the interpreter in double, and whole networks of floats carry that on.
double stepOf(const ir::Graph& graph, TensorId id) {
    constexpr double ofFloats = 0;
    if (graph[id].type != ir::ElementType::Float32)
        return 1;
    for (const ir::Node& node : graph.nodes)
        for (TensorId output : node.outputs)
            if (output == id)
                return node.kind == ir::OpKind::Dequantize ? graph[node.inputs[0]].quantisation->scales.front()
                       : node.kind == ir::OpKind::Reshape || node.kind == ir::OpKind::Transpose
                           ? stepOf(graph, node.inputs[0])
                           : ofFloats;
    return ofFloats;
}

/// Unsigned bytes are signed ones in our graphs.
double shiftOf(ir::ElementType recorded, ir::ElementType ours) {
    return recorded == ir::ElementType::UInt8 && ours == ir::ElementType::Int8 ? -128 : 0;
}

Steps compareSample(const reference::Value& value, const SampledTensor& recorded, double step) {
    Steps steps;
    const double shift = shiftOf(recorded.type, value.type);
    for (std::size_t i = 0; i < recorded.values.size(); ++i) {
        const double want = recorded.values[i] + shift;
        const double unit = step > 0 ? step : 1e-4 * std::max(1.0, std::abs(want));
        steps.add(elementOf(value, std::int64_t(i) * recorded.stride), want, unit);
    }
    return steps;
}

bool sameBytes(const reference::Value& value, const SampledTensor& recorded) {
    std::string bytes(value.bytes.begin(), value.bytes.end());
    if (shiftOf(recorded.type, value.type) != 0)
        for (char& byte : bytes)
            byte = char(byte ^ 0x80);
    return text::crc32(bytes) == recorded.crc32;
}

/// Recorded tensors by the name that ours may have.
template <typename Tensor> std::map<std::string, const Tensor*> byName(const std::vector<Tensor>& tensors) {
    std::map<std::string, const Tensor*> names;
    for (const Tensor& tensor : tensors)
        names.emplace(tensor.name, &tensor);
    for (const Tensor& tensor : tensors) {
        if (!tensor.source.empty())
            names.emplace(tensor.source, &tensor);
        names.emplace(tensor.name + "/real", &tensor); // what a QLinear operator quantises
    }
    return names;
}

bool isByte(ir::ElementType type) {
    return type == ir::ElementType::Int8 || type == ir::ElementType::UInt8;
}

/// "the first of 96 tensors that is not equal": where a chain of roundings parts.
struct FirstDeviation {
    int compared = 0, equal = 0;
    QString text;

    void see(const std::string& name, const reference::Value& value, const SampledTensor& recorded) {
        const bool same = sameBytes(value, recorded);
        ++compared;
        equal += same;
        if (!same && text.isEmpty())
            text = QString("'%1': of its sample %2").arg(name.c_str(), compareSample(value, recorded, 1).text());
    }
};

QString describeInLine(const Diagnostics& diagnostics) {
    return test::describe(diagnostics).trimmed().replace('\n', "; ").left(400);
}

} // namespace

class TstGoldenModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        POOLWRIGHT_NEEDS_SHARED();
        m_models = golden::readModels(folder / "models.pack");
        m_differences = golden::readDifferences(folder / "differences.txt");
        m_corrections = golden::readCorrections(folder / "corrections.pack");
        m_records = qEnvironmentVariableIsSet("POOLWRIGHT_RECORD_CORRECTIONS");
        QVERIFY(m_models.size() >= 20);
    }

    void outputsEqualOnnxRuntime_data() { rows(); }

    /// Outputs within one step everywhere, or the model is listed, with the tensor at which the chains part.
    void outputsEqualOnnxRuntime() {
        QFETCH(int, index);
        const SampledModel& model = m_models[std::size_t(index)];
        const auto graph = driver::referenceGraph(test::sharedFolder() / "models" / model.file, {}, true);
        if (const Difference* known = differenceOf(model, Difference::Stage::Import)) {
            QVERIFY2(!graph || known->reason == "pending", "listed in differences.txt, yet it is read");
            if (!graph)
                QSKIP(known->reason.c_str());
        }
        POOLWRIGHT_VERIFY_RESULT(graph);
        const auto recorded = byName(model.tensors);
        FirstDeviation first;
        const auto observe = [&](TensorId id, const reference::Value& value) {
            const auto found = recorded.find((*graph)[id].name);
            if (found != recorded.end() && isByte(value.type) && isByte(found->second->type) &&
                value.shape == found->second->shape)
                first.see(found->first, value, *found->second);
        };
        const auto outputs = reference::run(*graph, seededInputs(*graph), {}, observe);
        POOLWRIGHT_VERIFY_RESULT(outputs);
        const Steps steps = outputSteps(model, *graph, *outputs);
        QVERIFY(steps.values > 0);
        qInfo("%s; %d of %d inner tensors equal in every value%s%s", qPrintable(steps.text()), first.equal,
              first.compared, first.text.isEmpty() ? "" : ", first other one ", qPrintable(first.text));
        if (const Difference* known = differenceOf(model, Difference::Stage::Reference)) {
            QVERIFY2(steps.largest > 1.001, "listed in differences.txt, yet all is well");
            QVERIFY(!first.text.isEmpty());
            QSKIP(known->reason.c_str());
        }
        QVERIFY2(steps.largest <= 1.001, qPrintable(steps.text() + "; the first tensor that differs: " + first.text));
    }

    void nodesEqualOnExactInputs_data() { rows(); }

    /// Every node on ONNX Runtime's own values of its inputs, so that no chain of roundings hides or makes a
    /// difference. The few values that differ are recorded; with them every tensor must have the checksum of ONNX
    /// Runtime's.
    void nodesEqualOnExactInputs() {
        QFETCH(int, index);
        const SampledModel& model = m_models[std::size_t(index)];
        const auto graph = driver::referenceGraph(test::sharedFolder() / "models" / model.file, {}, true);
        if (!graph && differenceOf(model, Difference::Stage::Import))
            QSKIP("not read");
        POOLWRIGHT_VERIFY_RESULT(graph);
        if (const Difference* known = differenceOf(model, Difference::Stage::Graph))
            QSKIP(known->reason.c_str());
        golden::Corrections& corrections = m_corrections[model.file];
        std::vector<golden::NamedValue> exact;
        if (m_records) {
            corrections.clear();
            exact = runOnnxRuntime(model);
            QVERIFY(!exact.empty());
        }
        walk(model, *graph, exact, corrections);
    }

    void cleanupTestCase() {
        if (m_records)
            QVERIFY(golden::writeCorrections(folder / "corrections.pack", m_corrections));
    }

private:
    void rows() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_models.size(); ++i)
            if (m_models[i].refused.empty())
                QTest::newRow(std::filesystem::path(m_models[i].file).stem().c_str()) << int(i);
    }

    const Difference* differenceOf(const SampledModel& model, Difference::Stage stage) const {
        return golden::differenceOf(m_differences, "models/" + model.file, stage);
    }

    static Steps outputSteps(const SampledModel& model, const ir::Graph& graph,
                             const std::vector<reference::Value>& outputs) {
        Steps all;
        for (std::size_t i = 0; i < std::min(outputs.size(), model.outputs.size()); ++i) {
            if (outputs[i].shape != model.outputs[i].shape) {
                all.largest = HUGE_VAL;
                continue;
            }
            const Steps steps = compareSample(outputs[i], model.outputs[i], stepOf(graph, graph.outputs[i]));
            all.values += steps.values;
            all.equal += steps.equal;
            all.largest = std::max(all.largest, steps.largest);
        }
        return all;
    }

    static std::vector<golden::NamedValue> runOnnxRuntime(const SampledModel& model) {
        QTemporaryDir scratch;
        const std::filesystem::path file = test::sharedFolder() / "models" / model.file;
        const QStringList arguments = {QString::fromStdString((folder / "make_models.py").string()), "--tensors",
                                       QString::fromStdString(file.string()), scratch.path()};
        if (QProcess::execute("/usr/bin/python3", arguments) != 0)
            return {};
        auto cases = golden::readPack(scratch.filePath("tensors.pack").toStdString());
        return cases.empty() ? std::vector<golden::NamedValue>() : std::move(cases.front().outputs);
    }

    /// What a walk has seen so far.
    struct Seen {
        Steps steps;
        std::size_t tensors = 0, mostCorrections = 0;
        std::string mostAt = "none";
    };

    void walk(const SampledModel& model, const ir::Graph& graph, const std::vector<golden::NamedValue>& exact,
              golden::Corrections& corrections) {
        const auto recorded = byName(model.tensors);
        const auto exactByName = byName(exact);
        std::map<int, reference::Value> values;
        const std::vector<reference::Value> inputs = seededInputs(graph);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            values[graph.inputs[i].index] = inputs[i];
        Seen seen;
        for (const ir::Node& node : graph.nodes) {
            auto outputs = evaluateNode(graph, node, values);
            QVERIFY2(outputs.has_value(), outputs ? "" : qPrintable(describeInLine(outputs.error())));
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                const std::string& name = graph[node.outputs[i]].name;
                reference::Value& value = (*outputs)[i];
                const auto found = recorded.find(name);
                if (found != recorded.end() && isTwin(value, *found->second)) {
                    if (m_records)
                        corrections[name] = differencesOf(value, exactByName.at(name)->value);
                    const QString wrong = correct(value, node, *found->second, corrections[name], seen);
                    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
                }
                values[node.outputs[i].index] = std::move(value);
            }
        }
        judge(model, graph, values, seen);
    }

    /// Makes ONNX Runtime's value of the interpreter's; a text when that takes more than one step, or is not enough.
    static QString correct(reference::Value& value, const ir::Node& node, const SampledTensor& recorded,
                           const std::vector<golden::Correction>& corrections, Seen& seen) {
        const QString place =
            QString("'%1' of %2 '%3'").arg(recorded.name.c_str(), ir::opKindName(node.kind), node.name.c_str());
        if (!apply(value, corrections, seen.steps))
            return place + " differs by more than one step";
        ++seen.tensors;
        if (corrections.size() > seen.mostCorrections) {
            seen.mostCorrections = corrections.size();
            seen.mostAt = ir::opKindName(node.kind) + (" " + node.name);
        }
        return sameBytes(value, recorded)
                   ? QString()
                   : place +
                         " is not ONNX Runtime's; if that is meant, record corrections anew (tests/golden/README.md)";
    }

    static void judge(const SampledModel& model, const ir::Graph& graph, const std::map<int, reference::Value>& values,
                      const Seen& seen) {
        std::vector<reference::Value> outputs;
        for (TensorId id : graph.outputs)
            outputs.push_back(values.at(id.index));
        const Steps ends = outputSteps(model, graph, outputs);
        qInfo("%zu of %zu tensors, %s; most at %s (%zu); outputs: %s", seen.tensors, model.tensors.size(),
              qPrintable(seen.steps.text()), seen.mostAt.c_str(), seen.mostCorrections, qPrintable(ends.text()));
        QVERIFY2(ends.largest <= 1.001, qPrintable(ends.text()));
        QVERIFY(double(seen.steps.equal) >= 0.995 * double(seen.steps.values));
        QVERIFY2(4 * seen.tensors >= 3 * model.tensors.size(), "tensors have lost the names of the model");
    }

    static bool isTwin(const reference::Value& value, const SampledTensor& recorded) {
        return isByte(value.type) && isByte(recorded.type) && value.shape == recorded.shape;
    }

    static std::vector<golden::Correction> differencesOf(const reference::Value& value, const reference::Value& exact) {
        std::vector<golden::Correction> corrections;
        const double shift = shiftOf(exact.type, value.type);
        for (std::int64_t i = 0; i < value.elements(); ++i)
            if (const double by = elementOf(exact, i) + shift - elementOf(value, i); by != 0)
                corrections.push_back({i, int(by)});
        return corrections;
    }

    /// False when a correction is larger than one step.
    static bool apply(reference::Value& value, const std::vector<golden::Correction>& corrections, Steps& steps) {
        steps.values += value.elements();
        steps.equal += value.elements() - std::int64_t(corrections.size());
        for (const golden::Correction& correction : corrections) {
            steps.largest = std::max(steps.largest, double(std::abs(correction.by)));
            if (correction.index < value.elements())
                value.bytes[std::size_t(correction.index)] += std::uint8_t(correction.by);
        }
        return steps.largest <= 1;
    }

    static Result<std::vector<reference::Value>> evaluateNode(const ir::Graph& graph, const ir::Node& node,
                                                              const std::map<int, reference::Value>& values) {
        std::vector<reference::Value> constants;
        constants.reserve(node.inputs.size());
        std::vector<const reference::Value*> inputs;
        for (TensorId id : node.inputs) {
            if (id.isValid() && graph[id].isConstant())
                constants.push_back(reference::constantValue(graph[id]));
            inputs.push_back(!id.isValid()            ? nullptr
                             : graph[id].isConstant() ? &constants.back()
                                                      : &values.at(id.index));
        }
        std::vector<reference::OutputSpec> specs;
        for (TensorId id : node.outputs)
            specs.push_back({graph[id].type, graph[id].shape, graph[id].quantisation});
        return reference::evaluate(node.kind, node.attributes, inputs, specs);
    }

    std::vector<SampledModel> m_models;
    std::vector<Difference> m_differences;
    std::map<std::string, golden::Corrections> m_corrections;
    bool m_records = false; ///< runs ONNX Runtime and records corrections anew
};

QTEST_APPLESS_MAIN(TstGoldenModels)
#include "tst_golden_models.moc"
