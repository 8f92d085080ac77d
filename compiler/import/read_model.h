// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace onnx {
class ModelProto;
}

namespace poolwright::import {

/// The bytes of a file, or an error (PW2001) that names it.
Result<std::string> readBytes(const std::filesystem::path& path);

/// Parses without ONNX's own checker, which refuses files that are fine (facts/onnx-1.12-loading.md). Fails with a
/// message that says what the file is when it is no model: an HTML page, a git-lfs pointer, a .tflite, an archive.
Result<void> parseModel(const std::string& bytes, const std::string& name, onnx::ModelProto& model);

} // namespace poolwright::import
