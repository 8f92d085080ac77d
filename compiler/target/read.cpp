// SPDX-License-Identifier: Apache-2.0
#include "target/machine.h"

#include "target/builtin_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace poolwright::target {

namespace {

using Json = nlohmann::json;

constexpr int maxUnitsOfAKind = 64;
constexpr double maxNumber = 1e15;

/// Reads members of one object; collects diagnostics that name the member by its path ("boards[1].name").
class Object {
public:
    Object(const Json& json, std::string where, const std::string& path, Diagnostics& diagnostics)
        : m_json(json)
        , m_where(std::move(where))
        , m_path(path)
        , m_diagnostics(diagnostics) {
        if (!json.is_object())
            error("PW1102", m_where + " is not an object");
    }

    void number(const char* key, double& value, double least = 0) {
        const Json* found = find(key);
        if (!found)
            return;
        if (!found->is_number() || !std::isfinite(found->get<double>()) || found->get<double>() < least ||
            found->get<double>() > maxNumber)
            error("PW1103", pathOf(key) + " must be a number of at least " + Json(least).dump());
        else
            value = found->get<double>();
    }

    void alignment(const char* key, std::int64_t& value, std::int64_t most) {
        const std::int64_t before = value;
        integer(key, value, 1, most);
        if (!std::has_single_bit(std::uint64_t(value))) {
            error("PW1103", pathOf(key) + " must be a power of two");
            value = before;
        }
    }

    template <typename Integer> void integer(const char* key, Integer& value, std::int64_t least, std::int64_t most) {
        const Json* found = find(key);
        if (!found)
            return;
        if (!found->is_number_integer() || found->get<double>() < double(least) || found->get<double>() > double(most))
            error("PW1103", pathOf(key) + " must be a whole number from " + std::to_string(least) + " to " +
                                std::to_string(most));
        else
            value = Integer(found->get<std::int64_t>());
    }

    void text(const char* key, std::string& value) {
        if (const Json* found = find(key)) {
            if (found->is_string())
                value = found->get<std::string>();
            else
                error("PW1103", pathOf(key) + " must be text");
        }
    }

    void boolean(const char* key, bool& value) {
        if (const Json* found = find(key)) {
            if (found->is_boolean())
                value = found->get<bool>();
            else
                error("PW1103", pathOf(key) + " must be true or false");
        }
    }

    /// Calls visit(element, its path) for each element of an array.
    template <typename Visit> void each(const char* key, Visit visit) {
        const Json* found = find(key);
        if (!found)
            return;
        if (!found->is_array())
            return error("PW1103", pathOf(key) + " must be a list");
        for (std::size_t i = 0; i < found->size(); ++i)
            visit((*found)[i], pathOf(key) + "[" + std::to_string(i) + "]");
    }

    template <typename Visit> void member(const char* key, Visit visit) {
        if (const Json* found = find(key))
            visit(*found, pathOf(key));
    }

    const Json* find(const char* key) {
        m_known.insert(key);
        if (!m_json.is_object())
            return nullptr;
        const auto found = m_json.find(key);
        return found == m_json.end() ? nullptr : &*found;
    }

    void require(const char* key) {
        if (m_json.is_object() && !find(key))
            error("PW1102", pathOf(key) + " is missing");
    }

    /// Misspelt keys would silently keep a default.
    void refuseUnknown() {
        if (!m_json.is_object())
            return;
        for (const auto& [key, value] : m_json.items())
            if (!m_known.contains(key))
                error("PW1104", "unknown key " + pathOf(key.c_str()));
    }

    void error(const char* code, const std::string& message) {
        m_diagnostics.push_back(makeError(code, message, {m_path, 0, 0, m_where}));
    }

    std::string pathOf(const char* key) const { return m_where.empty() ? key : m_where + "." + key; }

private:
    const Json& m_json;
    std::string m_where;
    const std::string& m_path;
    Diagnostics& m_diagnostics;
    std::set<std::string> m_known;
};

std::optional<UnitKind> unitKind(const std::string& name) {
    for (int kind = 0; kind < unitKindCount; ++kind)
        if (name == unitEnumName(UnitKind(kind)))
            return UnitKind(kind);
    return std::nullopt;
}

SourceLocation locationOf(const std::string& text, std::size_t byte, const std::string& path) {
    const std::size_t end = std::min(byte > 0 ? byte - 1 : 0, text.size());
    const auto begin = text.begin();
    const int line = int(std::count(begin, begin + std::ptrdiff_t(end), '\n')) + 1;
    const std::size_t lineStart = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    return {path, line, int(lineStart == std::string::npos ? end + 1 : end - lineStart), {}};
}

Result<Json> parse(const std::string& text, const std::string& path) {
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        return fail(makeError("PW1101", "not valid JSON", locationOf(text, error.byte, path),
                              "the file must be strict JSON: no comments, no trailing commas"));
    } catch (const Json::exception&) {
        return fail(makeError("PW1101", "not valid JSON", {path, 0, 0, {}}));
    }
}

void readLimits(Object object, Limits& limits) {
    constexpr std::int64_t most = 1 << 24;
    const std::pair<const char*, int*> entries[] = {{"conv_kernel_height", &limits.convKernelHeight},
                                                    {"conv_kernel_width_stride1", &limits.convKernelWidthStride1},
                                                    {"conv_kernel_width_strided", &limits.convKernelWidthStrided},
                                                    {"conv_max_stride", &limits.convMaxStride},
                                                    {"conv_line_elements", &limits.convLineElements},
                                                    {"conv_native_pad", &limits.convNativePad},
                                                    {"conv_tile", &limits.convTile},
                                                    {"conv_deep_tile", &limits.convDeepTile},
                                                    {"conv_max_kernels", &limits.convMaxKernels},
                                                    {"conv_max_batch", &limits.convMaxBatch},
                                                    {"conv_max_deep_batch", &limits.convMaxDeepBatch},
                                                    {"arith_coefficients", &limits.arithCoefficients},
                                                    {"pool_window", &limits.poolWindow},
                                                    {"pool_max_stride", &limits.poolMaxStride},
                                                    {"pool_max_batch", &limits.poolMaxBatch},
                                                    {"pool_line_elements", &limits.poolLineElements},
                                                    {"pool_frame_elements", &limits.poolFrameElements},
                                                    {"stream_bits", &limits.streamBits}};
    for (const auto& [key, value] : entries)
        object.integer(key, *value, 1, most);
    object.alignment("parameter_alignment", limits.parameterAlignment, most);
    object.alignment("activation_alignment", limits.activationAlignment, most);
    object.alignment("io_alignment", limits.ioAlignment, most);
    object.integer("prefetch_padding", limits.prefetchPadding, 0, most);
    object.refuseUnknown();
}

UnitGroup readGroup(Object object) {
    UnitGroup group;
    std::string kind;
    object.require("kind");
    object.require("count");
    object.text("kind", kind);
    if (const auto found = unitKind(kind))
        group.kind = *found;
    else
        object.error("PW1105", "unknown kind of unit '" + kind + "'");
    object.integer("first", group.firstIndex, 0, maxUnitsOfAKind);
    object.integer("count", group.count, 0, maxUnitsOfAKind);
    object.integer("print_slots", group.printedUnits, 0, maxUnitsOfAKind);
    object.integer("memory_port", group.memoryPort, 0, 1);
    object.number("power_mw", group.powerMilliwatts);
    object.refuseUnknown();
    return group;
}

/// Addresses are text ("0x34000000") because JSON has no hexadecimal numbers.
std::optional<std::uint64_t> parseAddress(const std::string& text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const char* first = text.data() + (isHex ? 2 : 0);
    const char* last = text.data() + text.size();
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(first, last, value, isHex ? 16 : 10);
    if (code != std::errc() || end != last || value > 0xFFFFFFFFu)
        return std::nullopt;
    return value;
}

Bank readBank(Object object) {
    Bank bank;
    std::string address;
    object.require("name");
    object.require("address");
    object.require("size");
    object.text("name", bank.name);
    object.text("address", address);
    object.text("note", bank.note);
    object.boolean("external", bank.external);
    object.boolean("writable", bank.writable);
    object.integer("size", bank.range.size.value, 1, std::int64_t(1) << 32);
    if (const auto value = parseAddress(address))
        bank.range.start = Address(*value);
    else
        object.error("PW1103", "'" + address + "' is not a 32-bit address");
    object.refuseUnknown();
    return bank;
}

Board readBoard(Object object) {
    Board board;
    object.require("name");
    object.text("name", board.name);
    object.text("note", board.note);
    const std::pair<const char*, double*> clocks[] = {{"cpu_megahertz", &board.cpuMegahertz},
                                                      {"noc_megahertz", &board.nocMegahertz},
                                                      {"nic_megahertz", &board.nicMegahertz},
                                                      {"npu_megahertz", &board.npuMegahertz}};
    for (const auto& [key, value] : clocks)
        object.number(key, *value, 1);
    const std::pair<const char*, double*> rest[] = {
        {"flash_bytes_per_second", &board.flashBytesPerSecond},
        {"external_ram_bytes_per_second", &board.externalRamBytesPerSecond},
        {"overhead_cycles", &board.overheadCycles},
        {"flash_overhead_cycles", &board.flashOverheadCycles},
        {"flash_overhead_share", &board.flashOverheadShare},
        {"cached_share", &board.cachedShare},
        {"dma_cycles_per_byte", &board.dmaCyclesPerByte},
        {"pre_cpu_cycles", &board.preCpuCycles},
        {"pre_cpu_cycles_per_channel", &board.preCpuCyclesPerChannel},
        {"post_cpu_cycles", &board.postCpuCycles},
        {"blob_pre_cpu_cycles", &board.blobPreCpuCycles},
        {"quantize_cpu_cycles_per_element", &board.quantizeCpuCyclesPerElement},
        {"pool_cpu_cycles_per_element", &board.poolCpuCyclesPerElement},
        {"other_cpu_cycles_per_element", &board.otherCpuCyclesPerElement},
        {"cpu_cycles_per_mac", &board.cpuCyclesPerMac}};
    for (const auto& [key, value] : rest)
        object.number(key, *value);
    object.each("absent_banks", [&](const Json& name, const std::string& where) {
        if (name.is_string())
            board.absentBanks.push_back(name.get<std::string>());
        else
            object.error("PW1103", where + " must be text");
    });
    object.refuseUnknown();
    return board;
}

void readMachine(Object object, Machine& machine, const std::string& path, Diagnostics& diagnostics) {
    object.require("units");
    object.number("nominal_megahertz", machine.nominalMegahertz, 1);
    object.each("units", [&](const Json& json, const std::string& where) {
        machine.groups.push_back(readGroup({json, where, path, diagnostics}));
    });
    object.member("limits", [&](const Json& json, const std::string& where) {
        readLimits({json, where, path, diagnostics}, machine.limits);
    });
    object.refuseUnknown();
}

void checkWhole(const Target& target, Object& root, Diagnostics& diagnostics) {
    if (target.boards.empty())
        root.error("PW1106", "there must be at least one board");
    if (!hasErrors(diagnostics) && target.machine.count(UnitKind::StreamEngine) < 2)
        root.error("PW1106", "a machine needs at least two stream engines");
    for (std::size_t i = 0; i < target.banks.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (target.banks[i].range.overlaps(target.banks[j].range))
                root.error("PW1107", "banks " + target.banks[j].name + " and " + target.banks[i].name + " overlap");
}

/// One accelerator of an .mdesc; nothing for those that are not programmed.
std::optional<UnitGroup> readAccelerator(Object object) {
    std::string type;
    object.require("type");
    object.text("type", type);
    if (type == "EPOCHCTRL" || type == "DEBUG_TRACE")
        return std::nullopt;
    const auto kind = unitKind(type);
    if (!kind) {
        object.error("PW1105", "unknown type of accelerator '" + type + "'");
        return std::nullopt;
    }
    UnitGroup group;
    group.kind = *kind;
    object.require("num");
    object.integer("index", group.firstIndex, 0, maxUnitsOfAKind);
    object.integer("num", group.count, 0, maxUnitsOfAKind);
    object.number("power", group.powerMilliwatts);
    if (const Json* outputs = object.find("outPorts"); outputs && outputs->is_array() && outputs->size() > 1)
        group.printedUnits = int(std::min<std::size_t>(outputs->size(), maxUnitsOfAKind)) * group.count;
    object.each("params", [&](const Json& json, const std::string& where) {
        if (json.is_object() && json.value("name", Json()) == "MEM_PORT" && json.contains("val")) {
            const Json& value = json["val"];
            if (value.is_number_integer() && (value == 0 || value == 1))
                group.memoryPort = value.get<int>();
            else
                object.error("PW1103", where + ".val must be 0 or 1");
        }
    });
    return group;
}

} // namespace

Result<Target> readTarget(const std::string& text, const std::string& path) {
    const auto json = parse(text, path);
    if (!json)
        return fail(json.error());
    Target target;
    Diagnostics diagnostics;
    Object root(*json, "", path, diagnostics);
    std::string format;
    root.require("format");
    root.require("machine");
    root.text("format", format);
    if (format != "poolwright-target")
        root.error("PW1102", "this is not a target description: \"format\" is not \"poolwright-target\"");
    int version = 1;
    root.integer("version", version, 1, 1);
    root.text("name", target.machine.name);
    root.member("machine", [&](const Json& machine, const std::string& where) {
        readMachine({machine, where, path, diagnostics}, target.machine, path, diagnostics);
    });
    root.each("banks", [&](const Json& bank, const std::string& where) {
        target.banks.push_back(readBank({bank, where, path, diagnostics}));
    });
    root.each("boards", [&](const Json& board, const std::string& where) {
        target.boards.push_back(readBoard({board, where, path, diagnostics}));
    });
    root.refuseUnknown();
    checkWhole(target, root, diagnostics);
    if (hasErrors(diagnostics))
        return fail(std::move(diagnostics));
    return target;
}

const Target& builtinTarget() {
    static const Target target = [] {
        auto result = readTarget(builtinTargetText, "stm32n6.json");
        return result ? *std::move(result) : Target{{}, {}, {Board{}}};
    }();
    return target;
}

Result<Target> withMachineDescription(Target base, const std::string& mdescText, const std::string& path) {
    const auto json = parse(mdescText, path);
    if (!json)
        return fail(json.error());
    Diagnostics diagnostics;
    std::vector<UnitGroup> groups;
    Object root(*json, "", path, diagnostics);
    root.require("machine");
    root.member("machine", [&](const Json& value, const std::string& where) {
        Object machine(value, where, path, diagnostics);
        machine.require("accelerators");
        machine.text("name", base.machine.name);
        machine.number("nominal_frequency", base.machine.nominalMegahertz, 1);
        machine.each("accelerators", [&](const Json& accelerator, const std::string& at) {
            if (const auto group = readAccelerator({accelerator, at, path, diagnostics}))
                groups.push_back(*group);
        });
    });
    base.machine.groups = std::move(groups);
    if (!hasErrors(diagnostics) && base.machine.count(UnitKind::StreamEngine) < 2)
        root.error("PW1106", "a machine needs at least two stream engines");
    if (hasErrors(diagnostics))
        return fail(std::move(diagnostics));
    return base;
}

} // namespace poolwright::target
