// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace poolwright::import {

/// The `_Q.json` beside an OE model (facts/file-formats.md section 6.2).
struct QuantisationFile {
    struct Entry {
        bool isInteger = false; ///< class "integer"; false: "float32"
        ir::ElementType type = ir::ElementType::Float32;
        ir::Quantisation parameters; ///< set when isInteger
    };
    std::string path;
    std::string modelName, signature; ///< of the ONNX file that it was written for: name, "0x" and its MD5; may be empty
    std::map<std::string, Entry> tensors;
    std::map<std::string, std::vector<std::string>> originalNames; ///< node -> nodes of the user's model
    std::vector<std::string> originalInputs, originalOutputs;      ///< names in the user's model, in graph order
};

/// One error for each bad entry, naming it; an unknown version or type is an error too, so that no tensor falls back to
/// float unseen.
Result<QuantisationFile> readQuantisation(const std::filesystem::path& path);
Result<QuantisationFile> parseQuantisation(const std::string& text, const std::string& path);

/// The integers behind a float initialiser: round(value / scale) + zero point. Throws Failure when values are off the
/// grid (more than 1 % of a step) or outside the type.
ir::Tensor recoverIntegers(const ir::Tensor& tensor, const QuantisationFile::Entry& entry);

} // namespace poolwright::import
