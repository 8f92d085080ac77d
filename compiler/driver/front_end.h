// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

/// What can be done with a model before it is compiled.
namespace poolwright::driver {

/// A model in the vendor's dialect: `NAME_OE_3_3_1.onnx` and `NAME_OE_3_3_1_Q.json`, names and contents.
struct TranslatedModel {
    std::string onnxName, onnx, quantisationName, quantisation;
};

/// Import, passes, and import::exportModel; `diagnostics` takes what they say. Operators without quantisation stay
/// float. `quantisation` may be empty: then <stem>_Q.json beside the model is taken when it is there.
Result<TranslatedModel> translate(const std::filesystem::path& model, const std::filesystem::path& quantisation,
                                  Diagnostics& diagnostics);

/// True for names such as `net_OE_3_3_1.onnx`: what the vendor's front end and translate() write.
bool isTranslated(const std::filesystem::path& model);

} // namespace poolwright::driver
