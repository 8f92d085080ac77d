// SPDX-License-Identifier: Apache-2.0
#include "reference/npy.h"

#include "support/npy.h"
#include "support/shared.h"
#include "values.h"

#include <QTemporaryDir>
#include <QTest>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

class TestNpy : public QObject {
    Q_OBJECT
private slots:
    void boardFilesAsTheOtherReaderSeesThem();
    void writesWhatNumpyWrites();
    void allTypesAndShapesReturn_data();
    void allTypesAndShapesReturn();
    void refusals_data();
    void refusals();
};

void TestNpy::boardFilesAsTheOtherReaderSeesThem() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto folder = sharedFolder() / "models/oe/baseline_conv2d_3x3";
    for (const char* file :
         {"network_val_c_inputs_1.npy", "network_val_c_outputs_1.npy", "network_val_m_outputs_1.npy"}) {
        const auto value = reference::readNpy(folder / file);
        POOLWRIGHT_VERIFY_RESULT(value);
        const NpyArray other = test::readNpy(folder / file);
        QCOMPARE(std::string(other.dtype), std::string("|i1"));
        QCOMPARE(int(value->type), int(ir::ElementType::Int8));
        QCOMPARE(value->shape, other.shape);
        QCOMPARE(value->bytes, other.bytes);
        QCOMPARE(npyContent(*value), readFile(folder / file)); // numpy wrote it: the writer gives the same bytes
    }
}

/// The bytes of numpy.save for numpy.array([1, -2], "int16"), written down by hand from numpy's format description.
void TestNpy::writesWhatNumpyWrites() {
    std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
    expected += "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }";
    expected.resize(127, ' ');
    expected += '\n';
    expected += std::string("\x01\x00\xFE\xFF", 4);
    QCOMPARE(npyContent(tensor<std::int16_t>({2}, {1, -2})), expected);
}

void TestNpy::allTypesAndShapesReturn_data() {
    QTest::addColumn<int>("type");
    for (int type = 0; type <= int(ir::ElementType::Float32); ++type)
        QTest::newRow(ir::elementTypeName(ir::ElementType(type))) << type;
}

void TestNpy::allTypesAndShapesReturn() {
    QFETCH(int, type);
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "a.npy";
    for (const ir::Shape& shape : {ir::Shape{}, ir::Shape{3}, ir::Shape{1, 2, 3, 4, 5}, ir::Shape{0, 4}}) {
        Value value{ir::ElementType(type), shape, {}, {}};
        for (std::int64_t i = 0; i < value.elements() * ir::elementBytes(value.type); ++i)
            value.bytes.push_back(std::uint8_t(i * 37));
        POOLWRIGHT_VERIFY_RESULT(writeNpy(path, value));
        const auto back = reference::readNpy(path);
        POOLWRIGHT_VERIFY_RESULT(back);
        QCOMPARE(int(back->type), type);
        QCOMPARE(back->shape, shape);
        QCOMPARE(back->bytes, value.bytes);
    }
}

void TestNpy::refusals_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QString>("code");
    QTest::newRow("shape larger than the data")
        << QByteArray("{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }") << "PW2210";
    QTest::newRow("shape smaller than the data")
        << QByteArray("{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }") << "PW2210";
    QTest::newRow("overflowing shape")
        << QByteArray("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }") << "PW2210";
    QTest::newRow("negative extent") << QByteArray("{'descr': '|i1', 'fortran_order': False, 'shape': (-4,), }")
                                     << "PW2210";
    QTest::newRow("no shape") << QByteArray("{'descr': '|i1', 'fortran_order': False, }") << "PW2210";
    QTest::newRow("Fortran order") << QByteArray("{'descr': '|i1', 'fortran_order': True, 'shape': (4,), }")
                                   << "PW2211";
    QTest::newRow("objects") << QByteArray("{'descr': '|O', 'fortran_order': False, 'shape': (4,), }") << "PW2211";
    QTest::newRow("big endian") << QByteArray("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }") << "PW2211";
    QTest::newRow("empty header") << QByteArray("") << "PW2210";
}

void TestNpy::refusals() {
    QFETCH(QByteArray, header);
    QFETCH(QString, code);
    std::string content("\x93NUMPY\x01\x00", 8);
    content += char(header.size());
    content += '\0';
    content += header.toStdString() + "abcd";
    const auto value = parseNpy(content, "x.npy");
    QVERIFY(!value);
    QCOMPARE(QString::fromStdString(value.error().front().code), code);
    for (std::size_t size = 0; size < 10; ++size) // cut anywhere in the prologue
        QVERIFY(!parseNpy(std::string_view(content).substr(0, size)));
}

QTEST_APPLESS_MAIN(TestNpy)
#include "tst_npy.moc"
