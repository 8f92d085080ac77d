// SPDX-License-Identifier: Apache-2.0
#include "document/optionscommand.h"

#include "document/document.h"

namespace poolwright::app {

OptionsCommand::OptionsCommand(Document& document, const QString& title, options::CompilerOptions before,
                               options::CompilerOptions after)
    : QUndoCommand(title)
    , m_document(document)
    , m_before(std::move(before))
    , m_after(std::move(after)) {
    setObsolete(m_before == m_after);
}

void OptionsCommand::undo() {
    m_document.setOptions(m_before);
}

void OptionsCommand::redo() {
    m_document.setOptions(m_after);
}

} // namespace poolwright::app
