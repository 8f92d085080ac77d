// SPDX-License-Identifier: Apache-2.0
#include "passes/accuracy.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace poolwright::passes {
namespace {

std::string digits(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3);
    return std::string(text, end.ptr);
}

/// No smaller number: what is printed is a bound.
std::string digitsAbove(double value) {
    if (!(value > 0))
        return "0";
    const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
    return digits(std::ceil(value / unit * (1 - 1e-12)) * unit);
}

std::string withSteps(double error, double step) {
    if (!(step > 0))
        return digitsAbove(error);
    const std::string steps = digits(error / step);
    return digitsAbove(error) + " (" + steps + (steps == "1" ? " step)" : " steps)");
}

Diagnostic note(const char* code, const std::string& node, std::string message, std::string hint) {
    Diagnostic result =
        makeWarning(code, std::move(message), {.path = {}, .line = 0, .column = 0, .object = node}, std::move(hint));
    result.severity = Severity::Note;
    return result;
}

} // namespace

Accuracy accuracyOf(const std::vector<double>& before, const std::vector<double>& after, double step) {
    Accuracy result;
    result.step = step;
    result.values = before.size();
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double error = std::abs(after[i] - before[i]);
        result.largest = std::max(result.largest, error);
        result.mean += error / double(before.size());
    }
    return result;
}

Diagnostic rewriteNote(const std::string& node, const std::string& what, const Accuracy& accuracy,
                       const std::string& inputs) {
    return note("PW2106", node,
                what + ": max error " + withSteps(accuracy.largest, accuracy.step) + ", mean error " +
                    withSteps(accuracy.mean, accuracy.step) + ", over " + inputs,
                {});
}

Diagnostic keptNote(const std::string& node, const std::string& why, const std::string& hint) {
    return note("PW2107", node, why, hint);
}

} // namespace poolwright::passes
