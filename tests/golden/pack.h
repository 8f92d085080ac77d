// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/reference.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The packs that make_ops.py writes: models with their inputs and what ONNX Runtime answered (README.md has the
/// format).
namespace poolwright::golden {

struct NamedValue {
    std::string name;
    std::string source;     ///< of a QuantizeLinear's output in a whole model: the tensor that it quantises
    reference::Value value; ///< without quantisation: the file's numbers as they are
};

struct Case {
    std::string name; ///< "resize/linear_half_pixel_up2_opset13_qdq"
    std::string op, domain;
    int opset = 0;
    bool alone = true; ///< no other operator stands behind it
    std::string model; ///< bytes of the .onnx file
    std::vector<NamedValue> inputs, outputs;
};

/// The cases of one pack in their order; empty when the file is absent or damaged.
std::vector<Case> readPack(const std::filesystem::path& path);

/// The cases of all packs of a folder, packs by name.
std::vector<Case> readPacks(const std::filesystem::path& folder);

/// A tensor of a whole model: every `stride`-th of its values, and the checksum of all.
struct SampledTensor {
    std::string name, source;
    ir::ElementType type;
    ir::Shape shape;
    std::uint32_t crc32 = 0;
    std::int64_t stride = 1;
    std::vector<double> values;
};

struct SampledModel {
    std::string file;    ///< below the folder of models
    std::string refused; ///< by ONNX Runtime; then there is no tensor
    std::vector<SampledTensor> outputs, tensors;
};

/// What make_models.py recorded.
std::vector<SampledModel> readModels(const std::filesystem::path& path);

/// By how many steps ONNX Runtime's value differs from the interpreter's, both on the same inputs.
struct Correction {
    std::int64_t index; ///< row-major
    int by;
};
using Corrections = std::map<std::string, std::vector<Correction>>; ///< of a model, by tensor

/// By the model's file; empty when the file is absent or damaged.
std::map<std::string, Corrections> readCorrections(const std::filesystem::path& path);
bool writeCorrections(const std::filesystem::path& path, const std::map<std::string, Corrections>& corrections);

/// A case that cannot pass, where, and the reason.
struct Difference {
    enum class Stage {
        Import,    ///< the front end refuses the model
        Reference, ///< the interpreter's values are not those of ONNX Runtime
        Compile,   ///< the compiler refuses the graph
        Emulation, ///< an epoch's values are beyond the tolerance of its kind
        Graph,     ///< the model file and what we run mean different things: nodes are not compared
    };
    std::string pattern; ///< of case names; * stands for any text
    Stage stage;
    std::string reason;
};

/// Lines "pattern | stage | reason"; # starts a comment.
std::vector<Difference> readDifferences(const std::filesystem::path& path);

const Difference* differenceOf(const std::vector<Difference>& differences, const std::string& name,
                               Difference::Stage stage);

} // namespace poolwright::golden
