// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_plan.h"

#include "lower/conv_tile.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace poolwright::lower {

namespace {

constexpr std::size_t mostRasters = 400;

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

enum class Merge { None, Rows, Columns };

/// One way to do the whole convolution.
struct Variant {
    AxisWay rows, columns;
    std::int64_t rowStripes = 1, columnStripes = 1;
    Merge merge = Merge::None;
};

/// Rasters of an axis that one epoch can make in turn.
struct RasterGroup {
    AxisRaster first;
    std::int64_t count = 1, inputStep = 0, outputStep = 0, tapStep = 0;
};

/// What must be equal for two rasters to differ by constant steps, and these steps.
bool differBySteps(const AxisRaster& a, const AxisRaster& b, std::int64_t size, RasterGroup& steps) {
    if (a.outputs != b.outputs || a.stride != b.stride || a.taps != b.taps || a.runs.size() != b.runs.size() ||
        a.runs.empty())
        return false;
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        const RunExtent x = extentOf(a, a.runs[i], size), y = extentOf(b, b.runs[i], size);
        if (a.runs[i].taps != b.runs[i].taps || x.padBefore != y.padBefore || x.padAfter != y.padAfter ||
            x.count != y.count || x.isEmpty())
            return false;
        const std::int64_t input = y.first - x.first, tap = b.runs[i].firstTap - a.runs[i].firstTap;
        if (i > 0 && (input != steps.inputStep || tap != steps.tapStep))
            return false;
        steps.inputStep = input;
        steps.tapStep = tap;
    }
    steps.outputStep = b.firstOutput - a.firstOutput;
    return true;
}

std::vector<RasterGroup> groupsOf(const std::vector<AxisRaster>& rasters, std::int64_t size, bool merge) {
    std::vector<RasterGroup> groups;
    for (std::size_t i = 0; i < rasters.size(); ++i) {
        RasterGroup steps;
        const bool continues = merge && i > 0 && differBySteps(rasters[i - 1], rasters[i], size, steps);
        if (continues) {
            RasterGroup& group = groups.back();
            const bool isSame = group.inputStep == steps.inputStep && group.outputStep == steps.outputStep &&
                                group.tapStep == steps.tapStep;
            if (group.count == 1 || isSame) {
                steps.first = group.first;
                steps.count = group.count + 1;
                group = steps;
                continue;
            }
        }
        groups.push_back({rasters[i], 1, 0, 0, 0});
    }
    return groups;
}

std::vector<KernelSlice> slicesOf(const ConvGeometry& g, const AxisRaster& y, const AxisRaster& x) {
    std::vector<KernelSlice> slices;
    for (int plane = 0; plane < g.weightPlanes; ++plane)
        for (const TapRun& rows : y.runs)
            for (const TapRun& columns : x.runs) {
                const KernelSlice slice{rows, columns, extentOf(y, rows, g.height), extentOf(x, columns, g.width),
                                        plane};
                if (!slice.y.isEmpty() && !slice.x.isEmpty())
                    slices.push_back(slice);
            }
    return slices;
}

/// A convolution that sees nothing but padding: one pixel, read again and again, with weights of zero.
void setZeroKernel(ConvPlan& plan) {
    KernelSlice slice;
    slice.rows = slice.columns = {-1, 0, 1, 0, 0};
    slice.y.count = plan.outHeight;
    slice.x.count = plan.outWidth;
    plan.slices = {slice};
    plan.sliceHeight = plan.sliceWidth = 1;
    plan.strideHeight = plan.strideWidth = 1;
}

/// Upper half: sums in the rows of the output below it. Lower half: in the rows of the input that only the upper one
/// needed.
void useIdleRows(ConvPlan& plan, const ConvResources& resources) {
    const ConvGeometry& g = plan.geometry;
    const std::int64_t end = plan.firstY + plan.outHeight;
    std::int64_t needed = g.height;
    for (const KernelSlice& slice : plan.slices)
        needed = std::min(needed, slice.y.first);
    plan.sumsPlace = plan.firstY == 0 ? SumsPlace::Output : SumsPlace::Input;
    plan.sumsRow = plan.firstY == 0 ? end : 0;
    plan.mostSums = plan.firstY == 0 ? (g.outHeight - end) * resources.idleOutputRow : needed * resources.idleInputRow;
}

bool isStriped(const ConvGeometry& g, const ConvResources& resources) {
    if (resources.idleOutputRow > 0)
        return g.outHeight > 1;
    return g.outHeight > 1 && (resources.stripesOfAll || (resources.stripes && g.kernelHeight == 1));
}

/// Equal up to where the rasters lie: what holds for the tiles of one holds for the other.
bool sameShape(const ConvPlan& a, const ConvPlan& b) {
    const auto sizes = [](const ConvPlan& p) {
        return std::array{p.outHeight,      p.outWidth,     p.strideHeight,  p.strideWidth,
                          p.sliceHeight,    p.sliceWidth,   p.repeats.count, p.repeats.inputY,
                          p.repeats.inputX, p.repeats.tapY, p.repeats.tapX,  std::int64_t(p.slices.size()),
                          p.mostSums};
    };
    if (sizes(a) != sizes(b))
        return false;
    const auto place = [](const ConvPlan& p, std::size_t i) {
        KernelSlice slice = p.slices[i];
        slice.y.first -= p.slices[0].y.first;
        slice.x.first -= p.slices[0].x.first;
        return std::pair(slice.y, slice.x);
    };
    for (std::size_t i = 0; i < a.slices.size(); ++i)
        if (place(a, i) != place(b, i) || a.slices[i].columns.inputStep != b.slices[i].columns.inputStep)
            return false;
    return true;
}

class Planner {
public:
    Planner(const ConvGeometry& geometry, bool wideFeatures, const target::Limits& limits,
            const ConvResources& resources)
        : m_geometry(geometry)
        , m_wide(wideFeatures)
        , m_limits(limits)
        , m_resources(resources) {}

    /// The cheapest variant; no rasters when none fits.
    ConvPlans best() const;

private:
    std::vector<Variant> variants() const;
    std::vector<Variant> stripeVariants(const Variant& base) const;
    std::vector<AxisRaster> rasters(bool rows, const Variant& variant) const;
    bool build(const Variant& variant, ConvPlans& plans, std::int64_t bound) const;
    ConvPlan skeleton(const RasterGroup& y, const RasterGroup& x) const;
    AxisWay way(bool rows) const;
    std::int64_t longestLine() const;

    const ConvGeometry& m_geometry;
    bool m_wide;
    const target::Limits& m_limits;
    const ConvResources& m_resources;
};

AxisWay Planner::way(bool rows) const {
    AxisWay way;
    way.maxTaps = rows ? m_limits.convKernelHeight : m_limits.convKernelWidthStride1;
    way.maxTapsStrided = rows ? m_limits.convKernelHeight : m_limits.convKernelWidthStrided;
    way.maxStride = m_limits.convMaxStride;
    return way;
}

std::vector<AxisRaster> Planner::rasters(bool rows, const Variant& variant) const {
    const ConvGeometry& g = m_geometry;
    std::vector<AxisConv> axes;
    if (g.isTransposed)
        axes = rows ? transposedAxis(g.outHeight, g.kernelHeight, g.strideHeight, g.dilationHeight, g.padTop)
                    : transposedAxis(g.outWidth, g.kernelWidth, g.strideWidth, g.dilationWidth, g.padLeft);
    else
        axes.push_back(rows ? convolutionAxis(g.outHeight, g.kernelHeight, g.strideHeight, g.dilationHeight, g.padTop)
                            : convolutionAxis(g.outWidth, g.kernelWidth, g.strideWidth, g.dilationWidth, g.padLeft));
    std::vector<AxisRaster> result;
    for (const AxisConv& axis : axes)
        for (const AxisConv& stripe : stripesOf(axis, rows ? variant.rowStripes : variant.columnStripes))
            for (AxisRaster& raster : rastersOf(stripe, rows ? variant.rows : variant.columns))
                result.push_back(std::move(raster));
    return result;
}

ConvPlan Planner::skeleton(const RasterGroup& y, const RasterGroup& x) const {
    ConvPlan plan;
    plan.geometry = m_geometry;
    plan.wideFeatures = m_wide;
    plan.firstY = y.first.firstOutput;
    plan.stepY = y.first.outputStep;
    plan.outHeight = y.first.outputs;
    plan.firstX = x.first.firstOutput;
    plan.stepX = x.first.outputStep;
    plan.outWidth = x.first.outputs;
    plan.strideHeight = y.first.stride;
    plan.strideWidth = x.first.stride;
    plan.sliceHeight = y.first.taps;
    plan.sliceWidth = x.first.taps;
    plan.repeats = {y.count * x.count, y.inputStep, x.inputStep, y.outputStep, x.outputStep, y.tapStep, x.tapStep};
    plan.slices = slicesOf(m_geometry, y.first, x.first);
    if (plan.slices.empty())
        setZeroKernel(plan);
    if (m_resources.idleOutputRow > 0)
        useIdleRows(plan, m_resources);
    return plan;
}

/// False when a raster fits no tile, or when the sum reaches `bound`.
bool Planner::build(const Variant& variant, ConvPlans& plans, std::int64_t bound) const {
    const auto rows = groupsOf(rasters(true, variant), m_geometry.height, variant.merge == Merge::Rows);
    const auto columns = groupsOf(rasters(false, variant), m_geometry.width, variant.merge == Merge::Columns);
    if (rows.size() * columns.size() > (m_resources.wholeImages ? 1 : mostRasters))
        return false;
    ConvResources resources = m_resources;
    if (rows.size() * columns.size() == 1 && !resources.splitKernels)
        resources.chains = 1; // nothing to run beside
    plans.geometry = m_geometry;
    std::int64_t cycles = 0;
    for (const RasterGroup& y : rows)
        for (const RasterGroup& x : columns) {
            ConvPlan plan = skeleton(y, x);
            if (m_resources.wholeImages && plan.repeats.count > 1)
                return false;
            const auto known = std::find_if(plans.rasters.rbegin(), plans.rasters.rend(),
                                            [&](const ConvPlan& before) { return sameShape(before, plan); });
            if (known != plans.rasters.rend())
                plan.parts = known->parts;
            else if (!appendParts(plan, m_limits, resources))
                return false;
            for (const ConvPart& part : plan.parts)
                cycles += part.cycles;
            if (cycles >= bound)
                return false;
            plans.rasters.push_back(std::move(plan));
        }
    return true;
}

/// Elements of the longest feature line that a run reads.
std::int64_t Planner::longestLine() const {
    const std::int64_t share = m_geometry.isTransposed ? 1 : std::max<std::int64_t>(1, m_geometry.dilationWidth);
    return ceilDiv(m_geometry.width, share);
}

/// Column stripes for lines that are too long for the line memory or the counters: as few as 1, 2, ... channels of a
/// frame need.
std::vector<Variant> Planner::stripeVariants(const Variant& base) const {
    std::vector<Variant> result;
    std::set<std::int64_t> counts{1};
    const std::int64_t line =
        base.rows.maxTaps > 1 && m_geometry.kernelHeight > 1 ? m_limits.convLineElements / (m_wide ? 2 : 1) : 65535;
    for (std::int64_t channels : {1, 2, 3, 4, 8, 16})
        if (channels == 1 || channels <= m_geometry.channels)
            if (const std::int64_t whole = longestLine() * channels; whole > line)
                // A stripe reads a kernel's width more than its share.
                counts.insert(ceilDiv(whole, std::max<std::int64_t>(1, line - channels * m_geometry.kernelWidth *
                                                                                  m_geometry.dilationWidth)));
    for (std::int64_t count : counts) {
        Variant variant = base;
        variant.columnStripes = std::min(count, std::max<std::int64_t>(1, m_geometry.outWidth));
        result.push_back(variant);
    }
    return result;
}

std::vector<Variant> Planner::variants() const {
    const ConvGeometry& g = m_geometry;
    std::vector<Variant> result{{way(true), way(false), 1, 1, Merge::None}};
    const auto also = [&](bool applies, auto change) {
        if (!applies)
            return;
        for (std::size_t i = 0, count = result.size(); i < count; ++i) {
            Variant variant = result[i];
            change(variant);
            result.push_back(variant);
        }
    };
    const bool strides = !g.isTransposed;
    also(g.kernelHeight > 1 && (g.dilationHeight > 1 || (strides && g.strideHeight > 1)),
         [](Variant& v) { v.rows.tapByTap = true; });
    also(g.kernelWidth > 1 && (g.dilationWidth > 1 || (strides && g.strideWidth > 1)),
         [](Variant& v) { v.columns.tapByTap = true; });
    also(strides && g.strideHeight > m_limits.convMaxStride, [](Variant& v) { v.rows.wholeStride = true; });
    also(strides && g.strideWidth > m_limits.convMaxStride, [](Variant& v) { v.columns.wholeStride = true; });
    // Kernels of one row need no line memory.
    also(g.kernelHeight > 1 && longestLine() * std::min<std::int64_t>(g.channels, 8) > m_limits.convLineElements / 2,
         [](Variant& v) { v.rows.maxTaps = v.rows.maxTapsStrided = 1; });
    std::vector<Variant> striped;
    for (const Variant& variant : result)
        for (Variant& stripe : stripeVariants(variant))
            striped.push_back(stripe);
    result = std::move(striped);
    for (Variant& variant : result)
        variant.rowStripes = isStriped(g, m_resources) ? 2 : 1;
    const bool phases =
        g.dilationHeight * g.dilationWidth > 1 || (g.isTransposed && g.strideHeight * g.strideWidth > 1);
    const std::size_t count = result.size();
    for (Merge merge : {Merge::Columns, Merge::Rows})
        for (std::size_t i = 0; phases && i < count; ++i) {
            Variant variant = result[i];
            variant.merge = merge;
            result.push_back(variant);
        }
    return result;
}

ConvPlans Planner::best() const {
    ConvPlans found;
    std::int64_t bound = std::numeric_limits<std::int64_t>::max();
    for (const Variant& variant : variants()) {
        ConvPlans plans;
        if (!build(variant, plans, bound))
            continue;
        bound = plans.cycles() - plans.cycles() / 20; // another way must be worth it
        found = std::move(plans);
    }
    return found;
}

/// Halves that are to run side by side share the CONV_ACCs.
ConvResources shared(const ConvGeometry& g, ConvResources resources) {
    if (resources.splitKernels || (isStriped(g, resources) && resources.idleOutputRow == 0))
        resources.maxPipe = std::min(resources.pipe(), std::max(1, resources.convUnits / 2));
    return resources;
}

bool isFoldable(const ConvGeometry& g) {
    const std::int64_t last = (g.outWidth - 1) * g.strideWidth + g.kernelWidth - 1;
    return !g.isTransposed && g.isDense && g.groups == 1 && g.padLeft == 0 && g.dilationWidth == 1 &&
           g.strideWidth > 1 && g.kernelWidth > 1 && last < g.width;
}

} // namespace

std::int64_t ConvPlan::macs(const ConvPart& part) const {
    std::int64_t taps = 0;
    for (const KernelSlice& slice : slices)
        taps += slice.rows.firstTap < 0 || slice.plane > 0 ? 0 : slice.taps();
    const std::int64_t groups =
        geometry.groups > 1 ? part.bundleStep * (part.bundles - 1) + part.inflation : geometry.groups;
    const std::int64_t outputs =
        geometry.groups > 1 ? groups * part.bundleOutputs / part.inflation : part.bundleOutputs;
    return repeats.count * outHeight * outWidth * outputs * geometry.groupChannels() * taps;
}

std::int64_t ConvPlans::cycles() const {
    std::int64_t cycles = 0;
    for (const ConvPlan& raster : rasters)
        for (const ConvPart& part : raster.parts)
            cycles += part.cycles;
    return cycles;
}

std::int64_t ConvPlans::sumsBytes() const {
    std::int64_t most = 0;
    for (const ConvPlan& raster : rasters)
        for (const ConvPart& part : raster.parts)
            if (part.iterations > 1 && raster.sumsPlace == SumsPlace::Scratch)
                most = std::max(most, raster.outHeight * raster.outWidth * part.nKernels * sumBytes);
    return most;
}

ConvGeometry folded(const ConvGeometry& geometry) {
    ConvGeometry g = geometry;
    g.channels *= g.kernelWidth;
    g.width = g.outWidth;
    g.kernelWidth = g.strideWidth = 1;
    g.isDense = false;
    return g;
}

ConvPlans planConv(const ConvGeometry& geometry, bool wideFeatures, const target::Limits& limits,
                   const ConvResources& machine, std::string& refusal) {
    const ConvResources resources = shared(geometry, machine);
    ConvPlans plans = Planner(geometry, wideFeatures, limits, resources).best();
    if (isFoldable(geometry)) {
        const ConvGeometry narrow = folded(geometry);
        ConvPlans other = Planner(narrow, wideFeatures, limits, resources).best();
        other.isFolded = true;
        if (!other.rasters.empty() && (plans.rasters.empty() || other.cycles() < plans.cycles() - plans.cycles() / 20))
            plans = std::move(other);
    }
    if (plans.rasters.empty())
        refusal = "no tile of this convolution fits the unit; use a smaller kernel or dilation";
    return plans;
}

} // namespace poolwright::lower
