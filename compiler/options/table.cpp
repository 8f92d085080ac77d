// SPDX-License-Identifier: Apache-2.0
#include "options/table.h"

#include "text/numbers.h"

#include <map>

namespace poolwright::options {

namespace {

using O = CompilerOptions;
using Spellings = std::vector<std::string_view>;

/// Builds the table: one category and status at a time.
class TableBuilder {
public:
    void section(std::string_view category, Status status = Status::Compiler) {
        m_category = category;
        m_status = status;
    }

    OptionSpec& flag(std::string_view name, Spellings spellings, bool O::*field, std::string_view sentence) {
        return add(name, std::move(spellings), ArgumentKind::Flag, {}, field, sentence);
    }
    OptionSpec& file(std::string_view name, Spellings spellings, std::string O::*field, std::string_view sentence,
                     std::string_view extension = {}) {
        OptionSpec& spec = add(name, std::move(spellings), ArgumentKind::File, "FILE", field, sentence);
        spec.extension = extension;
        return spec;
    }
    OptionSpec& text(std::string_view name, Spellings spellings, std::string_view argument, std::string O::*field,
                     std::string_view sentence) {
        return add(name, std::move(spellings), ArgumentKind::Text, argument, field, sentence);
    }
    OptionSpec& list(std::string_view name, Spellings spellings, std::vector<std::string> O::*field,
                     std::string_view sentence) {
        return add(name, std::move(spellings), ArgumentKind::List, "NAME", field, sentence);
    }
    OptionSpec& number(std::string_view name, Spellings spellings, int O::*field, int minimum, int maximum,
                       std::string_view sentence) {
        OptionSpec& spec = add(name, std::move(spellings), ArgumentKind::Integer, "N", field, sentence);
        spec.minimum = minimum;
        spec.maximum = maximum;
        return spec;
    }

    std::vector<OptionSpec> take() { return std::move(m_specs); }

private:
    OptionSpec& add(std::string_view name, Spellings spellings, ArgumentKind kind, std::string_view argument,
                    Field field, std::string_view sentence) {
        m_specs.push_back({name, std::move(spellings), kind, argument, m_category, m_status, sentence, field});
        return m_specs.back();
    }

    std::string_view m_category;
    Status m_status = Status::Compiler;
    std::vector<OptionSpec> m_specs;
};

void addInputs(TableBuilder& t) {
    t.section("input files");
    t.file("onnx-input", {"-i", "--onnx-input"}, &O::onnxInput,
           "The model: ONNX translated by the front end, or plain QDQ ONNX.");
    t.file("json-quant-file", {"--json-quant-file"}, &O::jsonQuantFile,
           "Quantisation of the model's tensors; a QDQ model needs none.");
    t.file("load-mpool-file", {"--load-mpool", "--load-mpool-file"}, &O::loadMpool, "Memory pools that may be used.",
           ".mpool");
    t.file("load-mdesc-file", {"-t", "--load-mdesc", "--load-mdesc-file", "--target"}, &O::loadMdesc,
           "Machine: name of a built-in one or a .mdesc file.", ".mdesc");
    t.file("load-cdesc-file", {"--load-cdesc", "--load-cdesc-file"}, &O::loadCdesc,
           "Microcontroller: a name such as cortex-m55, or a .cdesc file.", ".cdesc");
    t.file("load-options", {"--load-options"}, &O::loadOptions,
           "Takes options from an .ini file; those on the command line win.");
}

void addOutputs(TableBuilder& t) {
    t.section("output files");
    t.file("c-output", {"-g", "--c-output"}, &O::cOutput,
           "Name of the generated C file and of what stands beside it; \"network\" when not given.", ".c");
    t.text("out-dir-prefix", {"--out-dir-prefix"}, "FOLDER/", &O::outDirPrefix,
           "Folder for every output; made when it is not there.");
    t.text("network-name", {"--network-name"}, "NAME", &O::networkName, "Part of all C symbols.");
    t.file("output-info-file", {"--output-info-file"}, &O::outputInfoFile,
           "Description of buffers, epochs and pools for tools (c_info).", ".json");
    t.file("save-mpool-file", {"--save-mpool-file"}, &O::saveMpoolFile,
           "Writes the pools in use with every property spelled out.", ".mpool");
    t.file("save-mdesc-file", {"--save-mdesc-file"}, &O::saveMdescFile, "Writes the machine in use.", ".mdesc");
    t.file("onnx-output", {"--onnx-output"}, &O::onnxOutput, "Writes the graph after the passes as ONNX.");
    t.file("dot-file", {"--dot-file"}, &O::dotFile, "Writes epochs and units as a Graphviz graph.", ".dot");
    t.file("csv-file", {"--csv-file"}, &O::csvFile, "Writes traffic, cycles and power of every epoch.", ".csv");
    t.file("options-file", {"--options-file"}, &O::optionsFile,
           "Writes the options as an .ini file that --load-options reads.", ".ini");
    t.flag("mapping-recap", {"--mapping-recap"}, &O::mappingRecap,
           "Says for each operator which unit or software routine runs it.");
    t.file("mapping-recap-file", {"--mapping-recap-file"}, &O::mappingRecapFile, "Writes that recap to a file.");
    t.file("sched-stats", {"--sched-stats"}, &O::schedStats, "Writes figures of the schedule as JSON.", ".json");
    t.flag("num-ops-info", {"--num-ops-info"}, &O::numOpsInfo, "Adds operation counts to the recap.");
    t.flag("all-buffers-info", {"--all-buffers-info"}, &O::allBuffersInfo,
           "Describes inner buffers in the C file too; validation on the board needs it.");
    t.flag("generate-stai", {"--generate-stai"}, &O::generateStai,
           "Adds the wrapper of the common st_ai interface (3.0 and later).");
}

void addTarget(TableBuilder& t) {
    t.section("target");
    t.flag("native-float", {"--native-float"}, &O::nativeFloat,
           "Floats without quantisation stay floats and run in software.");
    t.flag("cache-maintenance", {"--cache-maintenance"}, &O::cacheMaintenance,
           "Emits the cache cleaning and invalidation that shared memory needs.");
    t.flag("mvei", {"--mvei"}, &O::mvei,
           "Scratch buffers for the vector extension of the Cortex-M55 (up to 2.2; later --load-cdesc).");
    t.flag("enable-virtual-mem-pools", {"--enable-virtual-mem-pools"}, &O::enableVirtualMemPools,
           "Pools that touch also act as one larger pool.")
        .advice = "The larger pool takes traits of its slower members: part unlike pools by a hole.";
    t.flag("enable-epoch-controller", {"--enable-epoch-controller"}, &O::enableEpochController,
           "Hardware epochs become epoch-controller blobs.");
    t.flag("ec-user-io-skip", {"--ec-user-io-skip"}, &O::ecUserIoSkip,
           "No blob for epochs that touch user-allocated inputs or outputs.");
    t.flag("ec-user-io-alone", {"--ec-user-io-alone"}, &O::ecUserIoAlone, "Such epochs get a blob of their own.");
    t.flag("ec-optimize", {"--ec-optimize"}, &O::ecOptimize, "Experimental: shorter blobs.");
    t.flag("encrypt-weights", {"--encrypt-weights"}, &O::encryptWeights, "Weights are stored encrypted.");
    t.flag("no-encrypt-acc-confs", {"--no-encrypt-acc-confs"}, &O::noEncryptAccConfs,
           "Parameters of units stay plain.");
    t.flag("disable-sw-fallback", {"--disable-sw-fallback"}, &O::disableSwFallback,
           "Fails where an operator would need software.");
    t.flag("no-hw-sw-parallelism", {"--no-hw-sw-parallelism"}, &O::noHwSwParallelism,
           "Hardware and software never run at the same time.");
    t.flag("force-all-in-out-to-mem", {"--force-all-in-out-to-mem"}, &O::forceAllInOutToMem,
           "For debugging: units pass nothing to each other but by memory.");
}

void addOptimisation(TableBuilder& t) {
    t.section("optimisation");
    t.number("optimization", {"-O", "--optimization"}, &O::optimization, 0, 3,
             "Effort for speed. 0: epochs in the model's order, the first placement found. 1: the greedy order, a short "
             "improvement of the placement. 2: the best of three orders, a full improvement. 3: four times that.");
    t.flag("Os", {"--Os", "-Os", "-M"}, &O::optimizeSize,
           "Searches for the order of epochs with the smallest peak of live activations.");
    t.flag("Ocache-opt", {"--Ocache-opt"}, &O::cacheOpt, "Streams of cacheable pools go through the NPU cache; what is read again and fits is kept there.")
        .advice = "Needs --cache-maintenance.";
    t.flag("Oauto", {"-A", "--Oauto"}, &O::autoOptions, "Tries many combinations of options and keeps the fastest.")
        .advice = "Leave --Omax-ca-pipe at 0, so that it is part of the search.";
    t.flag("Oauto-sched", {"--Oauto-sched"}, &O::autoSched, "Compiles with and without --Oalt-sched and keeps the faster one.");
    t.flag("Oalt-sched", {"--Oalt-sched"}, &O::altSched, "Orders epochs depth first from the outputs, the branch with the greatest need first.");
    t.number("d-auto", {"--d-auto"}, &O::autoDebug, 0, 2, "How much the search tells: 1 adds pools and reasons, 2 the configurations that were not placed.");
    t.number("Omax-ca-pipe", {"--Omax-ca-pipe"}, &O::maxCaPipe, 0, 64,
             "Most convolution units in a pipeline; 0 is what the machine has.");
    t.flag("Oconv-split-cw", {"--Oconv-split-cw"}, &O::convSplitCw,
           "Experimental: splits convolutions by input channel over all convolution units in series.");
    t.flag("Oconv-split-kw", {"--Oconv-split-kw"}, &O::convSplitKw,
           "Experimental: splits convolutions by kernel into two halves side by side.");
    t.flag("Oconv-split-stripe", {"--Oconv-split-stripe"}, &O::convSplitStripe,
           "Experimental: splits convolutions with 1xN kernels into two stripes of rows side by side.");
    t.flag("Oconv-split-stripe-full", {"--Oconv-split-stripe-full"}, &O::convSplitStripeFull,
           "Experimental: splits convolutions of any kernel into two stripes of rows side by side.");
    t.flag("Oshuffle-dma", {"--Oshuffle-dma"}, &O::shuffleDma, "Spreads streams over both memory ports.");
    t.flag("Ono-clone-dma", {"--Ono-clone-dma"}, &O::noCloneDma, "Never gives one tensor two stream engines.");
    t.flag("Opreserve-inputs", {"--Opreserve-inputs"}, &O::preserveInputs,
           "The memory of network inputs is used for nothing else.");
}

void addPatterns(TableBuilder& t) {
    t.section("patterns (results may vary)");
    t.flag("expand-softmax", {"--expand-softmax"}, &O::expandSoftmax,
           "Softmax from NPU operators, fast form: the largest stays the largest.");
    t.flag("expand-softmax-full", {"--expand-softmax-full"}, &O::expandSoftmaxFull,
           "Softmax from NPU operators, precise form; goes before the fast one.");
    t.flag("GELU-recognition", {"--GELU-recognition"}, &O::geluRecognition,
           "One unit for a whole GELU; quantisation inside it is ignored.");
    t.flag("SWISH-recognition", {"--SWISH-recognition"}, &O::swishRecognition,
           "One unit for a whole Swish or HardSwish; quantisation inside it is ignored.");
    t.list("lint-off", {"--lint-off"}, &O::lintOff, "Switches a rule of lint off, by its name.");
    t.list("onnx-omit-opt", {"--onnx-omit-opt"}, &O::onnxOmitOpt, "Leaves a graph pass out.");
    t.section("debugging");
    t.number("d-json-out", {"--d-json-out"}, &O::debugJson, 0, 9, "Debug output as JSON.");
    t.number("d-dead", {"--d-dead"}, &O::deadlockAnalysis, 0, 9, "Looks for epochs that could wait for each other.");
    t.list("d-onnx-temps", {"--d-onnx-temps"}, &O::debugOnnxTemps, "Writes the graph after these passes.");
    t.flag("help", {"--help", "-h"}, &O::help, "Prints the options.");
}

void addFrontEnd(TableBuilder& t) {
    t.section("front end", Status::FrontEnd);
    t.file("model", {"-m", "--model"}, &O::model, "The model as trained.");
    t.text("st-neural-art", {"--st-neural-art"}, "[PROFILE[@FILE]]", &O::stNeuralArt,
           "Profile: empty for the default, profile-NAME for a built-in one, NAME@FILE for one of yours.")
        .kind = ArgumentKind::OptionalText;
    t.text("name", {"--name"}, "NAME", &O::name, "Name of generated files and symbols.");
    t.text("workspace", {"--workspace", "-w"}, "FOLDER", &O::workspace, "Folder of intermediate files.");
    t.text("output", {"--output", "-o"}, "FOLDER", &O::output, "Folder of results.");
    t.flag("no-inputs-allocation", {"--no-inputs-allocation"}, &O::noInputsAllocation,
           "The application gives the memory of inputs.");
    t.flag("no-outputs-allocation", {"--no-outputs-allocation"}, &O::noOutputsAllocation,
           "The application gives the memory of outputs.");
    t.flag("allocate-inputs", {"--allocate-inputs"}, &O::allocateInputs, "Inputs lie in the pools.");
    t.flag("allocate-outputs", {"--allocate-outputs"}, &O::allocateOutputs, "Outputs lie in the pools.");
    t.text("input-data-type", {"--input-data-type"}, "TYPE", &O::inputDataType,
           "Type of inputs: float32, int8 or uint8.");
    t.text("output-data-type", {"--output-data-type"}, "TYPE", &O::outputDataType,
           "Type of outputs: float32, int8 or uint8.");
    t.text("inputs-ch-position", {"--inputs-ch-position"}, "POSITION", &O::inputsChPosition,
           "Channels of inputs: chfirst or chlast.");
    t.text("outputs-ch-position", {"--outputs-ch-position"}, "POSITION", &O::outputsChPosition,
           "Channels of outputs: chfirst or chlast.");
    t.text("fix-parametric-shapes", {"--fix-parametric-shapes"}, "SHAPES", &O::fixParametricShapes,
           "Numbers for free dimensions.");
    t.text("val-json", {"--val-json"}, "FILE", &O::valJson, "Validation results as JSON.");
    t.text("c-api", {"--c-api"}, "API", &O::cApi, "Interface of the generated code.");
    t.text("mode", {"--mode"}, "MODE", &O::mode, "Where validation runs: host or target.");
    t.text("desc", {"--desc", "-d"}, "LINE", &O::desc, "How to reach the board.");
    t.number("verbosity", {"--verbosity", "-v"}, &O::verbosity, 0, 3, "How much is printed.");
}

void addOurs(TableBuilder& t) {
    t.section("Poolwright", Status::Ours);
    t.flag("verify", {"--verify"}, &O::verify, "Checks every stage's result before the next one starts.");
    t.text("runtime", {"--runtime"}, "VERSION", &O::runtimeGeneration,
           "Runtime to write for: 1.1.1 (2.x) or 1.1.3 (3.x, 4.x); decides the rule for virtual pools too.");
    t.text("board", {"--board"}, "NAME", &O::board, "Board whose measurements calibrate the estimate.");
}

std::vector<OptionSpec> buildTable() {
    TableBuilder builder;
    addInputs(builder);
    addOutputs(builder);
    addTarget(builder);
    addOptimisation(builder);
    addPatterns(builder);
    addFrontEnd(builder);
    addOurs(builder);
    return builder.take();
}

std::map<std::string, const OptionSpec*, std::less<>> buildIndex() {
    std::map<std::string, const OptionSpec*, std::less<>> index;
    for (const OptionSpec& spec : optionTable()) {
        index.emplace(spec.name, &spec);
        index.emplace("--" + std::string(spec.name), &spec);
        for (std::string_view spelling : spec.spellings)
            index.emplace(spelling, &spec);
    }
    return index;
}

struct ToText {
    const CompilerOptions& options;
    std::string operator()(bool O::*field) const { return options.*field ? "true" : "false"; }
    std::string operator()(int O::*field) const { return std::to_string(options.*field); }
    std::string operator()(std::string O::*field) const { return options.*field; }
    std::string operator()(std::vector<std::string> O::*field) const {
        std::string text;
        for (const std::string& item : options.*field)
            text += (text.empty() ? "" : ",") + item;
        return text;
    }
};

} // namespace

const std::vector<OptionSpec>& optionTable() {
    static const std::vector<OptionSpec> table = buildTable();
    return table;
}

const OptionSpec* findOption(std::string_view spelling) {
    static const auto index = buildIndex();
    const auto it = index.find(spelling);
    return it == index.end() ? nullptr : it->second;
}

std::vector<std::string> allSpellings() {
    std::vector<std::string> spellings;
    for (const OptionSpec& spec : optionTable())
        for (std::string_view spelling : spec.spellings)
            spellings.emplace_back(spelling);
    return spellings;
}

std::string valueText(const OptionSpec& spec, const CompilerOptions& options) {
    return std::visit(ToText{options}, spec.field);
}

std::string defaultText(const OptionSpec& spec) {
    return valueText(spec, CompilerOptions{});
}

const char* statusName(Status status) {
    return status == Status::Compiler ? "compiler" : status == Status::FrontEnd ? "front-end" : "ours";
}

} // namespace poolwright::options
