// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/dice.h"

#include <string>
#include <vector>

/// What mutants are made from: the suite's single-operator models, random graphs, what our own compiler writes, the
/// pool and target files that ship and, where the shared material is there, real models and files.
namespace poolwright::fuzz {

enum class Kind { Model, Quantisation, Pools, Machine, Target, Profiles, Options, Program, Artefact, Buffers };

const char* kindName(Kind kind);
/// All but Model: texts.
const std::vector<Kind>& textKinds();

struct Seed {
    Kind kind = Kind::Model;
    std::string name;
    std::string content;
    std::string companion; ///< of a model: its `_Q.json`, or empty; of a quantisation: the model
    bool isLarge = false;  ///< taken seldom
};

class Seeds {
public:
    /// Reads and makes everything.
    Seeds();

    const Seed& pick(Kind kind, Dice& dice) const;
    std::size_t count(Kind kind) const;

private:
    void add(Seed seed);
    void addModels();
    void addSharedModels();
    void addTexts();
    void addOwnArtefacts();

    std::vector<Seed> m_seeds;
};

/// A small model of our own: a few convolutions and what stands around them; for texts that need a compile.
const std::string& plainModel();

} // namespace poolwright::fuzz
