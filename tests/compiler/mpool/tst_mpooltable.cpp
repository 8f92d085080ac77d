// SPDX-License-Identifier: Apache-2.0
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "mpool/diff.h"
#include "mpool/edit.h"
#include "mpool/table.h"
#include "mpool/write.h"
#include "samples.h"
#include "text/json.h"
#endif

#include <QtTest>

using namespace poolwright;
using namespace poolwright::mpool;

class TestMpoolTable : public QObject {
    Q_OBJECT

private slots:
    /// cases/c12: the normalised table of its README.
    void caseUnits() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file =
            test::readMpool(test::sharedFolder() / "cases/c12-units-and-overlap/units.mpool", test::stm32n6Banks());
        const auto rows = tableRows(*file, false, RuntimeGeneration::V2);
        QCOMPARE(rows.size(), std::size_t(4));
        const auto check = [&](std::size_t i, const char* name, const char* state, std::uint64_t address,
                               std::int64_t bytes, const char* written) {
            QCOMPARE(rows[i].name, std::string(name));
            QCOMPARE(rows[i].state, std::string(state));
            QCOMPARE(rows[i].range.start.value, address);
            QCOMPARE(rows[i].range.size.value, bytes);
            QCOMPARE(rows[i].writtenSize, std::string(written));
        };
        check(0, "flexMEM", "disabled", 0x34000000, 0, "0 KBYTES");
        check(1, "A", "enabled", 0x34100000, 1048576, "1 MBYTES");
        check(2, "B", "enabled", 0x341C0000, 458752, "0x1C0 KBYTES");
        check(3, "C", "enabled", 873463808, 65536, "64 KBYTES");
        QCOMPARE(rows[3].writtenOffset, std::string("873463808 BYTES"));
        QVERIFY((rows[1].overlaps == std::vector<std::string>{"C", "B"}));
        const std::string text = tableAsText(*file, false, RuntimeGeneration::V2);
        QVERIFY2(text.find("C        0x34100000  0x34110000     65,536 B") != std::string::npos, text.c_str());
        // Nothing is rounded on save.
        QVERIFY(writeCanonical(*file).find("\"value\": \"0x1C0\", \"magnitude\": \"KBYTES\"") != std::string::npos);
        QVERIFY(writeCanonical(*file).find("\"value\": \"873463808\", \"magnitude\": \"BYTES\"") != std::string::npos);
    }

    void virtualPoolsAreNeverAddedToTotals() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readMpool(test::sharedFolder() / "cases/c06-virtual-hole/merged.mpool");
        QCOMPARE(tableRows(*file, true, RuntimeGeneration::V2).size(), std::size_t(6));
        QCOMPARE(totals(*file).internal.value, 2883584);
        QCOMPARE(totals(*file).external.value, 0);
        const auto json = text::parseJson(tableAsJson(*file, true, RuntimeGeneration::V2), "json");
        POOLWRIGHT_VERIFY_RESULT(json);
        const auto& last = json->root.find("pools")->items.back();
        QVERIFY(last.find("virtual")->boolean);
        QCOMPARE(last.find("members")->items.size(), std::size_t(5));
        QCOMPARE(json->root.find("totals")->find("internal_bytes")->text, std::string("2883584"));
    }

    void differencesOfAHole() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto folder = test::sharedFolder() / "cases/c06-virtual-hole";
        const auto merged = test::readMpool(folder / "merged.mpool"), hole = test::readMpool(folder / "hole.mpool");
        const auto differences = diffPools(*merged, *hole);
        QCOMPARE(differences.size(), std::size_t(1));
        QCOMPARE(differences[0].sentence, std::string("cpuRAM2: size 1,048,576 B -> 1,048,575 B"));
        const auto groups = diffVirtualPools(*merged, *hole, RuntimeGeneration::V2);
        QCOMPARE(groups.size(), std::size_t(2));
        QCOMPARE(groups[0].before, std::string("0x34100000, 2,883,584 B, MID/MID, ratio 2.5"));
        QCOMPARE(groups[1].after, std::string("0x34200000, 1,835,008 B, HIGH/LOW, ratio 1.25"));
        POOLWRIGHT_VERIFY_RESULT(text::parseJson(differencesAsJson(groups), "json"));
        QVERIFY(diffPools(*merged, *merged).empty());
    }

    void differencesOfManyKinds() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto a = test::readSample("chen-steel-user"), b = test::readSample("chen-steel-saved-by-atonn-1.0.0");
        std::string all;
        for (const Difference& difference : diffPools(*a, *b))
            all += difference.sentence + "\n";
        // Three shortened tails and the vendor's order; spellings do not count.
        QCOMPARE(all, std::string("npuRAM6: size 458,752 B -> 458,744 B\nhyperRAM: size 16,777,216 B -> 16,777,208 B\n"
                                  "octoFlash: size 11,534,336 B -> 11,534,328 B\n"
                                  "order npuRAM3, npuRAM4, npuRAM5, npuRAM6, hyperRAM, octoFlash -> npuRAM6, npuRAM5, "
                                  "npuRAM4, npuRAM3, hyperRAM, octoFlash\n"));
        const auto more = removePool(*a, PoolId(0));
        QCOMPARE(diffPools(*a, *more).at(0).what, std::string("removed"));
        QCOMPARE(diffPools(*more, *a).at(0).what, std::string("added"));
    }

    void checksForScripts() {
        const std::vector<CheckedFile> files = {{"a", {}},
                                                {"b", {makeError("PW1206", "say \"no\"", {"b", 3, 4, {}}, "h")}}};
        const auto json = text::parseJson(checksAsJson(files), "json");
        POOLWRIGHT_VERIFY_RESULT(json);
        QVERIFY(!json->root.find("ok")->boolean);
        const auto& entry = json->root.find("files")->items[1].find("diagnostics")->items[0];
        QCOMPARE(entry.find("message")->text, std::string("say \"no\""));
        QCOMPARE(entry.find("line")->text, std::string("3"));
    }

    /// The shipped pool files are in canonical form, and the full ones end where the chips do.
    void stockPools() {
        int full = 0;
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "mpools")) {
            if (entry.path().extension() != ".mpool")
                continue;
            const auto file = test::readMpool(entry.path(), test::stm32n6Banks());
            POOLWRIGHT_VERIFY_RESULT(file);
            QVERIFY2(file->findings.empty(), qPrintable(test::describe(file->findings)));
            QCOMPARE(QString::fromStdString(writeCanonical(*file)), QString::fromStdString(file->text));
            if (entry.path().stem().string().ends_with("full")) {
                QCOMPARE(totals(*file).internal.value, 2883584);
                ++full;
            }
            const bool holes = entry.path().stem().string().ends_with("holes");
            QVERIFY((*file)[*file->find("npuRAM3")].range().start.value == 0x34200000);
            QCOMPARE(effectivePools(*file, true, RuntimeGeneration::V2).back().members.size(),
                     std::size_t(holes ? 4 : 5));
        }
        QCOMPARE(full, 2);
    }
};

QTEST_APPLESS_MAIN(TestMpoolTable)
#include "tst_mpooltable.moc"
