// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

/// Collects the units of one hardware epoch and gives them their numbers.
namespace poolwright::lower {

/// Code of the error when an epoch needs more units than the machine has: the node can still run in software.
inline constexpr const char* tooFewUnits = "PW3001";
/// Likewise when no stream engine can walk the layouts at hand.
inline constexpr const char* layoutTooComplex = "PW3002";

class EpochBuilder {
public:
    explicit EpochBuilder(const target::Machine& machine)
        : m_machine(machine) {}

    /// Each returns a ticket for link() and unit(); order of calls within a kind is the order of numbers.
    int addStream(program::StreamEngineConfig config, const std::string& node);
    int addConv(program::ConvConfig config, const std::string& node, const std::string& opKind = "Conv");
    int addArith(program::ArithConfig config, const std::string& node, const std::string& opKind);
    int addPool(program::PoolConfig config, const std::string& node, const std::string& opKind);
    int addActiv(program::ActivConfig config, const std::string& node, const std::string& opKind);

    void link(int from, int to, int port = 0, int dropFrames = 0, int passFrames = 0);
    /// The input engine `reader` starts a frame when `writer` has ended one.
    void synchronise(int reader, int writer) { m_syncs.push_back({reader, writer}); }

    program::Unit& unit(int ticket) { return m_units[std::size_t(ticket)]; }

    /// Units still free of a kind.
    int left(target::UnitKind kind) const;

    /// The finished work: input engines, computing units, output engines; engines of inputs on bus interface 0 as far
    /// as it reaches, outputs on 1. Fails, naming the kind, when the machine has too few units.
    Result<program::HardwareWork> finish();

private:
    int add(target::UnitKind kind, program::UnitConfig config, const std::string& node, const std::string& opKind);
    void numberStreams();

    const target::Machine& m_machine;
    std::vector<program::Unit> m_units;
    std::vector<program::Link> m_links;
    std::vector<std::pair<int, int>> m_syncs;
};

} // namespace poolwright::lower
