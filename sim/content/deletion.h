#pragma once

#include "sim/bytes/stored_row.h"

namespace windrow {

using CellKind = StoredCell::Kind;

/// A deletion: largest markedForDeleteAt wins, ties go to the larger local deletion time.
struct Deletion {
  Micros timestamp_us = 0;
  Seconds local_deletion_time_s = 0;

  DeletionTime stored() const {
    return {.marked_for_delete_at_us = timestamp_us, .local_deletion_time_s = local_deletion_time_s};
  }
  friend auto operator<=>(const Deletion&, const Deletion&) = default;
};

}  // namespace windrow
