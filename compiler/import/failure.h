// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poolwright::import {

/// What a reader inside this room throws when the model breaks a rule; caught where the node or tensor is known, never
/// leaves the room.
struct Failure {
    std::string code;
    std::string message;
    std::string hint;
};

[[noreturn]] inline void refuse(std::string code, std::string message, std::string hint = {}) {
    throw Failure{std::move(code), std::move(message), std::move(hint)};
}

} // namespace poolwright::import
