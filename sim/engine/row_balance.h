#pragma once

#include "sim/base/units.h"

namespace windrow {

/// Rows of one table, everywhere they can be; of those that lie in several files each copy. `check` stops the run when
/// one is lost or made.
struct RowBalance {
  Rows written = 0;
  Rows streamed = 0;  // sent by other replicas, also what was here already
  Rows shadowed = 0;
  Rows purged = 0;  // by compactions that read them
  Rows dropped_with_files = 0;
  Rows duplicates = 0;  // second copies that compactions absorbed
};

}  // namespace windrow
