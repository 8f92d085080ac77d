// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/schedule/graphs.h"
#include "compiler/schedule/pipeline.h"

#include <QObject>

/// What the tests of single lowerings share: compile a graph made by hand, run it unit by unit, compare with the
/// interpreter.
namespace poolwright::test {

struct Expectation {
    double largest = 0;      ///< most steps that a value may be off
    double equalShare = 0.9; ///< least share of equal values of every tensor
    int software = 0;        ///< exact number of software epochs
    int mostHardware = 1000; ///< most hardware epochs
};

inline QString reasonsOf(const program::Program& program) {
    QString reasons;
    for (const program::Epoch& epoch : program.epochs)
        reasons += QString::fromStdString(epoch.name + ": " + epoch.reason) + "\n";
    return reasons;
}

/// An empty text when all is as expected, else what is not.
inline QString complaint(const ir::Graph& graph, unsigned seed, const Expectation& expected = {},
                         const options::CompilerOptions& options = {}) {
    const QString where = QString("seed %1\n%2").arg(seed).arg(QString::fromStdString(ir::toText(graph)));
    auto compiled = compileGraph(graph, options);
    if (!compiled)
        return describe(compiled.error()) + where;
    const QString epochs = reasonsOf(compiled->program);
    const int software = epochsOfKind(compiled->program, program::EpochKind::Software);
    const int hardware = epochsOfKind(compiled->program, program::EpochKind::Hardware);
    if (software != expected.software || hardware > expected.mostHardware)
        return QString("%1 hardware and %2 software epochs\n").arg(hardware).arg(software) + epochs + where;
    auto comparison = emulate::compare(compiled->program, graph, randomInputs(graph, seed), emulate::Feeding::Isolated);
    if (!comparison)
        return describe(comparison.error()) + where;
    auto all = comparison->tensors;
    all.insert(all.end(), comparison->outputs.begin(), comparison->outputs.end());
    for (const emulate::Agreement& a : all)
        if (a.values == 0 || a.largest > expected.largest ||
            double(a.equal) < expected.equalShare * double(a.values) - 2)
            return QString("%1: %2 of %3 equal, largest %4\n")
                       .arg(QString::fromStdString(a.tensor))
                       .arg(a.equal)
                       .arg(a.values)
                       .arg(a.largest) +
                   where + epochs;
    return {};
}

} // namespace poolwright::test

#define POOLWRIGHT_VERIFY_LOWERED(...)                                                                                 \
    do {                                                                                                               \
        const QString complained = poolwright::test::complaint(__VA_ARGS__);                                           \
        QVERIFY2(complained.isEmpty(), qPrintable(complained));                                                        \
    } while (false)
