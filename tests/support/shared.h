// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>
#include <QTest>

#include <filesystem>
#include <string>

namespace poolwright::test {

/// The folder of shared test material: POOLWRIGHT_SHARED, else ../shared beside the checkout. Empty when there is none.
std::filesystem::path sharedFolder();

/// The whole file as bytes; an empty string when it cannot be read.
std::string readFile(const std::filesystem::path& path);

/// All diagnostics as text, one a line: for failure messages.
QString describe(const Diagnostics& diagnostics);

} // namespace poolwright::test

/// Skips the test function, loudly, when the shared material is absent.
#define POOLWRIGHT_NEEDS_SHARED()                                                                                              \
    do {                                                                                                                       \
        if (poolwright::test::sharedFolder().empty())                                                                          \
            QSKIP("the shared test material is absent (set POOLWRIGHT_SHARED)");                                               \
    } while (false)

/// Fails with the diagnostics when a Result has no value.
#define POOLWRIGHT_VERIFY_RESULT(result) QVERIFY2((result).has_value(), qPrintable((result) ? QString() : poolwright::test::describe((result).error())))
