// SPDX-License-Identifier: Apache-2.0
#include "lower/epoch_builder.h"

#include <algorithm>
#include <numeric>

namespace poolwright::lower {

namespace {

bool isOutput(const program::Unit& unit) {
    const auto* stream = std::get_if<program::StreamEngineConfig>(&unit.config);
    return stream && stream->direction == program::Direction::ToMemory;
}

bool isInput(const program::Unit& unit) {
    const auto* stream = std::get_if<program::StreamEngineConfig>(&unit.config);
    return stream && stream->direction == program::Direction::FromMemory;
}

int rank(const program::Unit& unit) {
    return isInput(unit) ? 0 : isOutput(unit) ? 2 : 1;
}

} // namespace

int EpochBuilder::add(target::UnitKind kind, program::UnitConfig config, const std::string& node,
                      const std::string& opKind) {
    program::Unit unit;
    unit.kind = kind;
    unit.index = int(std::count_if(m_units.begin(), m_units.end(), [&](const auto& u) { return u.kind == kind; }));
    unit.config = std::move(config);
    unit.node = node;
    unit.opKind = opKind;
    m_units.push_back(std::move(unit));
    return int(m_units.size()) - 1;
}

int EpochBuilder::addStream(program::StreamEngineConfig config, const std::string& node) {
    return add(target::UnitKind::StreamEngine, std::move(config), node, "Stream");
}

int EpochBuilder::addConv(program::ConvConfig config, const std::string& node, const std::string& opKind) {
    return add(target::UnitKind::ConvAcc, std::move(config), node, opKind);
}

int EpochBuilder::addArith(program::ArithConfig config, const std::string& node, const std::string& opKind) {
    return add(target::UnitKind::Arith, std::move(config), node, opKind);
}

int EpochBuilder::addPool(program::PoolConfig config, const std::string& node, const std::string& opKind) {
    return add(target::UnitKind::Pool, std::move(config), node, opKind);
}

int EpochBuilder::addActiv(program::ActivConfig config, const std::string& node, const std::string& opKind) {
    return add(target::UnitKind::Activ, std::move(config), node, opKind);
}

void EpochBuilder::link(int from, int to, int port, int dropFrames, int passFrames) {
    m_links.push_back({from, to, port, dropFrames, passFrames});
}

int EpochBuilder::left(target::UnitKind kind) const {
    return m_machine.count(kind) -
           int(std::count_if(m_units.begin(), m_units.end(), [&](const auto& u) { return u.kind == kind; }));
}

void EpochBuilder::numberStreams() {
    const int count = m_machine.count(target::UnitKind::StreamEngine);
    std::vector<int> byPort(std::size_t(std::max(count, 0)));
    std::iota(byPort.begin(), byPort.end(), 0);
    std::stable_sort(byPort.begin(), byPort.end(),
                     [&](int a, int b) { return m_machine.memoryPort(a) < m_machine.memoryPort(b); });
    // Outputs take the second interface from its first engine on, inputs the first one; who finds his own full takes
    // what is left.
    const auto second = std::find_if(byPort.begin(), byPort.end(), [&](int i) { return m_machine.memoryPort(i) > 0; });
    std::vector<int> forInputs = byPort, forOutputs(second, byPort.end());
    forOutputs.insert(forOutputs.end(), std::make_reverse_iterator(second), byPort.rend());
    std::vector<bool> taken(byPort.size(), false);
    const auto take = [&](const std::vector<int>& from) {
        for (int engine : from)
            if (!taken[std::size_t(engine)]) {
                taken[std::size_t(engine)] = true;
                return engine;
            }
        return -1;
    };
    for (program::Unit& unit : m_units)
        if (isOutput(unit))
            unit.index = take(forOutputs);
    for (program::Unit& unit : m_units)
        if (isInput(unit))
            unit.index = take(forInputs);
}

Result<program::HardwareWork> EpochBuilder::finish() {
    for (int kind = 0; kind < target::unitKindCount; ++kind)
        if (left(target::UnitKind(kind)) < 0)
            return fail(makeError(tooFewUnits, std::string("needs more ") +
                                                   target::unitPrintName(target::UnitKind(kind)) +
                                                   " units than the machine has; compile for a larger one"));
    numberStreams();
    for (const auto& [reader, writer] : m_syncs)
        std::get<program::StreamEngineConfig>(unit(reader).config).syncEngine = unit(writer).index;
    std::vector<int> order(m_units.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(unit(a)) < rank(unit(b)); });
    std::vector<int> position(m_units.size());
    program::HardwareWork work;
    for (int ticket : order) {
        position[std::size_t(ticket)] = int(work.units.size());
        work.units.push_back(m_units[std::size_t(ticket)]);
    }
    for (program::Link link : m_links) {
        link.from = position[std::size_t(link.from)];
        link.to = position[std::size_t(link.to)];
        work.links.push_back(link);
    }
    return work;
}

} // namespace poolwright::lower
