// SPDX-License-Identifier: Apache-2.0
// Commands on the selected pool, and options of shipped profiles.
#include "window/mainwindow.h"

#include "mpool/diff.h"
#include "mpool/edit.h"
#include "mpool/virtual.h"
#include "options/profile.h"
#include "window/resourcefolder.h"

#include <QFile>
#include <QStatusBar>

namespace poolwright::app {

using Id = CommandId;

static Result<options::ProfileFile> shippedProfiles() {
    const QString path = resourceFolder("mpools") + "/profiles.json";
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(makeError("PW6052", "the built-in profiles are not installed", {path.toStdString(), 0, 0, {}}));
    return options::readProfiles(file.readAll().toStdString(), path.toStdString());
}

void MainWindow::loadProfiles() {
    QStringList names;
    if (const auto profiles = shippedProfiles())
        for (const std::string& name : profiles->names())
            names << QString::fromStdString(name);
    m_panels.options->setProfiles(names);
}

/// Options alone: the pool file stays the one that is open.
void MainWindow::applyProfile(const QString& name) {
    const auto profiles = shippedProfiles();
    const auto resolved = profiles ? options::resolveProfile(*profiles, name.toStdString())
                                   : Result<options::ResolvedProfile>(fail(profiles.error()));
    if (!resolved)
        return m_document.setCompileProblems(resolved.error());
    options::CompilerOptions options = resolved->options;
    options.loadMpool.clear();
    options.loadMdesc.clear();
    m_document.setOptions(options::withGivenRefreshed(std::move(options)));
    statusBar()->showMessage(tr("Options of the profile %1").arg(name), 4000);
}

/// The enabled pool with the lowest start at or behind the end of `pool`.
static std::optional<PoolId> nextPool(const mpool::PoolFile& file, PoolId pool) {
    std::optional<PoolId> best;
    for (std::size_t i = 0; i < file.pools.size(); ++i) {
        const AddressRange range = file.pools[i].range();
        if (PoolId(i) != pool && file.pools[i].isEnabled() && range.start >= file[pool].range().end() &&
            (!best || range.start < file[*best].range().start))
            best = PoolId(i);
    }
    return best;
}

void MainWindow::editSelectedPool(Id command) {
    if (!m_document.hasPools())
        return;
    const mpool::PoolFile& file = m_document.pools();
    const auto pool = file.find(m_panels.selection.pool().toStdString());
    if (!pool)
        return;
    const QString name = QString::fromStdString(file[*pool].name);
    const auto next = nextPool(file, *pool);
    if (command == Id::TogglePool) {
        if (file[*pool].isEnabled())
            return m_document.commit(tr("Switch %1 off").arg(name), mpool::disablePool(file, *pool));
        const Address start = file[*pool].range().start;
        const ByteCount room = next ? file[*next].range().start - start : ByteCount(448 * 1024);
        return m_document.commit(tr("Switch %1 on").arg(name),
                                 mpool::enablePool(file, *pool, std::min(room, ByteCount(1024 * 1024))));
    }
    if (!next)
        return statusBar()->showMessage(tr("There is no pool behind %1.").arg(name), 4000);
    if (command == Id::CloseHole)
        m_document.commit(tr("Close hole behind %1").arg(name), mpool::closeHole(file, *pool, *next));
    else if (command == Id::OpenHole)
        m_document.commit(tr("Open hole behind %1").arg(name), mpool::insertHole(file, *pool, *next));
    else
        m_document.commit(tr("Merge %1 with the next").arg(name), mpool::mergePools(file, *pool, *next));
}

void MainWindow::tellHoleConsequences() {
    if (!m_document.hasPools())
        return;
    const mpool::PoolFile& file = m_document.pools();
    const auto pool = file.find(m_panels.selection.pool().toStdString());
    const auto next = pool ? nextPool(file, *pool) : std::nullopt;
    const auto generation = mpool::generationFromVersion(m_document.options().runtimeGeneration);
    const auto tell = [&](Id command, const Result<mpool::PoolFile>& edited) {
        QStringList lines{Commands::tipOf(command)};
        if (edited)
            for (const mpool::Difference& difference : mpool::diffVirtualPools(file, *edited, generation))
                lines << QString::fromStdString(difference.sentence);
        m_commands[command]->setToolTip(lines.join('\n'));
        m_commands[command]->setStatusTip(lines.size() > 1 ? lines.mid(1).join(QStringLiteral("  ")) : lines.first());
    };
    const Result<mpool::PoolFile> nothing = tl::unexpected<Diagnostics>(Diagnostics{});
    tell(Id::OpenHole, next ? mpool::insertHole(file, *pool, *next) : nothing);
    tell(Id::CloseHole, next ? mpool::closeHole(file, *pool, *next) : nothing);
}

} // namespace poolwright::app
