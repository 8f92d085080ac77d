// SPDX-License-Identifier: Apache-2.0
#include "port/driver_port.h"

#include "artefacts/open.h"
#include "driver/compile.h"

namespace poolwright::app {

namespace {

class DriverPort : public CompilerPort {
public:
    Result<PreparedHandle> prepare(const CompileInput& input, const Progress& progress,
                                   const CancelFlag& cancel) override {
        driver::Request request;
        request.model = input.model;
        request.pools = input.pools;
        request.options = input.options;
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
