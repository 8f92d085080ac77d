// SPDX-License-Identifier: Apache-2.0
#include "driver/fit.h"

#include "driver/demand.h"
#include "driver/plan.h"
#include "place/fit.h"

#include <algorithm>

namespace poolwright::driver {

namespace {

/// A demand with the buffers it was counted from.
struct Measured {
    report::Demand figures;
    std::vector<place::BufferSpec> buffers;
    const char* stepWord = "step";
};

Measured measuredGraph(const ir::Graph& graph, Width width) {
    std::vector<place::BufferSpec> buffers = demandOf(graph, width, Concats::Built);
    report::Demand figures = demandFigures(graph, width, buffers);
    return {std::move(figures), std::move(buffers), "step"};
}

Measured measuredProgram(const Prepared& prepared) {
    Measured measured{demandFigures(prepared.question.problem.buffers), prepared.question.problem.buffers, "epoch"};
    measured.figures.width = "compiled";
    for (const program::Epoch& epoch : prepared.program.epochs)
        measured.figures.steps.push_back(epoch.name);
    if (const int peak = measured.figures.peakStep; peak >= 0 && peak < int(prepared.program.epochs.size())) {
        const program::Epoch& epoch = prepared.program.epochs[std::size_t(peak)];
        measured.figures.peakName = epoch.name;
        measured.figures.peakKind = epoch.operators.empty() ? "" : epoch.operators.front().kind;
    }
    return measured;
}

bool differ(const report::Demand& a, const report::Demand& b) {
    return a.peak != b.peak || a.constants != b.constants;
}

std::vector<Measured> measure(const Prepared& prepared) {
    std::vector<Measured> all{measuredGraph(prepared.graph, Width::Int8)};
    Measured own = measuredGraph(prepared.graph, Width::Own);
    if (differ(own.figures, all.front().figures))
        all.push_back(std::move(own));
    all.push_back(measuredProgram(prepared));
    return all;
}

report::WidthVerdict widthVerdict(const std::string& width, const place::FitVerdict& fit) {
    report::WidthVerdict verdict;
    verdict.width = width;
    verdict.fits = fit.fits;
    verdict.missing = ByteCount(fit.missing > 0 ? fit.missing : fit.missingForLarge);
    verdict.onChipMissing = ByteCount(fit.missingOnChip);
    verdict.constantsMissing = ByteCount(fit.missingConstants);
    verdict.sentence = fit.sentence;
    return verdict;
}

std::vector<report::PoolRoom> roomsOf(const place::FitVerdict& fit, const std::vector<place::PoolSpec>& pools) {
    std::vector<report::PoolRoom> rooms;
    for (const place::PoolFit& room : fit.pools) {
        const place::PoolSpec& pool = pools[std::size_t(room.pool)];
        rooms.push_back({pool.name, ByteCount(room.capacity), pool.writable, pool.external, ByteCount(room.missing)});
    }
    return rooms;
}

/// A quick plan first; only when it leaves something over, one with improvement.
Result<Outcome> anyPlan(const PreparedPtr& prepared, const mpool::PoolFile& file) {
    place::Options quick;
    quick.improvementSteps = 0;
    Result<Outcome> outcome = plan(prepared, file, quick);
    return outcome && outcome->report->fits ? std::move(outcome) : plan(prepared, file);
}

void addPlan(const PreparedPtr& prepared, const mpool::PoolFile& file, report::FitVerdict& verdict) {
    const Result<Outcome> outcome = anyPlan(prepared, file);
    if (!outcome)
        return;
    verdict.planned = outcome->report->fits;
    for (const report::Unplaced& unplaced : outcome->report->unplaced)
        verdict.unplaced.push_back(unplaced.name + ": " + unplaced.reason);
    verdict.externalActivations = outcome->report->totals.externalActivations;
    verdict.estimatedMs = outcome->report->totals.calibratedMs;
}

void countTensors(const ir::Graph& graph, report::FitReport& report) {
    for (const ir::Tensor& tensor : graph.tensors) {
        report.tensors += !tensor.isConstant();
        report.quantisedTensors += !tensor.isConstant() && tensor.isQuantised();
    }
    for (TensorId input : graph.inputs)
        report.inputShapes.push_back(graph[input].shape);
    for (TensorId output : graph.outputs)
        report.outputShapes.push_back(graph[output].shape);
}

} // namespace

report::FitReport fitReport(const PreparedPtr& prepared, const std::vector<mpool::PoolFile>& files) {
    report::FitReport report;
    report.model = prepared->graph.name;
    countTensors(prepared->graph, report);
    report.macs = macsOf(prepared->graph);
    report.weightElements = weightElementsOf(prepared->graph);
    const std::vector<Measured> measured = measure(*prepared);
    for (const Measured& one : measured)
        report.demands.push_back(one.figures);
    for (const mpool::PoolFile& file : files) {
        const std::vector<place::PoolSpec> pools = poolsFor(*prepared, file);
        report::FitVerdict verdict;
        verdict.path = file.path;
        for (const Measured& one : measured) {
            const place::FitVerdict fit = place::fit({pools, one.buffers, {}}, one.stepWord);
            verdict.widths.push_back(widthVerdict(one.figures.width, fit));
            verdict.pools = roomsOf(fit, pools); // of the last: what is compiled
        }
        if (!verdict.certainlyNot())
            addPlan(prepared, file, verdict);
        report.verdicts.push_back(std::move(verdict));
    }
    return report;
}

} // namespace poolwright::driver
