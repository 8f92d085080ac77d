// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compile_command.h"
#include "driver/emulation.h"
#include "emulate/compare.h"
#include "reference/npy.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

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

Result<bool> writeOutputs(const Stack& outputs, const std::string& folder) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string name = folder + "/out_" + std::to_string(i) + ".npy";
        if (Result<bool> done = writeFile(name, reference::npyContent(driver::stackBatch(outputs[i]))); !done)
            return done;
    }
    return true;
}

void print(const char* title, const emulate::Agreement& total) {
    std::printf("%s: %lld of %lld values equal (%.3f %%), %lld within one step, largest difference %g\n", title,
                static_cast<long long>(total.equal), static_cast<long long>(total.values),
                total.values ? 100.0 * double(total.equal) / double(total.values) : 100.0, static_cast<long long>(total.withinOne),
                total.largest);
}

/// The tensors that agree least when each epoch reads exact inputs; nothing when all do.
void printWorst(std::vector<emulate::Agreement> tensors) {
    constexpr std::size_t most = 5;
    std::erase_if(tensors, [](const emulate::Agreement& t) { return t.equal == t.values; });
    std::stable_sort(tensors.begin(), tensors.end(), [](const emulate::Agreement& a, const emulate::Agreement& b) {
        return double(a.equal) * double(b.values) < double(b.equal) * double(a.values);
    });
    for (std::size_t i = 0; i < std::min(most, tensors.size()); ++i)
        print(("  epoch " + std::to_string(tensors[i].epoch) + ", " + tensors[i].tensor).c_str(), tensors[i]);
}

/// Chained: what the network returns. Isolated: each epoch on the reference's inputs, so that a difference is its own.
Result<bool> compareWith(const program::Program& program, const Stack& inputs, const std::string& model) {
    const Result<ir::Graph> graph = driver::referenceGraph(model, {}, true);
    if (!graph)
        return fail(graph.error());
    for (emulate::Feeding feeding : {emulate::Feeding::Chained, emulate::Feeding::Isolated}) {
        const Result<emulate::Comparison> comparison =
            emulate::compare(program, *graph, inferenceInputs(inputs, 0), feeding, interruptFlag());
        if (!comparison)
            return fail(comparison.error());
        if (feeding == emulate::Feeding::Chained) {
            print("against the reference, chained", comparison->total());
            continue;
        }
        print("against the reference, each epoch on exact inputs", emulate::sumOf(comparison->tensors));
        printWorst(comparison->tensors);
    }
    return true;
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
    if (!options.outputs.empty()) {
        if (Result<bool> done = writeOutputs(*outputs, options.outputs); !done)
            return failWith(done.error());
    }
    std::printf("emulated %zu inference%s, %zu output%s%s%s\n", outputs->empty() ? 0 : outputs->front().size(),
                outputs->empty() || outputs->front().size() == 1 ? "" : "s", outputs->size(), outputs->size() == 1 ? "" : "s",
                options.outputs.empty() ? "" : " written into ", options.outputs.c_str());
    if (!options.reference.empty())
        if (Result<bool> done = compareWith(*program, *inputs, options.reference); !done)
            return failWith(done.error());
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
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    if (options.inputs.empty() == !options.seed.has_value())
        return failWith({makeError("PW6012", "give either --inputs or --seed", {{}, 0, 0, "emulate"})});
    return emulate(options);
}

} // namespace poolwright::cli
