// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "ir/graph.h"

#include <functional>
#include <vector>

/// The integer reference: what the quantised graph means, independent of any unit of the NPU (facts/file-formats.md section 6.3).
/// Integer operators have one rounding (half to even, as ONNX Runtime's QuantizeLinear), sums are exact.
namespace poolwright::reference {

/// A dense tensor: row-major little-endian elements in ONNX order. A shared-data twin of ir::Tensor without a graph.
struct Value {
    ir::ElementType type = ir::ElementType::Float32;
    ir::Shape shape;
    std::optional<ir::Quantisation> quantisation;
    std::vector<std::uint8_t> bytes;

    std::int64_t elements() const { return ir::elementCount(shape); }
    template <typename T> const T* as() const { return reinterpret_cast<const T*>(bytes.data()); }
    template <typename T> T* as() { return reinterpret_cast<T*>(bytes.data()); }
};

Value constantValue(const ir::Tensor& tensor);

/// What an output must look like: type, shape and parameters; its bytes are not read.
struct OutputSpec {
    ir::ElementType type;
    ir::Shape shape;
    std::optional<ir::Quantisation> quantisation;
};

/// One operator. `inputs` in the node's order, nullptr for an absent optional one. Serves the interpreter, constant folding and the
/// software epochs of the emulator. Fails for a kind, type or shape it does not handle, naming it.
Result<std::vector<Value>> evaluate(ir::OpKind kind, const ir::Attributes& attributes, const std::vector<const Value*>& inputs,
                                    const std::vector<OutputSpec>& outputs);

/// Runs a whole graph. `observe`, when set, sees every tensor once it is known (inputs too).
Result<std::vector<Value>> run(const ir::Graph& graph, const std::vector<Value>& inputs, const CancelFlag& cancel = {},
                               const std::function<void(TensorId, const Value&)>& observe = {});

/// Half to even, then clamp to the type's range: integers of reals (QuantizeLinear).
std::int64_t quantise(double real, double scale, std::int64_t zeroPoint, ir::ElementType type);

} // namespace poolwright::reference
