// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <cinttypes>
#include <cstdio>

namespace poolwright {

std::string toText(Address address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%08" PRIX64, address.value);
    return text;
}

std::string toText(ByteCount bytes) {
    const std::string digits = std::to_string(bytes.value);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-')
            text += ',';
        text += digits[i];
    }
    return text + " B";
}

} // namespace poolwright
