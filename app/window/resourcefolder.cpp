// SPDX-License-Identifier: Apache-2.0
#include "window/resourcefolder.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

namespace poolwright::app {

QString resourceFolder(const QString& name) {
    QStringList roots{QCoreApplication::applicationDirPath() + "/../share/poolwright",
                      QStringLiteral(POOLWRIGHT_SOURCE_DIR)};
    if (const QString given = qEnvironmentVariable("POOLWRIGHT_DATA"); !given.isEmpty())
        roots.prepend(given);
    for (const QString& root : roots)
        for (const QString& folder : {root + '/' + name, root + "/resources/" + name})
            if (QFileInfo(folder).isDir())
                return QFileInfo(folder).canonicalFilePath();
    return {};
}

} // namespace poolwright::app
