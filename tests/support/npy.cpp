// SPDX-License-Identifier: Apache-2.0
#include "support/npy.h"

#include "support/shared.h"

#include <regex>
#include <stdexcept>

namespace poolwright::test {

std::int64_t NpyArray::elements() const {
    std::int64_t count = 1;
    for (std::int64_t extent : shape)
        count *= extent;
    return count;
}

NpyArray readNpy(const std::filesystem::path& path) {
    const std::string file = readFile(path);
    if (file.size() < 10 || file.compare(1, 5, "NUMPY") != 0)
        throw std::runtime_error("not a .npy file: " + path.string());
    const std::size_t headerSize = std::uint8_t(file[8]) | std::size_t(std::uint8_t(file[9])) << 8;
    const std::string header = file.substr(10, headerSize);
    std::smatch match;
    NpyArray array;
    if (!std::regex_search(header, match, std::regex("'descr': *'([^']+)'")))
        throw std::runtime_error("no dtype in " + path.string());
    array.dtype = match[1];
    if (!std::regex_search(header, match, std::regex("'shape': *\\(([^)]*)\\)")))
        throw std::runtime_error("no shape in " + path.string());
    const std::string dimensions = match[1];
    const std::regex number("[0-9]+");
    for (std::sregex_iterator it(dimensions.begin(), dimensions.end(), number), end; it != end; ++it)
        array.shape.push_back(std::stoll(it->str()));
    array.bytes.assign(file.begin() + 10 + std::ptrdiff_t(headerSize), file.end());
    return array;
}

} // namespace poolwright::test
