// SPDX-License-Identifier: Apache-2.0
#include "emulate/memory.h"

#include <algorithm>
#include <cstring>

namespace poolwright::emulate {

using program::Program;

std::string placeText(const Access& access) {
    std::string text = access.epoch >= 0 ? "epoch " + std::to_string(access.epoch) : "memory";
    if (access.unit && !access.unit->empty())
        text += ", " + *access.unit;
    return text;
}

namespace {

/// Deep-mode reads and the vendor's prefetch may go past the last buffer; these bytes exist but hold zero.
constexpr std::int64_t tailPadding = 64;
constexpr std::uint8_t poisonByte = 0xA5;

struct Extent {
    int space;
    AddressRange range;
    BufferId buffer;
};

/// Where each buffer lies: its address space and range there. Buffers without a place get a space of their own.
Result<std::vector<Extent>> extentsOf(const Program& program) {
    std::vector<Extent> extents;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const program::Buffer& buffer = program.buffers[i];
        Extent extent{-1 - int(i), {Address(0), buffer.size}, BufferId(i)};
        if (!program.placements.empty() && !buffer.userAllocated) {
            if (i >= program.placements.size() || !program.placements[i])
                return fail(makeError("PW4106", "the buffer has no place in memory", {{}, 0, 0, buffer.name},
                                      "a program that does not fit cannot be emulated"));
            const program::Placement& place = *program.placements[i];
            if (!place.pool.isValid() || std::size_t(place.pool.index) >= program.pools.size())
                return fail(makeError("PW4106", "the buffer is placed in no pool", {{}, 0, 0, buffer.name}));
            const mpool::EffectivePool& pool = program.pools[std::size_t(place.pool.index)];
            extent.space = pool.mode == mpool::UseMode::Relative ? 1 + place.pool.index : 0;
            extent.range.start = place.address;
        }
        if (buffer.size.value < 0)
            return fail(makeError("PW4102", "the buffer's size is negative", {{}, 0, 0, buffer.name}));
        extents.push_back(extent);
    }
    std::stable_sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
        return std::pair(a.space, a.range.start) < std::pair(b.space, b.range.start);
    });
    return extents;
}

/// Gaps up to this size are filled rather than splitting the memory.
constexpr std::int64_t smallGap = 4096;

} // namespace

Result<Memory> Memory::create(const Program& program, std::int64_t maxBytes) {
    const Result<std::vector<Extent>> extents = extentsOf(program);
    if (!extents)
        return fail(extents.error());
    Memory memory;
    memory.m_places.resize(program.buffers.size());
    std::vector<std::int64_t> sizes;
    std::int64_t total = 0;
    for (const Extent& extent : *extents) {
        const bool joins = !sizes.empty() && memory.m_segments.back().space == extent.space &&
                           extent.range.start <= memory.m_segments.back().start + ByteCount(sizes.back() + smallGap);
        if (!joins) {
            memory.m_segments.push_back({extent.space, extent.range.start, {}, {}});
            sizes.push_back(0);
        }
        const std::int64_t offset = (extent.range.start - memory.m_segments.back().start).value;
        const std::int64_t grown = std::max(sizes.back(), offset + extent.range.size.value);
        total += grown - sizes.back();
        if (grown < 0 || total > maxBytes)
            return fail(
                makeError("PW4103", "the program needs more than " + toText(ByteCount(maxBytes)) + " of memory"));
        sizes.back() = grown;
        memory.m_places[std::size_t(extent.buffer.index)] = {int(memory.m_segments.size()) - 1, offset};
    }
    for (std::size_t i = 0; i < sizes.size(); ++i)
        memory.m_segments[i].bytes.resize(std::size_t(sizes[i] + tailPadding));
    memory.loadConstants(program);
    return memory;
}

void Memory::loadConstants(const Program& program) {
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const program::Buffer& buffer = program.buffers[i];
        m_sizes.push_back(buffer.size.value);
        m_names.push_back(buffer.name);
        if (!buffer.contents)
            continue;
        const std::size_t size = std::min(buffer.contents->size(), std::size_t(buffer.size.value));
        if (size > 0)
            std::memcpy(m_segments[std::size_t(m_places[i].segment)].bytes.data() + m_places[i].offset,
                        buffer.contents->data(), size);
    }
}

bool Memory::inside(BufferId buffer, std::int64_t offset, std::int64_t size, std::int64_t slack) const {
    if (!buffer.isValid() || std::size_t(buffer.index) >= m_places.size())
        return false;
    const std::int64_t end = m_sizes[std::size_t(buffer.index)] + std::min(slack, tailPadding);
    return offset >= 0 && size >= 0 && offset <= end && size <= end - offset;
}

Diagnostic Memory::outside(BufferId buffer, std::int64_t offset, std::int64_t size, const Access& access) const {
    const bool known = buffer.isValid() && std::size_t(buffer.index) < m_places.size();
    std::string message = "accesses bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) + " of " +
                          (known ? "buffer " + m_names[std::size_t(buffer.index)] : "no buffer");
    if (known) {
        const Place& at = m_places[std::size_t(buffer.index)];
        const Segment& segment = m_segments[std::size_t(at.segment)];
        message += " of " + std::to_string(m_sizes[std::size_t(buffer.index)]) + " bytes";
        if (segment.space == 0)
            message += " (address " + toText(segment.start + ByteCount(at.offset + offset)) + ")";
    }
    return makeError("PW4104", message, {{}, 0, 0, placeText(access)});
}

void Memory::noteUnwritten(BufferId buffer, std::int64_t offset, const Access& access) {
    const std::pair<int, int> key{access.epoch, buffer.index};
    if (std::find(m_noted.begin(), m_noted.end(), key) != m_noted.end())
        return;
    m_noted.push_back(key);
    m_findings.push_back(makeWarning("PW4105",
                                     "reads byte " + std::to_string(offset) + " of buffer " +
                                         m_names[std::size_t(buffer.index)] + ", which nothing wrote",
                                     {{}, 0, 0, placeText(access)}));
}

Result<const std::uint8_t*> Memory::read(BufferId buffer, std::int64_t offset, std::int64_t size, const Access& access,
                                         std::int64_t slack) {
    if (!inside(buffer, offset, size, slack))
        return fail(outside(buffer, offset, size, access));
    const Place& place = m_places[std::size_t(buffer.index)];
    const Segment& segment = m_segments[std::size_t(place.segment)];
    if (m_tracking) {
        const std::int64_t own = std::min(size, m_sizes[std::size_t(buffer.index)] - offset);
        const std::uint8_t* written = segment.written.data() + place.offset + offset;
        const void* gap = own > 0 ? std::memchr(written, 0, std::size_t(own)) : nullptr;
        if (gap)
            noteUnwritten(buffer, offset + (static_cast<const std::uint8_t*>(gap) - written), access);
    }
    return segment.bytes.data() + place.offset + offset;
}

Result<std::uint8_t*> Memory::write(BufferId buffer, std::int64_t offset, std::int64_t size, const Access& access) {
    if (!inside(buffer, offset, size, 0))
        return fail(outside(buffer, offset, size, access));
    const Place& place = m_places[std::size_t(buffer.index)];
    Segment& segment = m_segments[std::size_t(place.segment)];
    if (m_tracking && size > 0)
        std::memset(segment.written.data() + place.offset + offset, 1, std::size_t(size));
    return segment.bytes.data() + place.offset + offset;
}

Result<const std::uint8_t*> Memory::peek(BufferId buffer, std::int64_t offset, std::int64_t size) const {
    if (!inside(buffer, offset, size, 0))
        return fail(outside(buffer, offset, size, {}));
    const Place& place = m_places[std::size_t(buffer.index)];
    return m_segments[std::size_t(place.segment)].bytes.data() + place.offset + offset;
}

void Memory::trackWrites() {
    m_tracking = true;
    for (Segment& segment : m_segments)
        segment.written.assign(segment.bytes.size(), 1);
}

void Memory::forget(BufferId buffer, bool poison) {
    const Place& place = m_places[std::size_t(buffer.index)];
    Segment& segment = m_segments[std::size_t(place.segment)];
    const std::size_t size = std::size_t(m_sizes[std::size_t(buffer.index)]);
    if (m_tracking && size > 0)
        std::memset(segment.written.data() + place.offset, 0, size);
    if (poison && size > 0)
        std::memset(segment.bytes.data() + place.offset, poisonByte, size);
}

bool Memory::isWritten(BufferId buffer, std::int64_t offset, std::int64_t size) const {
    if (!m_tracking || !inside(buffer, offset, size, 0))
        return false;
    const Place& place = m_places[std::size_t(buffer.index)];
    const std::uint8_t* written = m_segments[std::size_t(place.segment)].written.data() + place.offset + offset;
    return size == 0 || std::memchr(written, 0, std::size_t(size)) == nullptr;
}

void Memory::load(Address address, const std::vector<std::uint8_t>& bytes, PoolId relativePool) {
    const int space = relativePool.isValid() ? 1 + relativePool.index : 0;
    const AddressRange source{address, ByteCount(std::int64_t(bytes.size()))};
    for (Segment& segment : m_segments) {
        const AddressRange target{segment.start, ByteCount(std::int64_t(segment.bytes.size()) - tailPadding)};
        if (segment.space != space || !target.overlaps(source))
            continue;
        const Address first = std::max(source.start, target.start), end = std::min(source.end(), target.end());
        const std::size_t count = std::size_t((end - first).value);
        const std::size_t at = std::size_t((first - target.start).value);
        std::memcpy(segment.bytes.data() + at, bytes.data() + (first - source.start).value, count);
        if (m_tracking)
            std::memset(segment.written.data() + at, 1, count);
    }
}

ByteCount Memory::size() const {
    ByteCount total;
    for (const Segment& segment : m_segments)
        total += ByteCount(std::int64_t(segment.bytes.size()) - tailPadding);
    return total;
}

} // namespace poolwright::emulate
