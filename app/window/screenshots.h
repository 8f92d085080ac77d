// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace poolwright::app {

class MainWindow;

/// Waits until the window has a report (or the compile failed), then saves the window and every panel as PNG. Answers
/// an exit code.
int saveScreenshots(MainWindow& window, const QString& folder, const QString& suffix);

} // namespace poolwright::app
