// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <csignal>
#include <cstdio>
#include <exception>

using namespace poolwright;

namespace {

const cli::Command commands[] = {
    {"compile", "compile --onnx-input MODEL --load-mpool FILE [compiler options]",
     "model and memory pools to placement and all artefacts", cli::runCompile},
    {"generate", "generate -m MODEL --st-neural-art [PROFILE[@FILE]] [options]", "the same, with options from a profile",
     cli::runGenerate},
    {"translate", "translate MODEL [--json-quant-file FILE] [--output FOLDER]",
     "a QDQ model as the vendor's pair: NAME_OE_x_y_z.onnx and its _Q.json", cli::runTranslate},
    {"fit", "fit MODEL --load-mpool FILE...", "what is alive when, and whether it fits, without optimising", cli::runFit},
    {"place", "place FILE.csv --capacity BYTES [--budget-ms N]", "the planner alone, on id,lower,upper,size rows", cli::runPlace},
    {"mpool", "mpool check|show|fmt|diff|carve FILE...", "memory-pool files: findings, table, canonical form, difference, better carving", cli::runMpool},
    {"report", "report PATH... [--format text|json|csv] [gates]", "read any artefact set, ours or ST's; gates for scripts",
     cli::runReport},
    {"diff", "diff A B", "two artefact sets: moved buffers, changed epochs, totals", cli::runDiff},
    {"emulate", "emulate DIR --inputs X.npy...|--seed N --outputs DIR [--reference MODEL]",
     "run compiled artefacts on the unit-by-unit emulator", cli::runEmulate},
    {"lint", "lint MODEL [--json-quant-file FILE] [--lint-off RULE] [--format text|json]",
     "what the graph alone tells: operators that will cost, or trouble the vendor's tool", cli::runLint},
    {"options", "options [--format text|md|json]", "every compiler option", cli::runOptions},
    {"operators", "operators [--format text|md|json]", "every operator that is read, and where it runs", cli::runOperators},
    {"models", "models FILE|FOLDER... [--load-mpool FILE] [--format text|md|json]",
     "compile and emulate many models: one row each", cli::runModels},
};

int printUsage(std::FILE* stream) {
    std::fputs("usage: poolwright-cli COMMAND ...\n\n", stream);
    for (const cli::Command& command : commands)
        std::fprintf(stream, "  %-10s %s\n             %s\n", command.name, command.summary, command.usage);
    std::fputs("\nExit codes: 0 done, 1 a gate or check found something, 2 bad usage or input, 3 does not fit, 4 input/output error,\n"
               "5 internal error, 130 interrupted.\n",
               stream);
    return stream == stdout ? cli::Done : cli::BadInput;
}

extern "C" void onInterrupt(int) {
    cli::interruptFlag().cancel();
}

int run(const cli::Command& command, const cli::Arguments& arguments) {
    try {
        return command.run(arguments);
    } catch (const std::exception& error) {
        return cli::failWith({makeError("PW9001", std::string("internal error: ") + error.what(), {},
                                        "please report this with the command line and the input")});
    }
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    if (argc < 2)
        return printUsage(stderr);
    const std::string name = argv[1];
    if (name == "--help" || name == "-h" || name == "help")
        return printUsage(stdout);
    if (name == "--version") {
        std::puts("poolwright-cli " POOLWRIGHT_VERSION);
        return cli::Done;
    }
    for (const cli::Command& command : commands)
        if (name == command.name)
            return run(command, cli::Arguments(argv + 2, argv + argc));
    std::fprintf(stderr, "poolwright-cli: there is no command \"%s\"\n\n", name.c_str());
    return printUsage(stderr);
}
