// SPDX-License-Identifier: Apache-2.0
#include "emulate/convolve.h"
#include "emulate/stage.h"

#include <algorithm>

namespace poolwright::emulate {

using program::ConvConfig;

namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Byte `index` of a row of packed 24-bit words.
std::uint8_t packedByte(const std::int32_t* words, std::int64_t index) {
    return std::uint8_t(std::uint32_t(words[index / 3]) >> (index % 3 * 8));
}

class ConvStage : public Stage {
public:
    explicit ConvStage(const ConvConfig& config)
        : m_config(config)
        , m_stage{config.shiftO, config.roundingO, config.saturationO || config.rawO,
                  config.rawO ? 3 : config.outbytesO} {
        setGeometry();
        setNeeds();
    }

    bool isPossible() const { return m_shape.outWidth > 0 && m_shape.outHeight > 0; }

    std::int64_t need(int port) const override {
        switch (port) {
        case 0:
            return m_featureWords;
        case 1:
            return m_kernelWords;
        default:
            return takesSum() ? outputWords() : 0;
        }
    }

    Result<void> fire(Ports& ports, std::vector<std::int32_t>& out) override {
        out.resize(std::size_t(outputWords()));
        const std::int32_t* sums = addsSum() ? ports[2].front() : nullptr;
        if (isNarrow(ports[0].front()))
            compute(ports, sums, m_feature16, m_kernels16, m_sums32, out);
        else
            compute(ports, sums, m_feature32, m_kernels32, m_sums64, out);
        const std::int64_t taken = need(2);
        ports[0].pop(m_featureWords);
        ports[1].pop(m_kernelWords);
        ports[2].pop(taken);
        ++m_frame;
        return {};
    }

private:
    void setGeometry() {
        const int right = m_config.rightCrop > 0 ? m_config.rightCrop : m_config.fWidth - 1;
        const int bottom = m_config.botCrop > 0 ? m_config.botCrop : m_config.fHeight - 1;
        m_columns = right - m_config.leftCrop + 1;
        m_rows = bottom - m_config.topCrop + 1;
        m_shape.width = m_columns + m_config.leftPadding + m_config.rightPadding;
        m_height = m_rows + m_config.topPadding + m_config.botPadding;
        m_shape.batch = m_config.batchDepth;
        m_shape.kernelHeight = m_config.kernelHeight;
        m_shape.rowElements = alignUp(std::int64_t(m_config.kernelWidth) * m_config.batchDepth, 8);
        m_shape.kernels = m_config.nKernels;
        m_shape.hstride = m_config.hstride;
        m_shape.vstride = m_config.vstride;
        const std::int64_t spareWidth = m_shape.width - m_config.kernelWidth;
        const std::int64_t spareHeight = m_height - m_config.kernelHeight;
        m_shape.outWidth = spareWidth < 0 ? 0 : spareWidth / m_config.hstride + 1;
        m_shape.outHeight = spareHeight < 0 ? 0 : spareHeight / m_config.vstride + 1;
    }

    void setNeeds() {
        const std::int64_t pixels = std::int64_t(m_config.fWidth) * m_config.fHeight;
        const std::int64_t batch = m_config.batchDepth;
        const std::int64_t kernels = m_config.kfiltTotal > 0 ? m_config.kfiltTotal : m_config.nKernels;
        if (m_config.deepmode) {
            m_featureWords = m_config.inbytesF == 3 ? ceilDivide(pixels * batch, 3) : pixels * ceilDivide(batch, 3);
            m_kernelWords = kernels / m_config.nKernels * deepBlockWords();
            return;
        }
        m_featureWords = pixels * batch;
        m_kernelWords = kernels * m_config.kernelHeight * m_config.kernelWidth * batch;
    }

    std::int64_t deepBlockWords() const { return ceilDivide(std::int64_t(m_config.nKernels) * m_config.batchDepth, 3); }
    std::int64_t outputWords() const { return m_shape.outHeight * m_shape.outWidth * m_shape.kernels; }

    bool takesSum() const {
        const bool firstIsFree = !m_config.accumulateFirst || m_config.accumulateGenFirst;
        return m_config.accumulate && !(m_frame == 0 && firstIsFree);
    }
    bool addsSum() const {
        if (!takesSum() || m_config.afiltTotal <= 0)
            return takesSum();
        const std::int64_t phase = m_frame % m_config.afiltTotal;
        return m_config.afiltFirst <= phase && phase <= m_config.afiltLast;
    }

    std::int32_t featureOf(std::int32_t word) const {
        return operandOf(word, m_config.deepmode ? 1 : m_config.inbytesF, m_config.fUnsigned) - m_config.fsub;
    }
    std::int32_t kernelOf(std::int32_t word) const {
        return operandOf(word, m_config.simd == 0 ? 2 : 1, m_config.kUnsigned);
    }

    /// True when 16-bit operands and 32-bit sums hold this frame. 16-bit features mostly carry 8-bit numbers (2.3.2),
    /// so the words decide, not the fields.
    bool isNarrow(const std::int32_t* words) const {
        std::int64_t largest = std::abs(std::int64_t(m_config.zfbias));
        if (m_config.deepmode || m_config.inbytesF == 1)
            largest = std::max<std::int64_t>(largest, 256 + std::abs(std::int64_t(m_config.fsub)));
        else
            for (std::int64_t i = 0; i < m_featureWords; ++i)
                largest = std::max<std::int64_t>(largest, std::abs(featureOf(words[i])));
        const std::int64_t kernel = m_config.simd == 0 ? (m_config.kUnsigned ? 65536 : 32768) : 256;
        const std::int64_t terms = m_shape.kernelHeight * m_shape.rowElements;
        return largest < 32768 && kernel <= 32768 && largest * kernel * terms < (std::int64_t(1) << 31) &&
               m_config.simd != 0;
    }

    template <typename Operand, typename Sum>
    void compute(const Ports& ports, const std::int32_t* sums, std::vector<Operand>& feature,
                 std::vector<Operand>& kernels, std::vector<Sum>& results, std::vector<std::int32_t>& out) {
        loadFeature(ports[0].front(), feature);
        loadKernels(ports[1].front(), kernels);
        results.resize(out.size());
        convolve(m_shape, feature.data(), kernels.data(), results.data());
        for (std::size_t i = 0; i < out.size(); ++i) {
            // The links carry 24 bits.
            const std::int64_t sum = sums ? std::int64_t(operandOf(sums[i], 3, false)) << m_config.shiftA : 0;
            out[i] = m_stage.apply(std::int64_t(results[i]) + sum);
        }
    }

    /// The kept part of the frame, padded.
    template <typename Operand> void loadFeature(const std::int32_t* words, std::vector<Operand>& feature) const {
        const std::int64_t line = m_shape.width * m_shape.batch;
        // 8 elements more than the frame, and a kernel row may be wider than what is left of the last line.
        const std::size_t size = std::size_t(m_height * line + m_shape.rowElements + 8);
        if (feature.size() != size)
            feature.assign(size, Operand(m_config.zfbias));
        const std::int64_t count = m_columns * m_shape.batch;
        for (std::int64_t y = 0; y < m_rows; ++y) {
            Operand* to = feature.data() + (y + m_config.topPadding) * line + m_config.leftPadding * m_shape.batch;
            const std::int64_t from =
                ((y + m_config.topCrop) * std::int64_t(m_config.fWidth) + m_config.leftCrop) * m_shape.batch;
            if (m_config.deepmode)
                loadPackedLine(words, from, count, to);
            else
                for (std::int64_t i = 0; i < count; ++i)
                    to[i] = Operand(featureOf(words[from + i]));
        }
    }

    template <typename Operand>
    void loadPackedLine(const std::int32_t* words, std::int64_t from, std::int64_t count, Operand* to) const {
        const std::int64_t batch = m_shape.batch;
        const std::int64_t pixelBytes = m_config.inbytesF == 3 ? batch : alignUp(batch, 3);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t element = from + i;
            to[i] = Operand(featureOf(packedByte(words, element / batch * pixelBytes + element % batch)));
        }
    }

    /// Kernels with rows padded by zeros.
    template <typename Operand> void loadKernels(const std::int32_t* words, std::vector<Operand>& kernels) const {
        const std::int64_t row = m_shape.rowElements;
        kernels.assign(std::size_t(m_shape.kernels * m_shape.kernelHeight * row), Operand(0));
        if (m_config.deepmode)
            return loadDeepKernels(words, kernels);
        const std::int64_t used = std::int64_t(m_config.kernelWidth) * m_shape.batch;
        const std::int64_t rows = m_shape.kernels * m_shape.kernelHeight;
        words += std::int64_t(m_config.kfiltTotal > 0 ? m_config.kfiltFirst : 0) * m_shape.kernelHeight * used;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t i = 0; i < used; ++i)
                kernels[std::size_t(r * row + i)] = Operand(kernelOf(words[r * used + i]));
    }

    /// Blocks of 8 kernels, channel by channel (2.3.4).
    template <typename Operand> void loadDeepKernels(const std::int32_t* words, std::vector<Operand>& kernels) const {
        if (m_config.kfiltTotal > 0)
            words += m_config.kfiltFirst / m_config.nKernels * deepBlockWords();
        std::int64_t byte = 0;
        for (std::int64_t first = 0; first < m_shape.kernels; first += 8)
            for (std::int64_t channel = 0; channel < m_shape.batch; ++channel)
                for (std::int64_t k = first; k < std::min(first + 8, m_shape.kernels); ++k)
                    kernels[std::size_t(k * m_shape.rowElements + channel)] =
                        Operand(kernelOf(packedByte(words, byte++)));
    }

    const ConvConfig& m_config;
    OutputStage m_stage;
    ConvolveShape m_shape;
    std::int64_t m_rows = 0, m_columns = 0, m_height = 0;
    std::int64_t m_featureWords = 0, m_kernelWords = 0;
    std::int64_t m_frame = 0;
    std::vector<std::int16_t> m_feature16, m_kernels16;
    std::vector<std::int32_t> m_feature32, m_kernels32, m_sums32;
    std::vector<std::int64_t> m_sums64;
};

Result<void> checkConv(const ConvConfig& config, const SourceLocation& where) {
    if (config.shiftF != 0)
        return fail(makeError("PW4121", "a shift of the features of CONV_ACC is not supported", where));
    if (config.roundingO && config.roundModeO != 1)
        return fail(makeError("PW4122", "rounding mode " + std::to_string(config.roundModeO) + " is not known", where));
    if (config.deepmode && (config.kernelWidth != 1 || config.kernelHeight != 1 || config.simd != 1))
        return fail(makeError("PW4123", "deep mode with other than 1 x 1 kernels of 8 bits", where));
    if (config.deepmode && config.kfiltTotal > 0 &&
        (config.kfiltTotal % config.nKernels != 0 || config.kfiltFirst % config.nKernels != 0))
        return fail(makeError("PW4124", "in deep mode the kernel filter picks whole blocks of nKernels", where));
    if (config.kfiltTotal > 0 && config.kfiltLast - config.kfiltFirst + 1 != config.nKernels)
        return fail(makeError("PW4124", "the kernel filter does not pick nKernels kernels", where));
    return {};
}

} // namespace

StageResult makeConvStage(const ConvConfig& config, const StageContext& context) {
    const SourceLocation where{{}, 0, 0, placeText(context.access)};
    if (const Result<void> checked = checkConv(config, where); !checked)
        return fail(checked.error());
    auto stage = std::make_unique<ConvStage>(config);
    if (!stage->isPossible())
        return fail(makeError("PW4125", "the kernel is larger than the padded feature", where));
    return stage;
}

} // namespace poolwright::emulate
