// SPDX-License-Identifier: Apache-2.0
#include "emulate/initialiser.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace poolwright::emulate {

using mpool::FileFormat;
using program::Program;

namespace {

using Blocks = std::vector<MemoryBlock>;

int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Hexadecimal words separated by blanks; an optional 0x before each.
Result<Blocks> readHexDump(const std::string& content, std::size_t wordBytes, Address base, const std::string& path) {
    MemoryBlock block{base, {}};
    int line = 1;
    for (std::size_t at = 0; at < content.size();) {
        if (isSpace(content[at])) {
            line += content[at++] == '\n';
            continue;
        }
        if (content.compare(at, 2, "0x") == 0)
            at += 2;
        std::uint32_t word = 0;
        std::size_t digits = 0;
        for (; at < content.size() && hexDigit(content[at]) >= 0; ++at, ++digits)
            word = word << 4 | std::uint32_t(hexDigit(content[at]));
        if (digits != 2 * wordBytes)
            return fail(makeError("PW4160",
                                  "a word of " + std::to_string(2 * wordBytes) + " hexadecimal digits is expected",
                                  {path, line, 0, {}}));
        for (std::size_t i = 0; i < wordBytes; ++i)
            block.bytes.push_back(std::uint8_t(word >> (8 * i)));
    }
    return Blocks{std::move(block)};
}

/// The numbers between the braces of a C array of 64-bit words.
Result<Blocks> readCArray(const std::string& content, Address base, const std::string& path) {
    const std::size_t open = content.find('{');
    const std::size_t close = content.find('}', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos)
        return fail(makeError("PW4161", "no array between braces", {path, 0, 0, {}}));
    MemoryBlock block{base, {}};
    for (std::size_t at = content.find("0x", open); at < close; at = content.find("0x", at)) {
        std::uint64_t word = 0;
        for (at += 2; at < close && hexDigit(content[at]) >= 0; ++at)
            word = word << 4 | std::uint64_t(hexDigit(content[at]));
        for (int i = 0; i < 8; ++i)
            block.bytes.push_back(std::uint8_t(word >> (8 * i)));
    }
    return Blocks{std::move(block)};
}

class IntelHexReader {
public:
    explicit IntelHexReader(const std::string& path)
        : m_path(path) {}

    Result<Blocks> read(const std::string& content) {
        std::size_t start = 0;
        for (int line = 1; start < content.size() && !m_atEnd; ++line) {
            const std::size_t end = std::min(content.find('\n', start), content.size());
            std::string text = content.substr(start, end - start);
            while (!text.empty() && isSpace(text.back()))
                text.pop_back();
            if (!text.empty())
                if (const Result<void> record = readRecord(text, line); !record)
                    return fail(record.error());
            start = end + 1;
        }
        if (!m_atEnd)
            return fail(makeError("PW4162", "the end record is missing", {m_path, 0, 0, {}}));
        return std::move(m_blocks);
    }

private:
    Result<void> readRecord(const std::string& text, int line) {
        std::vector<std::uint8_t> record;
        for (std::size_t i = 1; i + 1 < text.size(); i += 2) {
            const int high = hexDigit(text[i]), low = hexDigit(text[i + 1]);
            if (high < 0 || low < 0)
                return bad("not a hexadecimal digit", line);
            record.push_back(std::uint8_t(high << 4 | low));
        }
        if (text[0] != ':' || text.size() % 2 == 0 || record.size() < 5 || record.size() != std::size_t(record[0]) + 5)
            return bad("not an Intel-Hex record of the length it states", line);
        std::uint8_t sum = 0;
        for (std::uint8_t byte : record)
            sum = std::uint8_t(sum + byte);
        if (sum != 0)
            return bad("the checksum is wrong", line);
        return takeRecord(record, line);
    }

    Result<void> takeRecord(const std::vector<std::uint8_t>& record, int line) {
        const std::uint64_t offset = std::uint64_t(record[1]) << 8 | record[2];
        const int type = record[3];
        if (type == 1) {
            m_atEnd = true;
        } else if (type == 2 || type == 4) {
            if (record[0] != 2)
                return bad("an address record has two bytes", line);
            m_upper = (std::uint64_t(record[4]) << 8 | record[5]) << (type == 2 ? 4 : 16);
        } else if (type == 0) {
            append(Address(m_upper + offset), record);
        }
        return {};
    }

    void append(Address address, const std::vector<std::uint8_t>& record) {
        if (m_blocks.empty() ||
            m_blocks.back().address + ByteCount(std::int64_t(m_blocks.back().bytes.size())) != address)
            m_blocks.push_back({address, {}});
        m_blocks.back().bytes.insert(m_blocks.back().bytes.end(), record.begin() + 4, record.end() - 1);
    }

    Result<void> bad(const std::string& message, int line) const {
        return fail(makeError("PW4163", message, {m_path, line, 0, {}}));
    }

    std::string m_path;
    Blocks m_blocks;
    std::uint64_t m_upper = 0;
    bool m_atEnd = false;
};

const char* extensionOf(FileFormat format) {
    switch (format) {
    case FileFormat::Raw:
        return "raw";
    case FileFormat::IntelHex:
        return "ihex";
    case FileFormat::C:
        return "c";
    default:
        return "hex";
    }
}

/// Copies what a block holds of the range that starts at `start`; marks the bytes.
void copyOverlap(const MemoryBlock& block, Address start, std::vector<std::uint8_t>& bytes, std::vector<bool>& known) {
    const AddressRange from{block.address, ByteCount(std::int64_t(block.bytes.size()))};
    const AddressRange to{start, ByteCount(std::int64_t(bytes.size()))};
    if (!from.overlaps(to))
        return;
    const Address end = std::min(from.end(), to.end());
    for (Address at = std::max(from.start, to.start); at < end; at = at + ByteCount(1)) {
        const std::size_t i = std::size_t((at - to.start).value);
        bytes[i] = block.bytes[std::size_t((at - from.start).value)];
        known[i] = true;
    }
}

bool fillConstant(program::Buffer& buffer, const program::Placement& place, bool relative,
                  const std::vector<LoadedInitialiser>& initialisers) {
    std::vector<std::uint8_t> bytes(std::size_t(buffer.size.value));
    std::vector<bool> known(bytes.size());
    for (const LoadedInitialiser& initialiser : initialisers)
        if (!relative || initialiser.pool == place.pool)
            for (const MemoryBlock& block : initialiser.blocks)
                copyOverlap(block, place.address, bytes, known);
    if (std::find(known.begin(), known.end(), false) != known.end())
        return false;
    buffer.contents = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return true;
}

} // namespace

Result<Blocks> readInitialiser(const std::string& content, FileFormat format, Address base, const std::string& path) {
    switch (format) {
    case FileFormat::Hex:
        return readHexDump(content, 1, base, path);
    case FileFormat::Hex16:
        return readHexDump(content, 2, base, path);
    case FileFormat::Hex32:
        return readHexDump(content, 4, base, path);
    case FileFormat::C:
        return readCArray(content, base, path);
    case FileFormat::IntelHex:
        return IntelHexReader(path).read(content);
    case FileFormat::Raw:
        break;
    }
    return Blocks{{base, {content.begin(), content.end()}}};
}

Result<std::vector<LoadedInitialiser>> readInitialisers(const Program& program, const std::string& prefix,
                                                        const ReadFile& read) {
    std::vector<LoadedInitialiser> initialisers;
    for (std::size_t i = 0; i < program.pools.size(); ++i) {
        const mpool::EffectivePool& pool = program.pools[i];
        if (pool.isVirtual())
            continue;
        const std::string name = prefix + "." + pool.fname + "." + extensionOf(pool.format);
        const std::optional<std::string> content = read(name);
        if (!content)
            continue;
        Result<Blocks> blocks = readInitialiser(*content, pool.format, pool.range.start, name);
        if (!blocks)
            return fail(blocks.error());
        initialisers.push_back({PoolId(i), std::move(*blocks)});
    }
    return initialisers;
}

Result<Program> withInitialisers(Program program, const std::vector<LoadedInitialiser>& initialisers) {
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        program::Buffer& buffer = program.buffers[i];
        if (buffer.kind != program::BufferKind::Constant)
            continue;
        const std::optional<program::Placement> place =
            i < program.placements.size() ? program.placements[i] : std::nullopt;
        const bool known = place && place->pool.isValid() && std::size_t(place->pool.index) < program.pools.size();
        const bool relative = known && program.pools[std::size_t(place->pool.index)].mode == mpool::UseMode::Relative;
        if (buffer.size.value < 0 || buffer.size.value > (std::int64_t(1) << 31) || !known ||
            !fillConstant(buffer, *place, relative, initialisers))
            return fail(makeError("PW4164", "no initialiser holds this constant", {{}, 0, 0, buffer.name},
                                  "the initialiser files must lie beside the program"));
    }
    return program;
}

} // namespace poolwright::emulate
