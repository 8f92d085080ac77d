// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

namespace poolwright::lower {

/// Images of one batch that get epochs of their own.
constexpr std::int64_t mostImages = 1024;

/// Refuses batches of which a program would never come to an end.
inline Refusal refuseBatch(std::int64_t images) {
    return images <= mostImages ? Refusal()
                                : "a batch of more than " + std::to_string(mostImages) +
                                      " images takes too many epochs; export the model with a batch of 1";
}

} // namespace poolwright::lower
