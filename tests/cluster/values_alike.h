#pragma once

#include "sim/content/keyed_content.h"

namespace windrow_test {

/// CompareValues where no value is told from another.
inline constexpr auto values_alike = [](const windrow::KeyedCell&, const windrow::KeyedCell&) { return 0; };

}  // namespace windrow_test
