// SPDX-License-Identifier: Apache-2.0
#include "support/onnx_text.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "driver/compile.h"
#include "driver/emulation.h"
#include "mpool/read.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <cmath>

using namespace poolwright;
using ir::ElementType;
using reference::Value;

namespace {

constexpr double inputScale = 0.05, outputScale = 0.25;
constexpr int inputZero = 3, outputZero = -7; // of the int8 forms

const QString quantisedConv = "si = Constant<value_float = 0.05>()\nzi = Constant<value = int8 {3}>()\n"
                              "so = Constant<value_float = 0.25>()\nzo = Constant<value = int8 {-7}>()\n"
                              "ws = Constant<value_float = 0.125>()\nwz = Constant<value = int8 {0}>()\n"
                              "wi = Constant<value = int8[4,3,1,1] {5, -3, 8, 1, 12, -7, -9, 4, 6, 2, 2, -11}>()\n"
                              "w = DequantizeLinear(wi, ws, wz)\n";

/// Float in, float out, both through int8.
QString floatModel() {
    return quantisedConv + "q = QuantizeLinear(x, si, zi)\na = DequantizeLinear(q, si, zi)\nc = Conv(a, w)\n"
                           "p = QuantizeLinear(c, so, zo)\ny = DequantizeLinear(p, so, zo)";
}

/// The same network for an application that keeps its channels last.
QString channelLastModel() {
    return quantisedConv + "q = QuantizeLinear(x, si, zi)\na = DequantizeLinear(q, si, zi)\n"
                           "f = Transpose<perm = [0,3,1,2]>(a)\nc = Conv(f, w)\np = QuantizeLinear(c, so, zo)\n"
                           "d = DequantizeLinear(p, so, zo)\ny = Transpose<perm = [0,2,3,1]>(d)";
}

/// Unsigned integers in and out.
QString unsignedModel() {
    return quantisedConv + "ui = Constant<value = uint8 {131}>()\nuo = Constant<value = uint8 {121}>()\n"
                           "a = DequantizeLinear(x, si, ui)\nc = Conv(a, w)\ny = QuantizeLinear(c, so, uo)";
}

struct Model {
    const char* name;
    const char* input;
    QString body;
    ElementType type; ///< of input and output
    bool channelsLast;
};

std::vector<Model> models() {
    return {{"float", "float[1,3,6,5] x", floatModel(), ElementType::Float32, false},
            {"channel_last", "float[1,6,5,3] x", channelLastModel(), ElementType::Float32, true},
            {"unsigned", "uint8[1,3,6,5] x", unsignedModel(), ElementType::UInt8, false}};
}

/// The reals behind a border tensor, in N, C, H, W order whatever the layout: what all forms share.
struct Image {
    std::int64_t channels = 0, height = 0, width = 0;
    std::vector<double> reals;

    double& at(std::int64_t c, std::int64_t y, std::int64_t x) {
        return reals[std::size_t((c * height + y) * width + x)];
    }
};

std::vector<std::int64_t> shapeOf(const Image& image, bool last) {
    return last ? std::vector<std::int64_t>{1, image.height, image.width, image.channels}
                : std::vector<std::int64_t>{1, image.channels, image.height, image.width};
}

/// Formula: real = (integer - zero) * scale; unsigned integers are 128 more, as is their zero point.
Value valueOf(Image image, ElementType type, bool last, double scale, int zero) {
    Value value{type, shapeOf(image, last), std::nullopt, {}};
    value.bytes.resize(std::size_t(value.elements() * ir::elementBytes(type)));
    for (std::int64_t c = 0; c < image.channels; ++c)
        for (std::int64_t y = 0; y < image.height; ++y)
            for (std::int64_t x = 0; x < image.width; ++x) {
                const std::int64_t at =
                    last ? (y * image.width + x) * image.channels + c : (c * image.height + y) * image.width + x;
                const double real = image.at(c, y, x);
                const int integer = int(std::clamp(std::nearbyint(real / scale) + zero, -128.0, 127.0));
                if (type == ElementType::Float32)
                    value.as<float>()[at] = float(real);
                else
                    value.bytes[std::size_t(at)] = std::uint8_t(type == ElementType::Int8 ? integer : integer + 128);
            }
    return value;
}

Image imageOf(const Value& value, bool last, double scale, int zero) {
    const ir::Shape& s = value.shape;
    Image image{last ? s[3] : s[1], last ? s[1] : s[2], last ? s[2] : s[3], {}};
    image.reals.resize(std::size_t(value.elements()));
    for (std::int64_t c = 0; c < image.channels; ++c)
        for (std::int64_t y = 0; y < image.height; ++y)
            for (std::int64_t x = 0; x < image.width; ++x) {
                const std::int64_t at =
                    last ? (y * image.width + x) * image.channels + c : (c * image.height + y) * image.width + x;
                image.at(c, y, x) = value.type == ElementType::Float32 ? double(value.as<float>()[at])
                                    : value.type == ElementType::Int8
                                        ? (value.as<std::int8_t>()[at] - zero) * scale
                                        : (value.bytes[std::size_t(at)] - 128 - zero) * scale;
            }
    return image;
}

/// Reals on the grid of the input's int8 form, its ends among them, so that every form can hold them.
Image someImage() {
    Image image{3, 6, 5, std::vector<double>(90)};
    for (std::size_t i = 0; i < image.reals.size(); ++i)
        image.reals[i] = (int(i * 37 % 256) - 128 - inputZero) * inputScale;
    return image;
}

struct Compiled {
    driver::Outcome outcome;
    QTemporaryDir folder;
};

Result<mpool::PoolFile> pools() {
    const std::filesystem::path path = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "mpools/stm32n6570-dk-full.mpool";
    return mpool::readPools(test::readFile(path), path.string(), {});
}

Result<driver::Outcome> compiled(const char* input, const QString& body, options::CompilerOptions options,
                                 const QTemporaryDir& folder) {
    const QString path = folder.filePath("model.onnx");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("no temporary file");
    const std::string bytes = test::modelBytes(13, input, body);
    file.write(bytes.data(), qint64(bytes.size()));
    file.close();
    driver::Request request;
    request.model = path.toStdString();
    request.pools = *pools();
    options.verify = true;
    options.nativeFloat = true;
    options.outDirPrefix = folder.filePath("out").toStdString();
    request.options = options;
    return driver::compile(request);
}

options::CompilerOptions bordered(const QString& inputType, const QString& outputType, const QString& inputPosition,
                                  const QString& outputPosition) {
    options::CompilerOptions options;
    options.inputDataType = inputType.toStdString();
    options.outputDataType = outputType.toStdString();
    options.inputsChPosition = inputPosition.toStdString();
    options.outputsChPosition = outputPosition.toStdString();
    return options;
}

ElementType typeOf(const QString& word, ElementType otherwise) {
    return word == "float32" ? ElementType::Float32
           : word == "int8"  ? ElementType::Int8
           : word == "uint8" ? ElementType::UInt8
                             : otherwise;
}

bool isLast(const QString& word, bool otherwise) {
    return word.isEmpty() ? otherwise : word == "chlast";
}

/// The buffer that c_info lists as the network's first input or output.
QJsonObject cInfoBuffer(const QTemporaryDir& folder, const char* direction) {
    const QJsonObject info =
        QJsonDocument::fromJson(
            QByteArray::fromStdString(test::readFile(folder.filePath("out/c_info.json").toStdString())))
            .object();
    const int id = info["graphs"].toArray()[0].toObject()[direction].toArray()[0].toInt();
    for (const QJsonValue& buffer : info["buffers"].toArray())
        if (buffer["id"].toInt() == id)
            return buffer.toObject();
    return {};
}

/// From the title of a buffer table of network.c to the end of its first row.
QString firstRow(const QTemporaryDir& folder, const char* direction) {
    const QString code = QString::fromStdString(test::readFile(folder.filePath("out/network.c").toStdString()));
    const qsizetype table = code.indexOf(QString("LL_ATON_%1_Buffers_Info_").arg(direction));
    const qsizetype row = code.indexOf("buff_info[]", table);
    return code.mid(table, code.indexOf("\n    },", row) - table);
}

const char* formatOf(ElementType type) {
    return type == ElementType::Float32 ? "STAI_FORMAT_FLOAT"
           : type == ElementType::Int8  ? "STAI_FORMAT_S8"
                                        : "STAI_FORMAT_U8";
}

const char* dataTypeOf(ElementType type) {
    return type == ElementType::Float32 ? "DataType_FLOAT"
           : type == ElementType::Int8  ? "DataType_INT8"
                                        : "DataType_UINT8";
}

QString listOf(const std::vector<std::int64_t>& values) {
    QStringList words;
    for (std::int64_t value : values)
        words << QString::number(value);
    return words.join(", ");
}

} // namespace

/// Types and layouts at the network's border: the same reals go in and come out, in the form that was asked for, and
/// every artefact states that form. Conversions are written out here by their formulas.
class TestBorder : public QObject {
    Q_OBJECT
private slots:
    void sameRealsInEveryForm_data();
    void sameRealsInEveryForm();
    void quantisingLeavesNoSoftware();
    void channelLastIsFree();
    void floatRoundsHalfToEven();
    void notAllocatedBuffersTakeNoRoom();
    void oneWordForEachTensor();
    void badWordsNameOptionAndTensor_data();
    void badWordsNameOptionAndTensor();
    void sharedModelInEveryForm();

private:
    static void checkArtefacts(const QTemporaryDir& folder, const char* direction, const char* table,
                               const Value& value, double scale, int zero);
};

void TestBorder::sameRealsInEveryForm_data() {
    QTest::addColumn<int>("model");
    QTest::addColumn<QString>("inputType");
    QTest::addColumn<QString>("outputType");
    QTest::addColumn<QString>("inputPosition");
    QTest::addColumn<QString>("outputPosition");
    const auto all = models();
    const auto row = [&](std::size_t m, const QString& type, const QString& position, bool in, bool out) {
        const QString name =
            QString("%1 %2 %3%4%5").arg(all[m].name, type, position, in ? " in" : "", out ? " out" : "");
        QTest::newRow(qPrintable(name)) << int(m) << (in ? type : QString()) << (out ? type : QString())
                                        << (in ? position : QString()) << (out ? position : QString());
    };
    for (std::size_t m = 0; m < all.size(); ++m)
        for (const char* type : {"", "float32", "int8", "uint8"})
            for (const char* position : {"", "chfirst", "chlast"}) {
                row(m, type, position, true, false);
                row(m, type, position, false, true);
                row(m, type, position, true, true);
            }
}

void TestBorder::checkArtefacts(const QTemporaryDir& folder, const char* direction, const char* table,
                                const Value& value, double scale, int zero) {
    const QJsonObject buffer = cInfoBuffer(folder, direction);
    QCOMPARE(buffer["format"].toString(), QString(formatOf(value.type)));
    QCOMPARE(buffer["size_bytes"].toInteger(), qint64(value.bytes.size()));
    QJsonArray shape;
    for (std::int64_t extent : value.shape)
        shape << qint64(extent);
    QCOMPARE(buffer["shape"].toArray(), shape);
    QVERIFY(buffer["channel_first"].toBool()); // bytes in the order of the shape
    const int stated = value.type == ElementType::UInt8 ? zero + 128 : zero;
    const QString row = firstRow(folder, table);
    QVERIFY2(row.contains(QString(".type = %1,").arg(dataTypeOf(value.type))), qPrintable(row));
    QVERIFY2(row.contains("mem_shape_" + QString(table).left(table[0] == 'I' ? 2 : 3).toLower() + "_0[] = { " +
                          listOf(value.shape) + " }"),
             qPrintable(row));
    if (value.type == ElementType::Float32) {
        QVERIFY(!buffer.contains("intq"));
        QVERIFY(!row.contains("quant_offset"));
        return;
    }
    QCOMPARE(buffer["intq"]["offsets"].toArray(), QJsonArray{stated});
    QVERIFY(std::abs(buffer["intq"]["scales"].toArray()[0].toDouble() - scale) < 1e-8);
    QVERIFY2(row.contains(QString("quant_offset[] = { %1 }").arg(stated)), qPrintable(row));
}

void TestBorder::sameRealsInEveryForm() {
    QFETCH(int, model);
    QFETCH(QString, inputType);
    QFETCH(QString, outputType);
    QFETCH(QString, inputPosition);
    QFETCH(QString, outputPosition);
    const Model m = models()[std::size_t(model)];
    QTemporaryDir plainFolder, folder;
    const auto plain = compiled(m.input, m.body, {}, plainFolder);
    POOLWRIGHT_VERIFY_RESULT(plain);
    const auto changed =
        compiled(m.input, m.body, bordered(inputType, outputType, inputPosition, outputPosition), folder);
    POOLWRIGHT_VERIFY_RESULT(changed);

    Diagnostics findings;
    const Value plainInput = valueOf(someImage(), m.type, m.channelsLast, inputScale, inputZero);
    const auto plainOutput = driver::emulateOnce(plain->program, {plainInput}, {}, {}, findings);
    POOLWRIGHT_VERIFY_RESULT(plainOutput);
    const Image expected = imageOf(plainOutput->front(), m.channelsLast, outputScale, outputZero);

    const Value input =
        valueOf(someImage(), typeOf(inputType, m.type), isLast(inputPosition, m.channelsLast), inputScale, inputZero);
    const auto output = driver::emulateOnce(changed->program, {input}, {}, {}, findings);
    POOLWRIGHT_VERIFY_RESULT(output);
    const Value wanted =
        valueOf(expected, typeOf(outputType, m.type), isLast(outputPosition, m.channelsLast), outputScale, outputZero);
    QCOMPARE(output->front().type, wanted.type);
    QCOMPARE(output->front().shape, wanted.shape);
    QVERIFY(output->front().bytes == wanted.bytes);
    QCOMPARE(changed->program.inputs[0].name, std::string("x"));
    QCOMPARE(changed->program.outputs[0].name, std::string("y"));

    POOLWRIGHT_VERIFY_RESULT(driver::writeArtefacts(*changed));
    checkArtefacts(folder, "inputs", "Input", input, inputScale, inputZero);
    checkArtefacts(folder, "outputs", "Output", wanted, outputScale, outputZero);
}

void TestBorder::quantisingLeavesNoSoftware() {
    QTemporaryDir folder;
    const auto plain = compiled("float[1,3,6,5] x", floatModel(), {}, folder);
    POOLWRIGHT_VERIFY_RESULT(plain);
    QCOMPARE(plain->report->totals.sw, 2); // Quantize and Dequantize
    const auto integers = compiled("float[1,3,6,5] x", floatModel(), bordered("int8", "int8", "", ""), folder);
    POOLWRIGHT_VERIFY_RESULT(integers);
    QCOMPARE(integers->report->totals.sw, 0);
    QVERIFY(integers->report->totals.epochs <= plain->report->totals.epochs);
    const auto shifted = compiled("float[1,3,6,5] x", floatModel(), bordered("uint8", "uint8", "", ""), folder);
    POOLWRIGHT_VERIFY_RESULT(shifted);
    QCOMPARE(shifted->report->totals.sw, 0);
}

void TestBorder::channelLastIsFree() {
    QTemporaryDir folder;
    const auto last = compiled("float[1,3,6,5] x", floatModel(), bordered("int8", "int8", "chlast", "chlast"), folder);
    POOLWRIGHT_VERIFY_RESULT(last);
    QCOMPARE(last->report->totals.epochs, 1); // the unit reads and writes this order as it is
    const auto converted =
        compiled("float[1,3,6,5] x", floatModel(), bordered("uint8", "", "chlast", "chlast"), folder);
    POOLWRIGHT_VERIFY_RESULT(converted);
    QCOMPARE(converted->report->totals.epochs, 3); // zero-point shift, Conv, Dequantize
}

void TestBorder::floatRoundsHalfToEven() {
    QTemporaryDir folder, plainFolder;
    const auto model = compiled("uint8[1,3,6,5] x", unsignedModel(), bordered("float32", "", "", ""), folder);
    const auto plain = compiled("uint8[1,3,6,5] x", unsignedModel(), {}, plainFolder);
    POOLWRIGHT_VERIFY_RESULT(model);
    POOLWRIGHT_VERIFY_RESULT(plain);
    Image between = someImage(), below = someImage();
    for (std::size_t i = 0; i < between.reals.size(); ++i) {
        const int even = int(i) * 2 - 90;
        between.reals[i] = double(float(even + (i % 2 ? 0.4 : -0.4)) * float(inputScale)); // nearer to even
        below.reals[i] = even * inputScale;
    }
    between.reals[0] = 1000; // saturates
    below.reals[0] = (127 - inputZero) * inputScale;
    Diagnostics findings;
    const auto a = driver::emulateOnce(
        model->program, {valueOf(between, ElementType::Float32, false, inputScale, inputZero)}, {}, {}, findings);
    const auto b = driver::emulateOnce(
        plain->program, {valueOf(below, ElementType::UInt8, false, inputScale, inputZero)}, {}, {}, findings);
    POOLWRIGHT_VERIFY_RESULT(a);
    POOLWRIGHT_VERIFY_RESULT(b);
    QVERIFY(a->front().bytes == b->front().bytes);
}

void TestBorder::notAllocatedBuffersTakeNoRoom() {
    QTemporaryDir folder, plainFolder;
    const auto plain = compiled("float[1,3,6,5] x", floatModel(), {}, plainFolder);
    options::CompilerOptions options;
    options.noInputsAllocation = options.noOutputsAllocation = true;
    const auto model = compiled("float[1,3,6,5] x", floatModel(), options, folder);
    POOLWRIGHT_VERIFY_RESULT(plain);
    POOLWRIGHT_VERIFY_RESULT(model);
    const std::vector<program::TensorView> border{model->program.inputs[0], model->program.outputs[0]};
    for (const program::TensorView& view : border) {
        QVERIFY(model->program[view.buffer].userAllocated);
        QVERIFY(!model->program.placements[std::size_t(view.buffer.index)]);
    }
    for (const place::BufferSpec& spec : model->prepared->question.problem.buffers)
        QVERIFY2(spec.name != "x" && spec.name != "y", "part of the placement problem");
    // Without 90 input and 120 output floats, what is left is the int8 input and output of the Conv.
    QVERIFY(plain->report->totals.peakLive.value >= 90 * 4);
    QVERIFY(model->report->totals.peakLive.value < 90 * 4);

    Diagnostics findings;
    const Value input = valueOf(someImage(), ElementType::Float32, false, inputScale, inputZero);
    const auto expected = driver::emulateOnce(plain->program, {input}, {}, {}, findings);
    const auto output = driver::emulateOnce(model->program, {input}, {}, {}, findings);
    POOLWRIGHT_VERIFY_RESULT(expected);
    POOLWRIGHT_VERIFY_RESULT(output);
    QVERIFY(output->front().bytes == expected->front().bytes);

    POOLWRIGHT_VERIFY_RESULT(driver::writeArtefacts(*model));
    const QJsonObject info =
        QJsonDocument::fromJson(
            QByteArray::fromStdString(test::readFile(folder.filePath("out/c_info.json").toStdString())))
            .object();
    QHash<QString, QJsonObject> poolsByName;
    for (const QJsonValue& pool : info["memory_pools"].toArray())
        poolsByName[pool["name"].toString()] = pool.toObject();
    QVERIFY(poolsByName["_user_io_input_0"]["user_allocated"].toBool());
    QCOMPARE(poolsByName["_user_io_input_0"]["size_bytes"].toInt(), 90 * 4);
    QCOMPARE(poolsByName["_user_io_output_0"]["size_bytes"].toInt(), 120 * 4);
    QCOMPARE(cInfoBuffer(folder, "inputs")["mpool_id"].toInt(), poolsByName["_user_io_input_0"]["id"].toInt());
    QCOMPARE(info["memory_footprint"]["io"].toArray(), (QJsonArray{90 * 4, 120 * 4}));
    QVERIFY(firstRow(folder, "Input").contains(".is_user_allocated = 1"));
    QVERIFY(firstRow(folder, "Output").contains("(unsigned char *)&_mem_pool__user_io_output_0_Default"));
    const std::string report = test::readFile(folder.filePath("out/network_generate_report.txt").toStdString());
    QVERIFY(report.find("_user_io_input_0 [0x00000000 - 0x00000168]") != std::string::npos);
}

void TestBorder::oneWordForEachTensor() {
    const char* inputs = "float[1,3,6,5] x, float[1,3,6,5] v";
    const QString body = "si = Constant<value_float = 0.05>()\nzi = Constant<value = int8 {3}>()\n"
                         "q = QuantizeLinear(x, si, zi)\na = DequantizeLinear(q, si, zi)\n"
                         "r = QuantizeLinear(v, si, zi)\nb = DequantizeLinear(r, si, zi)\nc = Add(a, b)\n"
                         "p = QuantizeLinear(c, si, zi)\ny = DequantizeLinear(p, si, zi)";
    QTemporaryDir folder;
    const auto model = compiled(inputs, body, bordered("int8,", "uint8", ",chlast", ""), folder);
    POOLWRIGHT_VERIFY_RESULT(model);
    QCOMPARE(model->program.inputs[0].type, ElementType::Int8);
    QCOMPARE(model->program.inputs[0].shape, (ir::Shape{1, 3, 6, 5}));
    QCOMPARE(model->program.inputs[1].type, ElementType::Float32);
    QCOMPARE(model->program.inputs[1].shape, (ir::Shape{1, 6, 5, 3}));
    QCOMPARE(model->program.outputs[0].type, ElementType::UInt8);
}

void TestBorder::badWordsNameOptionAndTensor_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* option, const char* value, const char* code, const QStringList& words) {
        QTest::newRow(qPrintable(QString(option) + " " + value)) << option << value << code << words;
    };
    row("input-data-type", "float16", "PW2111", {"--input-data-type", "'float16'", "'x'", "float32, int8 or uint8"});
    row("output-data-type", "INT8", "PW2111", {"--output-data-type", "'INT8'", "'y'"});
    row("inputs-ch-position", "nhwc", "PW2111", {"--inputs-ch-position", "'nhwc'", "'x'", "chfirst or chlast"});
    row("outputs-ch-position", "last", "PW2111", {"--outputs-ch-position", "'last'", "'y'"});
    row("input-data-type", "int8,int8", "PW2112", {"--input-data-type", "2 words for 1 tensor"});
    row("input-data-type", "int8", "PW2113", {"--input-data-type int8", "'x'", "no scale"});
    row("output-data-type", "uint8", "PW2113", {"--output-data-type uint8", "'y'", "plain numbers (s64)"});
}

void TestBorder::badWordsNameOptionAndTensor() {
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QString, code);
    QFETCH(QStringList, words);
    options::CompilerOptions options;
    (option == "input-data-type"      ? options.inputDataType
     : option == "output-data-type"   ? options.outputDataType
     : option == "inputs-ch-position" ? options.inputsChPosition
                                      : options.outputsChPosition) = value.toStdString();
    QTemporaryDir folder;
    const auto model = compiled("float[1,3,6,5] x", "r = Relu(x)\ny = ArgMax<axis = 1>(r)", options, folder);
    QVERIFY(!model);
    QCOMPARE(QString::fromStdString(model.error().front().code), code);
    const QString text = test::describe(model.error());
    for (const QString& word : words)
        QVERIFY2(text.contains(word), qPrintable(text));
}

/// A translated model whose input is int8 with channels last, all forms against the numbers of the plain compile.
void TestBorder::sharedModelInEveryForm() {
    POOLWRIGHT_NEEDS_SHARED();
    const std::string stem = "baseline_conv2d_3x3";
    driver::Request request;
    request.model = test::sharedFolder() / "models/oe" / stem / (stem + "_int8_OE_3_3_0.onnx");
    request.pools = *pools();
    request.options.verify = request.options.nativeFloat = true;
    const auto plain = driver::compile(request);
    POOLWRIGHT_VERIFY_RESULT(plain);
    const Value input = driver::randomInput(plain->program.inputs[0], 5);
    Diagnostics findings;
    const auto expected = driver::emulateOnce(plain->program, {input}, {}, {}, findings);
    POOLWRIGHT_VERIFY_RESULT(expected);
    const double scale = plain->program.inputs[0].quantisation->scales[0];
    const int zero = plain->program.inputs[0].quantisation->zeroPoints[0];
    for (const char* type : {"float32", "int8", "uint8"})
        for (const char* position : {"chfirst", "chlast"}) {
            request.options.inputDataType = type;
            request.options.inputsChPosition = position;
            const auto changed = driver::compile(request);
            POOLWRIGHT_VERIFY_RESULT(changed);
            const Value converted = valueOf(imageOf(input, true, scale, zero), typeOf(type, ElementType::Int8),
                                            isLast(position, true), scale, zero);
            const auto output = driver::emulateOnce(changed->program, {converted}, {}, {}, findings);
            POOLWRIGHT_VERIFY_RESULT(output);
            QVERIFY2(output->front().bytes == expected->front().bytes, type);
        }
}

QTEST_APPLESS_MAIN(TestBorder)
#include "tst_border.moc"
