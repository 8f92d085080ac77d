// SPDX-License-Identifier: Apache-2.0
#include "problems/problemspanel.h"

#include "common/exporter.h"
#include "common/format.h"
#include "common/palette.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace poolwright::widgets {

void ProblemsModel::reset(Diagnostics diagnostics) {
    beginResetModel();
    m_diagnostics = std::move(diagnostics);
    std::stable_sort(m_diagnostics.begin(), m_diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.severity > b.severity; });
    endResetModel();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_diagnostics.size());
}

static QString placeOf(const SourceLocation& where) {
    QString place = text(where.path).section('/', -1);
    if (where.line > 0)
        place +=
            (place.isEmpty() ? ProblemsPanel::tr("line %1").arg(where.line) : QStringLiteral(":%1").arg(where.line));
    if (where.line > 0 && where.column > 0)
        place += QStringLiteral(":%1").arg(where.column);
    if (!where.object.empty())
        place += (place.isEmpty() ? "" : "  ") + text(where.object);
    return place;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= int(m_diagnostics.size()))
        return {};
    const Diagnostic& diagnostic = m_diagnostics[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(diagnostic.message);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return text(toText(diagnostic));
    case SeverityRole:
        return int(diagnostic.severity);
    case CodeRole:
        return text(diagnostic.code);
    case HintRole:
        return text(diagnostic.hint);
    case PlaceRole:
        return placeOf(diagnostic.where);
    default:
        return {};
    }
}

namespace {

/// Sign, code, message and place on the first lines, the hint below. Signs differ in shape, not only in colour.
class ProblemDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const int width = viewWidth(option) - textLeft(option) - 12;
        int height = boxHeight(option.fontMetrics, width, firstText(index)) + 12;
        if (const QString hint = index.data(ProblemsModel::HintRole).toString(); !hint.isEmpty())
            height += boxHeight(option.fontMetrics, width, hint) + 2;
        return {100, height};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Palette& colours = paletteOf(option.widget);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, colours.selection);
        const int line = option.fontMetrics.height(), top = option.rect.top() + 6;
        paintSign(*painter, colours, Severity(index.data(ProblemsModel::SeverityRole).toInt()),
                  QRectF(option.rect.left() + 10, top + (line - 11) / 2.0, 11, 11));
        painter->setPen(colours.dim);
        painter->drawText(QPoint(option.rect.left() + 30, top + option.fontMetrics.ascent()),
                          index.data(ProblemsModel::CodeRole).toString());
        QRect box(option.rect.left() + textLeft(option), top, viewWidth(option) - textLeft(option) - 12, 10000);
        painter->setPen(colours.text);
        const QString first = firstText(index);
        painter->drawText(box, Qt::TextWordWrap, first);
        box.setTop(top + boxHeight(option.fontMetrics, box.width(), first) + 2);
        painter->setPen(colours.link);
        painter->drawText(box, Qt::TextWordWrap, index.data(ProblemsModel::HintRole).toString());
        painter->restore();
    }

private:
    static QString firstText(const QModelIndex& index) {
        const QString place = index.data(ProblemsModel::PlaceRole).toString();
        return index.data().toString() + (place.isEmpty() ? QString() : "  ·  " + place);
    }
    static int textLeft(const QStyleOptionViewItem& option) {
        return 42 + option.fontMetrics.horizontalAdvance("PW0000");
    }
    static int viewWidth(const QStyleOptionViewItem& option) {
        const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
        return view ? view->viewport()->width() : option.rect.width();
    }
    static int boxHeight(const QFontMetrics& metrics, int width, const QString& words) {
        return metrics.boundingRect(QRect(0, 0, std::max(width, 60), 10000), Qt::TextWordWrap, words).height();
    }
    static void paintSign(QPainter& painter, const Palette& colours, Severity severity, QRectF box) {
        painter.setPen(Qt::NoPen);
        if (severity == Severity::Error) {
            painter.setBrush(colours.bad);
            painter.drawEllipse(box);
        } else if (severity == Severity::Warning) {
            painter.setBrush(colours.warn);
            painter.drawPolygon(QPolygonF{box.bottomLeft(), QPointF(box.center().x(), box.top()), box.bottomRight()});
        } else {
            painter.setBrush(colours.link);
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
    }
};

/// Wrapped rows must be measured again when the width changes.
class WrappingList : public QListView {
protected:
    void resizeEvent(QResizeEvent* event) override {
        QListView::resizeEvent(event);
        scheduleDelayedItemsLayout();
    }
};

} // namespace

ProblemsPanel::ProblemsPanel(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_model(new ProblemsModel(this))
    , m_view(new WrappingList)
    , m_empty(new QLabel(tr("No problems found."))) {
    setObjectName("problems");
    m_view->setModel(m_model);
    m_view->setItemDelegate(new ProblemDelegate(m_view));
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* copy = new QAction(tr("Copy"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(copy);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    layout->addWidget(m_empty);
    connect(copy, &QAction::triggered, this, [this] {
        if (m_view->currentIndex().isValid())
            QApplication::clipboard()->setText(text(toText(m_model->at(m_view->currentIndex().row()))));
    });
    const auto show = [this](const QModelIndex& index) { emit placeWanted(m_model->at(index.row()).where); };
    connect(m_view, &QListView::clicked, this, show);
    connect(m_view, &QListView::activated, this, show);
    refresh();
}

void ProblemsPanel::setDocumentProblems(const Diagnostics& diagnostics) {
    m_document = diagnostics;
    refresh();
}

void ProblemsPanel::refresh() {
    Diagnostics all = m_document;
    if (report())
        for (const Diagnostic& diagnostic : report()->diagnostics)
            if (std::find(all.begin(), all.end(), diagnostic) == all.end())
                all.push_back(diagnostic);
    m_model->reset(std::move(all));
    m_view->setVisible(count() > 0);
    m_empty->setVisible(count() == 0);
    emit countChanged(count());
}

QString ProblemsPanel::exportTo(const QString& path) const {
    const bool csv = path.endsWith(".csv", Qt::CaseInsensitive);
    QString content = csv ? QStringLiteral("code,severity,message,path,line,column,hint\n") : QString();
    const auto quoted = [](const std::string& s) { return '"' + text(s).replace('"', "\"\"") + '"'; };
    for (int row = 0; row < count(); ++row) {
        const Diagnostic& d = m_model->at(row);
        if (csv)
            content += QStringList{text(d.code),         severityName(d.severity),      quoted(d.message),
                                   quoted(d.where.path), QString::number(d.where.line), QString::number(d.where.column),
                                   quoted(d.hint)}
                           .join(',') +
                       '\n';
        else
            content += text(toText(d)) + '\n';
    }
    return exportText(path, content);
}

} // namespace poolwright::widgets
