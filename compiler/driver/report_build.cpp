// SPDX-License-Identifier: Apache-2.0
#include "driver/report_build.h"

#include "report/findings.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace poolwright::driver {

namespace {

const char* levelName(mpool::Level level) {
    switch (level) {
    case mpool::Level::Low:
        return "LOW";
    case mpool::Level::Mid:
        return "MID";
    case mpool::Level::High:
        break;
    }
    return "HIGH";
}

const char* bufferKindName(program::BufferKind kind) {
    switch (kind) {
    case program::BufferKind::Constant:
        return "constant";
    case program::BufferKind::Activation:
        return "activation";
    case program::BufferKind::Scratch:
        return "scratch";
    case program::BufferKind::Input:
        return "input";
    case program::BufferKind::Output:
        break;
    }
    return "output";
}

const char* epochKindName(program::EpochKind kind) {
    switch (kind) {
    case program::EpochKind::None:
        return "none";
    case program::EpochKind::Hardware:
        return "HW";
    case program::EpochKind::Software:
        return "SW";
    case program::EpochKind::Hybrid:
        break;
    }
    return "hybrid";
}

/// Which dimension is innermost in memory, among those longer than 1.
std::string layoutName(const program::TensorView& view) {
    if (view.shape.size() != 4 || view.shape[1] == 1 || view.shape[2] * view.shape[3] == 1)
        return "any";
    if (view.strides[1] < std::max(view.strides[2], view.strides[3]))
        return "channel_last";
    return "channel_first";
}

report::Pool poolOf(const mpool::EffectivePool& pool) {
    report::Pool result;
    result.name = pool.name;
    result.fname = pool.fname;
    result.address = pool.range.start;
    result.size = pool.range.size;
    result.reservedTail = pool.reservedTail;
    result.isVirtual = pool.isVirtual();
    result.external = pool.external;
    result.readOnly = pool.properties.rights == mpool::Rights::ReadOnly;
    result.cacheable = pool.properties.cacheable;
    result.constantsPreferred = pool.properties.constantsPreferred;
    result.relative = pool.mode == mpool::UseMode::Relative;
    result.throughput = levelName(pool.properties.throughput);
    result.latency = levelName(pool.properties.latency);
    result.byteWidth = pool.properties.byteWidth;
    result.freqRatio = pool.properties.freqRatio;
    result.readPower = pool.properties.readPower;
    result.writePower = pool.properties.writePower;
    result.score = pool.score;
    return result;
}

class Builder {
public:
    Builder(const Outcome& outcome, const PlacementQuestion& question, const place::Solution& solution)
        : m_outcome(outcome), m_program(outcome.program), m_question(question), m_solution(solution) {}

    report::ReportPtr build() {
        addPools();
        addUserPools(m_program.inputs, "input");
        addUserPools(m_program.outputs, "output");
        addBuffers();
        addEpochs();
        addEdges();
        addUnplaced();
        addTotals();
        m_report.fits = m_report.unplaced.empty();
        m_report.diagnostics = m_outcome.prepared->diagnostics;
        m_report.diagnostics.insert(m_report.diagnostics.end(), m_outcome.pools.findings.begin(), m_outcome.pools.findings.end());
        for (report::Finding& finding : report::findings(m_report))
            m_report.diagnostics.push_back(std::move(finding.diagnostic));
        m_report.provenance = m_outcome.prepared->provenance;
        m_report.nominalMegahertz = m_program.machine.nominalMegahertz;
        return std::make_shared<const report::Report>(std::move(m_report));
    }

private:
    /// Concrete pools by address, disabled ones among them, then virtual ones.
    void addPools() {
        std::vector<std::pair<report::Pool, int>> concrete;
        for (std::size_t i = 0; i < m_program.pools.size(); ++i)
            if (!m_program.pools[i].isVirtual())
                concrete.emplace_back(poolOf(m_program.pools[i]), int(i));
        for (const mpool::Pool& pool : m_outcome.pools.pools)
            if (!pool.isEnabled())
                concrete.emplace_back(disabledPool(pool), -1);
        std::stable_sort(concrete.begin(), concrete.end(),
                         [](const auto& a, const auto& b) { return a.first.address < b.first.address; });
        m_poolIndex.assign(m_program.pools.size(), -1);
        for (auto& [pool, index] : concrete) {
            if (index >= 0)
                m_poolIndex[std::size_t(index)] = int(m_report.pools.size());
            m_report.pools.push_back(std::move(pool));
        }
        addVirtualPools();
    }

    report::Pool disabledPool(const mpool::Pool& pool) const {
        mpool::EffectivePool effective;
        effective.name = pool.name;
        effective.fname = pool.fname;
        effective.range = pool.range();
        effective.properties = pool.properties;
        effective.mode = pool.mode;
        return poolOf(effective);
    }

    void addVirtualPools() {
        for (std::size_t i = 0; i < m_program.pools.size(); ++i) {
            const mpool::EffectivePool& pool = m_program.pools[i];
            if (!pool.isVirtual())
                continue;
            report::Pool virtualPool = poolOf(pool);
            for (PoolId member : pool.members)
                virtualPool.members.push_back(reportIndexOfConcrete(member));
            m_poolIndex[i] = int(m_report.pools.size());
            m_report.pools.push_back(std::move(virtualPool));
        }
    }

    /// Memory of the application shows as pools behind all others, one a tensor, each filled by its buffer (facts/file-formats.md section 5).
    void addUserPools(const std::vector<program::TensorView>& views, const std::string& direction) {
        for (std::size_t i = 0; i < views.size(); ++i) {
            const program::Buffer& buffer = m_program[views[i].buffer];
            if (!buffer.userAllocated)
                continue;
            report::Pool pool;
            pool.name = "_user_io_" + direction + "_" + std::to_string(i);
            pool.size = buffer.size;
            pool.userAllocated = true;
            pool.throughput = pool.latency = levelName(mpool::Level::Low);
            pool.byteWidth = 2;
            pool.score = 74; // the vendor's c_info states these attributes for every such pool
            m_userPool[views[i].buffer] = int(m_report.pools.size());
            m_report.pools.push_back(std::move(pool));
        }
    }

    int reportIndexOfConcrete(PoolId member) const {
        for (std::size_t i = 0; i < m_program.pools.size(); ++i)
            if (!m_program.pools[i].isVirtual() && m_program.pools[i].members.front() == member)
                return m_poolIndex[i];
        return -1;
    }

    void addBuffers() {
        for (std::size_t i = 0; i < m_program.buffers.size(); ++i) {
            const program::Buffer& buffer = m_program.buffers[i];
            report::Buffer result;
            result.name = buffer.name;
            result.kind = bufferKindName(buffer.kind);
            result.size = buffer.size;
            result.live = buffer.live;
            if (const program::TensorView* view = mainTensor(BufferId(i)))
                describeTensor(result, *view);
            if (const auto& placement = m_program.placements[i]) {
                result.pool = m_poolIndex[std::size_t(placement->pool.index)];
                result.address = placement->address;
                result.offset = placement->address - m_report.pools[std::size_t(result.pool)].address;
            } else if (const auto user = m_userPool.find(BufferId(i)); user != m_userPool.end()) {
                result.pool = user->second;
            }
            m_report.buffers.push_back(std::move(result));
        }
    }

    /// What the application sees of an input or output; else the first tensor that lies there.
    const program::TensorView* mainTensor(BufferId id) const {
        for (const auto* views : {&m_program.outputs, &m_program.inputs})
            for (const program::TensorView& view : *views)
                if (view.buffer == id)
                    return &view;
        const std::vector<program::TensorView>& tensors = m_program[id].tensors;
        return tensors.empty() ? nullptr : &tensors.front();
    }

    static void describeTensor(report::Buffer& buffer, const program::TensorView& view) {
        buffer.shape = view.shape;
        buffer.format = ir::vendorTypeName(view.type);
        buffer.layout = layoutName(view);
        if (view.quantisation) {
            buffer.scales = view.quantisation->scales;
            buffer.zeroPoints.assign(view.quantisation->zeroPoints.begin(), view.quantisation->zeroPoints.end());
            buffer.axis = view.quantisation->axis;
        }
    }

    void addEpochs() {
        for (std::size_t i = 0; i < m_program.epochs.size(); ++i) {
            const program::Epoch& epoch = m_program.epochs[i];
            report::Epoch result;
            result.ordinal = int(i);
            result.name = epoch.name;
            result.kind = epochKindName(epoch.kind);
            result.reason = epoch.reason;
            for (const program::OperatorRef& op : epoch.operators)
                result.operators.push_back({op.name, op.kind, op.originalNames, op.macs});
            takeEstimate(result, m_outcome.estimate.epochs[i]);
            addUnits(result, epoch, m_outcome.estimate.epochs[i]);
            addTransfers(result, int(i));
            m_report.epochs.push_back(std::move(result));
        }
    }

    void takeEstimate(report::Epoch& epoch, const estimate::EpochEstimate& estimate) const {
        epoch.boundBy = estimate.boundBy;
        epoch.computeCycles = estimate.computeCycles;
        epoch.vendorCycles = estimate.vendorCycles;
        epoch.calibratedCycles = estimate.calibratedCycles;
        const double npuHertz = m_outcome.prepared->target.board(m_outcome.prepared->options.board).npuMegahertz * 1e6;
        epoch.calibratedMs = estimate.calibratedCycles / npuHertz * 1e3;
        epoch.operations = estimate.operations;
        for (const estimate::PoolTraffic& traffic : estimate.traffic)
            epoch.traffic.push_back({m_poolIndex[std::size_t(traffic.pool)], traffic.readBytes, traffic.writeBytes,
                                     traffic.readCycles, traffic.writeCycles});
        for (int port = 0; port < 2; ++port) {
            epoch.busRead[port] = estimate.busRead[port];
            epoch.busWrite[port] = estimate.busWrite[port];
        }
        epoch.atonPower = estimate.atonPowerMilliwatts;
        epoch.memoryPower = estimate.memoryPowerMilliwatts;
        epoch.atonEnergy = estimate.atonEnergy;
        epoch.memoryEnergy = estimate.memoryEnergy;
    }

    static void addUnits(report::Epoch& result, const program::Epoch& epoch, const estimate::EpochEstimate& estimate) {
        const program::HardwareWork* hardware = epoch.hardware();
        if (!hardware) {
            if (epoch.software())
                result.units.push_back({"PROCESSOR", epoch.name, "SW", estimate.computeCycles});
            return;
        }
        for (std::size_t i = 0; i < hardware->units.size(); ++i) {
            const program::Unit& unit = hardware->units[i];
            const std::string name = std::string(target::unitPrintName(unit.kind)) + " " + std::to_string(unit.index);
            result.units.push_back({name, unit.node, unit.opKind, unitCycles(estimate, int(i))});
        }
    }

    static std::int64_t unitCycles(const estimate::EpochEstimate& estimate, int unit) {
        for (const estimate::EpochEstimate::UnitLatency& latency : estimate.units)
            if (latency.unit == unit)
                return latency.cycles;
        return 0;
    }

    void addTransfers(report::Epoch& epoch, int ordinal) {
        std::set<int> reads, writes;
        for (const program::Transfer& transfer : program::transfersOf(m_program, EpochId(ordinal))) {
            report::Buffer& buffer = m_report.buffers[std::size_t(transfer.buffer.index)];
            (transfer.write ? buffer.writeBytes : buffer.readBytes) += transfer.bytes;
            (transfer.write ? writes : reads).insert(transfer.buffer.index);
        }
        epoch.reads.assign(reads.begin(), reads.end());
        epoch.writes.assign(writes.begin(), writes.end());
    }

    void addEdges() {
        std::vector<std::vector<int>> writers(m_report.buffers.size());
        for (const report::Epoch& epoch : m_report.epochs) {
            for (int buffer : epoch.reads)
                for (int writer : writers[std::size_t(buffer)])
                    if (writer != epoch.ordinal)
                        m_report.edges.push_back({writer, epoch.ordinal, buffer});
            for (int buffer : epoch.writes)
                writers[std::size_t(buffer)].push_back(epoch.ordinal);
        }
    }

    void addUnplaced() {
        for (const place::Unplaced& unplaced : m_solution.unplaced) {
            const int index = m_question.bufferOfSpec[std::size_t(unplaced.buffer)];
            const report::Buffer& buffer = m_report.buffers[std::size_t(index)];
            m_report.unplaced.push_back(
                {index, buffer.name, unplaced.sentence, buffer.kind, buffer.size, unplaced.missing, unplaced.epoch});
        }
    }

    void addTotals() {
        report::deriveTotals(m_report);
        report::Totals& totals = m_report.totals;
        totals.computeCycles = m_outcome.estimate.computeCycles;
        totals.vendorCycles = m_outcome.estimate.vendorCycles;
        totals.calibratedCycles = m_outcome.estimate.calibratedCycles;
        totals.vendorMs = m_outcome.estimate.vendorMilliseconds;
        totals.calibratedMs = m_outcome.estimate.calibratedMilliseconds;
        totals.operations = m_outcome.estimate.operations;
        m_report.shortfall = activationShortfall();
    }

    /// What the activations lack: peak over capacity when that is the reason, else the largest gap that one of them met.
    ByteCount activationShortfall() const {
        ByteCount missing;
        bool activationUnplaced = false;
        for (const report::Unplaced& unplaced : m_report.unplaced)
            if (unplaced.kind != "constant") {
                activationUnplaced = true;
                missing = std::max(missing, unplaced.missing);
            }
        if (!activationUnplaced)
            return {};
        ByteCount capacity;
        for (const report::Pool& pool : m_report.pools)
            if (!pool.isVirtual && !pool.readOnly)
                capacity += pool.size - pool.reservedTail;
        return std::max(missing, m_report.totals.peakLive - capacity);
    }

    const Outcome& m_outcome;
    const program::Program& m_program;
    const PlacementQuestion& m_question;
    const place::Solution& m_solution;
    std::vector<int> m_poolIndex;
    std::map<BufferId, int> m_userPool;
    report::Report m_report;
};

} // namespace

report::ReportPtr buildReport(const Outcome& outcome, const PlacementQuestion& question, const place::Solution& solution) {
    return Builder(outcome, question, solution).build();
}

} // namespace poolwright::driver
