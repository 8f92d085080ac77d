// SPDX-License-Identifier: Apache-2.0
#include "mpool/write.h"

#include "mpool/schema.h"
#include "mpool/virtual.h"
#include "text/escape.h"
#include "text/numbers.h"

#include <algorithm>
#include <numeric>

namespace poolwright::mpool {

namespace {

using text::JsonMember;
using text::jsonQuote;
using text::JsonValue;

/// An object on one line: `{ "a": 1, "b": 2 }`.
class Line {
public:
    Line& add(const std::string& key, const std::string& value) {
        m_text += (m_text.empty() ? " " : ", ") + jsonQuote(key) + ": " + value;
        return *this;
    }
    std::string done() const { return "{" + m_text + " }"; }

private:
    std::string m_text;
};

/// Writes a file from its values, with the spelling of its text where that says the same.
class CanonicalWriter {
public:
    explicit CanonicalWriter(const PoolFile& file)
        : m_file(file) {
        if (file.text.empty())
            return;
        if (auto document = text::parseJson(file.text, file.path, poolJsonOptions()))
            m_document = std::move(document->root);
        if (const JsonMember* memory = findKey(m_document, keys::memory))
            m_memory = &memory->value;
    }

    std::string write() {
        m_out = "{\n";
        if (const JsonMember* params = findKey(m_document, keys::params))
            m_out += "  \"params\": " + toCompactJson(params->value) + ",\n";
        m_out += "  \"memory\": {\n";
        m_out += "    \"mem_file_prefix\": " + jsonQuote(m_file.memFilePrefix) + ",\n";
        writeList("cacheinfo", m_file.caches.size(), [&](std::size_t i) { writeCache(i); });
        m_out += ",\n";
        writeList("mempools", m_file.pools.size(), [&](std::size_t i) { writePool(i); });
        writeExtras(m_memory, {keys::cacheinfo, keys::filePrefix, keys::pools}, "    ");
        m_out += "\n  }";
        writeExtras(&m_document, {keys::params, keys::memory}, "  ");
        return m_out + "\n}\n";
    }

private:
    template <typename Item> void writeList(const std::string& name, std::size_t count, Item item) {
        m_out += "    " + jsonQuote(name) + ": [";
        for (std::size_t i = 0; i < count; ++i) {
            m_out += i ? ",\n      {\n" : "\n      {\n";
            item(i);
            m_out += "\n      }";
        }
        m_out += count ? "\n    ]" : "]";
    }

    /// Element i of a list in the source text, or null.
    const JsonValue* sourceItem(const Key& list, std::size_t i, std::size_t count) const {
        const JsonMember* member = m_memory ? findKey(*m_memory, list) : nullptr;
        return member && member->value.items.size() == count ? &member->value.items[i] : nullptr;
    }

    static const JsonValue* sourceOf(const JsonValue* object, const Key& key) {
        const JsonMember* member = object ? findKey(*object, key) : nullptr;
        return member ? &member->value : nullptr;
    }

    static std::string number(double value, const JsonValue* source) {
        return source && source->asDouble() == value ? source->text : text::formatDouble(value);
    }

    void extras(Line& line, const JsonValue* object, const std::vector<Key>& known) const {
        if (!object)
            return;
        for (const JsonMember& member : object->members)
            if (isExtra(member, known))
                line.add(member.key, toCompactJson(member.value));
    }

    void writeExtras(const JsonValue* object, const std::vector<Key>& known, const std::string& indent) {
        if (!object)
            return;
        for (const JsonMember& member : object->members)
            if (isExtra(member, known))
                m_out += ",\n" + indent + jsonQuote(member.key) + ": " + toCompactJson(member.value);
    }

    static bool isExtra(const JsonMember& member, const std::vector<Key>& known) {
        return std::none_of(known.begin(), known.end(), [&](const Key& key) { return key.matches(member.key); });
    }

    std::string properties(const Properties& p, const JsonValue* source) const {
        Line line;
        line.add("rights", jsonQuote(word(p.rights)));
        line.add("throughput", jsonQuote(word(p.throughput)));
        line.add("latency", jsonQuote(word(p.latency)));
        line.add("byteWidth", std::to_string(p.byteWidth));
        line.add("freqRatio", number(p.freqRatio, sourceOf(source, keys::freqRatio)));
        line.add("read_power", number(p.readPower, sourceOf(source, keys::readPower)));
        line.add("write_power", number(p.writePower, sourceOf(source, keys::writePower)));
        if (p.cacheable || sourceOf(source, keys::cacheable))
            line.add("cacheable", p.cacheable ? "\"CACHEABLE_ON\"" : "\"CACHEABLE_OFF\"");
        if (p.constantsPreferred || sourceOf(source, keys::constantsPreferred))
            line.add("constants_preferred", p.constantsPreferred ? "\"true\"" : "\"false\"");
        using namespace keys;
        extras(
            line, source,
            {rights, throughput, latency, byteWidth, freqRatio, readPower, writePower, cacheable, constantsPreferred});
        return line.done();
    }

    static std::string quantity(const Quantity& q) {
        return Line().add("value", jsonQuote(q.valueText)).add("magnitude", jsonQuote(word(q.magnitude))).done();
    }

    void writeCache(std::size_t i) {
        const CacheInfo& cache = m_file.caches[i];
        const JsonValue* source = sourceItem(keys::cacheinfo, i, m_file.caches.size());
        m_out += "        \"nlines\": " + std::to_string(cache.lines);
        m_out += ", \"linesize\": " + std::to_string(cache.lineSize);
        m_out += ", \"associativity\": " + std::to_string(cache.associativity);
        m_out += std::string(", \"bypass_enable\": ") + (cache.bypassEnable ? "1" : "0");
        m_out += ",\n        \"prop\": " + properties(cache.properties, sourceOf(source, keys::prop));
        writeExtras(source, cacheKeys(), "        ");
    }

    void writePool(std::size_t i) {
        const Pool& pool = m_file.pools[i];
        const JsonValue* source = sourceItem(keys::pools, i, m_file.pools.size());
        const std::string indent = "        ";
        m_out += indent + "\"fname\": " + jsonQuote(pool.fname) + ", \"name\": " + jsonQuote(pool.name);
        m_out += ", \"fformat\": " + jsonQuote(word(pool.format));
        if (pool.mode == UseMode::Relative || sourceOf(source, keys::mode))
            m_out += ", \"mode\": " + jsonQuote(word(pool.mode));
        m_out += ",\n" + indent + "\"prop\": " + properties(pool.properties, sourceOf(source, keys::prop));
        m_out += ",\n" + indent + "\"offset\": " + quantity(pool.offset);
        m_out += ",\n" + indent + "\"size\": " + quantity(pool.size);
        using namespace keys;
        writeExtras(source, {fname, name, format, mode, prop, offset, size}, indent);
    }

    const PoolFile& m_file;
    JsonValue m_document;
    const JsonValue* m_memory = nullptr;
    std::string m_out;
};

/// One key a line, one space of indent a level: the layout of the vendor's dumps.
class DumpWriter {
public:
    std::string write(const PoolFile& file, const std::vector<Pool>& pools) {
        m_out = "{\n \"memory\": {\n  \"memFilePrefix\": " + jsonQuote(file.memFilePrefix) + ",\n  \"mempools\": [";
        for (std::size_t i = 0; i < pools.size(); ++i)
            writePool(pools[i], i == 0);
        m_out += pools.empty() ? "],\n" : "\n  ],\n";
        m_out += "  \"cacheinfo\": [";
        for (std::size_t i = 0; i < file.caches.size(); ++i)
            writeCache(file.caches[i], i == 0);
        return m_out + (file.caches.empty() ? "]\n }\n}\n\n" : "\n  ]\n }\n}\n\n");
    }

private:
    void open(bool first) {
        m_out += first ? "\n   {" : ",\n   {";
        m_first = true;
    }
    void close() { m_out += "\n   }"; }

    void add(int depth, const std::string& key, const std::string& value) {
        m_out += (m_first ? "\n" : ",\n") + std::string(std::size_t(depth), ' ') + jsonQuote(key) + ": " + value;
        m_first = false;
    }
    void begin(const std::string& key) {
        add(4, key, "{");
        m_first = true;
    }
    void end() {
        m_out += "\n    }";
        m_first = false;
    }

    void writeProperties(const Properties& p) {
        begin("prop");
        add(5, "rights", jsonQuote(word(p.rights)));
        add(5, "throughput", jsonQuote(word(p.throughput)));
        add(5, "latency", jsonQuote(word(p.latency)));
        add(5, "byteWidth", std::to_string(p.byteWidth));
        add(5, "freqRatio", text::formatDouble(p.freqRatio));
        add(5, "burstMaxLength", "4294967295");
        add(5, "burstPenalty", "0");
        add(5, "pipelined", "\"PIPELINED_ON\"");
        add(5, "cacheable", p.cacheable ? "\"CACHEABLE_ON\"" : "\"CACHEABLE_OFF\"");
        add(5, "readPower", text::formatDouble(p.readPower));
        add(5, "writePower", text::formatDouble(p.writePower));
        add(5, "constantsPreferred", p.constantsPreferred ? "true" : "false");
        end();
    }

    void writeQuantity(const std::string& key, std::int64_t bytes) {
        const Quantity q = normalised(bytes);
        begin(key);
        add(5, "value", jsonQuote(q.valueText));
        add(5, "magnitude", jsonQuote(word(q.magnitude)));
        end();
    }

    void writePool(const Pool& pool, bool first) {
        open(first);
        add(4, "fname", jsonQuote(pool.fname));
        add(4, "name", jsonQuote(pool.name));
        add(4, "fformat", jsonQuote(word(pool.format)));
        writeProperties(pool.properties);
        writeQuantity("offset", pool.offset.bytes);
        writeQuantity("size", pool.size.bytes);
        add(4, "mode", jsonQuote(word(pool.mode)));
        add(4, "busNode", "0");
        close();
    }

    void writeCache(const CacheInfo& cache, bool first) {
        open(first);
        add(4, "nlines", std::to_string(cache.lines));
        add(4, "linesize", std::to_string(cache.lineSize));
        add(4, "associativity", std::to_string(cache.associativity));
        // All three known dumps say 0 although their inputs said 1 (facts/file-formats.md section 1.2).
        add(4, "bypassEnable", "0");
        writeProperties(cache.properties);
        close();
    }

    std::string m_out;
    bool m_first = true;
};

} // namespace

std::string writeCanonical(const PoolFile& file) {
    return CanonicalWriter(file).write();
}

Quantity normalised(std::int64_t bytes) {
    Quantity out;
    out.bytes = bytes;
    for (Magnitude magnitude : {Magnitude::KBytes, Magnitude::MBytes})
        if (bytes != 0 && bytes % unitOf(magnitude) == 0)
            out.magnitude = magnitude;
    out.valueText = std::to_string(bytes / unitOf(out.magnitude));
    return out;
}

std::vector<PoolId> dumpOrder(const PoolFile& file) {
    std::vector<PoolId> ids;
    for (std::size_t i = file.pools.size(); i-- > 0;)
        ids.emplace_back(i);
    const auto score = [&](PoolId id) { return poolScore(file[id].properties, false, RuntimeGeneration::V2); };
    std::stable_sort(ids.begin(), ids.end(), [&](PoolId a, PoolId b) { return score(a) > score(b); });
    return ids;
}

static Pool epochControllerPool() {
    Pool pool;
    pool.name = parameterPoolName;
    pool.fname = "params";
    pool.format = FileFormat::C;
    pool.mode = UseMode::Relative;
    pool.size.bytes = 9223372036854775776;
    pool.properties.rights = Rights::ReadOnly;
    pool.properties.throughput = Level::Low;
    pool.properties.latency = Level::High;
    pool.properties.byteWidth = 2;
    return pool;
}

std::string writeDump(const PoolFile& file, const DumpOptions& options) {
    PoolFile shown = file;
    if (options.reserveTail)
        for (const EffectivePool& pool : effectivePools(file, true, RuntimeGeneration::V2))
            if (!pool.isVirtual())
                shown.pools[std::size_t(pool.members.front().index)].size.bytes -= pool.reservedTail.value;
    std::vector<Pool> pools;
    for (PoolId id : dumpOrder(file))
        pools.push_back(shown[id]);
    const bool present = file.find(parameterPoolName).has_value();
    if (options.epochControllerParameters && !present)
        pools.push_back(epochControllerPool());
    return DumpWriter().write(file, pools);
}

} // namespace poolwright::mpool
