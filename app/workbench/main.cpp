// SPDX-License-Identifier: Apache-2.0
#include "common/palette.h"
#include "port/driver_port.h"
#include "target/machine.h"
#include "window/mainwindow.h"
#include "window/screenshots.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QLibraryInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QTranslator>

#include <cstdio>

using namespace poolwright;

namespace {

std::vector<widgets::addressmap::Bank> banksOf(const target::Target& target) {
    std::vector<widgets::addressmap::Bank> banks;
    for (const target::Bank& bank : target.banks)
        banks.push_back({QString::fromStdString(bank.name), bank.range, bank.external});
    return banks;
}

void setUpParser(QCommandLineParser& parser) {
    parser.setApplicationDescription(QApplication::translate("main", "Workbench for Neural-ART class NPUs"));
    parser.addHelpOption();
    parser.addVersionOption();
    QCommandLineOption screenshots(
        "screenshots", "Save pictures of the window and of every panel into this folder, then leave.", "folder");
    QCommandLineOption dark("dark", "Dark theme.");
    QCommandLineOption light("light", "Light theme.");
    QCommandLineOption scale("scale", "Scale of everything, for example 2.", "factor");
    for (QCommandLineOption* option : {&screenshots, &scale})
        option->setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({screenshots, dark, light, scale});
    parser.addPositionalArgument(
        "files", QApplication::translate("main", "Model (.onnx), memory pools (.mpool), artefacts"), "[files...]");
}

/// Qt reads the factor before QApplication exists, and it cannot be changed later.
void applyScale(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; ++i)
        if (QByteArray(argv[i]) == "--scale")
            qputenv("QT_SCALE_FACTOR", argv[i + 1]);
}

void loadTranslations(QApplication& application) {
    static QTranslator own, qt;
    // English has a catalogue too, for its plurals; the C locale finds none by name.
    if (own.load(QLocale(), "poolwright", "_", ":/i18n") || own.load(":/i18n/poolwright_en.qm"))
        application.installTranslator(&own);
    if (qt.load(QLocale(), "qtbase", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        application.installTranslator(&qt);
}

int takeScreenshots(const QCommandLineParser& parser) {
    // Pictures neither depend on what this user did before nor change it.
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    app::MainWindow window(app::makeDriverPort(), banksOf(target::builtinTarget()));
    window.openFiles(parser.positionalArguments());
    const QString suffix =
        (parser.isSet("dark") ? "-dark" : "") + (parser.isSet("scale") ? '-' + parser.value("scale") + 'x' : QString());
    return app::saveScreenshots(window, parser.value("screenshots"), suffix);
}

int runWindow(QApplication& application, const QCommandLineParser& parser) {
    app::MainWindow window(app::makeDriverPort(), banksOf(target::builtinTarget()));
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    window.document().setAutosave(app::Autosave(data + "/autosave"));
    window.show();
    if (!parser.positionalArguments().isEmpty())
        QTimer::singleShot(0, &window, [&] { window.openFiles(parser.positionalArguments()); });
    return application.exec();
}

} // namespace

int main(int argc, char** argv) {
    applyScale(argc, argv);
    QApplication::setOrganizationName("Poolwright");
    QApplication::setApplicationName("Poolwright");
    QApplication::setApplicationVersion(POOLWRIGHT_VERSION);
    QApplication application(argc, argv);
    loadTranslations(application);
    QCommandLineParser parser;
    setUpParser(parser);
    parser.process(application);
    int theme = parser.isSet("screenshots") ? 1 : QSettings().value("theme", 0).toInt();
    theme = parser.isSet("dark") ? 2 : parser.isSet("light") ? 1 : theme;
    widgets::applyTheme(application, widgets::Theme(theme));
    return parser.isSet("screenshots") ? takeScreenshots(parser) : runWindow(application, parser);
}
