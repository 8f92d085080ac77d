// SPDX-License-Identifier: Apache-2.0
#include "place/improve.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace poolwright::place {

namespace {

constexpr std::size_t maxEjected = 6;
constexpr std::size_t spotsTried = 3;

class Budget {
public:
    Budget(int steps, const CancelFlag& cancel, Deadline deadline)
        : m_steps(steps)
        , m_cancel(cancel)
        , m_deadline(deadline) {}

    bool isLeft() const { return m_steps > 0 && !m_cancel.isCancelled() && !isLate(); }
    void spend() { --m_steps; }
    int left() const { return std::max(m_steps, 0); }

private:
    bool isLate() const { return m_deadline && std::chrono::steady_clock::now() > *m_deadline; }

    int m_steps;
    CancelFlag m_cancel;
    Deadline m_deadline;
};

/// Answers how many bytes of intervals, overlapping ones counted each, touch a range: those that begin before its end
/// less those that end before its begin.
class Crowd {
public:
    explicit Crowd(std::vector<Interval> busy)
        : m_byLo(std::move(busy))
        , m_byHi(m_byLo) {
        std::ranges::sort(m_byHi, {}, &Interval::hi);
        sum(m_byLo, m_begun);
        sum(m_byHi, m_ended);
    }

    const std::vector<Interval>& intervals() const { return m_byLo; }
    std::int64_t bytesIn(std::int64_t lo, std::int64_t hi) const {
        const auto begun = std::ranges::lower_bound(m_byLo, hi, {}, &Interval::lo) - m_byLo.begin();
        const auto ended = std::ranges::upper_bound(m_byHi, lo, {}, &Interval::hi) - m_byHi.begin();
        return m_begun[std::size_t(begun)] - m_ended[std::size_t(ended)];
    }

private:
    static void sum(const std::vector<Interval>& intervals, std::vector<std::int64_t>& sums) {
        sums.assign(1, 0);
        for (const Interval& interval : intervals)
            sums.push_back(sums.back() + interval.hi - interval.lo);
    }

    std::vector<Interval> m_byLo, m_byHi;
    std::vector<std::int64_t> m_begun, m_ended; ///< running sums of lengths
};

struct Target {
    std::int64_t ejectedBytes = 0;
    double price = 0;
    Spot spot;
};

class Improver {
public:
    Improver(Layout& layout, Budget& budget)
        : m_layout(layout)
        , m_instance(layout.instance())
        , m_budget(budget) {}

    bool run() {
        for (bool moved = true; moved;) {
            moved = false;
            for (const int i : worthMoving()) {
                if (!m_budget.isLeft())
                    return false;
                moved = improveItem(i) || moved;
            }
        }
        return true;
    }

private:
    const Item& item(int i) const { return m_instance.items[std::size_t(i)]; }
    const Region& region(int r) const { return m_instance.regions[std::size_t(r)]; }

    /// Cycles that would go if the item's traffic cost nothing.
    double cyclesAtStake(int i) {
        const Spot spot = m_layout[i];
        const double before = m_layout.score().cycles;
        m_layout.remove(i);
        const double after = m_layout.score().cycles;
        m_layout.put(i, spot);
        return before - after;
    }

    /// Items without a place first, then those that cost most time, then those that lie dearer than they might.
    std::vector<int> worthMoving() {
        std::vector<std::tuple<std::int64_t, double, double, int>> ranked;
        for (int i = 0; i < int(m_instance.items.size()); ++i) {
            const Item& candidate = item(i);
            if (candidate.permanent || candidate.fixed || !candidate.solvable || candidate.regions.empty())
                continue;
            if (!m_layout[i].isPlaced()) {
                ranked.emplace_back(-candidate.size, 0, 0, i);
                continue;
            }
            const double stake = cyclesAtStake(i);
            const double dearer =
                priceAt(i, m_layout[i]) - m_instance.cheapestPrice(candidate, region(candidate.regions[0]));
            if (stake > 0.5 || dearer > 0.5)
                ranked.emplace_back(0, -stake, -dearer, i);
        }
        m_layout.recount();
        std::ranges::sort(ranked);
        std::vector<int> items;
        for (const auto& entry : ranked)
            items.push_back(std::get<3>(entry));
        return items;
    }

    double priceAt(int i, Spot spot) const { return m_instance.price(item(i), region(spot.region), spot.lo); }

    bool improveItem(int i) {
        m_budget.spend();
        for (const Target& target : targets(i)) {
            m_budget.spend();
            if (tryMove(i, target.spot))
                return true;
        }
        return false;
    }

    /// The places that eject least, free ones first.
    std::vector<Target> targets(int i) const {
        std::vector<Target> found;
        const double limit =
            m_layout[i].isPlaced() ? priceAt(i, m_layout[i]) * (1 + 1e-9) : std::numeric_limits<double>::max();
        std::vector<std::optional<Crowd>> crowds(std::size_t(m_instance.arenas));
        for (const int r : item(i).regions) {
            if (region(r).capacity() < item(i).size)
                continue;
            if (m_instance.cheapestPrice(item(i), region(r)) > limit)
                break;
            auto& crowd = crowds[std::size_t(region(r).arena)];
            if (!crowd)
                crowd.emplace(m_layout.busy(i, region(r).arena));
            addTargets(i, r, *crowd, limit, found);
        }
        const std::size_t kept = std::min(found.size(), spotsTried);
        std::partial_sort(found.begin(), found.begin() + std::ptrdiff_t(kept), found.end(),
                          [](const Target& a, const Target& b) {
                              return std::tie(a.ejectedBytes, a.price, a.spot.region, a.spot.lo) <
                                     std::tie(b.ejectedBytes, b.price, b.spot.region, b.spot.lo);
                          });
        found.resize(kept);
        return found;
    }

    void addTargets(int i, int r, const Crowd& crowd, double limit, std::vector<Target>& found) const {
        const double cheaper = limit * (1 - 1e-8); // within one pool only a lower price is worth a move
        std::vector<std::int64_t> addresses;
        const auto add = [&](std::int64_t address) {
            if (address >= region(r).lo && address <= region(r).hi - item(i).size &&
                (m_layout[i].region != r || m_layout[i].lo != address))
                addresses.push_back(address);
        };
        for (const Slice& slice : region(r).slices) {
            add(alignedFrom(item(i), slice.lo));
            add(alignedTo(item(i), slice.hi - item(i).size));
        }
        add(alignedTo(item(i), region(r).hi - item(i).size));
        for (const Interval& interval : crowd.intervals()) {
            add(alignedFrom(item(i), interval.hi));
            add(alignedTo(item(i), interval.lo - item(i).size));
        }
        std::ranges::sort(addresses);
        addresses.erase(std::ranges::unique(addresses).begin(), addresses.end());
        for (const std::int64_t address : addresses) {
            const Target target{crowd.bytesIn(address, address + item(i).size), priceAt(i, {r, address}), {r, address}};
            if (target.price <= limit && (target.price < cheaper || region(r).pool != poolNow(i)))
                found.push_back(target);
        }
    }

    int poolNow(int i) const { return m_layout[i].isPlaced() ? region(m_layout[i].region).pool : -1; }

    bool tryMove(int i, Spot spot) {
        std::vector<int> ejected = m_layout.collisions(i, spot);
        if (ejected.size() > maxEjected || m_layout.hitsBlocked(i, spot) ||
            std::ranges::any_of(ejected, [&](int e) { return item(e).fixed.has_value(); }))
            return false;
        const Score before = m_layout.score();
        std::vector<std::pair<int, Spot>> undo;
        const auto lift = [&](int e) {
            undo.emplace_back(e, m_layout[e]);
            if (m_layout[e].isPlaced())
                m_layout.remove(e);
        };
        lift(i);
        for (const int e : ejected)
            lift(e);
        m_layout.put(i, spot);
        std::ranges::sort(ejected, {}, [&](int e) { return std::pair(-item(e).size, e); });
        for (const int e : ejected)
            if (const Spot place = m_layout.findPlace(e, item(e).regions, Fit::Best); place.isPlaced())
                m_layout.put(e, place);
        if (isBetter(m_layout.score(), before))
            return true;
        restore(undo);
        return false;
    }

    void restore(const std::vector<std::pair<int, Spot>>& undo) {
        for (const auto& [i, spot] : undo)
            if (m_layout[i].isPlaced())
                m_layout.remove(i);
        for (const auto& [i, spot] : undo)
            if (spot.isPlaced())
                m_layout.put(i, spot);
    }

    Layout& m_layout;
    const Instance& m_instance;
    Budget& m_budget;
};

} // namespace

bool improve(Layout& layout, int& steps, const CancelFlag& cancel, Deadline deadline) {
    Layout working = layout;
    Budget budget(steps, cancel, deadline);
    const bool ended = Improver(working, budget).run();
    steps = budget.left();
    working.recount();
    if (isBetter(working.score(), layout.score()))
        layout = std::move(working);
    return ended;
}

} // namespace poolwright::place
