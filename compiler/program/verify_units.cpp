// SPDX-License-Identifier: Apache-2.0
#include "program/findings.h"
#include "program/unfit.h"

#include <map>
#include <set>
#include <utility>

namespace poolwright::program {

using target::UnitKind;

static bool configFitsKind(const Unit& unit) {
    switch (unit.kind) {
    case UnitKind::StreamEngine:
        return std::holds_alternative<StreamEngineConfig>(unit.config);
    case UnitKind::ConvAcc:
        return std::holds_alternative<ConvConfig>(unit.config);
    case UnitKind::Arith:
        return std::holds_alternative<ArithConfig>(unit.config);
    case UnitKind::Pool:
        return std::holds_alternative<PoolConfig>(unit.config);
    case UnitKind::Activ:
        return std::holds_alternative<ActivConfig>(unit.config);
    default:
        return false;
    }
}

static const StreamEngineConfig* engineOf(const Unit& unit) {
    return std::get_if<StreamEngineConfig>(&unit.config);
}

static bool isOutputEngine(const Unit& unit) {
    const StreamEngineConfig* engine = engineOf(unit);
    return engine && engine->direction == Direction::ToMemory;
}

static bool isInputEngine(const Unit& unit) {
    const StreamEngineConfig* engine = engineOf(unit);
    return engine && engine->direction == Direction::FromMemory;
}

/// Input ports that must be fed, as a bit mask, and all ports that exist.
static int neededPorts(const Unit& unit) {
    if (const auto* conv = std::get_if<ConvConfig>(&unit.config))
        return conv->accumulate ? 7 : 3;
    if (const auto* arith = std::get_if<ArithConfig>(&unit.config))
        return arith->dualinput ? 3 : 1;
    return isInputEngine(unit) ? 0 : 1;
}

static void verifyIdentity(const Program& program, const HardwareWork& work, const std::string& place,
                           Findings& findings) {
    std::set<std::pair<UnitKind, int>> taken;
    std::set<std::string> names;
    for (const Unit& unit : work.units) {
        findings.enter(place + ", unit " + unit.node);
        findings.require(configFitsKind(unit), "PW3550", "the configuration is that of another kind of unit");
        findings.require(taken.emplace(unit.kind, unit.index).second, "PW3551",
                         std::string(target::unitEnumName(unit.kind)) + " " + std::to_string(unit.index) +
                             " is used twice");
        findings.require(names.insert(unit.node).second, "PW3552", "the node name is used twice");
        const int count = program.machine.count(unit.kind);
        findings.require(unit.index >= 0 && unit.index < count, "PW3553",
                         "the machine has " + std::to_string(count) + " units " + target::unitEnumName(unit.kind));
    }
}

static void verifyLinks(const HardwareWork& work, const std::string& place, Findings& findings) {
    std::vector<int> fed(work.units.size(), 0);
    std::vector<bool> used(work.units.size(), false);
    findings.enter(place);
    for (const Link& link : work.links) {
        const bool ends = link.from >= 0 && std::size_t(link.from) < work.units.size() && link.to >= 0 &&
                          std::size_t(link.to) < work.units.size();
        if (!findings.require(ends, "PW3555", "a link to a unit that does not exist"))
            continue;
        const Unit& from = work.units[std::size_t(link.from)];
        const Unit& to = work.units[std::size_t(link.to)];
        const std::string name = "the link from " + from.node + " to " + to.node;
        findings.require(!isOutputEngine(from) && !isInputEngine(to), "PW3556", name + " goes the wrong way");
        findings.require(link.port >= 0 && link.port < 3 && (neededPorts(to) >> link.port & 1), "PW3557",
                         name + " ends in port " + std::to_string(link.port) + ", which is not in use there");
        findings.require(link.dropFrames >= 0 && link.dropFrames <= 255 && link.passFrames >= 0 &&
                             link.passFrames <= 255,
                         "PW3558", name + " counts more frames than the switch can");
        int& ports = fed[std::size_t(link.to)];
        findings.require(link.port < 0 || link.port > 2 || !(ports >> link.port & 1), "PW3559",
                         name + " feeds a port that already has a source");
        ports |= link.port >= 0 && link.port < 3 ? 1 << link.port : 0;
        used[std::size_t(link.from)] = true;
    }
    for (std::size_t i = 0; i < work.units.size(); ++i) {
        findings.enter(place + ", unit " + work.units[i].node);
        const int missing = neededPorts(work.units[i]) & ~fed[i];
        findings.require(missing == 0, "PW3560", "an input port that it needs is not connected");
        findings.require(used[i] || isOutputEngine(work.units[i]), "PW3561", "nothing takes what it delivers");
    }
}

static void verifySync(const HardwareWork& work, const std::string& place, Findings& findings) {
    std::set<int> outputs;
    for (const Unit& unit : work.units)
        if (isOutputEngine(unit))
            outputs.insert(unit.index);
    findings.enter(place);
    findings.require(!outputs.empty(), "PW3562", "no engine writes anything");
    for (const Unit& unit : work.units) {
        findings.enter(place + ", unit " + unit.node);
        if (const StreamEngineConfig* engine = engineOf(unit))
            findings.require(engine->syncEngine < 0 || (isInputEngine(unit) && outputs.contains(engine->syncEngine)),
                             "PW3563", "waits for an engine that writes nothing in this epoch");
    }
}

void verifyHardware(const Program& program, int ordinal, const HardwareWork& work, Findings& findings) {
    const std::string place = "epoch " + std::to_string(ordinal);
    verifyIdentity(program, work, place, findings);
    verifyLinks(work, place, findings);
    verifySync(work, place, findings);
    for (const Unit& unit : work.units) {
        findings.enter(place + ", unit " + unit.node);
        if (configFitsKind(unit))
            verifyUnit(program, unit, findings);
    }
}

Diagnostics unfitUnits(const Program& program, const HardwareWork& work) {
    Findings findings;
    verifyIdentity(program, work, {}, findings);
    for (const Unit& unit : work.units)
        if (configFitsKind(unit) && !engineOf(unit))
            verifyUnit(program, unit, findings);
    static const std::set<std::string> registers{"PW3553", "PW3570", "PW3600", "PW3601", "PW3602", "PW3612"};
    Diagnostics all = findings.take();
    std::erase_if(all, [](const Diagnostic& found) { return !registers.contains(found.code); });
    return all;
}

} // namespace poolwright::program
