// SPDX-License-Identifier: Apache-2.0
#include "program/serialise.h"

#include <nlohmann/json.hpp>

#include <type_traits>
#include <utility>

namespace poolwright::program {

namespace {

using Json = nlohmann::ordered_json;
constexpr int formatVersion = 1;

/// How many values an enumeration has, counted from its first: a file may hold any number.
template <typename E> struct Values;
template <typename E, E first, E last> struct ValuesFromTo {
    static bool contains(int value) { return int(first) <= value && value <= int(last); }
};
template <> struct Values<Direction> : ValuesFromTo<Direction, Direction::FromMemory, Direction::ToMemory> {};
template <> struct Values<ArithOperation> : ValuesFromTo<ArithOperation, ArithOperation::Affine, ArithOperation::Clip> {};
template <> struct Values<ArithBroadcast> : ValuesFromTo<ArithBroadcast, ArithBroadcast::None, ArithBroadcast::Scalar> {};
template <> struct Values<PoolOperation> : ValuesFromTo<PoolOperation, PoolOperation::Max, PoolOperation::GlobalAvg> {};
template <> struct Values<ActivOperation> : ValuesFromTo<ActivOperation, ActivOperation::Relu, ActivOperation::Lut> {};
template <> struct Values<EpochKind> : ValuesFromTo<EpochKind, EpochKind::None, EpochKind::Hybrid> {};
template <> struct Values<BufferKind> : ValuesFromTo<BufferKind, BufferKind::Constant, BufferKind::Output> {};
template <> struct Values<ir::ElementType> : ValuesFromTo<ir::ElementType, ir::ElementType::Bool, ir::ElementType::Float32> {};
template <> struct Values<ir::OpKind> : ValuesFromTo<ir::OpKind, ir::OpKind::Conv, ir::OpKind::Requantize> {};
template <> struct Values<mpool::Rights> : ValuesFromTo<mpool::Rights, mpool::Rights::ReadOnly, mpool::Rights::ReadWrite> {};
template <> struct Values<mpool::Level> : ValuesFromTo<mpool::Level, mpool::Level::Low, mpool::Level::High> {};
template <> struct Values<mpool::UseMode> : ValuesFromTo<mpool::UseMode, mpool::UseMode::Absolute, mpool::UseMode::Relative> {};
template <> struct Values<mpool::FileFormat> : ValuesFromTo<mpool::FileFormat, mpool::FileFormat::Raw, mpool::FileFormat::C> {};
template <> struct Values<target::UnitKind> : ValuesFromTo<target::UnitKind, target::UnitKind::StreamEngine, target::UnitKind::Processor> {};

// Every structure lists its fields once, in fields(); the two archives below turn the list into writing and reading.

template <typename A> void fields(A& a, StreamEngineConfig& c) {
    a("direction", c.direction), a("raw", c.raw), a("raw_out", c.rawOut), a("continuous", c.continuous);
    a("align_right", c.alignRight), a("bits_unsigned", c.bitsUnsigned), a("sync_engine", c.syncEngine);
    a("cacheable", c.cacheable), a("cache_allocate", c.cacheAllocate), a("buffer", c.buffer);
    a("offset_start", c.offsetStart), a("offset_end", c.offsetEnd), a("frame_offset", c.frameOffset);
    a("loop_offset", c.loopOffset), a("frame_loop_count", c.frameLoopCount), a("frame_total", c.frameTotal);
    a("fwidth", c.fwidth), a("fheight", c.fheight), a("batch_depth", c.batchDepth), a("batch_offset", c.batchOffset);
    a("line_offset", c.lineOffset), a("bits_in", c.bitsIn), a("bits_out", c.bitsOut);
    a("tensor", c.tensor), a("comment", c.comment);
}

template <typename A> void fields(A& a, ConvConfig& c) {
    a("simd", c.simd), a("inbytes_f", c.inbytesF), a("f_unsigned", c.fUnsigned), a("k_unsigned", c.kUnsigned);
    a("fsub", c.fsub), a("zfbias", c.zfbias), a("deepmode", c.deepmode), a("kseten", c.kseten);
    a("accumulate", c.accumulate), a("accumulate_first", c.accumulateFirst), a("accumulate_gen_first", c.accumulateGenFirst);
    a("afilt_total", c.afiltTotal), a("afilt_first", c.afiltFirst), a("afilt_last", c.afiltLast);
    a("kfilt_total", c.kfiltTotal), a("kfilt_first", c.kfiltFirst), a("kfilt_last", c.kfiltLast);
    a("shift_f", c.shiftF), a("shift_a", c.shiftA), a("shift_o", c.shiftO), a("rounding_o", c.roundingO);
    a("saturation_o", c.saturationO), a("round_mode_o", c.roundModeO), a("outbytes_o", c.outbytesO), a("raw_o", c.rawO);
    a("f_width", c.fWidth), a("f_height", c.fHeight), a("batch_depth", c.batchDepth), a("kernel_width", c.kernelWidth);
    a("kernel_height", c.kernelHeight), a("n_kernels", c.nKernels), a("hstride", c.hstride), a("vstride", c.vstride);
    a("left_padding", c.leftPadding), a("right_padding", c.rightPadding), a("top_padding", c.topPadding), a("bot_padding", c.botPadding);
    a("left_crop", c.leftCrop), a("right_crop", c.rightCrop), a("top_crop", c.topCrop), a("bot_crop", c.botCrop);
}

template <typename A> void fields(A& a, ArithConfig& c) {
    a("operation", c.operation), a("inbytes_x", c.inbytesX), a("inbytes_y", c.inbytesY), a("outbytes_x", c.outbytesX);
    a("outbytes_y", c.outbytesY), a("scalar", c.scalar), a("dualinput", c.dualinput), a("combinebc", c.combinebc);
    a("broadcast", c.broadcast), a("ax_shift", c.axShift), a("by_shift", c.byShift), a("c_shift", c.cShift), a("shift_o", c.shiftO);
    a("rounding_o", c.roundingO), a("saturation_o", c.saturationO), a("round_mode_o", c.roundModeO), a("outbytes_o", c.outbytesO);
    a("a_scalar", c.aScalar), a("b_scalar", c.bScalar), a("c_scalar", c.cScalar), a("a_vector", c.aVector), a("b_vector", c.bVector);
    a("c_vector", c.cVector), a("a_offset", c.aOffset), a("b_offset", c.bOffset), a("c_offset", c.cOffset), a("vec_count", c.vecCount);
    a("vec_bits_a", c.vecBits[0]), a("vec_bits_b", c.vecBits[1]), a("vec_bits_c", c.vecBits[2]);
    a("clipout", c.clipout), a("clipmin", c.clipmin), a("clipmax", c.clipmax);
    a("f_width", c.fWidth), a("f_height", c.fHeight), a("f_channels", c.fChannels), a("batch_depth", c.batchDepth);
}

template <typename A> void fields(A& a, PoolConfig& c) {
    a("operation", c.operation), a("input_x", c.inputX), a("input_y", c.inputY), a("output_x", c.outputX), a("output_y", c.outputY);
    a("window_x", c.windowX), a("window_y", c.windowY), a("stride_x", c.strideX), a("stride_y", c.strideY);
    a("left_pad", c.leftPad), a("right_pad", c.rightPad), a("top_pad", c.topPad), a("bottom_pad", c.bottomPad);
    a("left_crop", c.leftCrop), a("right_crop", c.rightCrop), a("top_crop", c.topCrop), a("bottom_crop", c.bottomCrop);
    a("batch_size", c.batchSize), a("mulval", c.mulval), a("shift_o", c.shiftO), a("dual_line", c.dualLine);
    a("avg_no_pad", c.avgNoPad), a("inbytes_f", c.inbytesF), a("outbytes_f", c.outbytesF), a("outbytes_o", c.outbytesO);
    a("rounding_o", c.roundingO), a("saturation_o", c.saturationO), a("round_mode_o", c.roundModeO);
}

template <typename A> void fields(A& a, ActivConfig& c) {
    a("operation", c.operation), a("parameter", c.parameter), a("parameter_2", c.parameter2), a("signedop", c.signedop);
    a("bwidth", c.bwidth), a("rom0", c.rom0), a("rom1", c.rom1), a("shift_b", c.shiftB), a("shift_c", c.shiftC);
    a("shift_o", c.shiftO), a("shift_norm", c.shiftNorm), a("inbytes_f", c.inbytesF), a("outbytes_o", c.outbytesO);
    a("rounding_o", c.roundingO), a("saturation_o", c.saturationO), a("round_mode_o", c.roundModeO);
}

template <typename A> void fields(A& a, Link& l) {
    a("from", l.from), a("to", l.to), a("port", l.port), a("drop_frames", l.dropFrames), a("pass_frames", l.passFrames);
}

template <typename A> void fields(A& a, Unit& u) {
    a("kind", u.kind), a("index", u.index), a("node", u.node), a("op_kind", u.opKind), a("config", u.config);
}

template <typename A> void fields(A& a, HardwareWork& w) {
    a("units", w.units), a("links", w.links);
}

template <typename A> void fields(A& a, ir::Quantisation& q) {
    a("scales", q.scales), a("zero_points", q.zeroPoints), a("axis", q.axis);
}

template <typename A> void fields(A& a, TensorView& v) {
    a("name", v.name), a("buffer", v.buffer), a("offset", v.offset), a("type", v.type), a("shape", v.shape);
    a("strides", v.strides), a("quantisation", v.quantisation);
}

template <typename A> void fields(A& a, SoftwareWork& w) {
    a("kind", w.kind), a("attributes", w.attributes), a("inputs", w.inputs), a("outputs", w.outputs);
    a("is_float", w.isFloat), a("function", w.function);
}

template <typename A> void fields(A& a, OperatorRef& r) {
    a("node", r.node), a("name", r.name), a("kind", r.kind), a("original_names", r.originalNames), a("macs", r.macs);
}

template <typename A> void fields(A& a, Epoch& e) {
    a("kind", e.kind), a("name", e.name), a("operators", e.operators), a("work", e.work), a("reason", e.reason);
}

template <typename A> void fields(A& a, EpochRange& r) {
    a("first", r.first), a("last", r.last);
}

template <typename A> void fields(A& a, Buffer& b) {
    a("name", b.name), a("size", b.size.value), a("alignment", b.alignment), a("kind", b.kind), a("live", b.live);
    a("used_by_cpu", b.usedByCpu), a("user_allocated", b.userAllocated), a("tensors", b.tensors);
}

template <typename A> void fields(A& a, Placement& p) {
    a("pool", p.pool), a("address", p.address.value);
}

template <typename A> void fields(A& a, UnplacedBuffer& u) {
    a("buffer", u.buffer), a("reason", u.reason);
}

template <typename A> void fields(A& a, mpool::Properties& p) {
    a("rights", p.rights), a("throughput", p.throughput), a("latency", p.latency), a("byte_width", p.byteWidth);
    a("freq_ratio", p.freqRatio), a("read_power", p.readPower), a("write_power", p.writePower), a("cacheable", p.cacheable);
    a("constants_preferred", p.constantsPreferred);
}

template <typename A> void fields(A& a, mpool::EffectivePool& p) {
    a("name", p.name), a("fname", p.fname), a("address", p.range.start.value), a("size", p.range.size.value);
    a("reserved_tail", p.reservedTail.value), a("properties", p.properties), a("mode", p.mode), a("format", p.format);
    a("members", p.members), a("score", p.score), a("external", p.external);
}

template <typename A> void fields(A& a, target::UnitGroup& g) {
    a("kind", g.kind), a("first_index", g.firstIndex), a("count", g.count), a("power", g.powerMilliwatts), a("memory_port", g.memoryPort);
}

template <typename A> void fields(A& a, target::Machine& m) {
    a("name", m.name), a("nominal_megahertz", m.nominalMegahertz), a("groups", m.groups);
}

template <typename A> void fields(A& a, Program& p) {
    a("network", p.networkName), a("machine", p.machine), a("epochs", p.epochs), a("buffers", p.buffers), a("inputs", p.inputs);
    a("outputs", p.outputs), a("pools", p.pools), a("placements", p.placements), a("unplaced", p.unplaced);
}

template <typename T, typename A>
concept HasFields = requires(A& archive, T& value) { fields(archive, value); };

class Writer {
public:
    template <typename T> void operator()(const char* key, T& value) { m_json[key] = toValue(value); }
    Json take() { return std::move(m_json); }

private:
    template <typename T> static Json toValue(T& value) {
        if constexpr (std::is_enum_v<T>) {
            return int(value);
        } else if constexpr (HasFields<T, Writer>) {
            Writer writer;
            fields(writer, value);
            return writer.take();
        } else {
            return value;
        }
    }
    template <typename Tag> static Json toValue(Handle<Tag>& handle) { return handle.index; }
    template <typename T> static Json toValue(std::optional<T>& value) { return value ? toValue(*value) : Json(); }
    template <typename T> static Json toValue(std::vector<T>& values) {
        Json array = Json::array();
        for (T& value : values)
            array.push_back(toValue(value));
        return array;
    }
    template <typename... T> static Json toValue(std::variant<T...>& value) {
        Json result;
        result["which"] = int(value.index());
        std::visit(
            [&](auto& held) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
                    result["value"] = toValue(held);
            },
            value);
        return result;
    }
    static Json toValue(ir::Attributes& attributes) {
        Json object = Json::object();
        for (auto& [key, value] : attributes)
            object[key] = toValue(value);
        return object;
    }

    Json m_json = Json::object();
};

class Reader {
public:
    explicit Reader(const Json& json) : m_json(json) {}
    template <typename T> void operator()(const char* key, T& value) { fromValue(m_json.at(key), value); }

private:
    /// A whole number that T can hold; a fraction or a larger one would be cut by the library without a word.
    template <typename T> static T whole(const Json& json) {
        if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>()))
            return T(json.get<std::uint64_t>());
        if (json.is_number_integer() && !json.is_number_unsigned() && std::in_range<T>(json.get<std::int64_t>()))
            return T(json.get<std::int64_t>());
        throw std::out_of_range("not a whole number, or too large");
    }
    template <typename T> static constexpr bool isWhole = std::is_integral_v<T> && !std::is_same_v<T, bool>;

    template <typename T> static void fromValue(const Json& json, T& value) {
        if constexpr (std::is_enum_v<T>) {
            const int number = whole<int>(json);
            if (!Values<T>::contains(number))
                throw std::out_of_range("unknown value " + std::to_string(number));
            value = T(number);
        } else if constexpr (isWhole<T>) {
            value = whole<T>(json);
        } else if constexpr (HasFields<T, Reader>) {
            Reader reader(json);
            fields(reader, value);
        } else {
            json.get_to(value);
        }
    }
    template <typename Tag> static void fromValue(const Json& json, Handle<Tag>& handle) { handle.index = whole<int>(json); }
    template <typename T> static void fromValue(const Json& json, std::optional<T>& value) {
        value.reset();
        if (!json.is_null())
            fromValue(json, value.emplace());
    }
    template <typename T> static void fromValue(const Json& json, std::vector<T>& values) {
        values.clear();
        for (const Json& item : json)
            fromValue(item, values.emplace_back());
    }
    template <typename... T> static void fromValue(const Json& json, std::variant<T...>& value) {
        const std::size_t which = whole<std::size_t>(json.at("which"));
        std::size_t index = 0;
        const bool found = ((index++ == which ? (takeAlternative<T>(json, value), true) : false) || ...);
        if (!found)
            throw std::out_of_range("unknown alternative");
    }
    template <typename T, typename Variant> static void takeAlternative(const Json& json, Variant& value) {
        T held{};
        if constexpr (!std::is_same_v<T, std::monostate>)
            fromValue(json.at("value"), held);
        value = std::move(held);
    }
    static void fromValue(const Json& json, ir::Attributes& attributes) {
        attributes.clear();
        for (const auto& [key, value] : json.items())
            fromValue(value, attributes[key]);
    }

    const Json& m_json;
};

bool validHandles(const Program& program) {
    const auto buffer = [&](BufferId id) { return id.index < int(program.buffers.size()); };
    for (const Epoch& epoch : program.epochs) {
        if (const HardwareWork* work = epoch.hardware())
            for (const Unit& unit : work->units)
                if (const auto* engine = std::get_if<StreamEngineConfig>(&unit.config); engine && (!engine->buffer.isValid() || !buffer(engine->buffer)))
                    return false;
        if (const SoftwareWork* work = epoch.software()) {
            for (const TensorView& view : work->inputs)
                if (!buffer(view.buffer))
                    return false;
            for (const TensorView& view : work->outputs)
                if (!buffer(view.buffer))
                    return false;
        }
    }
    for (const auto& placement : program.placements)
        if (placement && (placement->pool.index < 0 || placement->pool.index >= int(program.pools.size())))
            return false;
    return program.placements.empty() || program.placements.size() == program.buffers.size();
}

} // namespace

std::string toJson(const Program& program) {
    Program copy = program;
    for (Buffer& buffer : copy.buffers)
        buffer.contents.reset();
    Writer writer;
    fields(writer, copy);
    Json json;
    json["poolwright_program"] = formatVersion;
    json.update(writer.take());
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; // names need not be UTF-8
}

Result<Program> fromJson(const std::string& text, const std::string& path) {
    const auto broken = [&](const std::string& why) {
        return fail(makeError("PW4101", "not a compiled program: " + why, {path, 0, 0, {}}, "compile the model again"));
    };
    try {
        const Json json = Json::parse(text);
        if (!json.is_object() || json.value("poolwright_program", 0) != formatVersion)
            return broken("the format version is missing or unknown");
        Program program;
        Reader reader(json);
        fields(reader, program);
        if (!validHandles(program))
            return broken("a buffer or pool that does not exist is used");
        return program;
    } catch (const std::exception& error) {
        return broken(error.what());
    }
}

} // namespace poolwright::program
