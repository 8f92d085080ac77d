// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

/// Closed formulas for the integer constants of the units (facts/numerics.md sections 2, 4, 5, 6;
/// facts/neural-art-target.md 2.5.3). Every formula works on one number's parameters and knows nothing of graphs or
/// buffers.
namespace poolwright::lower {

/// Scale and zero point of one int8 tensor. Tensors that are stored unsigned are described by their int8 twin (zero
/// point - 128).
struct ScaleZero {
    double scale = 1;
    int zero = 0;
};

/// x16 = sat16(acc >>r sa); y16 = sat16(A[c] * x16 >>r s1); z = sat8((As * y16 + C[c]) >>r s2).
struct ConvRequant {
    int sa = 0, s1 = 0, s2 = 20;
    std::int32_t scale = 0;            ///< As
    std::vector<std::int32_t> factors; ///< A: one, or one for each output channel
    std::vector<std::int32_t> offsets; ///< C: one for each output channel
};

/// `weightSums`: signed sum of the integer weights of each output channel. `weightScales`: one or one a channel.
/// `bias`: real values, one a channel (zeros when the convolution has none).
ConvRequant convRequant(const std::vector<std::int64_t>& weightSums, double inputScale,
                        const std::vector<double>& weightScales, ScaleZero output, const std::vector<float>& bias);

/// out = sat8(((A * x) >> axShift) + offset >>r shift).
struct ScalarRequant {
    std::int32_t factor = 0; ///< A, 15 significant bits
    int shift = 0;
    std::int64_t offset = 0; ///< BC, 32 bits
};
/// Change of scale and zero point; also the second half of an average (with axShift 8).
ScalarRequant requantise(ScaleZero input, ScaleZero output);

/// m = sat16(sum * mulval >>r shift): the mean of n elements with 8 fractional bits.
struct AverageConstants {
    int mulval = 0;
    int shift = 0;
};
AverageConstants averageConstants(std::int64_t elements);

/// out = sat8(((A*x >> axShift) + (B*y >> byShift) + (C << cShift)) >>r shiftO).
struct DualRequant {
    std::int32_t a = 0, b = 0, c = 0;
    int axShift = 0, byShift = 0, cShift = 0, shiftO = 0;
};
/// x + y, or x - y when `subtract`.
DualRequant addRequant(ScaleZero x, ScaleZero y, ScaleZero output, bool subtract);

/// Three steps of a product: P = x*y in 16 bits; P -= zy*x; out = M*P - zx*M*y + (zx*zy*M + zo).
/// The first correction is left out when zy is 0 (`skipFirst`).
struct MulRequant {
    bool skipFirst = false;
    DualRequant first;  ///< on (P, x), 16-bit result, no rounding needed: exact
    DualRequant second; ///< on (P, y)
};
MulRequant mulRequant(ScaleZero x, ScaleZero y, ScaleZero output);

/// Per-channel affine step out = sat8((A[c]*x + C[c]) >>r shift): product with, or sum with, a constant vector.
struct VectorRequant {
    int shift = 0;
    std::vector<std::int32_t> factors, offsets;
};
/// out = slope[c] * x + base[c] in output steps, x an int8. One common shift, chosen for the largest slope.
VectorRequant affineRequant(const std::vector<double>& slopes, const std::vector<double>& bases);

/// out = sat8(((A*x >> axShift) + (B[c]*min(x, zero) >> byShift) + (C[c] << cShift)) >>r shiftO): x above its zero
/// point, slope[c] * x below it. C has 16 bits; the common shift leaves it a sixteenth of a step or better.
struct PReluRequant {
    std::int32_t a = 0;
    std::vector<std::int32_t> b, c;
    int axShift = 0, byShift = 0, cShift = 0, shiftO = 0;
};
PReluRequant preluRequant(ScaleZero x, ScaleZero output, const std::vector<double>& slopes);

/// A shift s with |value| * 2^s in [2^14, 2^15); 14 for zero.
int shiftTo15Bits(double value);

} // namespace poolwright::lower
