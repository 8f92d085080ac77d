// SPDX-License-Identifier: Apache-2.0
#include "emit/c_network.h"

#include <algorithm>
#include <numeric>

namespace poolwright::emit {

namespace {

/// What the runtime's buffer table says of one element type (facts 4.4, 4.5).
struct TypeInfo {
    const char* dataType;
    int qm, qn;
    bool isUnsigned;
    int bits;
};

TypeInfo typeInfo(ir::ElementType type) {
    switch (type) {
    case ir::ElementType::Int8:
        return {"DataType_INT8", 7, 0, false, 8};
    case ir::ElementType::UInt8:
        return {"DataType_UINT8", 8, 0, true, 8};
    case ir::ElementType::Int16:
        return {"DataType_INT16", 15, 0, false, 16};
    case ir::ElementType::UInt16:
        return {"DataType_UINT16", 16, 0, true, 16};
    case ir::ElementType::Int32:
        return {"DataType_INT32", 31, 0, false, 32};
    case ir::ElementType::Int64:
        return {"DataType_INT64", 63, 0, false, 64};
    case ir::ElementType::Bool:
        return {"DataType_BOOL", 1, 0, true, 8};
    case ir::ElementType::Float32:
        break;
    }
    return {"DataType_FLOAT", 0, 0, false, 32};
}

std::string joined(const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i ? ", " : "") + std::to_string(values[i]);
    return text;
}

/// N, C, H, W printed as N, H, W, C whatever the dimensions mean (facts 4.5).
std::vector<std::int64_t> printedShape(const ir::Shape& shape) {
    if (shape.size() != 4)
        return shape;
    return {shape[0], shape[2], shape[3], shape[1]};
}

/// Extents from the outermost to the innermost dimension in memory.
std::vector<std::int64_t> memoryShape(const program::TensorView& view) {
    std::vector<std::size_t> order(view.shape.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return view.strides[a] > view.strides[b]; });
    std::vector<std::int64_t> shape;
    for (std::size_t i : order)
        shape.push_back(view.shape[i]);
    return shape;
}

const char* channelPosition(const program::TensorView& view) {
    if (view.shape.size() != 4)
        return "CHPos_UNDEFINED";
    return view.strides[1] < std::max(view.strides[2], view.strides[3]) || view.shape[2] * view.shape[3] == 1 ? "CHPos_Last"
                                                                                                             : "CHPos_First";
}

class Table {
public:
    Table(CWriter& writer, const Names& names, std::string prefix) : m_writer(writer), m_names(names), m_prefix(std::move(prefix)) {}

    void begin(const std::string& what) {
        m_writer.line("const LL_Buffer_InfoTypeDef *LL_ATON_" + what + "_Buffers_Info_" + m_names.network() + "(void)");
        m_writer.open("{");
    }

    /// Shapes and parameters of every row first: the rows point to them.
    void add(const program::TensorView& view, const program::Buffer& buffer) {
        const std::string id = m_prefix + "_" + std::to_string(m_rows.size());
        m_writer.line("static const uint32_t buff_info__shape_" + id + "[] = { " + joined(printedShape(view.shape)) + " };");
        m_writer.line("static const uint32_t buff_info__mem_shape_" + id + "[] = { " + joined(memoryShape(view)) + " };");
        if (view.quantisation)
            addQuantisation(*view.quantisation, id);
        m_rows.push_back({view, &buffer, id});
    }

    void end() {
        m_writer.open("static const LL_Buffer_InfoTypeDef buff_info[] = {");
        for (const Row& row : m_rows)
            emitRow(row);
        m_writer.line("{ .name = NULL, }");
        m_writer.close("};");
        m_writer.line("return buff_info;");
        m_writer.close("}");
        m_writer.line();
    }

private:
    struct Row {
        program::TensorView view;
        const program::Buffer* buffer;
        std::string id;
    };

    void addQuantisation(const ir::Quantisation& quantisation, const std::string& id) {
        std::string scales, offsets;
        for (std::size_t i = 0; i < quantisation.scales.size(); ++i) {
            scales += (i ? ", " : "") + cDouble(quantisation.scales[i]);
            offsets += (i ? ", " : "") + std::to_string(quantisation.zeroPoints[i]);
        }
        m_writer.line("static const float buff_info_" + id + "_quant_scale[] = { " + scales + " };");
        m_writer.line("static const int16_t buff_info_" + id + "_quant_offset[] = { " + offsets + " };");
    }

    void emitRow(const Row& row) {
        const TypeInfo type = typeInfo(row.view.type);
        m_writer.open("{");
        m_writer.field("name", cString(row.view.name));
        emitAddress(row);
        m_writer.field("is_user_allocated", row.buffer->userAllocated ? 1 : 0);
        m_writer.field("is_param", row.buffer->kind == program::BufferKind::Constant ? 1 : 0);
        m_writer.field("epoch", row.buffer->live.first);
        m_writer.field("batch", row.view.shape.size() == 4 ? row.view.shape[1] : 1);
        m_writer.field("mem_shape", "buff_info__mem_shape_" + row.id);
        m_writer.field("mem_ndims", std::int64_t(row.view.shape.size()));
        m_writer.field("chpos", channelPosition(row.view));
        m_writer.field("Qm", type.qm);
        m_writer.field("Qn", type.qn);
        m_writer.field("Qunsigned", type.isUnsigned ? 1 : 0);
        m_writer.field("type", type.dataType);
        m_writer.field("nbits", type.bits);
        m_writer.field("ndims", std::int64_t(row.view.shape.size()));
        m_writer.field("shape", "buff_info__shape_" + row.id);
        m_writer.field("per_channel", row.view.quantisation && !row.view.quantisation->isPerTensor() ? 1 : 0);
        m_writer.field("scale", row.view.quantisation ? "buff_info_" + row.id + "_quant_scale" : "NULL");
        m_writer.field("offset", row.view.quantisation ? "buff_info_" + row.id + "_quant_offset" : "NULL");
        m_writer.close("},");
    }

    void emitAddress(const Row& row) {
        const std::int64_t base = row.buffer->userAllocated ? 0 : m_names.offset(row.view.buffer);
        const std::int64_t bytes = ir::elementCount(row.view.shape) * ir::elementBytes(row.view.type);
        m_writer.field("addr_base", row.buffer->userAllocated ? "{(unsigned char *)&" + m_names.userPointer(row.view.buffer) + "}"
                                                              : "{" + m_names.poolBase(row.view.buffer) + "}");
        m_writer.field("offset_start", base + row.view.offset);
        m_writer.field("offset_end", base + row.view.offset + bytes);
        m_writer.field("offset_limit",
                       alignUp(base + row.buffer->size.value, 8) + m_names.program().machine.limits.prefetchPadding);
    }

    CWriter& m_writer;
    const Names& m_names;
    std::string m_prefix;
    std::vector<Row> m_rows;
};

/// What a constant without a described tensor is to the table: plain bytes.
program::TensorView bytesView(const program::Buffer& buffer, BufferId id) {
    program::TensorView view;
    view.name = buffer.name;
    view.buffer = id;
    view.type = ir::ElementType::UInt8;
    view.shape = {buffer.size.value};
    view.strides = {1};
    return view;
}

void addBuffer(Table& table, const program::Program& program, std::size_t index) {
    const program::Buffer& buffer = program.buffers[index];
    if (buffer.tensors.empty())
        table.add(bytesView(buffer, BufferId(index)), buffer);
    for (const program::TensorView& view : buffer.tensors)
        table.add(view, buffer);
}

void addKind(Table& table, const program::Program& program, bool constants) {
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const program::BufferKind kind = program.buffers[i].kind;
        const bool isConstant = kind == program::BufferKind::Constant;
        const bool isIo = kind == program::BufferKind::Input || kind == program::BufferKind::Output;
        if (isConstant == constants && !isIo)
            addBuffer(table, program, i);
    }
}

} // namespace

void emitBufferTables(CWriter& writer, const Names& names) {
    const program::Program& program = names.program();
    Table inputs(writer, names, "in");
    inputs.begin("Input");
    for (const program::TensorView& view : program.inputs)
        inputs.add(view, program[view.buffer]);
    addKind(inputs, program, true);
    inputs.end();

    Table outputs(writer, names, "out");
    outputs.begin("Output");
    for (const program::TensorView& view : program.outputs)
        outputs.add(view, program[view.buffer]);
    outputs.end();

    Table internals(writer, names, "internal");
    internals.begin("Internal");
    if (names.source().options.allBuffersInfo)
        addKind(internals, program, false);
    internals.end();
}

} // namespace poolwright::emit
