// SPDX-License-Identifier: Apache-2.0
#include "lower/requant.h"

#include <algorithm>
#include <cmath>

namespace poolwright::lower {

namespace {

double halfUp(double value) {
    return std::floor(value + 0.5);
}

int floorLog2(double value) {
    return std::ilogb(value);
}

int ceilLog2(double value) {
    int exponent = std::ilogb(value);
    return std::ldexp(1.0, exponent) == value ? exponent : exponent + 1;
}

/// The product of scales as float32 holds it: the one place where the vendor's constants show single precision.
double singleProduct(double a, double b) {
    return double(float(a) * float(b));
}

/// Constant part of an output in output steps: bias and zero point.
std::vector<double> constantParts(const std::vector<float>& bias, ScaleZero output) {
    std::vector<double> parts;
    parts.reserve(bias.size());
    for (float value : bias)
        parts.push_back(double(value) / output.scale + output.zero);
    return parts;
}

/// Steps that the scaled sum must be able to span for every int8 output to be reachable.
double reachOf(const std::vector<double>& parts) {
    double reach = 0;
    for (double v : parts)
        reach = std::max({reach, std::abs(127 - v), std::abs(-128 - v)});
    return reach;
}

/// C: rounded at full 31-bit precision, then shifted down (facts/numerics.md section 2).
std::vector<std::int32_t> offsetsOf(const std::vector<double>& parts, int s2) {
    double top = 0;
    for (double v : parts)
        top = std::max(top, std::abs(std::ldexp(v, s2)));
    const int k = top > 0 ? 31 - ceilLog2(top) : 0;
    std::vector<std::int32_t> offsets;
    for (double v : parts) {
        const double c = std::floor(std::ldexp(halfUp(std::ldexp(v, s2 + k)), -k));
        offsets.push_back(std::int32_t(std::clamp(c, -2147483648.0, 2147483647.0)));
    }
    return offsets;
}

std::int32_t clampFactor(double value) {
    return std::int32_t(std::clamp(value, -32768.0, 32767.0));
}

/// C << cShift close to `value`, C in 16 bits.
void splitConstant(double value, DualRequant& constants) {
    constants.cShift = value == 0 ? 0 : std::max(0, floorLog2(std::abs(value)) - 14);
    double c = halfUp(std::ldexp(value, -constants.cShift));
    if (std::abs(c) > 32767) { // rounding reached the next power of two
        ++constants.cShift;
        c = halfUp(std::ldexp(value, -constants.cShift));
    }
    constants.c = clampFactor(c);
}

} // namespace

int shiftTo15Bits(double value) {
    return value == 0 ? 14 : 14 - floorLog2(std::abs(value));
}

ConvRequant convRequant(const std::vector<std::int64_t>& weightSums, double inputScale,
                        const std::vector<double>& weightScales, ScaleZero output, const std::vector<float>& bias) {
    ConvRequant constants;
    std::int64_t largestSum = 0;
    for (std::int64_t sum : weightSums)
        largestSum = std::max(largestSum, std::abs(sum));
    constants.sa = std::max(0, ceilLog2(double(std::max<std::int64_t>(largestSum * 255, 1))) - 15);

    const std::vector<double> parts = constantParts(bias, output);
    const double reach = reachOf(parts);
    int q = int(std::floor(6 - std::log2(output.scale)));
    const double scale = std::ldexp(1.0, 20 - q) / output.scale;
    while (constants.s2 > 0 && 32768.0 * std::ldexp(scale, -constants.s2) < reach) {
        --constants.s2;
        --q;
    }
    constants.scale = clampFactor(halfUp(scale));

    std::vector<double> ratios;
    for (double weightScale : weightScales)
        ratios.push_back(singleProduct(inputScale, weightScale));
    const double top = *std::max_element(ratios.begin(), ratios.end());
    constants.s1 = top > 0 ? 14 - floorLog2(std::ldexp(top, constants.sa + q)) : 0;
    for (double ratio : ratios)
        constants.factors.push_back(clampFactor(halfUp(std::ldexp(ratio, constants.sa + constants.s1 + q))));
    constants.offsets = offsetsOf(parts, constants.s2);
    return constants;
}

ScalarRequant requantise(ScaleZero input, ScaleZero output) {
    ScalarRequant constants;
    const double ratio = input.scale / output.scale;
    // The offset must stay in 32 bits beside a product of 23 bits: matters for ratios below 2^-8 only.
    const double reach = std::max(1.0, std::abs(output.zero - input.zero * ratio));
    constants.shift = std::min(shiftTo15Bits(ratio), 29 - ceilLog2(reach));
    constants.factor = clampFactor(halfUp(std::ldexp(ratio, constants.shift)));
    constants.offset = std::int64_t(std::floor(std::ldexp(output.zero - input.zero * ratio, constants.shift)));
    return constants;
}

AverageConstants averageConstants(std::int64_t elements) {
    const int exponent = 14 + ceilLog2(double(elements));
    return {int(std::min(halfUp(std::ldexp(1.0 / double(elements), exponent)), 32767.0)), exponent - 8};
}

DualRequant addRequant(ScaleZero x, ScaleZero y, ScaleZero output, bool subtract) {
    const double ra = x.scale / output.scale;
    const double rb = (subtract ? -1 : 1) * y.scale / output.scale;
    const int na = shiftTo15Bits(ra), nb = shiftTo15Bits(rb);
    DualRequant constants;
    constants.a = clampFactor(halfUp(std::ldexp(ra, na)));
    constants.b = clampFactor(halfUp(std::ldexp(rb, nb)));
    constants.shiftO = std::min(na, nb);
    constants.axShift = na - constants.shiftO;
    constants.byShift = nb - constants.shiftO;
    splitConstant(std::ldexp(output.zero - x.zero * ra - y.zero * rb, constants.shiftO), constants);
    return constants;
}

MulRequant mulRequant(ScaleZero x, ScaleZero y, ScaleZero output) {
    MulRequant constants;
    constants.skipFirst = y.zero == 0;
    // P - zy*x: both factors carry 2^7, so that the sum is exact after the shift by 7.
    constants.first.a = 1 << 14;
    constants.first.axShift = 7;
    constants.first.b = -y.zero * 128;
    constants.first.shiftO = 7;

    const double m = x.scale * y.scale / output.scale;
    // Common denominator: as large as B = -zx*M*2^S and, after its own extra shift, A = M*2^(S+axShift) allow.
    const double slopeY = -x.zero * m;
    const int shift = std::min({17, shiftTo15Bits(m), shiftTo15Bits(slopeY == 0 ? m : slopeY)});
    DualRequant& second = constants.second;
    second.shiftO = shift;
    second.axShift = std::clamp(shiftTo15Bits(m) - shift, 0, 31);
    second.byShift = slopeY == 0 ? 0 : std::clamp(shiftTo15Bits(slopeY) - shift, 0, 31);
    second.a = clampFactor(halfUp(std::ldexp(m, shift + second.axShift)));
    second.b = clampFactor(halfUp(std::ldexp(slopeY, shift + second.byShift)));
    splitConstant(std::ldexp(double(x.zero) * y.zero * m + output.zero, shift), second);
    return constants;
}

VectorRequant affineRequant(const std::vector<double>& slopes, const std::vector<double>& bases) {
    double top = 0, reach = 1;
    for (double slope : slopes)
        top = std::max(top, std::abs(slope));
    for (double base : bases)
        reach = std::max(reach, std::abs(base));
    VectorRequant constants;
    // The offset must stay in 32 bits beside a product of 23 bits.
    constants.shift = std::clamp(shiftTo15Bits(top), 0, std::min(30, 29 - ceilLog2(reach)));
    for (double slope : slopes)
        constants.factors.push_back(clampFactor(halfUp(std::ldexp(slope, constants.shift))));
    for (double base : bases)
        constants.offsets.push_back(std::int32_t(std::llround(std::ldexp(base, constants.shift))));
    return constants;
}

PReluRequant preluRequant(ScaleZero x, ScaleZero output, const std::vector<double>& slopes) {
    const double ratio = x.scale / output.scale;
    std::vector<double> below, offsets;
    double steepest = 0, reach = 1;
    for (double slope : slopes) {
        below.push_back(ratio * (slope - 1));
        offsets.push_back(output.zero - x.zero * (ratio + below.back()));
        steepest = std::max(steepest, std::abs(below.back()));
        reach = std::max(reach, std::abs(offsets.back()));
    }
    const int na = shiftTo15Bits(ratio), nb = steepest == 0 ? na : shiftTo15Bits(steepest);
    PReluRequant constants;
    constants.shiftO = std::clamp(std::min(na, nb), 0, 29 - ceilLog2(reach));
    constants.axShift = std::clamp(na - constants.shiftO, 0, 31);
    constants.byShift = std::clamp(nb - constants.shiftO, 0, 31);
    constants.cShift = std::max(0, ceilLog2(std::ldexp(reach, constants.shiftO)) - 15);
    const auto fixed = [](double value, int shift) { return clampFactor(halfUp(std::ldexp(value, shift))); };
    constants.a = fixed(ratio, constants.shiftO + constants.axShift);
    for (double slope : below)
        constants.b.push_back(fixed(slope, constants.shiftO + constants.byShift));
    for (double offset : offsets)
        constants.c.push_back(fixed(offset, constants.shiftO - constants.cShift));
    return constants;
}

} // namespace poolwright::lower
