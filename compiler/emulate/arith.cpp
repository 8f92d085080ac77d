// SPDX-License-Identifier: Apache-2.0
#include "emulate/stage.h"

#include <algorithm>

namespace poolwright::emulate {

using program::ArithBroadcast;
using program::ArithConfig;
using program::ArithOperation;

namespace {

/// Walks the running elements and answers which coefficient each one takes (section 2.5.2). Vectors without a stated
/// broadcast are taken by channel.
class CoefficientIndex {
public:
    explicit CoefficientIndex(const ArithConfig& config) {
        const std::int64_t width = config.fWidth, height = config.fHeight, batch = config.batchDepth;
        switch (config.broadcast) {
        case ArithBroadcast::Scalar:
            set(1, 1, 1);
            break;
        case ArithBroadcast::None:
        case ArithBroadcast::Channel:
            set(batch, width * height, std::max<std::int64_t>(config.fChannels / batch, 1));
            break;
        case ArithBroadcast::Height:
            set(1, width * batch, height);
            break;
        case ArithBroadcast::Width:
            set(1, batch, width);
            break;
        case ArithBroadcast::HeightWidth:
            set(1, batch, height * width);
            break;
        }
    }

    std::int64_t count() const { return m_inner * m_groups; }
    std::size_t current() const { return std::size_t(m_group * m_inner + m_fast); }

    void next() {
        if (++m_fast < m_inner)
            return;
        m_fast = 0;
        if (++m_repeat < m_repeats)
            return;
        m_repeat = 0;
        if (++m_group == m_groups)
            m_group = 0;
    }

private:
    /// `inner` neighbours take different coefficients, that repeats `repeats` times, then the next of `groups` follows.
    void set(std::int64_t inner, std::int64_t repeats, std::int64_t groups) {
        m_inner = inner;
        m_repeats = repeats;
        m_groups = groups;
    }

    std::int64_t m_inner = 1, m_repeats = 1, m_groups = 1;
    std::int64_t m_fast = 0, m_repeat = 0, m_group = 0;
};

struct Coefficients {
    std::vector<std::int64_t> a, b, c; ///< one, or one for each index
};

std::int64_t truth(bool value) {
    return value ? 1 : 0;
}

/// Operations of two operands besides AFFINE and MUL.
std::int64_t combine(ArithOperation operation, std::int64_t x, std::int64_t y) {
    switch (operation) {
    case ArithOperation::Min:
        return std::min(x, y);
    case ArithOperation::Max:
        return std::max(x, y);
    case ArithOperation::And:
        return truth(x != 0 && y != 0);
    case ArithOperation::Or:
        return truth(x != 0 || y != 0);
    case ArithOperation::Xor:
        return truth((x != 0) != (y != 0));
    case ArithOperation::Eq:
        return truth(x == y);
    case ArithOperation::Lt:
        return truth(x < y);
    case ArithOperation::Le:
        return truth(x <= y);
    case ArithOperation::Gt:
        return truth(x > y);
    case ArithOperation::Ge:
        return truth(x >= y);
    default:
        return x;
    }
}

class ArithStage : public Stage {
public:
    ArithStage(const ArithConfig& config, Coefficients coefficients)
        : m_config(config)
        , m_coefficients(std::move(coefficients))
        , m_index(config)
        , m_stage{config.shiftO, config.roundingO, config.saturationO, config.outbytesO} {}

    std::int64_t need(int port) const override { return port == 0 || (port == 1 && m_config.dualinput) ? 1 : 0; }

    Result<void> fire(Ports& ports, std::vector<std::int32_t>& out) override {
        std::int64_t count = ports[0].size();
        if (m_config.dualinput)
            count = std::min(count, ports[1].size());
        out.resize(std::size_t(count));
        compute(ports[0].front(), m_config.dualinput ? ports[1].front() : nullptr, out);
        ports[0].pop(count);
        if (m_config.dualinput)
            ports[1].pop(count);
        return {};
    }

private:
    struct Terms {
        std::int64_t x, y, a, b, c;
    };

    template <typename Operation>
    void forEach(const std::int32_t* xs, const std::int32_t* ys, std::vector<std::int32_t>& out, Operation operation) {
        const bool vectorA = m_coefficients.a.size() > 1, vectorB = m_coefficients.b.size() > 1,
                   vectorC = m_coefficients.c.size() > 1;
        const bool indexed = vectorA || vectorB || vectorC;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::size_t at = indexed ? m_index.current() : 0;
            const Terms terms{operandOf(xs[i], m_config.inbytesX, false),
                              ys ? operandOf(ys[i], m_config.inbytesY, false) : 0, m_coefficients.a[vectorA ? at : 0],
                              m_coefficients.b[vectorB ? at : 0], m_coefficients.c[vectorC ? at : 0]};
            std::int32_t word = m_stage.apply(operation(terms));
            if (m_config.clipout)
                word = std::clamp(word, m_config.clipmin, std::max(m_config.clipmin, m_config.clipmax));
            out[i] = word;
            if (indexed)
                m_index.next();
        }
    }

    void compute(const std::int32_t* xs, const std::int32_t* ys, std::vector<std::int32_t>& out) {
        const ArithConfig& config = m_config;
        switch (config.operation) {
        case ArithOperation::Affine:
            return forEach(xs, ys, out, [&config](const Terms& t) {
                return (t.a * t.x >> config.axShift) + (t.b * t.y >> config.byShift) +
                       t.c * (std::int64_t(1) << config.cShift);
            });
        case ArithOperation::Mul:
            return forEach(xs, ys, out, [ys](const Terms& t) { return t.x * (ys ? t.y : t.a); });
        case ArithOperation::Not:
            return forEach(xs, ys, out, [](const Terms& t) { return truth(t.x == 0); });
        case ArithOperation::Abs:
            return forEach(xs, ys, out, [](const Terms& t) { return t.x < 0 ? -t.x : t.x; });
        case ArithOperation::Sign:
            return forEach(xs, ys, out, [](const Terms& t) { return truth(t.x > 0) - truth(t.x < 0); });
        case ArithOperation::Clip:
            return forEach(xs, ys, out, [&config](const Terms& t) {
                return t.x < config.clipmin ? config.clipmin : std::min<std::int64_t>(t.x, config.clipmax);
            });
        default:
            return forEach(xs, ys, out, [&config, ys](const Terms& t) {
                return combine(config.operation, t.x, ys ? t.y : t.c * (std::int64_t(1) << config.cShift));
            });
        }
    }

    const ArithConfig& m_config;
    Coefficients m_coefficients;
    CoefficientIndex m_index;
    OutputStage m_stage;
};

/// Bit-packed little-endian words of 8, 16 or 32 bits.
Result<std::vector<std::int64_t>> loadVector(BufferId buffer, std::int64_t offset, int bits, std::int64_t count,
                                             const StageContext& context) {
    const SourceLocation where{{}, 0, 0, placeText(context.access)};
    if (bits != 8 && bits != 16 && bits != 32)
        return fail(makeError("PW4126", "coefficients of " + std::to_string(bits) + " bits are not supported", where));
    const auto bytes = context.memory.read(buffer, offset, count * bits / 8, context.access);
    if (!bytes)
        return fail(bytes.error());
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < count; ++i) {
        std::uint32_t word = 0;
        for (int byte = 0; byte < bits / 8; ++byte)
            word |= std::uint32_t((*bytes)[i * bits / 8 + byte]) << (8 * byte);
        values.push_back(operandOf(std::int32_t(word), bits / 8, false));
    }
    return values;
}

Result<Coefficients> loadCoefficients(const ArithConfig& config, const StageContext& context) {
    Coefficients coefficients{{config.aScalar}, {config.bScalar}, {config.cScalar}};
    if (config.combinebc)
        coefficients.b = {0};
    if (config.scalar)
        return coefficients;
    const std::int64_t count = CoefficientIndex(config).count();
    if (count > config.vecCount)
        return fail(makeError("PW4127",
                              "the geometry needs " + std::to_string(count) + " coefficients, there are " +
                                  std::to_string(config.vecCount),
                              {{}, 0, 0, placeText(context.access)}));
    const struct {
        BufferId buffer;
        std::int64_t offset;
        int bits;
        std::vector<std::int64_t>& to;
    } vectors[] = {{config.aVector, config.aOffset, config.vecBits[0], coefficients.a},
                   {config.bVector, config.bOffset, config.vecBits[1], coefficients.b},
                   {config.cVector, config.cOffset, config.vecBits[2], coefficients.c}};
    for (const auto& vector : vectors) {
        if (!vector.buffer.isValid())
            continue;
        auto values = loadVector(vector.buffer, vector.offset, vector.bits, count, context);
        if (!values)
            return fail(values.error());
        vector.to = std::move(*values);
    }
    if (config.cVector.isValid() && config.cScalar == -1)
        for (std::int64_t& c : coefficients.c)
            c = -c;
    return coefficients;
}

} // namespace

StageResult makeArithStage(const ArithConfig& config, const StageContext& context) {
    if (config.roundingO && config.roundModeO != 1)
        return fail(makeError("PW4122", "rounding mode " + std::to_string(config.roundModeO) + " is not known",
                              {{}, 0, 0, placeText(context.access)}));
    auto coefficients = loadCoefficients(config, context);
    if (!coefficients)
        return fail(coefficients.error());
    return std::make_unique<ArithStage>(config, std::move(*coefficients));
}

} // namespace poolwright::emulate
