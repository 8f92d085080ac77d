// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

#include <QElapsedTimer>
#include <QUndoCommand>

namespace poolwright::app {

class Document;

/// One edit of the pool file. Holds both states whole: a pool file is a few kilobytes.
class PoolCommand : public QUndoCommand {
public:
    /// Commands of the same `mergeId` (not -1) in quick succession become one: repeated key presses.
    PoolCommand(Document& document, const QString& title, int mergeId, mpool::PoolFile before, mpool::PoolFile after);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand* other) override;

    static constexpr int mergeWithinMilliseconds = 1200;

private:
    Document& m_document;
    int m_mergeId;
    mpool::PoolFile m_before, m_after;
    QElapsedTimer m_age;
};

} // namespace poolwright::app
