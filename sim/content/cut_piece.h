#pragma once

#include <memory>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/plain_rows.h"
#include "sim/content/row_format.h"

namespace windrow {

/// What a file holds that was cut from a larger content of plain rows alone: half the room of a content.
struct CutPiece {
  std::vector<PlainRows> rows{};               // in the order of a content
  std::shared_ptr<const HeaderBases> bases{};  // of all files of the cut

  bool empty() const { return rows.empty(); }
  Content content() const {
    Content all{.bases = *bases};
    all.cohorts.reserve(rows.size());
    for (const PlainRows& each : rows) all.cohorts.push_back(cohort_of(each));
    return all;
  }
};

}  // namespace windrow
