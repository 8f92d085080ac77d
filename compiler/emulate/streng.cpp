// SPDX-License-Identifier: Apache-2.0
#include "emulate/stage.h"

namespace poolwright::emulate {

using program::Direction;
using program::StreamEngineConfig;

namespace {

/// A word of 8, 16 or 24 bits from memory, zero-extended.
std::uint32_t loadWord(const std::uint8_t* bytes, int size) {
    std::uint32_t word = bytes[0];
    if (size > 1)
        word |= std::uint32_t(bytes[1]) << 8;
    if (size > 2)
        word |= std::uint32_t(bytes[2]) << 16;
    return word;
}

void storeWord(std::uint8_t* bytes, int size, std::uint32_t word) {
    bytes[0] = std::uint8_t(word);
    if (size > 1)
        bytes[1] = std::uint8_t(word >> 8);
    if (size > 2)
        bytes[2] = std::uint8_t(word >> 16);
}

/// How a word changes between memory and stream (section 2.1: align_right, nbits_unsigned).
struct WordFormat {
    int bytes = 1;
    bool isUnsigned = false;
    int left = 0, right = 0; ///< shifts for words in the high bits

    std::int32_t fromMemory(const std::uint8_t* from) const {
        const std::int32_t word = operandOf(std::int32_t(loadWord(from, bytes)), bytes, isUnsigned);
        return std::int32_t(std::uint32_t(word) << left) >> right;
    }
    void toMemory(std::uint8_t* to, std::int32_t word) const {
        storeWord(to, bytes, std::uint32_t(word) << left >> right);
    }
};

WordFormat formatOf(const StreamEngineConfig& config) {
    WordFormat format{program::memoryBits(config) / 8, config.bitsUnsigned, 0, 0};
    if (!config.alignRight) {
        format.left = std::max(config.bitsOut - config.bitsIn, 0);
        format.right = std::max(config.bitsIn - config.bitsOut, 0);
    }
    return format;
}

class StreamStage : public Stage {
public:
    StreamStage(const StreamEngineConfig& config, const StageContext& context)
        : m_config(config)
        , m_context(context)
        , m_format(formatOf(config))
        , m_words(program::wordsPerFrame(config)) {}

    std::int64_t framesLeft() const override { return m_config.frameTotal - m_frame; }

    std::int64_t need(int port) const override {
        return m_config.direction == Direction::ToMemory && port == 0 && framesLeft() > 0 ? m_words : 0;
    }

    Result<void> fire(Ports& ports, std::vector<std::int32_t>& out) override {
        const std::int64_t start = program::frameOffsetOf(m_config, m_frame++);
        if (m_config.direction == Direction::FromMemory)
            return readFrame(start, out);
        const Result<void> written = writeFrame(start, ports[0].front());
        ports[0].pop(m_words);
        return written;
    }

private:
    /// Calls `visit(offset, words)` for every run of words that lie together.
    template <typename Visit> Result<void> forEachRun(std::int64_t start, Visit visit) const {
        const std::int64_t pixel = m_config.batchDepth * m_format.bytes;
        const bool wholeLines = m_config.batchOffset == pixel || m_config.fwidth == 1;
        const std::int64_t line = m_config.fwidth * pixel;
        if (m_config.raw || (wholeLines && (m_config.lineOffset == line || m_config.fheight == 1)))
            return visit(start, m_words);
        for (std::int64_t y = 0; y < m_config.fheight; ++y) {
            const std::int64_t lineStart = start + y * m_config.lineOffset;
            if (wholeLines) {
                if (Result<void> done = visit(lineStart, m_config.fwidth * m_config.batchDepth); !done)
                    return done;
                continue;
            }
            for (std::int64_t x = 0; x < m_config.fwidth; ++x)
                if (Result<void> done = visit(lineStart + x * m_config.batchOffset, m_config.batchDepth); !done)
                    return done;
        }
        return {};
    }

    Result<void> readFrame(std::int64_t start, std::vector<std::int32_t>& out) {
        out.resize(std::size_t(m_words));
        std::int32_t* to = out.data();
        // A deep-mode word may reach past the tensor (2.3.5).
        const std::int64_t slack = m_format.bytes == 3 ? 2 : 0;
        return forEachRun(start, [&](std::int64_t offset, std::int64_t words) -> Result<void> {
            const auto bytes =
                m_context.memory.read(m_config.buffer, offset, words * m_format.bytes, m_context.access, slack);
            if (!bytes)
                return fail(bytes.error());
            copyRun(*bytes, words, to);
            to += words;
            return {};
        });
    }

    void copyRun(const std::uint8_t* from, std::int64_t words, std::int32_t* to) const {
        if (m_format.bytes == 1 && m_format.left == 0 && m_format.right == 0) {
            if (m_format.isUnsigned)
                std::copy(from, from + words, to);
            else
                std::copy(reinterpret_cast<const std::int8_t*>(from),
                          reinterpret_cast<const std::int8_t*>(from) + words, to);
            return;
        }
        for (std::int64_t i = 0; i < words; ++i)
            to[i] = m_format.fromMemory(from + i * m_format.bytes);
    }

    Result<void> writeFrame(std::int64_t start, const std::int32_t* from) {
        return forEachRun(start, [&](std::int64_t offset, std::int64_t words) -> Result<void> {
            const auto bytes =
                m_context.memory.write(m_config.buffer, offset, words * m_format.bytes, m_context.access);
            if (!bytes)
                return fail(bytes.error());
            for (std::int64_t i = 0; i < words; ++i)
                m_format.toMemory(*bytes + i * m_format.bytes, from[i]);
            from += words;
            return {};
        });
    }

    const StreamEngineConfig& m_config;
    StageContext m_context;
    WordFormat m_format;
    std::int64_t m_words;
    std::int64_t m_frame = 0;
};

} // namespace

StageResult makeStreamStage(const StreamEngineConfig& config, const StageContext& context) {
    const int bits = program::memoryBits(config);
    if (bits != 8 && bits != 16 && bits != 24)
        return fail(makeError("PW4120", "words of " + std::to_string(bits) + " bits in memory are not supported",
                              {{}, 0, 0, placeText(context.access)}));
    return std::make_unique<StreamStage>(config, context);
}

} // namespace poolwright::emulate
