// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "document/autosave.h"
#include "mpool/pool.h"
#include "mpool/read.h"
#include "options/options.h"
#include "report/report.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>

namespace poolwright::app {

/// What is open: a model (by path), a pool file (by value, with undo), the options, and the newest report. Knows no
/// widgets.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    void setBanks(std::vector<mpool::BankRange> banks) { m_banks = std::move(banks); }
    void setAutosave(Autosave autosave) { m_autosave = std::move(autosave); }

    /// A file that cannot be opened leaves everything as it was; problems() then says why.
    bool setModel(const QString& path);
    bool openPools(const QString& path);
    /// Takes edited text that an earlier session could not save; the file's own text stays the saved state.
    bool recover(const QString& text);
    bool savePools(const QString& path = {});
    void setOptions(const options::CompilerOptions& options);
    /// The same as one step that can be undone.
    void commitOptions(const QString& title, const options::CompilerOptions& options);

    /// While dragging: shown and planned, but not part of the document.
    void previewEdge(PoolId pool, bool isEnd, Address to);
    void cancelPreview();
    void commitEdge(PoolId pool, bool isEnd, Address to);
    void commitPool(PoolId pool, const mpool::Pool& wanted, const QString& what);
    /// Any other edit: `after` is what mpool/edit.h answered for pools().
    void commit(const QString& title, const Result<mpool::PoolFile>& after);

    /// The report of pools(); it becomes the baseline when these are the saved ones.
    void setReport(const report::ReportPtr& report, const std::string& poolText);
    /// A report of artefacts: there is no pool file to edit.
    void openReport(const report::ReportPtr& report, const QString& path);
    void setCompileProblems(const Diagnostics& diagnostics);

    bool hasPools() const { return m_pools.has_value(); }
    /// The preview while there is one, else the document's.
    const mpool::PoolFile& pools() const { return m_preview ? *m_preview : *m_pools; }
    bool isPreview() const { return m_preview.has_value(); }
    QString modelPath() const { return m_model; }
    QString poolPath() const { return m_poolPath; }
    QString reportPath() const { return m_reportPath; }
    const options::CompilerOptions& options() const { return m_options; }
    const report::ReportPtr& report() const { return m_report; }
    const report::ReportPtr& baseline() const { return m_baseline; }
    /// Of the files and the last compile; the report has its own.
    Diagnostics problems() const;
    /// Of the pool file; options are part of no file.
    bool isModified() const { return m_pools && m_pools->text != m_savedText; }
    QUndoStack& undoStack() { return m_undo; }
    const Autosave& autosave() const { return m_autosave; }
    /// "keyword_spotting — stm32n6570-dk.mpool"; [*] marks where Qt shows the dirty sign.
    QString title() const;

signals:
    void modelChanged();
    void optionsChanged();
    /// Pools as shown; `preview` while dragging.
    void poolsChanged(bool preview);
    void reportChanged();
    void problemsChanged();
    void titleChanged();
    /// An edit that made no sense; nothing was changed.
    void editRefused(const QString& why);

private:
    friend class PoolCommand;
    void setPools(const mpool::PoolFile& pools);
    void push(const QString& title, int mergeId, const mpool::PoolFile& after);
    void refuse(const Diagnostics& diagnostics);
    void storeAutosave();

    std::vector<mpool::BankRange> m_banks;
    Autosave m_autosave;
    QString m_model, m_poolPath, m_reportPath;
    options::CompilerOptions m_options;
    std::optional<mpool::PoolFile> m_pools, m_preview;
    std::string m_savedText;
    QUndoStack m_undo;
    report::ReportPtr m_report, m_baseline;
    Diagnostics m_fileProblems, m_compileProblems;
};

} // namespace poolwright::app
