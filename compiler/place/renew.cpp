// SPDX-License-Identifier: Apache-2.0
#include "place/renew.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace poolwright::place {

namespace {

constexpr double firstTolerance = 0.01; // of the cycles, falling to nothing
constexpr int roundsBetweenLooks = 16;

/// Numbers that do not depend on the standard library's distributions.
class Sequence {
public:
    std::uint64_t next() {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t x = m_state;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
        return x ^ (x >> 31);
    }
    std::size_t below(std::size_t count) { return std::size_t(next() % count); }
    double share() { return double(next() >> 40) / double(1 << 24); }

private:
    std::uint64_t m_state = 1;
};

class Renewer {
public:
    explicit Renewer(Layout& layout)
        : m_layout(layout)
        , m_instance(layout.instance())
        , m_isOut(m_instance.items.size()) {
        for (int i = 0; i < int(m_instance.items.size()); ++i)
            if (mayMove(i) && isDearer(i))
                m_seeds.push_back(i);
    }

    bool run(int rounds, const CancelFlag& cancel, Deadline deadline) {
        if (m_seeds.empty())
            return true;
        Score best = m_layout.score();
        std::vector<Spot> bestSpots = spots();
        bool ended = true;
        for (int round = 0; round < rounds; ++round) {
            if (round % roundsBetweenLooks == 0 &&
                (cancel.isCancelled() || (deadline && std::chrono::steady_clock::now() > *deadline))) {
                ended = false;
                break;
            }
            renewSome(firstTolerance * std::pow(1 - double(round) / rounds, 2));
            if (isBetter(m_layout.score(), best)) {
                best = m_layout.score();
                bestSpots = spots();
            }
        }
        restore(bestSpots);
        return ended;
    }

private:
    const Item& item(int i) const { return m_instance.items[std::size_t(i)]; }

    bool mayMove(int i) const {
        const Item& one = item(i);
        return !one.permanent && !one.fixed && one.solvable && one.size > 0 && !one.regions.empty();
    }

    /// It could cost less elsewhere, or it keeps another from doing so.
    bool isDearer(int i) const {
        const Region& cheapest = m_instance.regions[std::size_t(item(i).regions[0])];
        const auto isMoreThan = [&](int r) {
            return m_instance.cheapestPrice(item(i), m_instance.regions[std::size_t(r)]) >
                   m_instance.cheapestPrice(item(i), cheapest);
        };
        return !m_layout[i].isPlaced() || std::ranges::any_of(item(i).regions, isMoreThan);
    }

    std::vector<Spot> spots() const {
        std::vector<Spot> all;
        for (int i = 0; i < int(m_instance.items.size()); ++i)
            all.push_back(m_layout[i]);
        return all;
    }

    void restore(const std::vector<Spot>& spots) {
        for (int i = 0; i < int(spots.size()); ++i)
            if (differs(i, spots[std::size_t(i)]) && m_layout[i].isPlaced())
                m_layout.remove(i);
        for (int i = 0; i < int(spots.size()); ++i)
            if (!m_layout[i].isPlaced() && spots[std::size_t(i)].isPlaced())
                m_layout.put(i, spots[std::size_t(i)]);
    }

    bool differs(int i, const Spot& spot) const {
        return m_layout[i].region != spot.region || m_layout[i].lo != spot.lo;
    }

    void renewSome(double tolerance) {
        chooseOut();
        const Score before = m_layout.score();
        std::vector<std::pair<int, Spot>> undo;
        for (const int i : m_out) {
            undo.emplace_back(i, m_layout[i]);
            if (m_layout[i].isPlaced())
                m_layout.remove(i);
        }
        shuffleOut();
        const Fit fit = m_dice.below(2) == 0 ? Fit::First : Fit::Best;
        for (const int i : m_out)
            if (const Spot spot = m_layout.findPlace(i, item(i).regions, fit); spot.isPlaced())
                m_layout.put(i, spot);
        if (isAcceptable(m_layout.score(), before, tolerance))
            return;
        for (const auto& [i, spot] : undo)
            if (m_layout[i].isPlaced())
                m_layout.remove(i);
        for (const auto& [i, spot] : undo)
            if (spot.isPlaced())
                m_layout.put(i, spot);
    }

    static bool isAcceptable(const Score& now, const Score& before, double tolerance) {
        if (now.unplacedBytes != before.unplacedBytes)
            return now.unplacedBytes < before.unplacedBytes;
        return now.cycles <= before.cycles * (1 + tolerance) &&
               (now.cycles < before.cycles * (1 - 1e-9) || now.price <= before.price * (1 + tolerance));
    }

    /// One item and some that live with it.
    void chooseOut() {
        const int seed = m_seeds[m_dice.below(m_seeds.size())];
        const auto near = m_instance.neighbours(seed);
        m_out.assign(1, seed);
        m_isOut[std::size_t(seed)] = true;
        const std::size_t wanted = near.empty() ? 0 : std::min<std::size_t>(near.size(), 2 + m_dice.below(11));
        for (std::size_t tries = 0; m_out.size() <= wanted && tries < 3 * wanted; ++tries) {
            const int other = near[m_dice.below(near.size())];
            if (m_isOut[std::size_t(other)] || !mayMove(other))
                continue;
            m_isOut[std::size_t(other)] = true;
            m_out.push_back(other);
        }
        for (const int i : m_out)
            m_isOut[std::size_t(i)] = false;
    }

    /// Back in the order of one of the usual measures, shaken.
    void shuffleOut() {
        const std::size_t measure = m_dice.below(4);
        const double shaking = m_dice.below(3) == 0 ? 0.2 : 1.5;
        std::vector<std::tuple<double, int>> keys;
        for (const int i : m_out) {
            const double traffic = item(i).readBytes + item(i).writeBytes, size = double(item(i).size);
            const double lifetime = double(item(i).live.last - item(i).live.first + 1);
            const std::array values = {traffic / size, traffic, size, traffic / size / lifetime};
            keys.emplace_back(-values[measure] * std::exp(shaking * (m_dice.share() - 0.5)), i);
        }
        std::ranges::sort(keys);
        for (std::size_t k = 0; k < keys.size(); ++k)
            m_out[k] = std::get<1>(keys[k]);
    }

    Layout& m_layout;
    const Instance& m_instance;
    Sequence m_dice;
    std::vector<int> m_seeds, m_out;
    std::vector<char> m_isOut;
};

} // namespace

bool renew(Layout& layout, int rounds, const CancelFlag& cancel, Deadline deadline) {
    Layout working = layout;
    const bool ended = Renewer(working).run(rounds, cancel, deadline);
    working.recount();
    if (isBetter(working.score(), layout.score()))
        layout = std::move(working);
    return ended;
}

} // namespace poolwright::place
