// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seeds.h"

#include "driver/compile.h"
#include "emit/cinfo.h"
#include "emit/csv.h"
#include "emit/dot.h"
#include "emit/generate_report.h"
#include "golden/pack.h"
#include "mpool/read.h"
#include "options/ini.h"
#include "program/serialise.h"
#include "random/model_maker.h"
#include "report/json.h"
#include "support/shared.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <set>

namespace poolwright::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largeSeed = 60 * 1024; // bytes: from here on a mutant costs more than it tells

const fs::path sources = POOLWRIGHT_SOURCE_DIR;

/// In the order of their names: folders have none.
std::vector<fs::path> filesBelow(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
        if (entry.path().string().ends_with(ending))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Options of every kind, in the form that --load-options reads.
constexpr const char* optionLines = R"(# options
optimization=3
Os=true
native-float=true
cache-maintenance=true
enable-virtual-mem-pools=true
Omax-ca-pipe=4
Oconv-split-cw=true
Oconv-split-kw=true
Ono-clone-dma=false
network-name="Net"
c-output="network"
runtime="1.1.3"
)";

/// The smallest list that has everything: place's JSON form.
constexpr const char* bufferList = R"([
  {"name": "a", "bytes": 1000, "epochs": [0, 3], "accesses": 2},
  {"name": "b", "bytes": 70000, "epochs": [1, 1], "alignment": 32},
  {"name": "w", "bytes": 123456, "epochs": [0, 9], "constant": true}
])";

} // namespace

const char* kindName(Kind kind) {
    static const char* const names[] = {"model",    "quantisation", "pools",   "machine",  "target",
                                        "profiles", "options",      "program", "artefact", "buffers"};
    return names[std::size_t(kind)];
}

const std::vector<Kind>& textKinds() {
    static const std::vector<Kind> all = {Kind::Quantisation, Kind::Pools,    Kind::Machine,
                                          Kind::Target,       Kind::Profiles, Kind::Options,
                                          Kind::Program,      Kind::Artefact, Kind::Buffers};
    return all;
}

const std::string& plainModel() {
    static const std::string bytes = test::ModelMaker(7, test::readableOperators()).bytes();
    return bytes;
}

Seeds::Seeds() {
    addModels();
    addSharedModels();
    addTexts();
    addOwnArtefacts();
}

void Seeds::add(Seed seed) {
    seed.isLarge = seed.content.size() + seed.companion.size() > largeSeed;
    if (!seed.content.empty())
        m_seeds.push_back(std::move(seed));
}

/// A large one now and then, or when there is no other.
const Seed& Seeds::pick(Kind kind, Dice& dice) const {
    std::vector<const Seed*> small, large;
    for (const Seed& seed : m_seeds)
        if (seed.kind == kind)
            (seed.isLarge ? large : small).push_back(&seed);
    const bool takeLarge = dice.oneIn(100);
    return *dice.oneOf(small.empty() || (takeLarge && !large.empty()) ? large : small);
}

std::size_t Seeds::count(Kind kind) const {
    return std::size_t(std::count_if(m_seeds.begin(), m_seeds.end(), [&](const Seed& s) { return s.kind == kind; }));
}

void Seeds::addModels() {
    for (const golden::Case& item : golden::readPacks(sources / "tests/golden/ops"))
        add({Kind::Model, item.name, item.model, {}});
    const std::set<std::string> operators = test::readableOperators();
    for (unsigned seed = 0; seed < 300; ++seed)
        add({Kind::Model, "random" + std::to_string(seed), test::ModelMaker(seed, operators).bytes(), {}});
}

void Seeds::addSharedModels() {
    const fs::path shared = test::sharedFolder();
    for (int copies = 0; copies < 40; ++copies) // real ones as often as all others of their size together
        for (const fs::path& model : filesBelow(shared / "models", ".onnx")) {
            fs::path json = model;
            json.replace_filename(model.stem().string() + "_Q.json");
            if (fs::file_size(model) > 500 * 1024 || (copies > 0 && fs::file_size(model) > largeSeed))
                continue;
            const std::string bytes = test::readFile(model), quantisation = test::readFile(json);
            add({Kind::Model, model.filename().string(), bytes, quantisation});
            if (copies == 0)
                add({Kind::Quantisation, json.filename().string(), quantisation, bytes});
        }
}

void Seeds::addTexts() {
    const fs::path samples = test::sharedFolder() / "samples";
    const auto addFiles = [&](Kind kind, const fs::path& folder, const std::string& ending) {
        for (const fs::path& file : filesBelow(folder, ending))
            add({kind, file.filename().string(), test::readFile(file), {}});
    };
    addFiles(Kind::Pools, sources / "mpools", ".mpool");
    addFiles(Kind::Pools, samples / "mpool", ".mpool");
    addFiles(Kind::Machine, samples / "mdesc", ".mdesc");
    addFiles(Kind::Target, sources / "resources/targets", ".json");
    addFiles(Kind::Profiles, sources / "mpools", "profiles.json");
    addFiles(Kind::Profiles, samples / "profiles", ".json");
    addFiles(Kind::Options, samples / "options", ".ini");
    addFiles(Kind::Artefact, samples / "onnx", "c_info.json");
    addFiles(Kind::Artefact, samples / "cinfo", ".json");
    addFiles(Kind::Artefact, samples / "csv", ".csv");
    addFiles(Kind::Artefact, samples / "reports", ".txt");
    addFiles(Kind::Artefact, samples / "options", ".ini");
    add({Kind::Options, "options.ini", optionLines, {}});
    add({Kind::Buffers, "buffers.json", bufferList, {}});
}

/// What a compile of ours writes, to be read again.
void Seeds::addOwnArtefacts() {
    const QTemporaryDir folder;
    driver::Request request;
    request.model = folder.filePath("plain.onnx").toStdString();
    std::ofstream(request.model, std::ios::binary) << plainModel();
    request.options.nativeFloat = true;
    const fs::path pools = sources / "mpools/stm32n6570-dk-full.mpool";
    request.pools = mpool::readPools(test::readFile(pools), pools.string()).value();
    const auto outcome = driver::compile(request);
    if (!outcome)
        qFatal("the fuzz tool's own model does not compile: %s", qPrintable(test::describe(outcome.error())));
    const report::Report& report = *outcome->report;
    add({Kind::Program, "network.pwp", program::toJson(outcome->program), {}});
    add({Kind::Artefact, "report.json", report::toJson(report), {}});
    add({Kind::Artefact, "c_info.json", emit::cInfo(report, {}), {}});
    add({Kind::Artefact, "network.csv", emit::csv(report), {}});
    add({Kind::Artefact, "generate_report.txt", emit::generateReport(report, {}), {}});
    add({Kind::Artefact, "network.dot", emit::dot(outcome->program, {}), {}});
    add({Kind::Options, "own.ini", options::writeIni(request.options, {"tool", "0", "."}), {}});
}

} // namespace poolwright::fuzz
