// SPDX-License-Identifier: Apache-2.0
#include "emulate/epoch.h"

#include "emulate/stage.h"

namespace poolwright::emulate {

using program::Direction;
using program::HardwareWork;
using program::Link;
using program::StreamEngineConfig;
using program::Unit;

namespace {

StageResult makeStage(const Unit& unit, const StageContext& context) {
    if (const auto* engine = std::get_if<StreamEngineConfig>(&unit.config))
        return makeStreamStage(*engine, context);
    if (const auto* conv = std::get_if<program::ConvConfig>(&unit.config))
        return makeConvStage(*conv, context);
    if (const auto* arith = std::get_if<program::ArithConfig>(&unit.config))
        return makeArithStage(*arith, context);
    if (const auto* pool = std::get_if<program::PoolConfig>(&unit.config))
        return makePoolStage(*pool, context);
    return makeActivStage(std::get<program::ActivConfig>(unit.config), context);
}

class EpochRun {
public:
    EpochRun(const HardwareWork& work, int ordinal, Memory& memory)
        : m_work(work)
        , m_ordinal(ordinal)
        , m_memory(memory)
        , m_units(work.units.size()) {}

    Result<void> prepare() {
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            const Unit& unit = m_work.units[i];
            auto stage = makeStage(unit, {m_memory, {m_ordinal, &unit.node}});
            if (!stage)
                return fail(stage.error());
            m_units[i].stage = std::move(*stage);
            m_units[i].waitsFor = writerOf(unit);
        }
        for (const Link& link : m_work.links) {
            if (!isUnit(link.from) || !isUnit(link.to) || link.port < 0 || link.port > 2)
                return fail(makeError("PW4140", "a link to a unit or port that does not exist", where("")));
            m_units[std::size_t(link.from)].links.push_back(&link);
        }
        return {};
    }

    /// Lets units work from the end of the chain to its start, until none can: frames are made only when someone waits
    /// for them.
    Result<void> run(const CancelFlag& cancel) {
        for (bool progress = true; progress;) {
            progress = false;
            if (cancel.isCancelled())
                return fail(makeError("PW4100", "cancelled", where("")));
            for (std::size_t i = m_units.size(); i-- > 0;) {
                if (!canFire(i))
                    continue;
                if (const Result<void> fired = fire(i); !fired)
                    return fired;
                progress = true;
            }
        }
        return checkEnd();
    }

private:
    struct Running {
        std::unique_ptr<Stage> stage;
        Ports ports;
        std::vector<const Link*> links;
        std::int64_t frames = 0; ///< made or written so far
        int waitsFor = -1;       ///< output engine that a synchronised input engine follows
    };

    bool isUnit(int index) const { return index >= 0 && std::size_t(index) < m_units.size(); }

    SourceLocation where(const std::string& unit) const {
        return {{}, 0, 0, placeText({m_ordinal, unit.empty() ? nullptr : &unit})};
    }

    int writerOf(const Unit& reader) const {
        const auto* engine = std::get_if<StreamEngineConfig>(&reader.config);
        if (!engine || engine->syncEngine < 0)
            return -1;
        for (std::size_t i = 0; i < m_work.units.size(); ++i) {
            const auto* other = std::get_if<StreamEngineConfig>(&m_work.units[i].config);
            if (other && other->direction == Direction::ToMemory && m_work.units[i].index == engine->syncEngine)
                return int(i);
        }
        return -1;
    }

    bool isWanted(const Link& link) const {
        const Running& to = m_units[std::size_t(link.to)];
        return to.ports[std::size_t(link.port)].size() < to.stage->need(link.port);
    }

    bool canFire(std::size_t index) const {
        const Running& unit = m_units[index];
        if (unit.stage->framesLeft() == 0)
            return false;
        for (int port = 0; port < 3; ++port)
            if (unit.ports[std::size_t(port)].size() < unit.stage->need(port))
                return false;
        if (unit.waitsFor >= 0 && m_units[std::size_t(unit.waitsFor)].frames <= unit.frames)
            return false;
        bool wanted = unit.links.empty();
        for (const Link* link : unit.links)
            wanted = wanted || isWanted(*link);
        return wanted;
    }

    Result<void> fire(std::size_t index) {
        Running& unit = m_units[index];
        m_frame.clear();
        if (const Result<void> fired = unit.stage->fire(unit.ports, m_frame); !fired)
            return fired;
        for (const Link* link : unit.links) {
            const std::int64_t period = std::int64_t(link->dropFrames) + link->passFrames;
            if (link->passFrames <= 0 || unit.frames % period >= link->dropFrames)
                m_units[std::size_t(link->to)].ports[std::size_t(link->port)].push(m_frame);
        }
        ++unit.frames;
        return {};
    }

    bool isOwnLoop(std::size_t index, int port) const {
        for (const Link* link : m_units[index].links)
            if (std::size_t(link->to) == index && link->port == port)
                return true;
        return false;
    }

    /// Nothing moves any more: either all is done, or the frames of the units do not fit each other.
    Result<void> checkEnd() const {
        Diagnostics errors;
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            const Running& unit = m_units[i];
            const std::string& node = m_work.units[i].node;
            if (unit.stage->framesLeft() > 0)
                errors.push_back(makeError("PW4141",
                                           "stopped after " + std::to_string(unit.frames) + " frames, " +
                                               std::to_string(unit.stage->framesLeft()) + " are left" + portText(unit),
                                           where(node)));
            for (int port = 0; port < 3; ++port)
                if (unit.ports[std::size_t(port)].size() > 0 && !isOwnLoop(i, port))
                    errors.push_back(makeError("PW4142",
                                               std::to_string(unit.ports[std::size_t(port)].size()) +
                                                   " words are left in port " + std::to_string(port) + portText(unit),
                                               where(node)));
        }
        if (!errors.empty())
            return fail(errors);
        return {};
    }

    /// What the unit waits for.
    static std::string portText(const Running& unit) {
        std::string text;
        for (int port = 0; port < 3; ++port)
            if (const std::int64_t need = unit.stage->need(port); unit.ports[std::size_t(port)].size() < need)
                text += "; port " + std::to_string(port) + " has " +
                        std::to_string(unit.ports[std::size_t(port)].size()) + " of " + std::to_string(need) + " words";
        return text;
    }

    const HardwareWork& m_work;
    int m_ordinal;
    Memory& m_memory;
    std::vector<Running> m_units;
    std::vector<std::int32_t> m_frame;
};

} // namespace

Result<void> runHardwareEpoch(const program::Program& program, int ordinal, Memory& memory, const CancelFlag& cancel) {
    const HardwareWork* work = program.epochs[std::size_t(ordinal)].hardware();
    if (!work)
        return fail(makeError("PW4143", "is no hardware epoch", {{}, 0, 0, "epoch " + std::to_string(ordinal)}));
    EpochRun run(*work, ordinal, memory);
    if (const Result<void> prepared = run.prepare(); !prepared)
        return prepared;
    return run.run(cancel);
}

} // namespace poolwright::emulate
