// SPDX-License-Identifier: Apache-2.0
#include "driver/resources.h"

#include <cstdlib>
#include <vector>

namespace poolwright::driver {

Result<std::filesystem::path> dataFile(const std::string& relative) {
    std::vector<std::filesystem::path> folders;
    if (const char* given = std::getenv("POOLWRIGHT_DATA"))
        folders.emplace_back(given);
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!program.empty())
        folders.push_back(program.parent_path() / "../share/poolwright");
    folders.emplace_back(POOLWRIGHT_SOURCE_DIR);
    for (const std::filesystem::path& folder : folders)
        if (std::filesystem::exists(folder / relative, ignored))
            return (folder / relative).lexically_normal();
    return fail(makeError("PW6001", "this file of the installation is missing", {relative, 0, 0, {}},
                          "set POOLWRIGHT_DATA to the folder that holds it"));
}

} // namespace poolwright::driver
