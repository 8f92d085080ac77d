// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulate/memory.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

/// Inside the room only: the units of one epoch at work.
namespace poolwright::emulate {

/// Words waiting at an input port.
class WordQueue {
public:
    std::int64_t size() const { return std::int64_t(m_words.size() - m_head); }
    const std::int32_t* front() const { return m_words.data() + m_head; }
    void push(const std::vector<std::int32_t>& words) { m_words.insert(m_words.end(), words.begin(), words.end()); }

    void pop(std::int64_t count) {
        m_head += std::size_t(count);
        if (m_head == m_words.size()) {
            m_words.clear();
            m_head = 0;
        } else if (m_head > 65536 && m_head > m_words.size() / 2) {
            m_words.erase(m_words.begin(), m_words.begin() + std::ptrdiff_t(m_head));
            m_head = 0;
        }
    }

private:
    std::vector<std::int32_t> m_words;
    std::size_t m_head = 0;
};

using Ports = std::array<WordQueue, 3>;

/// The last step of CONV, ARITH, POOL and ACTIV (facts/neural-art-target.md section 2.0).
struct OutputStage {
    int shift = 0;
    bool rounding = false;
    bool saturation = false;
    int bytes = 1;

    std::int32_t apply(std::int64_t value) const {
        if (rounding && shift > 0)
            value += std::int64_t(1) << (shift - 1);
        value >>= shift;
        const int bits = bytes * 8;
        if (saturation) {
            const std::int64_t limit = std::int64_t(1) << (bits - 1);
            return std::int32_t(value < -limit ? -limit : value >= limit ? limit - 1 : value);
        }
        return std::int32_t(std::uint32_t(std::uint64_t(value)) << (32 - bits)) >> (32 - bits);
    }
};

/// The low `bytes` bytes of a word as a number.
inline std::int32_t operandOf(std::int32_t word, int bytes, bool isUnsigned) {
    const int unused = 32 - bytes * 8;
    return isUnsigned ? std::int32_t(std::uint32_t(word) << unused >> unused)
                      : std::int32_t(std::uint32_t(word) << unused) >> unused;
}

class Stage {
public:
    virtual ~Stage() = default;

    /// Words that the next frame takes from a port; 0 when it takes none, or when there is no next frame.
    virtual std::int64_t need(int port) const = 0;
    /// Makes the next frame. Every port holds what is needed. `out` is empty on entry.
    virtual Result<void> fire(Ports& ports, std::vector<std::int32_t>& out) = 0;
    /// Frames still to come of a stream engine; -1 for units that work on whatever arrives.
    virtual std::int64_t framesLeft() const { return -1; }
};

struct StageContext {
    Memory& memory;
    Access access;
};

using StageResult = Result<std::unique_ptr<Stage>>;
StageResult makeStreamStage(const program::StreamEngineConfig& config, const StageContext& context);
StageResult makeConvStage(const program::ConvConfig& config, const StageContext& context);
StageResult makeArithStage(const program::ArithConfig& config, const StageContext& context);
StageResult makePoolStage(const program::PoolConfig& config, const StageContext& context);
StageResult makeActivStage(const program::ActivConfig& config, const StageContext& context);

} // namespace poolwright::emulate
