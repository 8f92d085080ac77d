// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "lint/lint.h"

#include <set>
#include <string>

namespace poolwright::cli {

struct LintedModel {
    ir::Graph graph; ///< as import made it
    Diagnostics found;
};

/// Imports a model and applies all rules but `off`.
Result<LintedModel> lintedModel(const std::string& path, const std::string& quantisation, const std::set<std::string>& off);

} // namespace poolwright::cli
