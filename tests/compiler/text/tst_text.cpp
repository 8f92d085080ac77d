// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"
#include "text/crc32.h"
#include "text/csv.h"
#include "text/escape.h"
#include "text/numbers.h"
#include "text/similar.h"

#include <QtTest>

#include <clocale>
#include <limits>

using namespace poolwright;
using namespace poolwright::text;

class TestText : public QObject {
    Q_OBJECT

private slots:
    void doublesAreShortAndExact() {
        QCOMPARE(formatDouble(2.5), std::string("2.5"));
        QCOMPARE(formatDouble(5), std::string("5"));
        QCOMPARE(formatDouble(0.1), std::string("0.1"));
        QCOMPARE(formatFixed(13.584, 1), std::string("13.6"));
        for (double value : {1.0 / 3, 1e300, -2.2250738585072014e-308, 12345678.9})
            QCOMPARE(parseDouble(formatDouble(value)).value(), value);
    }

    void numbersIgnoreTheLocale() {
        const char* changed = std::setlocale(LC_ALL, "de_DE.UTF-8");
        QCOMPARE(formatDouble(1.5), std::string("1.5"));
        QCOMPARE(parseDouble("1.5").value(), 1.5);
        std::setlocale(LC_ALL, "C");
        if (!changed)
            QWARN("no German locale here: tried with C alone");
    }

    void wholeTextMustBeANumber() {
        QVERIFY(!parseDouble("1.5x") && !parseDouble("") && !parseDouble("1,5"));
        QCOMPARE(parseInteger("-12").value(), -12);
        QVERIFY(!parseInteger("9223372036854775808") && !parseInteger("0x10") && !parseInteger("+-1"));
        QCOMPARE(parseUnsigned("0x342E0000").value(), 0x342e0000u);
        QCOMPARE(parseUnsigned("18446744073709551615").value(), std::numeric_limits<std::uint64_t>::max());
        QVERIFY(!parseUnsigned("-1") && !parseUnsigned("0x") && !parseUnsigned("0x10000000000000000"));
        QCOMPARE(formatHex(0x1c0, 8, true), std::string("0x000001C0"));
    }

    // Check value of the CRC catalogue for "123456789".
    void crcOfTheCheckString() {
        QCOMPARE(crc32("123456789"), 0xcbf43926u);
        QCOMPARE(crc32("6789", crc32("12345")), 0xcbf43926u);
        QCOMPARE(crc32(""), 0u);
    }

    void csvRoundTrip() {
        const std::vector<CsvRow> rows = {{"a", "b,c", "say \"x\""}, {"", "two\nlines", " spaced "}, {""}};
        std::string written;
        for (const CsvRow& row : rows)
            written += csvLine(row);
        QCOMPARE(written, std::string("a,\"b,c\",\"say \"\"x\"\"\"\n,\"two\nlines\", spaced \n\n"));
        const auto read = readCsv(written, "x.csv");
        POOLWRIGHT_VERIFY_RESULT(read);
        QVERIFY(*read == rows);
    }

    void csvReadsSampleOfThe621Epochs() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto rows =
            readCsv(test::readFile(test::sharedFolder() / "samples/csv/laroche-g800.network.csv"), "g800");
        POOLWRIGHT_VERIFY_RESULT(rows);
        QCOMPARE(rows->at(0).size(), std::size_t(51)); // facts/file-formats.md section 4
        QCOMPARE(rows->at(622), CsvRow{""});           // header, 621 epochs, blank line
    }

    void csvNamesTheLineOfAnOpenQuote() {
        const auto rows = readCsv("a\n\"b\nc\"\n\"d", "x.csv");
        QVERIFY(!rows);
        QCOMPARE(rows.error().front().where.line, 4);
    }

    void escapes() {
        QCOMPARE(jsonQuote("a\"\\\n\x01"), std::string("\"a\\\"\\\\\\n\\u0001\""));
        QCOMPARE(cEscape("\x01"
                         "1\xc3??"),
                 std::string("\\0011\\303\\?\\?"));
        QCOMPARE(cIdentifier("3d-net.v2"), std::string("_3d_net_v2"));
        QCOMPARE(dotEscape("a\"b\\l"), std::string("a\\\"b\\\\l"));
        QCOMPARE(dotRecordEscape("{a|b}\n"), std::string("\\{a\\|b\\}\\l"));
    }

    void utf8() {
        QVERIFY(isUtf8("Gr\xc3\xb6\xc3\x9f"
                       "e \xf0\x9f\x98\x80"));
        QVERIFY(!isUtf8("\xe9t\xe9"));        // Latin-1
        QVERIFY(!isUtf8("\xc0\xaf"));         // over-long
        QVERIFY(!isUtf8("\xed\xa0\x80"));     // surrogate
        QVERIFY(!isUtf8("\xf4\x90\x80\x80")); // beyond U+10FFFF
        QVERIFY(!isUtf8("\xc3"));
    }

    void nearestNamesOfAMisspelling() {
        QCOMPARE(nearestNames("byte_widht", {"rights", "byteWidth", "freqRatio"}, 1).at(0), std::string("byteWidth"));
        QCOMPARE(nearestNames("through_put", {"rights", "throughput"}, 1).at(0), std::string("throughput"));
        QVERIFY(nearestNames("zzzzzzzz", {"rights", "size"}).empty());
        QCOMPARE(joinedWithOr({"a", "b", "c"}), std::string("a, b or c"));
    }
};

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
