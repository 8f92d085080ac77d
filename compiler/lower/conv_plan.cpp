// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_plan.h"

#include <algorithm>
#include <limits>

namespace poolwright::lower {

namespace {

constexpr std::int64_t epochOverhead =
    10000; // cycles: what an extra epoch must win back (facts/cost-model.md section 3)

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

struct Extent {
    std::int64_t padBefore = 0, padAfter = 0, first = 0, last = 0;
    bool isEmpty = false;
};

/// What taps [tap, tap + taps) of a kernel see of `size` elements when `outputs` results are made.
Extent extentOf(std::int64_t tap, std::int64_t taps, std::int64_t size, std::int64_t outputs, std::int64_t stride,
                std::int64_t pad) {
    const std::int64_t begin = tap - pad;
    const std::int64_t end = (outputs - 1) * stride + begin + taps - 1; // last element that is touched
    Extent extent;
    extent.padBefore = std::max<std::int64_t>(0, -begin);
    extent.padAfter = std::max<std::int64_t>(0, end - (size - 1));
    extent.first = std::max<std::int64_t>(0, begin);
    extent.last = std::min(size - 1, end);
    extent.isEmpty = extent.first > extent.last;
    return extent;
}

std::vector<KernelSlice> slicesOf(const ConvGeometry& g, std::int64_t height, std::int64_t width) {
    std::vector<KernelSlice> slices;
    for (std::int64_t row = 0; row < g.kernelHeight; row += height) {
        for (std::int64_t column = 0; column < g.kernelWidth; column += width) {
            const Extent y = extentOf(row, height, g.height, g.outHeight, g.strideHeight, g.padTop);
            const Extent x = extentOf(column, width, g.width, g.outWidth, g.strideWidth, g.padLeft);
            if (y.isEmpty || x.isEmpty) // nothing but padding: adds zero
                continue;
            slices.push_back(
                {row, column, y.padBefore, y.padAfter, x.padBefore, x.padAfter, y.first, y.last, x.first, x.last});
        }
    }
    return slices;
}

/// Finds the tile of one bundle.
class TileSearch {
public:
    TileSearch(const ConvPlan& plan, const target::Limits& limits, ConvResources resources)
        : m_plan(plan)
        , m_limits(limits)
        , m_resources(resources) {}

    /// False when even one channel is too wide.
    bool best(std::int64_t channels, std::int64_t outputs, ConvPart& part) const;

private:
    bool fits(std::int64_t nKernels, std::int64_t batch) const;
    bool fitsDeep(std::int64_t nKernels, std::int64_t batch) const;
    bool canBeDeep() const;
    void consider(std::int64_t channels, std::int64_t outputs, ConvPart tile, ConvPart& best,
                  std::int64_t& bestCost) const;
    std::int64_t maxPipes(bool partialSums) const;
    std::int64_t pipesFor(std::int64_t groups) const;
    std::int64_t cost(std::int64_t outputs, const ConvPart& tile) const;

    const ConvPlan& m_plan;
    const target::Limits& m_limits;
    ConvResources m_resources;
};

bool TileSearch::fits(std::int64_t nKernels, std::int64_t batch) const {
    const std::int64_t taps = m_plan.sliceHeight * m_plan.sliceWidth;
    const std::int64_t tile = m_limits.convTile / (m_plan.wideFeatures && taps > 1 ? 2 : 1);
    const std::int64_t line = m_limits.convLineElements / (m_plan.wideFeatures ? 2 : 1);
    return nKernels * batch * taps <= tile && (m_plan.sliceHeight == 1 || m_plan.geometry.width * batch <= line) &&
           m_plan.geometry.width * batch <= 65535;
}

std::int64_t TileSearch::maxPipes(bool partialSums) const {
    const std::int64_t slices = std::int64_t(m_plan.slices.size());
    const std::int64_t engines = m_resources.streamEngines - 2 - (partialSums ? 2 : 0);
    return std::min<std::int64_t>(m_resources.convUnits, engines) / slices;
}

std::int64_t TileSearch::pipesFor(std::int64_t groups) const {
    for (std::int64_t pipes = std::min(groups, maxPipes(false)); pipes > 1; --pipes)
        if (groups % pipes == 0 && pipes <= maxPipes(groups > pipes))
            return pipes;
    return 1;
}

bool TileSearch::canBeDeep() const {
    const ConvGeometry& g = m_plan.geometry;
    const KernelSlice& slice = m_plan.slices.front();
    const bool isPadded = slice.top + slice.bottom + slice.left + slice.right > 0;
    return !m_plan.wideFeatures && g.groups == 1 && g.kernelHeight == 1 && g.kernelWidth == 1 && g.strideHeight == 1 &&
           g.strideWidth == 1 && !isPadded;
}

bool TileSearch::fitsDeep(std::int64_t nKernels, std::int64_t batch) const {
    return nKernels * batch <= m_limits.convDeepTile && m_plan.geometry.width * batch <= 65535;
}

/// Cycles of the busiest port (facts/cost-model.md section 1.2).
std::int64_t TileSearch::cost(std::int64_t outputs, const ConvPart& tile) const {
    const ConvGeometry& g = m_plan.geometry;
    const std::int64_t lanes = tile.deep ? 3 : 1, groups = ceilDiv(outputs, tile.nKernels);
    const std::int64_t round = g.height * g.width * ceilDiv(tile.batch, lanes) * tile.iterations;
    const std::int64_t sums =
        tile.iterations > 1 ? g.outHeight * g.outWidth * tile.nKernels * tile.iterations * groups : 0;
    const std::int64_t results = g.outHeight * g.outWidth * outputs;
    const std::int64_t tail = outputs % tile.nKernels != 0 ? epochOverhead + round : 0;
    return std::max({round * groups, sums, results}) + tail;
}

void TileSearch::consider(std::int64_t channels, std::int64_t outputs, ConvPart tile, ConvPart& best,
                          std::int64_t& bestCost) const {
    tile.pipes = pipesFor(channels / tile.batch);
    tile.iterations = channels / tile.batch / tile.pipes;
    const std::int64_t now = cost(outputs, tile);
    if (now >= bestCost)
        return;
    bestCost = now;
    best = tile;
}

bool TileSearch::best(std::int64_t channels, std::int64_t outputs, ConvPart& part) const {
    std::int64_t bestCost = std::numeric_limits<std::int64_t>::max();
    ConvPart found = part;
    const bool deep = canBeDeep();
    const std::int64_t widest = deep ? m_limits.convMaxDeepBatch : m_limits.convMaxBatch;
    for (bool mode : {false, true}) {
        if (mode && !deep)
            break;
        ConvPart tile = part;
        tile.deep = mode;
        for (tile.batch = std::min(channels, widest); tile.batch >= 1; --tile.batch) {
            if (channels % tile.batch != 0 || (!tile.deep && tile.batch > m_limits.convMaxBatch))
                continue;
            for (tile.nKernels = std::min<std::int64_t>(outputs, m_limits.convMaxKernels); tile.nKernels >= 1;
                 --tile.nKernels)
                if (tile.deep ? fitsDeep(tile.nKernels, tile.batch) : fits(tile.nKernels, tile.batch))
                    consider(channels, outputs, tile, found, bestCost);
        }
    }
    part = found;
    return bestCost != std::numeric_limits<std::int64_t>::max();
}

/// Cuts the outputs of a dense convolution (or of one group) into parts that tiles divide and whose coefficients fit.
bool appendDense(const TileSearch& search, const target::Limits& limits, ConvPart base, std::int64_t outputs,
                 std::vector<ConvPart>& parts) {
    while (outputs > 0) {
        ConvPart part = base;
        // As few parts as the coefficient memory allows, of equal size where that comes out even.
        const std::int64_t least = ceilDiv(outputs, limits.arithCoefficients);
        const std::int64_t share =
            outputs % least == 0 ? outputs / least : std::min<std::int64_t>(outputs, limits.arithCoefficients);
        if (!search.best(part.bundleChannels, share, part))
            return false;
        const std::int64_t most = limits.arithCoefficients / part.nKernels * part.nKernels;
        part.bundleOutputs = std::min(share / part.nKernels * part.nKernels, most);
        parts.push_back(part);
        base.firstOutput += part.bundleOutputs;
        outputs -= part.bundleOutputs;
    }
    return true;
}

/// Bundles of `inflation` groups from `firstGroup` on, as many as the coefficient memory takes at a time.
bool appendBundles(const TileSearch& search, const target::Limits& limits, const ConvGeometry& g,
                   std::int64_t inflation, std::int64_t firstGroup, std::int64_t bundles,
                   std::vector<ConvPart>& parts) {
    while (bundles > 0) {
        ConvPart part;
        part.firstGroup = firstGroup;
        part.inflation = inflation;
        part.bundleChannels = inflation * g.groupChannels();
        part.bundleOutputs = inflation * g.groupOutputs();
        part.firstOutput = firstGroup * g.groupOutputs();
        const std::int64_t outputs = part.bundleOutputs;
        if (!search.best(part.bundleChannels, outputs, part))
            return false;
        // Frames have two loops only, and a tile that leaves a rest makes epochs of its own: then group by group.
        const bool isRegular = outputs % part.nKernels == 0 && (part.iterations == 1 || outputs == part.nKernels) &&
                               outputs <= limits.arithCoefficients;
        if (isRegular) {
            part.bundles = std::min(bundles, limits.arithCoefficients / outputs);
            parts.push_back(part);
        } else if (!appendDense(search, limits, part, outputs, parts)) {
            return false;
        }
        firstGroup += part.bundles * inflation;
        bundles -= part.bundles;
    }
    return true;
}

/// Groups that share a bundle: as many as the tile lets be dense without more than 8 channels or kernels.
std::int64_t inflationOf(const ConvPlan& plan, const target::Limits& limits) {
    const ConvGeometry& g = plan.geometry;
    const std::int64_t taps = plan.sliceHeight * plan.sliceWidth;
    const std::int64_t tile = limits.convTile / (plan.wideFeatures && taps > 1 ? 2 : 1);
    const std::int64_t line = limits.convLineElements / (plan.wideFeatures ? 2 : 1);
    std::int64_t largest = 1, dividing = 1;
    for (std::int64_t m = 2; m <= std::min<std::int64_t>(8, g.groups); ++m) {
        const std::int64_t channels = m * g.groupChannels(), kernels = m * g.groupOutputs();
        if (channels > 8 || kernels > 8 || channels * kernels * taps > tile)
            break;
        if (plan.sliceHeight > 1 && g.width * channels > line)
            break;
        largest = m;
        if (g.groups % m == 0)
            dividing = m;
    }
    // A rest costs an epoch: a bundle that divides is taken unless it is half as wide or less.
    return dividing * 2 > largest ? dividing : largest;
}

bool appendParts(ConvPlan& plan, const TileSearch& search, const target::Limits& limits) {
    const ConvGeometry& g = plan.geometry;
    if (g.groups == 1) {
        ConvPart base;
        base.bundleChannels = g.channels;
        return appendDense(search, limits, base, g.outputs, plan.parts);
    }
    const std::int64_t inflation = inflationOf(plan, limits);
    const std::int64_t whole = g.groups / inflation, rest = g.groups % inflation;
    return appendBundles(search, limits, g, inflation, 0, whole, plan.parts) &&
           (rest == 0 || appendBundles(search, limits, g, rest, whole * inflation, 1, plan.parts));
}

/// More slices than CONV_ACCs: every (slice, channel group) is a contribution of its own, summed over epochs.
void spreadOverEpochs(ConvPlan& plan, int convUnits) {
    if (int(plan.slices.size()) <= convUnits)
        return;
    for (ConvPart& part : plan.parts) {
        part.pipes = 1;
        part.iterations = 1;
    }
}

} // namespace

ConvGeometry geometryOf(const ir::Graph& graph, const ir::Node& node) {
    ConvGeometry g;
    const ir::Shape& x = graph[node.inputs[0]].shape;
    const ir::Shape& w = graph[node.inputs[1]].shape;
    g.outputs = w[0];
    if (node.kind == ir::OpKind::Gemm) {
        g.channels = w[1];
        g.width = ir::elementCount(x) / g.channels;
        g.outWidth = g.width;
        return g;
    }
    const ir::Shape& y = graph[node.outputs[0]].shape;
    const auto strides = node.integers("strides"), pads = node.integers("pads");
    g.batches = x[0];
    g.channels = x[1];
    g.height = x[2];
    g.width = x[3];
    g.outHeight = y[2];
    g.outWidth = y[3];
    g.groups = node.integer("group", 1);
    g.kernelHeight = w[2];
    g.kernelWidth = w[3];
    g.strideHeight = strides.empty() ? 1 : strides[0];
    g.strideWidth = strides.empty() ? 1 : strides[1];
    g.padTop = pads.empty() ? 0 : pads[0];
    g.padLeft = pads.empty() ? 0 : pads[1];
    return g;
}

ConvPlan planConv(const ConvGeometry& geometry, bool wideFeatures, const target::Limits& limits,
                  ConvResources resources, std::string& refusal) {
    ConvPlan plan;
    plan.geometry = geometry;
    plan.wideFeatures = wideFeatures;
    const std::int64_t widest =
        geometry.strideWidth > 1 ? limits.convKernelWidthStrided : limits.convKernelWidthStride1;
    plan.sliceHeight = ceilDiv(geometry.kernelHeight, ceilDiv(geometry.kernelHeight, limits.convKernelHeight));
    plan.sliceWidth = ceilDiv(geometry.kernelWidth, ceilDiv(geometry.kernelWidth, widest));
    plan.slices = slicesOf(geometry, plan.sliceHeight, plan.sliceWidth);
    if (plan.slices.empty()) {
        refusal = "the kernel sees nothing but padding; reduce the pads";
        return plan;
    }
    const bool spread = int(plan.slices.size()) > resources.convUnits;
    TileSearch search(plan, limits, spread ? ConvResources{int(plan.slices.size()), 64} : resources);
    if (!appendParts(plan, search, limits))
        refusal = "a feature line of " + std::to_string(geometry.width) +
                  " elements exceeds the line memory; split the image into stripes";
    spreadOverEpochs(plan, resources.convUnits);
    return plan;
}

} // namespace poolwright::lower
