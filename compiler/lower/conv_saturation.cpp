// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_saturation.h"

#include "lower/conv_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace poolwright::lower {

namespace {

constexpr std::size_t namedNodes = 3;

std::string textOf(const Saturation& saturation) {
    char times[32];
    std::snprintf(times, sizeof times, "%.1f", saturation.reach);
    std::string text = times;
    std::replace(text.begin(), text.end(), ',', '.'); // numbers are in the C locale
    return saturation.node + " (" + std::to_string(saturation.channels) + " of " + std::to_string(saturation.outputs) +
           ", " + text + " times the range)";
}

} // namespace

Saturation saturationOf(const std::string& node, const std::vector<TapSums>& sums, const program::TensorView& input,
                        int sa) {
    const bool isUnsigned = input.type == ir::ElementType::UInt8;
    const int zero = input.quantisation->zeroPoints.front();
    const std::int64_t low = (isUnsigned ? 0 : -128) - zero, high = (isUnsigned ? 255 : 127) - zero;
    Saturation result{node, 0, sums.empty() ? 0 : std::int64_t(sums.front().positive.size()), 0};
    for (std::size_t o = 0; o < std::size_t(result.outputs); ++o) {
        double reach = 0;
        for (const TapSums& taps : sums) {
            const double most = double(taps.positive[o] * high + taps.negative[o] * low);
            const double least = double(taps.positive[o] * low + taps.negative[o] * high);
            reach = std::max({reach, std::ldexp(most, -sa) / 32767.5, std::ldexp(-least, -sa) / 32768.5});
        }
        result.channels += reach > 1;
        result.reach = std::max(result.reach, reach);
    }
    return result;
}

void noteSaturation(const Saturation& saturation, std::vector<Saturation>& found) {
    if (saturation.channels > 0)
        found.push_back(saturation);
}

void report(std::vector<Saturation> found, Diagnostics& notes) {
    if (found.empty())
        return;
    std::stable_sort(found.begin(), found.end(),
                     [](const Saturation& a, const Saturation& b) { return a.reach > b.reach; });
    int channels = 0;
    for (const Saturation& saturation : found)
        channels += saturation.channels;
    std::string text = std::to_string(channels) + " channels of " + std::to_string(found.size()) +
                       " convolutions can exceed the 16-bit sum of the unit on extreme inputs: ";
    for (std::size_t i = 0; i < std::min(namedNodes, found.size()); ++i)
        text += (i > 0 ? ", " : "") + textOf(found[i]);
    if (found.size() > namedNodes)
        text += ", ...";
    Diagnostic note = makeWarning("PW3005", text, {{}, 0, 0, found.front().node},
                                  "the unit saturates there; check with real inputs (emulate --reference), or quantise "
                                  "weights and activations over a narrower range");
    note.severity = Severity::Note;
    notes.push_back(std::move(note));
}

} // namespace poolwright::lower
