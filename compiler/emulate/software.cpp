// SPDX-License-Identifier: Apache-2.0
#include "emulate/software.h"

#include "emulate/views.h"

namespace poolwright::emulate {

using program::SoftwareWork;
using program::TensorView;
using reference::Value;

static Result<std::vector<Value>> gatherInputs(const SoftwareWork& work, Memory& memory, const Access& access) {
    std::vector<Value> values;
    for (const TensorView& view : work.inputs) {
        if (!view.buffer.isValid()) {
            values.emplace_back();
            continue;
        }
        Result<Value> value = gather(memory, view, access);
        if (!value)
            return fail(value.error());
        values.push_back(std::move(*value));
    }
    return values;
}

Result<void> runSoftwareEpoch(const program::Program& program, int ordinal, Memory& memory) {
    const program::Epoch& epoch = program.epochs[std::size_t(ordinal)];
    const SoftwareWork* work = epoch.software();
    if (!work)
        return fail(makeError("PW4143", "is no software epoch", {{}, 0, 0, "epoch " + std::to_string(ordinal)}));
    const Access access{ordinal, &epoch.name};
    const Result<std::vector<Value>> values = gatherInputs(*work, memory, access);
    if (!values)
        return fail(values.error());
    std::vector<const Value*> inputs;
    for (std::size_t i = 0; i < values->size(); ++i)
        inputs.push_back(work->inputs[i].buffer.isValid() ? &(*values)[i] : nullptr);
    std::vector<reference::OutputSpec> specs;
    for (const TensorView& view : work->outputs)
        specs.push_back({view.type, view.shape, view.quantisation});
    const Result<std::vector<Value>> results = reference::evaluate(work->kind, work->attributes, inputs, specs);
    if (!results)
        return fail(results.error());
    for (std::size_t i = 0; i < work->outputs.size() && i < results->size(); ++i)
        if (const Result<void> done = scatter(memory, work->outputs[i], (*results)[i], access); !done)
            return done;
    return {};
}

} // namespace poolwright::emulate
