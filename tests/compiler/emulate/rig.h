// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulate/emulate.h"

#include <numeric>
#include <random>

/// Builds Programs of one hardware epoch by hand, for tests of the units.
namespace poolwright::test {

inline std::vector<std::uint8_t> bytesOf(const std::vector<int>& values, int size = 1) {
    std::vector<std::uint8_t> bytes;
    for (int value : values)
        for (int i = 0; i < size; ++i)
            bytes.push_back(std::uint8_t(std::uint32_t(value) >> (8 * i)));
    return bytes;
}

inline std::vector<int> randomValues(std::mt19937& random, std::int64_t count, int lowest, int highest) {
    std::uniform_int_distribution<int> pick(lowest, highest);
    std::vector<int> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(pick(random));
    return values;
}

class Rig {
public:
    Rig() {
        m_program.machine = target::builtinTarget().machine;
        m_program.epochs.resize(3);
        m_program.epochs[1].kind = program::EpochKind::Hardware;
        m_program.epochs[1].name = "test";
        m_program.epochs[1].work = program::HardwareWork{};
    }

    BufferId constant(const std::vector<std::uint8_t>& bytes) {
        const BufferId id = buffer(std::int64_t(bytes.size()), program::BufferKind::Constant);
        m_program.buffers.back().contents = std::make_shared<const std::vector<std::uint8_t>>(bytes);
        return id;
    }
    BufferId buffer(std::int64_t size, program::BufferKind kind = program::BufferKind::Output) {
        program::Buffer buffer;
        buffer.name = "buffer" + std::to_string(m_program.buffers.size());
        buffer.size = ByteCount(size);
        buffer.kind = kind;
        buffer.live = {kind == program::BufferKind::Constant ? 0 : 1, 2};
        m_program.buffers.push_back(buffer);
        return BufferId(m_program.buffers.size() - 1);
    }

    /// Adds a unit and answers its index among the units.
    template <typename Config> int add(const Config& config) {
        program::Unit unit;
        unit.kind = kindOf(config);
        for (const program::Unit& other : work().units)
            unit.index += other.kind == unit.kind ? 1 : 0;
        unit.config = config;
        unit.node = "unit" + std::to_string(work().units.size());
        work().units.push_back(unit);
        return int(work().units.size()) - 1;
    }
    void link(int from, int to, int port = 0, int dropFrames = 0, int passFrames = 0) {
        work().links.push_back({from, to, port, dropFrames, passFrames});
    }

    /// A contiguous raster engine: `frames` frames of height x width x depth words of `bits`.
    program::StreamEngineConfig raster(BufferId buffer, int height, int width, int depth, int bits = 8,
                                       std::int64_t frames = 1) const {
        program::StreamEngineConfig engine;
        engine.buffer = buffer;
        engine.fheight = height;
        engine.fwidth = width;
        engine.batchDepth = depth;
        engine.batchOffset = depth * bits / 8;
        engine.lineOffset = width * engine.batchOffset;
        engine.frameOffset = height * engine.lineOffset;
        engine.frameTotal = frames;
        engine.bitsIn = engine.bitsOut = bits;
        return engine;
    }
    program::StreamEngineConfig raw(BufferId buffer, std::int64_t bytes, int bits = 8, std::int64_t frames = 1) const {
        program::StreamEngineConfig engine;
        engine.buffer = buffer;
        engine.raw = true;
        engine.offsetEnd = engine.frameOffset = bytes;
        engine.frameTotal = frames;
        engine.bitsIn = engine.bitsOut = bits;
        return engine;
    }
    static program::StreamEngineConfig toMemory(program::StreamEngineConfig engine) {
        engine.direction = program::Direction::ToMemory;
        return engine;
    }

    program::Program& program() { return m_program; }
    program::HardwareWork& work() { return std::get<program::HardwareWork>(m_program.epochs[1].work); }

    /// Runs and answers a buffer as signed (or unsigned) little-endian numbers of `size` bytes.
    Result<std::vector<int>> run(BufferId buffer, int size = 1, bool isUnsigned = false) {
        auto machine = emulate::Machine::create(m_program);
        if (!machine)
            return fail(machine.error());
        if (const auto done = machine->runAll(); !done)
            return fail(done.error());
        const std::int64_t bytes = m_program[buffer].size.value;
        const std::uint8_t* data = *machine->memory().peek(buffer, 0, bytes);
        std::vector<int> values;
        for (std::int64_t i = 0; i + size <= bytes; i += size) {
            std::uint32_t word = 0;
            for (int b = 0; b < size; ++b)
                word |= std::uint32_t(data[i + b]) << (8 * b);
            const int unused = 32 - 8 * size;
            values.push_back(isUnsigned ? int(word) : int(word << unused) >> unused);
        }
        return values;
    }

private:
    static target::UnitKind kindOf(const program::StreamEngineConfig&) { return target::UnitKind::StreamEngine; }
    static target::UnitKind kindOf(const program::ConvConfig&) { return target::UnitKind::ConvAcc; }
    static target::UnitKind kindOf(const program::ArithConfig&) { return target::UnitKind::Arith; }
    static target::UnitKind kindOf(const program::PoolConfig&) { return target::UnitKind::Pool; }
    static target::UnitKind kindOf(const program::ActivConfig&) { return target::UnitKind::Activ; }

    program::Program m_program;
};

} // namespace poolwright::test
