// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <map>
#include <string>
#include <vector>

namespace poolwright::import {

struct ExportOptions;

/// The tensors and nodes of an exported model under the names that they have in it.
struct ExportedNames {
    struct Entry {
        std::optional<ir::Quantisation> quantisation; ///< absent: a float tensor
        ir::ElementType type = ir::ElementType::Float32;
    };
    struct Port {
        std::string name;     ///< in the exported model
        std::string original; ///< in the user's model
        ir::Tensor tensor;
        bool channelsLast = false;
        bool userAllocated = false;
    };
    std::map<std::string, Entry> tensors;
    std::map<std::string, std::vector<std::string>> nodes; ///< empty list: made by the exporter
    std::vector<Port> inputs, outputs;
};

/// The text of the `_Q.json`; `onnx` are the bytes of the model that it belongs to.
std::string quantisationText(const ExportedNames& names, const std::string& onnx, const ExportOptions& options);

} // namespace poolwright::import
