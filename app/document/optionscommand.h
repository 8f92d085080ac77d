// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/options.h"

#include <QUndoCommand>

namespace poolwright::app {

class Document;

/// All options at once, from one state to another.
class OptionsCommand : public QUndoCommand {
public:
    OptionsCommand(Document& document, const QString& title, options::CompilerOptions before,
                   options::CompilerOptions after);
    void undo() override;
    void redo() override;

private:
    Document& m_document;
    options::CompilerOptions m_before, m_after;
};

} // namespace poolwright::app
