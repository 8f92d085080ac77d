// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QSize>
#include <QString>

#include <functional>

class QAbstractItemModel;
class QPainter;

namespace poolwright::widgets {

/// Writes .svg or .png (twice the resolution) under a temporary name, then renames. Empty answer: success; else what
/// went wrong.
QString exportPicture(const QString& path, QSize size, QColor background, const QFont& font,
                      const std::function<void(QPainter&)>& paint);

/// Same for text; used for .csv and .txt.
QString exportText(const QString& path, const QString& content);

/// Header and rows as RFC 4180 CSV or, with '\t', as TSV for the clipboard. Reads the display texts.
QString modelAsText(const QAbstractItemModel& model, QChar separator);

} // namespace poolwright::widgets
