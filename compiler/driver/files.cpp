// SPDX-License-Identifier: Apache-2.0
#include "driver/files.h"

#include "text/crc32.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace poolwright::driver {

static std::string systemReason() {
    return errno ? std::strerror(errno) : "unknown reason";
}

Result<std::string> readFile(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail(makeError("PW6001", "this is a folder, a file is expected", {path.string(), 0, 0, {}}));
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        return fail(makeError("PW6001", "this is no regular file", {path.string(), 0, 0, {}}));
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return fail(makeError("PW6001", "cannot open the file: " + systemReason(), {path.string(), 0, 0, {}}));
    std::ostringstream content;
    content << stream.rdbuf();
    if (stream.bad())
        return fail(makeError("PW6001", "cannot read the file: " + systemReason(), {path.string(), 0, 0, {}}));
    return std::move(content).str();
}

Result<bool> writeFile(const std::filesystem::path& path, const std::string& content) {
    const std::filesystem::path temporary = path.string() + ".part";
    errno = 0;
    std::error_code error;
    if (path.has_parent_path())
        std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), std::streamsize(content.size()));
    stream.close();
    if (!stream) {
        const std::string reason = systemReason();
        std::filesystem::remove(temporary, error);
        return fail(makeError("PW6002", "cannot write the file: " + reason, {path.string(), 0, 0, {}}));
    }
    std::filesystem::rename(temporary, path, error);
    if (error)
        return fail(makeError("PW6002", "cannot write the file: " + error.message(), {path.string(), 0, 0, {}}));
    return true;
}

std::string crc32Digits(const std::string& content) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08X", text::crc32(content));
    return digits;
}

} // namespace poolwright::driver
