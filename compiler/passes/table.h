// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/passes.h"

namespace poolwright::passes {

// One file each, named after the pass.
Result<ir::Graph> foldConstants(ir::Graph graph, Context& context);
Result<ir::Graph> eliminateNoOps(ir::Graph graph, Context& context);
Result<ir::Graph> foldBatchNormalization(ir::Graph graph, Context& context);
Result<ir::Graph> fuseScale(ir::Graph graph, Context& context);
Result<ir::Graph> fuseBias(ir::Graph graph, Context& context);
Result<ir::Graph> recogniseGlobalPool(ir::Graph graph, Context& context);
Result<ir::Graph> recogniseActivations(ir::Graph graph, Context& context);
Result<ir::Graph> recogniseLayerNormalization(ir::Graph graph, Context& context);
Result<ir::Graph> foldQdq(ir::Graph graph, Context& context);
Result<ir::Graph> dropNoOpClips(ir::Graph graph, Context& context);
Result<ir::Graph> fusePad(ir::Graph graph, Context& context);
Result<ir::Graph> shapeBorder(ir::Graph graph, Context& context);
Result<ir::Graph> mergeReshapes(ir::Graph graph, Context& context);
Result<ir::Graph> mergeTransposes(ir::Graph graph, Context& context);
Result<ir::Graph> expandSoftmax(ir::Graph graph, Context& context);

} // namespace poolwright::passes
