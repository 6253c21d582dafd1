#include "sim/record/rows_one_by_one.h"

#include <algorithm>
#include <iterator>

namespace windrow {

Rows rows_one_by_one(const Content& content, Rows all) {
  if (!content.keyed) return 0;
  if (content.cohorts.empty()) return all;
  Rows rows = 0;
  for (const KeyedPartition& partition : *content.keyed) rows += std::max<Rows>(1, std::ssize(partition.rows));
  return rows;
}

}  // namespace windrow
