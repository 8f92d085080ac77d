// SPDX-License-Identifier: Apache-2.0
#include "artefacts/firmware.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

namespace poolwright::artefacts {

namespace {

using Regions = std::vector<FirmwareRegion>;

constexpr std::uint64_t endOfMemory = std::uint64_t(1) << 32;

tl::unexpected<Diagnostics> damaged(const std::string& path, int line, std::string message, std::string hint = {}) {
    return fail(makeError("PW5051", std::move(message), {path, line, 0, {}}, std::move(hint)));
}

bool add(Regions& regions, std::string name, std::uint64_t start, std::uint64_t size) {
    if (start >= endOfMemory || size > endOfMemory - start)
        return false;
    if (size > 0)
        regions.push_back({std::move(name), {Address(start), ByteCount(std::int64_t(size))}});
    return true;
}

// ---- Linker script

/// The text with comments blanked, line ends kept.
std::string withoutComments(std::string text) {
    for (std::size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*", at)) {
        const std::size_t close = text.find("*/", at + 2);
        const std::size_t end = close == std::string::npos ? text.size() : close + 2;
        for (; at < end; ++at)
            if (text[at] != '\n')
                text[at] = ' ';
    }
    return text;
}

std::optional<std::uint64_t> numberIn(std::string_view text) {
    std::uint64_t unit = 1;
    if (!text.empty() && std::string_view("kKmM").find(text.back()) != std::string_view::npos) {
        unit = std::tolower(text.back()) == 'k' ? 1024 : 1024 * 1024;
        text.remove_suffix(1);
    }
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex)
        text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size() || value > endOfMemory / unit)
        return std::nullopt;
    return value * unit;
}

/// Numbers joined by + and -.
std::optional<std::uint64_t> sumIn(const std::string& text) {
    std::string terms;
    for (char c : text)
        if (!std::isspace(static_cast<unsigned char>(c)))
            terms += c;
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < terms.size();) {
        const bool minus = terms[at] == '-';
        at += minus || terms[at] == '+';
        const std::size_t end = std::min(terms.find_first_of("+-", at), terms.size());
        const std::optional<std::uint64_t> term = numberIn(std::string_view(terms).substr(at, end - at));
        if (!term || (minus && *term > sum))
            return std::nullopt;
        sum = minus ? sum - *term : sum + *term;
        at = end;
    }
    return terms.empty() ? std::nullopt : std::optional(sum);
}

Result<Regions> readLinkerScript(const std::string& content, std::size_t open, const std::string& path) {
    static const std::regex entry(
        R"(^\s*([A-Za-z_.$][\w.$]*)\s*(?:\([^)]*\))?\s*:\s*(?:ORIGIN|org|o)\s*=\s*([^,]+),\s*(?:LENGTH|len|l)\s*=\s*(.+?)\s*;?\s*$)");
    const std::size_t close = content.find('}', open);
    if (close == std::string::npos)
        return damaged(path, 0, "the MEMORY block does not end");
    int line = 1 + int(std::count(content.begin(), content.begin() + std::ptrdiff_t(open), '\n'));
    std::istringstream lines(content.substr(open + 1, close - open - 1));
    Regions regions;
    for (std::string text; std::getline(lines, text); ++line) {
        if (std::ranges::all_of(text, [](unsigned char c) { return std::isspace(c) != 0; }))
            continue;
        std::smatch match;
        constexpr std::size_t longestLine = 500; // std::regex recurses
        if (text.size() > longestLine || !std::regex_match(text, match, entry))
            return damaged(path, line, "this is no region of a MEMORY block",
                           "write NAME (attributes) : ORIGIN = address, LENGTH = size");
        const auto start = sumIn(match[2].str()), size = sumIn(match[3].str());
        if (!start || !size || !add(regions, match[1].str(), *start, *size))
            return damaged(
                path, line, "origin or length of " + match[1].str() + " cannot be read",
                "numbers with K or M, joined by + and -, are understood; else name the bytes with --keep-free");
    }
    return regions;
}

// ---- Map file

Result<Regions> readMap(const std::string& content, std::size_t heading, const std::string& path) {
    std::istringstream lines(content.substr(heading));
    int line = int(std::count(content.begin(), content.begin() + std::ptrdiff_t(heading), '\n'));
    Regions regions;
    for (std::string text; std::getline(lines, text);) {
        ++line;
        std::istringstream words(text);
        std::string name, start, size;
        words >> name >> start >> size;
        if (name == "*default*" || name == "Linker")
            break;
        if (!start.starts_with("0x"))
            continue;
        const auto origin = numberIn(start), length = numberIn(size);
        if (!origin || !length || !add(regions, name, *origin, *length))
            return damaged(path, line, "origin or length of " + name + " cannot be read");
    }
    return regions;
}

// ---- ELF (System V ABI, 32-bit little-endian)

std::uint32_t little(const std::string& bytes, std::size_t at, int width) {
    std::uint32_t value = 0;
    for (int i = 0; i < width; ++i)
        value |= std::uint32_t(static_cast<unsigned char>(bytes[at + std::size_t(i)])) << (8 * i);
    return value;
}

Result<Regions> readElf(const std::string& bytes, const std::string& path) {
    constexpr std::size_t headerSize = 52, segmentSize = 32;
    if (bytes.size() < headerSize || bytes[4] != 1 || bytes[5] != 1)
        return damaged(path, 0, "this is no 32-bit little-endian ELF file");
    const std::size_t table = little(bytes, 28, 4), each = little(bytes, 42, 2), count = little(bytes, 44, 2);
    if (each < segmentSize || table > bytes.size() || count > (bytes.size() - table) / each)
        return damaged(path, 0, "the program headers lie beyond the end of the file");
    Regions regions;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = table + i * each;
        const std::uint32_t running = little(bytes, at + 8, 4), loaded = little(bytes, at + 12, 4);
        const std::uint32_t fileSize = little(bytes, at + 16, 4), memorySize = little(bytes, at + 20, 4);
        if (little(bytes, at, 4) != 1) // PT_LOAD
            continue;
        const std::string name = "segment " + std::to_string(i);
        if (!add(regions, name, running, memorySize) ||
            (loaded != running && !add(regions, name + " in the image", loaded, fileSize)))
            return damaged(path, 0, name + " ends beyond 32 bits");
    }
    return regions;
}

// ---- Intel Hex

std::optional<std::vector<unsigned>> hexRecord(const std::string& text) {
    if (text.size() < 11 || text.size() % 2 == 0 || text[0] != ':')
        return std::nullopt;
    std::vector<unsigned> bytes;
    for (std::size_t at = 1; at < text.size(); at += 2) {
        unsigned byte = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + 2, byte, 16);
        if (error != std::errc() || end != text.data() + at + 2)
            return std::nullopt;
        bytes.push_back(byte);
    }
    unsigned sum = 0;
    for (unsigned byte : bytes)
        sum += byte;
    return bytes.size() == bytes[0] + 5 && sum % 256 == 0 ? std::optional(bytes) : std::nullopt;
}

Result<Regions> readHex(const std::string& content, const std::string& path) {
    enum Type { Data = 0, End = 1, Segment = 2, Linear = 4 };
    std::istringstream lines(content);
    Regions regions;
    std::uint64_t base = 0;
    int line = 0;
    for (std::string text; std::getline(lines, text);) {
        ++line;
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
            text.pop_back();
        if (text.empty())
            continue;
        const auto record = hexRecord(text);
        if (!record)
            return damaged(path, line, "this is no record of Intel Hex, or its checksum is wrong");
        const unsigned type = (*record)[3], size = (*record)[0];
        if (type == End)
            break;
        if ((type == Segment || type == Linear) && size == 2)
            base = std::uint64_t((*record)[4] * 256 + (*record)[5]) << (type == Linear ? 16 : 4);
        if (type != Data)
            continue;
        const std::uint64_t start = base + (*record)[1] * 256 + (*record)[2];
        if (!regions.empty() && regions.back().range.end().value == start)
            regions.back().range.size += ByteCount(size);
        else if (!add(regions, "data at " + toText(Address(start)), start, size))
            return damaged(path, line, "the record ends beyond 32 bits");
    }
    return regions;
}

} // namespace

Result<std::vector<FirmwareRegion>> readFirmware(const std::string& content, const std::string& path) {
    if (content.starts_with("\x7f"
                            "ELF"))
        return readElf(content, path);
    if (content.starts_with(":"))
        return readHex(content, path);
    if (const std::size_t heading = content.find("Memory Configuration"); heading != std::string::npos)
        return readMap(content, heading, path);
    const std::string script = withoutComments(content);
    constexpr std::string_view word = "MEMORY";
    for (std::size_t at = script.find(word); at != std::string::npos; at = script.find(word, at + 1)) {
        const std::size_t open = script.find_first_not_of(" \t\r\n", at + word.size());
        if (open != std::string::npos && script[open] == '{')
            return readLinkerScript(script, open, path);
    }
    return damaged(path, 0, "this is no linker script with a MEMORY block, map file, ELF file or Intel Hex");
}

} // namespace poolwright::artefacts
