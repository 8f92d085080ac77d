// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

namespace poolwright::test {

/// A model in ONNX's text form: opset, inputs "float[1,2] x, ...", body with the output y (its declared type is never
/// read). For tests that link onnx.
inline std::string modelBytes(int opset, const QString& inputs, const QString& body) {
    const QString text = QString("<ir_version: 8, opset_import: [\"\" : %1]>\ng (%2) => (float y) {\n%3\n}")
                             .arg(opset)
                             .arg(inputs, body);
    onnx::ModelProto model;
    const std::string bytes = text.toStdString();
    onnx::OnnxParser parser(bytes.c_str());
    const auto status = parser.Parse(model);
    if (!status.IsOK())
        qFatal("the test's own model is wrong: %s\n%s", status.ErrorMessage().c_str(), bytes.c_str());
    return model.SerializeAsString();
}

} // namespace poolwright::test
