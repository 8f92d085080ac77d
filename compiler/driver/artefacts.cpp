// SPDX-License-Identifier: Apache-2.0
#include "driver/compile.h"

#include "driver/files.h"
#include "emit/cinfo.h"
#include "emit/csv.h"
#include "emit/dot.h"
#include "emit/generate_report.h"
#include "emit/initialisers.h"
#include "emit/network_c.h"
#include "emit/recap.h"
#include "import/export_model.h"
#include "mpool/write.h"
#include "options/ini.h"
#include "program/serialise.h"
#include "report/json.h"
#include "text/crc32.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace poolwright::driver {

namespace {

/// The last part of an output name given on the command line, with the extension that the vendor's tool adds when there is none.
std::string outputName(const std::string& given, const std::string& fallback, const char* extension) {
    // Options may name a path; all outputs stand in one folder.
    std::filesystem::path name = given.empty() ? std::filesystem::path(fallback) : std::filesystem::path(given).filename();
    if (!name.has_extension())
        name += extension;
    return name.string();
}

class Artefacts {
public:
    explicit Artefacts(const Outcome& outcome) : m_outcome(outcome), m_options(outcome.prepared->options) {
        m_base = std::filesystem::path(outputName(m_options.cOutput, "network.c", ".c")).stem().string();
    }

    Result<bool> make() {
        if (Result<bool> done = addNetwork(); !done)
            return done;
        for (const emit::Initialiser& initialiser : emit::initialisersOf(m_outcome.program, m_outcome.pools))
            add(initialiser.fileName, emit::fileContent(initialiser, arrayName(initialiser)));
        addReports();
        addInputs();
        if (Result<bool> done = addModel(); !done)
            return done;
        return checkNames();
    }

    Result<std::vector<WrittenFile>> write() {
        std::vector<WrittenFile> written;
        for (const auto& [name, content] : m_files) {
            if (Result<bool> done = writeFile(folder() / name, content); !done)
                return fail(done.error());
            written.push_back({name, std::int64_t(content.size()), text::crc32(content)});
        }
        if (Result<bool> done = writeFile(folder() / "manifest.json", manifest(written)); !done)
            return fail(done.error());
        return written;
    }

private:
    std::filesystem::path folder() const { return m_options.outDirPrefix.empty() ? "." : m_options.outDirPrefix; }
    void add(const std::string& name, std::string content) { m_files.emplace_back(name, std::move(content)); }

    std::string arrayName(const emit::Initialiser& initialiser) const {
        const std::string prefix = m_outcome.pools.memFilePrefix + ".";
        std::string fname = initialiser.fileName.substr(prefix.size());
        fname = fname.substr(0, fname.rfind('.'));
        return "_mem_pool_" + fname + "_" + m_options.networkName;
    }

    Result<bool> addNetwork() {
        emit::NetworkSource source{m_outcome.program, m_outcome.pools, m_options, {}, {}, POOLWRIGHT_VERSION};
        for (const estimate::EpochEstimate& epoch : m_outcome.estimate.epochs)
            source.cycles.emplace_back(epoch.computeCycles, epoch.vendorCycles);
        source.usedBytes = usedBytes();
        const Result<std::string> code = emit::networkC(source);
        if (!code)
            return fail(code.error());
        add(m_base + ".c", *code);
        add(m_base + ".pwp", program::toJson(m_outcome.program));
        return true;
    }

    /// --onnx-output: what the passes made of the model, with its _Q.json.
    Result<bool> addModel() {
        if (m_options.onnxOutput.empty())
            return true;
        const std::string name = outputName(m_options.onnxOutput, {}, ".onnx");
        const auto model = import::exportModel(m_outcome.prepared->graph,
                                               {.fileName = name,
                                                .toolVersion = POOLWRIGHT_VERSION,
                                                .inputsUserAllocated = m_options.noInputsAllocation,
                                                .outputsUserAllocated = m_options.noOutputsAllocation});
        if (!model)
            return fail(model.error());
        add(name, model->onnx);
        add(import::quantisationFileName(name), model->quantisation);
        return true;
    }

    /// Every output is a file of its own inside the folder: a pool's fname may neither repeat another's nor lead elsewhere.
    Result<bool> checkNames() const {
        std::set<std::string> names{"manifest.json"};
        for (const auto& [name, content] : m_files) {
            if (std::filesystem::path(name).filename().string() != name)
                return fail(makeError("PW6016", "an output's name must not lead to another folder", {{}, 0, 0, name},
                                      "give names without folders; --out-dir-prefix is the folder"));
            if (!names.insert(name).second)
                return fail(makeError("PW6016", "two outputs would be written into one file", {{}, 0, 0, name},
                                      "give every pool an fname of its own"));
        }
        return true;
    }

    std::vector<ByteCount> usedBytes() const {
        std::vector<ByteCount> used;
        for (const mpool::EffectivePool& pool : m_outcome.program.pools) {
            const auto found = std::find_if(m_outcome.report->pools.begin(), m_outcome.report->pools.end(),
                                            [&](const report::Pool& p) { return p.name == pool.name; });
            used.push_back(found == m_outcome.report->pools.end() ? ByteCount() : found->used);
        }
        return used;
    }

    void addReports() {
        const report::Report& report = *m_outcome.report;
        add(outputName(m_options.outputInfoFile, "c_info.json", ".json"), emit::cInfo(report, cInfoOptions()));
        add(outputName(m_options.csvFile, m_base + ".csv", ".csv"), emit::csv(report));
        add(outputName(m_options.dotFile, m_base + ".dot", ".dot"), emit::dot(m_outcome.program, latencies()));
        add(outputName(m_options.mappingRecapFile, m_base + "_mapping_recap.txt", ".txt"), emit::recapText(report));
        add(m_base + "_generate_report.txt", emit::generateReport(report, reportOptions()));
        add(m_base + "_report.json", report::toJson(report));
    }

    void addInputs() {
        add(outputName(m_options.saveMpoolFile, m_base + "_saved.mpool", ".mpool"), savedPools());
        add(outputName(m_options.optionsFile, m_base + "_options.ini", ".ini"), options::writeIni(m_options, {"poolwright-cli", "poolwright." POOLWRIGHT_VERSION, "."}));
    }

    std::string savedPools() const {
        mpool::DumpOptions dump;
        dump.epochControllerParameters = m_options.enableEpochController;
        return mpool::writeDump(m_outcome.pools, dump);
    }

    emit::CInfoOptions cInfoOptions() const {
        emit::CInfoOptions options;
        options.memFilePrefix = m_outcome.pools.memFilePrefix;
        options.toolVersion = POOLWRIGHT_VERSION;
        return options;
    }

    emit::GenerateReportOptions reportOptions() const {
        emit::GenerateReportOptions options;
        options.form = m_options.runtimeGeneration == "1.1.1" ? emit::ReportForm::V2_2 : emit::ReportForm::V4_0;
        options.toolVersion = POOLWRIGHT_VERSION;
        options.secondsSince1970 = emit::sourceDateEpoch();
        return options;
    }

    std::vector<std::vector<Cycles>> latencies() const {
        std::vector<std::vector<Cycles>> result;
        for (std::size_t i = 0; i < m_outcome.program.epochs.size(); ++i) {
            const program::HardwareWork* work = m_outcome.program.epochs[i].hardware();
            std::vector<Cycles>& units = result.emplace_back(work ? work->units.size() : 0);
            for (const auto& latency : m_outcome.estimate.epochs[i].units)
                if (std::size_t(latency.unit) < units.size())
                    units[std::size_t(latency.unit)] = latency.cycles;
        }
        return result;
    }

    static std::string manifest(const std::vector<WrittenFile>& files) {
        nlohmann::ordered_json json;
        json["schema_version"] = 1;
        json["files"] = nlohmann::ordered_json::array();
        for (const WrittenFile& file : files) {
            char digits[16];
            std::snprintf(digits, sizeof digits, "%08X", file.crc32);
            json["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"crc32", digits}});
        }
        return json.dump(2, ' ', false, decltype(json)::error_handler_t::replace) + "\n";
    }

    const Outcome& m_outcome;
    const options::CompilerOptions& m_options;
    std::string m_base;
    std::vector<std::pair<std::string, std::string>> m_files;
};

} // namespace

Result<std::vector<WrittenFile>> writeArtefacts(const Outcome& outcome) {
    Artefacts artefacts(outcome);
    if (Result<bool> done = artefacts.make(); !done)
        return fail(done.error());
    return artefacts.write();
}

} // namespace poolwright::driver
