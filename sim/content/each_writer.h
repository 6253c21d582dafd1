#pragma once

#include <cstddef>
#include <span>

#include "sim/base/check.h"
#include "sim/content/content.h"

namespace windrow {

/// Calls `each(writer, its cohorts)` for every writer; cohorts are in the order of sub-streams.
template <typename Each>
void each_writer(const ContentSpace& space, std::span<const Cohort> cohorts, const Each& each) {
  for (std::size_t i = 0; i < cohorts.size();) {
    const Writer& writer = space.writer_of(cohorts[i]);
    std::size_t end = i + 1;
    while (end < cohorts.size() && &space.writer_of(cohorts[end]) == &writer) ++end;
    SIM_CHECK(end == cohorts.size() || writer.index < space.writer_of(cohorts[end]).index, "cohorts are out of order");
    each(writer, cohorts.subspan(i, end - i));
    i = end;
  }
}

}  // namespace windrow
