// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace poolwright::app {

/// Folder of shipped data ("help", "examples", "mpools"): below the folder that POOLWRIGHT_DATA names, beside an
/// installed program, else in the sources. Empty when it is nowhere.
QString resourceFolder(const QString& name);

} // namespace poolwright::app
