// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <onnx/onnx_pb.h>

#include <random>
#include <set>
#include <string>
#include <vector>

/// Random quantised ONNX models (QDQ form, opset 17). A seed gives the same model on every machine.
namespace poolwright::test {

constexpr std::int64_t largestActivation = 6000; ///< elements: what the interpreter and the emulator do in no time

/// Operators that the front end reads; those of other domains as "domain.name".
std::set<std::string> readableOperators();

class ModelMaker {
public:
    /// `operators`: what may occur, named as readableOperators() names it.
    ModelMaker(unsigned seed, std::set<std::string> operators);

    std::string bytes() const { return m_model.SerializeAsString(); }

    unsigned pick(unsigned low, unsigned high) { return low + unsigned(m_random() % (high - low + 1)); }

private:
    struct Activation {
        std::string quantised, real; ///< names; the DequantizeLinear that makes `real` is added by the first reader
        ir::Shape shape;
        double scale = 1;
        int zeroPoint = 0;
        int readers = 0;
    };
    struct Parameters {
        double scale = 1;
        int zeroPoint = 0;
    };
    struct Constant {
        std::string name;
        ir::Shape shape;
        double scale = 1;
    };
    using Step = bool (ModelMaker::*)(); ///< false when it does not fit the model as it is
    static const std::vector<Step>& steps();

    template <typename T> T oneOf(const std::vector<T>& values) { return values[pick(0, unsigned(values.size()) - 1)]; }
    double scaleBetween(double low, double high);
    Parameters parameters();
    bool may(const std::string& opType) const { return m_operators.count(opType) != 0; }

    std::string newName(const char* prefix);
    onnx::NodeProto& addNode(const std::string& opType, const std::vector<std::string>& inputs);
    onnx::TensorProto& addInitialiser(const std::string& name, int type, const ir::Shape& shape);
    std::string addIntegers(const std::vector<std::int64_t>& values);
    std::string addReals(const ir::Shape& shape, double low, double high);
    std::string addScale(const std::vector<double>& scales);
    Constant addConstant(const ir::Shape& shape, const std::vector<double>& scales, int axis, int low, int high);
    Constant addBias(std::int64_t count, const std::vector<double>& scales, int reach);
    Constant channelConstant(const ir::Shape& shape);
    std::string addDequantise(const std::string& from, const std::vector<double>& scales, int zeroPoint, int axis,
                              int type);

    void addInput();
    void addOutputs();
    std::string read(std::size_t activation);
    /// Index of the result.
    std::size_t quantise(const std::string& real, const ir::Shape& shape, const Parameters& parameters);
    std::size_t apply(const std::string& opType, std::vector<std::string> inputs, const ir::Shape& shape,
                      const Parameters& parameters);
    onnx::NodeProto& last() { return *m_model.mutable_graph()->mutable_node(m_lastNode); }
    int anyOfRank(std::size_t rank); ///< index of an activation, or -1; late ones are likelier
    Parameters sameAs(std::size_t activation) const;

    bool addConvolution();
    bool addPool();
    bool addGlobalPool();
    bool addBinary();
    bool addConstantBinary();
    bool addUnary();
    bool addClamp();
    bool addConcat();
    bool addTranspose();
    bool addFlatProduct();
    bool addSlice();
    bool addPad();
    bool addResize();
    bool addSplit();
    bool addReduction();
    bool addSoftmax();
    bool addReshape();
    bool addNormalisation();
    bool addConvTranspose();
    bool addMatMul();
    bool addChoice();
    bool addGelu();
    bool addGather();
    bool addExpand();
    bool addTile();
    bool addArgMax();
    bool addIntegerConvolution();
    bool addIntegerProduct();
    bool addIntegerBinary();
    bool addIntegerUnary();

    std::string condition(std::size_t activation);
    std::vector<std::string> integers(std::size_t activation);
    std::vector<std::string> addParameters(const Parameters& parameters);
    std::string addWeights(const ir::Shape& shape);
    void applyToIntegers(const std::string& opType, std::vector<std::string> inputs, const ir::Shape& shape,
                         const Parameters& parameters);

    std::mt19937 m_random;
    std::set<std::string> m_operators;
    onnx::ModelProto m_model;
    std::vector<Activation> m_activations;
    std::vector<Constant> m_shared;
    int m_names = 0, m_lastNode = 0;
};

void setAttribute(onnx::NodeProto& node, const char* key, std::int64_t value);
void setAttribute(onnx::NodeProto& node, const char* key, double value);
void setAttribute(onnx::NodeProto& node, const char* key, const std::string& value);
void setAttribute(onnx::NodeProto& node, const char* key, const std::vector<std::int64_t>& values);

} // namespace poolwright::test
