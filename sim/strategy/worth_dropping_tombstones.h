#pragma once

#include "sim/strategy/overlap.h"
#include "sim/strategy/strategy.h"
#include "sim/strategy/tombstone_watch.h"

namespace windrow {

struct WorthDropping {
  bool worth = false;
  const char* rule = "";  // what decided
  /// If not worth it: the first gc_before that could change that while the table's files and memtable stay as they are.
  Seconds next_gc_before_s = no_deletion_time;
  /// False if more could change it than time and a file that leaves, such as a memtable that becomes a file.
  bool stands_until_removal = true;
  std::int64_t covered_by = 0;  // a file that is enough to say so: it stands until that one is removed
};

/// Rules 5.2 to 5.7 (AbstractCompactionStrategy.worthDroppingTombstones, Cassandra 5.0.9).
WorthDropping worth_dropping_tombstones(const CommonCompactionOptions& options, const SSTableView& file,
                                        const TableView& view);

/// Whether a look at the file is remembered that found nothing and would find nothing again.
bool known_fruitless(const TombstoneWatch::Aged& aged, const TableView& view);

/// Tries one file that age and ratio allow, and remembers a fruitless try.
bool try_worth_dropping(const CommonCompactionOptions& options, const TombstoneWatch::Aged& aged,
                        const TableView& view);

/// Calls `use` with every idle file worth a tombstone compaction, in no order of the engine, until it returns false.
template <class Function>
void for_each_worth_dropping(const CommonCompactionOptions& options, const TableView& view, Function use) {
  const TombstoneWatch* watch = view.own().watch();
  if (watch == nullptr || watch->empty()) return;
  for (const TombstoneWatch::Aged& aged : watch->ripe(view.now_ms, view.gc_before_s)) {
    if (try_worth_dropping(options, aged, view) && !use(*aged.file)) return;
  }
}

/// Earliest time at which a tombstone compaction could appear, seen from an ask at view.now_ms that found nothing.
Millis next_worth_dropping_ms(const CommonCompactionOptions& options, const TableView& view);

}  // namespace windrow
