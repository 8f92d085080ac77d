// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"

#include <tl/expected.hpp>

namespace poolwright {

/// A value, or the diagnostics that say why there is none (at least one of them an error).
/// Warnings that accompany a success travel beside the value, in a Diagnostics& parameter or member of the value.
template <typename T> using Result = tl::expected<T, Diagnostics>;

/// Failure with one diagnostic.
inline tl::unexpected<Diagnostics> fail(Diagnostic diagnostic) {
    return tl::unexpected<Diagnostics>(Diagnostics{std::move(diagnostic)});
}
inline tl::unexpected<Diagnostics> fail(Diagnostics diagnostics) {
    return tl::unexpected<Diagnostics>(std::move(diagnostics));
}

} // namespace poolwright
