// SPDX-License-Identifier: Apache-2.0
#include "estimate/estimate.h"

#include "estimate/calibrated.h"
#include "estimate/latency.h"
#include "estimate/traffic.h"

#include <algorithm>
#include <cmath>

namespace poolwright::estimate {

namespace {

using namespace program;

Cycles longestLatency(const std::vector<UnitWork>& units) {
    Cycles cycles = 0;
    for (const UnitWork& unit : units)
        cycles = std::max(cycles, unit.latency);
    return cycles;
}

/// Share of its power that a unit uses while it runs (facts/cost-model.md section 1.4).
double activity(const Unit& unit, const UnitWork& work) {
    if (const auto* conv = std::get_if<ConvConfig>(&unit.config))
        return convActivity(double(work.macs) / double(std::max<Cycles>(work.latency, 1)),
                            conv->kernelHeight * conv->kernelWidth == 1, conv->deepmode, conv->simd != 1);
    if (const auto* arith = std::get_if<ArithConfig>(&unit.config))
        return arith->scalar ? 0.35 : 1;
    return unit.kind == target::UnitKind::Activ ? 0.366 : 1;
}

double unitEnergy(const Program& program, const HardwareWork& work, const std::vector<UnitWork>& units) {
    double energy = 0;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i].latency > 0)
            energy += program.machine.power(work.units[i].kind) * activity(work.units[i], units[i]) *
                      double(units[i].latency);
    return energy;
}

void bookPorts(EpochEstimate& estimate, const Program& program, const std::vector<TransferPart>& parts) {
    for (const TransferPart& part : parts) {
        const int port = part.transfer.streamEngine < 0 ? -1 : program.machine.memoryPort(part.transfer.streamEngine);
        if (port == 0 || port == 1)
            (part.transfer.write ? estimate.busWrite : estimate.busRead)[port] += part.transfer.bytes;
    }
}

class Estimator {
public:
    Estimator(const Program& program, const target::Board& board)
        : m_program(program)
        , m_board(board)
        , m_pools(program) {}

    EpochEstimate epoch(EpochId id) const {
        const Epoch& what = m_program[id];
        EpochEstimate estimate;
        if (!what.hardware() && !what.software())
            return estimate;
        const std::vector<TransferPart> parts = splitTransfers(m_program, m_pools, id);
        estimate.traffic = trafficOf(m_program, parts);
        bookPorts(estimate, m_program, parts);
        double computing = 0;
        if (const HardwareWork* work = what.hardware())
            computing = hardware(estimate, *work, parts);
        else {
            estimate.computeCycles = softwareCycles(*what.software());
            calibrateSoftware(estimate, what, m_board);
        }
        vendorFigures(estimate, computing);
        return estimate;
    }

private:
    /// Answers the energy of the computing units.
    double hardware(EpochEstimate& estimate, const HardwareWork& work, const std::vector<TransferPart>& parts) const {
        const std::vector<UnitWork> units = unitWork(work);
        estimate.computeCycles = longestLatency(units);
        estimate.operations = operations(work, units);
        for (std::size_t i = 0; i < units.size(); ++i)
            if (units[i].latency > 0)
                estimate.units.push_back({int(i), units[i].latency});
        calibrateHardware(estimate, m_program, work, units, parts, m_board);
        return unitEnergy(m_program, work, units);
    }

    void vendorFigures(EpochEstimate& estimate, double computingEnergy) const {
        const std::vector<PoolColumns> columns = columnsOf(m_program, estimate.traffic);
        estimate.vendorCycles = Cycles(std::llround(maxCycles(double(estimate.computeCycles), columns)));
        estimate.memoryEnergy = memoryEnergy(columns);
        estimate.atonEnergy =
            computingEnergy + streamEnergy(m_program.machine.power(target::UnitKind::StreamEngine), columns);
        estimate.memoryPowerMilliwatts = averagePower(estimate.memoryEnergy, double(estimate.computeCycles));
        estimate.atonPowerMilliwatts = averagePower(estimate.atonEnergy, double(estimate.computeCycles));
    }

    const Program& m_program;
    const target::Board& m_board;
    PoolMap m_pools;
};

} // namespace

Cycles computeCycles(const Program& program, EpochId epoch) {
    const Epoch& what = program[epoch];
    if (const HardwareWork* work = what.hardware())
        return longestLatency(unitWork(*work));
    return what.software() ? softwareCycles(*what.software()) : 0;
}

NetworkEstimate estimate(const Program& program, const target::Board& board) {
    const Estimator estimator(program, board);
    NetworkEstimate network;
    for (int i = 0; i < int(program.epochs.size()); ++i) {
        const EpochEstimate& epoch = network.epochs.emplace_back(estimator.epoch(EpochId(i)));
        network.computeCycles += epoch.computeCycles;
        network.vendorCycles += epoch.vendorCycles;
        network.calibratedCycles += epoch.calibratedCycles;
        network.operations += epoch.operations;
    }
    network.vendorMilliseconds = double(network.vendorCycles) / (program.machine.nominalMegahertz * 1e3);
    network.calibratedMilliseconds = network.calibratedCycles / (board.npuMegahertz * 1e3);
    return network;
}

} // namespace poolwright::estimate
