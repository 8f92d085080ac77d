// SPDX-License-Identifier: Apache-2.0
#include "document/poolcommand.h"

#include "document/document.h"

namespace poolwright::app {

PoolCommand::PoolCommand(Document& document, const QString& title, int mergeId, mpool::PoolFile before,
                         mpool::PoolFile after)
    : QUndoCommand(title)
    , m_document(document)
    , m_mergeId(mergeId)
    , m_before(std::move(before))
    , m_after(std::move(after)) {
    m_age.start();
    setObsolete(m_before.text == m_after.text);
}

void PoolCommand::undo() {
    m_document.setPools(m_before);
}

void PoolCommand::redo() {
    m_document.setPools(m_after);
}

bool PoolCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const PoolCommand*>(other);
    if (m_age.elapsed() > mergeWithinMilliseconds)
        return false;
    m_after = next->m_after;
    m_age.restart();
    setObsolete(m_before.text == m_after.text);
    return true;
}

} // namespace poolwright::app
