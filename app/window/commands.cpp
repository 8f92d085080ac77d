// SPDX-License-Identifier: Apache-2.0
#include "window/commands.h"

#include <QCoreApplication>

#include <vector>

namespace poolwright::app {

const std::vector<CommandInfo>& allCommands() {
    using Id = CommandId;
    static const std::vector<CommandInfo> commands = {
        {Id::OpenModel, QT_TRANSLATE_NOOP("Commands", "Open &model…"), "Ctrl+O",
         QT_TRANSLATE_NOOP("Commands", "Opens a quantised ONNX model")},
        {Id::OpenPools, QT_TRANSLATE_NOOP("Commands", "Open memory &pools…"), "Ctrl+P",
         QT_TRANSLATE_NOOP("Commands", "Opens a memory-pool file (.mpool)")},
        {Id::OpenArtefacts, QT_TRANSLATE_NOOP("Commands", "Open &artefacts…"), "Ctrl+Shift+O",
         QT_TRANSLATE_NOOP("Commands", "Shows what a compiler wrote: c_info.json, ours or ST's")},
        {Id::SavePools, QT_TRANSLATE_NOOP("Commands", "&Save pools"), "Ctrl+S",
         QT_TRANSLATE_NOOP("Commands", "Saves the memory-pool file; only edited characters change")},
        {Id::SavePoolsAs, QT_TRANSLATE_NOOP("Commands", "Save pools &as…"), "Ctrl+Shift+S",
         QT_TRANSLATE_NOOP("Commands", "Saves the memory-pool file under another name")},
        {Id::WriteArtefacts, QT_TRANSLATE_NOOP("Commands", "&Write artefacts…"), "Ctrl+Shift+W",
         QT_TRANSLATE_NOOP("Commands", "Writes network.c, initialisers, csv and all the others into a folder")},
        {Id::ExportPanel, QT_TRANSLATE_NOOP("Commands", "&Export panel…"), "Ctrl+E",
         QT_TRANSLATE_NOOP("Commands", "Saves the panel that has the focus as a picture or table")},
        {Id::Quit, QT_TRANSLATE_NOOP("Commands", "&Quit"), "Ctrl+Q",
         QT_TRANSLATE_NOOP("Commands", "Leaves the program")},
        {Id::Undo, QT_TRANSLATE_NOOP("Commands", "&Undo"), "Ctrl+Z",
         QT_TRANSLATE_NOOP("Commands", "Takes the last edit back")},
        {Id::Redo, QT_TRANSLATE_NOOP("Commands", "&Redo"), "Ctrl+Shift+Z",
         QT_TRANSLATE_NOOP("Commands", "Makes the edit that was taken back again")},
        {Id::Find, QT_TRANSLATE_NOOP("Commands", "&Find"), "Ctrl+F",
         QT_TRANSLATE_NOOP("Commands", "Searches the epoch graph for an epoch, operator or buffer")},
        {Id::Compile, QT_TRANSLATE_NOOP("Commands", "&Compile"), "F5",
         QT_TRANSLATE_NOOP("Commands", "Compiles the model with these pools and options")},
        {Id::Stop, QT_TRANSLATE_NOOP("Commands", "&Stop"), "Shift+F5",
         QT_TRANSLATE_NOOP("Commands", "Stops the running compile")},
        {Id::SearchOptions, QT_TRANSLATE_NOOP("Commands", "Search &options"), "F6",
         QT_TRANSLATE_NOOP("Commands", "Tries the combinations of options that are left open, in the background")},
        {Id::TogglePool, QT_TRANSLATE_NOOP("Commands", "Switch pool &off or on"), "Ctrl+D",
         QT_TRANSLATE_NOOP("Commands",
                           "Sets the size of the selected pool to 0, or gives it the free room behind its start")},
        {Id::CloseHole, QT_TRANSLATE_NOOP("Commands", "C&lose hole behind"), "Ctrl+L",
         QT_TRANSLATE_NOOP("Commands", "Lengthens the selected pool up to the next one")},
        {Id::OpenHole, QT_TRANSLATE_NOOP("Commands", "Open &hole behind"), "Ctrl+H",
         QT_TRANSLATE_NOOP("Commands",
                           "Shortens the selected pool by one byte, so that it is not grouped with the next one")},
        {Id::MergeWithNext, QT_TRANSLATE_NOOP("Commands", "&Merge with next"), "Ctrl+M",
         QT_TRANSLATE_NOOP("Commands", "Makes one pool of the selected one and the one that touches its end")},
        {Id::NextEpoch, QT_TRANSLATE_NOOP("Commands", "&Next epoch"), "Alt+Right",
         QT_TRANSLATE_NOOP("Commands", "Goes to the next epoch in all panels")},
        {Id::PreviousEpoch, QT_TRANSLATE_NOOP("Commands", "&Previous epoch"), "Alt+Left",
         QT_TRANSLATE_NOOP("Commands", "Goes to the epoch before in all panels")},
        {Id::GoToPeak, QT_TRANSLATE_NOOP("Commands", "Go to pea&k"), "Ctrl+K",
         QT_TRANSLATE_NOOP("Commands", "Goes to the epoch with most bytes alive")},
        {Id::ZoomIn, QT_TRANSLATE_NOOP("Commands", "Zoom &in"), "Ctrl++",
         QT_TRANSLATE_NOOP("Commands", "Shows less of the axis of the panel that has the focus")},
        {Id::ZoomOut, QT_TRANSLATE_NOOP("Commands", "Zoom &out"), "Ctrl+-",
         QT_TRANSLATE_NOOP("Commands", "Shows more of the axis of the panel that has the focus")},
        {Id::ZoomToFit, QT_TRANSLATE_NOOP("Commands", "Zoom to &fit"), "Ctrl+0",
         QT_TRANSLATE_NOOP("Commands", "Shows everything")},
        {Id::ClearSelection, QT_TRANSLATE_NOOP("Commands", "&Clear selection"), "Ctrl+Shift+A",
         QT_TRANSLATE_NOOP("Commands", "Forgets the selected buffer, epoch and pool")},
        {Id::ThemeSystem, QT_TRANSLATE_NOOP("Commands", "As the &system"), "",
         QT_TRANSLATE_NOOP("Commands", "Light or dark as the desktop is")},
        {Id::ThemeLight, QT_TRANSLATE_NOOP("Commands", "&Light"), "",
         QT_TRANSLATE_NOOP("Commands", "Dark text on light ground")},
        {Id::ThemeDark, QT_TRANSLATE_NOOP("Commands", "&Dark"), "",
         QT_TRANSLATE_NOOP("Commands", "Light text on dark ground")},
        {Id::ResetLayout, QT_TRANSLATE_NOOP("Commands", "&Reset layout"), "",
         QT_TRANSLATE_NOOP("Commands", "Puts all panels where they were at the first start")},
        {Id::Help, QT_TRANSLATE_NOOP("Commands", "&Help"), "F1", QT_TRANSLATE_NOOP("Commands", "Opens the help pages")},
        {Id::Shortcuts, QT_TRANSLATE_NOOP("Commands", "&Keyboard shortcuts"), "Ctrl+?",
         QT_TRANSLATE_NOOP("Commands", "Lists every command with its keys")},
        {Id::About, QT_TRANSLATE_NOOP("Commands", "&About Poolwright"), "",
         QT_TRANSLATE_NOOP("Commands", "Version and licence")},
    };
    return commands;
}

static QAction::MenuRole roleOf(CommandId id) {
    return id == CommandId::Quit ? QAction::QuitRole : id == CommandId::About ? QAction::AboutRole : QAction::NoRole;
}

QString Commands::tipOf(CommandId id) {
    for (const CommandInfo& info : allCommands())
        if (info.id == id)
            return QCoreApplication::translate("Commands", info.tip);
    return {};
}

Commands::Commands(QObject* owner) {
    for (const CommandInfo& info : allCommands()) {
        auto* action = new QAction(QCoreApplication::translate("Commands", info.text), owner);
        const QKeySequence keys(QString::fromLatin1(info.keys), QKeySequence::PortableText);
        const QString tip = QCoreApplication::translate("Commands", info.tip);
        action->setShortcut(keys);
        action->setToolTip(keys.isEmpty() ? tip : tip + "  (" + keys.toString(QKeySequence::NativeText) + ')');
        action->setStatusTip(tip);
        action->setMenuRole(roleOf(info.id));
        m_actions[info.id] = action;
    }
}

} // namespace poolwright::app
