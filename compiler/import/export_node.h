// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>

namespace poolwright::import {

/// What the encoding of one operator needs beside the operator.
struct NodeEncoding {
    const ir::Graph& graph;
    const ir::Node& node;
    int opset;
    onnx::NodeProto& proto; ///< inputs that are tensors of the graph stand there already
    /// Adds an initialiser `<node>_<what>` as the next input.
    std::function<void(const char* what, ir::Tensor tensor)> addInput;
};

/// Fills in operator name, attributes, and those inputs that ONNX has where the graph has attributes.
void encodeNode(const NodeEncoding& encoding);

/// The first opset, 15 or later, that has the operator.
int leastOpset(ir::OpKind kind);

int onnxTypeOf(ir::ElementType type);

} // namespace poolwright::import
