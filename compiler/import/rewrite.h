// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

#include <onnx/onnx_pb.h>

namespace poolwright::import {

/// One ONNX node read as a chain of standard ones. Tensors between them go by names; those that a Rewrite makes hang
/// behind the node's first output ("y/real").
class Rewrite {
public:
    explicit Rewrite(const NodeView& node)
        : m_node(node) {}

    const NodeView& node() const { return m_node; }

    /// Name of an input of the node, empty when it is absent.
    std::string input(int index) const;
    std::string output() const { return m_node.outputName(); }
    /// A new name for a tensor in between.
    std::string temporary(const std::string& what) const { return output() + "/" + what; }
    /// Makes a constant known under a new name.
    std::string constant(const std::string& what, ir::Tensor tensor) const;

    /// Reads one step with the reader of its operator. `step` needs op_type, inputs, outputs and attributes; the node
    /// name of the whole is used when it has none.
    void read(onnx::NodeProto step, int opset) const;
    void read(onnx::NodeProto step) const { read(std::move(step), m_node.opset()); }

private:
    const NodeView& m_node;
};

/// A step without attributes.
onnx::NodeProto stepOf(const std::string& opType, const std::vector<std::string>& inputs, const std::string& output);

/// A Cast to an ONNX type number.
onnx::NodeProto castStep(const std::string& from, const std::string& to, int onnxType);

void setInteger(onnx::NodeProto& step, const std::string& key, std::int64_t value);
void setIntegers(onnx::NodeProto& step, const std::string& key, const std::vector<std::int64_t>& values);

} // namespace poolwright::import
