// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"
#include "text/json.h"

#include <QtTest>

#include <random>

using namespace poolwright;
using namespace poolwright::text;

static JsonOptions tolerant() {
    return {Tolerance::Accept, Tolerance::Accept, Tolerance::Accept, 200};
}

class TestJson : public QObject {
    Q_OBJECT

private slots:
    void keepsPositionsOrderAndNumberText() {
        const std::string source = "{\n  \"b\": 2.50,\n\t\"a\": [true, null, \"\xc3\xa4\", -1e3]\n}";
        const auto document = parseJson(source, "x.json");
        POOLWRIGHT_VERIFY_RESULT(document);
        const JsonValue& root = document->root;
        QCOMPARE(root.members.size(), std::size_t(2));
        QCOMPARE(root.members[0].key, std::string("b"));
        const JsonValue& number = root.members[0].value;
        QCOMPARE(number.text, std::string("2.50"));
        QCOMPARE(source.substr(number.span.begin, number.span.size()), std::string("2.50"));
        QVERIFY((number.position == Position{2, 8}));
        QVERIFY((root.members[1].keyPosition == Position{3, 2}));
        const JsonValue& list = root.members[1].value;
        QVERIFY((list.items[2].position == Position{3, 20}));
        QVERIFY((list.items[3].position == Position{3, 25})); // the umlaut is one column
        QCOMPARE(list.items[3].asDouble().value(), -1000.0);
        QCOMPARE(source.substr(list.span.begin, list.span.size()), std::string("[true, null, \"\xc3\xa4\", -1e3]"));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const QByteArray& source, int line, int column,
                            const char* code = "PW1001") {
            QTest::newRow(name) << source << line << column << QString(code);
        };
        row("empty", "", 1, 1);
        row("missing comma", "{\n\"a\": 1\n\"b\": 2}", 3, 1);
        row("missing colon", "{\"a\" 1}", 1, 6);
        row("bare key", "{a: 1}", 1, 2);
        row("single quotes", "{\"a\": 'b'}", 1, 7);
        row("never closed object", "{\n  \"a\": {\n", 3, 1);
        row("never closed array", "[1, 2", 1, 1);
        row("open string", "{\"a\": \"b\n\"}", 1, 7);
        row("open string at end", "\"abc", 1, 1);
        row("hexadecimal", "[0x10]", 1, 2);
        row("leading zero", "[012]", 1, 2);
        row("no fraction", "[1.]", 1, 2);
        row("no exponent", "[1e]", 1, 2);
        row("bad escape", "[\"C:\\data\"]", 1, 5);
        row("half surrogate", "[\"\\ud800\"]", 1, 3);
        row("bad unicode", "[\"\\u12g4\"]", 1, 3);
        row("trailing comma", "[1,\r\n2,]", 2, 2);
        row("comment", "// x\n{}", 1, 1);
        row("continued string", "[\"a\\\nb\"]", 1, 4);
        row("text behind", "{} x", 1, 4);
        row("word", "[nul]", 1, 2);
        row("Latin-1", "{\"a\": \"\xe9\"}", 1, 8, "PW1004");
        row("UTF-16", QByteArray("\xff\xfe{\0", 4), 1, 1, "PW1004");
        row("NUL", QByteArray("{}\0", 3), 1, 3, "PW1004");
        row("deep array", QByteArray(100000, '['), 1, 202, "PW1005");
        QByteArray deep;
        for (int i = 0; i < 50000; ++i)
            deep += "{\"a\":";
        row("deep object", deep, 1, 5 * 201 + 1, "PW1005");
    }

    void refuses() {
        QFETCH(QByteArray, source);
        const auto document = parseJson(source.toStdString(), "x.json");
        QVERIFY(!document);
        const Diagnostic& error = document.error().front();
        QTEST(QString::fromStdString(error.code), "code");
        QTEST(error.where.line, "line");
        QTEST(error.where.column, "column");
        QVERIFY(!error.hint.empty());
    }

    void toleratesOnRequest() {
        const std::string source = "\xef\xbb\xbf// head\r\n{ /* in */ \"a\": \"one\\\r\n  two\", \"l\": [1,],\r\n}\r\n";
        const auto document = parseJson(source, "x.json", tolerant());
        POOLWRIGHT_VERIFY_RESULT(document);
        QVERIFY(document->warnings.empty());
        QCOMPARE(document->root.find("a")->text, std::string("one  two"));
        QVERIFY((document->root.member("l")->keyPosition == Position{3, 9}));
        JsonOptions warning = tolerant();
        warning.trailingCommas = Tolerance::Warn;
        const auto warned = parseJson(source, "x.json", warning);
        QCOMPARE(warned->warnings.size(), std::size_t(2));
        QCOMPARE(warned->warnings[0].code, std::string("PW1003"));
        QCOMPARE(warned->warnings[0].where.line, 3);
        QCOMPARE(warned->warnings[0].where.column, 16);
    }

    void doubledKeysAreNamed() {
        const auto document = parseJson("{\"a\": 1,\n \"a\": 2}", "x.json");
        POOLWRIGHT_VERIFY_RESULT(document);
        QCOMPARE(document->warnings.size(), std::size_t(1));
        QCOMPARE(document->warnings[0].code, std::string("PW1002"));
        QCOMPARE(document->warnings[0].where.line, 2);
        QCOMPARE(document->root.find("a")->text, std::string("2"));
    }

    void decodesEscapes() {
        const auto document = parseJson("[\"\\u00e4\\ud83d\\ude00\\t\\\"\\\\\\/\"]", "x.json");
        POOLWRIGHT_VERIFY_RESULT(document);
        QCOMPARE(document->root.items[0].text, std::string("\xc3\xa4\xf0\x9f\x98\x80\t\"\\/"));
    }

    void stringOffsetsFollowTheSource() {
        const std::string source = "[\"a\\\n b\\u00e4\\ud83d\\ude00c\"]";
        const auto document = parseJson(source, "x.json", tolerant());
        POOLWRIGHT_VERIFY_RESULT(document);
        const JsonValue& value = document->root.items[0];
        const auto offsets = stringOffsets(source, value.span);
        QCOMPARE(offsets.size(), value.text.size() + 1);
        QCOMPARE(source[offsets[value.text.find('b')]], 'b');
        QCOMPARE(source[offsets[value.text.find('c')]], 'c');
        QCOMPARE(source[offsets.back()], '"');
    }

    void editsMayComeInAnyOrder() {
        QCOMPARE(applyEdits("abcdef", {{{4, 5}, "E"}, {{0, 1}, "AA"}, {{2, 2}, "x"}, {{2, 2}, "y"}}),
                 std::string("AAbxycdEf"));
    }

    void compactFormReadsBack() {
        const std::string source = "{ \"a\": [1.50, \"x\\\"\"], \"b\": { }, \"c\": null }";
        const auto document = parseJson(source, "x.json");
        POOLWRIGHT_VERIFY_RESULT(document);
        QCOMPARE(toCompactJson(document->root), std::string("{ \"a\": [1.50, \"x\\\"\"], \"b\": {}, \"c\": null }"));
    }

    /// Any bytes give a value or a diagnostic inside the text.
    void survivesNoise() {
        std::mt19937 random(1);
        const std::string alphabet = "{}[]\",:\\/*\n\r\t 01.eEu-+atrfnl\xc3\xa4";
        for (int round = 0; round < 20000; ++round) {
            std::string source(random() % 40, ' ');
            for (char& c : source)
                c = alphabet[random() % alphabet.size()];
            const auto document = parseJson(source, "noise", tolerant());
            if (document)
                QVERIFY(document->root.span.end <= source.size());
            else
                QVERIFY(document.error().front().where.line >= 1 && document.error().front().where.column >= 1);
        }
    }

    void linearOnManyWarnings() {
        JsonOptions options;
        options.comments = Tolerance::Warn;
        std::string source;
        for (int i = 0; i < 300000; ++i)
            source += "//\n";
        const auto document = parseJson(source + "{}", "x.json", options);
        POOLWRIGHT_VERIFY_RESULT(document);
        QCOMPARE(document->warnings.back().where.line, 300000);
    }
};

QTEST_APPLESS_MAIN(TestJson)
#include "tst_json.moc"
