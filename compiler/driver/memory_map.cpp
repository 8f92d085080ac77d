// SPDX-License-Identifier: Apache-2.0
#include "driver/memory_map.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace poolwright::driver {

namespace {

constexpr std::uint64_t endOfMemory = std::uint64_t(1) << 32;

bool byStart(const KeepFree& a, const KeepFree& b) {
    return a.range < b.range;
}

/// All of [0, 4 GiB) that is in no bank.
std::vector<KeepFree> outsideBanks(const std::vector<target::Bank>& banks) {
    std::vector<KeepFree> gaps;
    std::uint64_t at = 0;
    for (const target::Bank& bank : banks) {
        if (bank.range.start.value > at)
            gaps.push_back(
                {"no memory of the board", {Address(at), ByteCount(std::int64_t(bank.range.start.value - at))}});
        at = bank.range.end().value;
    }
    gaps.push_back({"no memory of the board", {Address(at), ByteCount(std::int64_t(endOfMemory - at))}});
    return gaps;
}

Diagnostics regionProblems(const std::vector<KeepFree>& sorted, const MemoryMap& map) {
    Diagnostics problems;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const KeepFree& region = sorted[i];
        const std::string text = toText(region.range.start) + "+" + std::to_string(region.range.size.value);
        if (map.firstOverlap(region.range))
            problems.push_back(makeError("PW6031", text + " is not inside the memory of the board",
                                         {{}, 0, 0, region.name}, "give addresses of banks of the board"));
        if (i > 0 && sorted[i - 1].range.overlaps(region.range))
            problems.push_back(makeError("PW6032",
                                         text + " overlaps the region at " + toText(sorted[i - 1].range.start),
                                         {{}, 0, 0, region.name}, "name each byte once"));
    }
    return problems;
}

std::optional<std::uint64_t> numberIn(std::string_view text) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex)
        text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

std::optional<std::uint64_t> sizeIn(std::string_view text) {
    std::uint64_t unit = 1;
    if (!text.empty() && (text.back() == 'K' || text.back() == 'M')) {
        unit = text.back() == 'K' ? 1024 : 1024 * 1024;
        text.remove_suffix(1);
    }
    const std::optional<std::uint64_t> value = numberIn(text);
    return value && *value <= endOfMemory / unit ? std::optional(*value * unit) : std::nullopt;
}

} // namespace

const target::Bank* MemoryMap::bankAt(Address address) const {
    const auto found =
        std::ranges::find_if(banks, [&](const target::Bank& bank) { return bank.range.contains(address); });
    return found == banks.end() ? nullptr : &*found;
}

const KeepFree* MemoryMap::firstOverlap(AddressRange range) const {
    const auto found =
        std::ranges::find_if(forbidden, [&](const KeepFree& region) { return region.range.overlaps(range); });
    return found == forbidden.end() ? nullptr : &*found;
}

std::vector<AddressRange> MemoryMap::freeRanges(const mpool::PoolFile& file, ByteCount smallest) const {
    std::vector<AddressRange> taken;
    for (const mpool::Pool& pool : file.pools)
        if (pool.isEnabled() && pool.mode == mpool::UseMode::Absolute)
            taken.push_back(pool.range());
    for (const KeepFree& region : forbidden)
        taken.push_back(region.range);
    std::ranges::sort(taken);
    std::vector<AddressRange> free;
    for (const target::Bank& bank : banks) {
        Address at = bank.range.start;
        const auto upTo = [&](Address end) {
            if (at < end && end - at >= smallest)
                free.push_back({at, end - at});
        };
        for (const AddressRange& range : taken) {
            if (!range.overlaps(bank.range))
                continue;
            upTo(range.start);
            at = std::max(at, range.end());
        }
        upTo(bank.range.end());
    }
    return free;
}

Result<MemoryMap> memoryMap(const target::Target& target, const std::string& board,
                            const std::vector<KeepFree>& keepFree, bool freeBeyondPools) {
    MemoryMap map;
    map.freeBeyondPools = freeBeyondPools;
    const std::vector<std::string>& absent = target.board(board).absentBanks;
    for (const target::Bank& bank : target.banks)
        if (std::ranges::count(absent, bank.name) == 0)
            map.banks.push_back(bank);
    std::ranges::sort(map.banks, {}, &target::Bank::range);
    map.forbidden = outsideBanks(map.banks);
    std::vector<KeepFree> sorted = keepFree;
    std::ranges::stable_sort(sorted, byStart);
    if (Diagnostics problems = regionProblems(sorted, map); !problems.empty())
        return fail(std::move(problems));
    map.forbidden.insert(map.forbidden.end(), sorted.begin(), sorted.end());
    std::ranges::stable_sort(map.forbidden, byStart);
    return map;
}

std::vector<KeepFree> inBanks(const std::vector<KeepFree>& regions, const target::Target& target,
                              std::vector<KeepFree>& passedOver) {
    std::vector<KeepFree> parts;
    for (const KeepFree& region : regions) {
        const std::size_t before = parts.size();
        for (const target::Bank& bank : target.banks)
            if (region.range.overlaps(bank.range)) {
                const Address start = std::max(region.range.start, bank.range.start);
                parts.push_back({region.name, {start, std::min(region.range.end(), bank.range.end()) - start}});
            }
        if (parts.size() == before)
            passedOver.push_back(region);
    }
    std::ranges::stable_sort(parts, byStart);
    std::vector<KeepFree> kept;
    for (const KeepFree& part : parts) {
        KeepFree* last = kept.empty() ? nullptr : &kept.back();
        if (!last || part.range.start > last->range.end()) {
            kept.push_back(part);
            continue;
        }
        last->range.size = std::max(last->range.end(), part.range.end()) - last->range.start;
        if (part.name != last->name)
            last->name += " and " + part.name;
    }
    return kept;
}

Result<KeepFree> parseKeepFree(const std::string& text) {
    const std::size_t plus = text.find('+');
    const auto address = plus == std::string::npos ? std::nullopt : numberIn(std::string_view(text).substr(0, plus));
    const auto size = plus == std::string::npos ? std::nullopt : sizeIn(std::string_view(text).substr(plus + 1));
    if (!address || !size || *size == 0 || *address >= endOfMemory || *address + *size > endOfMemory)
        return fail(makeError("PW6030", "\"" + text + "\" is no region of memory", {{}, 0, 0, "--keep-free"},
                              "write ADDRESS+SIZE, as 0x341C0000+256K"));
    return KeepFree{"--keep-free", {Address(*address), ByteCount(std::int64_t(*size))}};
}

} // namespace poolwright::driver
