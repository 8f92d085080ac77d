// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace poolwright::app {

/// Unsaved text of pool files, kept beside nothing of the user's: one file in `folder` for each path. An empty folder
/// switches it off.
class Autosave {
public:
    explicit Autosave(QString folder = {})
        : m_folder(std::move(folder)) {}

    /// Errors are ignored: a full disk must not stop the work.
    void store(const QString& path, const QString& text) const;
    void remove(const QString& path) const;
    /// Text stored for the path that differs from `savedText`.
    std::optional<QString> find(const QString& path, const QString& savedText) const;

private:
    QString fileFor(const QString& path) const;
    QString m_folder;
};

} // namespace poolwright::app
