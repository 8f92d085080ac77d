// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include <set>

namespace poolwright::import {
namespace {

using Readers = std::map<std::string, OperatorReader>;

const Readers& standardReaders() {
    static const Readers readers = {
        {"Abs", readUnary},
        {"Acos", readUnary},
        {"Acosh", readUnary},
        {"Add", readBinary},
        {"And", readLogic},
        {"ArgMax", readArgExtremum},
        {"ArgMin", readArgExtremum},
        {"Asin", readUnary},
        {"Asinh", readUnary},
        {"Atan", readUnary},
        {"Atanh", readUnary},
        {"AveragePool", readAveragePool},
        {"BatchNormalization", readBatchNormalization},
        {"Cast", readCast},
        {"Ceil", readUnary},
        {"Celu", readUnary},
        {"Clip", readClip},
        {"Concat", readConcat},
        {"Constant", readConstant},
        {"Conv", readConv},
        {"ConvInteger", readConvInteger},
        {"ConvTranspose", readConvTranspose},
        {"Cos", readUnary},
        {"Cosh", readUnary},
        {"DepthToSpace", readDepthToSpace},
        {"DequantizeLinear", readDequantizeLinear},
        {"Div", readDiv},
        {"Dropout", readIdentity},
        {"DynamicQuantizeLinear", readDynamicQuantizeLinear},
        {"Elu", readUnary},
        {"Equal", readComparison},
        {"Erf", readUnary},
        {"Exp", readUnary},
        {"Expand", readExpand},
        {"Flatten", readFlatten},
        {"Floor", readUnary},
        {"Gather", readGather},
        {"Gelu", readGelu},
        {"Gemm", readGemm},
        {"GlobalAveragePool", readGlobalAveragePool},
        {"GlobalLpPool", readLpPool},
        {"GlobalMaxPool", readGlobalMaxPool},
        {"Greater", readComparison},
        {"GreaterOrEqual", readComparison},
        {"GroupNormalization", readGroupNormalization},
        {"HardSigmoid", readUnary},
        {"HardSwish", readUnary},
        {"Hardmax", readSoftmax},
        {"Identity", readIdentity},
        {"InstanceNormalization", readInstanceNormalization},
        {"LRN", readLRN},
        {"LayerNormalization", readLayerNormalization},
        {"LeakyRelu", readUnary},
        {"Less", readComparison},
        {"LessOrEqual", readComparison},
        {"Log", readUnary},
        {"LogSoftmax", readSoftmax},
        {"LpNormalization", readLpNormalization},
        {"LpPool", readLpPool},
        {"MatMul", readMatMul},
        {"MatMulInteger", readMatMulInteger},
        {"Max", readVariadic},
        {"MaxPool", readMaxPool},
        {"Mean", readMean},
        {"MeanVarianceNormalization", readMeanVarianceNormalization},
        {"Min", readVariadic},
        {"Mish", readMish},
        {"Mod", readMod},
        {"Mul", readBinary},
        {"Neg", readNeg},
        {"Not", readNot},
        {"Or", readLogic},
        {"PRelu", readPRelu},
        {"Pad", readPad},
        {"Pow", readPow},
        {"QLinearConv", readQLinearConv},
        {"QLinearMatMul", readQLinearMatMul},
        {"QuantizeLinear", readQuantizeLinear},
        {"Reciprocal", readUnary},
        {"ReduceL1", readReduction},
        {"ReduceL2", readReduction},
        {"ReduceLogSum", readReduction},
        {"ReduceLogSumExp", readReduction},
        {"ReduceMax", readReduction},
        {"ReduceMean", readReduction},
        {"ReduceMin", readReduction},
        {"ReduceProd", readReduction},
        {"ReduceSum", readReduction},
        {"ReduceSumSquare", readReduction},
        {"Relu", readUnary},
        {"Reshape", readReshape},
        {"Resize", readResize},
        {"Round", readUnary},
        {"Selu", readUnary},
        {"Sigmoid", readUnary},
        {"Sign", readUnary},
        {"Sin", readUnary},
        {"Sinh", readUnary},
        {"Slice", readSlice},
        {"Softmax", readSoftmax},
        {"Softplus", readUnary},
        {"Softsign", readUnary},
        {"SpaceToDepth", readSpaceToDepth},
        {"Split", readSplit},
        {"Sqrt", readUnary},
        {"Squeeze", readSqueeze},
        {"Sub", readBinary},
        {"Sum", readVariadic},
        {"Tan", readUnary},
        {"Tanh", readUnary},
        {"ThresholdedRelu", readUnary},
        {"Tile", readTile},
        {"Transpose", readTranspose},
        {"Unsqueeze", readUnsqueeze},
        {"Upsample", readResize},
        {"Where", readWhere},
        {"Xor", readLogic},
    };
    return readers;
}

const Readers& microsoftReaders() {
    static const Readers readers = {
        {"BiasGelu", readBiasedGelu},
        {"DequantizeLinear", readDequantizeLinear},
        {"FastGelu", readBiasedGelu},
        {"FusedMatMul", readFusedMatMul},
        {"Gelu", readGelu},
        {"QGemm", readQGemm},
        {"QLinearAdd", readQLinearBinary},
        {"QLinearAveragePool", readQLinearUnary},
        {"QLinearConcat", readQLinearConcat},
        {"QLinearGlobalAveragePool", readQLinearUnary},
        {"QLinearLeakyRelu", readQLinearUnary},
        {"QLinearMul", readQLinearBinary},
        {"QLinearReduceMean", readQLinearUnary},
        {"QLinearSigmoid", readQLinearUnary},
        {"QLinearSoftmax", readQLinearUnary},
        {"QuantizeLinear", readQuantizeLinear},
        {"QuickGelu", readQuickGelu},
    };
    return readers;
}

const Readers& mctReaders() {
    static const Readers readers = {
        {"ActivationPOTQuantizer", readMctActivation},     {"ActivationSymmetricQuantizer", readMctActivation},
        {"ActivationUniformQuantizer", readMctActivation}, {"WeightsPOTQuantizer", readMctWeights},
        {"WeightsSymmetricQuantizer", readMctWeights},     {"WeightsUniformQuantizer", readMctWeights},
    };
    return readers;
}

/// The default domain has two names.
const std::map<std::string, const Readers*>& readersByDomain() {
    static const std::map<std::string, const Readers*> domains = {
        {"", &standardReaders()},
        {"com.microsoft", &microsoftReaders()},
        {"mct_quantizers", &mctReaders()},
    };
    return domains;
}

} // namespace

OperatorReader readerOf(const std::string& domain, const std::string& opType) {
    const auto& domains = readersByDomain();
    const auto readers = domains.find(domain == "ai.onnx" ? "" : domain);
    if (readers == domains.end())
        return nullptr;
    const auto found = readers->second->find(opType);
    return found == readers->second->end() ? nullptr : found->second;
}

std::vector<std::pair<std::string, std::string>> readableOperators() {
    std::set<std::pair<std::string, std::string>> names;
    for (const auto& [domain, readers] : readersByDomain())
        for (const auto& reader : *readers)
            names.emplace(domain, reader.first);
    for (const char* folded : foldableOperators())
        names.emplace("", folded);
    return {names.begin(), names.end()};
}

} // namespace poolwright::import
