// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <map>
#include <string>
#include <vector>

namespace onnx {
class NodeProto;
class AttributeProto;
} // namespace onnx

namespace poolwright::import {

/// The graph under construction, and which tensor each ONNX name stands for at the moment.
struct Context {
    ir::Graph graph;
    std::map<std::string, TensorId> tensors;
    std::map<std::string, std::vector<const onnx::NodeProto*>> readers; ///< nodes of the model that read a name
};

/// What the elements of a tensor are.
struct ElementSort {
    ir::ElementType type = ir::ElementType::Float32;
    std::optional<ir::Quantisation> quantisation;
};

/// One ONNX node while it is turned into graph nodes. Accessors throw Failure for a missing input, a wrong attribute
/// type and so on.
class NodeView {
public:
    NodeView(Context& context, const onnx::NodeProto& proto, int opset, std::string name)
        : m_context(context)
        , m_proto(proto)
        , m_opset(opset)
        , m_name(std::move(name)) {}

    const std::string& name() const { return m_name; }
    const onnx::NodeProto& proto() const { return m_proto; }
    int opset() const { return m_opset; }
    const std::string& opType() const;

    int inputCount() const;
    bool has(int input) const; ///< false for an optional input that is absent
    TensorId input(int input) const;
    const ir::Tensor& tensor(int input) const;
    const ir::Shape& shape(int input) const { return tensor(input).shape; }
    bool isConstant(int input) const { return has(input) && tensor(input).isConstant(); }
    const ir::Tensor& constant(int input, const char* what) const;
    std::vector<std::int64_t> constantIntegers(int input, const char* what) const;
    double constantScalar(int input, const char* what) const;

    bool hasAttribute(const char* key) const { return find(key) != nullptr; }
    std::int64_t integer(const char* key, std::int64_t fallback) const;
    double real(const char* key, double fallback) const;
    std::string text(const char* key, const std::string& fallback) const;
    std::vector<std::int64_t> integers(const char* key) const; ///< empty when absent
    std::vector<double> reals(const char* key) const;
    const onnx::AttributeProto* find(const char* key) const;

    int outputCount() const;
    const std::string& outputName(int output = 0) const;
    bool hasOutput(int output) const; ///< named, so that something may read it

    /// Adds a node whose output is this ONNX node's first output.
    void emit(ir::OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes, ir::ElementType type,
              ir::Shape shape, std::optional<ir::Quantisation> quantisation = {}) const;
    /// The same for a node of several outputs, one for each of this ONNX node's.
    void emitParts(ir::OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes, const ElementSort& sort,
                   const std::vector<ir::Shape>& shapes) const;
    /// Adds a helper node in front of (or behind) the one that `emit` makes; answers its output.
    TensorId emitStep(const std::string& suffix, ir::OpKind kind, std::vector<TensorId> inputs,
                      ir::Attributes attributes, ir::ElementType type, ir::Shape shape) const;
    TensorId addConstant(ir::Tensor tensor) const;
    /// The first output is an existing tensor.
    void bind(TensorId id) const;

    Context& context() const { return m_context; }

private:
    Context& m_context;
    const onnx::NodeProto& m_proto;
    int m_opset;
    std::string m_name;
};

/// Refuses what is no real number (an integer tensor without a DequantizeLinear behind it).
void requireReal(const NodeView& node, int input);

/// Sort of an output that holds nothing but elements of an input: a quantised constant stands for its reals, everything
/// else keeps type and parameters.
ElementSort movedSort(const NodeView& node, int input);

/// Brings a possibly negative axis into [0, rank).
std::int64_t normalisedAxis(std::int64_t axis, std::size_t rank);

} // namespace poolwright::import
