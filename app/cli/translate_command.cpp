// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "driver/front_end.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace poolwright::cli {

int runTranslate(const Arguments& arguments) {
    CLI::App app("writes a QDQ model as the vendor's pair: NAME_OE_x_y_z.onnx and NAME_OE_x_y_z_Q.json", "translate");
    std::string model, quantisation, folder = ".";
    app.add_option("model", model, "the model as trained, or a pair that was translated before")->required();
    app.add_option("--json-quant-file", quantisation, "quantisation of a pair, where it is not NAME_Q.json beside it");
    app.add_option("--output,-o", folder, "folder of both files");
    if (const auto code = parseArguments(app, arguments))
        return *code;
    Diagnostics diagnostics;
    const Result<driver::TranslatedModel> result = driver::translate(model, quantisation, diagnostics);
    if (!result)
        return failWith(result.error());
    printDiagnostics(diagnostics);
    const std::string prefix = folder + "/";
    if (const auto done = writeFile(prefix + result->onnxName, result->onnx); !done)
        return failWith(done.error());
    if (const auto done = writeFile(prefix + result->quantisationName, result->quantisation); !done)
        return failWith(done.error());
    std::printf("wrote %s and %s\n", result->onnxName.c_str(), result->quantisationName.c_str());
    return Done;
}

} // namespace poolwright::cli
