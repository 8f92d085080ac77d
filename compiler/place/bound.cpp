// SPDX-License-Identifier: Apache-2.0
#include "place/bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poolwright::place {

namespace {

/// What one item moves in the epoch looked at.
struct Load {
    double read = 0, write = 0, size = 0;
    std::vector<bool> mayTouch; ///< by concrete pool

    double bytes() const { return read + write; }
};

class Bound {
public:
    Bound(const Instance& instance, const Layout& start)
        : m_instance(instance)
        , m_pools(std::size_t(instance.concretePools)) {
        for (const Region& region : instance.regions)
            for (const Slice& slice : region.slices)
                m_pools[std::size_t(slice.pool)] = slice;
        for (int i = 0; i < int(instance.items.size()); ++i)
            m_constantsAreBound = m_constantsAreBound && (instance.items[std::size_t(i)].firstChoice.empty() ||
                                                          start[i].isPlaced() || instance.items[std::size_t(i)].fixed);
    }

    double total() {
        std::vector<std::vector<Load>> loads(m_instance.compute.size());
        std::vector<double> alone = m_instance.compute;
        for (const Item& item : m_instance.items)
            addItem(item, loads, alone);
        if (m_instance.addsMemory)
            return cheapest();
        double sum = 0;
        for (std::size_t epoch = 0; epoch < loads.size(); ++epoch)
            sum += std::max(alone[epoch], spread(loads[epoch]));
        return sum;
    }

private:
    /// Every item where it costs least, as if it were alone.
    double cheapest() const {
        double sum = 0;
        for (const Item& item : m_instance.items) {
            double best = std::numeric_limits<double>::max();
            for (const int r : item.regions)
                if (item.solvable && m_instance.regions[std::size_t(r)].capacity() >= item.size)
                    best = std::min(best, m_instance.cheapestPrice(item, m_instance.regions[std::size_t(r)]));
            sum += best < std::numeric_limits<double>::max() ? best : 0;
        }
        return sum;
    }

    void addItem(const Item& item, std::vector<std::vector<Load>>& loads, std::vector<double>& alone) const {
        const auto& regions =
            m_constantsAreBound && !item.firstChoice.empty() && !item.fixed ? item.firstChoice : item.regions;
        const auto fits = [&](int r) { return m_instance.regions[std::size_t(r)].capacity() >= item.size; };
        if (!item.solvable || std::ranges::none_of(regions, fits))
            return; // it will have no place, and costs nothing
        std::vector<bool> mayTouch(m_pools.size());
        for (const int r : regions)
            if (fits(r))
                for (const Slice& slice : m_instance.regions[std::size_t(r)].slices)
                    mayTouch[std::size_t(slice.pool)] = true;
        for (const ItemAccess& access : item.accesses) {
            if (access.size == 0)
                continue;
            loads[std::size_t(access.epoch)].push_back(
                {access.readBytes, access.writeBytes, double(access.size), mayTouch});
            double best = std::numeric_limits<double>::max();
            for (const int r : regions)
                if (fits(r))
                    best = std::min(best, aloneIn(m_instance.regions[std::size_t(r)], access));
            alone[std::size_t(access.epoch)] = std::max(alone[std::size_t(access.epoch)], best);
        }
    }

    /// Time of one access when its bytes may straddle as many neighbouring members as they can touch.
    static double aloneIn(const Region& region, const ItemAccess& access) {
        double best = std::numeric_limits<double>::max();
        for (std::size_t first = 0; first < region.slices.size(); ++first) {
            double rate = 0;
            std::int64_t inner = 0; // bytes of the members between the outermost two
            for (std::size_t last = first; last < region.slices.size(); ++last) {
                if (last >= first + 2)
                    inner += region.slices[last - 1].hi - region.slices[last - 1].lo;
                if (inner + 2 > access.size && last > first)
                    break;
                const double cycles =
                    access.readBytes * region.slices[last].read + access.writeBytes * region.slices[last].write;
                if (cycles <= 0)
                    return 0;
                rate += 1 / cycles;
                best = std::min(best, 1 / rate);
            }
        }
        return best;
    }

    /// Most bytes that pool `p` can move in the epoch: the densest items that fill it.
    double reachable(const std::vector<Load>& loads, std::size_t p) const {
        std::vector<const Load*> eligible;
        for (const Load& load : loads)
            if (load.mayTouch[p])
                eligible.push_back(&load);
        std::ranges::sort(eligible,
                          [](const Load* a, const Load* b) { return a->bytes() * b->size > b->bytes() * a->size; });
        double room = double(m_pools[p].hi - m_pools[p].lo), bytes = 0;
        for (const Load* load : eligible) {
            const double share = std::min(1.0, room / load->size);
            bytes += share * load->bytes();
            room -= share * load->size;
            if (room <= 0)
                break;
        }
        return bytes;
    }

    /// Smallest time in which the pools together can move all bytes of an epoch.
    double spread(const std::vector<Load>& loads) const {
        double volume = 0, own = 0;
        std::vector<double> bound(m_pools.size());
        std::vector<Load> free;
        for (const Load& load : loads) {
            if (std::ranges::count(load.mayTouch, true) > 1) {
                free.push_back(load);
                volume += load.bytes();
                continue;
            }
            const std::size_t p = std::size_t(std::ranges::find(load.mayTouch, true) - load.mayTouch.begin());
            bound[p] += load.read * m_pools[p].read + load.write * m_pools[p].write;
            own = std::max(own, bound[p]);
        }
        return std::max(own, volume > 0 ? fill(free, volume) : 0);
    }

    double fill(const std::vector<Load>& loads, double volume) const {
        struct Source {
            double rate, most;
        };
        std::vector<Source> sources;
        for (std::size_t p = 0; p < m_pools.size(); ++p) {
            const double most = reachable(loads, p);
            const double cycles = std::min(m_pools[p].read, m_pools[p].write);
            if (most > 0 && cycles <= 0)
                return 0;
            if (most > 0)
                sources.push_back({1 / cycles, most});
        }
        // Pools run dry in the order most / rate; between two such moments the rate is constant.
        std::ranges::sort(sources, {}, [](const Source& source) { return source.most / source.rate; });
        double rate = 0, dry = 0;
        for (const Source& source : sources)
            rate += source.rate;
        for (const Source& source : sources) {
            if (rate <= 0 || dry + rate * (source.most / source.rate) >= volume)
                break;
            dry += source.most;
            rate -= source.rate;
        }
        return rate > 1e-12 ? std::max(0.0, (volume - dry) / rate) : 0;
    }

    const Instance& m_instance;
    std::vector<Slice> m_pools;
    bool m_constantsAreBound = true;
};

} // namespace

double lowerBound(const Instance& instance, const Layout& start) {
    return Bound(instance, start).total();
}

} // namespace poolwright::place
