// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <utility>
#include <vector>

/// Compiler options: one table (options/table.h) serves the parser, help, the editor, .ini files, profiles and the help
/// page.
namespace poolwright::options {

/// The resolved options of one compile, spelled as the vendor's compiler spells them (facts/file-formats.md section 8).
struct CompilerOptions {
    // files
    std::string onnxInput, jsonQuantFile, cOutput;
    std::string loadMpool, loadMdesc, loadCdesc;
    std::string saveMpoolFile, saveMdescFile, onnxOutput, dotFile, csvFile, outputInfoFile;
    std::string optionsFile, loadOptions, outDirPrefix, mappingRecapFile, schedStats;
    std::string networkName = "Default";
    // behaviour
    int optimization = 2;
    bool optimizeSize = false; ///< -M, --Os
    bool nativeFloat = false;
    bool cacheMaintenance = false, cacheOpt = false;
    bool enableVirtualMemPools = false;
    bool enableEpochController = false, ecUserIoSkip = false, ecUserIoAlone = false, ecOptimize = false;
    bool mvei = false, generateStai = false, allBuffersInfo = false, encryptWeights = false;
    bool autoOptions = false, autoSched = false, altSched = false;
    int autoDebug = 0; ///< --d-auto
    int maxCaPipe = 0; ///< --Omax-ca-pipe, 0 = as many as the machine has
    bool convSplitCw = false, convSplitKw = false, convSplitStripe = false, convSplitStripeFull = false;
    bool shuffleDma = false, noCloneDma = false, preserveInputs = false, forceAllInOutToMem = false;
    bool disableSwFallback = false, noHwSwParallelism = false;
    bool expandSoftmax = false, expandSoftmaxFull = false, geluRecognition = false, swishRecognition = false;
    bool noInputsAllocation = false, noOutputsAllocation = false;
    bool mappingRecap = false, numOpsInfo = false;
    std::vector<std::string> onnxOmitOpt;
    std::vector<std::string> lintOff; ///< rules of lint, by name
    bool noEncryptAccConfs = false;
    int debugJson = 0;        ///< --d-json-out
    int deadlockAnalysis = 0; ///< --d-dead
    std::vector<std::string> debugOnnxTemps;
    bool help = false;
    // front end (`generate`): never handed to the compiler proper
    std::string model;             ///< -m, --model
    std::string stNeuralArt;       ///< --st-neural-art: [<profile>[@<file>]], see options/profile.h
    bool stNeuralArtGiven = false; ///< the option stands there, perhaps without a value
    std::string name, workspace, output, inputDataType, outputDataType, inputsChPosition, outputsChPosition;
    std::string fixParametricShapes, valJson, cApi, mode, desc;
    int verbosity = 1;
    bool allocateInputs = false, allocateOutputs = false;
    // ours
    bool verify = false; ///< run the verifiers after every stage
    std::string runtimeGeneration =
        "1.1.1";       ///< --runtime: which network.c and virtual-pool rule; "1.1.1" (2.x) or "1.1.3" (3.x, 4.x)
    std::string board; ///< --board: row of the target's boards for the calibrated estimate

    /// Options as given, in order, each once, later ones winning; what "show resolved options", the .ini file and
    /// network.c print.
    std::vector<std::pair<std::string, std::string>> given;
    bool operator==(const CompilerOptions&) const = default;
};

} // namespace poolwright::options
