// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QObject>
#include <QString>

#include <map>

namespace poolwright::app {

/// Every command of the window, named once; menus, the tool bar and the list of shortcuts in the help are made from
/// this.
enum class CommandId {
    OpenModel,
    OpenPools,
    OpenArtefacts,
    SavePools,
    SavePoolsAs,
    WriteArtefacts,
    ExportPanel,
    Quit,
    Undo,
    Redo,
    Find,
    Compile,
    Stop,
    SearchOptions,
    TogglePool,
    CloseHole,
    OpenHole,
    MergeWithNext,
    NextEpoch,
    PreviousEpoch,
    GoToPeak,
    ZoomIn,
    ZoomOut,
    ZoomToFit,
    ClearSelection,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    ResetLayout,
    Help,
    Shortcuts,
    About
};

struct CommandInfo {
    CommandId id;
    const char* text; ///< English, with the mnemonic; translated in the context "Commands"
    const char* keys; ///< in QKeySequence's portable form
    const char* tip;
};

const std::vector<CommandInfo>& allCommands();

/// One QAction for each command; tooltips say the shortcut.
class Commands {
public:
    explicit Commands(QObject* owner);
    QAction* operator[](CommandId id) const { return m_actions.at(id); }
    static QString tipOf(CommandId id);

private:
    std::map<CommandId, QAction*> m_actions;
};

} // namespace poolwright::app
