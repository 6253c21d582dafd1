#pragma once

#include "sim/strategy/file_order.h"

namespace windrow {

/// What the check for expired files (rules 4.3, 7.6, 9.10) asks a live set.
struct ExpiryOrder {
  FilePlaces by_max_local_deletion_time;  // files that are not compacting and can expire at all
  FilePlaces by_min_timestamp;            // all live files

  void add(const SSTableView& file) {
    by_min_timestamp.insert({.key = file.min_timestamp_us, .tie = file.id, .file = &file});
    if (!file.compacting) freed(file);
  }
  void remove(const SSTableView& file) {
    by_min_timestamp.erase({.key = file.min_timestamp_us, .tie = file.id});
    if (!file.compacting) taken(file);
  }
  void taken(const SSTableView& file) {
    if (file.max_local_deletion_time_s == no_deletion_time) return;
    by_max_local_deletion_time.erase({.key = file.max_local_deletion_time_s, .tie = file.id});
  }
  void freed(const SSTableView& file) {
    if (file.max_local_deletion_time_s == no_deletion_time) return;
    by_max_local_deletion_time.insert({.key = file.max_local_deletion_time_s, .tie = file.id, .file = &file});
  }
};

}  // namespace windrow
