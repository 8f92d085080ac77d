// SPDX-License-Identifier: Apache-2.0
#include "mpool/schema.h"

#include <array>
#include <utility>

namespace poolwright::mpool {

const std::vector<Key>& poolKeys() {
    using namespace keys;
    static const std::vector<Key> list = {fname, name, format, mode, prop, offset, size, busNode};
    return list;
}

const std::vector<Key>& propertyKeys() {
    using namespace keys;
    static const std::vector<Key> list = {rights,    throughput,     latency,      byteWidth,
                                          freqRatio, burstMaxLength, burstPenalty, pipelined,
                                          cacheable, readPower,      writePower,   constantsPreferred};
    return list;
}

const std::vector<Key>& cacheKeys() {
    using namespace keys;
    static const std::vector<Key> list = {lines, lineSize, associativity, bypassEnable, prop};
    return list;
}

const text::JsonMember* findKey(const text::JsonValue& object, const Key& key) {
    for (auto it = object.members.rbegin(); it != object.members.rend(); ++it)
        if (key.matches(it->key))
            return &*it;
    return nullptr;
}

template <typename Enum> using Words = std::vector<std::pair<Enum, const char*>>;

static const Words<Rights>& table(Rights) {
    static const Words<Rights> words = {{Rights::ReadOnly, "ACC_READ"}, {Rights::ReadWrite, "ACC_WRITE"}};
    return words;
}

static const Words<Level>& table(Level) {
    static const Words<Level> words = {{Level::Low, "LOW"}, {Level::Mid, "MID"}, {Level::High, "HIGH"}};
    return words;
}

static const Words<FileFormat>& table(FileFormat) {
    static const Words<FileFormat> words = {{FileFormat::Raw, "FORMAT_RAW"},       {FileFormat::Hex, "FORMAT_HEX"},
                                            {FileFormat::Hex16, "FORMAT_HEX16"},   {FileFormat::Hex32, "FORMAT_HEX32"},
                                            {FileFormat::IntelHex, "FORMAT_IHEX"}, {FileFormat::C, "FORMAT_C"}};
    return words;
}

static const Words<UseMode>& table(UseMode) {
    static const Words<UseMode> words = {{UseMode::Absolute, "USEMODE_ABSOLUTE"},
                                         {UseMode::Relative, "USEMODE_RELATIVE"}};
    return words;
}

static const Words<Magnitude>& table(Magnitude) {
    static const Words<Magnitude> words = {{Magnitude::Bytes, "BYTES"},
                                           {Magnitude::KBytes, "KBYTES"},
                                           {Magnitude::MBytes, "MBYTES"},
                                           {Magnitude::GBytes, "GBYTES"}};
    return words;
}

template <typename Enum> static const char* wordOf(Enum value) {
    for (const auto& [known, text] : table(value))
        if (known == value)
            return text;
    return "";
}

template <typename Enum> static bool readWord(std::string_view word, Enum& out) {
    for (const auto& [known, text] : table(Enum{}))
        if (word == text)
            return out = known, true;
    return false;
}

template <typename Enum> static std::vector<std::string> wordsOf() {
    std::vector<std::string> words;
    for (const auto& entry : table(Enum{}))
        words.emplace_back(entry.second);
    return words;
}

const char* word(Rights rights) {
    return wordOf(rights);
}
const char* word(Level level) {
    return wordOf(level);
}
const char* word(FileFormat format) {
    return wordOf(format);
}
const char* word(UseMode mode) {
    return wordOf(mode);
}
const char* word(Magnitude magnitude) {
    return wordOf(magnitude);
}

std::int64_t unitOf(Magnitude magnitude) {
    return std::int64_t(1) << (10 * int(magnitude));
}

bool fromWord(std::string_view word, Rights& out) {
    return readWord(word, out);
}
bool fromWord(std::string_view word, Level& out) {
    return readWord(word, out);
}
bool fromWord(std::string_view word, FileFormat& out) {
    return readWord(word, out);
}
bool fromWord(std::string_view word, UseMode& out) {
    return readWord(word, out);
}
bool fromWord(std::string_view word, Magnitude& out) {
    return readWord(word, out);
}

std::vector<std::string> rightsWords() {
    return wordsOf<Rights>();
}
std::vector<std::string> levelWords() {
    return wordsOf<Level>();
}
std::vector<std::string> formatWords() {
    return wordsOf<FileFormat>();
}
std::vector<std::string> modeWords() {
    return wordsOf<UseMode>();
}
std::vector<std::string> magnitudeWords() {
    return wordsOf<Magnitude>();
}

text::JsonOptions poolJsonOptions() {
    text::JsonOptions options;
    options.comments = text::Tolerance::Warn;
    options.trailingCommas = text::Tolerance::Warn;
    return options;
}

} // namespace poolwright::mpool
