// SPDX-License-Identifier: Apache-2.0
#include "emulate/stage.h"

#include <algorithm>
#include <limits>

namespace poolwright::emulate {

using program::PoolConfig;
using program::PoolOperation;

namespace {

/// Rows and columns [first, end) of a frame.
struct Window {
    int top, bottom, left, right;
};

class PoolStage : public Stage {
public:
    explicit PoolStage(const PoolConfig& config)
        : m_config(config)
        , m_stage{config.shiftO, config.roundingO, config.saturationO, config.outbytesO} {
        const int right = config.rightCrop > 0 ? config.rightCrop : config.inputX - 1;
        const int bottom = config.bottomCrop > 0 ? config.bottomCrop : config.inputY - 1;
        m_kept = {config.topCrop, bottom + 1, config.leftCrop, right + 1};
    }

    std::int64_t need(int port) const override {
        return port == 0 ? std::int64_t(m_config.inputY) * m_config.inputX * m_config.batchSize : 0;
    }

    Result<void> fire(Ports& ports, std::vector<std::int32_t>& out) override {
        const std::int32_t* frame = ports[0].front();
        if (m_config.operation >= PoolOperation::GlobalMax)
            poolWindow(frame, m_kept, out);
        else
            for (int y = 0; y < m_config.outputY; ++y)
                for (int x = 0; x < m_config.outputX; ++x)
                    poolWindow(frame, windowAt(x, y), out);
        ports[0].pop(need(0));
        return {};
    }

private:
    Window windowAt(int x, int y) const {
        const int top = m_kept.top + y * m_config.strideY - m_config.topPad;
        const int left = m_kept.left + x * m_config.strideX - m_config.leftPad;
        return {std::max(top, m_kept.top), std::min(top + m_config.windowY, m_kept.bottom), std::max(left, m_kept.left),
                std::min(left + m_config.windowX, m_kept.right)};
    }

    void poolWindow(const std::int32_t* frame, const Window& window, std::vector<std::int32_t>& out) {
        switch (m_config.operation) {
        case PoolOperation::Max:
        case PoolOperation::GlobalMax:
            reduce(frame, window, out, std::numeric_limits<std::int32_t>::min(), 1,
                   [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
            break;
        case PoolOperation::Min:
        case PoolOperation::GlobalMin:
            reduce(frame, window, out, std::numeric_limits<std::int32_t>::max(), 1,
                   [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
            break;
        case PoolOperation::Avg:
        case PoolOperation::GlobalAvg:
            reduce(frame, window, out, 0, m_config.mulval, [](std::int64_t a, std::int64_t b) { return a + b; });
            break;
        }
    }

    /// Channel by channel over one window, then the factor and the output stage.
    template <typename Join>
    void reduce(const std::int32_t* frame, const Window& window, std::vector<std::int32_t>& out, std::int64_t start,
                std::int64_t factor, Join join) {
        const std::int64_t batch = m_config.batchSize;
        m_sums.assign(std::size_t(batch), start);
        for (int y = window.top; y < window.bottom; ++y)
            for (int x = window.left; x < window.right; ++x) {
                const std::int32_t* pixel = frame + (std::int64_t(y) * m_config.inputX + x) * batch;
                for (std::int64_t c = 0; c < batch; ++c)
                    m_sums[std::size_t(c)] =
                        join(m_sums[std::size_t(c)], operandOf(pixel[c], m_config.inbytesF, false));
            }
        for (std::int64_t sum : m_sums)
            out.push_back(m_stage.apply(sum * factor));
    }

    const PoolConfig& m_config;
    OutputStage m_stage;
    Window m_kept{};
    std::vector<std::int64_t> m_sums;
};

} // namespace

StageResult makePoolStage(const PoolConfig& config, const StageContext& context) {
    const SourceLocation where{{}, 0, 0, placeText(context.access)};
    const bool padded = config.leftPad + config.rightPad + config.topPad + config.bottomPad > 0;
    if (config.operation == PoolOperation::Avg && config.avgNoPad && padded)
        return fail(makeError("PW4128", "an average that leaves padding out of the count is not supported", where));
    if (config.roundingO && config.roundModeO != 1)
        return fail(makeError("PW4122", "rounding mode " + std::to_string(config.roundModeO) + " is not known", where));
    return std::make_unique<PoolStage>(config);
}

} // namespace poolwright::emulate
