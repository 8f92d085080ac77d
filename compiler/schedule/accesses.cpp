// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include <algorithm>

namespace poolwright::schedule {

namespace {

class Collector {
public:
    void add(BufferId buffer, bool write) {
        if (!buffer.isValid())
            return;
        const bool known = std::any_of(m_accesses.begin(), m_accesses.end(), [&](const Access& access) {
            return access.buffer == buffer && access.write == write;
        });
        if (!known)
            m_accesses.push_back({buffer, write});
    }

    void add(const program::Unit& unit) {
        if (const auto* stream = std::get_if<program::StreamEngineConfig>(&unit.config)) {
            add(stream->buffer, stream->direction == program::Direction::ToMemory);
        } else if (const auto* arith = std::get_if<program::ArithConfig>(&unit.config)) {
            add(arith->aVector, false);
            add(arith->bVector, false);
            add(arith->cVector, false);
        }
    }

    std::vector<Access> take() { return std::move(m_accesses); }

private:
    std::vector<Access> m_accesses;
};

} // namespace

std::vector<Access> accessesOf(const program::Epoch& epoch) {
    Collector collector;
    if (const auto* work = epoch.hardware())
        for (const program::Unit& unit : work->units)
            collector.add(unit);
    if (const auto* work = epoch.software()) {
        for (const program::TensorView& view : work->inputs)
            collector.add(view.buffer, false);
        for (const program::TensorView& view : work->outputs)
            collector.add(view.buffer, true);
    }
    return collector.take();
}

} // namespace poolwright::schedule
