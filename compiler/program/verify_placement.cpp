// SPDX-License-Identifier: Apache-2.0
#include "program/findings.h"

#include <algorithm>
#include <set>

namespace poolwright::program {

static void verifyPlace(const Program& program, const Buffer& buffer, const Placement& place, Findings& findings) {
    if (!findings.require(place.pool.isValid() && std::size_t(place.pool.index) < program.pools.size(), "PW3540",
                          "is placed in no pool"))
        return;
    const mpool::EffectivePool& pool = program.pools[std::size_t(place.pool.index)];
    const AddressRange usable{pool.range.start, pool.range.size - pool.reservedTail};
    findings.require(usable.contains(AddressRange{place.address, buffer.size}), "PW3541",
                     "lies at " + toText(place.address) + ", outside what pool " + pool.name + " offers");
    findings.require(place.address.value % std::uint64_t(std::max<std::int64_t>(buffer.alignment, 1)) == 0, "PW3542",
                     "address " + toText(place.address) + " is not aligned to " + std::to_string(buffer.alignment));
    findings.require(buffer.kind == BufferKind::Constant || pool.properties.rights == mpool::Rights::ReadWrite,
                     "PW3543", "is written but pool " + pool.name + " is read-only");
}

/// Addresses of different relative pools say nothing about each other.
static bool sameAddressSpace(const Program& program, const Placement& a, const Placement& b) {
    const auto isRelative = [&program](const Placement& place) {
        return program.pools[std::size_t(place.pool.index)].mode == mpool::UseMode::Relative;
    };
    return a.pool == b.pool || (!isRelative(a) && !isRelative(b));
}

static void verifyOverlaps(const Program& program, Findings& findings) {
    std::vector<BufferId> placed;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const std::optional<Placement>& place = program.placements[i];
        if (place && place->pool.isValid() && std::size_t(place->pool.index) < program.pools.size())
            placed.emplace_back(i);
    }
    const auto placeOf = [&program](BufferId id) { return *program.placements[std::size_t(id.index)]; };
    std::stable_sort(placed.begin(), placed.end(),
                     [&](BufferId a, BufferId b) { return placeOf(a).address < placeOf(b).address; });
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const AddressRange range{placeOf(placed[i]).address, program[placed[i]].size};
        findings.enter("buffer " + program[placed[i]].name);
        for (std::size_t j = i + 1; j < placed.size() && placeOf(placed[j]).address < range.end(); ++j)
            findings.require(!program[placed[i]].live.overlaps(program[placed[j]].live) ||
                                 !range.overlaps({placeOf(placed[j]).address, program[placed[j]].size}) ||
                                 !sameAddressSpace(program, placeOf(placed[i]), placeOf(placed[j])),
                             "PW3544", "shares bytes with buffer " + program[placed[j]].name + " while both are alive");
    }
}

void verifyPlacement(const Program& program, Findings& findings) {
    if (program.placements.empty())
        return;
    findings.enter("network");
    if (!findings.require(program.placements.size() == program.buffers.size(), "PW3545",
                          "there are " + std::to_string(program.placements.size()) + " placements for " +
                              std::to_string(program.buffers.size()) + " buffers"))
        return;
    std::set<BufferId> excused;
    for (const UnplacedBuffer& unplaced : program.unplaced)
        if (!unplaced.reason.empty())
            excused.insert(unplaced.buffer);
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const Buffer& buffer = program.buffers[i];
        findings.enter("buffer " + buffer.name);
        if (program.placements[i])
            verifyPlace(program, buffer, *program.placements[i], findings);
        else
            findings.require(buffer.userAllocated || excused.contains(BufferId(i)), "PW3546",
                             "has neither a place nor a reason why not");
    }
    verifyOverlaps(program, findings);
}

} // namespace poolwright::program
