// SPDX-License-Identifier: Apache-2.0
#include "mpool/splice.h"

#include "mpool/edit.h"
#include "mpool/read.h"
#include "mpool/write.h"
#include "text/escape.h"

namespace poolwright::mpool {

using text::JsonMember;
using text::JsonValue;
using text::Span;

Splice::Splice(const PoolFile& file)
    : m_file(file) {
    auto document = text::parseJson(file.text, file.path, poolJsonOptions());
    if (!document) {
        m_problems = std::move(document.error());
        return;
    }
    m_root = std::move(document->root);
    if (const JsonMember* memory = findKey(m_root, keys::memory))
        m_memory = &memory->value;
    m_dump = m_memory && m_memory->find(keys::filePrefix.dump);
}

const JsonValue* Splice::poolList() const {
    const JsonMember* list = m_memory ? findKey(*m_memory, keys::pools) : nullptr;
    return list && list->value.items.size() == m_file.pools.size() ? &list->value : nullptr;
}

const JsonValue* Splice::pool(PoolId id) {
    const JsonValue* list = poolList();
    if (list && id.isValid() && std::size_t(id.index) < list->items.size())
        return &list->items[std::size_t(id.index)];
    refuse("the file has no pool number " + std::to_string(id.index), "choose a pool of this file");
    return nullptr;
}

const JsonValue* Splice::member(const JsonValue* object, const Key& key) {
    const JsonMember* found = object ? findKey(*object, key) : nullptr;
    if (!found && object)
        refuse(std::string("\"") + key.input + "\" is missing in the text",
               "the text and the values of the file differ");
    return found ? &found->value : nullptr;
}

void Splice::replace(Span span, std::string text) {
    if (source(span) != text)
        m_edits.push_back({span, std::move(text)});
}

std::string Splice::source(Span span) const {
    return m_file.text.substr(span.begin, span.size());
}

void Splice::setString(const JsonValue& value, const std::string& text) {
    if (!value.isString())
        setRaw(value, text);
    else if (value.text != text)
        replace({value.span.begin + 1, value.span.end - 1}, text::jsonEscape(text));
}

void Splice::setRaw(const JsonValue& value, const std::string& raw) {
    replace(value.span, raw);
}

/// Comma and white space that stand between two neighbours, without comments.
std::string Splice::separatorBefore(Span previous, Span next) const {
    std::string blanks;
    for (char c : source({previous.end, next.begin})) {
        if (c == '\n')
            blanks.clear();
        if (c == ' ' || c == '\t' || c == '\n')
            blanks += c;
    }
    const bool newLine = !blanks.empty() && blanks[0] == '\n';
    const bool crlf = m_file.text.find("\r\n") != std::string::npos;
    return (newLine && crlf ? ",\r" : ",") + (blanks.empty() ? " " : blanks);
}

void Splice::setMember(const JsonValue& object, const Key& key, const std::string& raw) {
    if (const JsonMember* found = findKey(object, key))
        return setRaw(found->value, raw);
    const std::string text = text::jsonQuote(m_dump ? key.dump : key.input) + ": " + raw;
    if (object.members.empty())
        return replace({object.span.begin + 1, object.span.begin + 1}, " " + text);
    const JsonMember& last = object.members.back();
    std::string separator = ", ";
    if (object.members.size() > 1)
        separator = separatorBefore(object.members[object.members.size() - 2].value.span, last.keySpan);
    replace({last.value.span.end, last.value.span.end}, separator + text);
}

bool Splice::usesUpperCaseHex() const {
    for (const Pool& pool : m_file.pools)
        for (const std::string* text : {&pool.offset.valueText, &pool.size.valueText})
            if (text->starts_with("0x") || text->starts_with("0X")) {
                if (text->find_first_of("abcdef", 2) != std::string::npos)
                    return false;
                if (text->find_first_of("ABCDEF", 2) != std::string::npos)
                    return true;
            }
    return false;
}

void Splice::setQuantity(const JsonValue* pool, const Key& key, const Quantity& old, std::int64_t bytes) {
    const JsonValue* object = member(pool, key);
    const JsonValue* value = member(object, keys::value);
    const JsonValue* magnitude = member(object, keys::magnitude);
    if (!value || !magnitude || bytes == old.bytes)
        return;
    const Quantity now = respelled(old, bytes, usesUpperCaseHex());
    // A bare number cannot be hexadecimal: JSON has none.
    setString(*value, value->isNumber() ? normalised(bytes).valueText : now.valueText);
    setString(*magnitude, word(value->isNumber() ? normalised(bytes).magnitude : now.magnitude));
}

void Splice::insertAfter(PoolId id, const std::string& item) {
    const JsonValue* list = poolList();
    const JsonValue* before = pool(id);
    if (!list || !before)
        return;
    const std::size_t index = std::size_t(id.index);
    const Span own = before->span;
    const Span previous = index > 0 ? list->items[index - 1].span : Span{list->span.begin, list->span.begin + 1};
    replace({own.end, own.end}, separatorBefore(previous, own) + item);
}

void Splice::removeItem(PoolId id) {
    const JsonValue* list = poolList();
    const JsonValue* item = pool(id);
    if (!list || !item)
        return;
    const std::size_t index = std::size_t(id.index);
    if (index > 0)
        replace({list->items[index - 1].span.end, item->span.end}, "");
    else if (list->items.size() > 1)
        replace({item->span.begin, list->items[1].span.begin}, "");
    else
        replace({list->span.begin + 1, list->span.end - 1}, "");
}

void Splice::refuse(std::string message, std::string hint, const std::string& object) {
    m_problems.push_back(makeError("PW1220", std::move(message), {m_file.path, 0, 0, object}, std::move(hint)));
}

Result<PoolFile> Splice::finish() {
    if (!m_problems.empty())
        return fail(std::move(m_problems));
    if (m_edits.empty())
        return m_file;
    return readPools(text::applyEdits(m_file.text, std::move(m_edits)), m_file.path);
}

} // namespace poolwright::mpool
