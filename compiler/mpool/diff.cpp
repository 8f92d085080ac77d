// SPDX-License-Identifier: Apache-2.0
#include "mpool/diff.h"

#include "mpool/schema.h"
#include "text/escape.h"
#include "text/numbers.h"

#include <algorithm>

namespace poolwright::mpool {

namespace {

class DiffWriter {
public:
    void changed(const std::string& pool, const std::string& what, const std::string& before,
                 const std::string& after) {
        if (before != after)
            add(pool, what, before, after, (pool.empty() ? "" : pool + ": ") + what + " " + before + " -> " + after);
    }
    void add(std::string pool, std::string what, std::string before, std::string after, std::string sentence) {
        m_out.push_back({std::move(pool), std::move(what), std::move(before), std::move(after), std::move(sentence)});
    }
    std::vector<Difference> take() { return std::move(m_out); }

private:
    std::vector<Difference> m_out;
};

std::string onOff(bool value) {
    return value ? "on" : "off";
}

std::string summary(AddressRange range, const Properties& p) {
    return toText(range.start) + ", " + toText(range.size) + ", " + word(p.throughput) + "/" + word(p.latency) +
           ", ratio " + text::formatDouble(p.freqRatio);
}

void diffProperties(DiffWriter& out, const std::string& name, const Properties& a, const Properties& b) {
    out.changed(name, "rights", word(a.rights), word(b.rights));
    out.changed(name, "throughput", word(a.throughput), word(b.throughput));
    out.changed(name, "latency", word(a.latency), word(b.latency));
    out.changed(name, "byteWidth", std::to_string(a.byteWidth), std::to_string(b.byteWidth));
    out.changed(name, "freqRatio", text::formatDouble(a.freqRatio), text::formatDouble(b.freqRatio));
    out.changed(name, "read_power", text::formatDouble(a.readPower), text::formatDouble(b.readPower));
    out.changed(name, "write_power", text::formatDouble(a.writePower), text::formatDouble(b.writePower));
    out.changed(name, "cacheable", onOff(a.cacheable), onOff(b.cacheable));
    out.changed(name, "constants_preferred", onOff(a.constantsPreferred), onOff(b.constantsPreferred));
}

void diffPool(DiffWriter& out, const Pool& a, const Pool& b) {
    out.changed(a.name, "fname", a.fname, b.fname);
    out.changed(a.name, "fformat", word(a.format), word(b.format));
    out.changed(a.name, "mode", word(a.mode), word(b.mode));
    out.changed(a.name, "offset", toText(a.range().start), toText(b.range().start));
    out.changed(a.name, "size", toText(a.range().size), toText(b.range().size));
    diffProperties(out, a.name, a.properties, b.properties);
}

std::string order(const PoolFile& file, const PoolFile& other) {
    std::string names;
    for (const Pool& pool : file.pools)
        if (other.find(pool.name))
            names += (names.empty() ? "" : ", ") + pool.name;
    return names;
}

std::vector<EffectivePool> groupsOf(const PoolFile& file, RuntimeGeneration generation) {
    std::vector<EffectivePool> pools = effectivePools(file, true, generation);
    std::erase_if(pools, [](const EffectivePool& pool) { return !pool.isVirtual(); });
    return pools;
}

const EffectivePool* named(const std::vector<EffectivePool>& pools, const std::string& name) {
    const auto it =
        std::find_if(pools.begin(), pools.end(), [&](const EffectivePool& pool) { return pool.name == name; });
    return it == pools.end() ? nullptr : &*it;
}

} // namespace

std::vector<Difference> diffPools(const PoolFile& before, const PoolFile& after) {
    DiffWriter out;
    out.changed({}, "mem_file_prefix", before.memFilePrefix, after.memFilePrefix);
    for (const Pool& pool : before.pools) {
        if (const std::optional<PoolId> id = after.find(pool.name))
            diffPool(out, pool, after[*id]);
        else
            out.add(pool.name, "removed", summary(pool.range(), pool.properties), {},
                    pool.name + " is gone (" + summary(pool.range(), pool.properties) + ")");
    }
    for (const Pool& pool : after.pools)
        if (!before.find(pool.name))
            out.add(pool.name, "added", {}, summary(pool.range(), pool.properties),
                    pool.name + " is new (" + summary(pool.range(), pool.properties) + ")");
    out.changed({}, "order", order(before, after), order(after, before));
    const std::size_t common = std::min(before.caches.size(), after.caches.size());
    out.changed({}, "number of caches", std::to_string(before.caches.size()), std::to_string(after.caches.size()));
    for (std::size_t i = 0; i < common; ++i)
        if (!(before.caches[i] == after.caches[i]))
            diffProperties(out, "cacheinfo", before.caches[i].properties, after.caches[i].properties);
    return out.take();
}

std::vector<Difference> diffVirtualPools(const PoolFile& before, const PoolFile& after, RuntimeGeneration generation) {
    DiffWriter out;
    const auto a = groupsOf(before, generation), b = groupsOf(after, generation);
    for (const EffectivePool& pool : a) {
        const std::string old = summary(pool.range, pool.properties);
        if (const EffectivePool* same = named(b, pool.name))
            out.changed(pool.name, "virtual pool", old, summary(same->range, same->properties));
        else
            out.add(pool.name, "virtual pool removed", old, {},
                    "the virtual pool " + pool.name + " is gone (" + old + ")");
    }
    for (const EffectivePool& pool : b)
        if (!named(a, pool.name)) {
            const std::string now = summary(pool.range, pool.properties);
            out.add(pool.name, "virtual pool added", {}, now,
                    "the virtual pool " + pool.name + " is new (" + now + ")");
        }
    return out.take();
}

std::string differencesAsJson(const std::vector<Difference>& differences) {
    using text::jsonQuote;
    std::string out = "[";
    for (const Difference& d : differences)
        out += std::string(out.size() > 1 ? ",\n  {" : "\n  {") + "\"pool\": " + jsonQuote(d.pool) +
               ", \"what\": " + jsonQuote(d.what) + ", \"before\": " + jsonQuote(d.before) +
               ", \"after\": " + jsonQuote(d.after) + ", \"sentence\": " + jsonQuote(d.sentence) + "}";
    return out + (differences.empty() ? "]\n" : "\n]\n");
}

} // namespace poolwright::mpool
