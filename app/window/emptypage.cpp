// SPDX-License-Identifier: Apache-2.0
#include "window/emptypage.h"

#include "window/resourcefolder.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace poolwright::app {

QList<Example> shippedExamples() {
    QList<Example> examples;
    const QDir models(resourceFolder("examples")), pools(resourceFolder("mpools"));
    if (!models.exists() || models.path() == QLatin1String("."))
        return examples;
    QString pool = pools.filePath("stm32n6570-dk-full.mpool");
    if (!QFileInfo::exists(pool))
        pool = pools.entryList({"*.mpool"}, QDir::Files).isEmpty()
                   ? QString()
                   : pools.filePath(pools.entryList({"*.mpool"}, QDir::Files).first());
    for (const QString& name : models.entryList({"*.onnx"}, QDir::Files, QDir::Name)) {
        QString title = QFileInfo(name).completeBaseName().remove("_int8").replace('_', ' ');
        title[0] = title[0].toUpper();
        QStringList paths{models.filePath(name)};
        if (!pool.isEmpty())
            paths << pool;
        examples.push_back({title, paths});
    }
    return examples;
}

static QPushButton* linkButton(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setToolTip(tip);
    button->setCursor(Qt::PointingHandCursor);
    button->setMinimumWidth(button->fontMetrics().averageCharWidth() * 42);
    return button;
}

static QLabel* heading(const QString& text, double scale) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

EmptyPage::EmptyPage(const QStringList& recent, QWidget* parent)
    : QWidget(parent) {
    setObjectName("emptyPage");
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addWidget(heading(tr("Poolwright"), 1.9));
    auto* words =
        new QLabel(tr("Open a quantised model and a memory-pool file, press Compile, and drag the edges of the pools: "
                      "placement, spills and time follow."));
    words->setWordWrap(true);
    words->setMinimumWidth(words->fontMetrics().averageCharWidth() * 64);
    words->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(words);
    column->addSpacing(12);
    auto* model = linkButton(tr("Open model…"), tr("A quantised ONNX model (QDQ), or ONNX with its _Q.json beside it"));
    auto* pools = linkButton(tr("Open memory pools…"), tr("A .mpool file"));
    auto* artefacts =
        linkButton(tr("Open artefacts…"), tr("c_info.json or a folder that a compiler wrote, ours or ST's"));
    for (QPushButton* button : {model, pools, artefacts})
        column->addWidget(button, 0, Qt::AlignLeft);
    connect(model, &QPushButton::clicked, this, &EmptyPage::openModelWanted);
    connect(pools, &QPushButton::clicked, this, &EmptyPage::openPoolsWanted);
    connect(artefacts, &QPushButton::clicked, this, &EmptyPage::openArtefactsWanted);
    const auto addList = [&](const QString& title, const QList<Example>& entries) {
        if (entries.isEmpty())
            return;
        column->addSpacing(12);
        column->addWidget(heading(title, 1.1));
        for (const Example& entry : entries) {
            auto* button = linkButton(entry.title, entry.paths.join('\n'));
            connect(button, &QPushButton::clicked, this, [this, paths = entry.paths] { emit filesWanted(paths); });
            column->addWidget(button, 0, Qt::AlignLeft);
        }
    };
    addList(tr("Examples"), shippedExamples());
    QList<Example> recentEntries;
    for (const QString& path : recent.mid(0, 5))
        recentEntries.push_back({QFileInfo(path).fileName(), {path}});
    addList(tr("Recent files"), recentEntries);
    column->addSpacing(12);
    auto* drop = new QLabel(tr("Files can also be dropped anywhere on this window."));
    drop->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(drop);
    auto* outer = new QHBoxLayout;
    outer->addStretch();
    outer->addLayout(column);
    outer->addStretch();
    auto* all = new QVBoxLayout(this);
    all->addStretch(2);
    all->addLayout(outer);
    all->addStretch(3);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

} // namespace poolwright::app
