// SPDX-License-Identifier: Apache-2.0
#include "place/buffers_json.h"

#include "text/json.h"

#include <set>

namespace poolwright::place {

namespace {

constexpr std::int64_t largestBuffer = std::int64_t(1) << 40;
constexpr std::int64_t lastEpoch = 100000;
constexpr std::int64_t mostAccesses = 1000000;

class Reader {
public:
    explicit Reader(const std::string& path)
        : m_path(path) {}

    Result<std::vector<BufferSpec>> read(const text::JsonValue& root) {
        std::vector<BufferSpec> buffers;
        if (!root.isArray())
            error("PW3320", root, std::string("a list of buffers is expected here, not ") + root.kindName());
        std::set<std::string> names;
        for (const text::JsonValue& item : root.items) {
            buffers.push_back(readBuffer(item));
            if (!names.insert(buffers.back().name).second)
                error("PW3323", item, "there are two buffers '" + buffers.back().name + "'");
        }
        if (hasErrors(m_diagnostics))
            return fail(std::move(m_diagnostics));
        return buffers;
    }

private:
    void error(const char* code, const text::JsonValue& at, const std::string& message) {
        m_diagnostics.push_back(
            makeError(code, message, {m_path, at.position.line, at.position.column, {}},
                      "a buffer is {\"name\", \"bytes\", \"epochs\": [first, last]}, if wanted with "
                      "\"accesses\", \"alignment\", \"constant\""));
    }

    BufferSpec readBuffer(const text::JsonValue& item) {
        BufferSpec buffer;
        if (!item.isObject()) {
            error("PW3320", item, std::string("a buffer is an object, not ") + item.kindName());
            return buffer;
        }
        checkKeys(item);
        const text::JsonValue* name = item.find("name");
        if (name && name->isString())
            buffer.name = name->text;
        else
            error("PW3321", name ? *name : item, "a buffer needs a \"name\"");
        buffer.size = ByteCount(integer(item, "bytes", std::nullopt, 1, largestBuffer));
        buffer.alignment = integer(item, "alignment", 1, 1, 1 << 20);
        buffer.isConstant = flag(item, "constant");
        buffer.live = epochs(item);
        buffer.accesses = spread(integer(item, "accesses", 1, 0, mostAccesses), buffer);
        return buffer;
    }

    void checkKeys(const text::JsonValue& item) {
        static const std::set<std::string> known{"name", "bytes", "epochs", "accesses", "alignment", "constant"};
        for (const text::JsonMember& member : item.members)
            if (known.count(member.key) == 0)
                error("PW3322", member.value, "a buffer has no key \"" + member.key + "\"");
    }

    std::int64_t integer(const text::JsonValue& item, const char* key, std::optional<std::int64_t> fallback,
                         std::int64_t least, std::int64_t most) {
        const text::JsonValue* value = item.find(key);
        if (!value && fallback)
            return *fallback;
        const std::optional<std::int64_t> number = value ? value->asInteger() : std::nullopt;
        if (number && *number >= least && *number <= most)
            return *number;
        error("PW3321", value ? *value : item,
              std::string("\"") + key + "\" must be a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most));
        return least;
    }

    bool flag(const text::JsonValue& item, const char* key) {
        const text::JsonValue* value = item.find(key);
        if (value && !value->isBool())
            error("PW3321", *value, std::string("\"") + key + "\" must be true or false");
        return value && value->boolean;
    }

    EpochRange epochs(const text::JsonValue& item) {
        const text::JsonValue* value = item.find("epochs");
        if (value && value->isArray() && value->items.size() == 2) {
            const auto first = value->items[0].asInteger(), last = value->items[1].asInteger();
            if (first && last && *first >= 0 && *first <= *last && *last <= lastEpoch)
                return {int(*first), int(*last)};
        }
        error("PW3321", value ? *value : item,
              "\"epochs\" must be [first, last], from 0 to " + std::to_string(lastEpoch));
        return {};
    }

    /// Access k of n falls into epoch first + k * length / n.
    static std::vector<Access> spread(std::int64_t count, const BufferSpec& buffer) {
        std::vector<Access> accesses;
        const std::int64_t length = buffer.live.last - buffer.live.first + 1;
        for (std::int64_t k = 0; k < count; ++k) {
            const int epoch = int(buffer.live.first + k * length / count);
            if (accesses.empty() || accesses.back().epoch != epoch)
                accesses.push_back({epoch, 0, 0});
            accesses.back().readBytes += buffer.size.value;
        }
        return accesses;
    }

    std::string m_path;
    Diagnostics m_diagnostics;
};

} // namespace

Result<std::vector<BufferSpec>> readBuffersJson(const std::string& text, const std::string& path) {
    const Result<text::JsonDocument> document = text::parseJson(text, path);
    if (!document)
        return fail(document.error());
    return Reader(path).read(document->root);
}

} // namespace poolwright::place
