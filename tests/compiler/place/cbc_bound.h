// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/problem.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <map>

/// The bound of bench/goals.md by Debian's CBC: every buffer chooses a pool, or the virtual one, in which its bytes may
/// be split at will; no pool holds more than its size in any epoch; addresses do not count.
namespace poolwright::test {

class PoolChoiceProgramme {
public:
    explicit PoolChoiceProgramme(const place::Problem& problem)
        : m_problem(problem) {
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            join(rootOf(int(b)), problem.buffers[b]);
        for (std::size_t p = 0; p < problem.pools.size(); ++p)
            if (!problem.pools[p].members.empty())
                m_group = int(p);
        for (const auto& [b, root] : m_roots)
            addBuffer(b, root);
        for (std::size_t p = 0; p < problem.pools.size(); ++p)
            for (int epoch = 0; epoch < int(m_held[p].size()); ++epoch)
                if (!m_held[p][epoch].isEmpty())
                    addRow(m_held[p][epoch], "<= " + QString::number(problem.pools[p].range.size.value));
    }

    QString text() const {
        return "Minimize\n obj:" + m_cost + "\nSubject To\n" + m_rows + "Binaries\n" + m_binaries + "End\n";
    }

private:
    struct Root {
        std::int64_t size = 0;
        EpochRange live;
        std::vector<double> cost; ///< by pool
    };

    int rootOf(int b) const {
        while (m_problem.buffers[std::size_t(b)].inside)
            b = m_problem.buffers[std::size_t(b)].inside->first;
        return b;
    }

    void join(int root, const place::BufferSpec& buffer) {
        const bool isNew = m_roots.count(root) == 0;
        Root& all = m_roots[root];
        all.size = m_problem.buffers[std::size_t(root)].size.value;
        all.live = isNew ? m_problem.buffers[std::size_t(root)].live : all.live;
        all.live = {std::min(all.live.first, buffer.live.first), std::max(all.live.last, buffer.live.last)};
        all.cost.resize(m_problem.pools.size());
        for (std::size_t p = 0; p < m_problem.pools.size(); ++p)
            for (const place::Access& access : buffer.accesses)
                all.cost[p] += double(access.readBytes) * m_problem.pools[p].readCyclesPerByte +
                               double(access.writeBytes) * m_problem.pools[p].writeCyclesPerByte;
    }

    bool inGroup(int p) const {
        return m_group >= 0 && std::ranges::count(m_problem.pools[std::size_t(m_group)].members, p) > 0;
    }

    bool mayHold(int p, int b, std::int64_t size) const {
        const place::PoolSpec& pool = m_problem.pools[std::size_t(p)];
        const place::PoolSpec& room = inGroup(p) ? m_problem.pools[std::size_t(m_group)] : pool;
        const place::BufferSpec& buffer = m_problem.buffers[std::size_t(b)];
        if (!pool.members.empty() || pool.writable == buffer.isConstant || size > room.range.size.value)
            return false;
        return !buffer.fixed || pool.range.contains(*buffer.fixed);
    }

    void addBuffer(int b, const Root& root) {
        QString one, split;
        for (int p = 0; p < int(m_problem.pools.size()); ++p) {
            if (!mayHold(p, b, root.size))
                continue;
            const QString name = QString("x%1_%2").arg(b).arg(p);
            m_cost += "\n + " + QString::number(root.cost[std::size_t(p)], 'f', 4) + " " + name;
            one += " + " + name;
            if (inGroup(p))
                split += " + " + name;
            else
                m_binaries += " " + name + "\n";
            for (int epoch = root.live.first; epoch <= root.live.last; ++epoch)
                m_held[std::size_t(p)][epoch] += "\n + " + QString::number(root.size) + " " + name;
        }
        addRow(one, "= 1");
        if (split.isEmpty())
            return;
        addRow(split + QString(" - z%1").arg(b), "= 0");
        m_binaries += QString(" z%1\n").arg(b);
    }

    void addRow(const QString& left, const QString& right) {
        m_rows += QString(" c%1:").arg(m_count++) + left + " " + right + "\n";
    }

    const place::Problem& m_problem;
    std::map<int, Root> m_roots;
    std::map<std::size_t, std::map<int, QString>> m_held; ///< by pool and epoch
    int m_group = -1, m_count = 0;
    QString m_cost, m_rows, m_binaries;
};

struct CbcAnswer {
    double bound = 0, seconds = 0;
};

inline bool hasCbc() {
    return !QStandardPaths::findExecutable("cbc").isEmpty();
}

/// The optimum, or when `seconds` run out the best bound so far.
inline CbcAnswer cbcBound(const place::Problem& problem, int seconds) {
    QTemporaryDir folder;
    QFile file(folder.filePath("pools.lp"));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(PoolChoiceProgramme(problem).text().toUtf8());
    file.close();
    QProcess cbc;
    cbc.start("cbc", {file.fileName(), "sec", QString::number(seconds), "solve"});
    cbc.waitForFinished(-1);
    const QString output = cbc.readAllStandardOutput();
    const auto number = [&](const char* label) {
        const auto match = QRegularExpression(QString(label) + R"(\s+([-+.eE0-9]+))").match(output);
        return match.hasMatch() ? match.captured(1).toDouble() : 0;
    };
    const double bound = number("Lower bound:");
    return {bound > 0 ? bound : number("Objective value:"), number("Total time \\(CPU seconds\\):")};
}

} // namespace poolwright::test
