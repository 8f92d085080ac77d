// SPDX-License-Identifier: Apache-2.0
#include "place/fit.h"

#include <algorithm>
#include <map>

namespace poolwright::place {

namespace {

/// Extent of every outermost buffer over all that lies inside it; the others have no bytes of their own.
std::vector<BufferSpec> outermost(const std::vector<BufferSpec>& buffers) {
    std::vector<BufferSpec> whole = buffers;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        std::size_t root = b;
        std::size_t steps = 0;
        for (; buffers[root].inside && steps <= buffers.size(); ++steps) {
            const int parent = buffers[root].inside->first;
            if (parent < 0 || parent >= int(buffers.size()))
                break;
            root = std::size_t(parent);
        }
        if (root == b || steps > buffers.size())
            continue;
        whole[root].live = {std::min(whole[root].live.first, buffers[b].live.first),
                            std::max(whole[root].live.last, buffers[b].live.last)};
        whole[b].size = ByteCount(0);
    }
    return whole;
}

std::int64_t capacityOf(const PoolSpec& pool) {
    return std::max<std::int64_t>(0, pool.range.size.value - pool.reservedTail.value);
}

bool mayHold(const PoolSpec& pool, int index, const BufferSpec& buffer) {
    const bool allowed = buffer.eligiblePools.empty() || std::ranges::count(buffer.eligiblePools, index) > 0;
    return allowed && (pool.writable || buffer.isConstant) && capacityOf(pool) >= buffer.size.value;
}

PoolFit poolFit(const Problem& problem, const std::vector<BufferSpec>& buffers, int index, std::int64_t peak) {
    const PoolSpec& pool = problem.pools[std::size_t(index)];
    PoolFit verdict;
    verdict.pool = index;
    verdict.capacity = capacityOf(pool);
    verdict.usable = pool.writable && verdict.capacity > 0;
    verdict.missing = std::max<std::int64_t>(0, peak - verdict.capacity);
    for (int b = 0; b < int(buffers.size()); ++b)
        if (!buffers[std::size_t(b)].isConstant && buffers[std::size_t(b)].size.value > verdict.capacity)
            verdict.tooLarge.push_back(b);
    return verdict;
}

std::string homelessClause(const Problem& problem, const std::vector<int>& homeless) {
    const bool single = homeless.size() == 1;
    const bool noWritable = std::none_of(problem.pools.begin(), problem.pools.end(),
                                         [](const PoolSpec& pool) { return pool.writable && capacityOf(pool) > 0; });
    if (noWritable && !problem.buffers[std::size_t(homeless.front())].isConstant)
        return "no pool is writable, and activations need one";
    const auto size = [&](int b) { return problem.buffers[std::size_t(b)].size; };
    const int largest = *std::ranges::max_element(homeless, {}, size);
    return namesOf(problem.buffers, homeless, 4) + (single ? " is" : " are") +
           " larger than every pool that may hold " + (single ? "it" : "them") + " (" +
           (single ? "" : "the largest: ") + problem.buffers[std::size_t(largest)].name + ", " + toText(size(largest)) +
           ")";
}

std::string largeClause(const Problem& problem, const FitVerdict& verdict, const std::string& step) {
    std::string pools;
    for (int p : verdict.largePools)
        pools += (pools.empty() ? "" : " and ") + problem.pools[std::size_t(p)].name;
    return namesOf(problem.buffers, verdict.large, 4) + ", alive together at " + step + " " +
           std::to_string(verdict.largeEpoch) + ", fit into no other pool than " + pools + " and need " +
           toText(ByteCount(verdict.missingForLarge)) + " more than there is";
}

std::string peakClause(const FitVerdict& verdict, const std::string& step) {
    const std::string peak = "activations need " + toText(ByteCount(verdict.activations.peak)) + " at " + step + " " +
                             std::to_string(verdict.activations.peakEpoch);
    if (verdict.missing > 0)
        return peak + ", " + toText(ByteCount(verdict.missing)) + " more than the writable pools have";
    if (verdict.missingOnChip > 0)
        return peak + ", of which at least " + toText(ByteCount(verdict.missingOnChip)) +
               " must lie in external memory";
    return peak + ", which the pools on the chip can hold";
}

std::string sentenceOf(const Problem& problem, const FitVerdict& verdict, const std::string& step) {
    std::vector<std::string> clauses;
    if (!verdict.homeless.empty())
        clauses.push_back(homelessClause(problem, verdict.homeless));
    if (verdict.homeless.empty() || verdict.missing > 0)
        clauses.push_back(peakClause(verdict, step));
    if (verdict.homeless.empty() && verdict.missing == 0 && verdict.missingForLarge > 0)
        clauses.push_back(largeClause(problem, verdict, step));
    if (verdict.missingConstants > 0)
        clauses.push_back("constants need " + toText(ByteCount(verdict.constantBytes)) + ", " +
                          toText(ByteCount(verdict.missingConstants)) + " more than the pools have left");
    std::string sentence;
    for (const std::string& clause : clauses)
        sentence += (sentence.empty() ? "" : "; ") + clause;
    return sentence;
}

/// Writable pools that are part of no other one, largest first.
std::vector<int> writableRooms(const Problem& problem) {
    std::vector<bool> isMember(problem.pools.size(), false);
    for (const PoolSpec& pool : problem.pools)
        for (int member : pool.members)
            if (member >= 0 && member < int(isMember.size()))
                isMember[std::size_t(member)] = true;
    std::vector<int> rooms;
    for (int p = 0; p < int(problem.pools.size()); ++p)
        if (problem.pools[std::size_t(p)].writable && !isMember[std::size_t(p)])
            rooms.push_back(p);
    std::ranges::stable_sort(rooms, {}, [&](int p) { return -capacityOf(problem.pools[std::size_t(p)]); });
    return rooms;
}

/// Activations too large for all but the first rooms must share these: at each epoch that is a sum to compare.
void checkLarge(const Problem& problem, const std::vector<BufferSpec>& buffers, FitVerdict& verdict) {
    const std::vector<int> rooms = writableRooms(problem);
    std::int64_t together = 0;
    for (std::size_t r = 0; r + 1 < rooms.size(); ++r) {
        together += capacityOf(problem.pools[std::size_t(rooms[r])]);
        const std::int64_t next = capacityOf(problem.pools[std::size_t(rooms[r + 1])]);
        std::vector<BufferSpec> large = buffers;
        for (BufferSpec& buffer : large)
            if (buffer.size.value <= next)
                buffer.size = ByteCount(0);
        const LiveSet live = liveSet(large);
        if (live.peak - together <= verdict.missingForLarge)
            continue;
        verdict.missingForLarge = live.peak - together;
        verdict.largeEpoch = live.peakEpoch;
        verdict.large = live.aliveAtPeak;
        verdict.largePools.assign(rooms.begin(), rooms.begin() + std::ptrdiff_t(r) + 1);
    }
}

void sumPools(const Problem& problem, FitVerdict& verdict) {
    std::int64_t all = 0;
    for (const PoolSpec& pool : problem.pools) {
        if (!pool.members.empty())
            continue;
        all += std::min(capacityOf(pool), std::int64_t(1) << 60);
        verdict.writableBytes += pool.writable ? capacityOf(pool) : 0;
        verdict.internalBytes += pool.writable && !pool.external ? capacityOf(pool) : 0;
    }
    const std::int64_t peak = verdict.activations.peak;
    verdict.missing = std::max<std::int64_t>(0, peak - verdict.writableBytes);
    verdict.missingOnChip = std::max<std::int64_t>(0, peak - verdict.internalBytes);
    verdict.missingConstants = std::max<std::int64_t>(0, verdict.constantBytes + peak - verdict.missing - all);
}

} // namespace

std::vector<int> aliveAt(const std::vector<BufferSpec>& buffers, int epoch) {
    std::vector<int> alive;
    for (int b = 0; b < int(buffers.size()); ++b)
        if (buffers[std::size_t(b)].live.contains(epoch) && buffers[std::size_t(b)].size.value > 0)
            alive.push_back(b);
    std::ranges::stable_sort(alive, {}, [&](int b) { return -buffers[std::size_t(b)].size.value; });
    return alive;
}

std::string namesOf(const std::vector<BufferSpec>& buffers, const std::vector<int>& indices, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(indices.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + buffers[std::size_t(indices[i])].name;
    if (indices.size() > most)
        text += " and " + std::to_string(indices.size() - most) + " more";
    return text.empty() ? "nothing" : text;
}

LiveSet liveSet(const std::vector<BufferSpec>& buffers) {
    std::vector<BufferSpec> activations = outermost(buffers);
    std::map<std::int64_t, std::int64_t> change;
    for (BufferSpec& buffer : activations) {
        if (buffer.isConstant)
            buffer.size = ByteCount(0);
        if (buffer.size.value <= 0)
            continue;
        change[buffer.live.first] += buffer.size.value;
        change[std::int64_t(buffer.live.last) + 1] -= buffer.size.value;
    }
    LiveSet live;
    std::int64_t level = 0;
    for (auto step = change.begin(); step != change.end(); ++step) {
        level += step->second;
        if (level > live.peak) {
            live.peak = level;
            live.peakEpoch = int(step->first);
        }
        const auto next = std::next(step);
        constexpr std::int64_t mostEpochs = 1 << 20; // a table beyond this helps nobody
        if (next != change.end() && next->first <= mostEpochs && step->first >= 0) {
            live.bytes.resize(std::size_t(step->first), 0);
            live.bytes.resize(std::size_t(next->first), level);
        }
    }
    live.aliveAtPeak = aliveAt(activations, live.peakEpoch);
    return live;
}

FitVerdict fit(const Problem& problem, const char* stepWord) {
    FitVerdict verdict;
    const std::vector<BufferSpec> buffers = outermost(problem.buffers);
    verdict.activations = liveSet(problem.buffers);
    for (int b = 0; b < int(buffers.size()); ++b) {
        const BufferSpec& buffer = buffers[std::size_t(b)];
        (buffer.isConstant ? verdict.constantBytes : verdict.activationBytes) +=
            std::max<std::int64_t>(0, buffer.size.value);
        bool hasHome = buffer.size.value <= 0;
        for (int p = 0; p < int(problem.pools.size()); ++p)
            hasHome = hasHome || mayHold(problem.pools[std::size_t(p)], p, buffer);
        if (!hasHome)
            verdict.homeless.push_back(b);
    }
    for (int p = 0; p < int(problem.pools.size()); ++p)
        verdict.pools.push_back(poolFit(problem, buffers, p, verdict.activations.peak));
    sumPools(problem, verdict);
    checkLarge(problem, buffers, verdict);
    verdict.fits = verdict.homeless.empty() && verdict.missing == 0 && verdict.missingForLarge == 0 &&
                   verdict.missingConstants == 0;
    verdict.sentence = sentenceOf(problem, verdict, stepWord);
    return verdict;
}

} // namespace poolwright::place
