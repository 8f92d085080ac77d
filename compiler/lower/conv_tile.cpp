// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_tile.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace poolwright::lower {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t countLimit = 255; // filters of CONV_ACC and frame counts of the switch have 8 bits

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// `total` things in `groups` tiles of one size at one distance; tiles overlap where they do not divide the total.
struct Cover {
    std::int64_t size = 1, step = 1, groups = 1;
};

/// For each size up to `most` (largest first) the covers with the fewest tiles of which a pipe of 1, 2, ... `divisors`
/// units takes equal shares.
std::vector<Cover> coversOf(std::int64_t total, std::int64_t most, std::int64_t divisors) {
    if (total <= most)
        most = total;
    std::vector<Cover> covers;
    for (std::int64_t size = most; size >= 1; --size) {
        if (size == total) {
            covers.push_back({size, size, 1});
            continue;
        }
        const std::int64_t least = ceilDiv(total, size);
        std::set<std::int64_t> seen;
        for (std::int64_t d = 1; d <= divisors; ++d)
            for (std::int64_t groups = ceilDiv(least, d) * d; groups <= std::min(total, 2 * least + 8); groups += d)
                if ((total - size) % (groups - 1) == 0) {
                    if (seen.insert(groups).second)
                        covers.push_back({size, (total - size) / (groups - 1), groups});
                    break;
                }
    }
    return covers;
}

/// Cycles, and a little for every CONV_ACC: more units must be worth it. Lanes divide channels in more ways than a
/// single tensor; those that read the features more often are not worth fewer cycles.
std::int64_t weighed(const ConvPart& tile) {
    return tile.cycles == never ? never
                                : tile.cycles + tile.cycles / 64 * (tile.pipes * tile.slices - 1) + tile.reading / 4;
}

/// Finds the tile of one bundle.
class TileSearch {
public:
    TileSearch(const ConvPlan& plan, const target::Limits& limits, const ConvResources& resources);

    /// Tiles a part whose bundles, channels and outputs are set. False when no tile fits.
    bool best(ConvPart& part) const;

    std::int64_t tileLimit() const {
        return m_limits.convTile / (m_plan.wideFeatures && m_plan.sliceHeight * m_plan.sliceWidth > 1 ? 2 : 1);
    }

private:
    void considerOutputs(ConvPart tile, const std::vector<Cover>& kernels, ConvPart& best) const;
    void arrangeSources(const ConvPart& tile, ConvPart& best) const;
    void spreadSources(ConvPart tile, const std::vector<std::int64_t>& counts, ConvPart& best) const;
    bool addLanes(ConvPart& tile, std::size_t source, std::int64_t first, std::int64_t lanes) const;
    bool isWholePixel(const ConvPart& tile) const;
    bool fits(const ConvPart& tile) const;
    bool fitsPadding(const ConvPart& tile) const;
    bool canBeDeep() const;
    bool isWalkable(const ConvPart& tile) const;
    bool haveSumsRoom(const ConvPart& tile) const;
    void arrange(const ConvPart& tile, ConvPart& best) const;
    void consider(ConvPart tile, ConvPart& best) const;
    std::int64_t cycles(const ConvPart& tile) const;

    const ConvPlan& m_plan;
    const target::Limits& m_limits;
    const ConvResources& m_resources;
    std::int64_t m_pixels = 0, m_columns = 0; ///< of the largest slice
    bool m_isUniform = false;
    bool m_deep = false;
};

TileSearch::TileSearch(const ConvPlan& plan, const target::Limits& limits, const ConvResources& resources)
    : m_plan(plan)
    , m_limits(limits)
    , m_resources(resources)
    , m_isUniform(sliceStep(plan).has_value()) {
    for (const KernelSlice& slice : plan.slices) {
        m_pixels = std::max(m_pixels, slice.y.count * slice.x.count);
        m_columns = std::max(m_columns, slice.x.count);
    }
    m_deep = canBeDeep();
}

bool TileSearch::canBeDeep() const {
    return !m_plan.wideFeatures && m_plan.geometry.groups == 1 && m_plan.sliceHeight == 1 && m_plan.sliceWidth == 1 &&
           m_plan.strideHeight == 1 && m_plan.strideWidth == 1 &&
           std::none_of(m_plan.slices.begin(), m_plan.slices.end(),
                        [](const KernelSlice& slice) { return slice.isPadded() || slice.columns.inputStep == 0; });
}

/// What native padding does not cover is counted by 8 bits, left and right in elements (facts/neural-art-target.md
/// section 2.3).
bool TileSearch::fitsPadding(const ConvPart& tile) const {
    const auto frame = [&](std::int64_t pad, std::int64_t kernel) {
        return pad - std::min<std::int64_t>({pad, kernel - 1, m_limits.convNativePad});
    };
    return std::all_of(m_plan.slices.begin(), m_plan.slices.end(), [&](const KernelSlice& slice) {
        return std::max(frame(slice.x.padBefore, m_plan.sliceWidth), frame(slice.x.padAfter, m_plan.sliceWidth)) *
                       tile.batch <=
                   countLimit &&
               std::max(slice.y.padBefore, slice.y.padAfter) <= countLimit;
    });
}

bool TileSearch::fits(const ConvPart& tile) const {
    if (tile.coefficients() > m_limits.arithCoefficients || m_columns * tile.batch > 65535 || !fitsPadding(tile))
        return false;
    if (tile.deep)
        return tile.nKernels * tile.batch <= m_limits.convDeepTile;
    const std::int64_t line = m_limits.convLineElements / (m_plan.wideFeatures ? 2 : 1);
    return tile.nKernels * tile.batch * m_plan.sliceHeight * m_plan.sliceWidth <= tileLimit() &&
           (m_plan.sliceHeight == 1 || m_columns * tile.batch <= line);
}

/// Stream engines have two frame loops (joinLoops() says what joins; this is the same without building the loops).
bool TileSearch::isWalkable(const ConvPart& tile) const {
    const Repeats& r = m_plan.repeats;
    const bool repeats = r.count > 1, bundles = tile.bundles > 1, kernels = tile.kernelGroups > 1;
    const bool reReads = repeats && r.inputY == 0 && r.inputX == 0 && !bundles && kernels;
    const bool inOrder = tile.bundleStep * m_plan.geometry.groupOutputs() == tile.kernelGroups * tile.kernelStep;
    const int input = int(repeats) + int(bundles) + int(kernels) + int(tile.iterations > 1) - int(reReads);
    const int output = int(repeats) + int(bundles) + int(kernels) - int(bundles && kernels && inOrder);
    return input <= 2 && output <= 2;
}

bool TileSearch::haveSumsRoom(const ConvPart& tile) const {
    const std::int64_t bytes = m_plan.outHeight * m_plan.outWidth * tile.nKernels * sumBytes;
    if (m_plan.sumsPlace != SumsPlace::Scratch && tile.epochs > 1)
        return false;
    return tile.iterations == 1 || bytes <= m_plan.mostSums;
}

/// Cycles of the busiest port (facts/cost-model.md section 1.2); a pixel that does not continue the one before costs
/// an eighth of a cycle more, and a single byte as much as two.
std::int64_t TileSearch::cycles(const ConvPart& tile) const {
    const std::int64_t lanes = tile.deep ? 3 : 1, units = tile.pipes * tile.slices;
    const std::int64_t rounds = m_plan.repeats.count * tile.frames();
    const std::int64_t words = ceilDiv(tile.batch, lanes);
    const std::int64_t pixel = isWholePixel(tile) ? 8 * words : 8 * std::max<std::int64_t>(words, 2) + 1;
    // Of one epoch; of two that iterate, the mean.
    const std::int64_t iterations =
        tile.iteratesTwice() ? (tile.iterations + tile.iterations / tile.lastPipes + 1) / 2 : tile.iterations;
    const std::int64_t features = m_pixels * pixel * iterations * rounds / 8;
    const std::int64_t results = m_plan.outHeight * m_plan.outWidth * tile.nKernels * rounds;
    const std::int64_t kernels =
        units * tile.blockBytes(m_plan.sliceHeight * m_plan.sliceWidth) / lanes * iterations * rounds;
    const std::int64_t cycles = tile.epochs * (std::max({features, results * iterations, kernels}) + epochOverhead);
    const bool leavesUnits =
        2 * units <= m_resources.convUnits && 2 * (units + 1 + m_resources.tailEngines) <= m_resources.streamEngines;
    const bool isBeside = m_resources.chains > 1 && leavesUnits && tile.iterations == 1 && tile.epochs == 1;
    return isBeside ? cycles / 2 : cycles;
}

void TileSearch::consider(ConvPart tile, ConvPart& best) const {
    const std::int64_t units = tile.pipes * tile.slices;
    const std::int64_t engines = units + 1 + m_resources.tailEngines + (tile.iterations > 1 || tile.epochs > 1 ? 2 : 0);
    if (engines > m_resources.streamEngines || (tile.iterations > 1 && m_resources.spareAriths < 1) ||
        units * tile.nKernels > countLimit || tile.iterations > countLimit || !isWalkable(tile) || !haveSumsRoom(tile))
        return;
    tile.cycles = cycles(tile);
    tile.reading = tile.lanes.empty() ? 0 : tile.frames() * tile.iterations * units * tile.batch * m_pixels;
    const bool isDeeper = m_resources.splitChannels && best.cycles != never && tile.pipes != best.pipes;
    if (isDeeper ? tile.pipes > best.pipes : weighed(tile) < weighed(best))
        best = tile;
}

/// All ways to spread slices and channel groups over CONV_ACCs, iterations and epochs.
void TileSearch::arrange(const ConvPart& tile, ConvPart& best) const {
    const std::int64_t slices = std::int64_t(m_plan.slices.size()), groups = tile.channelGroups;
    const std::int64_t units = m_resources.pipe();
    ConvPart way = tile;
    way.slices = slices;
    for (way.pipes = std::min(groups, units / slices); way.pipes >= 1; --way.pipes)
        if (groups % way.pipes == 0) {
            way.iterations = groups / way.pipes;
            consider(way, best);
        }
    way.pipes = groups;
    for (way.slices = std::min(slices - 1, units / groups); m_isUniform && way.slices >= 1; --way.slices)
        if (slices % way.slices == 0) {
            way.iterations = slices / way.slices;
            consider(way, best);
        }
    if (slices <= units)
        return;
    // As many slices as there are units with all channels in turn, then the others with as many channels at once.
    way.slices = units;
    way.epochs = 2;
    way.pipes = 1;
    way.iterations = groups;
    for (way.lastPipes = units / std::max<std::int64_t>(slices - units, 1); way.lastPipes >= 1; --way.lastPipes)
        if (groups > 1 && groups % way.lastPipes == 0)
            consider(way, best);
    way.lastPipes = 1;
    way.epochs = ceilDiv(slices * groups, units);
    way.pipes = std::min(units, slices * groups);
    way.slices = way.iterations = 1;
    consider(way, best);
}

/// Frames that lie side by side, pixel by pixel.
bool TileSearch::isWholePixel(const ConvPart& tile) const {
    if (m_plan.geometry.sources.empty())
        return tile.batch == m_plan.geometry.channels;
    return std::all_of(tile.lanes.begin(), tile.lanes.end(),
                       [&](const Lane& lane) { return tile.batch == m_plan.geometry.sources[lane.source]; });
}

/// Lanes of one tensor of `channels` channels from `first` on, each of `iterations` frames; false when they cannot
/// cover it and nothing else.
bool TileSearch::addLanes(ConvPart& tile, std::size_t source, std::int64_t first, std::int64_t lanes) const {
    const std::int64_t channels = m_plan.geometry.sources[source], steps = tile.iterations - 1;
    const std::int64_t missing = std::max<std::int64_t>(0, ceilDiv(channels, lanes) - tile.batch);
    const std::int64_t step = steps > 0 ? ceilDiv(missing, steps) : 0, length = tile.batch + steps * step;
    if (length * lanes < channels || length > channels || (lanes == 1 && length != channels) || step > tile.batch)
        return false;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const auto begin = [&](std::int64_t i) {
            return i < lanes ? first + i * (channels - length) / std::max<std::int64_t>(1, lanes - 1)
                             : first + channels;
        };
        tile.lanes.push_back(
            {source, begin(lane), step, steps > 0 ? step : tile.batch, begin(lane) + steps * step, begin(lane + 1)});
    }
    return true;
}

/// `counts` units for each tensor that holds a part of the input, with as few iterations as that takes.
void TileSearch::spreadSources(ConvPart tile, const std::vector<std::int64_t>& counts, ConvPart& best) const {
    const std::vector<std::int64_t>& channels = m_plan.geometry.sources;
    std::int64_t least = 1;
    for (std::size_t i = 0; i < channels.size(); ++i)
        least = std::max(least, ceilDiv(channels[i], tile.batch * counts[i]));
    tile.slices = std::int64_t(m_plan.slices.size());
    tile.pipes = std::accumulate(counts.begin(), counts.end(), std::int64_t(0));
    for (tile.iterations = least; tile.iterations <= 2 * least + 8; ++tile.iterations) {
        tile.lanes.clear();
        std::int64_t first = 0;
        bool covers = true;
        for (std::size_t i = 0; covers && i < channels.size(); first += channels[i++])
            covers = addLanes(tile, i, first, counts[i]);
        if (covers)
            return consider(tile, best);
    }
}

/// All ways to give each tensor units of its own.
void TileSearch::arrangeSources(const ConvPart& tile, ConvPart& best) const {
    const std::size_t sources = m_plan.geometry.sources.size();
    const std::int64_t units = m_resources.pipe() / std::int64_t(m_plan.slices.size());
    if (std::int64_t(sources) > units)
        return;
    std::vector<std::int64_t> counts(sources, 1);
    const auto next = [&] { // counts through all sums that the pipe can hold
        for (std::int64_t& count : counts) {
            ++count;
            if (std::accumulate(counts.begin(), counts.end(), std::int64_t(0)) <= units)
                return true;
            count = 1;
        }
        return false;
    };
    do
        spreadSources(tile, counts, best);
    while (next());
}

/// All kernels of a pass for the channels that are set.
void TileSearch::considerOutputs(ConvPart tile, const std::vector<Cover>& kernels, ConvPart& best) const {
    for (const Cover& outputs : kernels) {
        tile.nKernels = outputs.size;
        tile.kernelStep = outputs.step;
        tile.kernelGroups = outputs.groups;
        if (!fits(tile))
            continue;
        if (m_plan.geometry.sources.empty())
            arrange(tile, best);
        else
            arrangeSources(tile, best);
    }
}

bool TileSearch::best(ConvPart& part) const {
    ConvPart found = part;
    found.cycles = never;
    found.pipes = 0;
    const std::int64_t mostKernels = m_resources.maxKernels > 0
                                         ? std::min(m_resources.maxKernels, m_limits.convMaxKernels)
                                         : m_limits.convMaxKernels;
    const std::vector<Cover> kernels = coversOf(part.bundleOutputs, mostKernels, 1);
    const std::vector<std::int64_t>& sources = m_plan.geometry.sources;
    for (bool deep : {false, true}) {
        if (deep && !m_deep)
            break;
        ConvPart tile = part;
        tile.deep = deep;
        const std::int64_t most = deep ? m_limits.convMaxDeepBatch : m_limits.convMaxBatch;
        if (!sources.empty())
            for (tile.batch = std::min(most, *std::min_element(sources.begin(), sources.end())); tile.batch >= 1;
                 --tile.batch)
                considerOutputs(tile, kernels, found);
        else
            for (const Cover& channels : coversOf(part.bundleChannels, most, 4)) {
                tile.batch = channels.size;
                tile.batchStep = channels.step;
                tile.channelGroups = channels.groups;
                considerOutputs(tile, kernels, found);
            }
    }
    if (found.cycles == never)
        return false;
    part = found;
    return true;
}

std::int64_t cyclesOf(const std::vector<ConvPart>& parts) {
    std::int64_t cycles = 0;
    for (const ConvPart& part : parts)
        cycles += part.cycles + part.reading / 4; // as weighed()
    return cycles;
}

/// `outputs` of one bundle in `count` parts.
std::vector<ConvPart> denseParts(const TileSearch& search, const ConvPart& base, std::int64_t outputs,
                                 std::int64_t count) {
    std::vector<ConvPart> parts;
    for (std::int64_t i = 0; i < count; ++i) {
        ConvPart part = base;
        part.firstOutput += outputs * i / count;
        part.bundleOutputs = outputs * (i + 1) / count - outputs * i / count;
        if (!search.best(part))
            return {};
        parts.push_back(part);
    }
    return parts;
}

/// Cuts the outputs of a dense convolution (or of one group) into parts whose coefficients fit.
bool appendDense(const TileSearch& search, const target::Limits& limits, const ConvResources& resources,
                 const ConvPart& base, std::int64_t outputs, std::vector<ConvPart>& parts) {
    std::int64_t least = ceilDiv(outputs, limits.arithCoefficients);
    if (resources.splitKernels && outputs > least)
        least = std::max<std::int64_t>(least, 2);
    std::vector<ConvPart> best;
    for (std::int64_t count = least; count <= std::min(outputs, least + 2); ++count) {
        std::vector<ConvPart> now = denseParts(search, base, outputs, count);
        if (!now.empty() && (best.empty() || cyclesOf(now) < cyclesOf(best)))
            best = std::move(now);
        if (resources.splitKernels && !best.empty())
            break;
    }
    parts.insert(parts.end(), best.begin(), best.end());
    return !best.empty();
}

/// The bundles of `groups` groups from `first` on in one part; nothing when no tile fits.
std::optional<ConvPart> bundledPart(const ConvPlan& plan, const TileSearch& search, std::int64_t first,
                                    std::int64_t groups) {
    const ConvGeometry& g = plan.geometry;
    std::optional<ConvPart> best;
    const std::int64_t channelsMost = std::max<std::int64_t>(1, 8 / std::max(g.groupChannels(), g.groupOutputs()));
    for (const Cover& cover : coversOf(groups, channelsMost, 1)) {
        const std::int64_t taps = plan.sliceHeight * plan.sliceWidth;
        if (cover.size > 1 &&
            cover.size * g.groupChannels() * cover.size * g.groupOutputs() * taps > search.tileLimit())
            continue;
        ConvPart part;
        part.firstGroup = first;
        part.inflation = cover.size;
        part.bundles = cover.groups;
        part.bundleStep = cover.step;
        part.bundleChannels = cover.size * g.groupChannels();
        part.bundleOutputs = cover.size * g.groupOutputs();
        part.firstOutput = first * g.groupOutputs();
        if (search.best(part) && (!best || weighed(part) < weighed(*best)))
            best = part;
    }
    return best;
}

/// All groups in parts of equal size whose coefficients fit; group by group where frames have more than two loops.
bool appendGroups(ConvPlan& plan, const TileSearch& search, const target::Limits& limits,
                  const ConvResources& resources) {
    const ConvGeometry& g = plan.geometry;
    std::int64_t parts = ceilDiv(g.groups * g.groupOutputs(), limits.arithCoefficients);
    if (resources.splitKernels)
        parts = std::max<std::int64_t>(parts, 2);
    std::vector<ConvPart> best;
    for (std::int64_t count = parts; count <= std::min(g.groups, parts + 2); ++count) {
        std::vector<ConvPart> now;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t first = g.groups * i / count, end = g.groups * (i + 1) / count;
            if (const auto part = bundledPart(plan, search, first, end - first))
                now.push_back(*part);
        }
        if (std::int64_t(now.size()) == count && (best.empty() || cyclesOf(now) < cyclesOf(best)))
            best = std::move(now);
        if (resources.splitKernels && !best.empty())
            break;
    }
    plan.parts = best;
    for (std::int64_t group = 0; best.empty() && group < g.groups; ++group) {
        ConvPart part;
        part.firstGroup = group;
        part.bundleChannels = g.groupChannels();
        part.firstOutput = group * g.groupOutputs();
        if (!appendDense(search, limits, resources, part, g.groupOutputs(), plan.parts))
            return false;
    }
    return true;
}

} // namespace

std::optional<std::vector<FrameLoop>> joinLoops(const std::vector<FrameLoop>& loops) {
    std::vector<FrameLoop> joined;
    for (const FrameLoop& loop : loops) {
        if (loop.count == 1)
            continue;
        if (!joined.empty() && joined.back().step == loop.step * loop.count)
            joined.back() = {joined.back().count * loop.count, loop.step};
        else
            joined.push_back(loop);
    }
    if (joined.size() > 2)
        return std::nullopt;
    return joined;
}

std::optional<std::pair<std::int64_t, std::int64_t>> sliceStep(const ConvPlan& plan) {
    if (plan.slices.size() < 2)
        return std::nullopt;
    const auto distance = [&](std::size_t i) {
        return std::pair(plan.slices[i + 1].y.first - plan.slices[i].y.first,
                         plan.slices[i + 1].x.first - plan.slices[i].x.first);
    };
    const auto shape = [&](std::size_t i) {
        RunExtent y = plan.slices[i].y, x = plan.slices[i].x;
        y.first = x.first = 0;
        return std::pair(y, x);
    };
    for (std::size_t i = 0; i + 1 < plan.slices.size(); ++i)
        if (distance(i) != distance(0) || !(shape(i + 1) == shape(0)))
            return std::nullopt;
    return distance(0);
}

bool appendParts(ConvPlan& plan, const target::Limits& limits, const ConvResources& resources) {
    const TileSearch search(plan, limits, resources);
    if (plan.geometry.groups > 1)
        return appendGroups(plan, search, limits, resources);
    ConvPart base;
    base.bundleChannels = plan.geometry.channels;
    return appendDense(search, limits, resources, base, plan.geometry.outputs, plan.parts);
}

} // namespace poolwright::lower
