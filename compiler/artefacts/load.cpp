// SPDX-License-Identifier: Apache-2.0
#include "artefacts/load.h"

#include <zlib.h>

#include <fstream>
#include <system_error>

namespace poolwright::artefacts {

namespace {

constexpr std::size_t mostBytes = std::size_t(512) << 20;

tl::unexpected<Diagnostics> tooLarge(const std::string& path) {
    return fail(makeError("PW5004", "the file is larger than 512 MB", {path, 0, 0, {}}));
}

tl::unexpected<Diagnostics> damaged(const std::string& path) {
    return fail(makeError("PW5005", "the gzip data is damaged or cut off", {path, 0, 0, {}}, "fetch the file again"));
}

/// Closes the zlib stream on every way out.
struct Inflater {
    z_stream stream{};
    bool ready = inflateInit2(&stream, 15 + 16) == Z_OK; // + 16: gzip header
    ~Inflater() {
        if (ready)
            inflateEnd(&stream);
    }
};

} // namespace

Result<std::string> unpack(std::string bytes, const std::string& path) {
    if (bytes.size() < 2 || bytes[0] != '\x1f' || bytes[1] != '\x8b')
        return bytes;
    Inflater inflater;
    if (!inflater.ready)
        return damaged(path);
    inflater.stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    inflater.stream.avail_in = uInt(bytes.size());
    std::string text;
    std::string block(std::size_t(1) << 16, '\0');
    for (int status = Z_OK; status != Z_STREAM_END;) {
        inflater.stream.next_out = reinterpret_cast<Bytef*>(block.data());
        inflater.stream.avail_out = uInt(block.size());
        status = inflate(&inflater.stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END)
            return damaged(path);
        text.append(block, 0, block.size() - inflater.stream.avail_out);
        if (text.size() > mostBytes)
            return tooLarge(path);
    }
    return text;
}

Result<std::string> loadFile(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return fail(makeError("PW5003", "this is a folder, not a file", {path.string(), 0, 0, {}}));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(makeError("PW5003", "the file cannot be read", {path.string(), 0, 0, {}}));
    std::string bytes;
    std::string block(std::size_t(1) << 16, '\0');
    while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0) {
        bytes.append(block, 0, std::size_t(file.gcount()));
        if (bytes.size() > mostBytes)
            return tooLarge(path.string());
    }
    return unpack(std::move(bytes), path.string());
}

} // namespace poolwright::artefacts
