#pragma once

#include <cstdint>
#include <string_view>

namespace windrow {

/// Seconds since the epoch of "2026-03-02T10:00:00Z" or "2026-03-02"; 0 for anything else.
std::int64_t iso_seconds(std::string_view iso);

}  // namespace windrow
