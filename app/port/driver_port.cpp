// SPDX-License-Identifier: Apache-2.0
#include "port/driver_port.h"

#include "artefacts/open.h"
#include "driver/compile.h"
#include "driver/search.h"
#include "options/table.h"

namespace poolwright::app {

namespace {

report::SearchRow rowOf(const driver::Trial& trial) {
    report::SearchRow row;
    row.number = trial.number;
    row.label = trial.label;
    row.commandLine = options::toCommandLine(trial.options);
    row.state = driver::stateText(trial);
    row.note = trial.note;
    row.placed = trial.state == driver::TrialState::Placed;
    row.fits = trial.fits;
    row.milliseconds = trial.milliseconds;
    row.vendorCycles = trial.vendorCycles;
    row.spilled = trial.spilled;
    row.peak = trial.peakLive;
    row.unplaced = trial.unplacedBytes;
    row.hw = trial.hw;
    row.hybrid = trial.hybrid;
    row.sw = trial.sw;
    for (const driver::PoolPeak& pool : trial.pools)
        row.pools += (row.pools.empty() ? "" : ", ") + pool.pool + "=" + std::to_string(pool.used.value);
    return row;
}

driver::Request requestOf(const CompileInput& input) {
    driver::Request request;
    request.model = input.model;
    request.pools = input.pools;
    request.options = input.options;
    return request;
}

class DriverPort : public CompilerPort {
public:
    Result<PreparedHandle> prepare(const CompileInput& input, const Progress& progress,
                                   const CancelFlag& cancel) override {
        const driver::Request request = requestOf(input);
        if (driver::asksForSearch(request.options)) {
            const auto told = [&](const driver::SearchProgress& p) {
                if (progress)
                    progress(p.stage, p.total > 0 ? double(p.done) / p.total : 0);
            };
            auto found = driver::search(request, told, cancel);
            return found ? Result<PreparedHandle>(found->best.prepared) : fail(found.error());
        }
        auto prepared = driver::prepare(request, progress, cancel);
        if (!prepared)
            return fail(prepared.error());
        return PreparedHandle(*prepared);
    }

    Result<report::ReportPtr> plan(const PreparedHandle& prepared, const mpool::PoolFile& pools, Effort effort,
                                   const CancelFlag& cancel) override {
        auto outcome = driver::plan(typed(prepared), pools, placeOptions(effort, cancel));
        if (!outcome)
            return fail(outcome.error());
        return outcome->report;
    }

    Result<std::vector<std::string>> write(const PreparedHandle& prepared, const mpool::PoolFile& pools,
                                           const std::string& folder) override {
        driver::Prepared redirected = *typed(prepared);
        redirected.options.outDirPrefix = folder.ends_with('/') ? folder : folder + '/';
        auto outcome = driver::plan(std::make_shared<const driver::Prepared>(std::move(redirected)), pools);
        if (!outcome)
            return fail(outcome.error());
        auto files = driver::writeArtefacts(*outcome);
        if (!files)
            return fail(files.error());
        std::vector<std::string> names;
        for (const auto& file : *files)
            names.push_back(file.name);
        return names;
    }

    Result<report::ReportPtr> openArtefacts(const std::string& path) override {
        auto report = artefacts::open({path});
        if (!report)
            return fail(report.error());
        return std::make_shared<const report::Report>(std::move(*report));
    }

    Result<report::SearchTable> search(const CompileInput& input, const SearchProgress& progress,
                                       const CancelFlag& cancel) override {
        const driver::Request request = requestOf(input);
        const auto told = [&](const driver::SearchProgress& p) { progress(p.done, p.total, p.bestMs); };
        const auto found = driver::search(request, driver::searchSpaceOf(request), told, cancel);
        if (!found)
            return fail(found.error());
        report::SearchTable table;
        for (const driver::Trial& trial : found->trials)
            table.rows.push_back(rowOf(trial));
        return table;
    }

private:
    static driver::PreparedPtr typed(const PreparedHandle& handle) {
        return std::static_pointer_cast<const driver::Prepared>(handle);
    }
    static place::Options placeOptions(Effort effort, const CancelFlag& cancel) {
        place::Options options;
        options.cancel = cancel;
        if (effort == Effort::Quick) {
            options.budgetMilliseconds = 10;
            options.improvementSteps = 0;
        }
        return options;
    }
};

} // namespace

std::shared_ptr<CompilerPort> makeDriverPort() {
    return std::make_shared<DriverPort>();
}

} // namespace poolwright::app
