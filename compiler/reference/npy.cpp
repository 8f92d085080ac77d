// SPDX-License-Identifier: Apache-2.0
#include "reference/npy.h"

#include "reference/kernel.h"

#include <array>
#include <charconv>
#include <fstream>

namespace poolwright::reference {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t largestHeader = 1 << 16;

struct TypeName {
    ir::ElementType type;
    std::string_view descr;
};

constexpr std::array<TypeName, 8> typeNames{{{ir::ElementType::Bool, "|b1"},
                                             {ir::ElementType::Int8, "|i1"},
                                             {ir::ElementType::UInt8, "|u1"},
                                             {ir::ElementType::Int16, "<i2"},
                                             {ir::ElementType::UInt16, "<u2"},
                                             {ir::ElementType::Int32, "<i4"},
                                             {ir::ElementType::Int64, "<i8"},
                                             {ir::ElementType::Float32, "<f4"}}};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

/// The header is a Python dictionary of three entries; this finds the text behind one key.
std::optional<std::string_view> entryOf(std::string_view header, std::string_view key) {
    for (const char quote : {'\'', '"'}) {
        const std::string quoted = quote + std::string(key) + quote;
        const std::size_t at = header.find(quoted);
        if (at == std::string_view::npos)
            continue;
        const std::string_view rest = trimmed(header.substr(at + quoted.size()));
        if (!rest.empty() && rest.front() == ':')
            return trimmed(rest.substr(1));
    }
    return std::nullopt;
}

std::optional<std::string_view> textEntry(std::string_view header, std::string_view key) {
    const auto entry = entryOf(header, key);
    if (!entry || entry->empty() || (entry->front() != '\'' && entry->front() != '"'))
        return std::nullopt;
    const std::size_t end = entry->find(entry->front(), 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    return entry->substr(1, end - 1);
}

std::optional<std::int64_t> extentOf(std::string_view text) {
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || end != text.data() + text.size() || extent < 0)
        return std::nullopt;
    return extent;
}

/// "(2, 3)", "(5,)" or "()".
std::optional<ir::Shape> shapeEntry(std::string_view header) {
    const auto entry = entryOf(header, "shape");
    if (!entry || entry->empty() || entry->front() != '(' || entry->find(')') == std::string_view::npos)
        return std::nullopt;
    std::string_view list = trimmed(entry->substr(1, entry->find(')') - 1));
    ir::Shape shape;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const auto extent = extentOf(trimmed(list.substr(0, comma)));
        if (!extent)
            return std::nullopt;
        shape.push_back(*extent);
        list = comma < list.size() ? trimmed(list.substr(comma + 1)) : std::string_view();
    }
    return shape;
}

std::optional<ir::ElementType> typeOf(std::string_view descr) {
    for (const TypeName& name : typeNames) {
        const bool oneByte = name.descr[2] == '1' && descr.size() == 3; // any byte order says the same
        if (descr == name.descr || (oneByte && descr.substr(1) == name.descr.substr(1)))
            return name.type;
    }
    return std::nullopt;
}

tl::unexpected<Diagnostics> npyError(const char* code, const std::string& name, const std::string& message) {
    return fail(makeError(code, message, {name, 0, 0, {}}));
}

struct Parts {
    std::string_view header;
    std::string_view data;
};

std::optional<Parts> split(std::string_view content) {
    if (content.size() < 12 || content.substr(0, magic.size()) != magic)
        return std::nullopt;
    const auto byte = [&](std::size_t at) { return std::size_t(std::uint8_t(content[at])); };
    const bool shortLength = byte(6) == 1;
    std::size_t length = byte(8) | byte(9) << 8;
    if (!shortLength)
        length |= byte(10) << 16 | byte(11) << 24;
    const std::size_t start = shortLength ? 10 : 12;
    if (byte(6) < 1 || byte(6) > 3 || length > largestHeader || content.size() - start < length)
        return std::nullopt;
    return Parts{content.substr(start, length), content.substr(start + length)};
}

} // namespace

Result<Value> parseNpy(std::string_view content, const std::string& name) {
    const std::optional<Parts> parts = split(content);
    if (!parts)
        return npyError("PW2210", name, "this is no .npy file, or its header is cut off");
    const auto descr = textEntry(parts->header, "descr");
    const auto order = entryOf(parts->header, "fortran_order");
    const std::optional<ir::Shape> shape = shapeEntry(parts->header);
    if (!descr || !order || !shape)
        return npyError("PW2210", name, "the header does not give descr, fortran_order and shape");
    const std::optional<ir::ElementType> type = typeOf(*descr);
    if (!type)
        return npyError("PW2211", name, "arrays of type \"" + std::string(*descr) + "\" are not supported");
    if (order->substr(0, 5) != "False")
        return npyError("PW2211", name, "arrays in Fortran order are not supported");
    const std::int64_t bytes = checkedBytes(*type, *shape);
    if (bytes < 0 || std::size_t(bytes) != parts->data.size())
        return npyError("PW2210", name,
                        "the shape does not fit the " + std::to_string(parts->data.size()) + " bytes of data");
    return Value{*type, *shape, std::nullopt, {parts->data.begin(), parts->data.end()}};
}

Result<Value> readNpy(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = stream ? std::streamoff(stream.tellg()) : -1;
    if (size < 0 || size > largestTensor + std::streamoff(largestHeader))
        return npyError("PW2212", path.string(), "the file cannot be read");
    std::string content(std::size_t(size), '\0');
    stream.seekg(0);
    stream.read(content.data(), size);
    if (!stream)
        return npyError("PW2212", path.string(), "the file cannot be read");
    return parseNpy(content, path.string());
}

std::string npyContent(const Value& value) {
    std::string shape = "(";
    for (std::size_t d = 0; d < value.shape.size(); ++d)
        shape += (d ? ", " : "") + std::to_string(value.shape[d]);
    shape += value.shape.size() == 1 ? ",)" : ")";
    std::string header = "{'descr': '";
    for (const TypeName& name : typeNames)
        if (name.type == value.type)
            header += name.descr;
    header += "', 'fortran_order': False, 'shape': " + shape + ", }";
    // numpy aligns the data to 64 bytes: 10 bytes in front of the header, one line feed behind it.
    header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
    header += '\n';
    std::string content(magic);
    content += {'\x01', '\x00', char(header.size() & 0xFF), char(header.size() >> 8)};
    content += header;
    content.append(value.bytes.begin(), value.bytes.end());
    return content;
}

Result<void> writeNpy(const std::filesystem::path& path, const Value& value) {
    const std::string content = npyContent(value);
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), std::streamsize(content.size()));
    stream.close();
    if (!stream)
        return npyError("PW2213", path.string(), "the file cannot be written");
    return {};
}

} // namespace poolwright::reference
