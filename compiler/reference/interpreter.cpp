// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

namespace {

/// Values of all tensors of one run; each is dropped after its last reader.
class Interpreter {
public:
    Interpreter(const ir::Graph& graph, const std::function<void(TensorId, const Value&)>& observe)
        : m_graph(graph)
        , m_observe(observe)
        , m_values(graph.tensors.size())
        , m_readers(graph.tensors.size(), 0) {}

    Done start(const std::vector<Value>& inputs);
    Done execute(const ir::Node& node);
    Result<std::vector<Value>> results();

private:
    bool isValid(TensorId id) const { return id.index >= 0 && std::size_t(id.index) < m_values.size(); }
    void countReaders();
    void set(TensorId id, Value value);
    const Value* get(TensorId id);
    void release(TensorId id);

    const ir::Graph& m_graph;
    const std::function<void(TensorId, const Value&)>& m_observe;
    std::vector<std::optional<Value>> m_values;
    std::vector<std::int64_t> m_readers; ///< nodes that still read the tensor, graph outputs count as one more
};

Diagnostic internalError(const std::string& message, const std::string& object) {
    return makeError("PW2203", message, {{}, 0, 0, object});
}

void Interpreter::countReaders() {
    for (const ir::Node& node : m_graph.nodes)
        for (TensorId id : node.inputs)
            if (isValid(id))
                ++m_readers[std::size_t(id.index)];
    for (TensorId id : m_graph.outputs)
        if (isValid(id))
            ++m_readers[std::size_t(id.index)];
}

void Interpreter::set(TensorId id, Value value) {
    if (m_observe)
        m_observe(id, value);
    if (m_readers[std::size_t(id.index)] > 0)
        m_values[std::size_t(id.index)] = std::move(value);
}

/// The value of a tensor, constants read in on first use; nullptr when it is not known.
const Value* Interpreter::get(TensorId id) {
    if (!isValid(id))
        return nullptr;
    std::optional<Value>& value = m_values[std::size_t(id.index)];
    if (!value && m_graph[id].isConstant())
        value = constantValue(m_graph[id]);
    return value ? &*value : nullptr;
}

void Interpreter::release(TensorId id) {
    if (isValid(id) && --m_readers[std::size_t(id.index)] == 0)
        m_values[std::size_t(id.index)].reset();
}

Done Interpreter::start(const std::vector<Value>& inputs) {
    countReaders();
    if (inputs.size() != m_graph.inputs.size())
        return fail(internalError("the graph has " + std::to_string(m_graph.inputs.size()) + " inputs, " +
                                      std::to_string(inputs.size()) + " are given",
                                  m_graph.name));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const TensorId id = m_graph.inputs[i];
        if (!isValid(id))
            return fail(internalError("a graph input does not exist", m_graph.name));
        const ir::Tensor& tensor = m_graph[id];
        const std::int64_t bytes = checkedBytes(inputs[i].type, inputs[i].shape);
        if (inputs[i].type != tensor.type || inputs[i].shape != tensor.shape ||
            std::int64_t(inputs[i].bytes.size()) != bytes)
            return fail(internalError("the given data do not have the type and shape of the input", tensor.name));
        Value value = inputs[i];
        value.quantisation = tensor.quantisation;
        set(id, std::move(value));
    }
    return {};
}

Done Interpreter::execute(const ir::Node& node) {
    std::vector<const Value*> inputs;
    for (TensorId id : node.inputs) {
        inputs.push_back(get(id));
        if (id.isValid() && !inputs.back())
            return fail(internalError("an input of the node is not known when it runs", node.name));
    }
    std::vector<OutputSpec> specs;
    for (TensorId id : node.outputs) {
        if (!isValid(id))
            return fail(internalError("an output of the node does not exist", node.name));
        specs.push_back({m_graph[id].type, m_graph[id].shape, m_graph[id].quantisation});
    }
    Result<std::vector<Value>> values = evaluate(node.kind, node.attributes, inputs, specs);
    if (!values) {
        for (Diagnostic& diagnostic : values.error())
            diagnostic.where.object = node.name;
        return fail(std::move(values.error()));
    }
    for (std::size_t i = 0; i < specs.size(); ++i)
        set(node.outputs[i], std::move((*values)[i]));
    for (TensorId id : node.inputs)
        release(id);
    return {};
}

Result<std::vector<Value>> Interpreter::results() {
    std::vector<Value> results;
    for (TensorId id : m_graph.outputs) {
        const Value* value = get(id);
        if (!value)
            return fail(internalError("an output of the graph was never computed", m_graph.name));
        results.push_back(*value);
    }
    return results;
}

} // namespace

Result<std::vector<Value>> run(const ir::Graph& graph, const std::vector<Value>& inputs, const CancelFlag& cancel,
                               const std::function<void(TensorId, const Value&)>& observe) {
    Interpreter interpreter(graph, observe);
    if (const Done started = interpreter.start(inputs); !started)
        return fail(started.error());
    for (const ir::Node& node : graph.nodes) {
        if (cancel.isCancelled())
            return fail(makeError("PW2204", "the run was cancelled", {{}, 0, 0, node.name}));
        if (const Done done = interpreter.execute(node); !done)
            return fail(done.error());
    }
    return interpreter.results();
}

} // namespace poolwright::reference
