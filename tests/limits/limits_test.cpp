#include "sim/limits/limits.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

TEST_CASE("what moves the number of SSTables depends on the table's strategy") {
  CHECK(knob_of("sstables_max", "TimeWindowCompactionStrategy").knob == "compaction_window_size, flush size");
  CHECK(knob_of("sstables_max", "LeveledCompactionStrategy").knob == "sstable_size_in_mb");
  CHECK(knob_of("sstables_max", "UnifiedCompactionStrategy").knob.starts_with("target_sstable_size"));
  CHECK(knob_of("sstables_max", "SizeTieredCompactionStrategy").knob == "min_threshold, flush size");
  CHECK(knob_of("disk_used_share", "LeveledCompactionStrategy").knob == knob_of("disk_used_share").knob);
  CHECK(knob_of("no such limit").knob == "the scenario");
}

}  // namespace
}  // namespace windrow
