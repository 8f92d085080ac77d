// SPDX-License-Identifier: Apache-2.0
#include "place/explain.h"

#include <algorithm>
#include <map>

namespace poolwright::place {

namespace {

/// How full a region is while an item would live there.
struct Contention {
    int region = -1;
    int epoch = 0;               ///< the fullest one, the first of equals
    std::int64_t taken = 0;      ///< bytes taken then
    std::int64_t largestGap = 0; ///< longest run of bytes free all the time
    std::vector<int> others;     ///< items alive in that epoch in the region, largest first
};

class Explainer {
public:
    Explainer(const Problem& problem, const Layout& layout)
        : m_problem(problem)
        , m_layout(layout)
        , m_instance(layout.instance()) {}

    Unplaced explainItem(int index) const {
        const Item& item = m_instance.items[std::size_t(index)];
        Unplaced unplaced = reasonOf(index);
        unplaced.buffer = item.buffer;
        return unplaced;
    }

private:
    const Item& item(int i) const { return m_instance.items[std::size_t(i)]; }
    const Region& region(int r) const { return m_instance.regions[std::size_t(r)]; }
    const std::string& nameOf(int i) const { return m_problem.buffers[std::size_t(item(i).buffer)].name; }
    const std::string& poolName(int r) const { return m_problem.pools[std::size_t(region(r).pool)].name; }

    Unplaced reasonOf(int index) const {
        if (!item(index).solvable)
            return noPool(index, "the alignments and fixed addresses of the buffers in it exclude each other");
        if (item(index).regions.empty())
            return noPool(index, item(index).constant ? "no enabled pool may hold it"
                                                      : "no enabled pool that it may use can be written");
        if (item(index).fixed)
            return fixedReason(index);
        const int largest = largestRegion(index);
        if (region(largest).capacity() < item(index).size)
            return tooLarge(index, largest);
        return contended(index);
    }

    Unplaced noPool(int index, const std::string& why) const {
        Unplaced unplaced;
        unplaced.reason = Reason::NoPoolWithRights;
        unplaced.epoch = item(index).live.first;
        unplaced.missing = ByteCount(item(index).size);
        unplaced.sentence = why + "; " + toText(unplaced.missing) + " needed";
        return unplaced;
    }

    int largestRegion(int index) const {
        return *std::ranges::max_element(item(index).regions, {}, [&](int r) { return region(r).capacity(); });
    }

    Unplaced tooLarge(int index, int r) const {
        Unplaced unplaced;
        unplaced.reason = Reason::TooLargeForEveryPool;
        unplaced.pool = region(r).pool;
        unplaced.epoch = item(index).live.first;
        unplaced.missing = ByteCount(item(index).size - region(r).capacity());
        unplaced.sentence = "needs " + toText(ByteCount(item(index).size)) +
                            ", larger than every pool that may hold it: " + poolName(r) + ", the largest, has " +
                            toText(ByteCount(region(r).capacity()));
        return unplaced;
    }

    Unplaced fixedReason(int index) const {
        Unplaced unplaced = noPool(index, "");
        for (const int r : item(index).regions) {
            const Spot spot{r, *item(index).fixed};
            if (spot.lo < region(r).lo || spot.lo > region(r).hi - item(index).size)
                continue;
            unplaced.reason = Reason::CollidesInTime;
            unplaced.pool = region(r).pool;
            for (int other = 0; other < int(m_instance.items.size()); ++other)
                if (m_layout.arenaOf(other) == region(r).arena && item(other).live.overlaps(item(index).live) &&
                    m_layout[other].lo < spot.lo + item(index).size && spot.lo < m_layout.end(other))
                    unplaced.collidesWith.push_back(item(other).buffer);
            unplaced.sentence = "its fixed address " + toText(Address(std::uint64_t(spot.lo))) +
                                (unplaced.collidesWith.empty() ? " does not satisfy its alignment"
                                                               : " is taken by " + names(unplaced.collidesWith));
            return unplaced;
        }
        unplaced.sentence = "its fixed address " + toText(Address(std::uint64_t(*item(index).fixed))) + " with " +
                            toText(ByteCount(item(index).size)) + " is in no pool that may hold it";
        return unplaced;
    }

    Contention contentionIn(int index, int r) const {
        Contention contention;
        contention.region = r;
        std::map<int, std::int64_t> change{{item(index).live.first, 0}};
        std::vector<int> present;
        std::vector<Interval> busy;
        for (int other = 0; other < int(m_instance.items.size()); ++other) {
            const std::int64_t bytes = bytesInside(other, r);
            if (bytes <= 0 || !item(other).live.overlaps(item(index).live))
                continue;
            present.push_back(other);
            busy.push_back({m_layout[other].lo, m_layout.end(other)});
            change[std::max(item(other).live.first, item(index).live.first)] += bytes;
            change[item(other).live.last + 1] -= bytes;
        }
        std::int64_t level = 0;
        contention.epoch = item(index).live.first;
        for (const auto& [epoch, delta] : change) {
            level += delta;
            if (epoch <= item(index).live.last && level > contention.taken) {
                contention.taken = level;
                contention.epoch = epoch;
            }
        }
        contention.largestGap = largestGap(busy, region(r));
        std::erase_if(present, [&](int other) { return !item(other).live.contains(contention.epoch); });
        std::ranges::stable_sort(present, {}, [&](int other) { return -bytesInside(other, r); });
        contention.others = std::move(present);
        return contention;
    }

    std::int64_t bytesInside(int other, int r) const {
        if (m_layout.arenaOf(other) != region(r).arena)
            return 0;
        return std::min(m_layout.end(other), region(r).hi) - std::max(m_layout[other].lo, region(r).lo);
    }

    static std::int64_t largestGap(std::vector<Interval> busy, const Region& region) {
        std::ranges::sort(busy, {}, &Interval::lo);
        std::int64_t cursor = region.lo, largest = 0;
        for (const Interval& interval : busy) {
            largest = std::max(largest, std::min(interval.lo, region.hi) - cursor);
            cursor = std::max(cursor, interval.hi);
        }
        return std::max(largest, region.hi - cursor);
    }

    /// Of all pools large enough the one that lacks least.
    Unplaced contended(int index) const {
        Unplaced best;
        bool found = false;
        for (const int r : item(index).regions) {
            if (region(r).capacity() < item(index).size)
                continue;
            const Unplaced candidate = describe(index, contentionIn(index, r));
            const auto rank = [](const Unplaced& u) {
                return std::pair(u.reason == Reason::CollidesInTime, u.missing);
            };
            if (!found || rank(candidate) < rank(best))
                best = candidate;
            found = true;
        }
        return best;
    }

    Unplaced describe(int index, const Contention& contention) const {
        const std::int64_t capacity = region(contention.region).capacity();
        const std::int64_t size = item(index).size;
        Unplaced unplaced;
        unplaced.pool = region(contention.region).pool;
        unplaced.epoch = contention.epoch;
        for (const int other : contention.others)
            unplaced.collidesWith.push_back(item(other).buffer);
        const std::string scene = "needs " + toText(ByteCount(size)) + " at epoch " + std::to_string(contention.epoch) +
                                  ", where " + toText(ByteCount(contention.taken)) + " of " +
                                  toText(ByteCount(capacity)) + " of " + poolName(contention.region) +
                                  " are taken by " + names(unplaced.collidesWith);
        if (size > capacity - contention.taken) {
            unplaced.reason = Reason::CollidesInTime;
            unplaced.missing = ByteCount(size - (capacity - contention.taken));
            unplaced.sentence = scene + "; " + toText(unplaced.missing) + " are missing";
        } else {
            unplaced.reason = Reason::Fragmentation;
            unplaced.missing = ByteCount(std::max<std::int64_t>(size - contention.largestGap, 1));
            unplaced.sentence = scene + "; enough is free, but the longest run free in all its epochs has " +
                                toText(ByteCount(contention.largestGap));
        }
        return unplaced;
    }

    std::string names(const std::vector<int>& buffers) const {
        constexpr std::size_t most = 4;
        std::string text;
        for (std::size_t i = 0; i < std::min(buffers.size(), most); ++i)
            text += (i == 0 ? "" : ", ") + m_problem.buffers[std::size_t(buffers[i])].name;
        if (buffers.size() > most)
            text += " and " + std::to_string(buffers.size() - most) + " more";
        return text.empty() ? "nothing" : text;
    }

    const Problem& m_problem;
    const Layout& m_layout;
    const Instance& m_instance;
};

} // namespace

std::vector<Unplaced> explain(const Problem& problem, const Layout& layout) {
    const Explainer explainer(problem, layout);
    const Instance& instance = layout.instance();
    std::vector<std::optional<Unplaced>> ofItem(instance.items.size());
    std::vector<Unplaced> all;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const int index = instance.itemOf[b];
        if (layout[index].isPlaced())
            continue;
        auto& reason = ofItem[std::size_t(index)];
        if (!reason)
            reason = explainer.explainItem(index);
        Unplaced unplaced = *reason;
        if (unplaced.buffer != int(b)) {
            unplaced.sentence =
                "lies in " + problem.buffers[std::size_t(unplaced.buffer)].name + ", which " + unplaced.sentence;
            unplaced.buffer = int(b);
        }
        all.push_back(std::move(unplaced));
    }
    return all;
}

} // namespace poolwright::place
