// SPDX-License-Identifier: Apache-2.0
#include "emit/initialisers.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace poolwright::emit {

namespace {

const char* extension(mpool::FileFormat format) {
    switch (format) {
    case mpool::FileFormat::Raw:
        return "raw";
    case mpool::FileFormat::IntelHex:
        return "ihex";
    case mpool::FileFormat::C:
        return "c";
    case mpool::FileFormat::Hex:
    case mpool::FileFormat::Hex16:
    case mpool::FileFormat::Hex32:
        break;
    }
    return "hex";
}

void copyOverlap(Initialiser& initialiser, AddressRange pool, Address at, const std::vector<std::uint8_t>& contents) {
    const AddressRange range{at, ByteCount(std::int64_t(contents.size()))};
    if (!pool.overlaps(range))
        return;
    const Address start = std::max(pool.start, range.start);
    const Address end = std::min(pool.end(), range.end());
    const std::size_t target = std::size_t((start - pool.start).value);
    const std::size_t length = std::size_t((end - start).value);
    if (initialiser.bytes.size() < target + length)
        initialiser.bytes.resize(target + length);
    std::memcpy(&initialiser.bytes[target], &contents[std::size_t((start - range.start).value)], length);
}

bool mayLieIn(const program::Program& program, const program::Placement& placement, PoolId concrete) {
    const std::vector<PoolId>& members = program.pools[std::size_t(placement.pool.index)].members;
    return std::find(members.begin(), members.end(), concrete) != members.end();
}

std::string hexDump(const std::vector<std::uint8_t>& bytes, std::size_t wordBytes) {
    static const char digits[] = "0123456789ABCDEF";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += wordBytes) {
        for (std::size_t i = wordBytes; i-- > 0;) {
            const std::uint8_t byte = at + i < bytes.size() ? bytes[at + i] : 0;
            text += digits[byte >> 4];
            text += digits[byte & 15];
        }
        text += (at + wordBytes) % 16 == 0 || at + wordBytes >= bytes.size() ? '\n' : ' ';
    }
    return text;
}

std::string intelHexRecord(int type, std::uint32_t address, const std::uint8_t* data, std::size_t size) {
    std::string text = ":";
    char part[16];
    unsigned sum = unsigned(size) + (address >> 8 & 255) + (address & 255) + unsigned(type);
    std::snprintf(part, sizeof part, "%02X%04X%02X", unsigned(size), address & 0xFFFFu, unsigned(type));
    text += part;
    for (std::size_t i = 0; i < size; ++i) {
        std::snprintf(part, sizeof part, "%02X", data[i]);
        text += part;
        sum += data[i];
    }
    std::snprintf(part, sizeof part, "%02X\n", (0x100u - (sum & 255)) & 255);
    return text + part;
}

std::string intelHex(const Initialiser& initialiser) {
    std::string text;
    std::uint32_t upper = 0;
    for (std::size_t at = 0; at < initialiser.bytes.size();) {
        const std::uint32_t address = std::uint32_t(initialiser.range.start.value + at);
        if (at == 0 || address >> 16 != upper) {
            upper = address >> 16;
            const std::uint8_t high[2] = {std::uint8_t(upper >> 8), std::uint8_t(upper)};
            text += intelHexRecord(4, 0, high, 2);
        }
        const std::size_t toBorder = 0x10000 - (address & 0xFFFF);
        const std::size_t size = std::min({std::size_t(16), initialiser.bytes.size() - at, toBorder});
        text += intelHexRecord(0, address, &initialiser.bytes[at], size);
        at += size;
    }
    return text + intelHexRecord(1, 0, nullptr, 0);
}

std::string cArray(const Initialiser& initialiser, const std::string& name) {
    std::string text = "#include <stdint.h>\n\nconst uint64_t " + name + "[] __attribute__((aligned(32))) = {\n";
    for (std::size_t at = 0; at < initialiser.bytes.size(); at += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8 && at + i < initialiser.bytes.size(); ++i)
            word |= std::uint64_t(initialiser.bytes[at + i]) << (8 * i);
        char part[32];
        std::snprintf(part, sizeof part, "0x%016llXULL,", static_cast<unsigned long long>(word));
        text += at % 32 == 0 ? "  " : " ";
        text += part;
        if (at % 32 == 24 || at + 8 >= initialiser.bytes.size())
            text += "\n";
    }
    return text + "};\n";
}

} // namespace

std::vector<Initialiser> initialisersOf(const program::Program& program, const mpool::PoolFile& pools) {
    std::vector<Initialiser> initialisers;
    for (std::size_t p = 0; p < pools.pools.size(); ++p) {
        const mpool::Pool& pool = pools.pools[p];
        if (!pool.isEnabled())
            continue;
        Initialiser initialiser;
        initialiser.format = pool.format;
        initialiser.fileName = pools.memFilePrefix + "." + pool.fname + "." + extension(pool.format);
        for (std::size_t i = 0; i < program.buffers.size(); ++i) {
            const auto& placement = program.placements[i];
            if (program.buffers[i].contents && placement && mayLieIn(program, *placement, PoolId(p)))
                copyOverlap(initialiser, pool.range(), placement->address, *program.buffers[i].contents);
        }
        initialiser.range = {pool.range().start, ByteCount(std::int64_t(initialiser.bytes.size()))};
        initialisers.push_back(std::move(initialiser));
    }
    return initialisers;
}

std::string fileContent(const Initialiser& initialiser, const std::string& arrayName) {
    switch (initialiser.format) {
    case mpool::FileFormat::Hex:
        return hexDump(initialiser.bytes, 1);
    case mpool::FileFormat::Hex16:
        return hexDump(initialiser.bytes, 2);
    case mpool::FileFormat::Hex32:
        return hexDump(initialiser.bytes, 4);
    case mpool::FileFormat::IntelHex:
        return intelHex(initialiser);
    case mpool::FileFormat::C:
        return cArray(initialiser, arrayName);
    case mpool::FileFormat::Raw:
        break;
    }
    return std::string(initialiser.bytes.begin(), initialiser.bytes.end());
}

} // namespace poolwright::emit
