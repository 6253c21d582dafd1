#pragma once

#include <string_view>

#include "sim/base/units.h"

namespace windrow {

/// Digest.crc32: the checksum (CRC-32 of IEEE 802.3) of Data.db as decimal text.
Bytes digest_bytes(std::string_view data);

}  // namespace windrow
