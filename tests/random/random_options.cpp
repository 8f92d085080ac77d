// SPDX-License-Identifier: Apache-2.0
#include "random/random_options.h"

namespace poolwright::test {

const std::vector<std::string> poolFiles = {"nucleo-n657x0-full", "nucleo-n657x0-holes", "nucleo-n657x0-internal",
                                            "stm32n6570-dk-full", "stm32n6570-dk-holes", "stm32n6570-dk-internal"};

options::CompilerOptions randomOptions(const Pick& pick) {
    options::CompilerOptions o;
    const auto one = [&](unsigned in) { return pick(1, in) == 1; };
    o.nativeFloat = true;
    o.verify = true;
    o.optimization = int(pick(0, 3));
    o.optimizeSize = one(3);
    o.enableVirtualMemPools = one(2);
    o.cacheMaintenance = one(2);
    o.cacheOpt = one(4);
    o.altSched = one(4);
    o.maxCaPipe = one(3) ? int(pick(1, 4)) : 0;
    o.convSplitCw = one(5);
    o.convSplitKw = one(5);
    o.convSplitStripe = one(5);
    o.convSplitStripeFull = one(8);
    o.noHwSwParallelism = one(4);
    o.preserveInputs = one(5);
    o.forceAllInOutToMem = one(6);
    o.noInputsAllocation = one(6);
    o.noOutputsAllocation = one(6);
    o.runtimeGeneration = one(3) ? "1.1.3" : "1.1.1";
    return o;
}

} // namespace poolwright::test
