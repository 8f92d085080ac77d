// SPDX-License-Identifier: Apache-2.0
#include "document/autosave.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace poolwright::app {

QString Autosave::fileFor(const QString& path) const {
    const QString whole = QFileInfo(path).absoluteFilePath();
    const QByteArray hash = QCryptographicHash::hash(whole.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
    return m_folder + '/' + QFileInfo(path).completeBaseName() + '-' + QString::fromLatin1(hash) + ".mpool";
}

void Autosave::store(const QString& path, const QString& text) const {
    if (m_folder.isEmpty() || path.isEmpty() || !QDir().mkpath(m_folder))
        return;
    QSaveFile file(fileFor(path));
    if (file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0)
        file.commit();
}

void Autosave::remove(const QString& path) const {
    if (!m_folder.isEmpty() && !path.isEmpty())
        QFile::remove(fileFor(path));
}

std::optional<QString> Autosave::find(const QString& path, const QString& savedText) const {
    QFile file(fileFor(path));
    if (m_folder.isEmpty() || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QString text = QString::fromUtf8(file.readAll());
    return text == savedText ? std::nullopt : std::optional(text);
}

} // namespace poolwright::app
