// SPDX-License-Identifier: Apache-2.0
#include "driver/emulation.h"

#include "driver/files.h"
#include "driver/input_sizes.h"
#include "emulate/emulate.h"
#include "emulate/initialiser.h"
#include "options/parse.h"
#include "program/serialise.h"
#include "reference/npy.h"
#include "report/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace poolwright::driver {

namespace {

struct ManifestEntry {
    std::string name;
    std::string crc32;
};

Result<std::vector<ManifestEntry>> readManifest(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "manifest.json";
    const Result<std::string> text = readFile(path);
    if (!text)
        return fail(text.error());
    try {
        std::vector<ManifestEntry> entries;
        const nlohmann::json manifest = nlohmann::json::parse(*text);
        for (const auto& file : manifest.at("files"))
            entries.push_back({file.at("name").get<std::string>(), file.at("crc32").get<std::string>()});
        return entries;
    } catch (const std::exception& error) {
        return fail(makeError("PW6010", std::string("this is no manifest of a compile: ") + error.what(), {path.string(), 0, 0, {}}));
    }
}

Result<std::string> checkedContent(const std::filesystem::path& folder, const ManifestEntry& entry) {
    const std::filesystem::path path = folder / entry.name;
    Result<std::string> content = readFile(path);
    if (!content)
        return content;
    const std::string digits = crc32Digits(*content);
    if (digits != entry.crc32)
        return fail(makeError("PW6010", "the file is not the one that manifest.json lists (CRC32 " + digits + ", expected " +
                                            entry.crc32 + ")",
                              {path.string(), 0, 0, {}}, "compile again into this folder"));
    return content;
}

/// "atonbuf.xSPI2.raw" holds what lies in the pool whose fname is between the dots.
PoolId poolOfInitialiser(const program::Program& program, const std::string& fileName) {
    for (std::size_t i = 0; i < program.pools.size(); ++i) {
        const std::string middle = "." + program.pools[i].fname + ".";
        if (!program.pools[i].isVirtual() && fileName.find(middle) != std::string::npos)
            return PoolId(i);
    }
    return {};
}

bool isProgram(const std::string& name) {
    return std::filesystem::path(name).extension() == ".pwp";
}

} // namespace

Result<program::Program> loadCompiled(const std::filesystem::path& folder) {
    const Result<std::vector<ManifestEntry>> manifest = readManifest(folder);
    if (!manifest)
        return fail(manifest.error());
    program::Program program;
    std::vector<emulate::LoadedInitialiser> initialisers;
    bool found = false;
    for (const ManifestEntry& entry : *manifest) {
        if (!isProgram(entry.name))
            continue;
        const Result<std::string> text = checkedContent(folder, entry);
        if (!text)
            return fail(text.error());
        Result<program::Program> read = program::fromJson(*text, (folder / entry.name).string());
        if (!read)
            return fail(read.error());
        program = std::move(*read);
        found = true;
    }
    if (!found)
        return fail(makeError("PW6010", "the folder holds no compiled program (.pwp)", {folder.string(), 0, 0, {}},
                              "compile into it with poolwright-cli compile --out-dir-prefix"));
    for (const ManifestEntry& entry : *manifest) {
        const PoolId pool = poolOfInitialiser(program, entry.name);
        if (!pool.isValid())
            continue;
        const Result<std::string> content = checkedContent(folder, entry);
        if (!content)
            return fail(content.error());
        const mpool::EffectivePool& p = program.pools[std::size_t(pool.index)];
        Result<std::vector<emulate::MemoryBlock>> blocks =
            emulate::readInitialiser(*content, p.format, p.range.start, (folder / entry.name).string());
        if (!blocks)
            return fail(blocks.error());
        initialisers.push_back({pool, std::move(*blocks)});
    }
    return emulate::withInitialisers(std::move(program), initialisers);
}

Result<options::CompilerOptions> compiledOptions(const std::filesystem::path& folder) {
    const Result<std::vector<ManifestEntry>> manifest = readManifest(folder);
    if (!manifest)
        return fail(manifest.error());
    const auto entry = std::find_if(manifest->begin(), manifest->end(),
                                    [](const ManifestEntry& e) { return e.name.ends_with("_report.json"); });
    if (entry == manifest->end())
        return options::CompilerOptions();
    const Result<std::string> text = checkedContent(folder, *entry);
    if (!text)
        return fail(text.error());
    const Result<report::Report> report = report::fromJson(*text, (folder / entry->name).string());
    if (!report)
        return fail(report.error());
    return optionsOf(report->provenance);
}

Result<options::CompilerOptions> optionsOf(const report::Provenance& provenance) {
    const auto words = options::splitOptionText(provenance.options);
    if (!words)
        return fail(words.error());
    std::vector<std::string> tokens;
    for (const options::SplitToken& word : *words)
        tokens.push_back(word.text);
    Diagnostics advice; // was given when the options were used
    return options::parse(tokens, advice);
}

namespace {

/// Each tensor once, after the epoch that wrote its buffer.
Result<void> dumpEpoch(const emulate::Machine& machine, EpochId epoch, const std::filesystem::path& folder) {
    std::vector<bool> written(machine.program().buffers.size());
    program::forEachUse(machine.program()[epoch], [&](BufferId buffer, bool write) {
        if (write)
            written[std::size_t(buffer.index)] = true;
    });
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (!written[i])
            continue;
        for (const program::TensorView& view : machine.program().buffers[i].tensors) {
            const Result<reference::Value> value = machine.read(view);
            if (!value)
                return fail(value.error());
            std::string name = view.name;
            for (char& c : name)
                if (c == '/' || c == ':' || c == '\\')
                    c = '_';
            char prefix[32];
            std::snprintf(prefix, sizeof prefix, "epoch_%03d_", epoch.index);
            if (Result<bool> done = writeFile(folder / (prefix + name + ".npy"), reference::npyContent(*value)); !done)
                return fail(done.error());
        }
    }
    return {};
}

} // namespace

Result<std::vector<reference::Value>> emulateOnce(const program::Program& program, const std::vector<reference::Value>& inputs,
                                                  const std::filesystem::path& dump, const CancelFlag& cancel, Diagnostics& findings) {
    emulate::Options options;
    options.cancel = cancel;
    options.detectUnwritten = true;
    Result<void> dumped;
    if (!dump.empty())
        options.afterEpoch = [&](emulate::Machine& machine, EpochId epoch) {
            if (dumped)
                dumped = dumpEpoch(machine, epoch, dump);
        };
    Result<std::vector<reference::Value>> outputs = emulate::run(program, inputs, options, &findings);
    if (outputs && !dumped)
        return fail(dumped.error());
    return outputs;
}

namespace {

/// splitmix64: small, well known, the same on every machine.
std::uint64_t nextRandom(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

} // namespace

reference::Value randomInput(const program::TensorView& view, std::uint64_t seed) {
    reference::Value value{view.type, view.shape, view.quantisation, {}};
    value.bytes.resize(std::size_t(value.elements() * ir::elementBytes(view.type)));
    std::uint64_t state = seed;
    if (view.type == ir::ElementType::Float32) {
        for (std::int64_t i = 0; i < value.elements(); ++i)
            value.as<float>()[i] = float(double(nextRandom(state) >> 11) / double(1ULL << 53) * 2.0 - 1.0);
    } else {
        for (std::uint8_t& byte : value.bytes)
            byte = std::uint8_t(nextRandom(state));
    }
    return value;
}

Result<std::vector<reference::Value>> splitBatch(const reference::Value& stacked, const program::TensorView& view) {
    const std::int64_t each = ir::elementCount(view.shape);
    if (stacked.type != view.type)
        return fail(makeError("PW6011", std::string("the input is ") + ir::elementTypeName(stacked.type) + ", the network takes " +
                                            ir::elementTypeName(view.type),
                              {{}, 0, 0, view.name}));
    const bool sameRank = stacked.shape.size() == view.shape.size() && view.shape.size() > 1;
    if (sameRank && !std::equal(view.shape.begin() + 1, view.shape.end(), stacked.shape.begin() + 1))
        return fail(makeError("PW6011", "the input's shape " + shapeText(stacked.shape) + " does not stack the network's " +
                                            shapeText(view.shape),
                              {{}, 0, 0, view.name}));
    if (each == 0 || stacked.elements() == 0 || stacked.elements() % each != 0)
        return fail(makeError("PW6011", "the input has " + std::to_string(stacked.elements()) + " elements, the network takes " +
                                            std::to_string(each) + " (or a multiple)",
                              {{}, 0, 0, view.name}));
    std::vector<reference::Value> values;
    const std::int64_t bytes = each * ir::elementBytes(view.type);
    for (std::int64_t at = 0; at < std::int64_t(stacked.bytes.size()); at += bytes) {
        reference::Value value{view.type, view.shape, view.quantisation, {}};
        value.bytes.assign(stacked.bytes.begin() + at, stacked.bytes.begin() + at + bytes);
        values.push_back(std::move(value));
    }
    return values;
}

reference::Value stackBatch(const std::vector<reference::Value>& values) {
    reference::Value stacked = values.front();
    for (std::size_t i = 1; i < values.size(); ++i)
        stacked.bytes.insert(stacked.bytes.end(), values[i].bytes.begin(), values[i].bytes.end());
    if (stacked.shape.empty())
        stacked.shape.push_back(1);
    stacked.shape.front() *= std::int64_t(values.size());
    return stacked;
}

} // namespace poolwright::driver
