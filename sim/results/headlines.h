#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/partition_sizes.h"
#include "sim/record/run_record.h"

namespace windrow {

// What is read off a table's record for the summary and the page's captions.

struct ReasonShare {
  std::string_view reason{};
  std::int64_t compactions = 0;
  Bytes read_bytes = 0;
  double share = 0;  // of all bytes read by compactions
};

struct TombstoneDrops {
  std::int64_t count = 0;
  std::int64_t overdue = 0;                 // might have gone by the end of the run
  std::optional<std::int64_t> first_day{};  // since the epoch
  std::optional<std::int64_t> last_day{};
};

struct Headlines {
  std::optional<Micros> first_blocked_us{};          // the first sample that saw a blocked file
  std::optional<Micros> first_large_partition_us{};  // the first sample that saw one above large_partition_bytes
  Peak droppable_ratio{};
  Peak sstables_per_partition{};
  std::int64_t blocked_sstables = 0;           // at the end
  std::int64_t blocked_for_ever_sstables = 0;  // of these: some blocker holds rows that never expire
  std::optional<Seconds> blocked_until_s{};    // of the others: when the last one goes
  TombstoneDrops drops{};
  std::vector<ReasonShare> reasons{};  // most bytes first
};

Headlines headlines(const TableRecord& table);

}  // namespace windrow
