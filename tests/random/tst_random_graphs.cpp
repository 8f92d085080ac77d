// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "driver/compile.h"
#include "emulate/compare.h"
#include "mpool/read.h"
#include "program/serialise.h"
#include "random/model_maker.h"
#include "random/random_options.h"
#include "random/step_bounds.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <fstream>

using namespace poolwright;
using test::ModelMaker;

namespace {

constexpr unsigned graphsOfOneRun = 280;
constexpr int secondsOfOneRun = 150; // on a machine that has other things to do

std::vector<reference::Value> randomInputs(const ir::Graph& graph, ModelMaker& maker) {
    std::vector<reference::Value> inputs;
    for (TensorId id : graph.inputs) {
        const ir::Tensor& tensor = graph[id];
        reference::Value value{tensor.type, tensor.shape, tensor.quantisation, {}};
        value.bytes.resize(std::size_t(tensor.bytes()));
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
            if (tensor.type == ir::ElementType::Float32)
                value.as<float>()[i] = float(int(maker.pick(0, 2000)) - 1000) / 500.0F;
            else
                value.bytes[std::size_t(i)] = std::uint8_t(maker.pick(0, 255));
        inputs.push_back(std::move(value));
    }
    return inputs;
}

QString nameOf(const program::Program& program, std::size_t buffer) {
    return QString::fromStdString(program.buffers[buffer].name);
}

/// Invariant 2, counted here once more and not by the verifier's code.
QString misplaced(const program::Program& program) {
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const program::Buffer& buffer = program.buffers[b];
        if (!program.placements[b])
            continue;
        const program::Placement& placement = *program.placements[b];
        const mpool::EffectivePool& pool = program.pools[std::size_t(placement.pool.index)];
        const std::uint64_t first = placement.address.value, end = first + std::uint64_t(buffer.size.value);
        const std::uint64_t poolFirst = pool.range.start.value;
        const std::uint64_t poolEnd =
            poolFirst + std::uint64_t(pool.range.size.value) - std::uint64_t(pool.reservedTail.value);
        if (first < poolFirst || end > poolEnd)
            return "buffer " + nameOf(program, b) + " lies outside its pool";
        if (first % std::uint64_t(buffer.alignment) != 0)
            return "buffer " + nameOf(program, b) + " is not aligned";
        if (buffer.kind != program::BufferKind::Constant && pool.properties.rights != mpool::Rights::ReadWrite)
            return "buffer " + nameOf(program, b) + " lies in read-only memory";
    }
    return {};
}

/// Invariant 1, pair by pair.
QString overlapping(const program::Program& program) {
    const auto range = [&](std::size_t b) {
        const std::uint64_t first = program.placements[b]->address.value;
        return std::pair(first, first + std::uint64_t(program.buffers[b].size.value));
    };
    for (std::size_t a = 0; a < program.buffers.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            if (!program.placements[a] || !program.placements[b])
                continue;
            const EpochRange &p = program.buffers[a].live, &q = program.buffers[b].live;
            const auto [firstA, endA] = range(a);
            const auto [firstB, endB] = range(b);
            const bool together = p.first <= q.last && q.first <= p.last;
            if (together && firstA < endB && firstB < endA && range(a) != range(b))
                return "buffers " + nameOf(program, a) + " and " + nameOf(program, b) + " share bytes";
        }
    return {};
}

/// Of all tensors of a graph, by index.
Result<std::vector<reference::Value>> allValues(const ir::Graph& graph, const std::vector<reference::Value>& inputs) {
    std::vector<reference::Value> values(graph.tensors.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (graph.tensors[i].isConstant())
            values[i] = reference::constantValue(graph.tensors[i]);
    const auto done = reference::run(
        graph, inputs, {}, [&](TensorId id, const reference::Value& value) { values[std::size_t(id.index)] = value; });
    if (!done)
        return fail(done.error());
    return values;
}

/// Invariant 3, every epoch on the interpreter's inputs: software agrees exactly, units within their own rounding.
class Agreements {
public:
    Agreements(const program::Program& program, const ir::Graph& graph, const std::vector<reference::Value>& inputs)
        : m_program(program)
        , m_graph(graph)
        , m_inputs(inputs) {}

    QString differing(const emulate::Comparison& comparison) {
        for (const emulate::Agreement& a : comparison.tensors) {
            const bool onUnits = isOnUnits(a);
            const int bound = onUnits ? boundOf(a) : 0;
            const bool holds = a.largest <= bound && double(a.withinOne) >= 0.9 * double(a.values);
            if (holds)
                continue;
            return QString("%1 of %2 epoch %3 (%9): %4 of %5 equal, %6 within one, largest difference %7, allowed %8")
                .arg(QString::fromStdString(a.tensor), onUnits ? "hardware" : "software")
                .arg(a.epoch)
                .arg(a.equal)
                .arg(a.values)
                .arg(a.withinOne)
                .arg(a.largest)
                .arg(bound)
                .arg(QString::fromStdString(m_program.epochs[std::size_t(std::max(a.epoch, 0))].name));
        }
        return {};
    }

private:
    bool isOnUnits(const emulate::Agreement& a) const {
        return a.epoch >= 0 && m_program.epochs[std::size_t(a.epoch)].kind == program::EpochKind::Hardware;
    }

    /// In steps. Most results are within one: only others need a closer look.
    int boundOf(const emulate::Agreement& a) {
        if (a.largest <= 1)
            return 1;
        if (m_values.empty())
            if (auto values = allValues(m_graph, m_inputs))
                m_values = std::move(*values);
        const auto bound = test::stepBound(m_graph, m_values, m_program.epochs[std::size_t(a.epoch)], a.tensor);
        if (!bound)
            qWarning("%s", qPrintable(test::describe(bound.error())));
        return bound.value_or(1);
    }

    const program::Program& m_program;
    const ir::Graph& m_graph;
    const std::vector<reference::Value>& m_inputs;
    std::vector<reference::Value> m_values; ///< made when they are asked for
};

} // namespace

/// Random models with random options on random pools: invariants 1 to 4 of the design (what must stay true).
/// By hand for longer: POOLWRIGHT_RANDOM_SECONDS, from seed POOLWRIGHT_RANDOM_SEED on; POOLWRIGHT_RANDOM_KEEP is a
/// folder for the models that show a fault.
class TstRandomGraphs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void invariantsHold();

private:
    QString faultOf(unsigned seed);
    void keepModel(unsigned seed) const;

    std::set<std::string> m_operators;
    emulate::Agreement m_sum; ///< of all tensors in memory
    QTemporaryDir m_scratch;
};

void TstRandomGraphs::initTestCase() {
    m_operators = test::readableOperators();
    QVERIFY(m_operators.contains("Conv"));
}

/// Empty, or which invariant does not hold.
QString TstRandomGraphs::faultOf(unsigned seed) {
    ModelMaker maker(seed, m_operators);
    const std::filesystem::path file = m_scratch.filePath("random.onnx").toStdString();
    std::ofstream(file, std::ios::binary) << maker.bytes();
    driver::Request request;
    request.model = file;
    request.options = test::randomOptions([&](unsigned low, unsigned high) { return maker.pick(low, high); });
    const auto poolFile = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "mpools" /
                          (test::poolFiles[maker.pick(0, unsigned(test::poolFiles.size()) - 1)] + ".mpool");
    const auto pools = mpool::readPools(test::readFile(poolFile), poolFile.filename().string());
    if (!pools)
        return test::describe(pools.error());
    request.pools = *pools;
    const auto outcome = driver::compile(request);
    if (!outcome)
        return "compile: " + test::describe(outcome.error()).trimmed();
    const program::Program& program = outcome->program;
    if (!program.unplaced.empty())
        return "placement: " + QString::fromStdString(program.unplaced.front().reason);
    if (const QString fault = misplaced(program) + overlapping(program); !fault.isEmpty())
        return fault;
    const auto again = driver::compile(request);
    if (!again || program::toJson(again->program) != program::toJson(program))
        return "a second compile gives another program";
    const ir::Graph& graph = outcome->prepared->graph;
    const std::vector<reference::Value> inputs = randomInputs(graph, maker);
    const auto comparison = emulate::compare(program, graph, inputs, emulate::Feeding::Isolated);
    if (!comparison)
        return "emulation: " + test::describe(comparison.error()).trimmed();
    const emulate::Agreement sum = emulate::sumOf(comparison->tensors);
    m_sum.values += sum.values;
    m_sum.equal += sum.equal;
    return Agreements(program, graph, inputs).differing(*comparison);
}

/// Into the folder POOLWRIGHT_RANDOM_KEEP, for a look at a fault.
void TstRandomGraphs::keepModel(unsigned seed) const {
    if (!qEnvironmentVariableIsSet("POOLWRIGHT_RANDOM_KEEP"))
        return;
    const QString file = QString("%1/seed%2.onnx").arg(qEnvironmentVariable("POOLWRIGHT_RANDOM_KEEP")).arg(seed);
    std::ofstream(file.toStdString(), std::ios::binary) << ModelMaker(seed, m_operators).bytes();
}

void TstRandomGraphs::invariantsHold() {
    const int seconds = qEnvironmentVariableIntValue("POOLWRIGHT_RANDOM_SECONDS");
    const auto first = unsigned(qEnvironmentVariableIntValue("POOLWRIGHT_RANDOM_SEED"));
    QElapsedTimer timer;
    timer.start();
    unsigned done = 0, faults = 0;
    const qint64 limit = 1000LL * (seconds > 0 ? seconds : secondsOfOneRun);
    for (; timer.elapsed() < limit && (seconds > 0 || done < graphsOfOneRun); ++done) {
        const QString fault = faultOf(first + done);
        if (fault.isEmpty())
            continue;
        ++faults;
        keepModel(first + done);
        qWarning("seed %u: %s", first + done, qPrintable(fault));
    }
    qInfo("%u graphs in %lld s; %lld of %lld values equal", done, static_cast<long long>(timer.elapsed() / 1000),
          static_cast<long long>(m_sum.equal), static_cast<long long>(m_sum.values));
    QCOMPARE(faults, 0U);
    QVERIFY(double(m_sum.equal) >= 0.99 * double(m_sum.values));
}

QTEST_APPLESS_MAIN(TstRandomGraphs)
#include "tst_random_graphs.moc"
