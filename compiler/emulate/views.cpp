// SPDX-License-Identifier: Apache-2.0
#include "emulate/views.h"

#include <cstring>

namespace poolwright::emulate {

using program::TensorView;
using reference::Value;

/// Copies elements between a dense array and a view whose span starts at `span`. `toView` says which way.
template <bool toView, typename Memory, typename Dense>
static void copyElements(const TensorView& view, std::int64_t first, Memory* memory, Dense* dense) {
    const std::int64_t size = ir::elementBytes(view.type);
    forEachElement(view, [&](std::int64_t offset, std::int64_t element) {
        if constexpr (toView)
            std::memcpy(memory + (offset - first), dense + element * size, std::size_t(size));
        else
            std::memcpy(dense + element * size, memory + (offset - first), std::size_t(size));
    });
}

static Result<void> checkShape(const TensorView& view) {
    bool ok = view.shape.size() == view.strides.size();
    for (std::int64_t extent : view.shape)
        ok = ok && extent > 0;
    if (!ok)
        return fail(makeError("PW4110", "the view has an empty shape or lacks strides", {{}, 0, 0, view.name}));
    return {};
}

static Value emptyValue(const TensorView& view) {
    Value value{view.type, view.shape, view.quantisation, {}};
    value.bytes.resize(std::size_t(ir::elementCount(view.shape) * ir::elementBytes(view.type)));
    return value;
}

Result<Value> peekValue(const Memory& memory, const TensorView& view) {
    if (const Result<void> shape = checkShape(view); !shape)
        return fail(shape.error());
    const program::ByteSpan span = program::spanOf(view);
    const Result<const std::uint8_t*> bytes = memory.peek(view.buffer, span.first, span.end - span.first);
    if (!bytes)
        return fail(bytes.error());
    Value value = emptyValue(view);
    copyElements<false>(view, span.first, *bytes, value.bytes.data());
    return value;
}

Result<Value> gather(Memory& memory, const TensorView& view, const Access& access) {
    if (memory.isTracking() && checkShape(view)) {
        const std::int64_t size = ir::elementBytes(view.type);
        Diagnostics errors;
        forEachElement(view, [&](std::int64_t offset, std::int64_t) {
            if (!errors.empty())
                return;
            if (const auto bytes = memory.read(view.buffer, offset, size, access); !bytes)
                errors = bytes.error();
        });
        if (!errors.empty())
            return fail(errors);
    }
    return peekValue(memory, view);
}

Result<void> scatter(Memory& memory, const TensorView& view, const Value& value, const Access& access) {
    if (const Result<void> shape = checkShape(view); !shape)
        return shape;
    const std::size_t size = std::size_t(ir::elementCount(view.shape) * ir::elementBytes(view.type));
    if (value.type != view.type || value.bytes.size() != size)
        return fail(makeError("PW4111",
                              std::string("a value of type ") + ir::elementTypeName(value.type) + " and " +
                                  std::to_string(value.bytes.size()) + " bytes where " +
                                  ir::elementTypeName(view.type) + " and " + std::to_string(size) + " are expected",
                              {{}, 0, 0, view.name}));
    const std::int64_t element = ir::elementBytes(view.type);
    const std::uint8_t* source = value.bytes.data();
    Diagnostics errors;
    // Element by element through write(): a view need not touch all bytes of its span, and only those it touches are
    // written.
    forEachElement(view, [&](std::int64_t offset, std::int64_t index) {
        const Result<std::uint8_t*> bytes = memory.write(view.buffer, offset, element, access);
        if (bytes)
            std::memcpy(*bytes, source + index * element, std::size_t(element));
        else if (errors.empty())
            errors = bytes.error();
    });
    if (!errors.empty())
        return fail(errors);
    return {};
}

} // namespace poolwright::emulate
