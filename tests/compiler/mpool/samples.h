// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/read.h"
#include "support/shared.h"

#include <filesystem>
#include <set>

namespace poolwright::test {

/// The sample pool files, by name.
inline std::set<std::filesystem::path> sampleMpools() {
    std::set<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(sharedFolder() / "samples/mpool"))
        if (entry.path().extension() == ".mpool")
            paths.insert(entry.path());
    return paths;
}

inline Result<mpool::PoolFile> readMpool(const std::filesystem::path& path,
                                         const std::vector<mpool::BankRange>& banks = {}) {
    return mpool::readPools(readFile(path), path.filename().string(), banks);
}

inline Result<mpool::PoolFile> readSample(const std::string& name) {
    return readMpool(sharedFolder() / "samples/mpool" / (name + ".mpool"));
}

/// Banks of the STM32N6 with the sizes of its reference manual.
inline std::vector<mpool::BankRange> stm32n6Banks() {
    const auto bank = [](const char* name, std::uint64_t start, std::int64_t kilobytes) {
        return mpool::BankRange{name, {Address(start), ByteCount(kilobytes * 1024)}};
    };
    return {bank("AXIFLEXMEM", 0x34000000, 400), bank("AXISRAM1", 0x34064000, 624), bank("AXISRAM2", 0x34100000, 1024),
            bank("AXISRAM3", 0x34200000, 448),   bank("AXISRAM4", 0x34270000, 448), bank("AXISRAM5", 0x342e0000, 448),
            bank("AXISRAM6", 0x34350000, 448),   bank("xSPI2", 0x70000000, 262144), bank("xSPI1", 0x90000000, 262144)};
}

} // namespace poolwright::test
