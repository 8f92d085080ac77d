// SPDX-License-Identifier: Apache-2.0
#include "emit/c_network.h"

namespace poolwright::emit {

namespace {

/// "LL_SW_SOFTMAX": the node kind of the software library.
std::string nodeType(ir::OpKind kind) {
    std::string name = ir::opKindName(kind);
    for (char& c : name)
        c = char(c >= 'a' && c <= 'z' ? c - 32 : c);
    return "LL_SW_" + name;
}

bool isSigned(ir::ElementType type) {
    return type != ir::ElementType::UInt8 && type != ir::ElementType::UInt16 && type != ir::ElementType::Bool;
}

/// Extents and byte strides in the order batch, height, width, channels; missing dimensions are 1.
struct Geometry {
    std::int64_t extent[4] = {1, 1, 1, 1};
    std::int64_t stride[4] = {0, 0, 0, 0};
};

Geometry geometryOf(const program::TensorView& view) {
    static const int place[4] = {0, 3, 1, 2}; // N, C, H, W -> b, c, h, w
    Geometry geometry;
    const std::size_t rank = view.shape.size();
    for (std::size_t i = 0; i < rank; ++i) {
        // Dimensions beyond four are folded into the batch; a short shape starts at N, C.
        const bool folded = i + 4 < rank;
        const int to = folded ? 0 : place[rank > 4 ? i + 4 - rank : i];
        geometry.extent[to] *= view.shape[i];
        geometry.stride[to] = view.strides[i];
    }
    return geometry;
}

void emitTensor(CWriter& writer, const Names& names, const std::string& field, const program::TensorView& view) {
    static const char* letters[4] = {"b", "h", "w", "c"};
    if (!view.buffer.isValid())
        return;
    const Geometry geometry = geometryOf(view);
    writer.open("." + field + " = { /* " + view.name + " */");
    std::string dim = "{", stride = "{";
    for (int i = 0; i < 4; ++i) {
        dim += std::string(i ? ", " : " ") + ".tensor_" + letters[i] + " = " + std::to_string(geometry.extent[i]);
        stride += std::string(i ? ", " : " ") + "." + letters[i] + " = " + std::to_string(geometry.stride[i]);
    }
    writer.field("dim", dim + ", .num_elem = " + std::to_string(ir::elementCount(view.shape)) + " }");
    writer.field("stride", stride + " }");
    writer.field("mem.start_offset", "((unsigned char *)" + names.address(view.buffer, view.offset) + ")");
    writer.field("format.is_signed", isSigned(view.type) ? 1 : 0);
    writer.close("},");
}

std::string listText(const std::vector<std::int64_t>& values) {
    std::string text = "{";
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i ? ", " : "") + std::to_string(values[i]);
    return text + "}";
}

struct AttributeText {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return cDouble(value); }
    std::string operator()(const std::string& value) const { return cString(value); }
    std::string operator()(const std::vector<std::int64_t>& values) const { return listText(values); }
    std::string operator()(const std::vector<double>& values) const {
        std::string text = "{";
        for (std::size_t i = 0; i < values.size(); ++i)
            text += (i ? ", " : "") + cDouble(values[i]);
        return text + "}";
    }
};

void emitQuantisation(CWriter& writer, const std::string& prefix, const program::TensorView& view) {
    if (!view.quantisation || !view.quantisation->isPerTensor())
        return;
    writer.field(prefix + "s", cDouble(view.quantisation->scales.front()));
    writer.field(prefix + "zp", view.quantisation->zeroPoints.front());
}

} // namespace

void emitSoftware(CWriter& writer, const Names& names, int ordinal, const program::SoftwareWork& work) {
    const std::string kind = ir::opKindName(work.kind);
    const program::Epoch& epoch = names.program().epochs[std::size_t(ordinal)];
    const bool converts = work.kind == ir::OpKind::Quantize || work.kind == ir::OpKind::Dequantize;
    writer.comment("Node " + epoch.name + " mapped on software (" + (work.isFloat ? "FLOAT" : "INTEGER") + ") as " + kind +
                   " | Category: " + (converts ? "Format-Converter" : "Computational"));
    emitCacheBeforeSoftware(writer, names, ordinal);
    const std::string name = identifier(kind) + std::to_string(ordinal) + "_sw_info";
    writer.open("static const " + identifier(kind) + "_sw_info " + name + " = {");
    writer.field("general.type", nodeType(work.kind));
    for (std::size_t i = 0; i < work.inputs.size(); ++i) {
        emitTensor(writer, names, i == 0 ? "general.input" : "operand_" + std::to_string(i), work.inputs[i]);
        if (i == 0)
            emitQuantisation(writer, "i", work.inputs[i]);
    }
    for (std::size_t i = 0; i < work.outputs.size(); ++i) {
        emitTensor(writer, names, i == 0 ? "general.output" : "output_" + std::to_string(i), work.outputs[i]);
        if (i == 0)
            emitQuantisation(writer, "o", work.outputs[i]);
    }
    for (const auto& [key, value] : work.attributes)
        writer.field(identifier(key), std::visit(AttributeText{}, value));
    writer.close("};");
    writer.line(work.function + "(&" + name + ");");
    emitCacheAfterSoftware(writer, names, ordinal);
}

} // namespace poolwright::emit
