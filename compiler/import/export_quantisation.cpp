// SPDX-License-Identifier: Apache-2.0
#include "import/export_quantisation.h"

#include "import/export_model.h"
#include "text/md5.h"

#include <nlohmann/json.hpp>

namespace poolwright::import {
namespace {

using json = nlohmann::ordered_json;
using Port = ExportedNames::Port;

/// "axis" is ours: written where the parameters do not belong to dimension 0, which a reader takes for granted.
json formatOf(const ExportedNames::Entry& entry) {
    if (!entry.quantisation)
        return {{"params", json::array({nullptr, nullptr})}, {"class", "float32"}, {"type", "FLOAT32"}};
    json format = {{"params", json::array({entry.quantisation->scales, entry.quantisation->zeroPoints})},
                   {"class", "integer"},
                   {"type", ir::vendorTypeName(entry.type)}};
    if (!entry.quantisation->isPerTensor() && entry.quantisation->axis != 0)
        format["axis"] = entry.quantisation->axis;
    return format;
}

json tensorsOf(const ExportedNames& names) {
    json tensors = json::object();
    for (const auto& [name, entry] : names.tensors)
        tensors[name]["format"] = formatOf(entry);
    for (const auto* ports : {&names.inputs, &names.outputs})
        for (const Port& port : *ports) {
            if (!tensors.contains(port.name))
                continue;
            tensors[port.name]["data_channel_position"] = port.channelsLast ? "CHLAST" : "CHFIRST";
            tensors[port.name]["data_channel_batch"] = 1;
            tensors[port.name]["user_allocated"] = port.userAllocated;
        }
    return tensors;
}

json nodesOf(const ExportedNames& names) {
    json nodes = json::object();
    for (const auto& [name, originals] : names.nodes)
        nodes[name]["names"] = originals.empty() ? std::vector<std::string>{"__FE_GENERATED__"} : originals;
    return nodes;
}

std::vector<std::string> shapeMap(std::size_t rank, bool channelsLast) {
    if (rank == 4)
        return channelsLast ? std::vector<std::string>{"BATCH", "H", "W", "CH"}
                            : std::vector<std::string>{"BATCH", "CH", "H", "W"};
    std::vector<std::string> map{"BATCH", "CH", "H", "W"};
    map.resize(std::min<std::size_t>(rank, 4));
    return map;
}

json dataFormatOf(const ir::Tensor& tensor) {
    const bool isFloat = tensor.type == ir::ElementType::Float32;
    const bool isUnsigned = tensor.type == ir::ElementType::UInt8 || tensor.type == ir::ElementType::UInt16;
    json format = {{"type", isFloat      ? "FLOAT"
                            : isUnsigned ? "UNSIGNED"
                                         : "SIGNED"},
                   {"size", ir::elementBytes(tensor.type) * 8},
                   {"scale", json::array()},
                   {"zero", json::array()},
                   {"quantizer", tensor.quantisation ? "UNIFORM" : "NONE"}};
    if (tensor.quantisation) {
        format["scale"] = tensor.quantisation->scales;
        format["zero"] = tensor.quantisation->zeroPoints;
    }
    return format;
}

json portsOf(const std::vector<Port>& ports) {
    json list = json::array();
    for (const Port& port : ports) {
        const auto map = shapeMap(port.tensor.shape.size(), port.channelsLast);
        list.push_back({{"name", port.original},
                        {"data_format", dataFormatOf(port.tensor)},
                        {"shape", port.tensor.shape},
                        {"shape_map", map},
                        {"c_shape_map", map}});
    }
    return list;
}

} // namespace

std::string quantisationText(const ExportedNames& names, const std::string& onnx, const ExportOptions& options) {
    json root;
    root["version"] = "4.0";
    const json file = {{"name", options.fileName}, {"signature", "0x" + text::md5(onnx)}};
    root["environment"]["generated_model"]["model_files"] = json::array({file});
    root["environment"]["tools"] = json::array({{{"name", "Poolwright"}, {"version", options.toolVersion}}});
    root["model_info"] = {{"original_inputs", portsOf(names.inputs)}, {"original_outputs", portsOf(names.outputs)}};
    root["tensors"] = tensorsOf(names);
    root["nodes"] = nodesOf(names);
    return root.dump(1, ' ', false, decltype(root)::error_handler_t::replace) + "\n";
}

} // namespace poolwright::import
