// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"
#include "ir/graph.h"
#include "lower/conv_axis.h"
#include "target/machine.h"

#include <limits>
#include <string>
#include <vector>

/// How a convolution is cut into what CONV_ACC can do: rasters, kernel slices, channel bundles, tiles, pipes and
/// epochs. Pure arithmetic.
namespace poolwright::lower {

inline constexpr int sumBytes = 3; ///< partial sums are 24-bit words: exact

/// Sizes of a convolution; a fully connected layer is a 1x1 convolution over one line of `width` pixels.
struct ConvGeometry {
    std::int64_t batches = 1, channels = 1, height = 1, width = 1;
    std::int64_t outputs = 1, outHeight = 1, outWidth = 1, groups = 1;
    std::int64_t kernelHeight = 1, kernelWidth = 1, strideHeight = 1, strideWidth = 1;
    std::int64_t dilationHeight = 1, dilationWidth = 1;
    std::int64_t padTop = 0, padLeft = 0;
    bool isTransposed = false;         ///< ConvTranspose: strides spread the input instead of thinning the output
    int weightPlanes = 1;              ///< 2: weights of 9 bits, as the sum of two kernels of 8 (conv_weights.h)
    std::vector<std::int64_t> sources; ///< channels of the tensors that hold the input in turn; empty: one tensor
    bool isDense = false; ///< neighbouring pixels of the input lie together: a kernel row is a run of bytes

    std::int64_t groupChannels() const { return channels / groups; }
    std::int64_t groupOutputs() const { return outputs / groups; }
};
ConvGeometry geometryOf(const ir::Graph& graph, const ir::Node& node);

/// A rectangle of kernel taps that one CONV_ACC takes, with the part of the features that it sees.
struct KernelSlice {
    TapRun rows, columns;
    RunExtent y, x;
    int plane = 0; ///< of the weights

    std::int64_t taps() const { return rows.taps * columns.taps; }
    bool isPadded() const { return y.padBefore + y.padAfter + x.padBefore + x.padAfter > 0; }
};

/// Rasters of one epoch that differ by constant steps only: `count` times the same work.
struct Repeats {
    std::int64_t count = 1;
    std::int64_t inputY = 0, inputX = 0, outputY = 0, outputX = 0; ///< elements
    std::int64_t tapY = 0, tapX = 0;                               ///< kernel indices

    bool sharesKernels() const { return tapY == 0 && tapX == 0; }
};

/// Frames of one unit of the pipe, `step` channels apart from iteration to iteration. Frames may overlap, so each
/// has weights for channels of its own only: the first `own` of it, the frame at `last` all up to `end`.
struct Lane {
    std::size_t source = 0; ///< of the tensors that hold the input
    std::int64_t firstChannel = 0, step = 0;
    std::int64_t own = 1, last = 0, end = 1; ///< channels of the whole input, as firstChannel

    bool owns(std::int64_t frame, std::int64_t offset) const {
        return frame + offset < end && (offset < own || frame >= last);
    }
};

/// Consecutive groups of equal make that frames of one epoch walk. Dense convolutions have one bundle; depthwise ones
/// join `inflation` groups to a bundle whose kernels hold zeros outside their own group. Counts that no tile divides
/// are covered by tiles that overlap: channels that two tiles read have weights in one of them, outputs that two tiles
/// make are written twice with the same value.
struct ConvPart {
    std::int64_t firstGroup = 0, inflation = 1, bundles = 1;
    std::int64_t bundleStep = 1;     ///< groups from bundle to bundle
    std::int64_t bundleChannels = 1; ///< input channels of a bundle
    std::int64_t firstOutput = 0;
    std::int64_t bundleOutputs = 1;            ///< outputs of a bundle that the part makes
    std::int64_t nKernels = 1, kernelStep = 1; ///< kernels of a pass, outputs from pass to pass
    std::int64_t kernelGroups = 1;
    std::int64_t batch = 1, batchStep = 1; ///< channels of a frame, channels from frame to frame
    std::int64_t channelGroups = 1;
    std::vector<Lane> lanes;     ///< one a pipe, with ConvGeometry::sources; instead of batchStep and channelGroups
    std::int64_t pipes = 1;      ///< channel groups that the pipe of CONV_ACCs sums at once
    std::int64_t slices = 1;     ///< kernel slices that it sums at once
    std::int64_t iterations = 1; ///< frames that are summed through partial sums
    std::int64_t epochs = 1;     ///< more than one: partial sums of whole results go through memory; two with
                                 ///< `iterations`: the first takes `slices` slices, the second what is left
    std::int64_t lastPipes = 1;  ///< of two epochs that iterate: channel groups that the second one sums at once
    std::int64_t reading = 0;    ///< with lanes: bytes of features that all its frames read
    std::int64_t cycles = 0;     ///< of all its epochs, with what an epoch costs by itself
    bool deep =
        false; ///< deep mode: 1x1, three channels in each word (facts/neural-art-target.md sections 2.3.4, 2.3.5)

    std::int64_t frames() const { return bundles * kernelGroups; } ///< of output
    std::int64_t coefficients() const { return frames() * nKernels; }
    /// Two epochs, each with frames that are summed.
    bool iteratesTwice() const { return epochs > 1 && iterations > 1; }
    /// Words of one kernel block (one frame, one unit), and their bytes.
    std::int64_t blockBytes(std::int64_t taps) const {
        return deep ? alignUp(nKernels * batch, 3) : nKernels * batch * taps;
    }
};

/// Where partial sums of a frame lie while a pipe iterates.
enum class SumsPlace {
    Scratch, ///< in memory of their own
    Output,  ///< in rows of the output that are written later
    Input    ///< in rows of the last input tensor that nobody reads any more
};

/// One raster of the output (or several that one epoch makes in turn) as plain convolutions.
struct ConvPlan {
    ConvGeometry geometry;
    bool wideFeatures = false;                         ///< 16-bit features (simd 2): the input has a zero point
    std::int64_t firstY = 0, stepY = 1, outHeight = 1; ///< the raster
    std::int64_t firstX = 0, stepX = 1, outWidth = 1;
    std::int64_t strideHeight = 1, strideWidth = 1; ///< of the unit
    Repeats repeats;
    std::int64_t sliceHeight = 1, sliceWidth = 1; ///< taps of every slice; the last ones are filled with zeros
    std::vector<KernelSlice> slices;              ///< never empty: one of zeros when there is nothing but padding
    SumsPlace sumsPlace = SumsPlace::Scratch;
    std::int64_t sumsRow = 0;                                         ///< first one, of output or input
    std::int64_t mostSums = std::numeric_limits<std::int64_t>::max(); ///< bytes that have room there
    std::vector<ConvPart> parts;

    std::int64_t macs(const ConvPart& part) const;
};

/// All rasters of a convolution.
struct ConvPlans {
    bool isFolded = false; ///< kernel rows are read as channels: `geometry` is that of the folded convolution
    ConvGeometry geometry;
    std::vector<ConvPlan> rasters;

    std::int64_t cycles() const;
    std::int64_t sumsBytes() const; ///< of memory of their own that partial sums take in any epoch
};

/// Units that one epoch may use, and what options ask for.
struct ConvResources {
    int convUnits = 4, streamEngines = 10;
    int chains = 2;             ///< that the units behind CONV_ACC can end in one epoch
    int spareAriths = 1;        ///< that one chain leaves: a pipe that iterates needs one more
    int tailEngines = 1;        ///< stream engines of a chain behind CONV_ACC
    int maxKernels = 0;         ///< most kernels of a pass, 0: what the unit takes
    bool wholeImages = false;   ///< every frame of output is a whole image: something behind pools it
    int maxPipe = 0;            ///< --Omax-ca-pipe: most CONV_ACCs in series, 0: all
    bool splitChannels = false; ///< --Oconv-split-cw: as many channel groups in series as there are CONV_ACCs
    bool splitKernels = false;  ///< --Oconv-split-kw: the kernels in two halves, side by side while units last
    bool stripes = false;       ///< --Oconv-split-stripe: likewise the rows, for kernels of one row
    bool stripesOfAll = false;  ///< --Oconv-split-stripe-full: likewise, for all kernels
    /// Not zero: partial sums take no memory of their own but idle rows (SumsPlace) of so many bytes.
    std::int64_t idleOutputRow = 0, idleInputRow = 0;

    int pipe() const { return maxPipe > 0 && maxPipe < convUnits ? maxPipe : convUnits; }
};

/// The cheapest way that the limits allow. `refusal` says what cannot be, as "rule; rewrite".
ConvPlans planConv(const ConvGeometry& geometry, bool wideFeatures, const target::Limits& limits,
                   const ConvResources& machine, std::string& refusal);

/// The same convolution with each kernel row as one pixel of kernelWidth * channels channels, `strideWidth` columns
/// apart. Only for kernels that touch no padding left and right.
ConvGeometry folded(const ConvGeometry& geometry);

} // namespace poolwright::lower
