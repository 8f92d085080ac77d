// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"
#include "ir/graph.h"
#include "target/machine.h"

#include <string>
#include <vector>

/// How a convolution is cut into what CONV_ACC can do: kernel slices, channel bundles, tiles, pipes and epochs. Pure
/// arithmetic.
namespace poolwright::lower {

/// Sizes of a convolution; a fully connected layer is a 1x1 convolution over one line of `width` pixels.
struct ConvGeometry {
    std::int64_t batches = 1, channels = 1, height = 1, width = 1;
    std::int64_t outputs = 1, outHeight = 1, outWidth = 1, groups = 1;
    std::int64_t kernelHeight = 1, kernelWidth = 1, strideHeight = 1, strideWidth = 1;
    std::int64_t padTop = 0, padLeft = 0;

    std::int64_t groupChannels() const { return channels / groups; }
    std::int64_t groupOutputs() const { return outputs / groups; }
    std::int64_t macsPerOutput() const { return outHeight * outWidth * groupChannels() * kernelHeight * kernelWidth; }
};
ConvGeometry geometryOf(const ir::Graph& graph, const ir::Node& node);

/// A rectangle of kernel taps that one CONV_ACC takes, with the part of the features that it sees.
struct KernelSlice {
    std::int64_t firstRow = 0, firstColumn = 0;
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;     ///< padding
    std::int64_t firstY = 0, lastY = 0, firstX = 0, lastX = 0; ///< rows and columns it reads

    std::int64_t rows() const { return lastY - firstY + 1; }
    std::int64_t columns() const { return lastX - firstX + 1; }
};

/// Consecutive groups of equal make that frames of one epoch walk. Dense convolutions have one bundle; depthwise ones
/// join `inflation` groups to a bundle whose kernels hold zeros outside their own group.
struct ConvPart {
    std::int64_t firstGroup = 0, inflation = 1, bundles = 1;
    std::int64_t bundleChannels = 1; ///< input channels of a bundle
    std::int64_t firstOutput = 0,
                 bundleOutputs = 1;       ///< first output channel of the part, outputs of a bundle that the part makes
    std::int64_t nKernels = 1, batch = 1; ///< tile: kernels of a pass, channels of a frame
    std::int64_t pipes = 1;               ///< channel groups that the pipe of CONV_ACCs sums at once
    std::int64_t iterations = 1;          ///< frames that are summed through partial sums
    bool deep =
        false; ///< deep mode: 1x1, three channels in each word (facts/neural-art-target.md sections 2.3.4, 2.3.5)

    std::int64_t kernelGroups() const { return bundleOutputs / nKernels; }
    std::int64_t outputs() const { return bundles * bundleOutputs; }
    std::int64_t channelGroups() const { return bundleChannels / batch; }
    /// Words of one kernel block (one frame, one unit), and their bytes.
    std::int64_t blockBytes(std::int64_t taps) const {
        return deep ? alignUp(nKernels * batch, 3) : nKernels * batch * taps;
    }
};

struct ConvPlan {
    ConvGeometry geometry;
    bool wideFeatures = false;                    ///< 16-bit features (simd 2): the input has a zero point
    std::int64_t sliceHeight = 1, sliceWidth = 1; ///< taps of every slice; the last ones are filled with zeros
    std::vector<KernelSlice> slices;
    std::vector<ConvPart> parts;
};

/// Units that one epoch may use.
struct ConvResources {
    int convUnits = 4, streamEngines = 10;
};

/// `refusal` says what cannot be, as "rule; rewrite".
ConvPlan planConv(const ConvGeometry& geometry, bool wideFeatures, const target::Limits& limits,
                  ConvResources resources, std::string& refusal);

} // namespace poolwright::lower
