// SPDX-License-Identifier: Apache-2.0
#include "fuzz/trial.h"

#include "artefacts/open.h"
#include "driver/compile.h"
#include "driver/emulation.h"
#include "driver/plan.h"
#include "emulate/emulate.h"
#include "mpool/read.h"
#include "mpool/write.h"
#include "options/ini.h"
#include "options/profile.h"
#include "place/buffers_json.h"
#include "place/problem.h"
#include "program/serialise.h"
#include "random/random_options.h"
#include "reference/reference.h"
#include "report/json.h"
#include "support/shared.h"

#include <fstream>
#include <map>

namespace poolwright::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t largestEmulation = 1 << 20; // bytes of all buffers: a mutant's share of the time

/// An error is an answer; none, or one about ourselves, is a fault.
Answer refused(const Diagnostics& why, Verdict verdict = Verdict::Refused) {
    Answer answer;
    answer.verdict = verdict;
    if (!hasErrors(why))
        answer.fault = "refused without an error";
    for (const Diagnostic& diagnostic : why) {
        if (diagnostic.severity != Severity::Error)
            continue;
        if (answer.code.empty())
            answer.code = diagnostic.code;
        if (diagnostic.code.starts_with("PW90") || diagnostic.code.empty())
            answer.fault = toText(diagnostic);
    }
    return answer;
}

std::vector<mpool::BankRange> banks() {
    std::vector<mpool::BankRange> result;
    for (const target::Bank& bank : target::builtinTarget().banks)
        result.push_back({bank.name, bank.range});
    return result;
}

const mpool::PoolFile& shippedPools(std::size_t which) {
    static std::map<std::size_t, mpool::PoolFile> known;
    const auto found = known.find(which);
    if (found != known.end())
        return found->second;
    const fs::path path = fs::path(POOLWRIGHT_SOURCE_DIR) / "mpools" / (std::string(test::poolFiles[which]) + ".mpool");
    return known[which] = mpool::readPools(test::readFile(path), path.string(), banks()).value();
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

std::int64_t bytesOf(const program::Program& program) {
    std::int64_t bytes = 0;
    for (const program::Buffer& buffer : program.buffers)
        bytes += buffer.size.value;
    return bytes;
}

/// The network runs on the emulator and, as the graph, on the interpreter; values are not compared here.
Answer emulated(const driver::Outcome& outcome) {
    const program::Program& program = outcome.program;
    std::vector<reference::Value> inputs, graphInputs;
    for (const program::TensorView& input : program.inputs)
        inputs.push_back(driver::randomInput(input, 7));
    const ir::Graph& graph = outcome.prepared->graph;
    for (TensorId id : graph.inputs) {
        const ir::Tensor& tensor = graph[id];
        graphInputs.push_back({tensor.type, tensor.shape, tensor.quantisation, {}});
        graphInputs.back().bytes.resize(std::size_t(tensor.bytes()), 3);
    }
    if (const auto values = reference::run(graph, graphInputs); !values)
        return refused(values.error(), Verdict::Stopped);
    if (const auto values = emulate::run(program, inputs); !values)
        return refused(values.error(), Verdict::Stopped);
    return {Verdict::Done, {}, {}};
}

Answer compiled(driver::Request request, const fs::path& folder, Dice& dice) {
    request.options.outDirPrefix = folder.string();
    request.options.verify = true;
    const auto prepared = driver::prepare(request);
    if (!prepared)
        return refused(prepared.error(),
                       prepared.error().front().code.starts_with("PW20") ? Verdict::Refused : Verdict::Stopped);
    const auto outcome = driver::plan(*prepared, request.pools);
    if (!outcome)
        return refused(outcome.error(), Verdict::Stopped);
    if (!outcome->report->fits)
        return {Verdict::Stopped, "does not fit", {}};
    if (const Diagnostics broken = program::verify(outcome->program); !broken.empty())
        return {Verdict::Stopped, broken.front().code, "broken program: " + toText(broken.front())};
    if (const auto written = driver::writeArtefacts(*outcome); !written)
        return refused(written.error(), Verdict::Stopped);
    if (dice.oneIn(4) && bytesOf(outcome->program) <= largestEmulation)
        return emulated(*outcome);
    return {Verdict::Done, {}, {}};
}

driver::Request requestWith(const std::string& model, const fs::path& folder, Dice& dice) {
    driver::Request request;
    request.model = folder / "mutant.onnx";
    write(request.model, model);
    request.options =
        test::randomOptions([&](unsigned low, unsigned high) { return low + dice.below(high - low + 1); });
    request.options.nativeFloat = !dice.oneIn(3);
    request.options.runtimeGeneration = "1.1.1"; // the one that network.c is written for
    request.pools = shippedPools(dice.below(test::poolFiles.size()));
    return request;
}

driver::Request plainRequest(const fs::path& folder, Dice& dice) {
    driver::Request request = requestWith(plainModel(), folder, dice);
    request.options.nativeFloat = true;
    return request;
}

// ---- one function a kind ----

Answer tryModel(const Seed& mutant, Dice& dice, const fs::path& folder) {
    driver::Request request = requestWith(mutant.content, folder, dice);
    if (!mutant.companion.empty()) {
        request.quantisation = folder / "mutant.json";
        write(request.quantisation, mutant.companion);
    }
    return compiled(request, folder, dice);
}

Answer tryQuantisation(const Seed& mutant, Dice& dice, const fs::path& folder) {
    return tryModel({Kind::Model, mutant.name, mutant.companion, mutant.content}, dice, folder);
}

Answer tryPools(const Seed& mutant, Dice& dice, const fs::path& folder) {
    const auto pools = mpool::readPools(mutant.content, "mutant.mpool", banks());
    if (!pools)
        return refused(pools.error());
    if (hasErrors(pools->findings))
        return refused(pools->findings);
    driver::Request request = plainRequest(folder, dice);
    request.pools = *pools;
    mpool::writeDump(*pools, {});
    return compiled(request, folder, dice);
}

Answer tryTarget(const Result<target::Target>& target, Dice& dice, const fs::path& folder) {
    if (!target)
        return refused(target.error());
    driver::Request request = plainRequest(folder, dice);
    request.target = *target;
    return compiled(request, folder, dice);
}

Answer tryMachine(const Seed& mutant, Dice& dice, const fs::path& folder) {
    return tryTarget(target::withMachineDescription(target::builtinTarget(), mutant.content, "mutant.mdesc"), dice,
                     folder);
}

Answer tryTargetFile(const Seed& mutant, Dice& dice, const fs::path& folder) {
    return tryTarget(target::readTarget(mutant.content, "mutant.json"), dice, folder);
}

/// Paths that options name are kept inside the folder: a mutant shall write nowhere else.
Answer compiledWith(const options::CompilerOptions& options, Dice& dice, const fs::path& folder) {
    driver::Request request = plainRequest(folder, dice);
    request.options = options;
    return compiled(request, folder, dice);
}

Answer tryProfiles(const Seed& mutant, Dice& dice, const fs::path& folder) {
    const auto file = options::readProfiles(mutant.content, "mutant.json");
    if (!file)
        return refused(file.error());
    Answer answer;
    for (const options::Profile& profile : file->profiles) {
        const auto resolved = options::resolveProfile(*file, profile.name, {"--Os"});
        if (!resolved)
            return refused(resolved.error(), Verdict::Stopped);
        options::resolvedText(*resolved);
        if (answer.verdict == Verdict::Refused)
            answer = hasErrors(resolved->diagnostics) ? refused(resolved->diagnostics, Verdict::Stopped)
                                                      : compiledWith(resolved->options, dice, folder);
    }
    return answer;
}

Answer tryOptions(const Seed& mutant, Dice& dice, const fs::path& folder) {
    const auto tokens = options::readIni(mutant.content, "mutant.ini");
    if (!tokens)
        return refused(tokens.error());
    const options::Parsed parsed = options::parseTokens(*tokens);
    if (hasErrors(parsed.diagnostics))
        return refused(parsed.diagnostics);
    return compiledWith(parsed.options, dice, folder);
}

Answer tryProgram(const Seed& mutant, Dice&, const fs::path&) {
    const auto program = program::fromJson(mutant.content, "mutant.pwp");
    if (!program)
        return refused(program.error());
    if (const Diagnostics broken = program::verify(*program); !broken.empty())
        return refused(broken, Verdict::Stopped);
    std::vector<reference::Value> inputs;
    for (const program::TensorView& input : program->inputs)
        if (ir::elementCount(input.shape) > largestEmulation)
            return {Verdict::Stopped, "large input", {}};
        else
            inputs.push_back(driver::randomInput(input, 7));
    if (const auto values = emulate::run(*program, inputs); !values)
        return refused(values.error(), Verdict::Stopped);
    return {Verdict::Done, {}, {}};
}

Answer tryArtefact(const Seed& mutant, Dice&, const fs::path&) {
    const artefacts::ArtefactKind kind = artefacts::kindOf(mutant.content);
    const auto report = artefacts::readArtefact(kind, mutant.content, "mutant");
    if (!report)
        return refused(report.error());
    const std::string json = report::toJson(*report);
    if (const auto again = report::fromJson(json, "again"); !again)
        return {Verdict::Stopped, again.error().front().code,
                "own report unreadable: " + toText(again.error().front())};
    return {Verdict::Done, {}, {}};
}

Answer tryBuffers(const Seed& mutant, Dice& dice, const fs::path&) {
    auto buffers = place::readBuffersJson(mutant.content, "mutant.json");
    if (!buffers)
        return refused(buffers.error());
    place::Problem problem;
    problem.buffers = std::move(*buffers);
    problem.pools = driver::poolSpecs(
        mpool::effectivePools(shippedPools(dice.below(test::poolFiles.size())), true, mpool::RuntimeGeneration::V2));
    const place::Solution solution = place::place(problem);
    return {solution.unplaced.empty() ? Verdict::Done : Verdict::Stopped, {}, {}};
}

} // namespace

Answer run(const Seed& mutant, Dice& dice, const fs::path& folder) {
    using Try = Answer (*)(const Seed&, Dice&, const fs::path&);
    static const std::map<Kind, Try> all = {
        {Kind::Model, tryModel},     {Kind::Quantisation, tryQuantisation}, {Kind::Pools, tryPools},
        {Kind::Machine, tryMachine}, {Kind::Target, tryTargetFile},         {Kind::Profiles, tryProfiles},
        {Kind::Options, tryOptions}, {Kind::Program, tryProgram},           {Kind::Artefact, tryArtefact},
        {Kind::Buffers, tryBuffers},
    };
    return all.at(mutant.kind)(mutant, dice, folder);
}

} // namespace poolwright::fuzz
