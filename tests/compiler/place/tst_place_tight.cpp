// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "place/csv.h"

#include <QtTest>

using namespace poolwright;
using namespace poolwright::place;

/// The tight public instances (bench/minimalloc) at their published capacity. The answer is checked here, pair by pair.
class TestPlaceTight : public QObject {
    Q_OBJECT
private slots:
    void solvedAtCapacity_data();
    void solvedAtCapacity();
};

void TestPlaceTight::solvedAtCapacity_data() {
    QTest::addColumn<QString>("file");
    for (const char* letter : {"A", "B", "C", "D", "E", "G", "H", "I", "K"})
        QTest::newRow(letter) << QString("challenging/%1.1048576.csv").arg(letter);
}

void TestPlaceTight::solvedAtCapacity() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QString, file);
    const auto path = test::sharedFolder() / "bench/minimalloc" / file.toStdString();
    const auto buffers = readCsv(test::readFile(path), path.string());
    POOLWRIGHT_VERIFY_RESULT(buffers);
    const SinglePoolResult result = packIntoOne(*buffers, 1048576);
    QCOMPARE(result.offsets.size(), buffers->size());
    for (std::size_t a = 0; a < buffers->size(); ++a) {
        const BufferSpec& first = (*buffers)[a];
        QVERIFY(result.offsets[a] >= 0 && result.offsets[a] + first.size.value <= 1048576);
        for (std::size_t b = 0; b < a; ++b) {
            const BufferSpec& second = (*buffers)[b];
            const bool together = first.live.first <= second.live.last && second.live.first <= first.live.last;
            const bool apart = result.offsets[a] >= result.offsets[b] + second.size.value ||
                               result.offsets[b] >= result.offsets[a] + first.size.value;
            QVERIFY2(!together || apart, (first.name + " and " + second.name).c_str());
        }
    }
}

QTEST_APPLESS_MAIN(TestPlaceTight)
#include "tst_place_tight.moc"
