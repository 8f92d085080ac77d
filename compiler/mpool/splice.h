// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/schema.h"

namespace poolwright::mpool {

/// Collects replacements in the text of a PoolFile and reads the outcome back. Used by mpool/edit.cpp alone.
class Splice {
public:
    explicit Splice(const PoolFile& file);

    /// The object of a pool in the parsed text, or null; then the problem is noted and finish() fails.
    const text::JsonValue* pool(PoolId id);
    /// A member of an object that must be there; null and noted otherwise.
    const text::JsonValue* member(const text::JsonValue* object, const Key& key);

    void setString(const text::JsonValue& value, const std::string& text);
    /// Puts `raw` in the place of a whole value.
    void setRaw(const text::JsonValue& value, const std::string& raw);
    /// Sets a member, adding it behind the last one in the object's layout when it is absent.
    void setMember(const text::JsonValue& object, const Key& key, const std::string& raw);
    void setQuantity(const text::JsonValue* pool, const Key& key, const Quantity& old, std::int64_t bytes);
    /// Puts `item` behind an element of "mempools", parted as that one is from its neighbours.
    void insertAfter(PoolId id, const std::string& item);
    void removeItem(PoolId id);
    void replace(text::Span span, std::string text);

    std::string source(text::Span span) const;
    bool isDumpDialect() const { return m_dump; }
    void refuse(std::string message, std::string hint, const std::string& object = {});
    Result<PoolFile> finish();

private:
    const text::JsonValue* poolList() const;
    std::string separatorBefore(text::Span previous, text::Span next) const;
    bool usesUpperCaseHex() const;

    const PoolFile& m_file;
    text::JsonValue m_root;
    const text::JsonValue* m_memory = nullptr;
    std::vector<text::TextEdit> m_edits;
    Diagnostics m_problems;
    bool m_dump = false;
};

} // namespace poolwright::mpool
