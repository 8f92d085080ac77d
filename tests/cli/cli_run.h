// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace poolwright::test {

/// What one call of poolwright-cli answered.
struct Run {
    int code = -1;
    QString out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

/// Calls the executable that the build names POOLWRIGHT_CLI, and waits for it so long.
inline Run run(const QStringList& arguments, int milliseconds = 300000) {
    QProcess process;
    process.start(QStringLiteral(POOLWRIGHT_CLI), arguments);
    process.waitForFinished(milliseconds);
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace poolwright::test
