// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <QString>

#include <vector>

namespace poolwright::widgets::recap {

/// One operator and what became of it.
struct Line {
    int epoch = -1;
    QString name, kind, originals, mapping, units, why;
};

/// Operators in execution order.
std::vector<Line> linesOf(const report::Report& report);

/// The recap as plain text in aligned columns.
QString asText(const std::vector<Line>& lines);

} // namespace poolwright::widgets::recap
