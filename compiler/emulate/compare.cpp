// SPDX-License-Identifier: Apache-2.0
#include "emulate/compare.h"

#include "emulate/views.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

namespace poolwright::emulate {

using ir::ElementType;
using program::Program;
using program::TensorView;
using reference::Value;

namespace {

double elementOf(ElementType type, const std::uint8_t* bytes) {
    const auto as = [bytes](auto number) {
        std::memcpy(&number, bytes, sizeof number);
        return double(number);
    };
    switch (type) {
    case ElementType::Int8:
        return as(std::int8_t());
    case ElementType::Int16:
        return as(std::int16_t());
    case ElementType::UInt16:
        return as(std::uint16_t());
    case ElementType::Int32:
        return as(std::int32_t());
    case ElementType::Int64:
        return as(std::int64_t());
    case ElementType::Float32:
        return as(float());
    default:
        return as(std::uint8_t());
    }
}

void count(Agreement& agreement, ElementType type, double value, double expected) {
    const bool real = type == ElementType::Float32;
    const double size = real ? std::max(1.0, std::abs(expected)) : 1;
    const double difference =
        value == expected || (std::isnan(value) && std::isnan(expected)) ? 0 : std::abs(value - expected);
    ++agreement.values;
    agreement.equal += difference <= (real ? 1e-6 * size : 0);
    agreement.withinOne += difference <= (real ? 1e-3 * size : 1);
    agreement.largest = std::isnan(difference) ? INFINITY : std::max(agreement.largest, difference);
}

bool is8Bit(ElementType type) {
    return type == ElementType::Int8 || type == ElementType::UInt8;
}

/// The reference's values as the view would hold them; nothing when they cannot be told.
std::optional<Value> asStored(const TensorView& view, const Value& value) {
    if (value.elements() != ir::elementCount(view.shape))
        return std::nullopt;
    Value stored = value;
    stored.shape = view.shape;
    stored.type = view.type;
    const bool known = view.quantisation && value.quantisation;
    const bool same =
        view.type == value.type && (!known || view.quantisation->zeroPoints == value.quantisation->zeroPoints);
    if (same)
        return stored;
    if (!is8Bit(view.type) || !is8Bit(value.type) || !known || !view.quantisation->isPerTensor() ||
        view.quantisation->scales != value.quantisation->scales)
        return std::nullopt;
    const int shift = view.quantisation->zeroPoints[0] - value.quantisation->zeroPoints[0];
    for (std::uint8_t& byte : stored.bytes)
        byte = std::uint8_t(byte + shift);
    return stored;
}

using Known = std::map<std::string, Value>;

/// Names of all tensors that lie in the program's memory.
std::set<std::string> namesIn(const Program& program) {
    std::set<std::string> names;
    for (const program::Buffer& buffer : program.buffers)
        if (buffer.kind != program::BufferKind::Constant)
            for (const TensorView& view : buffer.tensors)
                names.insert(view.name);
    for (const TensorView& view : program.outputs)
        names.insert(view.name);
    return names;
}

Result<Known> interpret(const Program& program, const ir::Graph& graph, const std::vector<Value>& inputs,
                        const CancelFlag& cancel) {
    const std::set<std::string> names = namesIn(program);
    Known known;
    const auto outputs = reference::run(graph, inputs, cancel, [&](TensorId id, const Value& value) {
        if (names.contains(graph[id].name))
            known[graph[id].name] = value;
    });
    if (!outputs)
        return fail(outputs.error());
    for (std::size_t i = 0; i < graph.outputs.size(); ++i)
        known.try_emplace(graph[graph.outputs[i]].name, (*outputs)[i]);
    // The same model from another file may name its outputs otherwise; their order is the same.
    for (std::size_t i = 0; i < std::min(outputs->size(), program.outputs.size()); ++i)
        known.try_emplace(program.outputs[i].name, (*outputs)[i]);
    return known;
}

class Comparer {
public:
    Comparer(const Program& program, const Known& known, Feeding feeding)
        : m_program(program)
        , m_known(known)
        , m_feeding(feeding) {}

    void before(Machine& machine, EpochId epoch) {
        const std::vector<BufferId> written = buffersOf(epoch, true);
        if (m_feeding == Feeding::Isolated)
            for (BufferId id : buffersOf(epoch, false))
                feed(machine, m_program[id]);
        for (BufferId id : written)
            machine.memory().forget(id, false);
    }

    void after(const Machine& machine, EpochId epoch) {
        for (BufferId id : buffersOf(epoch, true))
            for (const TensorView& view : m_program[id].tensors)
                compareView(machine, view, epoch.index);
    }

    Result<std::vector<Agreement>> outputs(const Machine& machine) const {
        std::vector<Agreement> agreements;
        for (const TensorView& view : m_program.outputs) {
            const auto expected = m_known.find(view.name);
            const std::optional<Value> stored =
                expected == m_known.end() ? std::nullopt : asStored(view, expected->second);
            if (!stored)
                return fail(makeError("PW4170", "the graph has no such output", {{}, 0, 0, view.name}));
            const Result<Value> value = machine.read(view);
            if (!value)
                return fail(value.error());
            agreements.push_back(agreementOf(view.name, *value, *stored));
        }
        return agreements;
    }

    std::vector<Agreement> takeTensors() { return std::move(m_tensors); }
    const Diagnostics& errors() const { return m_errors; }

private:
    /// Buffers, constants left out, that an epoch writes, or only reads.
    std::vector<BufferId> buffersOf(EpochId epoch, bool written) const {
        std::set<BufferId> reads, writes;
        program::forEachUse(m_program[epoch], [&](BufferId id, bool write) {
            if (m_program[id].kind != program::BufferKind::Constant)
                (write ? writes : reads).insert(id);
        });
        const std::set<BufferId>& chosen = written ? writes : reads;
        return {chosen.begin(), chosen.end()};
    }

    void feed(Machine& machine, const program::Buffer& buffer) {
        for (const TensorView& view : buffer.tensors) {
            const auto expected = m_known.find(view.name);
            if (expected == m_known.end())
                continue;
            if (const std::optional<Value> stored = asStored(view, expected->second))
                if (const Result<void> done = machine.write(view, *stored); !done)
                    m_errors = done.error();
        }
    }

    /// Bytes that an epoch writes as partial sums, for a while, into a buffer of tensors.
    std::vector<std::pair<std::int64_t, std::int64_t>> sumsIn(BufferId buffer, int epoch) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
        if (const auto* work = std::get_if<program::HardwareWork>(&m_program[EpochId(epoch)].work))
            for (const program::Unit& unit : work->units)
                if (const auto* engine = std::get_if<program::StreamEngineConfig>(&unit.config);
                    engine && engine->direction == program::Direction::ToMemory && engine->raw &&
                    engine->bitsOut == 24 && engine->tensor.empty() && engine->buffer == buffer)
                    ranges.emplace_back(engine->offsetStart, engine->offsetEnd);
        return ranges;
    }

    void compareView(const Machine& machine, const TensorView& view, int epoch) {
        const auto expected = m_known.find(view.name);
        const std::optional<Value> stored = expected == m_known.end() ? std::nullopt : asStored(view, expected->second);
        if (!stored)
            return;
        const Result<Value> value = machine.read(view);
        if (!value) {
            m_errors = value.error();
            return;
        }
        const std::int64_t size = ir::elementBytes(view.type);
        Agreement agreement{view.name, epoch};
        const auto sums = sumsIn(view.buffer, epoch);
        const auto isSum = [&](std::int64_t offset) {
            return std::any_of(sums.begin(), sums.end(),
                               [&](const auto& range) { return range.first <= offset && offset < range.second; });
        };
        forEachElement(view, [&](std::int64_t offset, std::int64_t index) {
            if (machine.memory().isWritten(view.buffer, offset, size) && !isSum(offset))
                count(agreement, view.type, elementOf(view.type, value->bytes.data() + index * size),
                      elementOf(view.type, stored->bytes.data() + index * size));
        });
        if (agreement.values > 0)
            m_tensors.push_back(agreement);
    }

    const Program& m_program;
    const Known& m_known;
    Feeding m_feeding;
    std::vector<Agreement> m_tensors;
    Diagnostics m_errors;
};

} // namespace

Agreement agreementOf(const std::string& tensor, const Value& value, const Value& expected) {
    Agreement agreement{tensor};
    const std::size_t size = std::size_t(ir::elementBytes(value.type));
    const std::size_t bytes = std::min(value.bytes.size(), expected.bytes.size());
    for (std::size_t at = 0; at + size <= bytes; at += size)
        count(agreement, value.type, elementOf(value.type, value.bytes.data() + at),
              elementOf(expected.type, expected.bytes.data() + at));
    return agreement;
}

Agreement sumOf(const std::vector<Agreement>& agreements, const std::string& name) {
    Agreement sum{name};
    for (const Agreement& agreement : agreements) {
        sum.values += agreement.values;
        sum.equal += agreement.equal;
        sum.withinOne += agreement.withinOne;
        sum.largest = std::max(sum.largest, agreement.largest);
    }
    return sum;
}

Agreement Comparison::total() const {
    return sumOf(outputs, "outputs");
}

Result<Comparison> compare(const Program& program, const ir::Graph& graph, const std::vector<Value>& inputs,
                           Feeding feeding, const CancelFlag& cancel) {
    const Result<Known> known = interpret(program, graph, inputs, cancel);
    if (!known)
        return fail(known.error());
    Comparer comparer(program, *known, feeding);
    Options options;
    options.cancel = cancel;
    options.beforeEpoch = [&comparer](Machine& machine, EpochId epoch) { comparer.before(machine, epoch); };
    options.afterEpoch = [&comparer](Machine& machine, EpochId epoch) { comparer.after(machine, epoch); };
    Result<Machine> machine = Machine::create(program, options);
    if (!machine)
        return fail(machine.error());
    machine->memory().trackWrites();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const Result<void> done = machine->setInput(i, inputs[i]); !done)
            return fail(done.error());
    if (const Result<void> done = machine->runAll(); !done)
        return fail(done.error());
    if (!comparer.errors().empty())
        return fail(comparer.errors());
    Result<std::vector<Agreement>> outputs = comparer.outputs(*machine);
    if (!outputs)
        return fail(outputs.error());
    return Comparison{comparer.takeTensors(), std::move(*outputs)};
}

} // namespace poolwright::emulate
