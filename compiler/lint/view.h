// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lint/lint.h"

#include <vector>

/// The graph as rules see it: through the Quantize and Dequantize nodes around an operator.
namespace poolwright::lint {

class View {
public:
    explicit View(const Subject& subject);

    const ir::Graph& graph() const { return m_graph; }
    const std::string& fileName() const { return m_fileName; }
    const ir::Tensor& tensor(TensorId id) const { return m_graph[id]; }
    const ir::Shape& inputShape(const ir::Node& node, std::size_t input = 0) const;
    const ir::Shape& outputShape(const ir::Node& node) const { return m_graph[node.outputs.front()].shape; }

    /// The node that makes a tensor, null for inputs and constants.
    const ir::Node* producer(TensorId id) const;
    /// Parameters of the integers that a real tensor comes from (a Dequantize in front) or becomes (a Quantize behind).
    const ir::Quantisation* parametersBefore(TensorId id) const;
    const ir::Quantisation* parametersBehind(TensorId id) const;
    /// Nothing but Quantize, Dequantize and reshaping stands between the tensor and a network output.
    bool reachesOutput(TensorId id) const;

    std::vector<const ir::Node*> nodesOf(ir::OpKind kind) const;

private:
    const ir::Graph& m_graph;
    const std::string& m_fileName;
    ir::Uses m_uses;
};

/// Rules by what they look at (rules_*.cpp); each answers its findings in graph order.
std::vector<Finding> transposedConvolutions(const View& view);
std::vector<Finding> groupedTransposedConvolutions(const View& view);
std::vector<Finding> dilatedConvolutions(const View& view);
std::vector<Finding> unusualStrides(const View& view);
std::vector<Finding> stridedDepthwise(const View& view);
std::vector<Finding> dynamicProducts(const View& view);
std::vector<Finding> computedGemmBias(const View& view);
std::vector<Finding> highRanks(const View& view);
std::vector<Finding> emptyPadValues(const View& view);
std::vector<Finding> smoothResizes(const View& view);
std::vector<Finding> lastSoftmax(const View& view);
std::vector<Finding> innerSoftmax(const View& view);
std::vector<Finding> floatSlopes(const View& view);
std::vector<Finding> mixedConcats(const View& view);
std::vector<Finding> unsignedActivations(const View& view);
std::vector<Finding> preprocessedFiles(const View& view);

} // namespace poolwright::lint
