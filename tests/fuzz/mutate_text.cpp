// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate_text.h"

#include <algorithm>
#include <cctype>

namespace poolwright::fuzz {

namespace {

struct Piece {
    std::size_t start = 0, size = 0;
};

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '+';
}

std::size_t endOfString(const std::string& text, std::size_t start) {
    for (std::size_t i = start + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"' || text[i] == '\n')
            return i + 1;
    }
    return text.size();
}

/// Strings and words (numbers are words); punctuation and blanks stand between them.
std::vector<Piece> scalarsOf(const std::string& text) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t start = i;
        if (text[i] == '"')
            i = std::min(endOfString(text, i), text.size());
        else
            while (i < text.size() && isWordCharacter(text[i]))
                ++i;
        if (i > start)
            pieces.push_back({start, i - start});
        else
            ++i;
    }
    return pieces;
}

/// The group that starts with the bracket at or behind `from`, brackets included; empty without one.
Piece groupFrom(const std::string& text, std::size_t from) {
    const std::size_t start = text.find_first_of("{[", from);
    if (start == std::string::npos)
        return {};
    int depth = 0;
    for (std::size_t i = start; i < text.size(); ++i) {
        depth += text[i] == '{' || text[i] == '[' ? 1 : text[i] == '}' || text[i] == ']' ? -1 : 0;
        if (depth == 0)
            return {start, i + 1 - start};
    }
    return {};
}

const std::vector<std::string>& extremes() {
    static const std::vector<std::string> all = {"0",
                                                 "-1",
                                                 "1",
                                                 "2",
                                                 "3",
                                                 "-0.0",
                                                 "0.5",
                                                 "1e308",
                                                 "-1e308",
                                                 "1e999",
                                                 "1e-320",
                                                 "NaN",
                                                 "127",
                                                 "255",
                                                 "256",
                                                 "65536",
                                                 "2147483647",
                                                 "2147483648",
                                                 "-2147483648",
                                                 "4294967295",
                                                 "4294967296",
                                                 "9223372036854775807",
                                                 "-9223372036854775808",
                                                 "18446744073709551615",
                                                 "18446744073709551616",
                                                 "99999999999999999999999999",
                                                 "true",
                                                 "false",
                                                 "null",
                                                 "\"\"",
                                                 "\"0\"",
                                                 "\"-1\"",
                                                 "\"0x\"",
                                                 "\"0xFFFFFFFF\"",
                                                 "\"0xFFFFFFFFFFFFFFFFF\"",
                                                 "\"nan\"",
                                                 "\"../x\"",
                                                 "\"a\\u0000b\"",
                                                 "\"\\ud800\"",
                                                 "\"\xC3\"",
                                                 "[]",
                                                 "{}",
                                                 "[[1]]",
                                                 "{\"a\": 1}"};
    return all;
}

using Change = void (*)(std::string&, Dice&);

void replaceScalar(std::string& text, Dice& dice) {
    const std::vector<Piece> pieces = scalarsOf(text);
    if (pieces.empty())
        return;
    const Piece piece = dice.oneOf(pieces), other = dice.oneOf(pieces);
    text.replace(piece.start, piece.size,
                 dice.oneIn(3) ? text.substr(other.start, other.size) : dice.oneOf(extremes()));
}

/// A digit more, less or another.
void editNumber(std::string& text, Dice& dice) {
    for (int tries = 0; tries < 200; ++tries) {
        const std::size_t at = dice.below(text.size());
        if (!std::isdigit(static_cast<unsigned char>(text[at])))
            continue;
        if (dice.oneIn(3))
            text.insert(at, 1, char('0' + dice.below(10)));
        else
            text[at] = char('0' + dice.below(10));
        return;
    }
}

void removeGroup(std::string& text, Dice& dice) {
    const Piece group = groupFrom(text, dice.below(text.size()));
    text.erase(group.start, group.size);
}

void doubleGroup(std::string& text, Dice& dice) {
    const Piece group = groupFrom(text, dice.below(text.size()));
    if (group.size > 0 && group.size < 4000)
        text.insert(group.start, text.substr(group.start, group.size) + ",");
}

void copyGroup(std::string& text, Dice& dice) {
    const Piece from = groupFrom(text, dice.below(text.size())), to = groupFrom(text, dice.below(text.size()));
    if (from.size < 4000)
        text.replace(to.start, to.size, text.substr(from.start, from.size));
}

void nest(std::string& text, Dice& dice) {
    const std::size_t depth = dice.oneIn(4) ? 20000 : 1 + dice.below(30);
    const char bracket = dice.oneIn(2) ? '[' : '{';
    text.insert(dice.below(text.size()), std::string(depth, bracket));
}

void removeLine(std::string& text, Dice& dice) {
    const std::size_t start = text.find('\n', dice.below(text.size()));
    if (start != std::string::npos)
        text.erase(start, text.find('\n', start + 1) - start);
}

void doubleLine(std::string& text, Dice& dice) {
    const std::size_t start = text.find('\n', dice.below(text.size()));
    if (start != std::string::npos)
        text.insert(start, text.substr(start, std::min<std::size_t>(text.find('\n', start + 1) - start, 2000)));
}

void changeByte(std::string& bytes, Dice& dice) {
    bytes[dice.below(bytes.size())] = char(dice.any());
}
void changeBit(std::string& bytes, Dice& dice) {
    bytes[dice.below(bytes.size())] ^= char(1U << dice.below(8));
}
void cut(std::string& bytes, Dice& dice) {
    bytes.erase(dice.below(bytes.size()), 1 + dice.below(40));
}
void doubleBlock(std::string& bytes, Dice& dice) {
    const std::string block = bytes.substr(dice.below(bytes.size()), 1 + dice.below(40));
    bytes.insert(dice.below(bytes.size()), block);
}
void overwrite(std::string& bytes, Dice& dice) {
    const std::size_t size = std::min<std::size_t>(8, bytes.size());
    bytes.replace(dice.below(bytes.size() - size + 1), size, std::string(size, dice.oneIn(2) ? '\xFF' : '\0'));
}
void truncate(std::string& bytes, Dice& dice) {
    if (dice.oneIn(4))
        bytes.resize(dice.below(bytes.size()));
}

std::string apply(std::string content, const std::vector<Change>& changes, Dice& dice) {
    for (std::size_t count = 1 + dice.below(3); count > 0 && !content.empty(); --count)
        dice.oneOf(changes)(content, dice);
    return content;
}

} // namespace

std::string mutateBytes(std::string bytes, Dice& dice) {
    return apply(std::move(bytes), {changeByte, changeByte, changeBit, cut, doubleBlock, overwrite, truncate}, dice);
}

std::string mutateText(std::string text, Dice& dice) {
    if (dice.oneIn(6))
        return mutateBytes(std::move(text), dice);
    return apply(std::move(text),
                 {replaceScalar, replaceScalar, replaceScalar, replaceScalar, replaceScalar, editNumber, editNumber,
                  removeGroup, doubleGroup, copyGroup, nest, removeLine, doubleLine},
                 dice);
}

} // namespace poolwright::fuzz
