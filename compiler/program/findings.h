// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

#include <string>

/// Inside the room only: how the parts of verify() collect what they find.
namespace poolwright::program {

class Findings {
public:
    /// `place` becomes the object of every diagnostic until the next call: "epoch 3, unit Conv2D_3".
    void enter(std::string place) { m_place = std::move(place); }

    /// Records an error when `ok` is false. Answers `ok`.
    bool require(bool ok, const char* code, const std::string& message) {
        if (!ok)
            m_diagnostics.push_back(makeError(code, message, {{}, 0, 0, m_place}));
        return ok;
    }

    Diagnostics take() { return std::move(m_diagnostics); }

private:
    std::string m_place;
    Diagnostics m_diagnostics;
};

/// Rules of the units of one hardware epoch: kinds, counts, links, fields within their registers, ranges inside
/// buffers.
void verifyHardware(const Program& program, int ordinal, const HardwareWork& work, Findings& findings);

/// The fields of one unit against the machine's limits.
void verifyUnit(const Program& program, const Unit& unit, Findings& findings);

/// Placement: every buffer has a place or a reason, inside a pool with the rights, aligned, sharing no byte with
/// another live one.
void verifyPlacement(const Program& program, Findings& findings);

bool isBuffer(const Program& program, BufferId id);

} // namespace poolwright::program
