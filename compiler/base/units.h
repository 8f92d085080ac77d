// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace poolwright {

/// A number of bytes. Signed: differences are byte counts too, and the vendor's dumps hold sizes up to 2^63 - 32.
struct ByteCount {
    std::int64_t value = 0;

    constexpr ByteCount() = default;
    constexpr explicit ByteCount(std::int64_t bytes) : value(bytes) {}
    constexpr auto operator<=>(const ByteCount&) const = default;
    constexpr ByteCount operator+(ByteCount other) const { return ByteCount(value + other.value); }
    constexpr ByteCount operator-(ByteCount other) const { return ByteCount(value - other.value); }
    constexpr ByteCount& operator+=(ByteCount other) {
        value += other.value;
        return *this;
    }
};

/// An absolute address on the device, or an offset in a relative pool.
struct Address {
    std::uint64_t value = 0;

    constexpr Address() = default;
    constexpr explicit Address(std::uint64_t address) : value(address) {}
    constexpr auto operator<=>(const Address&) const = default;
    constexpr Address operator+(ByteCount bytes) const { return Address(value + std::uint64_t(bytes.value)); }
    constexpr Address operator-(ByteCount bytes) const { return Address(value - std::uint64_t(bytes.value)); }
    constexpr ByteCount operator-(Address other) const { return ByteCount(std::int64_t(value - other.value)); }
};

/// Half open: [start, start + size).
struct AddressRange {
    Address start;
    ByteCount size;

    constexpr auto operator<=>(const AddressRange&) const = default;
    constexpr Address end() const { return start + size; }
    constexpr bool empty() const { return size.value <= 0; }
    constexpr bool contains(Address address) const { return start <= address && address < end(); }
    constexpr bool contains(AddressRange other) const { return start <= other.start && other.end() <= end(); }
    /// Ranges of no size overlap nothing.
    constexpr bool overlaps(AddressRange other) const {
        return !empty() && !other.empty() && start < other.end() && other.start < end();
    }
};

/// Cycles of the NPU clock at its nominal frequency (facts/cost-model.md section 1.1) unless a name says otherwise.
using Cycles = std::int64_t;

/// Inclusive range of epoch ordinals; epoch 0 collects the constants (facts/file-formats.md section 3.2).
struct EpochRange {
    int first = 0;
    int last = 0;

    constexpr auto operator<=>(const EpochRange&) const = default;
    constexpr bool contains(int epoch) const { return first <= epoch && epoch <= last; }
    constexpr bool overlaps(EpochRange other) const { return first <= other.last && other.first <= last; }
};

constexpr std::int64_t alignUp(std::int64_t value, std::int64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// "0x34200000": upper case, eight digits at least.
std::string toText(Address address);
/// "1,835,008 B".
std::string toText(ByteCount bytes);

} // namespace poolwright
