// SPDX-License-Identifier: Apache-2.0
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "mpool/virtual.h"
#include "samples.h"
#endif

#include <QtTest>

using namespace poolwright;
using namespace poolwright::mpool;

static const EffectivePool* find(const std::vector<EffectivePool>& pools, const std::string& name) {
    for (const EffectivePool& pool : pools)
        if (pool.name == name)
            return &pool;
    return nullptr;
}

static const char* const npuUnion = "npuRAM3_npuRAM4_npuRAM5_npuRAM6";
static const char* const wideUnion = "cpuRAM2_npuRAM3_npuRAM4_npuRAM5_npuRAM6";

class TestMpoolVirtual : public QObject {
    Q_OBJECT

private slots:
    /// c_info of chen (1.0.0): union of 1835000 bytes usable, HIGH, ratio 1.25, power 19.006/16.201, score 95.
    void chenAsItsCompilerSaw() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readSample("chen-steel-user");
        POOLWRIGHT_VERIFY_RESULT(file);
        const auto pools = effectivePools(*file, true, RuntimeGeneration::V2);
        QCOMPARE(pools.size(), std::size_t(7));
        const EffectivePool* merged = find(pools, npuUnion);
        QVERIFY(merged);
        QCOMPARE(merged->range.start.value, 874512384u);
        QCOMPARE(merged->range.size.value - merged->reservedTail.value, 1835000);
        QVERIFY(merged->properties.throughput == Level::High);
        QCOMPARE(merged->properties.freqRatio, 1.25);
        QCOMPARE(merged->properties.readPower, 19.006);
        QCOMPARE(merged->properties.writePower, 16.201);
        QCOMPARE(merged->score, 95);
        QCOMPARE(merged->fname, std::string("AXISRAM3_AXISRAM4_AXISRAM5_AXISRAM6"));
        const auto usable = [&](const char* name) {
            const EffectivePool* pool = find(pools, name);
            return pool->range.size.value - pool->reservedTail.value;
        };
        QCOMPARE(usable("npuRAM6"), 458744);
        QCOMPARE(usable("npuRAM5"), 458752);
        QCOMPARE(usable("hyperRAM"), 16777208);
        QCOMPARE(usable("octoFlash"), 11534328);
        QCOMPARE(find(pools, "npuRAM3")->score, 94);
        QCOMPARE(find(pools, "hyperRAM")->score, 82);
        QCOMPARE(find(pools, "octoFlash")->score, 50);
        QVERIFY(find(pools, "hyperRAM")->external && !find(pools, "npuRAM3")->external);
    }

    /// c_info of pele and tito (1.1.x): MID, MID, 2.5, score 85; of maria (1.1.3): HIGH, MID, 1.25, score 91. 2883584
    /// bytes each.
    void unionOfUnequalPoolsByGeneration() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readSample("maria-cubeai-memory_pool");
        POOLWRIGHT_VERIFY_RESULT(file);
        const auto old = effectivePools(*file, true, RuntimeGeneration::V2);
        const EffectivePool* two = find(old, wideUnion);
        QVERIFY(two);
        QCOMPARE(two->range.start.value, 873463808u);
        QCOMPARE(two->range.size.value, 2883584);
        QVERIFY(two->properties.throughput == Level::Mid && two->properties.latency == Level::Mid);
        QCOMPARE(two->properties.freqRatio, 2.5);
        QCOMPARE(two->score, 85);
        QCOMPARE(two->properties.readPower, 19.006);
        const auto now = effectivePools(*file, true, RuntimeGeneration::V3);
        const EffectivePool* three = find(now, wideUnion);
        QVERIFY(three->properties.throughput == Level::High && three->properties.latency == Level::Mid);
        QCOMPARE(three->properties.freqRatio, 1.25);
        QCOMPARE(three->score, 91);
        // The flash is relative there: never merged, no tail.
        QCOMPARE(find(now, "octoFlash")->reservedTail.value, 0);
        QVERIFY(find(now, "octoFlash")->mode == UseMode::Relative);
        QCOMPARE(find(now, "cpuRAM1"), nullptr); // size 0
    }

    void withoutMergingNothingIsReserved() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readSample("chen-steel-user");
        for (const EffectivePool& pool : effectivePools(*file, false, RuntimeGeneration::V2)) {
            QVERIFY(!pool.isVirtual());
            QCOMPARE(pool.reservedTail.value, 0);
        }
    }

    /// Layout facts of facts/file-formats.md section 1.3.
    void whichSamplesMerge() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto groups = [](const char* name) { return virtualGroups(*test::readSample(name)); };
        QVERIFY(groups("st-audio-stm32n6").empty());
        QVERIFY(groups("laroche-audio-strict").empty());
        QCOMPARE(groups("wafleem-nucleo-app2").at(0).size(), std::size_t(5));
        QCOMPARE(groups("alexgraefe-nucleo-app2").at(0).size(), std::size_t(5));
        const auto vu = groups("vu-civic-stm32n6");
        QCOMPARE(vu.at(0).size(), std::size_t(2)); // flexMEM and cpuRAM1
    }

    /// cases/c06: what its README says, for the 2.x rule.
    void caseVirtualHole() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto folder = test::sharedFolder() / "cases/c06-virtual-hole";
        const auto merged = test::readMpool(folder / "merged.mpool"), hole = test::readMpool(folder / "hole.mpool");
        POOLWRIGHT_VERIFY_RESULT(merged);
        POOLWRIGHT_VERIFY_RESULT(hole);

        const auto one = effectivePools(*merged, true, RuntimeGeneration::V2);
        QCOMPARE(one.size(), std::size_t(6));
        QCOMPARE(one.back().members.size(), std::size_t(5));
        QCOMPARE(one.back().range.size.value, 2883584);
        QVERIFY(one.back().properties.throughput == Level::Mid && one.back().properties.latency == Level::Mid);
        QCOMPARE(one.back().properties.freqRatio, 2.5);
        const Diagnostics warnings = virtualPoolWarnings(*merged, RuntimeGeneration::V2);
        QCOMPARE(warnings.size(), std::size_t(1));
        const QString text = QString::fromStdString(toText(warnings[0]));
        QVERIFY2(text.contains("npuRAM3, npuRAM4, npuRAM5 and npuRAM6 lose throughput HIGH and count as MID"),
                 qPrintable(text));
        QVERIFY2(text.contains("lose latency LOW and count as MID"), qPrintable(text));
        QVERIFY2(text.contains("a hole of one byte between cpuRAM2 and npuRAM3"), qPrintable(text));

        const auto two = effectivePools(*hole, true, RuntimeGeneration::V2);
        QCOMPARE(two.size(), std::size_t(6));
        QCOMPARE(two.back().name, std::string(npuUnion));
        QCOMPARE(two.back().range.size.value, 1835008);
        QVERIFY(two.back().properties.throughput == Level::High && two.back().properties.latency == Level::Low);
        QVERIFY(virtualPoolWarnings(*hole, RuntimeGeneration::V2).empty());

        QCOMPARE(effectivePools(*merged, false, RuntimeGeneration::V2).size(), std::size_t(5));
        QCOMPARE(effectivePools(*hole, false, RuntimeGeneration::V2).size(), std::size_t(5));
    }

    void traitsNameTheirSource() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readMpool(test::sharedFolder() / "cases/c06-virtual-hole/merged.mpool");
        const EffectivePool group = effectivePools(*file, true, RuntimeGeneration::V3).back();
        const auto traits = explainTraits(*file, group, RuntimeGeneration::V3);
        QCOMPARE(traits.size(), std::size_t(4));
        QCOMPARE(traits[0].value, std::string("HIGH"));
        QVERIFY(traits[0].lose.empty());
        QVERIFY((traits[0].gain == std::vector<PoolId>{PoolId(0)}));
        QCOMPARE(traits[1].value, std::string("MID"));
        QVERIFY((traits[1].from == std::vector<PoolId>{PoolId(0)}));
        QCOMPARE(traits[1].lose.size(), std::size_t(4));
        QCOMPARE(traits[2].value, std::string("1.25"));
        QCOMPARE(traits[3].from.size(), std::size_t(5));
        QVERIFY(explainTraits(*file, effectivePools(*file, true, RuntimeGeneration::V3).front(), RuntimeGeneration::V3)
                    .empty());
    }

    void rightsAndCacheabilityPart() {
        PoolFile file;
        for (int i = 0; i < 4; ++i) {
            Pool pool;
            pool.name = std::string(1, char('a' + i));
            pool.offset.bytes = i * 1024;
            pool.size.bytes = 1024;
            pool.properties.cacheable = i == 2;
            file.pools.push_back(pool);
        }
        file.pools[3].properties.rights = Rights::ReadOnly;
        QVERIFY((virtualGroups(file) == std::vector<std::vector<PoolId>>{{PoolId(0), PoolId(1)}}));
        const auto pools = effectivePools(file, true, RuntimeGeneration::V2);
        QCOMPARE(pools[0].reservedTail.value, 0);
        for (int i : {1, 2, 3, 4})
            QCOMPARE(pools[std::size_t(i)].reservedTail.value, 8);
    }

    /// A dump used as input: its pool of epoch-controller parameters is no place for buffers.
    void compilersOwnPoolIsLeftOut() {
        POOLWRIGHT_NEEDS_SHARED();
        const auto file = test::readSample("pele-facedet-saved-by-atonn-1.1.0");
        POOLWRIGHT_VERIFY_RESULT(file);
        QVERIFY(file->find("ec params pool"));
        QCOMPARE(find(effectivePools(*file, true, RuntimeGeneration::V2), "ec params pool"), nullptr);
        QVERIFY(find(effectivePools(*file, true, RuntimeGeneration::V2), wideUnion));
    }

    void generations() {
        QVERIFY(generationFromVersion("1.1.1") == RuntimeGeneration::V2);
        QVERIFY(generationFromVersion("1.1.3-275") == RuntimeGeneration::V3);
    }
};

QTEST_APPLESS_MAIN(TestMpoolVirtual)
#include "tst_mpoolvirtual.moc"
