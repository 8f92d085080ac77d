// SPDX-License-Identifier: Apache-2.0
#include "import/read_model.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace poolwright::import {
namespace {

constexpr std::uintmax_t largestFile = std::uintmax_t(1) << 31; // protobuf's own limit for one message

struct Foreign {
    const char* what;
    const char* hint;
};

bool startsWith(const std::string& bytes, const char* text) {
    return bytes.rfind(text, 0) == 0;
}

bool looksLikeMarkup(const std::string& bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string::npos && bytes[first] == '<';
}

/// Files that are often saved under the name of a model.
std::optional<Foreign> recognise(const std::string& bytes) {
    if (bytes.empty())
        return Foreign{"the file is empty", "download or export the model again"};
    if (looksLikeMarkup(bytes))
        return Foreign{"this is a web page, not a model",
                       "download the raw file; a link to a repository's page saves the page"};
    if (startsWith(bytes, "version https://git-lfs"))
        return Foreign{"this is a git-lfs pointer, not the model itself", "run `git lfs pull` in the repository"};
    if (bytes.size() >= 8 && bytes.compare(4, 4, "TFL3") == 0)
        return Foreign{"this is a TensorFlow Lite model",
                       "convert it to ONNX, or give the OE model and the _Q.json that ST's tool wrote"};
    if (startsWith(bytes, "PK\x03\x04"))
        return Foreign{"this is a zip archive, not an ONNX model", "unpack it, or export the network to ONNX"};
    if (startsWith(bytes, "\x89HDF"))
        return Foreign{"this is a Keras HDF5 model", "convert it to ONNX"};
    return std::nullopt;
}

} // namespace

Result<std::string> readBytes(const std::filesystem::path& path) {
    const SourceLocation where{.path = path.string(), .line = 0, .column = 0, .object = {}};
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error)
        return fail(makeError("PW2001", "cannot read the file: " + error.message(), where));
    if (size >= largestFile)
        return fail(makeError("PW2001", "the file is larger than 2 GiB", where));
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    if (!stream)
        return fail(makeError("PW2001", "cannot read the file", where));
    return std::move(bytes).str();
}

Result<void> parseModel(const std::string& bytes, const std::string& name, onnx::ModelProto& model) {
    const SourceLocation where{.path = name, .line = 0, .column = 0, .object = {}};
    if (const auto foreign = recognise(bytes))
        return fail(makeError("PW2002", foreign->what, where, foreign->hint));
    try {
        if (!model.ParseFromString(bytes))
            return fail(
                makeError("PW2002", "this is not an ONNX model", where, "the file may be cut short; export it again"));
    } catch (const std::exception& error) {
        return fail(makeError("PW2002", std::string("this is not an ONNX model: ") + error.what(), where));
    }
    if (!model.has_graph() || model.graph().node_size() == 0)
        return fail(makeError("PW2002", "the ONNX model has no operators", where, "export it again"));
    return {};
}

} // namespace poolwright::import
