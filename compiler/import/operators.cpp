// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include <set>

namespace poolwright::import {
namespace {

using Readers = std::map<std::string, OperatorReader>;

const Readers& standardReaders() {
    static const Readers readers = {
        {"Add", readAdd},
        {"AveragePool", readAveragePool},
        {"BatchNormalization", readBatchNormalization},
        {"Clip", readClip},
        {"Concat", readConcat},
        {"Constant", readConstant},
        {"Conv", readConv},
        {"ConvInteger", readConvInteger},
        {"ConvTranspose", readConvTranspose},
        {"DepthToSpace", readDepthToSpace},
        {"DequantizeLinear", readDequantizeLinear},
        {"Div", readDiv},
        {"Dropout", readIdentity},
        {"DynamicQuantizeLinear", readDynamicQuantizeLinear},
        {"Expand", readExpand},
        {"Flatten", readFlatten},
        {"Gather", readGather},
        {"Gemm", readGemm},
        {"GlobalAveragePool", readGlobalAveragePool},
        {"GlobalLpPool", readLpPool},
        {"GlobalMaxPool", readGlobalMaxPool},
        {"HardSigmoid", readHardSigmoid},
        {"HardSwish", readHardSwish},
        {"Identity", readIdentity},
        {"LpPool", readLpPool},
        {"MatMul", readMatMul},
        {"MatMulInteger", readMatMulInteger},
        {"MaxPool", readMaxPool},
        {"Mul", readMul},
        {"Neg", readNeg},
        {"Pad", readPad},
        {"QuantizeLinear", readQuantizeLinear},
        {"ReduceMean", readReduceMean},
        {"QLinearConv", readQLinearConv},
        {"QLinearMatMul", readQLinearMatMul},
        {"Relu", readRelu},
        {"Reshape", readReshape},
        {"Resize", readResize},
        {"Sigmoid", readSigmoid},
        {"Slice", readSlice},
        {"Softmax", readSoftmax},
        {"SpaceToDepth", readSpaceToDepth},
        {"Split", readSplit},
        {"Squeeze", readSqueeze},
        {"Sub", readSub},
        {"Tanh", readTanh},
        {"Tile", readTile},
        {"Transpose", readTranspose},
        {"Unsqueeze", readUnsqueeze},
        {"Upsample", readResize},
    };
    return readers;
}

const Readers& microsoftReaders() {
    static const Readers readers = {
        {"DequantizeLinear", readDequantizeLinear}, {"QGemm", readQGemm},
        {"QLinearAdd", readQLinearBinary},          {"QLinearAveragePool", readQLinearUnary},
        {"QLinearConcat", readQLinearConcat},       {"QLinearGlobalAveragePool", readQLinearUnary},
        {"QLinearLeakyRelu", readQLinearUnary},     {"QLinearMul", readQLinearBinary},
        {"QLinearReduceMean", readQLinearUnary},    {"QLinearSigmoid", readQLinearUnary},
        {"QLinearSoftmax", readQLinearUnary},       {"QuantizeLinear", readQuantizeLinear},
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
