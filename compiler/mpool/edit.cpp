// SPDX-License-Identifier: Apache-2.0
#include "mpool/edit.h"

#include "mpool/read.h"
#include "mpool/splice.h"
#include "mpool/write.h"
#include "text/escape.h"
#include "text/numbers.h"

#include <algorithm>

namespace poolwright::mpool {

static constexpr std::uint64_t addressSpace = std::uint64_t(1) << 32;

static bool isHex(const std::string& text) {
    return text.starts_with("0x") || text.starts_with("0X");
}

static std::string hexLike(const std::string& old, std::uint64_t value, bool upperCaseHex) {
    const bool upper = old.find_first_of("ABCDEF", 2) != std::string::npos ||
                       (upperCaseHex && old.find_first_of("abcdef", 2) == std::string::npos);
    const int padding = old.size() > 3 && old[2] == '0' ? int(old.size()) - 2 : 1;
    return old.substr(0, 2) + text::formatHex(value, padding, upper).substr(2);
}

Quantity respelled(const Quantity& old, std::int64_t bytes, bool upperCaseHex) {
    Quantity now = old;
    now.bytes = bytes;
    while (bytes % unitOf(now.magnitude) != 0)
        now.magnitude = Magnitude(int(now.magnitude) - 1);
    const std::int64_t count = bytes / unitOf(now.magnitude);
    now.valueText =
        isHex(old.valueText) ? hexLike(old.valueText, std::uint64_t(count), upperCaseHex) : std::to_string(count);
    return now;
}

static bool exists(const PoolFile& file, PoolId id) {
    return id.isValid() && std::size_t(id.index) < file.pools.size();
}

static tl::unexpected<Diagnostics> refused(const PoolFile& file, std::string message, std::string hint,
                                           std::string object = {}) {
    return fail(makeError("PW1220", std::move(message), {file.path, 0, 0, std::move(object)}, std::move(hint)));
}

static tl::unexpected<Diagnostics> noSuchPool(const PoolFile& file) {
    return refused(file, "there is no such pool in the file", "choose a pool of this file");
}

/// Offset and size in one step; what is equal stays untouched.
static Result<PoolFile> withRange(const PoolFile& file, PoolId id, Address start, ByteCount size) {
    if (!exists(file, id))
        return noSuchPool(file);
    const Pool& pool = file[id];
    if (size.value < 0)
        return refused(file, "the pool would have a negative size", "keep the start below the end", pool.name);
    if (pool.mode == UseMode::Absolute &&
        (start.value > addressSpace || start.value + std::uint64_t(size.value) > addressSpace))
        return refused(file, "the pool would end beyond the 32-bit address space", "choose a lower address or size",
                       pool.name);
    Splice splice(file);
    const text::JsonValue* object = splice.pool(id);
    splice.setQuantity(object, keys::offset, pool.offset, std::int64_t(start.value));
    splice.setQuantity(object, keys::size, pool.size, size.value);
    return splice.finish();
}

Result<PoolFile> withStart(const PoolFile& file, PoolId pool, Address start) {
    if (!exists(file, pool))
        return noSuchPool(file);
    return withRange(file, pool, start, file[pool].range().end() - start);
}

Result<PoolFile> withEnd(const PoolFile& file, PoolId pool, Address end) {
    if (!exists(file, pool))
        return noSuchPool(file);
    return withRange(file, pool, file[pool].range().start, end - file[pool].range().start);
}

Result<PoolFile> withSize(const PoolFile& file, PoolId pool, ByteCount size) {
    if (!exists(file, pool))
        return noSuchPool(file);
    return withRange(file, pool, file[pool].range().start, size);
}

Result<PoolFile> withOffset(const PoolFile& file, PoolId pool, Address start) {
    if (!exists(file, pool))
        return noSuchPool(file);
    return withRange(file, pool, start, file[pool].range().size);
}

Result<PoolFile> disablePool(const PoolFile& file, PoolId pool) {
    return withSize(file, pool, ByteCount(0));
}

Result<PoolFile> enablePool(const PoolFile& file, PoolId pool, ByteCount size) {
    return withSize(file, pool, size);
}

/// "CACHEABLE_ON" or, where the file says it shortly, "ON".
static std::string cacheableText(const text::JsonValue& prop, bool cacheable) {
    const text::JsonMember* old = findKey(prop, keys::cacheable);
    const bool isShort = old && (old->value.text == "ON" || old->value.text == "OFF");
    return std::string(isShort ? "\"" : "\"CACHEABLE_") + (cacheable ? "ON\"" : "OFF\"");
}

static std::string preferredText(const text::JsonValue& prop, bool preferred, bool dump) {
    const text::JsonMember* old = findKey(prop, keys::constantsPreferred);
    const bool bare = old ? old->value.isBool() : dump;
    const std::string text = preferred ? "true" : "false";
    return bare ? text : '"' + text + '"';
}

Result<PoolFile> withProperties(const PoolFile& file, PoolId id, const Properties& now) {
    if (!exists(file, id))
        return noSuchPool(file);
    const Properties& old = file[id].properties;
    Splice splice(file);
    const text::JsonValue* prop = splice.member(splice.pool(id), keys::prop);
    if (!prop)
        return splice.finish();
    const auto set = [&](bool differs, const Key& key, const std::string& raw) {
        if (differs)
            splice.setMember(*prop, key, raw);
    };
    set(now.rights != old.rights, keys::rights, text::jsonQuote(word(now.rights)));
    set(now.throughput != old.throughput, keys::throughput, text::jsonQuote(word(now.throughput)));
    set(now.latency != old.latency, keys::latency, text::jsonQuote(word(now.latency)));
    set(now.byteWidth != old.byteWidth, keys::byteWidth, std::to_string(now.byteWidth));
    set(now.freqRatio != old.freqRatio, keys::freqRatio, text::formatDouble(now.freqRatio));
    set(now.readPower != old.readPower, keys::readPower, text::formatDouble(now.readPower));
    set(now.writePower != old.writePower, keys::writePower, text::formatDouble(now.writePower));
    set(now.cacheable != old.cacheable, keys::cacheable, cacheableText(*prop, now.cacheable));
    set(now.constantsPreferred != old.constantsPreferred, keys::constantsPreferred,
        preferredText(*prop, now.constantsPreferred, splice.isDumpDialect()));
    return splice.finish();
}

Result<PoolFile> withRights(const PoolFile& file, PoolId pool, Rights rights) {
    if (!exists(file, pool))
        return noSuchPool(file);
    Properties properties = file[pool].properties;
    properties.rights = rights;
    return withProperties(file, pool, properties);
}

Result<PoolFile> withCacheable(const PoolFile& file, PoolId pool, bool cacheable) {
    if (!exists(file, pool))
        return noSuchPool(file);
    Properties properties = file[pool].properties;
    properties.cacheable = cacheable;
    return withProperties(file, pool, properties);
}

Result<PoolFile> withConstantsPreferred(const PoolFile& file, PoolId pool, bool preferred) {
    if (!exists(file, pool))
        return noSuchPool(file);
    Properties properties = file[pool].properties;
    properties.constantsPreferred = preferred;
    return withProperties(file, pool, properties);
}

static Result<PoolFile> withText(const PoolFile& file, PoolId pool, const Key& key, const std::string& value) {
    if (!exists(file, pool))
        return noSuchPool(file);
    if (value.empty())
        return refused(file, std::string("\"") + key.input + "\" would be empty", "give it a name", file[pool].name);
    Splice splice(file);
    if (const text::JsonValue* object = splice.member(splice.pool(pool), key))
        splice.setString(*object, value);
    return splice.finish();
}

Result<PoolFile> withName(const PoolFile& file, PoolId pool, const std::string& name) {
    const std::optional<PoolId> taken = file.find(name);
    if (taken && *taken != pool)
        return refused(file, "there is a pool " + name + " already", "choose another name");
    return withText(file, pool, keys::name, name);
}

Result<PoolFile> withFname(const PoolFile& file, PoolId pool, const std::string& fname) {
    return withText(file, pool, keys::fname, fname);
}

Result<PoolFile> withFormat(const PoolFile& file, PoolId pool, FileFormat format) {
    return withText(file, pool, keys::format, word(format));
}

Result<PoolFile> withMode(const PoolFile& file, PoolId pool, UseMode mode) {
    if (!exists(file, pool))
        return noSuchPool(file);
    if (file[pool].mode == mode)
        return file;
    Splice splice(file);
    if (const text::JsonValue* object = splice.pool(pool))
        splice.setMember(*object, keys::mode, text::jsonQuote(word(mode)));
    return splice.finish();
}

/// Two edits in one text are two reads; only the last one's findings count.
static Result<PoolFile> then(Result<PoolFile> first, auto&& next) {
    return first ? next(*first) : first;
}

static bool touch(const PoolFile& file, PoolId lower, PoolId upper) {
    return lower != upper && file[lower].mode == UseMode::Absolute && file[upper].mode == UseMode::Absolute &&
           file[lower].isEnabled() && file[upper].isEnabled() && file[lower].range().end() == file[upper].range().start;
}

static tl::unexpected<Diagnostics> notTouching(const PoolFile& file, PoolId lower, PoolId upper) {
    return refused(file, "the end of " + file[lower].name + " is not the start of " + file[upper].name,
                   "choose two pools that touch, the lower one first", file[lower].name);
}

Result<PoolFile> moveBoundary(const PoolFile& file, PoolId lower, PoolId upper, Address edge) {
    if (!exists(file, lower) || !exists(file, upper))
        return noSuchPool(file);
    if (!touch(file, lower, upper))
        return notTouching(file, lower, upper);
    return then(withEnd(file, lower, edge), [&](const PoolFile& next) { return withStart(next, upper, edge); });
}

Result<PoolFile> insertHole(const PoolFile& file, PoolId lower, PoolId upper, ByteCount bytes, std::int64_t alignment) {
    if (!exists(file, lower) || !exists(file, upper))
        return noSuchPool(file);
    if (!touch(file, lower, upper))
        return notTouching(file, lower, upper);
    if (bytes.value <= 0 || alignment <= 0)
        return refused(file, "a hole needs at least one byte", "give a size of 1 or more");
    const std::uint64_t end = (file[upper].range().start - bytes).value;
    const Address aligned(end - end % std::uint64_t(alignment));
    if (bytes.value >= file[lower].range().size.value || aligned <= file[lower].range().start)
        return refused(file, "the hole would swallow " + file[lower].name, "make the hole smaller", file[lower].name);
    return withEnd(file, lower, aligned);
}

Result<PoolFile> closeHole(const PoolFile& file, PoolId lower, PoolId upper) {
    if (!exists(file, lower) || !exists(file, upper))
        return noSuchPool(file);
    const Address end = file[upper].range().start;
    if (!file[lower].isEnabled() || !file[upper].isEnabled() || file[lower].range().end() > end)
        return refused(file, "there is no hole between " + file[lower].name + " and " + file[upper].name,
                       "choose two pools with a gap between them, the lower one first", file[lower].name);
    for (const Pool& other : file.pools)
        if (other.mode == UseMode::Absolute &&
            other.range().overlaps({file[lower].range().end(), end - file[lower].range().end()}))
            return refused(file, "pool " + other.name + " lies in the gap", "move or disable it first", other.name);
    return withEnd(file, lower, end);
}

static Result<PoolFile> withCopy(const PoolFile& file, PoolId pool, const std::string& name) {
    if (file.find(name))
        return refused(file, "there is a pool " + name + " already", "choose another name");
    Splice splice(file);
    const text::JsonValue* object = splice.pool(pool);
    const text::JsonValue* nameValue = splice.member(object, keys::name);
    if (!object || !nameValue)
        return splice.finish();
    const std::size_t base = object->span.begin;
    std::string copy = splice.source(object->span);
    copy.replace(nameValue->span.begin - base, nameValue->span.size(), text::jsonQuote(name));
    splice.insertAfter(pool, copy);
    return splice.finish();
}

Result<PoolFile> splitPool(const PoolFile& file, PoolId pool, Address at, const std::string& name,
                           const std::string& fname) {
    if (!exists(file, pool))
        return noSuchPool(file);
    const AddressRange range = file[pool].range();
    if (at <= range.start || at >= range.end())
        return refused(file, "the cut at " + toText(at) + " is not inside " + file[pool].name,
                       "choose an address inside the pool", file[pool].name);
    const PoolId upper(pool.index + 1);
    return then(withCopy(file, pool, name), [&](const PoolFile& copied) {
        return then(withFname(copied, upper, fname), [&](const PoolFile& named) {
            return then(withStart(named, upper, at), [&](const PoolFile& cut) { return withEnd(cut, pool, at); });
        });
    });
}

Result<PoolFile> mergePools(const PoolFile& file, PoolId lower, PoolId upper) {
    if (!exists(file, lower) || !exists(file, upper))
        return noSuchPool(file);
    if (!touch(file, lower, upper))
        return notTouching(file, lower, upper);
    return then(withEnd(file, lower, file[upper].range().end()),
                [&](const PoolFile& next) { return removePool(next, upper); });
}

/// A file without pools has no neighbour to imitate.
static Result<PoolFile> withFirstPool(const PoolFile& file, const Pool& pool) {
    PoolFile one = file;
    one.pools = {pool};
    one.pools[0].offset = normalised(pool.offset.bytes);
    one.pools[0].size = normalised(pool.size.bytes);
    Result<PoolFile> result = readPools(writeCanonical(one), file.path);
    return result;
}

Result<PoolFile> addPool(const PoolFile& file, const Pool& pool) {
    if (pool.name.empty() || pool.fname.empty())
        return refused(file, "a pool needs a name and an fname", "fill in both");
    if (file.pools.empty())
        return withFirstPool(file, pool);
    const PoolId last(file.pools.size() - 1), added(file.pools.size());
    return then(withCopy(file, last, pool.name), [&](const PoolFile& copy) {
        return then(withFname(copy, added, pool.fname), [&](const PoolFile& named) {
            return then(withFormat(named, added, pool.format), [&](const PoolFile& formatted) {
                return then(withMode(formatted, added, pool.mode), [&](const PoolFile& moded) {
                    return then(withProperties(moded, added, pool.properties), [&](const PoolFile& propped) {
                        return withRange(propped, added, pool.range().start, pool.range().size);
                    });
                });
            });
        });
    });
}

Result<PoolFile> removePool(const PoolFile& file, PoolId pool) {
    Splice splice(file);
    splice.removeItem(pool);
    return splice.finish();
}

} // namespace poolwright::mpool
