// SPDX-License-Identifier: Apache-2.0
#include "document/document.h"

#include "document/optionscommand.h"
#include "document/poolcommand.h"
#include "document/pooledits.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace poolwright::app {

static constexpr qint64 largestPoolFile = 16 * 1024 * 1024;

Document::Document(QObject* parent)
    : QObject(parent) {
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

Document::~Document() {
    m_undo.disconnect(); // it announces its own clearing, to listeners that are partly gone
}

static Diagnostic cannotRead(const QString& path, const QString& why) {
    return makeError("PW6050", "cannot open the file: " + why.toStdString(), {path.toStdString(), 0, 0, {}},
                     "check the path and the permissions");
}

bool Document::setModel(const QString& path) {
    const QFileInfo info(path);
    if (!info.isFile() || !info.isReadable()) {
        m_fileProblems = {cannotRead(path, info.exists() ? tr("it is no readable file") : tr("it does not exist"))};
        emit problemsChanged();
        return false;
    }
    m_model = path;
    m_reportPath.clear();
    m_fileProblems.clear();
    m_compileProblems.clear();
    m_report.reset();
    m_baseline.reset();
    emit modelChanged();
    emit reportChanged();
    emit problemsChanged();
    emit titleChanged();
    return true;
}

static Result<mpool::PoolFile> readPoolFile(const QString& path, const std::vector<mpool::BankRange>& banks) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(cannotRead(path, file.errorString()));
    if (file.size() > largestPoolFile)
        return fail(cannotRead(path, Document::tr("it is larger than any memory-pool file")));
    return mpool::readPools(file.readAll().toStdString(), path.toStdString(), banks);
}

bool Document::openPools(const QString& path) {
    auto pools = readPoolFile(path, m_banks);
    if (!pools) {
        m_fileProblems = pools.error();
        emit problemsChanged();
        return false;
    }
    m_poolPath = path;
    m_preview.reset();
    m_pools = std::move(*pools);
    m_savedText = m_pools->text;
    m_undo.clear();
    m_baseline.reset();
    m_fileProblems.clear();
    emit poolsChanged(false);
    emit problemsChanged();
    emit titleChanged();
    return true;
}

bool Document::recover(const QString& text) {
    auto pools = mpool::readPools(text.toStdString(), m_poolPath.toStdString(), m_banks);
    if (!pools || !m_pools)
        return false;
    push(tr("Recovered edits"), -1, *pools);
    return true;
}

bool Document::savePools(const QString& path) {
    if (!m_pools)
        return false;
    const QString target = path.isEmpty() ? m_poolPath : path;
    const QByteArray bytes = QByteArray::fromStdString(m_pools->text);
    QSaveFile file(target);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        m_fileProblems = {makeError("PW6051", "cannot save: " + file.errorString().toStdString(),
                                    {target.toStdString(), 0, 0, {}}, "save under another name")};
        emit problemsChanged();
        return false;
    }
    m_autosave.remove(m_poolPath);
    m_poolPath = target;
    m_savedText = m_pools->text;
    m_undo.setClean();
    m_baseline = m_report;
    emit reportChanged();
    emit titleChanged();
    return true;
}

void Document::setOptions(const options::CompilerOptions& options) {
    if (options == m_options)
        return;
    m_options = options;
    emit optionsChanged();
}

void Document::commitOptions(const QString& title, const options::CompilerOptions& options) {
    m_undo.push(new OptionsCommand(*this, title, m_options, options));
}

void Document::refuse(const Diagnostics& diagnostics) {
    QString why = QString::fromStdString(diagnostics.empty() ? std::string() : diagnostics.front().message);
    if (!diagnostics.empty() && !diagnostics.front().hint.empty())
        why += " — " + QString::fromStdString(diagnostics.front().hint);
    emit editRefused(why);
}

void Document::previewEdge(PoolId pool, bool isEnd, Address to) {
    if (!m_pools)
        return;
    auto edited = withMovedEdge(*m_pools, pool, isEnd, to);
    if (!edited)
        return refuse(edited.error());
    m_preview = std::move(*edited);
    emit poolsChanged(true);
}

void Document::cancelPreview() {
    if (!m_preview)
        return;
    m_preview.reset();
    emit poolsChanged(false);
}

void Document::commitEdge(PoolId pool, bool isEnd, Address to) {
    if (!m_pools)
        return;
    m_preview.reset();
    auto edited = withMovedEdge(*m_pools, pool, isEnd, to);
    if (!edited) {
        refuse(edited.error());
        emit poolsChanged(false);
        return;
    }
    const QString name = QString::fromStdString((*m_pools)[pool].name);
    push(isEnd ? tr("Move end of %1").arg(name) : tr("Move start of %1").arg(name), pool.index * 2 + isEnd, *edited);
}

void Document::commitPool(PoolId pool, const mpool::Pool& wanted, const QString& what) {
    if (!m_pools)
        return;
    commit(tr("Change %1 of %2").arg(what, QString::fromStdString((*m_pools)[pool].name)),
           withPool(*m_pools, pool, wanted));
}

void Document::commit(const QString& title, const Result<mpool::PoolFile>& after) {
    if (!m_pools)
        return;
    m_preview.reset();
    if (after)
        return push(title, -1, *after);
    refuse(after.error());
    emit poolsChanged(false); // fields fall back to what is true
}

void Document::push(const QString& title, int mergeId, const mpool::PoolFile& after) {
    if (after.text == m_pools->text) {
        emit poolsChanged(false);
        return;
    }
    m_undo.push(new PoolCommand(*this, title, mergeId, *m_pools, after));
}

void Document::setPools(const mpool::PoolFile& pools) {
    m_preview.reset();
    m_pools = pools;
    storeAutosave();
    emit poolsChanged(false);
    emit problemsChanged();
}

void Document::storeAutosave() {
    if (m_pools->text == m_savedText)
        m_autosave.remove(m_poolPath);
    else
        m_autosave.store(m_poolPath, QString::fromStdString(m_pools->text));
}

void Document::setReport(const report::ReportPtr& report, const std::string& poolText) {
    m_report = report;
    if (poolText == m_savedText && !isPreview())
        m_baseline = report;
    emit reportChanged();
}

void Document::openReport(const report::ReportPtr& report, const QString& path) {
    m_model.clear();
    m_poolPath.clear();
    m_reportPath = path;
    m_pools.reset();
    m_preview.reset();
    m_undo.clear();
    m_fileProblems.clear();
    m_compileProblems.clear();
    m_report = report;
    m_baseline.reset();
    emit modelChanged();
    emit poolsChanged(false);
    emit reportChanged();
    emit problemsChanged();
    emit titleChanged();
}

void Document::setCompileProblems(const Diagnostics& diagnostics) {
    m_compileProblems = diagnostics;
    emit problemsChanged();
}

Diagnostics Document::problems() const {
    Diagnostics all = m_fileProblems;
    all.insert(all.end(), m_compileProblems.begin(), m_compileProblems.end());
    if (m_pools)
        all.insert(all.end(), pools().findings.begin(), pools().findings.end());
    return all;
}

QString Document::title() const {
    QStringList parts;
    for (const QString& path : {m_model, m_poolPath, m_reportPath})
        if (!path.isEmpty())
            parts << QFileInfo(path).fileName();
    return parts.isEmpty() ? QString() : parts.join(" — ") + "[*]";
}

} // namespace poolwright::app
