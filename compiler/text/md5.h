// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace poolwright::text {

/// MD5 of the bytes (RFC 1321) as 32 lower-case hexadecimal digits. A fingerprint of files, not a protection: the
/// vendor's `_Q.json` carries it as "signature" of the model that it belongs to.
std::string md5(std::string_view bytes);

} // namespace poolwright::text
