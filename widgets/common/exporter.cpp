// SPDX-License-Identifier: Apache-2.0
#include "common/exporter.h"

#include <QAbstractItemModel>
#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace poolwright::widgets {

static QString save(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return QCoreApplication::translate("Export", "Could not write %1: %2").arg(path, file.errorString());
    return {};
}

static QByteArray asSvg(QSize size, QColor background, const QFont& font, const std::function<void(QPainter&)>& paint) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    QPainter painter(&generator);
    painter.setFont(font);
    painter.fillRect(QRect(QPoint(), size), background);
    paint(painter);
    painter.end();
    return buffer.data();
}

static QByteArray asPng(QSize size, QColor background, const QFont& font, const std::function<void(QPainter&)>& paint) {
    QImage image(size * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(background);
    QPainter painter(&image);
    painter.setFont(font);
    paint(painter);
    painter.end();
    QBuffer buffer;
    image.save(&buffer, "PNG");
    return buffer.data();
}

QString exportPicture(const QString& path, QSize size, QColor background, const QFont& font,
                      const std::function<void(QPainter&)>& paint) {
    const bool svg = path.endsWith(".svg", Qt::CaseInsensitive);
    return save(path, svg ? asSvg(size, background, font, paint) : asPng(size, background, font, paint));
}

QString exportText(const QString& path, const QString& content) {
    return save(path, content.toUtf8());
}

static QString quoted(QString cell, QChar separator) {
    if (separator == '\t')
        return cell.replace('\t', ' ').replace('\n', ' ');
    if (cell.contains(separator) || cell.contains('"') || cell.contains('\n'))
        return '"' + cell.replace('"', "\"\"") + '"';
    return cell;
}

QString modelAsText(const QAbstractItemModel& model, QChar separator) {
    QString result;
    const auto addLine = [&](const std::function<QVariant(int)>& cell) {
        for (int column = 0; column < model.columnCount(); ++column)
            result += (column ? QString(separator) : QString()) + quoted(cell(column).toString(), separator);
        result += '\n';
    };
    addLine([&](int column) { return model.headerData(column, Qt::Horizontal); });
    for (int row = 0; row < model.rowCount(); ++row)
        addLine([&](int column) { return model.index(row, column).data(); });
    return result;
}

} // namespace poolwright::widgets
