// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "import/quantisation_file.h"

#include <string>

namespace onnx {
class GraphProto;
}

namespace poolwright::import {

/// Whether a `_Q.json` was written for this model. Errors: PW2025 when most of its tensors are not in the model, or it
/// names another file and the MD5 of another one; PW2026 for each tensor that the model does not have. A model of the
/// right name with other bytes is a warning (PW2027). `bytes` are those of the ONNX file, `path` its name for messages.
Diagnostics checkBelongs(const QuantisationFile& file, const onnx::GraphProto& graph, const std::string& bytes,
                         const std::string& path);

} // namespace poolwright::import
