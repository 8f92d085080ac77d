// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <set>

using namespace poolwright;

namespace {

/// "%1", "%2", "%n" of a text: a translation must use the same ones.
std::set<QString> placeholders(const QString& text) {
    std::set<QString> found;
    static const QRegularExpression form("%([0-9]|n)");
    for (auto it = form.globalMatch(text); it.hasNext();)
        found.insert(it.next().captured());
    return found;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void catalogueIsComplete_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("German") << "poolwright_de.ts";
        QTest::newRow("English plurals") << "poolwright_en.ts";
    }
    void catalogueIsComplete() {
        QFETCH(QString, name);
        QFile file(QStringLiteral(POOLWRIGHT_SOURCE_DIR "/translations/") + name);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        QXmlStreamReader xml(&file);
        QString source;
        int messages = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement())
                continue;
            if (xml.name() == QLatin1String("source")) {
                source = xml.readElementText();
                ++messages;
            } else if (xml.name() == QLatin1String("translation")) {
                QVERIFY2(!xml.attributes().hasAttribute("type"), qPrintable("unfinished: " + source));
                const QString target = xml.readElementText(QXmlStreamReader::IncludeChildElements);
                QVERIFY2(!target.trimmed().isEmpty() || source.trimmed().isEmpty(), qPrintable("empty: " + source));
                QVERIFY2(placeholders(source) == placeholders(target), qPrintable(source + " / " + target));
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(messages > 0);
    }
};

QTEST_APPLESS_MAIN(TestTranslations)
#include "tst_translations.moc"
