// SPDX-License-Identifier: Apache-2.0
#include "common/figures.h"

namespace poolwright::widgets {

double epochMilliseconds(const report::Report& report, const report::Epoch& epoch) {
    if (epoch.calibratedMs > 0 || report.nominalMegahertz <= 0)
        return epoch.calibratedMs;
    return double(epoch.vendorCycles) / report.nominalMegahertz / 1000;
}

double networkMilliseconds(const report::Report& report) {
    return report.totals.calibratedMs > 0 ? report.totals.calibratedMs : report.totals.vendorMs;
}

} // namespace poolwright::widgets
