// SPDX-License-Identifier: Apache-2.0
#include "support/onnx_text.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "import/import.h"
#include "ir/constant.h"

#include <onnx/onnx_pb.h>

using namespace poolwright;
using test::modelBytes;
using Integers = std::vector<std::int64_t>;

namespace {

Result<ir::Graph> imported(int opset, const QString& inputs, const QString& body, const import::Options& options = {}) {
    Diagnostics notes;
    auto graph = import::importBytes(modelBytes(opset, inputs, body), "test.onnx", options, notes);
    if (graph && !ir::verify(*graph).empty())
        return fail(ir::verify(*graph));
    return graph;
}

QString shapeText(const ir::Shape& shape) {
    QStringList extents;
    for (std::int64_t extent : shape)
        extents += QString::number(extent);
    return extents.join('x');
}

QString kindsText(const ir::Graph& graph) {
    QStringList kinds;
    for (const ir::Node& node : graph.nodes)
        kinds += ir::opKindName(node.kind);
    return kinds.join(' ');
}

const ir::Tensor& output(const ir::Graph& graph) {
    return graph[graph.outputs[0]];
}

} // namespace

class TstImportOperators : public QObject {
    Q_OBJECT

private slots:
    /// Expected shapes follow the ONNX operator descriptions, computed by hand.
    void shape_data() {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("kinds");
        QTest::addColumn<QString>("shape");
        const auto row = [](const char* name, int opset, const char* inputs, const QString& body, const char* kinds,
                            const char* shape) {
            QTest::newRow(name) << opset << QString(inputs) << body << QString(kinds) << QString(shape);
        };
        const auto weights = [](const char* dims) {
            return QString("s = Constant<value_ints = [%1]>()\nw = ConstantOfShape<value = float[1] {0.5}>(s)\n")
                .arg(dims);
        };
        const char* image = "float[1,4,9,11] x";
        row("conv", 13, image, weights("6, 4, 3, 3") + "y = Conv(x, w)", "Conv", "1x6x7x9");
        row("conv padded, strided", 13, image,
            weights("6, 4, 3, 3") + "y = Conv<pads = [1,1,1,1], strides = [2,2]>(x, w)", "Conv", "1x6x5x6");
        row("conv asymmetric pads", 13, image, weights("6, 4, 3, 3") + "y = Conv<pads = [0,1,2,3]>(x, w)", "Conv",
            "1x6x9x13");
        row("conv dilated", 13, image, weights("6, 4, 3, 3") + "y = Conv<dilations = [2,4]>(x, w)", "Conv", "1x6x5x3");
        row("conv grouped", 13, image, weights("6, 2, 3, 1") + "y = Conv<group = 2>(x, w)", "Conv", "1x6x7x11");
        row("conv depthwise", 13, image, weights("4, 1, 3, 3") + "y = Conv<group = 4>(x, w)", "Conv", "1x4x7x9");
        row("conv same upper", 13, image,
            weights("6, 4, 4, 4") + "y = Conv<auto_pad = \"SAME_UPPER\", strides = [2,2]>(x, w)", "Conv", "1x6x5x6");
        row("conv valid", 13, image, weights("6, 4, 4, 4") + "y = Conv<auto_pad = \"VALID\", strides = [2,2]>(x, w)",
            "Conv", "1x6x3x4");
        row("max pool", 13, image, "y = MaxPool<kernel_shape = [2,2], strides = [2,2]>(x)", "MaxPool", "1x4x4x5");
        row("max pool ceil", 13, image, "y = MaxPool<kernel_shape = [2,2], strides = [2,2], ceil_mode = 1>(x)",
            "MaxPool", "1x4x5x6");
        row("average pool ceil drops window in padding", 13, "float[1,1,2,2] x",
            "y = AveragePool<kernel_shape = [1,1], strides = [3,3], pads = [0,0,1,1], ceil_mode = 1>(x)", "AveragePool",
            "1x1x1x1");
        row("global average", 13, image, "y = GlobalAveragePool(x)", "GlobalAveragePool", "1x4x1x1");
        row("global max", 13, image, "y = GlobalMaxPool(x)", "MaxPool", "1x4x1x1");
        row("reduce mean axes attribute", 13, image, "y = ReduceMean<axes = [-1, 2], keepdims = 0>(x)", "ReduceMean",
            "1x4");
        row("reduce mean axes input", 18, image, "a = Constant<value_ints = [2]>()\ny = ReduceMean(x, a)", "ReduceMean",
            "1x4x1x11");
        row("reduce mean all", 13, image, "y = ReduceMean(x)", "ReduceMean", "1x1x1x1");
        row("gemm", 13, "float[3,4] x", weights("4, 5") + "y = Gemm(x, w)", "Gemm", "3x5");
        row("gemm transA", 13, "float[4,3] x", weights("5, 4") + "y = Gemm<transA = 1, transB = 1>(x, w)",
            "Transpose Gemm", "3x5");
        row("gemm of activations with an addend", 13, "float[3,4] x, float[4,5] w, float[3,5] c",
            "y = Gemm<beta = 2.0>(x, w, c)", "MatMul", "3x5");
        row("conv with computed weights", 13, "float[1,4,9,11] x, float[6,4,3,3] w, float[6] b", "y = Conv(x, w, b)",
            "Conv", "1x6x7x9");
        row("clip with a computed bound", 13, "float[2,3] x, float low", "y = Clip(x, low)", "Max", "2x3");
        row("clip of integers", 13, "int64[2,3] x",
            "a = Constant<value_int = 0>()\nb = Constant<value_int = 9>()\ny = Clip(x, a, b)", "Max Min", "2x3");
        row("mean variance normalisation", 13, image, "y = MeanVarianceNormalization(x)",
            "Transpose LayerNormalization Transpose", "1x4x9x11");
        row("cast to float16", 13, "float[2,3] x", "y = Cast<to = 10>(x)", "Cast", "2x3");
        row("cast to double", 13, "float[2,3] x", "y = Cast<to = 11>(x)", "Identity", "2x3");
        row("scale at run time", 13, "int8[2,3] x, float s", "y = DequantizeLinear(x, s)", "Cast Mul", "2x3");
        row("matmul", 13, "float[3,4] x", weights("4, 5") + "y = MatMul(x, w)", "Gemm", "3x5");
        row("matmul of rank 3", 13, "float[2,3,4] x", weights("4, 5") + "y = MatMul(x, w)", "Reshape Gemm Reshape",
            "2x3x5");
        row("add broadcast", 13, "float[1,4,3,1] x, float[5] z", "y = Add(x, z)", "Add", "1x4x3x5");
        row("div by constant", 13, "float[2,2] x", "c = Constant<value_float = 4.0>()\ny = Div(x, c)", "Div", "2x2");
        row("neg", 13, "float[2,2] x", "y = Neg(x)", "Mul", "2x2");
        const QString scales = "s = Constant<value = float {0.5}>()\nz = Constant<value = int8 {3}>()\n";
        row("qlinear conv", 13, "int8[1,4,9,11] x",
            scales + "d = Constant<value_ints = [6,4,3,3]>()\nw = ConstantOfShape<value = int8[1] {2}>(d)\n"
                     "n = Constant<value_ints = [6]>()\nb = ConstantOfShape<value = int32[1] {2}>(n)\n"
                     "y = QLinearConv(x, s, z, w, s, z, s, z, b)",
            "DequantizeLinear Conv QuantizeLinear", "1x6x7x9");
        row("qlinear add", 13, "int8[3,4] x, int8[4] t",
            scales + "y = com.microsoft.QLinearAdd(x, s, z, t, s, z, s, z)",
            "DequantizeLinear DequantizeLinear Add QuantizeLinear", "3x4");
        row("qlinear concat", 13, "int8[3,4] x, int8[3,2] t",
            scales + "y = com.microsoft.QLinearConcat<axis = 1>(s, z, x, s, z, t, s, z)",
            "DequantizeLinear DequantizeLinear Concat QuantizeLinear", "3x6");
        row("qlinear pool of channels last", 13, "int8[1,4,6,3] x",
            scales + "y = com.microsoft.QLinearGlobalAveragePool<channels_last = 1>(x, s, z, s, z)",
            "DequantizeLinear Transpose GlobalAveragePool Transpose QuantizeLinear", "1x1x1x3");
        row("qgemm without scale of the result", 13, "int8[2,4] x",
            scales + "d = Constant<value_ints = [4,5]>()\nw = ConstantOfShape<value = int8[1] {2}>(d)\n"
                     "y = com.microsoft.QGemm(x, s, z, w, s, z)",
            "DequantizeLinear Gemm", "2x5");
        row("fake quantised activation", 13, "float[2,3] x",
            "y = mct_quantizers.ActivationPOTQuantizer<num_bits = 8, signed = 0, threshold = 4.0>(x)",
            "QuantizeLinear DequantizeLinear", "2x3");
        row("fake quantised weights", 13, image,
            weights("6, 4, 3, 3") + "t = Constant<value = float[6] {0.5, 0.5, 1.0, 1.0, 2.0, 2.0}>()\n"
                                    "q = mct_quantizers.WeightsSymmetricQuantizer<num_bits = 8, signed = 1, "
                                    "per_channel = 1, channel_axis = 0>(w, t)\ny = Conv(x, q)",
            "Conv", "1x6x7x9");
        row("shape arithmetic", 13, "float[4,3] x",
            "s = Shape(x)\nk = Constant<value_ints = [2]>()\no = ConstantOfShape<value = int64[1] {1}>(k)\n"
            "m = Constant<value_ints = [-1,5]>()\nq = Constant<value_ints = [-1]>()\ne = Equal(m, q)\n"
            "w = Where(e, o, m)\nt = Mul(s, w)\ny = Tile(x, t)",
            "Tile", "16x45");
        row("reversed range", 13, "float[4,3] x",
            "a = Constant<value_int = 3>()\nb = Constant<value_int = -1>()\nc = Constant<value_int = -2>()\n"
            "r = Range(a, b, c)\ny = Gather(x, r)",
            "Gather", "2x3");
        row("parts of a shape", 13, "float[2,3,4] x",
            "s = Shape(x)\nk = Constant<value_ints = [1,2]>()\na, b = Split(s, k)\nr = Concat<axis = 0>(b, a)\n"
            "y = Reshape(x, r)",
            "Reshape", "3x4x2");
        row("conv of a signal", 13, "float[1,4,9] x",
            weights("6, 4, 3") + "y = Conv<pads = [1,0], strides = [2]>(x, w)", "Reshape Conv Reshape", "1x6x4");
        row("transposed conv", 13, "float[1,4,5,6] x",
            weights("4, 3, 3, 2") +
                "y = ConvTranspose<strides = [2,3], pads = [1,0,1,1], output_padding = [1,0]>(x, w)",
            "ConvTranspose", "1x3x10x16");
        row("transposed conv, grouped", 13, "float[1,4,5,6] x",
            weights("4, 3, 2, 2") + "y = ConvTranspose<group = 2>(x, w)", "ConvTranspose", "1x6x6x7");
        row("transposed conv same", 13, "float[1,4,5,6] x",
            weights("4, 3, 3, 3") + "y = ConvTranspose<strides = [2,2], auto_pad = \"SAME_LOWER\">(x, w)",
            "ConvTranspose", "1x3x10x12");
        row("transposed conv of given shape", 13, "float[1,4,5,6] x",
            weights("4, 3, 3, 3") + "y = ConvTranspose<strides = [2,2], output_shape = [9,11]>(x, w)", "ConvTranspose",
            "1x3x9x11");
        row("max pool of a signal", 13, "float[1,4,9] x", "y = MaxPool<kernel_shape = [2], strides = [2]>(x)",
            "Reshape MaxPool Reshape", "1x4x4");
        row("global pool of a volume", 13, "float[1,4,2,3,5] x", "y = GlobalAveragePool(x)",
            "Reshape GlobalAveragePool Reshape", "1x4x1x1x1");
        row("pad that crops", 13, "float[5,4] x", "p = Constant<value_ints = [-1,2,0,-1]>()\ny = Pad(x, p)", "Pad",
            "4x5");
        row("pad of some axes", 18, "float[5,4] x",
            "p = Constant<value_ints = [1,2]>()\na = Constant<value_ints = [-1]>()\ny = Pad(x, p, , a)", "Pad", "5x7");
        row("resize that keeps the ratio", 18, "float[1,2,5,7] x",
            "r = Constant<value_ints = [9,10]>()\n"
            "y = Resize<axes = [2,3], keep_aspect_ratio_policy = \"not_larger\">(x, , , r)",
            "Resize", "1x2x7x10");
        row("resize of opset 10, both ways", 10, "float[1,2,5,7] x",
            "r = Constant<value = float[4] {1.0,1.0,2.0,0.5}>()\ny = Resize(x, r)", "Resize Resize", "1x2x10x3");
        row("split attribute", 11, "float[1,6,2] x", "y, z = Split<axis = -2, split = [2, 4]>(x)", "Split", "1x2x2");
        row("split input", 13, "float[1,6,2] x", "s = Constant<value_ints = [5, 1]>()\ny, z = Split<axis = 1>(x, s)",
            "Split", "1x5x2");
        row("split into equal parts", 13, "float[1,6,2] x", "y, z, w = Split<axis = 1>(x)", "Split", "1x2x2");
        row("split by number", 18, "float[7] x", "y, z, w = Split<num_outputs = 3>(x)", "Split", "3");
        row("slice attributes", 9, "float[1,6,5] x", "y = Slice<axes = [2,1], starts = [-3,1], ends = [100,-1]>(x)",
            "Slice", "1x4x3");
        row("slice backwards", 13, "float[7] x",
            "s = Constant<value_ints = [-1]>()\ne = Constant<value_ints = [-100]>()\na = Constant<value_ints = [0]>()\n"
            "t = Constant<value_ints = [-3]>()\ny = Slice(x, s, e, a, t)",
            "Slice", "3");
        row("gather", 13, "float[2,5,3] x, int64[4,1] i", "y = Gather<axis = -2>(x, i)", "Gather", "2x4x1x3");
        row("expand", 13, "float[3,1] x", "s = Constant<value_ints = [2,1,4]>()\ny = Expand(x, s)", "Expand", "2x3x4");
        row("tile", 13, "float[3,2] x", "s = Constant<value_ints = [2,3]>()\ny = Tile(x, s)", "Tile", "6x6");
        row("depth to space", 13, "float[1,18,2,5] x", "y = DepthToSpace<blocksize = 3, mode = \"CRD\">(x)",
            "DepthToSpace", "1x2x6x15");
        row("space to depth", 13, "float[1,2,4,6] x", "y = SpaceToDepth<blocksize = 2>(x)", "SpaceToDepth", "1x8x2x3");
        row("concat", 13, "float[1,2,3] x, float[1,5,3] z", "y = Concat<axis = -2>(x, z)", "Concat", "1x7x3");
        row("reshape open dimension", 13, image, "s = Constant<value_ints = [0, 2, -1]>()\ny = Reshape(x, s)",
            "Reshape", "1x2x198");
        row("flatten", 13, image, "y = Flatten<axis = 2>(x)", "Reshape", "4x99");
        row("flatten at the end", 13, "float[2,3] x", "y = Flatten<axis = 2>(x)", "Reshape", "6x1");
        row("squeeze attribute", 11, "float[1,4,1] x", "y = Squeeze<axes = [0]>(x)", "Reshape", "4x1");
        row("squeeze input", 13, "float[1,4,1] x", "a = Constant<value_ints = [-1]>()\ny = Squeeze(x, a)", "Reshape",
            "1x4");
        row("squeeze all", 13, "float[1,4,1] x", "y = Squeeze(x)", "Reshape", "4");
        row("unsqueeze attribute", 11, "float[4,5] x", "y = Unsqueeze<axes = [0, 3]>(x)", "Reshape", "1x4x5x1");
        row("unsqueeze input", 13, "float[4,5] x", "a = Constant<value_ints = [-2]>()\ny = Unsqueeze(x, a)", "Reshape",
            "4x1x5");
        row("transpose", 13, "float[1,2,3] x", "y = Transpose<perm = [1,2,0]>(x)", "Transpose", "2x3x1");
        row("transpose default", 13, "float[1,2,3] x", "y = Transpose(x)", "Transpose", "3x2x1");
        row("pad attribute", 10, "float[1,2,3,3] x", "y = Pad<pads = [0,0,1,2,0,0,3,4]>(x)", "Pad", "1x2x7x9");
        row("pad input", 13, "float[1,2,3,3] x", "p = Constant<value_ints = [0,0,1,2,0,0,3,4]>()\ny = Pad(x, p)", "Pad",
            "1x2x7x9");
        row("pad axes", 18, "float[1,2,3,3] x",
            "p = Constant<value_ints = [1,2,3,4]>()\na = Constant<value_ints = [2,-1]>()\ny = Pad(x, p, , a)", "Pad",
            "1x2x7x9");
        row("resize scales", 13, image,
            "r = Constant<value_floats = [1.0,1.0,2.0,3.0]>()\ny = Resize<mode = \"nearest\">(x, , r)", "Resize",
            "1x4x18x33");
        row("resize sizes", 13, image,
            "r = Constant<value_ints = [1,4,3,22]>()\ny = Resize<mode = \"linear\">(x, , , r)", "Resize", "1x4x3x22");
        row("resize opset 10", 10, image, "r = Constant<value = float[4] {1,1,2,2}>()\ny = Resize(x, r)", "Resize",
            "1x4x18x22");
        row("upsample", 9, image, "r = Constant<value = float[4] {1,1,2,2}>()\ny = Upsample<mode = \"nearest\">(x, r)",
            "Resize", "1x4x18x22");
        row("resize axes", 18, image, "r = Constant<value_floats = [2.0]>()\ny = Resize<axes = [2]>(x, , r)", "Resize",
            "1x4x18x11");
        row("softmax before 13 joins dimensions", 12, "float[2,3,4] x", "y = Softmax<axis = 1>(x)",
            "Reshape Softmax Reshape", "2x3x4");
        row("softmax from 13", 13, "float[2,3,4] x", "y = Softmax<axis = 1>(x)", "Softmax", "2x3x4");
        row("softmax before 13 on the last", 12, "float[2,3] x", "y = Softmax<axis = -1>(x)", "Softmax", "2x3");
        row("symbolic batch", 13, "float[N,3] x", "y = Relu(x)", "Relu", "1x3");
        row("shape arithmetic folds", 13, image,
            "s = Shape(x)\ni = Constant<value_ints = [0]>()\nb = Gather(s, i)\nm = Constant<value_ints = [-1]>()\n"
            "t = Concat<axis = 0>(b, m)\ny = Reshape(x, t)",
            "Reshape", "1x396");
        row("slice and cast fold", 13, image,
            "s = Shape(x)\na = Constant<value_ints = [2]>()\ne = Constant<value_ints = [4]>()\nh = Slice(s, a, e)\n"
            "two = Constant<value_ints = [2]>()\nd = Mul(h, two)\nf = Constant<value_ints = [1,4]>()\nz = Cast<to = "
            "7>(d)\n"
            "t = Concat<axis = 0>(f, z)\ny = Resize<mode = \"nearest\">(x, , , t)",
            "Resize", "1x4x18x22");
        row("dropout", 13, "float[2] x", "y = Dropout(x)", "Identity", "2");
    }

    void shape() {
        QFETCH(int, opset);
        QFETCH(QString, inputs);
        QFETCH(QString, body);
        QFETCH(QString, kinds);
        QFETCH(QString, shape);
        const auto graph = imported(opset, inputs, body);
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(kindsText(*graph), kinds);
        QCOMPARE(shapeText(output(*graph).shape), shape);
    }

    void automaticPadding_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<Integers>("pads");
        // Height 9, kernel 4, stride 2: 5 outputs need 12, so 3 more; width 11: 6 outputs need 14, 3 more.
        QTest::newRow("upper") << "SAME_UPPER" << Integers{1, 1, 2, 2};
        QTest::newRow("lower") << "SAME_LOWER" << Integers{2, 2, 1, 1};
    }

    void automaticPadding() {
        QFETCH(QString, mode);
        QFETCH(Integers, pads);
        const auto graph =
            imported(13, "float[1,4,9,11] x",
                     "y = MaxPool<kernel_shape = [4,4], strides = [2,2], auto_pad = \"" + mode + "\">(x)");
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(graph->nodes[0].integers("pads"), pads);
    }

    void clipBounds_data() {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::newRow("attributes") << 7 << "y = Clip<min = -1.0, max = 6.0>(x)";
        QTest::newRow("inputs")
            << 11 << "a = Constant<value = float {-1.0}>()\nb = Constant<value = float {6.0}>()\ny = Clip(x, a, b)";
    }

    void clipBounds() {
        QFETCH(int, opset);
        QFETCH(QString, body);
        const auto graph = imported(opset, "float[2] x", body);
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(graph->nodes[0].real("min"), -1.0);
        QCOMPARE(graph->nodes[0].real("max"), 6.0);
    }

    void gemmFactorsGoIntoConstants() {
        const auto graph =
            imported(13, "float[1,2] x",
                     "w = Constant<value = float[2,3] {1,2,3,4,5,6}>()\nb = Constant<value = float[1,3] {1,1,2}>()\n"
                     "y = Gemm<alpha = 0.5, beta = 2.0>(x, w, b)");
        POOLWRIGHT_VERIFY_RESULT(graph);
        const ir::Node& gemm = graph->nodes[0];
        QCOMPARE(ir::realsOf((*graph)[gemm.inputs[1]]), (std::vector<double>{0.5, 2, 1, 2.5, 1.5, 3})); // [N, K]
        QCOMPARE(ir::realsOf((*graph)[gemm.inputs[2]]), (std::vector<double>{2, 2, 4}));
    }

    void quantisedWeights_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<Integers>("integers");
        QTest::addColumn<int>("axis");
        const QString tail = "\ny = MatMul(x, w)";
        QTest::newRow("per tensor")
            << "q = Constant<value = int8[2,2] {1,-2,3,127}>()\ns = Constant<value = float {0.5}>()\n"
               "z = Constant<value = int8 {1}>()\nw = DequantizeLinear(q, s, z)" +
                   tail
            << Integers{1, 3, -2, 127} << -1;
        QTest::newRow("unsigned")
            << "q = Constant<value = uint8[2,2] {129,126,131,255}>()\ns = Constant<value = float {0.5}>()\n"
               "z = Constant<value = uint8 {129}>()\nw = DequantizeLinear(q, s, z)" +
                   tail
            << Integers{1, 3, -2, 127} << -1;
        // The columns of [K, N] are output channels: after the turn to [N, K] they are rows.
        QTest::newRow("per channel")
            << "q = Constant<value = int8[2,2] {1,-2,3,127}>()\ns = Constant<value = float[2] {0.5, 0.25}>()\n"
               "z = Constant<value = int8[2] {0, 0}>()\nw = DequantizeLinear<axis = 1>(q, s, z)" +
                   tail
            << Integers{1, 3, -2, 127} << 0;
        QTest::newRow("quantised in the model")
            << "f = Constant<value = float[2,2] {0.5,-1.0,1.5,63.5}>()\ns = Constant<value = float {0.5}>()\n"
               "z = Constant<value = int8 {0}>()\nq = QuantizeLinear(f, s, z)\nw = DequantizeLinear(q, s, z)" +
                   tail
            << Integers{1, 3, -2, 127} << -1;
    }

    void quantisedWeights() {
        QFETCH(QString, body);
        QFETCH(Integers, integers);
        QFETCH(int, axis);
        const auto graph = imported(13, "float[1,2] x", body);
        POOLWRIGHT_VERIFY_RESULT(graph);
        const ir::Tensor& weights = (*graph)[graph->nodes[0].inputs[1]];
        QCOMPARE(weights.type, ir::ElementType::Int8);
        QCOMPARE(ir::integersOf(weights), integers);
        QCOMPARE(weights.quantisation->axis, axis);
    }

    void parametersReachIntegerInputs() {
        const auto graph = imported(13, "uint8[1,2,3] x",
                                    "s = Constant<value = float {0.5}>()\nz = Constant<value = uint8 {7}>()\n"
                                    "t = Transpose<perm = [0,2,1]>(x)\nd = DequantizeLinear(t, s, z)\ny = Relu(d)");
        POOLWRIGHT_VERIFY_RESULT(graph);
        const ir::Tensor& input = (*graph)[graph->inputs[0]];
        QCOMPARE(input.type, ir::ElementType::UInt8);
        QVERIFY(input.quantisation);
        QCOMPARE(*input.quantisation, (ir::Quantisation{{0.5}, {7}, -1}));
    }

    void batchIsSet() {
        const auto graph =
            imported(13, "float[N,3] x", "y = Relu(x)", {.quantisation = {}, .nativeFloat = false, .batch = 4});
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(shapeText(output(*graph).shape), QString("4x3"));
    }

    /// Thresholds and integers by hand: unsigned 8 bits of threshold 4 have the step 4/256, signed ones of threshold 1
    /// the step 1/128 and saturate at 127.
    void fakeQuantisersKeepTheirGrid() {
        const auto activation =
            imported(13, "float[2] x",
                     "y = mct_quantizers.ActivationPOTQuantizer<num_bits = 8, signed = 0, threshold = 4.0>(x)");
        POOLWRIGHT_VERIFY_RESULT(activation);
        const ir::Tensor& integers = (*activation)[activation->nodes[0].outputs[0]];
        QCOMPARE(int(integers.type), int(ir::ElementType::UInt8));
        QCOMPARE(integers.quantisation->scales, std::vector<double>{4.0 / 256});
        const auto weights = imported(13, "float[1,2] x",
                                      "w = Constant<value = float[2,2] {0.5, 2.0, -1.0, -0.25}>()\n"
                                      "t = Constant<value = float[2] {1.0, 2.0}>()\n"
                                      "q = mct_quantizers.WeightsPOTQuantizer<num_bits = 8, signed = 1, per_channel = "
                                      "1, channel_axis = 0>(w, t)\ny = Gemm<transB = 1>(x, q)");
        POOLWRIGHT_VERIFY_RESULT(weights);
        const ir::Tensor& constant = (*weights)[weights->nodes[0].inputs[1]];
        QCOMPARE(ir::integersOf(constant), (Integers{64, 127, -64, -16}));
        QCOMPARE(constant.quantisation->scales, (std::vector<double>{1.0 / 128, 2.0 / 128}));
    }

    void refused_data() {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, int opset, const char* inputs, const char* body, const char* message) {
            QTest::newRow(name) << opset << QString(inputs) << QString(body) << QString(message);
        };
        row("unknown operator, counted", 13, "float[2] x", "a = Split(x)\nb = Einsum(x)\nc = Einsum(b)\ny = Add(a, c)",
            "operator Einsum (domain ai.onnx) is not supported: 2 nodes, the first 'Einsum_1'");
        row("foreign domain", 13, "float[2] x", "y = my.domain.Thing(x)",
            "operator Thing (domain my.domain) is not supported: 1 node");
        row("endless range", 13, "float[2] x",
            "a = Constant<value_int = 0>()\nb = Constant<value_int = 4>()\nr = Range(a, b, a)\ny = Gather(x, r)",
            "range is too large");
        row("huge range", 13, "float[2] x",
            "a = Constant<value_int = 0>()\nb = Constant<value_int = 9000000000000>()\nc = Constant<value_int = 1>()\n"
            "r = Range(a, b, c)\ny = Gather(x, r)",
            "range is too large");
        row("huge broadcast of constants", 13, "float[2] x",
            "a = Constant<value_ints = [100000,1]>()\nc = ConstantOfShape(a)\nb = Constant<value_ints = "
            "[1,100000]>()\nd = ConstantOfShape(b)\ne = Mul(c, d)\ny = Add(x, e)",
            "too large");
        row("remainder of 0", 13, "float[2] x",
            "a = Constant<value_ints = [1,2]>()\nb = Constant<value_ints = [0]>()\nc = Mod(a, b)\ny = Reshape(x, c)",
            "division by zero");
        row("shape computed at run time", 13, "float[2] x, int64[1] i", "y = ConstantOfShape(i)",
            "operator ConstantOfShape (domain ai.onnx)");
        row("sums of integers without scale", 13, "int8[2,3] x, int8[3] b",
            "d = Constant<value_ints = [3,4]>()\nw = ConstantOfShape<value = int8[1] {2}>(d)\ny = MatMulInteger(x, w)",
            "no quantised tensor");
        row("fake quantisation to 4 bits", 13, "float[2,3] x",
            "y = mct_quantizers.ActivationPOTQuantizer<num_bits = 4, signed = 0, threshold = 4.0>(x)", "4 bits");
        row("negative threshold", 13, "float[2,3] x",
            "y = mct_quantizers.ActivationPOTQuantizer<num_bits = 8, signed = 0, threshold = -4.0>(x)", "not positive");
        row("scale at run time", 13, "int8[2,3] x, float s",
            "z = Constant<value = int8 {3}>()\ny = com.microsoft.QLinearSigmoid(x, s, z, s, z)",
            "computed at run time");
        row("index outside", 13, "float[2] x", "i = Constant<value_ints = [0, -3]>()\ny = Gather(x, i)",
            "index -3 is outside a dimension of 2");
        row("split that does not add up", 11, "float[1,6] x", "y, z = Split<axis = 1, split = [2, 3]>(x)",
            "do not match its outputs");
        row("unequal parts before opset 18", 13, "float[1,5] x", "y, z = Split<axis = 1>(x)", "2 equal parts");
        row("huge expand", 13, "float[2] x", "s = Constant<value_ints = [4611686018427387904,4,2]>()\ny = Expand(x, s)",
            "too large");
        row("huge tile", 13, "float[4] x", "s = Constant<value_ints = [4611686018427387904]>()\ny = Tile(x, s)",
            "repeats has the value 4611686018427387904");
        row("empty slice", 13, "float[4] x",
            "s = Constant<value_ints = [3]>()\ne = Constant<value_ints = [1]>()\ny = Slice(x, s, e)",
            "output is empty");
        row("product that does not fit", 13, "float[2,3] x, float[2,2] z", "y = MatMul(x, z)",
            "inner dimensions 3 and 2");
        row("symbolic height", 13, "float[1,3,H,8] x", "y = Relu(x)", "dimension 2 ('H') is not fixed");
        row("old opset", 6, "float[2] x", "y = Relu(x)", "opset 6");
        row("missing input", 13, "float[2] x", "y = Add(x, nothing)", "'nothing' is made by no node");
        row("channels", 13, "float[1,3,8,8] x",
            "s = Constant<value_ints = [4,4,1,1]>()\nw = ConstantOfShape(s)\ny = Conv(x, w)",
            "3 input channels in 1 groups");
        row("window larger than input", 13, "float[1,3,2,2] x", "y = MaxPool<kernel_shape = [3,3]>(x)",
            "larger than its padded input");
        row("zero stride", 13, "float[1,3,4,4] x", "y = MaxPool<kernel_shape = [2,2], strides = [0,1]>(x)",
            "strides has the value 0");
        row("3-D convolution", 13, "float[1,3,4,4,4] x",
            "s = Constant<value_ints = [4,3,1,1,1]>()\nw = ConstantOfShape(s)\ny = Conv(x, w)", "3-D operators");
        row("norm pool", 13, "float[1,3,4,4] x", "y = LpPool<kernel_shape = [2,2]>(x)", "pooling by a norm");
        row("transposed convolution padded away", 13, "float[1,2,2,2] x",
            "s = Constant<value_ints = [2,3,2,2]>()\nw = ConstantOfShape(s)\n"
            "y = ConvTranspose<pads = [2,2,2,2]>(x, w)",
            "leave nothing of the output");
        row("reshape", 13, "float[2,3] x", "s = Constant<value_ints = [4,2]>()\ny = Reshape(x, s)",
            "6 elements cannot take the new shape");
        row("huge reshape", 13, "float[2,3] x",
            "s = Constant<value_ints = [4611686018427387904,4]>()\ny = Reshape(x, s)", "the new shape is invalid");
        row("huge constant", 13, "float[2] x",
            "s = Constant<value_ints = [100000,100000]>()\nw = ConstantOfShape(s)\ny = Add(x, w)", "too large");
        row("huge pad", 13, "float[1,2] x",
            "p = Constant<value_ints = [0,4611686018427387904,0,4611686018427387904]>()\ny = Pad(x, p)",
            "padding is larger");
        row("reflect", 13, "float[1,2] x", "p = Constant<value_ints = [0,2,0,1]>()\ny = Pad<mode = \"reflect\">(x, p)",
            "repeats more than");
        row("crop to nothing", 13, "float[1,2] x", "p = Constant<value_ints = [0,-1,0,-1]>()\ny = Pad(x, p)",
            "crops a dimension of 2");
        row("huge resize", 13, "float[1,1,2,2] x",
            "r = Constant<value_ints = [1,1,4611686018427387904,2]>()\ny = Resize(x, , , r)", "resized dimension");
        row("huge scale", 13, "float[1,1,2,2] x",
            "r = Constant<value_floats = [1.0,1.0,1.0e30,2.0]>()\ny = Resize(x, , r)", "resized dimension");
        row("broadcast", 13, "float[2] x, float[3] z", "y = Add(x, z)", "dimensions 2 and 3 cannot be broadcast");
        row("perm", 13, "float[2,3] x", "y = Transpose<perm = [0,0]>(x)", "perm is no permutation");
        row("axis", 13, "float[2,3] x", "y = Softmax<axis = 2>(x)", "axis 2 does not exist in 2 dimensions");
        row("per-channel activation", 13, "float[1,2] x",
            "s = Constant<value = float[2] {0.5,0.25}>()\nz = Constant<value = int8[2] {0,0}>()\ny = QuantizeLinear(x, "
            "s, z)",
            "per channel");
        row("32-bit activation", 13, "float[1,2] x",
            "s = Constant<value = float {0.5}>()\nz = Constant<value = int32 {0}>()\ny = QuantizeLinear(x, s, z)",
            "activations of type s32");
        row("zero point outside", 13, "int8[1,2] x",
            "s = Constant<value = float {0.5}>()\nz = Constant<value = int32 {200}>()\ny = DequantizeLinear(x, s, z)",
            "zero point 200 is outside the type s8");
        row("scale of 0", 13, "float[1,2] x",
            "s = Constant<value = float {0.0}>()\nz = Constant<value = int8 {0}>()\ny = QuantizeLinear(x, s, z)",
            "a scale is not a positive number");
        row("read under other parameters", 13, "float[1,2] x",
            "s = Constant<value = float {0.5}>()\nz = Constant<value = int8 {0}>()\no = Constant<value = int8 {1}>()\n"
            "q = QuantizeLinear(x, s, z)\ny = DequantizeLinear(q, s, o)",
            "differ from those");
    }

    void refused() {
        QFETCH(int, opset);
        QFETCH(QString, inputs);
        QFETCH(QString, body);
        QFETCH(QString, message);
        const auto graph = imported(opset, inputs, body);
        QVERIFY(!graph);
        QVERIFY2(test::describe(graph.error()).contains(message), qPrintable(test::describe(graph.error())));
    }

    /// An initialiser whose data do not match its dimensions, in every way a damaged file can have it.
    void damagedInitialiser_data() {
        QTest::addColumn<Integers>("dims");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("bytes");
        QTest::newRow("short data") << Integers{2, 2} << int(onnx::TensorProto::FLOAT) << 12;
        QTest::newRow("long data") << Integers{2, 2} << int(onnx::TensorProto::FLOAT) << 20;
        QTest::newRow("negative") << Integers{-2, -2} << int(onnx::TensorProto::FLOAT) << 16;
        QTest::newRow("overflow") << Integers{1LL << 62, 4} << int(onnx::TensorProto::FLOAT) << 0;
        QTest::newRow("huge") << Integers{1 << 20, 1 << 20} << int(onnx::TensorProto::FLOAT) << 16;
        QTest::newRow("type") << Integers{4} << int(onnx::TensorProto::STRING) << 16;
        QTest::newRow("no type") << Integers{4} << 77 << 16;
    }

    void damagedInitialiser() {
        QFETCH(Integers, dims);
        QFETCH(int, type);
        QFETCH(int, bytes);
        onnx::ModelProto model;
        model.ParseFromString(modelBytes(13, "float[2,2] x", "y = Add(x, w)"));
        auto* w = model.mutable_graph()->add_initializer();
        w->set_name("w");
        w->set_data_type(type);
        for (std::int64_t dim : dims)
            w->add_dims(dim);
        w->set_raw_data(std::string(std::size_t(bytes), 'a'));
        Diagnostics notes;
        const auto graph = import::importBytes(model.SerializeAsString(), "test.onnx", {}, notes);
        QVERIFY(!graph);
        QCOMPARE(graph.error()[0].where.object, std::string("w"));
    }

    void externalDataIsRefused() {
        onnx::ModelProto model;
        model.ParseFromString(modelBytes(13, "float[2,2] x", "y = Add(x, w)"));
        auto* w = model.mutable_graph()->add_initializer();
        w->set_name("w");
        w->set_data_type(onnx::TensorProto::FLOAT);
        w->add_dims(4);
        w->set_data_location(onnx::TensorProto::EXTERNAL);
        Diagnostics notes;
        const auto graph = import::importBytes(model.SerializeAsString(), "test.onnx", {}, notes);
        QVERIFY(!graph);
        QCOMPARE(graph.error()[0].code, std::string("PW2013"));
    }
};

QTEST_APPLESS_MAIN(TstImportOperators)
#include "tst_import_operators.moc"
