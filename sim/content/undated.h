#pragma once

#include "sim/content/content.h"
#include "sim/content/row_shape.h"

namespace windrow {

/// True of rows that carry no local deletion time: nothing of them expires, and nothing was dead from the start.
inline bool undated(const ContentSpace& space, const Cohort& cohort) {
  return has_values(cohort.state) && cohort.ttl_s == 0 && !born_with_dead(space.writer_of(cohort));
}

}  // namespace windrow
