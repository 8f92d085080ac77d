// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/emulation_text.h"
#include "driver/compile.h"
#include "driver/emulation.h"
#include "reference/npy.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <utility>

namespace poolwright::cli {

namespace {

struct EmulateOptions {
    std::string folder, outputs, dump, reference, format = "text";
    std::vector<std::string> inputs;
    std::optional<std::uint64_t> seed;
};

using Stack = std::vector<std::vector<reference::Value>>; ///< by network input (or output), then by inference

Result<Stack> readInputs(const program::Program& program, const EmulateOptions& options) {
    Stack stack;
    if (options.inputs.empty()) {
        for (std::size_t i = 0; i < program.inputs.size(); ++i)
            stack.push_back({driver::randomInput(program.inputs[i], *options.seed + i)});
        return stack;
    }
    if (options.inputs.size() != program.inputs.size())
        return fail(makeError("PW6011", "the network has " + std::to_string(program.inputs.size()) + " inputs, " +
                                            std::to_string(options.inputs.size()) + " files were given"));
    for (std::size_t i = 0; i < options.inputs.size(); ++i) {
        const Result<std::string> content = readFile(options.inputs[i]);
        if (!content)
            return fail(content.error());
        const Result<reference::Value> value = reference::parseNpy(*content, options.inputs[i]);
        if (!value)
            return fail(value.error());
        Result<std::vector<reference::Value>> parts = driver::splitBatch(*value, program.inputs[i]);
        if (!parts)
            return fail(parts.error());
        stack.push_back(std::move(*parts));
        if (stack.back().size() != stack.front().size())
            return fail(makeError("PW6011", "the input files hold different numbers of inferences", {options.inputs[i], 0, 0, {}}));
    }
    return stack;
}

std::vector<reference::Value> inferenceInputs(const Stack& stack, std::size_t n) {
    std::vector<reference::Value> inputs;
    for (const std::vector<reference::Value>& input : stack)
        inputs.push_back(input[n]);
    return inputs;
}

Result<Stack> runAll(const program::Program& program, const Stack& inputs, const EmulateOptions& options) {
    Stack outputs(program.outputs.size());
    const std::size_t count = inputs.empty() ? 1 : inputs.front().size();
    for (std::size_t n = 0; n < count; ++n) {
        Diagnostics findings;
        std::filesystem::path dump = options.dump;
        if (!dump.empty() && count > 1)
            dump /= "run_" + std::to_string(n);
        Result<std::vector<reference::Value>> result =
            driver::emulateOnce(program, inferenceInputs(inputs, n), dump, interruptFlag(), findings);
        printDiagnostics(findings);
        if (!result)
            return fail(result.error());
        for (std::size_t i = 0; i < result->size(); ++i)
            outputs[i].push_back(std::move((*result)[i]));
    }
    return outputs;
}

/// The names of the files, one for each output.
Result<std::vector<std::string>> writeOutputs(const Stack& outputs, const std::string& folder) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < outputs.size() && !folder.empty(); ++i) {
        names.push_back(folder + "/out_" + std::to_string(i) + ".npy");
        if (Result<bool> done = writeFile(names.back(), reference::npyContent(driver::stackBatch(outputs[i]))); !done)
            return fail(done.error());
    }
    return names;
}

/// Chained: what the network returns. Isolated: each epoch on the reference's inputs, so that a difference is its own.
Result<EmulationComparison> compareWith(const program::Program& program, const Stack& inputs, const EmulateOptions& options) {
    Result<options::CompilerOptions> compiled = driver::compiledOptions(options.folder);
    if (!compiled)
        return fail(compiled.error());
    compiled->nativeFloat = true;
    // Another form of the model (translated, say) has a quantisation file of its own beside it.
    const bool same = options.reference == compiled->onnxInput;
    const Result<ir::Graph> graph =
        driver::referenceGraph(options.reference, same ? compiled->jsonQuantFile : std::string(), *compiled);
    if (!graph)
        return fail(graph.error());
    EmulationComparison result;
    for (auto& [feeding, target] : {std::pair{emulate::Feeding::Chained, &result.chained},
                                    std::pair{emulate::Feeding::Isolated, &result.isolated}}) {
        Result<emulate::Comparison> comparison =
            emulate::compare(program, *graph, inferenceInputs(inputs, 0), feeding, interruptFlag());
        if (!comparison)
            return fail(comparison.error());
        *target = std::move(*comparison);
    }
    return result;
}

std::vector<EmulatedTensor> tensorsOf(const std::vector<program::TensorView>& views, const std::vector<std::string>& files) {
    std::vector<EmulatedTensor> tensors;
    for (std::size_t i = 0; i < views.size(); ++i)
        tensors.push_back({&views[i], i < files.size() ? files[i] : std::string()});
    return tensors;
}

int emulate(const EmulateOptions& options) {
    const Result<program::Program> program = driver::loadCompiled(options.folder);
    if (!program)
        return failWith(program.error());
    const Result<Stack> inputs = readInputs(*program, options);
    if (!inputs)
        return failWith(inputs.error());
    const Result<Stack> outputs = runAll(*program, *inputs, options);
    if (!outputs)
        return failWith(outputs.error());
    const Result<std::vector<std::string>> files = writeOutputs(*outputs, options.outputs);
    if (!files)
        return failWith(files.error());
    Emulation emulation{tensorsOf(program->inputs, options.inputs), tensorsOf(program->outputs, *files),
                        outputs->empty() ? 0 : outputs->front().size(), options.outputs, options.seed, options.reference, {}};
    if (!options.reference.empty()) {
        Result<EmulationComparison> comparison = compareWith(*program, *inputs, options);
        if (!comparison)
            return failWith(comparison.error());
        emulation.comparison = std::move(*comparison);
    }
    std::fputs((options.format == "json" ? toJson(emulation) : toText(emulation)).c_str(), stdout);
    return Done;
}

} // namespace

int runEmulate(const Arguments& arguments) {
    EmulateOptions options;
    CLI::App app("Runs compiled artefacts on the unit-by-unit emulator.", "poolwright-cli emulate");
    app.add_option("folder", options.folder, "folder that compile wrote")->required();
    app.add_option("--inputs", options.inputs, "one .npy for each network input; a first axis of N times the batch runs N inferences");
    app.add_option("--seed", options.seed, "random inputs from this seed")->check(CLI::Range(std::int64_t(0), std::int64_t(1) << 53));
    app.add_option("--outputs", options.outputs, "folder for out_0.npy, out_1.npy, ...");
    app.add_option("--dump-epochs", options.dump, "folder for every tensor after the epoch that wrote it");
    app.add_option("--reference", options.reference, "model to compare with");
    app.add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}));
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    if (options.inputs.empty() == !options.seed.has_value())
        return failWith({makeError("PW6012", "give either --inputs or --seed", {{}, 0, 0, "emulate"})});
    return emulate(options);
}

} // namespace poolwright::cli
