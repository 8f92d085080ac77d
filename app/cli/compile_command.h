// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"
#include "cli/search_files.h"
#include "driver/compile.h"

/// What several commands share: options to a request, the summary, taking an option of our own out of the compiler's.
namespace poolwright::cli {

/// Verdict, pools, unplaced buffers and peak as text on stdout.
void printSummary(const report::Report& report);

Result<mpool::PoolFile> readPoolFile(const std::string& path);
/// The same for a file to compile or place with: its findings are the failure when one of them is an error.
Result<mpool::PoolFile> readUsablePoolFile(const std::string& path);

/// The model, pools and target that the options name.
Result<driver::Request> requestOf(const options::CompilerOptions& options);

/// Compiles, prints (format "text" or "json") and writes the artefacts; answers the exit code.
/// With --Oauto or --Oauto-sched the search comes first, and its winner is compiled.
int compileAndWrite(const options::CompilerOptions& options, const std::string& format, const SearchFiles& search = {});

bool wantsHelp(const Arguments& arguments);

/// Removes `name VALUE` or `name=VALUE` from the arguments and answers the value, the last one when repeated.
std::string takeOption(Arguments& arguments, const std::string& name, const std::string& fallback = {});

} // namespace poolwright::cli
