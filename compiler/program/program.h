// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/handle.h"
#include "base/units.h"
#include "ir/graph.h"
#include "mpool/pool.h"
#include "target/machine.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The fully decided network: what every unit does in every epoch, on which buffers, and (once placed) where these lie.
/// All addresses in unit settings are a buffer and an offset; so everything but `placements` is the same for every pool file.
namespace poolwright::program {

// ---- units (fields and arithmetic: facts/neural-art-target.md section 2; names follow the ll_aton structures) -------------------------

enum class Direction { FromMemory, ToMemory };

/// STRENG, section 2.1. Frame i starts at offsetStart + (i / L) * loopOffset + (i mod L) * frameOffset for L = frameLoopCount > 0, else at
/// offsetStart + i * frameOffset. A raw frame is offsetEnd - offsetStart bytes of packed words. A raster frame is fheight x fwidth x
/// batchDepth words, word (y, x, c) at y * lineOffset + x * batchOffset + c * ceil(memory bits / 8).
struct StreamEngineConfig {
    Direction direction = Direction::FromMemory;
    bool raw = false;
    bool rawOut = false;        ///< from memory: deliver packed words though the engine walks a raster (deep-mode features)
    bool continuous = false;
    bool alignRight = false;    ///< element in the low bits; sign-extended unless bitsUnsigned
    bool bitsUnsigned = false;
    int syncEngine = -1;        ///< index of the output engine whose frame end starts a frame here (partial accumulators)
    bool cacheable = false;
    bool cacheAllocate = false;
    BufferId buffer;
    std::int64_t offsetStart = 0, offsetEnd = 0;
    std::int64_t frameOffset = 0, loopOffset = 0;
    std::int64_t frameLoopCount = 0, frameTotal = 1;
    std::int64_t fwidth = 0, fheight = 0, batchDepth = 0;
    std::int64_t batchOffset = 0; ///< bytes between pixels; may be 0 or negative-free arbitrary: 0 re-reads one pixel
    std::int64_t lineOffset = 0;  ///< bytes between lines; always explicit here (emit writes 0 where it equals fwidth * batchOffset)
    int bitsIn = 8, bitsOut = 8;  ///< FromMemory: bitsIn in memory, bitsOut on the stream; ToMemory: bitsIn on the stream, bitsOut in memory
    std::string tensor;           ///< for comments and the dot file
    std::string comment;
};

/// CONV_ACC, section 2.3. simd: 0 = 16x16, 1 = 8x8, 2 = 16-bit features with 8-bit kernels. Port 0 features, 1 kernels, 2 accumulator.
struct ConvConfig {
    int simd = 1;
    int inbytesF = 1;
    bool fUnsigned = false, kUnsigned = false;
    int fsub = 0;
    int zfbias = 0;
    bool deepmode = false;
    int kseten = 0;
    bool accumulate = false;       ///< add the stream of port 2 (shifted left by shiftA)
    bool accumulateFirst = true;   ///< false: no sum for the very first frame
    bool accumulateGenFirst = false;
    int afiltTotal = 0, afiltFirst = 0, afiltLast = 0; ///< FRAMEZERO filter when total > 0: frames outside [first, last] of every total start from zero
    int kfiltTotal = 0, kfiltFirst = 0, kfiltLast = 0; ///< of every kfiltTotal kernels of the shared kernel stream this unit uses [first, last]
    int shiftF = 0, shiftA = 0, shiftO = 0;
    bool roundingO = false, saturationO = false;
    int roundModeO = 1;
    int outbytesO = 2;
    bool rawO = false;             ///< raw 24-bit output to another CONV_ACC or to partial sums
    int fWidth = 0, fHeight = 0, batchDepth = 0;
    int kernelWidth = 1, kernelHeight = 1, nKernels = 1;
    int hstride = 1, vstride = 1;
    int leftPadding = 0, rightPadding = 0, topPadding = 0, botPadding = 0;
    int leftCrop = 0, rightCrop = 0, topCrop = 0, botCrop = 0; ///< first and last kept column/row; rightCrop = fWidth - 1 keeps all
};

enum class ArithOperation { Affine = 1, Min, Max, Mul, And, Or, Not, Xor, Eq, Lt, Le, Gt, Ge, Abs, Sign, Clip };
enum class ArithBroadcast { None, Channel, Height, Width, HeightWidth, Scalar };

/// ARITH_ACC, section 2.5: (A*x >> axShift) + (B*y >> byShift) + (C << cShift), then the output stage. combinebc: C is 32 bits, no y.
struct ArithConfig {
    ArithOperation operation = ArithOperation::Affine;
    int inbytesX = 2, inbytesY = 2, outbytesX = 2, outbytesY = 2;
    bool scalar = true;            ///< A, B, C are scalars; false: the vectors are used where they are not empty
    bool dualinput = false;
    bool combinebc = false;
    ArithBroadcast broadcast = ArithBroadcast::None;
    int axShift = 0, byShift = 0, cShift = 0, shiftO = 0;
    bool roundingO = false, saturationO = false;
    int roundModeO = 1;
    int outbytesO = 2;
    std::int32_t aScalar = 0, bScalar = 0;
    std::int64_t cScalar = 0;      ///< 32 bits when combinebc, else 16
    BufferId aVector, bVector, cVector; ///< constant buffers; little-endian words of vecBits
    std::int64_t aOffset = 0, bOffset = 0, cOffset = 0;
    int vecCount = 0;              ///< entries of each vector, at most 512
    int vecBits[3] = {16, 16, 32};
    bool clipout = false;
    int clipmin = 0, clipmax = 0;
    int fWidth = 1, fHeight = 1, fChannels = 1, batchDepth = 1; ///< geometry for the coefficient index (2.5.2)
};

enum class PoolOperation { Max = 1, Min, Avg, GlobalMax, GlobalMin, GlobalAvg };

/// POOL_ACC, section 2.4. Averages: sum * mulval, then the output stage.
struct PoolConfig {
    PoolOperation operation = PoolOperation::Max;
    int inputX = 0, inputY = 0, outputX = 0, outputY = 0;
    int windowX = 0, windowY = 0, strideX = 1, strideY = 1;
    int leftPad = 0, rightPad = 0, topPad = 0, bottomPad = 0;
    int leftCrop = 0, rightCrop = 0, topCrop = 0, bottomCrop = 0;
    int batchSize = 1;
    int mulval = 0, shiftO = 0;
    bool dualLine = false, avgNoPad = false;
    int inbytesF = 1, outbytesF = 1, outbytesO = 1;
    bool roundingO = false, saturationO = false;
    int roundModeO = 1;
};

enum class ActivOperation { Relu = 1, PRelu, TRelu, Function, Lut };

/// ACTIV_ACC, section 2.6.
struct ActivConfig {
    ActivOperation operation = ActivOperation::Function;
    int parameter = 0, parameter2 = 0;
    bool signedop = true;
    int bwidth = 5;
    std::vector<std::uint8_t> rom0;
    std::vector<std::int16_t> rom1; ///< rows of A, B, C
    int shiftB = 0, shiftC = 0, shiftO = 0, shiftNorm = 8;
    int inbytesF = 1, outbytesO = 1;
    bool roundingO = true, saturationO = true;
    int roundModeO = 1;
};

using UnitConfig = std::variant<StreamEngineConfig, ConvConfig, ArithConfig, PoolConfig, ActivConfig>;

struct Unit {
    target::UnitKind kind = target::UnitKind::StreamEngine;
    int index = 0;         ///< within its kind
    UnitConfig config;
    std::string node;      ///< "Conv2D_3_mul_scale_12"; unique in its epoch
    std::string opKind;    ///< "Conv", "Mul", ...: what the vendor prints as kind=
};

/// A connection through the switch. Of every (dropFrames + passFrames) frames the first dropFrames are dropped (section 2.2);
/// passFrames 0 passes everything.
struct Link {
    int from = 0, to = 0;  ///< indices into HardwareWork::units
    int port = 0;          ///< input port of `to`
    int dropFrames = 0, passFrames = 0;
};

struct HardwareWork {
    std::vector<Unit> units; ///< input engines first, then computing units in stream order, then output engines
    std::vector<Link> links;
};

// ---- software ------------------------------------------------------------------------------------------------------------------------

/// A tensor in memory: element (i0, i1, ...) lies at offset + sum(i_k * strides_k) of the buffer.
struct TensorView {
    std::string name;
    BufferId buffer;
    std::int64_t offset = 0;
    ir::ElementType type = ir::ElementType::Int8;
    ir::Shape shape;                    ///< ONNX order
    std::vector<std::int64_t> strides;  ///< bytes, one for each dimension of `shape`
    std::optional<ir::Quantisation> quantisation;
};

/// One call of a software kernel on the CPU: the operator's reference meaning on views. An input that is absent has an invalid buffer.
struct SoftwareWork {
    ir::OpKind kind = ir::OpKind::Identity;
    ir::Attributes attributes;
    std::vector<TensorView> inputs, outputs;
    bool isFloat = false;
    std::string function; ///< "ll_sw_forward_softmax", for network.c
};

// ---- epochs and buffers ---------------------------------------------------------------------------------------------------------------

enum class EpochKind {
    None,     ///< epoch 0 (constants) and the last one (return): nothing runs
    Hardware,
    Software,
    Hybrid
};

/// An operator of the graph that an epoch carries out, whole or in part.
struct OperatorRef {
    NodeId node;
    std::string name;
    std::string kind;     ///< ONNX spelling
    std::vector<std::string> originalNames;
    std::int64_t macs = 0; ///< true multiply-accumulates of the operator (not the inflated ones), this epoch's share
};

struct Epoch {
    EpochKind kind = EpochKind::None;
    std::string name;               ///< "Conv2D_3 + Relu_6"
    std::vector<OperatorRef> operators;
    std::variant<std::monostate, HardwareWork, SoftwareWork> work;
    std::string reason;             ///< software and hybrid: operator, rule and a rewrite. Hardware: empty

    const HardwareWork* hardware() const { return std::get_if<HardwareWork>(&work); }
    const SoftwareWork* software() const { return std::get_if<SoftwareWork>(&work); }
};

enum class BufferKind { Constant, Activation, Scratch, Input, Output };

struct Buffer {
    std::string name;
    ByteCount size;
    std::int64_t alignment = 16;
    BufferKind kind = BufferKind::Activation;
    EpochRange live;                ///< ordinals in Program::epochs; constants: [0, last]
    ir::ConstantData contents;      ///< constants: exactly `size` bytes
    bool usedByCpu = false;         ///< read or written by software or by the application
    bool userAllocated = false;     ///< --no-inputs-allocation, --no-outputs-allocation: gets no place
    std::vector<TensorView> tensors;///< what lies in it (a concatenation buffer carries several)
};

struct Placement {
    PoolId pool;                    ///< index into Program::pools
    Address address;
};

struct UnplacedBuffer {
    BufferId buffer;
    std::string reason;             ///< one sentence
};

struct Program {
    std::string networkName = "Default";
    target::Machine machine;
    std::vector<Epoch> epochs;      ///< the index is the ordinal: 0 constants, then what runs, last the return
    std::vector<Buffer> buffers;
    std::vector<TensorView> inputs, outputs; ///< of the network, in graph order

    // Filled by placement:
    std::vector<mpool::EffectivePool> pools;
    std::vector<std::optional<Placement>> placements; ///< one for each buffer
    std::vector<UnplacedBuffer> unplaced;

    const Buffer& operator[](BufferId id) const { return buffers[std::size_t(id.index)]; }
    const Epoch& operator[](EpochId id) const { return epochs[std::size_t(id.index)]; }
    int lastEpoch() const { return int(epochs.size()) - 1; }
};

// ---- what moves ----------------------------------------------------------------------------------------------------------------------

/// Bytes that one engine or software operand moves in one epoch.
struct Transfer {
    BufferId buffer;
    bool write = false;
    std::int64_t bytes = 0;         ///< all frames
    std::int64_t words = 0;         ///< stream words (elements of up to 24 bits)
    int wordBytes = 1;
    std::int64_t contiguousBytes = 0; ///< bytes that lie together in one access run; small runs waste the bus (cost-model.md 1.3)
    bool cachedReRead = false;      ///< through the NPU cache, same bytes read again and again
    int streamEngine = -1;          ///< index, or -1 for software
};
std::vector<Transfer> transfersOf(const Program& program, EpochId epoch);

/// Number of stream words of one frame.
std::int64_t wordsPerFrame(const StreamEngineConfig& engine);

/// Bits of one word in memory (not on the stream), and the whole bytes that it takes there in a raster.
int memoryBits(const StreamEngineConfig& engine);
std::int64_t bytesPerWord(const StreamEngineConfig& engine);

/// Where frame `frame` starts in the buffer.
std::int64_t frameOffsetOf(const StreamEngineConfig& engine, std::int64_t frame);

/// Half-open range of byte offsets in a buffer.
struct ByteSpan {
    std::int64_t first = 0, end = 0;
    bool operator==(const ByteSpan&) const = default;
};
/// From the lowest to the highest byte that all frames of an engine, or all elements of a view, touch.
ByteSpan spanOf(const StreamEngineConfig& engine);
ByteSpan spanOf(const TensorView& view);

/// Calls `use` for every buffer that the epoch touches, once for each engine, coefficient vector and software operand.
void forEachUse(const Epoch& epoch, const std::function<void(BufferId buffer, bool write)>& use);

/// Design invariants 1 and 2, unit counts, index uniqueness, link targets, stream ranges inside their buffers. Empty when all is well.
/// A program without placements is checked as far as it is decided. Findings have the codes PW35xx and name epoch and unit.
Diagnostics verify(const Program& program);

} // namespace poolwright::program
