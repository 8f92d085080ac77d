// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poolwright::target {

/// The content of resources/targets/stm32n6.json at build time.
extern const char* const builtinTargetText;

} // namespace poolwright::target
