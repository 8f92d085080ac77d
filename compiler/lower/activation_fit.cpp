// SPDX-License-Identifier: Apache-2.0
#include "lower/activation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace poolwright::lower {

namespace {

constexpr int outerSegments = 32, segmentInputs = 8, maxRows = 64;

struct Polynomial {
    double a = 0, b = 0, c = 0; ///< a x^2 + b x + c, x the signed input
    double error = 0;           ///< largest distance from the targets

    double at(double x) const { return (a * x + b) * x + c; }
};

using Targets = std::vector<std::pair<int, double>>; ///< (x, wanted)

/// The constant in the middle of the range.
Polynomial bestConstant(const Targets& targets) {
    double low = targets[0].second, high = low;
    for (const auto& [x, y] : targets) {
        low = std::min(low, y);
        high = std::max(high, y);
    }
    return {0, 0, (low + high) / 2, (high - low) / 2};
}

constexpr double anySlope = 1e9;

/// Minimax line: the best one passes between a pair that bounds the targets and the point farthest from it, so trying
/// the slope of every pair finds it. Lines steeper than `steepest` are not considered.
Polynomial bestLine(const Targets& targets, double steepest) {
    Polynomial best = bestConstant(targets);
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (std::size_t j = i + 1; j < targets.size(); ++j) {
            const double slope = (targets[j].second - targets[i].second) / (targets[j].first - targets[i].first);
            if (std::abs(slope) > steepest)
                continue;
            Targets rest = targets;
            for (auto& [x, y] : rest)
                y -= slope * x;
            Polynomial line = bestConstant(rest);
            line.b = slope;
            if (line.error < best.error - 1e-12)
                best = line;
        }
    return best;
}

/// Minimax parabola: for a fixed curvature the rest is a line, and the error is convex in the curvature.
Polynomial bestParabola(const Targets& targets, double steepest) {
    const auto lineFor = [&](double a) {
        Targets rest = targets;
        for (auto& [x, y] : rest)
            y -= a * x * x;
        Polynomial p = bestLine(rest, steepest);
        p.a = a;
        return p;
    };
    double low = -0.03, high = 0.03; // keeps the products of 16-bit coefficients precise
    for (int i = 0; i < 40; ++i) {
        const double first = low + (high - low) / 3, second = high - (high - low) / 3;
        if (lineFor(first).error < lineFor(second).error)
            high = second;
        else
            low = first;
    }
    return lineFor((low + high) / 2);
}

Polynomial bestFit(const Targets& targets, double steepest) {
    const Polynomial line = bestLine(targets, steepest);
    if (line.error < 0.4 || targets.size() <= 2)
        return line;
    const Polynomial parabola = bestParabola(targets, steepest);
    return parabola.error < line.error ? parabola : line;
}

/// One outer segment, cut into 2^innerBits pieces.
struct Segment {
    int innerBits = 0;
    std::vector<Polynomial> pieces;
    double error = 0;
};

Targets targetsOf(const ByteTable& table, int first, int count) {
    Targets targets;
    for (int i = first; i < first + count; ++i)
        targets.push_back({i - 128, double(table[std::size_t(i)])});
    return targets;
}

Segment segmentOf(const ByteTable& table, int outer, int innerBits, double steepest) {
    Segment segment;
    segment.innerBits = innerBits;
    const int count = segmentInputs >> innerBits;
    for (int i = 0; i < 1 << innerBits; ++i) {
        segment.pieces.push_back(bestFit(targetsOf(table, outer * segmentInputs + i * count, count), steepest));
        segment.error = std::max(segment.error, segment.pieces.back().error);
    }
    return segment;
}

/// One constant for all its inputs: such segments share one row.
bool isFlat(const Segment& segment) {
    return segment.innerBits == 0 && segment.pieces[0].a == 0 && segment.pieces[0].b == 0;
}

int rowsOf(const std::vector<Segment>& segments) {
    int rows = 0;
    std::set<double> flat;
    for (const Segment& segment : segments)
        if (!isFlat(segment) || flat.insert(segment.pieces[0].c).second)
            rows += int(segment.pieces.size());
    return rows;
}

/// Cuts the worst segment finer as long as rows are left and something is wrong.
std::vector<Segment> segmentsOf(const ByteTable& table, double steepest) {
    std::vector<Segment> segments;
    for (int outer = 0; outer < outerSegments; ++outer)
        segments.push_back(segmentOf(table, outer, 0, steepest));
    for (;;) {
        std::vector<std::size_t> order(segments.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return segments[a].error > segments[b].error; });
        const int left = maxRows - rowsOf(segments);
        const auto found = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
            return segments[i].error > 0.4 && segments[i].innerBits < 3 && int(segments[i].pieces.size()) <= left;
        });
        if (found == order.end())
            return segments;
        segments[*found] = segmentOf(table, int(*found), segments[*found].innerBits + 1, steepest);
    }
}

/// Left shift that keeps |value| * 2^shift within 15 bits with one bit in reserve.
int headroom(double value, int most) {
    int shift = most;
    while (shift > 0 && std::abs(value) * std::ldexp(1.0, shift) > 16383)
        --shift;
    return shift;
}

struct Shifts {
    int out = 20, b = 0, c = 0;
};

Shifts shiftsOf(const std::vector<Segment>& segments) {
    double a = 0, b = 0, c = 0;
    for (const Segment& segment : segments)
        for (const Polynomial& piece : segment.pieces) {
            a = std::max(a, std::abs(piece.a));
            b = std::max(b, std::abs(piece.b));
            c = std::max(c, std::abs(piece.c));
        }
    Shifts shifts;
    shifts.out = headroom(a, 20);
    shifts.b = shifts.out - headroom(b, shifts.out);
    shifts.c = shifts.out - headroom(c, shifts.out);
    return shifts;
}

std::int16_t rounded(double value) {
    return std::int16_t(std::clamp(std::nearbyint(value), -32768.0, 32767.0));
}

/// Integer row for one piece: every coefficient is chosen after those before it were rounded.
std::array<std::int16_t, 3> rowOf(Targets targets, const Polynomial& piece, const Shifts& shifts) {
    const double unit = std::ldexp(1.0, -shifts.out);
    std::array<std::int16_t, 3> row{rounded(piece.a / unit), 0, 0};
    for (auto& [x, y] : targets)
        y -= row[0] * unit * x * x;
    const double unitB = std::ldexp(unit, shifts.b), unitC = std::ldexp(unit, shifts.c);
    row[1] = rounded(piece.a == 0 ? piece.b / unitB : bestLine(targets, anySlope).b / unitB);
    for (auto& [x, y] : targets)
        y -= row[1] * unitB * x;
    row[2] = rounded(bestConstant(targets).c / unitC);
    return row;
}

using Row = std::array<std::int16_t, 3>;

std::vector<Row> rowsFor(const ByteTable& table, const Segment& segment, int outer, const Shifts& shifts) {
    std::vector<Row> rows;
    const int count = segmentInputs >> segment.innerBits;
    for (int i = 0; i < int(segment.pieces.size()); ++i)
        rows.push_back(
            rowOf(targetsOf(table, outer * segmentInputs + i * count, count), segment.pieces[std::size_t(i)], shifts));
    return rows;
}

/// Index of the first of `rows` in `all`, which takes them up if it does not have them yet.
std::size_t placeRows(std::vector<Row>& all, const std::vector<Row>& rows) {
    auto found = std::search(all.begin(), all.end(), rows.begin(), rows.end());
    const std::size_t index = std::size_t(found - all.begin());
    if (found == all.end())
        all.insert(all.end(), rows.begin(), rows.end());
    return index;
}

program::ActivConfig tablesOf(const ByteTable& table, const std::vector<Segment>& segments) {
    const Shifts shifts = shiftsOf(segments);
    program::ActivConfig config;
    config.operation = program::ActivOperation::Function;
    config.parameter = 32640;
    config.shiftB = shifts.b;
    config.shiftC = shifts.c;
    config.shiftO = shifts.out;
    std::vector<Row> all;
    for (std::size_t outer = 0; outer < segments.size(); ++outer) {
        const std::size_t base = placeRows(all, rowsFor(table, segments[outer], int(outer), shifts));
        config.rom0.push_back(std::uint8_t(segments[outer].innerBits << 6 | int(base)));
    }
    for (const Row& row : all)
        config.rom1.insert(config.rom1.end(), row.begin(), row.end());
    return config;
}

Fit fitWith(const ByteTable& table, double steepest) {
    Fit fit;
    fit.config = tablesOf(table, segmentsOf(table, steepest));
    for (int x = -128; x < 128; ++x) {
        const int difference = std::abs(evaluateFunction(fit.config, x) - table[std::size_t(x + 128)]);
        fit.worst = std::max(fit.worst, difference);
        fit.unequal += difference != 0;
    }
    return fit;
}

bool isBetter(const Fit& a, const Fit& b) {
    return a.worst != b.worst ? a.worst < b.worst : a.unequal < b.unequal;
}

} // namespace

int evaluateFunction(const program::ActivConfig& config, int x) {
    const int u = x + 128;
    const int entry = config.rom0[std::size_t(u >> (8 - config.bwidth))];
    const int innerBits = entry >> 6;
    const int inner = (u >> (8 - config.bwidth - innerBits)) & ((1 << innerBits) - 1);
    const std::int16_t* row = config.rom1.data() + 3 * std::size_t((entry & 63) + inner);
    const std::int64_t sum = std::int64_t(row[0]) * x * x +
                             std::int64_t(row[1]) * (std::int64_t(1) << config.shiftB) * x +
                             std::int64_t(row[2]) * (std::int64_t(1) << config.shiftC);
    const std::int64_t half = config.shiftO > 0 ? std::int64_t(1) << (config.shiftO - 1) : 0;
    return int(std::clamp<std::int64_t>((sum + half) >> config.shiftO, -128, 127));
}

std::optional<Fit> fitFunction(const ByteTable& table) {
    constexpr int fewUnequal = 8, mostUnequal = 24;
    Fit best = fitWith(table, anySlope);
    // All rows share their shifts: one steep piece costs the others precision. Cut into single inputs it has no slope.
    for (double steepest : {32.0, 8.0, 2.0}) {
        if (best.worst <= 1 && best.unequal <= fewUnequal)
            break;
        if (Fit other = fitWith(table, steepest); isBetter(other, best))
            best = std::move(other);
    }
    if (best.worst > 1 || best.unequal > mostUnequal)
        return std::nullopt;
    return best;
}

} // namespace poolwright::lower
