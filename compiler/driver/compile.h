// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "estimate/estimate.h"
#include "ir/graph.h"
#include "mpool/pool.h"
#include "options/options.h"
#include "place/problem.h"
#include "program/program.h"
#include "report/report.h"
#include "target/machine.h"

#include <filesystem>
#include <map>
#include <memory>

/// The compiler as one function, split where live carving needs it: everything up to epochs and buffers (prepare) does not depend on pools.
namespace poolwright::driver {

struct Request {
    std::filesystem::path model;
    std::filesystem::path quantisation; ///< empty: looked for beside the model as <stem>_Q.json; a QDQ model needs none
    mpool::PoolFile pools;
    options::CompilerOptions options;
    target::Target target = target::builtinTarget();
    std::map<std::string, ir::Shape> inputShapes; ///< of graph inputs, in place of the model's own
};

/// The placement problem without its pools, and which buffer of the program each of its buffers is.
struct PlacementQuestion {
    place::Problem problem;
    std::vector<int> bufferOfSpec;
};

/// Import to epochs: immutable, shared by every re-plan of the same model and options.
struct Prepared {
    ir::Graph graph;                    ///< after passes: what the reference interpreter runs
    program::Program program;           ///< epochs and buffers, no pools
    PlacementQuestion question;
    options::CompilerOptions options;
    target::Target target;
    report::Provenance provenance;
    Diagnostics diagnostics;            ///< warnings of import, passes and lowering
};
using PreparedPtr = std::shared_ptr<const Prepared>;

/// One compile: the placed program, its estimate and the report that views read. `report->fits` tells whether everything found a place.
struct Outcome {
    PreparedPtr prepared;
    program::Program program;
    estimate::NetworkEstimate estimate;
    report::ReportPtr report;
    mpool::PoolFile pools;
};

/// Import and passes alone: the graph that the reference interpreter runs.
Result<ir::Graph> referenceGraph(const std::filesystem::path& model, const std::filesystem::path& quantisation, bool nativeFloat);

/// The same graph under the options of a compile: those that change the graph (types at the border, passes left out) count.
Result<ir::Graph> referenceGraph(const std::filesystem::path& model, const std::filesystem::path& quantisation,
                                 const options::CompilerOptions& options);

Result<PreparedPtr> prepare(const Request& request, const Progress& progress = {}, const CancelFlag& cancel = {});

/// Placement and estimate alone; milliseconds. A plan that does not fit is a value too (report->fits == false).
Result<Outcome> plan(const PreparedPtr& prepared, const mpool::PoolFile& pools, const place::Options& placeOptions = {});

Result<Outcome> compile(const Request& request, const Progress& progress = {}, const CancelFlag& cancel = {});

struct WrittenFile {
    std::string name;
    std::int64_t bytes = 0;
    std::uint32_t crc32 = 0;
};
/// Writes every artefact that the options ask for into options.outDirPrefix, each under a temporary name first, then renamed;
/// manifest.json last. Nothing is touched when an artefact cannot be made.
Result<std::vector<WrittenFile>> writeArtefacts(const Outcome& outcome);

} // namespace poolwright::driver
