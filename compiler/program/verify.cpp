// SPDX-License-Identifier: Apache-2.0
#include "program/findings.h"

#include <bit>
#include <set>

namespace poolwright::program {

bool isBuffer(const Program& program, BufferId id) {
    return id.isValid() && std::size_t(id.index) < program.buffers.size();
}

static std::string epochPlace(const Program& program, int ordinal) {
    const std::string& name = program.epochs[std::size_t(ordinal)].name;
    return "epoch " + std::to_string(ordinal) + (name.empty() ? "" : " (" + name + ")");
}

static bool workFitsKind(const Epoch& epoch) {
    switch (epoch.kind) {
    case EpochKind::None:
        return std::holds_alternative<std::monostate>(epoch.work);
    case EpochKind::Hardware:
        return epoch.hardware() != nullptr;
    case EpochKind::Software:
        return epoch.software() != nullptr;
    case EpochKind::Hybrid:
        return !std::holds_alternative<std::monostate>(epoch.work);
    }
    return false;
}

/// A view of `owner` (or of any buffer when `owner` is invalid) that lies inside its buffer.
static void verifyView(const Program& program, const TensorView& view, BufferId owner, Findings& findings) {
    const std::string name = "view " + view.name;
    if (!findings.require(isBuffer(program, view.buffer), "PW3510", name + " names no buffer"))
        return;
    findings.require(!owner.isValid() || view.buffer == owner, "PW3510", name + " names another buffer");
    if (!findings.require(view.shape.size() == view.strides.size(), "PW3511",
                          name + " has " + std::to_string(view.shape.size()) + " dimensions and " +
                              std::to_string(view.strides.size()) + " strides"))
        return;
    // The bounds keep spans and element counts far from overflow, whatever a file says.
    constexpr std::int64_t limit = std::int64_t(1) << 31;
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        const bool sane = view.shape[i] > 0 && view.shape[i] <= limit / elements && view.strides[i] >= -limit &&
                          view.strides[i] <= limit && view.shape.size() <= 16;
        if (!findings.require(sane, "PW3511", name + " has an empty dimension, or is far too large"))
            return;
        elements *= view.shape[i];
    }
    if (!findings.require(view.offset >= 0 && view.offset <= limit, "PW3512", name + " starts outside its buffer"))
        return;
    const ByteSpan span = spanOf(view);
    findings.require(span.first >= 0 && span.end <= program[view.buffer].size.value, "PW3512",
                     name + " spans bytes " + std::to_string(span.first) + " to " + std::to_string(span.end) +
                         " of a buffer of " + std::to_string(program[view.buffer].size.value));
}

static void verifyBuffer(const Program& program, BufferId id, Findings& findings) {
    const Buffer& buffer = program[id];
    findings.enter("buffer " + buffer.name);
    findings.require(buffer.size.value > 0, "PW3501", "size is " + std::to_string(buffer.size.value));
    findings.require(buffer.alignment > 0 && std::has_single_bit(std::uint64_t(buffer.alignment)), "PW3502",
                     "alignment " + std::to_string(buffer.alignment) + " is no power of two");
    findings.require(0 <= buffer.live.first && buffer.live.first <= buffer.live.last &&
                         buffer.live.last <= program.lastEpoch(),
                     "PW3503",
                     "live range " + std::to_string(buffer.live.first) + " to " + std::to_string(buffer.live.last) +
                         " is not inside the program");
    if (buffer.kind == BufferKind::Constant) {
        findings.require(buffer.contents && std::int64_t(buffer.contents->size()) == buffer.size.value, "PW3504",
                         "a constant's contents must be exactly its size");
        findings.require(buffer.live == EpochRange{0, program.lastEpoch()}, "PW3503",
                         "a constant lives through the whole program");
    }
    for (const TensorView& view : buffer.tensors)
        verifyView(program, view, id, findings);
}

static void verifySoftware(const Program& program, const SoftwareWork& work, Findings& findings) {
    for (const TensorView& view : work.inputs)
        if (view.buffer.isValid())
            verifyView(program, view, {}, findings);
    findings.require(!work.outputs.empty(), "PW3520", "a software epoch without outputs");
    for (const TensorView& view : work.outputs)
        verifyView(program, view, {}, findings);
}

static void verifyEpoch(const Program& program, int ordinal, Findings& findings) {
    const Epoch& epoch = program.epochs[std::size_t(ordinal)];
    findings.enter(epochPlace(program, ordinal));
    const bool pseudo = ordinal == 0 || ordinal == program.lastEpoch();
    findings.require(pseudo == (epoch.kind == EpochKind::None), "PW3505",
                     pseudo ? "the first and the last epoch run nothing" : "an epoch between them that runs nothing");
    if (!findings.require(workFitsKind(epoch), "PW3506", "the work does not fit the epoch's kind"))
        return;
    const bool onCpu = epoch.kind == EpochKind::Software || epoch.kind == EpochKind::Hybrid;
    findings.require(onCpu == !epoch.reason.empty(), "PW3507",
                     onCpu ? "no reason why it is no hardware epoch" : "a hardware epoch needs no reason");
    if (const HardwareWork* hardware = epoch.hardware())
        verifyHardware(program, ordinal, *hardware, findings);
    else if (const SoftwareWork* software = epoch.software())
        verifySoftware(program, *software, findings);
}

void forEachUse(const Epoch& epoch, const std::function<void(BufferId, bool)>& use) {
    const auto touch = [&use](BufferId id, bool write) {
        if (id.isValid())
            use(id, write);
    };
    if (const HardwareWork* hardware = epoch.hardware())
        for (const Unit& unit : hardware->units) {
            if (const auto* engine = std::get_if<StreamEngineConfig>(&unit.config))
                touch(engine->buffer, engine->direction == Direction::ToMemory);
            else if (const auto* arith = std::get_if<ArithConfig>(&unit.config))
                for (BufferId vector : {arith->aVector, arith->bVector, arith->cVector})
                    touch(vector, false);
        }
    if (const SoftwareWork* software = epoch.software()) {
        for (const TensorView& view : software->inputs)
            touch(view.buffer, false);
        for (const TensorView& view : software->outputs)
            touch(view.buffer, true);
    }
}

/// Every use lies in the live range; nothing is read that no earlier epoch (or an engine of the same one) wrote.
static void verifyDataFlow(const Program& program, Findings& findings) {
    std::vector<bool> known(program.buffers.size());
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        known[i] = program.buffers[i].kind == BufferKind::Constant || program.buffers[i].kind == BufferKind::Input;
    for (int ordinal = 0; ordinal <= program.lastEpoch(); ++ordinal) {
        findings.enter(epochPlace(program, ordinal));
        const Epoch& epoch = program.epochs[std::size_t(ordinal)];
        forEachUse(epoch, [&](BufferId id, bool write) {
            if (write && isBuffer(program, id))
                known[std::size_t(id.index)] = true;
        });
        std::set<BufferId> seen;
        forEachUse(epoch, [&](BufferId id, bool write) {
            if (!isBuffer(program, id))
                return;
            const Buffer& buffer = program[id];
            findings.require(!write || buffer.kind != BufferKind::Constant, "PW3530",
                             "writes the constant " + buffer.name);
            if (!seen.insert(id).second)
                return;
            findings.require(buffer.live.contains(ordinal), "PW3531",
                             "uses buffer " + buffer.name + " outside its live range " +
                                 std::to_string(buffer.live.first) + " to " + std::to_string(buffer.live.last));
            findings.require(known[std::size_t(id.index)], "PW3532",
                             "reads buffer " + buffer.name + ", which nothing wrote");
        });
    }
    findings.enter("network");
    for (const TensorView& view : program.outputs)
        if (isBuffer(program, view.buffer))
            findings.require(known[std::size_t(view.buffer.index)] &&
                                 program[view.buffer].live.last == program.lastEpoch(),
                             "PW3533", "output " + view.name + " is not there when the network returns");
}

Diagnostics verify(const Program& program) {
    Findings findings;
    findings.enter("network");
    if (!findings.require(program.epochs.size() >= 2, "PW3505", "a program has a first and a last epoch"))
        return findings.take();
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        verifyBuffer(program, BufferId(i), findings);
    for (int ordinal = 0; ordinal <= program.lastEpoch(); ++ordinal)
        verifyEpoch(program, ordinal, findings);
    findings.enter("network");
    for (const TensorView& view : program.inputs)
        verifyView(program, view, {}, findings);
    for (const TensorView& view : program.outputs)
        verifyView(program, view, {}, findings);
    verifyDataFlow(program, findings);
    verifyPlacement(program, findings);
    return findings.take();
}

} // namespace poolwright::program
