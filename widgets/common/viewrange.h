// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace poolwright::widgets {

/// What part of an axis is in sight: zoom and pan as a value. `low..high` is everything there is, `first..last` what is
/// seen; both in the axis's own unit (bytes, epochs). Seen stays inside everything and never gets narrower than
/// `narrowest`.
struct ViewRange {
    double low = 0, high = 1;
    double first = 0, last = 1;
    double narrowest = 1;

    double span() const { return last - first; }
    bool isFit() const { return first <= low && last >= high; }

    void setLimits(double newLow, double newHigh) {
        const bool wasFit = isFit();
        low = newLow;
        high = std::max(newHigh, newLow + narrowest);
        if (wasFit)
            fit();
        else
            clamp();
    }
    void fit() {
        first = low;
        last = high;
    }
    void show(double from, double to) {
        first = from;
        last = std::max(to, from + narrowest);
        clamp();
    }
    /// factor > 1 zooms in; the value under the pointer stays where it is.
    void zoomAt(double value, double factor) {
        const double newSpan = std::clamp(span() / factor, std::min(narrowest, high - low), high - low);
        const double share = span() > 0 ? (value - first) / span() : 0.5;
        first = value - share * newSpan;
        last = first + newSpan;
        clamp();
    }
    void panBy(double amount) {
        first += amount;
        last += amount;
        clamp();
    }
    double toPixel(double value, double left, double width) const { return left + (value - first) / span() * width; }
    double toValue(double pixel, double left, double width) const { return first + (pixel - left) / width * span(); }

private:
    void clamp() {
        const double width = std::min(std::max(span(), narrowest), high - low);
        first = std::clamp(first, low, high - width);
        last = first + width;
    }
};

} // namespace poolwright::widgets
