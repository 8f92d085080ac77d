// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

namespace poolwright::import {

OperatorReader readerOf(const std::string& opType) {
    static const std::map<std::string, OperatorReader> readers = {
        {"Add", readAdd},
        {"AveragePool", readAveragePool},
        {"BatchNormalization", readBatchNormalization},
        {"Clip", readClip},
        {"Concat", readConcat},
        {"Constant", readConstant},
        {"Conv", readConv},
        {"DepthToSpace", readDepthToSpace},
        {"DequantizeLinear", readDequantizeLinear},
        {"Div", readDiv},
        {"Dropout", readIdentity},
        {"Expand", readExpand},
        {"Flatten", readFlatten},
        {"Gather", readGather},
        {"Gemm", readGemm},
        {"GlobalAveragePool", readGlobalAveragePool},
        {"GlobalMaxPool", readGlobalMaxPool},
        {"HardSigmoid", readHardSigmoid},
        {"HardSwish", readHardSwish},
        {"Identity", readIdentity},
        {"MatMul", readMatMul},
        {"MaxPool", readMaxPool},
        {"Mul", readMul},
        {"Neg", readNeg},
        {"Pad", readPad},
        {"QuantizeLinear", readQuantizeLinear},
        {"ReduceMean", readReduceMean},
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
    const auto found = readers.find(opType);
    return found == readers.end() ? nullptr : found->second;
}

} // namespace poolwright::import
