// SPDX-License-Identifier: Apache-2.0
#include "mpool/read.h"

#include "mpool/check.h"
#include "mpool/schema.h"
#include "text/numbers.h"
#include "text/similar.h"

#include <cmath>
#include <limits>

namespace poolwright::mpool {

namespace {

using text::JsonMember;
using text::JsonValue;

/// Walks the parsed text once; errors and warnings gather while it goes on, so that one run names everything.
class PoolReader {
public:
    explicit PoolReader(PoolFile& file)
        : m_file(file) {}

    void read(const JsonValue& root) {
        if (!expectObject(root, "the file"))
            return;
        warnUnknown(root, {keys::params, keys::memory}, "the file");
        const JsonMember* memory = require(root, keys::memory, "the file");
        if (memory && expectObject(memory->value, "\"memory\""))
            readMemory(memory->value);
    }

    Diagnostics takeErrors() { return std::move(m_errors); }

private:
    SourceLocation placeOf(text::Position position) const {
        return {m_file.path, position.line, position.column, m_object};
    }

    void error(const char* code, text::Position position, std::string message, std::string hint) {
        m_errors.push_back(makeError(code, std::move(message), placeOf(position), std::move(hint)));
    }
    void warn(const char* code, text::Position position, std::string message, std::string hint) {
        m_file.findings.push_back(makeWarning(code, std::move(message), placeOf(position), std::move(hint)));
    }

    bool expectObject(const JsonValue& value, const std::string& what) {
        return expect(value, value.isObject(), what, "an object");
    }

    bool expect(const JsonValue& value, bool good, const std::string& what, const std::string& wanted) {
        if (!good)
            error("PW1203", value.position, what + " must be " + wanted + ", not " + value.kindName(),
                  "write " + wanted + " here");
        return good;
    }

    const JsonMember* require(const JsonValue& object, const Key& key, const std::string& where) {
        const JsonMember* member = findKey(object, key);
        if (!member)
            error("PW1201", object.position, where + " has no \"" + key.input + "\"", missingHint(object, key));
        return member;
    }

    static std::string missingHint(const JsonValue& object, const Key& key) {
        std::vector<std::string> present;
        for (const JsonMember& member : object.members)
            present.push_back(member.key);
        const std::vector<std::string> near = text::nearestNames(key.input, present, 1);
        if (!near.empty() && text::editDistance(key.input, near[0]) <= 4)
            return "is \"" + near[0] + "\" meant to be \"" + key.input + "\"?";
        return std::string("add \"") + key.input + "\"";
    }

    void warnUnknown(const JsonValue& object, const std::vector<Key>& known, const std::string& where) {
        for (const JsonMember& member : object.members) {
            bool found = false;
            std::vector<std::string> names;
            for (const Key& key : known) {
                found |= key.matches(member.key);
                names.emplace_back(key.input);
            }
            if (found)
                continue;
            const std::vector<std::string> near = text::nearestNames(member.key, names, 1);
            warn("PW1202", member.keyPosition,
                 "unknown key \"" + member.key + "\" in " + where + "; it is kept and ignored",
                 near.empty() ? "known keys: " + text::joinedWithOr(names) : "is \"" + near[0] + "\" meant?");
        }
    }

    void readMemory(const JsonValue& memory) {
        warnUnknown(memory, {keys::cacheinfo, keys::filePrefix, keys::pools}, "\"memory\"");
        if (const JsonMember* prefix = findKey(memory, keys::filePrefix))
            readString(*prefix, m_file.memFilePrefix);
        else
            warn("PW1201", memory.position, "\"memory\" has no \"mem_file_prefix\"; \"atonbuf\" is taken",
                 "add \"mem_file_prefix\": \"atonbuf\"");
        readCaches(memory);
        const JsonMember* pools = require(memory, keys::pools, "\"memory\"");
        if (!pools || !expect(pools->value, pools->value.isArray(), "\"mempools\"", "an array"))
            return;
        for (const JsonValue& item : pools->value.items)
            readPool(item);
    }

    void readCaches(const JsonValue& memory) {
        const JsonMember* caches = findKey(memory, keys::cacheinfo);
        if (!caches) {
            warn("PW1201", memory.position, "\"memory\" has no \"cacheinfo\"",
                 "copy it from a stock pool file; it describes the NPU cache");
            return;
        }
        if (!expect(caches->value, caches->value.isArray(), "\"cacheinfo\"", "an array"))
            return;
        for (const JsonValue& item : caches->value.items) {
            m_object = "cacheinfo";
            if (expectObject(item, "a cache"))
                readCache(item);
            m_object.clear();
        }
    }

    void readCache(const JsonValue& object) {
        warnUnknown(object, cacheKeys(), "the cache");
        CacheInfo cache;
        readInt(object, keys::lines, cache.lines, false);
        readInt(object, keys::lineSize, cache.lineSize, false);
        readInt(object, keys::associativity, cache.associativity, false);
        int bypass = 1;
        if (const JsonMember* member = findKey(object, keys::bypassEnable)) {
            if (member->value.isBool())
                bypass = member->value.boolean;
            else
                readInt(object, keys::bypassEnable, bypass, false);
        }
        cache.bypassEnable = bypass != 0;
        if (const JsonMember* prop = require(object, keys::prop, "the cache"))
            readProperties(prop->value, cache.properties);
        m_file.caches.push_back(std::move(cache));
    }

    void readPool(const JsonValue& object) {
        m_object = "pool " + std::to_string(m_file.pools.size() + 1);
        Pool pool;
        if (expectObject(object, m_object)) {
            if (const JsonValue* name = object.find(keys::name.input); name && name->isString() && !name->text.empty())
                m_object = name->text;
            readPoolMembers(object, pool);
        }
        pool.where = placeOf(object.position);
        m_file.pools.push_back(std::move(pool));
        m_object.clear();
    }

    void readPoolMembers(const JsonValue& object, Pool& pool) {
        const std::string where = "pool " + m_object;
        warnUnknown(object, poolKeys(), where);
        if (const JsonMember* member = require(object, keys::name, where))
            readName(*member, pool.name);
        if (const JsonMember* member = require(object, keys::fname, where))
            readName(*member, pool.fname);
        if (const JsonMember* member = require(object, keys::format, where))
            readEnum(*member, pool.format, formatWords());
        if (const JsonMember* member = findKey(object, keys::mode))
            readEnum(*member, pool.mode, modeWords());
        if (const JsonMember* member = require(object, keys::prop, where))
            readProperties(member->value, pool.properties);
        if (const JsonMember* member = require(object, keys::offset, where))
            readQuantity(*member, pool.offset);
        if (const JsonMember* member = require(object, keys::size, where))
            readQuantity(*member, pool.size);
        checkEnd(object, pool);
    }

    void checkEnd(const JsonValue& object, const Pool& pool) {
        if (pool.offset.bytes > std::numeric_limits<std::int64_t>::max() - pool.size.bytes)
            error("PW1205", object.position, "offset plus size does not fit 64 bits",
                  "check offset, size and their magnitudes");
    }

    void readProperties(const JsonValue& object, Properties& out) {
        if (!expectObject(object, "\"prop\""))
            return;
        const std::string where = "\"prop\"";
        warnUnknown(object, propertyKeys(), where);
        if (const JsonMember* member = require(object, keys::rights, where))
            readEnum(*member, out.rights, rightsWords());
        if (const JsonMember* member = require(object, keys::throughput, where))
            readEnum(*member, out.throughput, levelWords());
        if (const JsonMember* member = require(object, keys::latency, where))
            readEnum(*member, out.latency, levelWords());
        if (require(object, keys::byteWidth, where))
            readInt(object, keys::byteWidth, out.byteWidth, true);
        if (const JsonMember* member = require(object, keys::freqRatio, where))
            readNumber(*member, out.freqRatio, true);
        if (const JsonMember* member = findKey(object, keys::readPower))
            readNumber(*member, out.readPower, false);
        if (const JsonMember* member = findKey(object, keys::writePower))
            readNumber(*member, out.writePower, false);
        if (const JsonMember* member = findKey(object, keys::cacheable))
            readCacheable(*member, out.cacheable);
        if (const JsonMember* member = findKey(object, keys::constantsPreferred))
            readBool(*member, out.constantsPreferred);
    }

    void readString(const JsonMember& member, std::string& out) {
        if (expect(member.value, member.value.isString(), '"' + member.key + '"', "a string"))
            out = member.value.text;
    }

    void readName(const JsonMember& member, std::string& out) {
        readString(member, out);
        if (member.value.isString() && out.empty())
            error("PW1203", member.value.position, '"' + member.key + "\" is empty", "give it a name of its own");
        if (out.find_first_of("/\\\n") != std::string::npos)
            warn("PW1203", member.value.position, '"' + member.key + "\" holds a character that no file name can",
                 "names become parts of file names and C symbols: letters, digits and _");
    }

    template <typename Enum> void readEnum(const JsonMember& member, Enum& out, const std::vector<std::string>& words) {
        if (!expect(member.value, member.value.isString(), '"' + member.key + '"', "a string"))
            return;
        if (!fromWord(member.value.text, out))
            badWord(member, words);
    }

    void badWord(const JsonMember& member, const std::vector<std::string>& words) {
        error("PW1204", member.value.position, '"' + member.value.text + "\" is no value of \"" + member.key + '"',
              "it may be " + text::joinedWithOr(words));
    }

    void readCacheable(const JsonMember& member, bool& out) {
        if (!expect(member.value, member.value.isString(), "\"cacheable\"", "a string"))
            return;
        const std::string& word = member.value.text;
        if (word == "CACHEABLE_ON" || word == "ON")
            out = true;
        else if (word == "CACHEABLE_OFF" || word == "OFF")
            out = false;
        else
            badWord(member, {"CACHEABLE_ON", "CACHEABLE_OFF"});
    }

    void readBool(const JsonMember& member, bool& out) {
        const JsonValue& value = member.value;
        if (value.isBool())
            out = value.boolean;
        else if (expect(value, value.isString(), '"' + member.key + '"', "\"true\", \"false\", true or false")) {
            if (value.text == "true" || value.text == "false")
                out = value.text == "true";
            else
                badWord(member, {"\"true\"", "\"false\""});
        }
    }

    void readInt(const JsonValue& object, const Key& key, int& out, bool positive) {
        const JsonMember* member = findKey(object, key);
        if (!member || !expect(member->value, member->value.isNumber(), '"' + member->key + '"', "a number"))
            return;
        const std::optional<std::int64_t> number = member->value.asInteger();
        if (!number || *number < (positive ? 1 : 0) || *number > std::numeric_limits<int>::max())
            error("PW1205", member->value.position, '"' + member->key + "\" is " + member->value.text,
                  positive ? "it must be a whole number from 1" : "it must be a whole number from 0");
        else
            out = int(*number);
    }

    void readNumber(const JsonMember& member, double& out, bool positive) {
        if (!expect(member.value, member.value.isNumber(), '"' + member.key + '"', "a number"))
            return;
        const std::optional<double> number = member.value.asDouble();
        if (!number || !std::isfinite(*number) || *number < 0 || (positive && *number == 0))
            error("PW1205", member.value.position, '"' + member.key + "\" is " + member.value.text,
                  positive ? "it must be greater than 0" : "it must not be negative and must fit a double");
        else
            out = *number;
    }

    void readQuantity(const JsonMember& member, Quantity& out) {
        if (!expectObject(member.value, '"' + member.key + '"'))
            return;
        warnUnknown(member.value, {keys::value, keys::magnitude}, '"' + member.key + '"');
        const std::string where = '"' + member.key + '"';
        const JsonMember* magnitude = require(member.value, keys::magnitude, where);
        if (magnitude)
            readEnum(*magnitude, out.magnitude, magnitudeWords());
        if (const JsonMember* value = require(member.value, keys::value, where))
            readQuantityValue(member.key, value->value, out);
    }

    void readQuantityValue(const std::string& key, const JsonValue& value, Quantity& out) {
        if (value.isNumber())
            warn("PW1203", value.position, "the value of \"" + key + "\" is a bare number", "put it in double quotes");
        else if (!expect(value, value.isString(), "the value of \"" + key + '"', "a string"))
            return;
        out.valueText = value.text;
        const std::optional<std::uint64_t> number = text::parseUnsigned(value.text);
        if (!number)
            return badQuantity(key, value);
        if (*number > std::uint64_t(std::numeric_limits<std::int64_t>::max()) / std::uint64_t(unitOf(out.magnitude)))
            error("PW1205", value.position, "\"" + key + "\" overflows: " + value.text + " " + word(out.magnitude),
                  "the most is 2^63 - 1 bytes; check the magnitude");
        else
            out.bytes = std::int64_t(*number) * unitOf(out.magnitude);
    }

    void badQuantity(const std::string& key, const JsonValue& value) {
        if (value.text.starts_with('-'))
            error("PW1205", value.position, "\"" + key + "\" is negative: " + value.text,
                  key == "size" ? "size 0 switches a pool off" : "addresses start at 0");
        else
            error("PW1205", value.position, "\"" + value.text + "\" is no number",
                  "write digits or 0x and hexadecimal digits; the unit stands in \"magnitude\"");
    }

    PoolFile& m_file;
    std::string m_object;
    Diagnostics m_errors;
};

} // namespace

Result<PoolFile> readPools(std::string text, std::string path, const std::vector<BankRange>& banks) {
    PoolFile file;
    file.path = std::move(path);
    file.text = std::move(text);
    auto document = text::parseJson(file.text, file.path, poolJsonOptions());
    if (!document)
        return fail(std::move(document.error()));
    file.findings = std::move(document->warnings);
    PoolReader reader(file);
    reader.read(document->root);
    if (Diagnostics errors = reader.takeErrors(); !errors.empty()) {
        errors.insert(errors.end(), file.findings.begin(), file.findings.end());
        return fail(std::move(errors));
    }
    for (const Diagnostics& found : {checkPools(file), checkBanks(file, banks)})
        file.findings.insert(file.findings.end(), found.begin(), found.end());
    return file;
}

} // namespace poolwright::mpool
