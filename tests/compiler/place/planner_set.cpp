// SPDX-License-Identifier: Apache-2.0
#include "planner_set.h"

#include "dice.h"

#include <algorithm>
#include <array>

namespace poolwright::test {

using namespace place;

namespace {

class Maker {
public:
    explicit Maker(const CaseSpec& spec)
        : m_spec(spec)
        , m_dice(spec.seed * 977 + unsigned(spec.buffers) * 13 + unsigned(spec.shape)) {}

    Problem make() {
        addPools();
        const int activations = m_spec.constants ? m_spec.buffers / 2 : m_spec.buffers;
        switch (m_spec.shape) {
        case Shape::UNet:
            addUNets(activations);
            break;
        case Shape::Dense:
            addDense(activations);
            break;
        case Shape::Chain:
            addChain(activations);
            break;
        }
        if (m_spec.extras)
            addExtras();
        while (m_spec.constants && int(m_problem.buffers.size()) < m_spec.buffers)
            addWeights();
        if (m_spec.firmware)
            addFirmware();
        return m_problem;
    }

private:
    void addPool(const char* name, std::uint64_t start, double size, double price) {
        PoolSpec pool;
        pool.name = name;
        pool.range = {Address(start), ByteCount(std::int64_t(size * m_spec.scale) / 64 * 64)};
        pool.readCyclesPerByte = pool.writeCyclesPerByte = price;
        m_problem.pools.push_back(pool);
    }

    void addPools() {
        std::uint64_t start = 0x34100000;
        const std::array names = {"cpuRAM2", "npuRAM3", "npuRAM4", "npuRAM5", "npuRAM6"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            addPool(names[i], start, i == 0 ? 1048576 : 458752, i == 0 ? 2.5 / 8 : 1.25 / 8);
            start = m_problem.pools.back().range.end().value + (i == 0 && m_spec.hole ? 64 : 0);
        }
        if (m_spec.hole)
            m_problem.pools[0].range.size = m_problem.pools[0].range.size - ByteCount(1);
        addPool("hyperRAM", 0x90000000, 256.0 * 1048576 / m_spec.scale, 5.0 / 2);
        m_problem.pools.back().external = true;
        addPool("octoFlash", 0x70000000, 256.0 * 1048576 / m_spec.scale, 6);
        m_problem.pools.back().external = m_problem.pools.back().constantsPreferred = true;
        m_problem.pools.back().writable = false;
        if (!m_spec.merged)
            return;
        PoolSpec group;
        group.name = "group";
        const std::size_t first = m_spec.hole ? 1 : 0;
        group.range = {m_problem.pools[first].range.start,
                       m_problem.pools[4].range.end() - m_problem.pools[first].range.start};
        for (std::size_t i = first; i < 5; ++i)
            group.members.push_back(int(i));
        group.reservedTail = m_problem.pools[4].reservedTail = ByteCount(8);
        m_problem.pools.push_back(group);
    }

    void addActivation(std::int64_t size, int birth, int death, int reads) {
        BufferSpec buffer;
        buffer.name = "t" + std::to_string(m_problem.buffers.size());
        buffer.size = ByteCount(std::max<std::int64_t>(size, 1));
        buffer.alignment = 16;
        buffer.live = {birth, death};
        buffer.accesses = {{birth, 0, buffer.size.value}, {death, buffer.size.value * reads, 0}};
        if (birth == death)
            buffer.accesses = {{birth, buffer.size.value * reads, buffer.size.value}};
        m_problem.buffers.push_back(buffer);
    }

    bool isFull(int most) const { return int(m_problem.buffers.size()) >= most; }

    /// Levels down and up again; what goes down is read once more on the way up.
    void addUNets(int most) {
        for (int epoch = 0; !isFull(most);) {
            const int levels = int(m_dice(3, 6));
            const std::int64_t size = m_dice(300000, 1200000);
            for (int step = 0; step < 2 * levels && !isFull(most); ++step, ++epoch) {
                const int level = std::min(step, 2 * levels - 1 - step);
                const std::int64_t bytes = (size >> level) * m_dice(80, 120) / 100;
                addActivation(bytes, epoch, epoch + 1, int(m_dice(1, 9)));
                if (step < levels && !isFull(most))
                    addActivation(bytes / 2, epoch, epoch + 2 * (levels - level) - 1, int(m_dice(1, 3)));
                if (m_dice(0, 3) == 0 && !isFull(most))
                    addActivation(m_dice(100, 40000), epoch, epoch, 1);
            }
        }
    }

    /// Blocks in which every layer's output lives to the end of the block.
    void addDense(int most) {
        for (int epoch = 0; !isFull(most);) {
            const int layers = int(m_dice(4, 12));
            const std::int64_t size = m_dice(40000, 400000);
            for (int layer = 0; layer < layers && !isFull(most); ++layer, ++epoch) {
                addActivation(size * m_dice(50, 150) / 100, epoch, epoch + (layers - layer), layers - layer);
                if (!isFull(most))
                    addActivation(size * m_dice(1, 4) / 2, epoch, epoch + 1, int(m_dice(1, 4)));
            }
        }
    }

    /// A chain with skips of random length.
    void addChain(int most) {
        for (int epoch = 0; !isFull(most); ++epoch) {
            addActivation(m_dice(2000, 900000), epoch, epoch + (m_dice(0, 3) == 0 ? int(m_dice(2, 30)) : 1),
                          int(m_dice(1, 12)));
            if (m_dice(0, 2) == 0 && !isFull(most))
                addActivation(m_dice(1000, 200000), epoch, epoch, int(m_dice(1, 3)));
        }
    }

    int lastEpoch() const {
        int last = 0;
        for (const BufferSpec& buffer : m_problem.buffers)
            last = std::max(last, buffer.live.last);
        return last;
    }

    void addWeights() {
        BufferSpec weights;
        weights.name = "w" + std::to_string(m_problem.buffers.size());
        weights.size = ByteCount(m_dice(16, 60000));
        weights.alignment = 16;
        weights.isConstant = true;
        weights.live = {0, lastEpoch()};
        weights.accesses = {{int(m_dice(0, weights.live.last)), weights.size.value, 0}};
        m_problem.buffers.push_back(weights);
    }

    void addFirmware() {
        BufferSpec firmware;
        firmware.name = "firmware";
        firmware.live = {0, lastEpoch()};
        firmware.size = ByteCount(std::int64_t(200000 * m_spec.scale));
        firmware.fixed = m_problem.pools[2].range.start + ByteCount(64);
        m_problem.buffers.push_back(firmware);
    }

    void addExtras() {
        for (std::size_t b = 1; b < m_problem.buffers.size(); ++b) {
            BufferSpec& buffer = m_problem.buffers[b];
            const BufferSpec& before = m_problem.buffers[b - 1];
            const std::int64_t kind = m_dice(0, 15);
            if (kind < 3)
                buffer.alignment = std::int64_t(1) << m_dice(0, 8);
            else if (kind < 5 && !before.inside && before.size > buffer.size && before.live.overlaps(buffer.live))
                buffer.inside = {int(b) - 1, kind == 3 ? ByteCount(0) : (before.size - buffer.size)};
            if (buffer.inside)
                buffer.alignment = 1;
        }
        for (BufferSpec* io : {&m_problem.buffers.front(), &m_problem.buffers.back()})
            if (!io->inside)
                io->alignment = 32;
    }

    CaseSpec m_spec;
    Dice m_dice;
    Problem m_problem;
};

const char* nameOf(Shape shape) {
    return shape == Shape::UNet ? "unet" : shape == Shape::Dense ? "dense" : "chain";
}

} // namespace

PlannerCase plannerCase(const CaseSpec& spec) {
    std::string name =
        std::string(nameOf(spec.shape)) + std::to_string(spec.buffers) + " x" + std::to_string(int(spec.scale * 100)) +
        (spec.merged ? " merged" : "") + (spec.hole ? " hole" : "") + (spec.firmware ? " firmware" : "") +
        (spec.constants ? " constants" : "") + (spec.extras ? " extras" : "") + " #" + std::to_string(spec.seed);
    return {name, Maker(spec).make()};
}

std::vector<PlannerCase> plannerSet(int buffers) {
    std::vector<PlannerCase> set;
    unsigned seed = 1;
    for (const Shape shape : {Shape::UNet, Shape::Dense, Shape::Chain})
        for (const double scale : {1.0, 0.5, 0.25})
            for (int variant = 0; variant < 5; ++variant, ++seed) {
                CaseSpec spec{shape, buffers, scale};
                spec.merged = variant == 1 || variant == 2;
                spec.hole = variant == 2;
                spec.firmware = variant == 3;
                spec.constants = spec.extras = variant == 4;
                spec.seed = seed;
                set.push_back(plannerCase(spec));
            }
    return set;
}

PlannerCase threePools(std::string name, std::vector<BufferSpec> buffers, std::int64_t capacity) {
    PlannerCase result;
    result.name = std::move(name);
    for (const auto& [poolName, start, size, price] :
         {std::tuple("fast", std::uint64_t(0), capacity / 2, 1.0),
          std::tuple("middle", std::uint64_t(capacity), capacity / 4, 2.0),
          std::tuple("slow", std::uint64_t(4 * capacity), 2 * capacity, 8.0)}) {
        PoolSpec pool;
        pool.name = poolName;
        pool.range = {Address(start), ByteCount(size)};
        pool.readCyclesPerByte = pool.writeCyclesPerByte = price;
        result.problem.pools.push_back(pool);
    }
    for (BufferSpec& buffer : buffers)
        buffer.accesses = {{buffer.live.first, buffer.size.value, buffer.size.value}};
    result.problem.buffers = std::move(buffers);
    return result;
}

double costOf(const Problem& problem, const std::vector<std::optional<Placed>>& placed) {
    double cost = 0;
    for (std::size_t b = 0; b < placed.size(); ++b) {
        if (!placed[b])
            continue;
        const AddressRange range{placed[b]->address, problem.buffers[b].size};
        for (const PoolSpec& pool : problem.pools) {
            if (!pool.members.empty() || !pool.range.overlaps(range))
                continue;
            const double share =
                double(std::min(range.end(), pool.range.end()).value - std::max(range.start, pool.range.start).value) /
                double(range.size.value);
            for (const Access& access : problem.buffers[b].accesses)
                cost += share * (double(access.readBytes) * pool.readCyclesPerByte +
                                 double(access.writeBytes) * pool.writeCyclesPerByte);
        }
    }
    return cost;
}

} // namespace poolwright::test
