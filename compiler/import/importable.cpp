// SPDX-License-Identifier: Apache-2.0
#include "import/importable.h"

#include "import/operators.h"
#include "ir/kinds.h"

#include <algorithm>

namespace poolwright::import {
namespace {

using ir::OpKind;

struct OpsetRange {
    int first, last;
};

/// Operators of the default domain that came after opset 7 or went before 21 (ONNX operator changelog).
const std::map<std::string, OpsetRange>& opsetRanges() {
    static const std::map<std::string, OpsetRange> ranges = {
        {"Acosh", {9, 21}},
        {"Asinh", {9, 21}},
        {"Atanh", {9, 21}},
        {"Celu", {12, 21}},
        {"ConstantOfShape", {9, 21}},
        {"ConvInteger", {10, 21}},
        {"Cosh", {9, 21}},
        {"DequantizeLinear", {10, 21}},
        {"DynamicQuantizeLinear", {11, 21}},
        {"Erf", {9, 21}},
        {"Expand", {8, 21}},
        {"Gelu", {20, 21}},
        {"GroupNormalization", {18, 21}},
        {"GreaterOrEqual", {12, 21}},
        {"HardSwish", {14, 21}},
        {"LayerNormalization", {17, 21}},
        {"LessOrEqual", {12, 21}},
        {"MatMulInteger", {10, 21}},
        {"MeanVarianceNormalization", {9, 21}},
        {"Mish", {18, 21}},
        {"Mod", {10, 21}},
        {"QLinearConv", {10, 21}},
        {"QLinearMatMul", {10, 21}},
        {"QuantizeLinear", {10, 21}},
        {"Range", {11, 21}},
        {"Resize", {10, 21}},
        {"Round", {11, 21}},
        {"Sign", {9, 21}},
        {"Sinh", {9, 21}},
        {"ThresholdedRelu", {10, 21}},
        {"Upsample", {7, 9}},
        {"Where", {9, 21}},
    };
    return ranges;
}

/// Operators that become other kinds than the one of their name; a QLinear form or one of com.microsoft stands for the
/// standard operator.
const std::map<std::string, std::vector<OpKind>>& otherKinds() {
    static const std::map<std::string, std::vector<OpKind>> kinds = {
        {"ActivationPOTQuantizer", {OpKind::Quantize}},
        {"ActivationSymmetricQuantizer", {OpKind::Quantize}},
        {"ActivationUniformQuantizer", {OpKind::Quantize}},
        {"Constant", {}},
        {"BiasGelu", {OpKind::Gelu}},
        {"Clip", {OpKind::Clip, OpKind::Max, OpKind::Min, OpKind::Identity}},
        {"Cast", {OpKind::Cast, OpKind::Identity}},
        {"ConvInteger", {OpKind::Conv}},
        {"Dropout", {OpKind::Identity}},
        {"DynamicQuantizeLinear",
         {OpKind::Where, OpKind::ReduceMin, OpKind::Min, OpKind::ReduceMax, OpKind::Max, OpKind::Sub, OpKind::Div,
          OpKind::Equal, OpKind::Round, OpKind::Add, OpKind::Clip, OpKind::Cast}},
        {"FastGelu", {OpKind::Gelu}},
        {"Flatten", {OpKind::Reshape}},
        {"FusedMatMul", {OpKind::MatMul, OpKind::Transpose}},
        {"Gemm", {OpKind::Gemm, OpKind::MatMul, OpKind::Transpose}},
        {"GroupNormalization", {OpKind::InstanceNormalization}},
        {"GlobalMaxPool", {OpKind::MaxPool, OpKind::ReduceMax}},
        {"MatMul", {OpKind::Gemm, OpKind::MatMul}},
        {"MeanVarianceNormalization", {OpKind::LayerNormalization, OpKind::Transpose}},
        {"MatMulInteger", {OpKind::Gemm, OpKind::MatMul}},
        {"Mean", {OpKind::Add, OpKind::Div, OpKind::Identity}},
        {"Max", {OpKind::Max, OpKind::Identity}},
        {"Min", {OpKind::Min, OpKind::Identity}},
        {"Mish", {OpKind::Softplus, OpKind::Tanh, OpKind::Mul}},
        {"Neg", {OpKind::Mul, OpKind::Neg}},
        {"Pad", {OpKind::Pad}},
        {"QGemm", {OpKind::Gemm, OpKind::MatMul}},
        {"QLinearGlobalAveragePool", {OpKind::GlobalAveragePool, OpKind::Transpose}},
        {"QLinearMatMul", {OpKind::Gemm, OpKind::MatMul}},
        {"QuickGelu", {OpKind::Swish}},
        {"ReduceMax", {OpKind::ReduceMax, OpKind::MaxPool, OpKind::Identity}},
        {"ReduceMean", {OpKind::GlobalAveragePool, OpKind::ReduceMean, OpKind::Identity}},
        {"Squeeze", {OpKind::Reshape}},
        {"Sum", {OpKind::Add, OpKind::Identity}},
        {"Unsqueeze", {OpKind::Reshape}},
        {"Upsample", {OpKind::Resize}},
    };
    return kinds;
}

/// Readers that know an operator only to refuse it with a better hint.
bool isRefused(const std::string& opType) {
    return opType == "LpPool" || opType == "GlobalLpPool";
}

bool isComposed(const std::string& opType) {
    return opType == "Mean" || opType == "Mish" || opType == "DynamicQuantizeLinear";
}

std::vector<OpKind> kindsOf(const std::string& opType) {
    if (const auto other = otherKinds().find(opType); other != otherKinds().end())
        return other->second;
    const std::string plain = opType.starts_with("QLinear") ? opType.substr(7) : opType;
    const std::optional<OpKind> kind = ir::kindNamed(plain);
    if (!kind)
        return {};
    // A reduction over no axes is nothing.
    return opType.starts_with("Reduce") ? std::vector<OpKind>{*kind, OpKind::Identity} : std::vector<OpKind>{*kind};
}

ImportableOperator describe(const std::string& domain, const std::string& opType) {
    ImportableOperator entry{
        .domain = domain, .opType = opType, .kinds = kindsOf(opType), .isComposed = isComposed(opType)};
    const auto range = domain.empty() ? opsetRanges().find(opType) : opsetRanges().end();
    if (range != opsetRanges().end()) {
        entry.firstOpset = range->second.first;
        entry.lastOpset = range->second.last;
    }
    return entry;
}

} // namespace

std::vector<ImportableOperator> importableOperators() {
    std::vector<ImportableOperator> operators;
    for (const auto& [domain, opType] : readableOperators())
        if (!isRefused(opType))
            operators.push_back(describe(domain, opType));
    return operators;
}

} // namespace poolwright::import
