// SPDX-License-Identifier: Apache-2.0
#include "driver/demand.h"
#include "driver/fit.h"
#include "driver/input_sizes.h"
#include "driver/plan.h"
#include "driver/pool_growth.h"
#include "mpool/edit.h"
#include "mpool/virtual.h"
#include "place/fit.h"

#include <algorithm>
#include <functional>
#include <set>

namespace poolwright::driver {

namespace {

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

/// The largest value of (low, high] that `fits`, or the smallest, when that falls monotonously; `bad` is known not to,
/// `good` is known to.
std::int64_t edgeOf(std::int64_t bad, std::int64_t good, const std::function<bool(std::int64_t)>& fits) {
    while (std::abs(good - bad) > 1) {
        const std::int64_t middle = bad + (good - bad) / 2;
        (fits(middle) ? good : bad) = middle;
    }
    return good;
}

class Proposer {
public:
    Proposer(const Request& request, const PreparedPtr& prepared, const mpool::PoolFile& pools,
             std::vector<std::string>& refused, const CancelFlag& cancel)
        : m_request(request)
        , m_prepared(prepared)
        , m_pools(pools)
        , m_refused(refused)
        , m_cancel(cancel) {}

    void joinPools() {
        if (m_prepared->options.enableVirtualMemPools || mpool::virtualGroups(m_pools).empty())
            return;
        if (const auto outcome = planOf(withVirtualPools(m_prepared, true), m_pools))
            add({.kind = "virtual-pools", .sentence = "join adjacent pools: --enable-virtual-mem-pools"}, *outcome);
        else
            m_refused.push_back("joining adjacent pools (--enable-virtual-mem-pools) is not enough");
    }

    void growPools() {
        std::vector<std::string> tried;
        for (int p = 0; p < int(m_pools.pools.size()) && !m_cancel.isCancelled(); ++p)
            if (const mpool::Pool& pool = m_pools[PoolId(p)]; pool.isEnabled())
                if (!growPool(PoolId(p)))
                    tried.push_back(pool.name);
        if (!tried.empty())
            m_refused.push_back("growing " + joined(tried) +
                                " alone as far as the bank and the next pool allow is not enough");
    }

    void addPools() {
        std::vector<mpool::Pool> added = absentPools(m_pools, m_request.target, m_prepared->options.board);
        if (added.empty())
            return;
        const auto fits = [&](const std::vector<mpool::Pool>& pools) {
            return planOf(m_prepared, withPools(m_pools, pools));
        };
        if (!fits(added)) {
            m_refused.push_back("adding " + joined(namesOf(added)) + " in full is not enough");
            return;
        }
        shrink(added, [&](const std::vector<mpool::Pool>& pools) { return fits(pools).has_value(); });
        report::Proposal proposal{.kind = "add-pools"};
        std::vector<std::string> words;
        for (const mpool::Pool& pool : added) {
            proposal.pools.push_back({pool.name, pool.range().start, pool.range().size});
            words.push_back(pool.name + " with " + toText(pool.range().size) + " at " + toText(pool.range().start));
        }
        proposal.sentence = "add " + joined(words);
        add(std::move(proposal), *fits(added));
    }

    void shrinkInput() {
        const std::vector<ir::Shape> sizes = smallerInputs(m_prepared->graph);
        if (sizes.empty())
            return;
        std::string failure;
        std::optional<Outcome> best;
        const auto fits = [&](std::int64_t k) {
            std::optional<Outcome> outcome = planAt(sizes[std::size_t(k)], failure);
            if (outcome)
                best = std::move(outcome);
            return best && outcome.has_value();
        };
        if (!planAt(sizes.front(), failure)) {
            m_refused.push_back(failure.empty() ? "even an input of " + shapeText(sizes.front()) + " does not fit"
                                                : "an input of another size cannot be derived: " + failure);
            return;
        }
        const std::int64_t k = edgeOf(std::int64_t(sizes.size()), 0, fits);
        best = planAt(sizes[std::size_t(k)], failure);
        add({.kind = "input-size",
             .sentence = "make the input no larger than " + shapeText(sizes[std::size_t(k)]),
             .inputShape = sizes[std::size_t(k)]},
            *best);
    }

    /// Tensors alone decide here: what a quantised network compiles to is not known before it is quantised.
    void quantise() {
        std::vector<place::BufferSpec> buffers = demandOf(m_prepared->graph, Width::Own, Concats::InPlace);
        std::set<std::string> floats = floatTensors();
        if (floats.empty())
            return;
        std::vector<std::string> chosen;
        while (!placed(buffers)) {
            const int next = largestFloat(buffers, floats);
            if (next < 0 || m_cancel.isCancelled()) {
                m_refused.push_back("quantising every float tensor to int8 is not enough");
                return;
            }
            place::BufferSpec& buffer = buffers[std::size_t(next)];
            buffer.size = ByteCount((buffer.size.value + 3) / 4);
            floats.erase(buffer.name);
            chosen.push_back(buffer.name);
        }
        const bool all = largestFloat(buffers, floats) < 0;
        const std::vector<std::string> few(chosen.begin(),
                                           chosen.begin() + std::ptrdiff_t(std::min<std::size_t>(chosen.size(), 6)));
        std::string what = all ? "the whole model" : joined(few);
        if (!all && chosen.size() > few.size())
            what += " and " + std::to_string(chosen.size() - few.size()) + " more tensors";
        m_found.push_back({.kind = "quantise", .sentence = "quantise " + what + " to int8", .tensors = chosen});
    }

    std::vector<report::Proposal> take() { return std::move(m_found); }

private:
    std::optional<Outcome> planOf(const PreparedPtr& prepared, const mpool::PoolFile& pools) const {
        if (!liveRangesAllow(*prepared, pools))
            return std::nullopt;
        place::Options options;
        options.cancel = m_cancel;
        Result<Outcome> outcome = plan(prepared, pools, options);
        if (!outcome || !outcome->report->fits)
            return std::nullopt;
        return std::move(*outcome);
    }

    std::optional<Outcome> planAt(const ir::Shape& shape, std::string& failure) const {
        Request request = m_request;
        request.inputShapes[m_prepared->graph[m_prepared->graph.inputs.front()].name] = shape;
        const Result<PreparedPtr> prepared = prepare(request, {}, m_cancel);
        if (prepared)
            return planOf(*prepared, m_pools);
        failure = prepared.error().front().message;
        return std::nullopt;
    }

    bool growPool(PoolId id) {
        constexpr std::int64_t step = 1024;
        const std::int64_t most = roomBehind(m_pools, id, m_request.target, m_prepared->options.board) / step;
        const auto at = [&](std::int64_t steps) {
            const auto grown = mpool::withSize(m_pools, id, m_pools[id].range().size + ByteCount(steps * step));
            return grown ? planOf(m_prepared, *grown) : std::nullopt;
        };
        if (most == 0 || !at(most))
            return false;
        const std::int64_t steps = edgeOf(0, most, [&](std::int64_t n) { return at(n).has_value(); });
        const mpool::Pool& pool = m_pools[id];
        const ByteCount bytes(steps * step);
        add({.kind = "grow-pool",
             .sentence =
                 "give " + pool.name + " " + toText(bytes) + " more (" + toText(pool.range().size + bytes) + ")",
             .pools = {{pool.name, pool.range().start, bytes}}},
            *at(steps));
        return true;
    }

    /// Each pool in turn as small as the others, as they then are, allow.
    static void shrink(std::vector<mpool::Pool>& pools,
                       const std::function<bool(const std::vector<mpool::Pool>&)>& fits) {
        constexpr std::int64_t step = 4096;
        for (std::size_t p = 0; p < pools.size();) {
            const auto sized = [&](std::int64_t steps) {
                std::vector<mpool::Pool> changed = pools;
                changed[p].size = mpool::respelled(changed[p].size, steps * step);
                return changed;
            };
            std::vector<mpool::Pool> without = pools;
            without.erase(without.begin() + std::ptrdiff_t(p));
            if (fits(without)) {
                pools = std::move(without);
                continue;
            }
            pools =
                sized(edgeOf(0, pools[p].range().size.value / step, [&](std::int64_t n) { return fits(sized(n)); }));
            ++p;
        }
    }

    static std::vector<std::string> namesOf(const std::vector<mpool::Pool>& pools) {
        std::vector<std::string> names;
        for (const mpool::Pool& pool : pools)
            names.push_back(pool.name);
        return names;
    }

    std::set<std::string> floatTensors() const {
        std::set<std::string> names;
        const ir::Graph& graph = m_prepared->graph;
        for (const ir::Tensor& tensor : graph.tensors)
            if (tensor.type == ir::ElementType::Float32 && tensor.elements() > 1)
                names.insert(tensor.originalName.empty() ? tensor.name : tensor.originalName);
        for (const auto* border : {&graph.inputs, &graph.outputs})
            for (TensorId id : *border)
                names.erase(graph[id].name);
        return names;
    }

    bool placed(const std::vector<place::BufferSpec>& buffers) const {
        place::Problem problem;
        problem.pools = poolsFor(*m_prepared, m_pools);
        problem.buffers = buffers;
        if (!place::fit(problem).fits)
            return false;
        return place::place(problem, {.cancel = m_cancel}).unplaced.empty();
    }

    /// Among the activations alive at the peak, or among all when none of these is left; -1 when none is.
    static int largestFloat(const std::vector<place::BufferSpec>& buffers, const std::set<std::string>& floats) {
        const int peak = place::liveSet(buffers).peakEpoch;
        int best = -1;
        bool bestAtPeak = false;
        for (int b = 0; b < int(buffers.size()); ++b) {
            const place::BufferSpec& buffer = buffers[std::size_t(b)];
            if (!floats.contains(buffer.name) || buffer.size.value == 0)
                continue;
            const bool atPeak = !buffer.isConstant && buffer.live.contains(peak);
            if (best < 0 || std::pair(atPeak, buffer.size) > std::pair(bestAtPeak, buffers[std::size_t(best)].size)) {
                best = b;
                bestAtPeak = atPeak;
            }
        }
        return best;
    }

    void add(report::Proposal proposal, const Outcome& outcome) {
        proposal.estimatedMs = outcome.report->totals.calibratedMs;
        proposal.externalActivations = outcome.report->totals.externalActivations;
        m_found.push_back(std::move(proposal));
    }

    const Request& m_request;
    const PreparedPtr& m_prepared;
    const mpool::PoolFile& m_pools;
    std::vector<std::string>& m_refused;
    const CancelFlag& m_cancel;
    std::vector<report::Proposal> m_found;
};

} // namespace

std::vector<report::Proposal> proposals(const Request& request, const PreparedPtr& prepared,
                                        const mpool::PoolFile& pools, std::vector<std::string>& refused,
                                        const Progress& progress, const CancelFlag& cancel) {
    Proposer proposer(request, prepared, pools, refused, cancel);
    using Step = std::pair<const char*, void (Proposer::*)()>;
    const Step steps[] = {{"virtual pools", &Proposer::joinPools},
                          {"larger pools", &Proposer::growPools},
                          {"more pools", &Proposer::addPools},
                          {"smaller input", &Proposer::shrinkInput},
                          {"quantisation", &Proposer::quantise}};
    double done = 0;
    for (const auto& [name, step] : steps) {
        if (cancel.isCancelled())
            break;
        if (progress)
            progress(name, done++ / double(std::size(steps)));
        (proposer.*step)();
    }
    return proposer.take();
}

} // namespace poolwright::driver
