// SPDX-License-Identifier: Apache-2.0
#include "window/resourcefolder.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace poolwright::app {

QString resourceFolder(const QString& name) {
    const QString program = QCoreApplication::applicationDirPath();
    const QString source = QStringLiteral(POOLWRIGHT_SOURCE_DIR);
    for (const QString& folder :
         {program + "/../share/poolwright/" + name, source + "/resources/" + name, source + '/' + name})
        if (QFileInfo(folder).isDir())
            return QFileInfo(folder).canonicalFilePath();
    return {};
}

} // namespace poolwright::app
