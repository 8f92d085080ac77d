// SPDX-License-Identifier: Apache-2.0
#include "emulate/stage.h"

#include <algorithm>

namespace poolwright::emulate {

using program::ActivConfig;
using program::ActivOperation;

namespace {

/// The 8-bit function: outer segment by the top bits, inner segment by the next ones, then a square polynomial
/// (section 2.6).
std::int64_t evaluateFunction(const ActivConfig& config, std::int32_t x) {
    const std::uint32_t u = std::uint32_t(x + 128);
    const std::uint8_t entry = config.rom0[u >> (8 - config.bwidth)];
    const int innerBits = entry >> 6;
    const int rest = 8 - config.bwidth - innerBits;
    const std::uint32_t inner = (u >> std::max(rest, 0)) & ((1u << innerBits) - 1);
    const std::int16_t* row = config.rom1.data() + 3 * ((entry & 63) + inner);
    return std::int64_t(row[0]) * x * x + std::int64_t(row[1]) * (std::int64_t(1) << config.shiftB) * x +
           std::int64_t(row[2]) * (std::int64_t(1) << config.shiftC);
}

/// The fields hold 16 bits; what is written there may be the unsigned spelling of a negative number.
std::int32_t signed16(int value) {
    return operandOf(value, 2, false);
}

class ActivStage : public Stage {
public:
    explicit ActivStage(const ActivConfig& config)
        : m_config(config)
        , m_stage{config.shiftO, config.roundingO, config.saturationO, config.outbytesO} {
        if (config.inbytesF != 1)
            return;
        for (std::int32_t x = -128; x < 128; ++x)
            m_table.push_back(m_stage.apply(evaluate(x)));
    }

    std::int64_t need(int port) const override { return port == 0 ? 1 : 0; }

    Result<void> fire(Ports& ports, std::vector<std::int32_t>& out) override {
        const std::int64_t count = ports[0].size();
        const std::int32_t* words = ports[0].front();
        out.resize(std::size_t(count));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int32_t x = operandOf(words[i], m_config.inbytesF, false);
            out[std::size_t(i)] = m_table.empty() ? m_stage.apply(evaluate(x)) : m_table[std::size_t(x + 128)];
        }
        ports[0].pop(count);
        return {};
    }

private:
    std::int64_t evaluate(std::int32_t x) const {
        switch (m_config.operation) {
        case ActivOperation::TRelu:
            return x > signed16(m_config.parameter) ? x : signed16(m_config.parameter2);
        case ActivOperation::Function:
            return evaluateFunction(m_config, x);
        default:
            return std::max(x, 0);
        }
    }

    const ActivConfig& m_config;
    OutputStage m_stage;
    std::vector<std::int32_t> m_table; ///< of 8-bit inputs
};

Result<void> checkActiv(const ActivConfig& config, const SourceLocation& where) {
    if (config.operation == ActivOperation::PRelu || config.operation == ActivOperation::Lut)
        return fail(
            makeError("PW4129", "PRELU and LUT of ACTIV are not supported: their arithmetic is not known", where));
    if (config.roundingO && config.roundModeO != 1)
        return fail(makeError("PW4122", "rounding mode " + std::to_string(config.roundModeO) + " is not known", where));
    if (config.operation != ActivOperation::Function)
        return {};
    if (config.inbytesF != 1)
        return fail(makeError("PW4129", "ACTIV functions of 16-bit inputs are not supported", where));
    if (config.bwidth < 0 || config.bwidth > 5 || config.rom0.size() < (std::size_t(1) << config.bwidth))
        return fail(makeError("PW4130", "the first table of the ACTIV function is too short", where));
    for (std::size_t i = 0; i < (std::size_t(1) << config.bwidth); ++i) {
        const std::size_t end = std::size_t(config.rom0[i] & 63) + (std::size_t(1) << (config.rom0[i] >> 6));
        if (3 * end > config.rom1.size())
            return fail(makeError("PW4130", "the first table of the ACTIV function points past the second", where));
    }
    return {};
}

} // namespace

StageResult makeActivStage(const ActivConfig& config, const StageContext& context) {
    const Result<void> checked = checkActiv(config, {{}, 0, 0, placeText(context.access)});
    if (!checked)
        return fail(checked.error());
    return std::make_unique<ActivStage>(config);
}

} // namespace poolwright::emulate
