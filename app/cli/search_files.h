// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"
#include "driver/search.h"

/// What the search over options leaves in files.
namespace poolwright::cli {

struct SearchFiles {
    std::string table;   ///< --search-file: every row; .csv or, with that ending, .json
    std::string profile; ///< --save-profile: the winner as a profile "searched" that `generate` takes
};

/// Removes --search-file and --save-profile from the arguments.
SearchFiles takeSearchFiles(Arguments& arguments);
extern const char* const searchFilesHelp;

Result<bool> writeSearch(const driver::SearchResult& result, const SearchFiles& files);

} // namespace poolwright::cli
