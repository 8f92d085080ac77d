// SPDX-License-Identifier: Apache-2.0
#include "driver/compile.h"

#include "driver/files.h"
#include "driver/front_end.h"
#include "driver/plan.h"
#include "driver/prepare.h"
#include "import/export_model.h"
#include "import/import.h"
#include "lint/lint.h"
#include "options/table.h"
#include "passes/passes.h"
#include "schedule/schedule.h"

#include <regex>
#include <tuple>

namespace poolwright::driver {

namespace {

Diagnostics cancelled() {
    return {makeError("PW6005", "cancelled")};
}

/// <stem>_Q.json beside the model, when the options name none (facts/file-formats.md section 6).
std::filesystem::path quantisationFile(const Request& request) {
    if (!request.quantisation.empty())
        return request.quantisation;
    std::filesystem::path beside = request.model;
    beside.replace_filename(request.model.stem().string() + "_Q.json");
    std::error_code ignored;
    return std::filesystem::exists(beside, ignored) ? beside : std::filesystem::path();
}

Result<bool> addHash(report::Provenance& provenance, const std::filesystem::path& path) {
    const Result<std::string> content = readFile(path);
    if (!content)
        return fail(content.error());
    provenance.inputs.push_back(path.filename().string());
    provenance.hashes[path.filename().string()] = crc32Digits(*content);
    return true;
}

Result<report::Provenance> provenanceOf(const Request& request, const std::filesystem::path& quantisation) {
    report::Provenance provenance;
    provenance.tool = "poolwright";
    provenance.version = POOLWRIGHT_VERSION;
    provenance.generation = request.options.runtimeGeneration;
    provenance.network = request.options.networkName;
    provenance.board = request.target.board(request.options.board).name;
    provenance.options = options::toCommandLine(request.options);
    if (Result<bool> done = addHash(provenance, request.model); !done)
        return fail(done.error());
    if (!quantisation.empty())
        if (Result<bool> done = addHash(provenance, quantisation); !done)
            return fail(done.error());
    return provenance;
}

void report(const Progress& progress, const char* stage, double fraction) {
    if (progress)
        progress(stage, fraction);
}

/// Options of the vendor's compiler that are read, kept and written out, but change nothing in this version: said, never silent.
void warnOfIdleOptions(const options::CompilerOptions& o, Diagnostics& diagnostics) {
    const std::pair<bool, const char*> idle[] = {
        {o.enableEpochController, "--enable-epoch-controller"},
        {o.shuffleDma, "--Oshuffle-dma"},
        {o.encryptWeights, "--encrypt-weights"},
        {o.generateStai, "--generate-stai"},
    };
    std::string names;
    for (const auto& [isSet, name] : idle)
        if (isSet)
            names += (names.empty() ? "" : ", ") + std::string(name);
    if (!names.empty())
        diagnostics.push_back(makeWarning("PW6020", "without effect in this version: " + names, {{}, 0, 0, "options"},
                                          "the result is the same as without them"));
}

/// Pairs of options that contradict each other.
Result<void> checkAllocation(const options::CompilerOptions& o) {
    const std::tuple<bool, bool, const char*, const char*> pairs[] = {
        {o.allocateInputs, o.noInputsAllocation, "--allocate-inputs", "--no-inputs-allocation"},
        {o.allocateOutputs, o.noOutputsAllocation, "--allocate-outputs", "--no-outputs-allocation"},
    };
    for (const auto& [wanted, refused, one, other] : pairs)
        if (wanted && refused)
            return fail(makeError("PW6022", std::string(one) + " and " + other + " contradict each other",
                                  {{}, 0, 0, other}, "leave one of them out; without both, the pools hold the buffers"));
    return {};
}

Result<void> lintOf(const Request& request, const ir::Graph& graph, Diagnostics& diagnostics) {
    std::vector<std::string> rules = request.options.lintOff;
    if (request.options.expandSoftmax || request.options.expandSoftmaxFull) // their advice is taken
        rules.insert(rules.end(), {"softmax-last", "softmax-inner"});
    const auto off = lint::switchedOff(rules);
    if (!off)
        return fail(off.error());
    const Diagnostics found = lint::summary({graph, request.model.filename().string()}, *off);
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    return {};
}

passes::Options passOptions(const options::CompilerOptions& given) {
    passes::Options result;
    result.verify = given.verify;
    result.nativeFloat = given.nativeFloat;
    result.omit = given.onnxOmitOpt;
    result.recogniseGelu = given.geluRecognition;
    result.recogniseSwish = given.swishRecognition;
    if (given.expandSoftmaxFull) // the more exact one of two
        result.softmax = passes::SoftmaxForm::Full;
    else if (given.expandSoftmax)
        result.softmax = passes::SoftmaxForm::Fast;
    result.border = {given.inputDataType, given.outputDataType, given.inputsChPosition, given.outputsChPosition};
    return result;
}

Result<ir::Graph> frontEnd(const Request& request, const std::filesystem::path& quantisation, Prepared& prepared,
                           const Progress& progress, const CancelFlag& cancel) {
    report(progress, "import", 0.0);
    import::Options importOptions;
    importOptions.quantisation = quantisation;
    importOptions.nativeFloat = request.options.nativeFloat;
    importOptions.inputShapes = request.inputShapes;
    Result<ir::Graph> imported = import::importModel(request.model, importOptions, prepared.diagnostics);
    if (!imported)
        return imported;
    if (cancel.isCancelled())
        return fail(cancelled());
    if (Result<void> linted = lintOf(request, *imported, prepared.diagnostics); !linted)
        return fail(linted.error());
    report(progress, "passes", 0.3);
    return passes::runPasses(std::move(*imported), passOptions(request.options), prepared.diagnostics);
}

} // namespace

Result<ir::Graph> referenceGraph(const std::filesystem::path& model, const std::filesystem::path& quantisation, bool nativeFloat) {
    options::CompilerOptions options;
    options.nativeFloat = nativeFloat;
    return referenceGraph(model, quantisation, options);
}

Result<ir::Graph> referenceGraph(const std::filesystem::path& model, const std::filesystem::path& quantisation,
                                 const options::CompilerOptions& options) {
    Request request;
    request.model = model;
    request.quantisation = quantisation;
    request.options = options;
    Prepared prepared;
    return frontEnd(request, quantisationFile(request), prepared, {}, {});
}

bool isTranslated(const std::filesystem::path& model) {
    static const std::regex pattern(R"(.*_OE_\d+_\d+_\d+\.onnx)");
    return std::regex_match(model.filename().string(), pattern);
}

Result<TranslatedModel> translate(const std::filesystem::path& model, const std::filesystem::path& quantisation,
                                  Diagnostics& diagnostics) {
    Request request;
    request.model = model;
    request.quantisation = quantisation;
    request.options.nativeFloat = true;
    Prepared prepared;
    const Result<ir::Graph> graph = frontEnd(request, quantisationFile(request), prepared, {}, {});
    if (!graph)
        return fail(graph.error());
    diagnostics = std::move(prepared.diagnostics);
    TranslatedModel result;
    result.onnxName = isTranslated(model) ? model.filename().string() : model.stem().string() + "_OE_3_3_1.onnx";
    result.quantisationName = import::quantisationFileName(result.onnxName);
    Result<import::ExportedModel> exported =
        import::exportModel(*graph, {.fileName = result.onnxName, .toolVersion = POOLWRIGHT_VERSION});
    if (!exported)
        return fail(exported.error());
    result.onnx = std::move(exported->onnx);
    result.quantisation = std::move(exported->quantisation);
    return result;
}

Result<std::shared_ptr<Prepared>> importModel(const Request& request, const Progress& progress,
                                              const CancelFlag& cancel) {
    auto prepared = std::make_shared<Prepared>();
    prepared->options = request.options;
    prepared->target = request.target;
    if (Result<void> sound = checkAllocation(request.options); !sound)
        return fail(sound.error());
    warnOfIdleOptions(request.options, prepared->diagnostics);
    const std::filesystem::path quantisation = quantisationFile(request);
    Result<report::Provenance> provenance = provenanceOf(request, quantisation);
    if (!provenance)
        return fail(provenance.error());
    prepared->provenance = std::move(*provenance);

    Result<ir::Graph> graph = frontEnd(request, quantisation, *prepared, progress, cancel);
    if (!graph)
        return fail(graph.error());
    prepared->graph = std::move(*graph);
    if (cancel.isCancelled())
        return fail(cancelled());
    return prepared;
}

void setProgram(Prepared& prepared, program::Program program, const options::CompilerOptions& options) {
    prepared.options = options;
    prepared.provenance.options = options::toCommandLine(options);
    prepared.program = std::move(program);
    prepared.program.networkName = options.networkName;
    prepared.question = placementQuestion(prepared.program);
}

Result<PreparedPtr> prepare(const Request& request, const Progress& progress, const CancelFlag& cancel) {
    Result<std::shared_ptr<Prepared>> imported = importModel(request, progress, cancel);
    if (!imported)
        return fail(imported.error());
    Prepared& prepared = **imported;
    report(progress, "epochs", 0.5);
    Result<program::Program> program =
        schedule::schedule(prepared.graph, request.target.machine, request.options, prepared.diagnostics, cancel);
    if (!program)
        return fail(program.error());
    setProgram(prepared, std::move(*program), request.options);
    return PreparedPtr(std::move(*imported));
}

Result<Outcome> compile(const Request& request, const Progress& progress, const CancelFlag& cancel) {
    const Result<PreparedPtr> prepared = prepare(request, progress, cancel);
    if (!prepared)
        return fail(prepared.error());
    report(progress, "placement", 0.8);
    Result<Outcome> outcome = planAndVerify(*prepared, request.pools, cancel);
    report(progress, "done", 1.0);
    return outcome;
}

} // namespace poolwright::driver
