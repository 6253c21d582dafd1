#pragma once

#include <functional>
#include <span>

#include "sim/content/content.h"

namespace windrow {

/// Of contents that hold rows one by one: calls `each(second of the delete)` for every row with values on which a
/// partition or range deletion of any of them lies. `rows_in` says whose rows are looked at, `contents` whose
/// deletions.
void each_covered_row(std::span<const Content* const> rows_in, std::span<const Content* const> contents,
                      const std::function<void(Seconds)>& each);

}  // namespace windrow
