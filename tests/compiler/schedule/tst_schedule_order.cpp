// SPDX-License-Identifier: Apache-2.0
#include "graphs.h"
#include "pipeline.h"
#include "schedule/order.h"

#include <QObject>

#include <functional>
#include <numeric>

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

namespace {

const std::vector<schedule::Rules> allRules = {{0, false, false, false}, {1, false, false, false},
                                               {2, false, false, false}, {2, true, false, false},
                                               {2, false, true, false},  {2, true, true, true}};

/// Steps of software epochs on random buffers: one to three epochs each, with scratch, shared concatenation buffers and
/// several readers.
class StepMaker {
public:
    explicit StepMaker(unsigned seed)
        : m_random(seed) {}

    lower::Lowered make(int steps) {
        const BufferId input = buffer(program::BufferKind::Input);
        m_lowered.inputs.push_back(view(input));
        std::vector<BufferId> made{input};
        for (int i = 0; i < steps; ++i) {
            lower::Step step;
            const BufferId joint =
                pick(0, 4) == 0 && m_joint.isValid() ? m_joint : buffer(program::BufferKind::Activation);
            const int epochs = pick(1, 3);
            BufferId before = made[std::size_t(pick(0, int(made.size()) - 1))];
            for (int e = 0; e < epochs; ++e) {
                const BufferId to = e + 1 == epochs ? joint : buffer(program::BufferKind::Scratch);
                std::vector<BufferId> from{before};
                if (pick(0, 1))
                    from.push_back(made[std::size_t(pick(0, int(made.size()) - 1))]);
                step.epochs.push_back(epoch(from, to));
                before = to;
            }
            if (std::ranges::find(made, joint) == made.end())
                made.push_back(joint);
            if (pick(0, 2) == 0)
                m_joint = joint;
            m_lowered.steps.push_back(std::move(step));
        }
        m_lowered.buffers[std::size_t(made.back().index)].kind = program::BufferKind::Output;
        m_lowered.outputs.push_back(view(made.back()));
        return std::move(m_lowered);
    }

private:
    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
    BufferId buffer(program::BufferKind kind) {
        program::Buffer b;
        b.name = "b" + std::to_string(m_lowered.buffers.size());
        b.size = ByteCount(pick(1, 100));
        b.kind = kind;
        m_lowered.buffers.push_back(b);
        return BufferId(m_lowered.buffers.size() - 1);
    }
    static program::TensorView view(BufferId id) {
        program::TensorView v;
        v.buffer = id;
        v.shape = {1};
        v.strides = {1};
        return v;
    }
    static program::Epoch epoch(const std::vector<BufferId>& from, BufferId to) {
        program::SoftwareWork work;
        for (BufferId id : from)
            if (id != to)
                work.inputs.push_back(view(id));
        work.outputs.push_back(view(to));
        program::Epoch e;
        e.kind = program::EpochKind::Software;
        e.work = std::move(work);
        return e;
    }

    std::mt19937 m_random;
    lower::Lowered m_lowered;
    BufferId m_joint;
};

/// Who reads a buffer comes after every step that wrote it before in the list.
std::vector<std::vector<bool>> mustPrecede(const lower::Lowered& lowered) {
    const std::size_t n = lowered.steps.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    const auto touches = [&](std::size_t step, int buffer, bool write) {
        for (const program::Epoch& e : lowered.steps[step].epochs)
            for (const program::TensorView& v : write ? e.software()->outputs : e.software()->inputs)
                if (v.buffer.index == buffer)
                    return true;
        return false;
    };
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            for (int buffer = 0; buffer < int(lowered.buffers.size()); ++buffer)
                if (touches(a, buffer, true) && touches(b, buffer, false))
                    before[a][b] = true;
    return before;
}

bool isTopological(const std::vector<std::vector<bool>>& before, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (sorted[i] != i)
            return false;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j)
            if (before[order[j]][order[i]])
                return false;
    return sorted.size() == before.size();
}

/// From the live ranges of the assembled program: an independent count of the bytes alive in each epoch.
schedule::Figures countedFigures(const lower::Lowered& lowered, const std::vector<std::size_t>& order) {
    const program::Program program = schedule::assemble(lowered, order, target::builtinTarget().machine, {});
    schedule::Figures figures;
    for (int e = 1; e < program.lastEpoch(); ++e) {
        std::int64_t live = 0;
        for (const program::Buffer& buffer : program.buffers)
            live += buffer.live.first <= e && e <= buffer.live.last ? buffer.size.value : 0;
        figures.peakBytes = std::max(figures.peakBytes, live);
        figures.byteEpochs += live;
    }
    return figures;
}

std::int64_t smallestPeakOfAll(const lower::Lowered& lowered, const std::vector<std::vector<bool>>& before) {
    std::vector<std::size_t> order(before.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::int64_t smallest = countedFigures(lowered, order).peakBytes;
    while (std::next_permutation(order.begin(), order.end()))
        if (isTopological(before, order))
            smallest = std::min(smallest, countedFigures(lowered, order).peakBytes);
    return smallest;
}

} // namespace

class TestScheduleOrder : public QObject {
    Q_OBJECT

private slots:
    void ordersAreTopological();
    void figuresMatchTheProgram();
    void smallestPeakIsSmallest();
    void alternateDiffers();
    void levelsAreNotWorse();
    void preservedInputsLiveToTheEnd();
    void sameBytesInEveryOrder();
};

void TestScheduleOrder::ordersAreTopological() {
    for (unsigned seed = 0; seed < 100; ++seed) {
        const lower::Lowered lowered = StepMaker(seed).make(2 + int(seed % 40));
        const auto before = mustPrecede(lowered);
        for (const schedule::Rules& rules : allRules)
            QVERIFY2(isTopological(before, schedule::orderOf(lowered, rules)), qPrintable(QString::number(seed)));
    }
}

void TestScheduleOrder::figuresMatchTheProgram() {
    for (unsigned seed = 0; seed < 100; ++seed) {
        const lower::Lowered lowered = StepMaker(seed).make(2 + int(seed % 30));
        for (const schedule::Rules& rules : allRules) {
            const auto order = schedule::orderOf(lowered, rules);
            const schedule::Figures ours = schedule::figuresOf(lowered, order),
                                    counted = countedFigures(lowered, order);
            QVERIFY2(ours == counted, qPrintable(QString("seed %1: %2 %3, counted %4 %5")
                                                     .arg(seed)
                                                     .arg(ours.peakBytes)
                                                     .arg(ours.byteEpochs)
                                                     .arg(counted.peakBytes)
                                                     .arg(counted.byteEpochs)));
        }
    }
}

void TestScheduleOrder::smallestPeakIsSmallest() {
    int better = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        const lower::Lowered lowered = StepMaker(seed).make(4 + int(seed % 4));
        const std::int64_t smallest = smallestPeakOfAll(lowered, mustPrecede(lowered));
        const auto order = schedule::orderOf(lowered, {.smallestPeak = true});
        QCOMPARE(countedFigures(lowered, order).peakBytes, smallest);
        better += countedFigures(lowered, schedule::orderOf(lowered, {.level = 1})).peakBytes > smallest;
    }
    QVERIFY2(better > 0, "no instance on which greedy is not the best: the test shows nothing");
}

void TestScheduleOrder::alternateDiffers() {
    int different = 0;
    for (unsigned seed = 0; seed < 50; ++seed) {
        const lower::Lowered lowered = StepMaker(seed).make(12);
        different += schedule::orderOf(lowered, {.alternate = true}) != schedule::orderOf(lowered, {.level = 1});
    }
    QVERIFY2(different > 25, qPrintable(QString::number(different)));
}

void TestScheduleOrder::levelsAreNotWorse() {
    int better = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        const lower::Lowered lowered = StepMaker(seed).make(25);
        const auto peak = [&](const schedule::Rules& rules) {
            return countedFigures(lowered, schedule::orderOf(lowered, rules)).peakBytes;
        };
        const std::int64_t two = peak({.level = 2}), smallest = peak({.smallestPeak = true});
        QVERIFY(two <= peak({.level = 0}) && two <= peak({.level = 1}) && two <= peak({.alternate = true}));
        QVERIFY(smallest <= two);
        better += smallest < two;
    }
    QVERIFY(better > 0);
}

void TestScheduleOrder::preservedInputsLiveToTheEnd() {
    GraphMaker g(1);
    TensorId x = g.image(1, 8, 6, 6);
    for (int i = 0; i < 3; ++i)
        x = g.conv(x, 8, 3, 3, 1, 1, {1, 1, 1, 1});
    g.output(x);
    options::CompilerOptions options;
    const auto without = test::compileGraph(g.graph, options);
    options.preserveInputs = true;
    const auto with = test::compileGraph(g.graph, options);
    QVERIFY(without && with);
    const auto lastOfInput = [](const program::Program& p) { return p[p.inputs[0].buffer].live.last; };
    QVERIFY(lastOfInput(without->program) < without->program.lastEpoch());
    QCOMPARE(lastOfInput(with->program), with->program.lastEpoch());
}

/// A network with branches, by every rule: other orders, other conv splits, the same output bytes as long as the units
/// do the same.
void TestScheduleOrder::sameBytesInEveryOrder() {
    int orders = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        GraphMaker g(seed);
        std::vector<TensorId> ends{g.image(1, 8, 7, 6)};
        for (int i = 0; i < 6; ++i) {
            const TensorId from = ends[std::size_t(g.pick(0, int(ends.size()) - 1))];
            ends.push_back(g.conv(from, g.oneOf({8, 16, 24}), 3, 3, 1, 1, {1, 1, 1, 1}));
        }
        for (std::size_t i = 1; i < ends.size(); ++i)
            g.output(ends[i]);
        std::vector<std::vector<std::uint8_t>> first;
        std::vector<std::string> firstNames;
        for (const schedule::Rules& rules : allRules) {
            options::CompilerOptions options;
            options.optimization = rules.level;
            options.altSched = rules.alternate;
            options.optimizeSize = rules.smallestPeak;
            const auto compiled = test::compileGraph(g.graph, options);
            QVERIFY(compiled);
            const auto outputs = emulate::run(compiled->program, test::randomInputs(compiled->graph, seed));
            QVERIFY2(outputs, qPrintable(outputs ? QString() : test::describe(outputs.error())));
            std::vector<std::vector<std::uint8_t>> bytes;
            for (const reference::Value& value : *outputs)
                bytes.emplace_back(value.bytes.begin(), value.bytes.end());
            std::vector<std::string> names;
            for (const program::Epoch& epoch : compiled->program.epochs)
                names.push_back(epoch.name);
            if (first.empty()) {
                first = bytes;
                firstNames = names;
            }
            QVERIFY2(bytes == first, qPrintable(QString::number(seed)));
            orders += names != firstNames;
        }
    }
    QVERIFY2(orders > 5, "every rule gave the same order: the test shows nothing");
}

QTEST_APPLESS_MAIN(TestScheduleOrder)
#include "tst_schedule_order.moc"
