// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"
#include "text/json.h"

#include <string>
#include <string_view>
#include <vector>

/// Words of the `.mpool` format (facts/file-formats.md sections 1.1 and 1.2), shared by reader, writer and edits.
namespace poolwright::mpool {

/// One key in both dialects: as people write it, as the compiler dumps it. Others are spellings that readers take as
/// well.
struct Key {
    const char* input;
    const char* dump;
    const char* other = nullptr;

    bool matches(std::string_view key) const { return key == input || key == dump || (other && key == other); }
};

namespace keys {
inline constexpr Key fname{"fname", "fname"}, name{"name", "name"}, format{"fformat", "fformat"}, mode{"mode", "mode"};
inline constexpr Key offset{"offset", "offset"}, size{"size", "size"}, prop{"prop", "prop"},
    busNode{"bus_node", "busNode"};
inline constexpr Key value{"value", "value"}, magnitude{"magnitude", "magnitude"};
inline constexpr Key rights{"rights", "rights"}, throughput{"throughput", "throughput"}, latency{"latency", "latency"};
inline constexpr Key byteWidth{"byteWidth", "byteWidth", "byte_width"},
    freqRatio{"freqRatio", "freqRatio", "freq_ratio"};
inline constexpr Key readPower{"read_power", "readPower"}, writePower{"write_power", "writePower"};
inline constexpr Key cacheable{"cacheable", "cacheable"};
inline constexpr Key constantsPreferred{"constants_preferred", "constantsPreferred"};
inline constexpr Key burstMaxLength{"burst_max_length", "burstMaxLength"},
    burstPenalty{"burst_penalty", "burstPenalty"};
inline constexpr Key pipelined{"pipelined", "pipelined"};
inline constexpr Key lines{"nlines", "nlines"}, lineSize{"linesize", "linesize"};
inline constexpr Key associativity{"associativity", "associativity"}, bypassEnable{"bypass_enable", "bypassEnable"};
inline constexpr Key memory{"memory", "memory"}, params{"params", "params"}, cacheinfo{"cacheinfo", "cacheinfo"};
inline constexpr Key filePrefix{"mem_file_prefix", "memFilePrefix"}, pools{"mempools", "mempools"};
} // namespace keys

const std::vector<Key>& poolKeys();
const std::vector<Key>& propertyKeys();
const std::vector<Key>& cacheKeys();

const text::JsonMember* findKey(const text::JsonValue& object, const Key& key);

/// The word of an enum value and back; `fromWord` answers null for a word that is none of them.
const char* word(Rights rights);
const char* word(Level level);
const char* word(FileFormat format);
const char* word(UseMode mode);
const char* word(Magnitude magnitude);
std::int64_t unitOf(Magnitude magnitude);

bool fromWord(std::string_view word, Rights& out);
bool fromWord(std::string_view word, Level& out);
bool fromWord(std::string_view word, FileFormat& out);
bool fromWord(std::string_view word, UseMode& out);
bool fromWord(std::string_view word, Magnitude& out);

/// All words an enum knows, in order: for messages and choice lists.
std::vector<std::string> rightsWords();
std::vector<std::string> levelWords();
std::vector<std::string> formatWords();
std::vector<std::string> modeWords();
std::vector<std::string> magnitudeWords();

/// The pool of epoch-controller parameters that dumps list: bytes inside generated code, 2^63 of them on paper, no
/// memory to place buffers in.
inline constexpr const char* parameterPoolName = "ec params pool";
inline bool isParameterPool(const Pool& pool) {
    return pool.name == parameterPoolName && pool.mode == UseMode::Relative;
}

/// How a `.mpool` is parsed: strict JSON is asked for, what can be read all the same gives a warning.
text::JsonOptions poolJsonOptions();

} // namespace poolwright::mpool
