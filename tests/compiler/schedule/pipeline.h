// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulate/compare.h"
#include "import/import.h"
#include "passes/passes.h"
#include "schedule/schedule.h"
#include "support/shared.h"

#include <random>

/// Model file to Program without pools, as the driver does it, and inputs to run it with.
namespace poolwright::test {

struct Compiled {
    ir::Graph graph;
    program::Program program;
};

inline Result<ir::Graph> graphOf(const std::filesystem::path& model) {
    import::Options importOptions;
    std::filesystem::path json = model;
    json.replace_extension();
    json += "_Q.json";
    if (std::filesystem::exists(json))
        importOptions.quantisation = json;
    Diagnostics notes;
    auto graph = import::importModel(model, importOptions, notes);
    if (!graph)
        return graph;
    passes::Options passOptions;
    passOptions.nativeFloat = true;
    return passes::runPasses(std::move(*graph), passOptions, notes);
}

inline Result<Compiled> compileGraph(ir::Graph graph, const options::CompilerOptions& options = {}) {
    Diagnostics warnings;
    auto program = schedule::schedule(graph, target::builtinTarget().machine, options, warnings);
    if (!program)
        return tl::unexpected(program.error());
    if (Diagnostics broken = program::verify(*program); hasErrors(broken))
        return fail(broken);
    return Compiled{std::move(graph), std::move(*program)};
}

inline reference::Value randomValue(const ir::Tensor& tensor, std::mt19937& random) {
    reference::Value value{tensor.type, tensor.shape, tensor.quantisation, {}};
    value.bytes.resize(std::size_t(tensor.bytes()));
    if (tensor.type == ir::ElementType::Float32) {
        std::uniform_real_distribution<float> pick(-1, 1);
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
            value.as<float>()[i] = pick(random);
    } else {
        for (std::uint8_t& byte : value.bytes)
            byte = std::uint8_t(random());
    }
    return value;
}

inline std::vector<reference::Value> randomInputs(const ir::Graph& graph, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<reference::Value> inputs;
    for (TensorId input : graph.inputs)
        inputs.push_back(randomValue(graph[input], random));
    return inputs;
}

inline int epochsOfKind(const program::Program& program, program::EpochKind kind) {
    return int(
        std::count_if(program.epochs.begin(), program.epochs.end(), [&](const auto& e) { return e.kind == kind; }));
}

} // namespace poolwright::test
