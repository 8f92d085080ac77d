// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "mpool/pool.h"
#include "options/options.h"
#include "report/report.h"
#include "report/search.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What the workbench asks of a compiler. The real one is port/driver_port.h; tests give their own.
namespace poolwright::app {

struct CompileInput {
    std::string model;
    options::CompilerOptions options;
    mpool::PoolFile pools;
};

/// What does not depend on the pools, opaque to the workbench.
using PreparedHandle = std::shared_ptr<const void>;

enum class Effort {
    Quick, ///< while dragging: the constructive phase alone
    Full
};

/// Configurations known and all of them; estimate of the best so far, 0 when nothing fits.
using SearchProgress = std::function<void(int done, int total, double bestMs)>;

/// Every function may be called from any thread, also from two at once.
class CompilerPort {
public:
    virtual ~CompilerPort() = default;

    virtual Result<PreparedHandle> prepare(const CompileInput& input, const Progress& progress,
                                           const CancelFlag& cancel) = 0;
    /// A plan that does not fit is a value too (report->fits == false).
    virtual Result<report::ReportPtr> plan(const PreparedHandle& prepared, const mpool::PoolFile& pools, Effort effort,
                                           const CancelFlag& cancel) = 0;
    /// Plans with full effort and writes every artefact into `folder`; answers the files' names.
    virtual Result<std::vector<std::string>> write(const PreparedHandle& prepared, const mpool::PoolFile& pools,
                                                   const std::string& folder) = 0;
    /// Artefacts of this or ST's compiler: a file or a folder of them.
    virtual Result<report::ReportPtr> openArtefacts(const std::string& path) = 0;
    /// Tries the options that `input` leaves open. Rows tell when nothing fits; errors are those of the front end.
    virtual Result<report::SearchTable> search(const CompileInput&, const SearchProgress&, const CancelFlag&) {
        return fail(makeError("PW6054", "this compiler has no search over options"));
    }
};

} // namespace poolwright::app
