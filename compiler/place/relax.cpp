// SPDX-License-Identifier: Apache-2.0
#include "place/relax.h"

#include "place/sections.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace poolwright::place {

namespace {

struct Choice {
    std::size_t pool = 0;
    double cost = 0;
};

class Relaxation {
public:
    explicit Relaxation(const Instance& instance)
        : m_instance(instance)
        , m_sections(packItems(instance))
        , m_capacity(std::size_t(instance.concretePools))
        , m_choices(instance.items.size()) {
        for (const Region& region : instance.regions)
            for (const Slice& slice : region.slices)
                m_capacity[std::size_t(slice.pool)] = double(slice.hi - slice.lo);
        for (std::size_t i = 0; i < m_choices.size(); ++i)
            m_choices[i] = choicesOf(instance.items[i]);
        findContended();
        m_rent.assign(m_contended.size() * m_sections.count(), 0.0);
        m_use.resize(m_rent.size());
        m_sum.resize(m_contended.size() * (m_sections.count() + 1));
    }

    double run(double known, int iterations) {
        double best = 0, pace = 1;
        int waiting = 0;
        for (int iteration = 0; iteration < iterations && pace > 1e-3; ++iteration) {
            const double bound = evaluate();
            if (bound > best * (1 + 1e-7)) {
                best = bound;
                waiting = 0;
            } else if (++waiting >= 6) {
                waiting = 0;
                pace /= 2;
            }
            if (m_contended.empty() || known - best <= known * 1e-6 || !step(pace * (known * 1.0001 - bound)))
                break;
        }
        return best;
    }

private:
    static std::vector<PackItem> packItems(const Instance& instance) {
        std::vector<PackItem> items;
        for (const Item& item : instance.items)
            items.push_back({item.size, item.live});
        return items;
    }

    /// Each concrete pool that the item may touch, with what its bytes cost there.
    std::vector<Choice> choicesOf(const Item& item) const {
        std::vector<Choice> choices;
        for (const int r : item.regions) {
            const Region& region = m_instance.regions[std::size_t(r)];
            if (!item.solvable || region.capacity() < item.size)
                continue;
            for (const Slice& slice : region.slices) {
                const bool misses = item.fixed && (*item.fixed >= slice.hi || *item.fixed + item.size <= slice.lo);
                const auto isIt = [&](const Choice& choice) { return choice.pool == std::size_t(slice.pool); };
                if (!misses && std::ranges::none_of(choices, isIt))
                    choices.push_back(
                        {std::size_t(slice.pool), item.readBytes * slice.read + item.writeBytes * slice.write});
            }
        }
        return choices;
    }

    /// Pools that cannot hold at some moment all that might choose them: the others need no rent.
    void findContended() {
        m_index.assign(m_capacity.size(), -1);
        for (std::size_t p = 0; p < m_capacity.size(); ++p) {
            std::vector<double> change(m_sections.count() + 1);
            for (std::size_t i = 0; i < m_choices.size(); ++i)
                if (std::ranges::count(m_choices[i], p, &Choice::pool) > 0) {
                    change[std::size_t(m_sections.first[i])] += double(m_instance.items[i].size);
                    change[std::size_t(m_sections.last[i]) + 1] -= double(m_instance.items[i].size);
                }
            std::partial_sum(change.begin(), change.end(), change.begin());
            if (*std::ranges::max_element(change) > m_capacity[p]) {
                m_index[p] = int(m_contended.size());
                m_contended.push_back(p);
            }
        }
    }

    /// The bound at the present rents; leaves in m_use what each pool holds beyond its capacity.
    double evaluate() {
        const std::size_t count = m_sections.count();
        double bound = 0;
        for (std::size_t c = 0; c < m_contended.size(); ++c)
            for (std::size_t s = 0; s < count; ++s) {
                m_sum[c * (count + 1) + s + 1] = m_sum[c * (count + 1) + s] + m_rent[c * count + s];
                bound -= m_rent[c * count + s] * m_capacity[m_contended[c]];
            }
        std::ranges::fill(m_use, 0.0);
        for (std::size_t i = 0; i < m_choices.size(); ++i)
            if (!m_choices[i].empty())
                bound += cheapest(i);
        for (std::size_t c = 0; c < m_contended.size(); ++c) {
            double* use = m_use.data() + c * count;
            std::partial_sum(use, use + count, use);
            for (std::size_t s = 0; s < count; ++s)
                use[s] -= m_capacity[m_contended[c]];
        }
        return bound;
    }

    double cheapest(std::size_t i) {
        const std::size_t count = m_sections.count();
        const std::size_t first = std::size_t(m_sections.first[i]), last = std::size_t(m_sections.last[i]);
        const double size = double(m_instance.items[i].size);
        double least = std::numeric_limits<double>::max();
        int chosen = -1;
        for (const Choice& choice : m_choices[i]) {
            const int c = m_index[choice.pool];
            const double* sum = m_sum.data() + std::size_t(std::max(c, 0)) * (count + 1);
            const double cost = choice.cost + (c < 0 ? 0 : size * (sum[last + 1] - sum[first]));
            if (cost < least) {
                least = cost;
                chosen = c;
            }
        }
        if (chosen >= 0) {
            double* use = m_use.data() + std::size_t(chosen) * count;
            use[first] += size;
            if (last + 1 < count)
                use[last + 1] -= size;
        }
        return least;
    }

    bool step(double distance) {
        double length = 0;
        for (std::size_t i = 0; i < m_use.size(); ++i)
            if (m_use[i] > 0 || m_rent[i] > 0)
                length += m_use[i] * m_use[i];
        if (length <= 0 || distance <= 0)
            return false;
        for (std::size_t i = 0; i < m_use.size(); ++i)
            m_rent[i] = std::max(0.0, m_rent[i] + distance / length * m_use[i]);
        return true;
    }

    const Instance& m_instance;
    Sections m_sections;
    std::vector<double> m_capacity; ///< by concrete pool
    std::vector<std::vector<Choice>> m_choices;
    std::vector<std::size_t> m_contended;
    std::vector<int> m_index;   ///< by concrete pool: its place in m_contended, or -1
    std::vector<double> m_rent; ///< contended pool x section: cycles per byte
    std::vector<double> m_use;  ///< the same: bytes beyond the capacity
    std::vector<double> m_sum;  ///< running sums of the rents
};

} // namespace

double relaxedBound(const Instance& instance, double known, int iterations) {
    return Relaxation(instance).run(known, iterations);
}

} // namespace poolwright::place
