#pragma once

#include <span>
#include <string>
#include <vector>

#include "evidence/recordings/recording_check.h"
#include "sim/engine/table_store.h"

namespace windrow {

/// 2026-01-01T00:00:00Z
std::string utc_text(Seconds t_s);
/// 1,234,567
std::string grouped(std::int64_t number);
std::string id_list(std::span<const std::int64_t> ids);
std::vector<std::int64_t> sorted(std::vector<std::int64_t> ids);

/// What a table's strategy sees, line by line: the table, then the live SSTables in live order, those in `of_interest`
/// all, of the others the first ones.
std::vector<std::string> describe_state(const TableStore& table, Seconds now_s,
                                        std::span<const std::int64_t> of_interest);

/// What a compaction reads, and what it saw when it started.
std::vector<std::string> describe_task(const Task& task);

}  // namespace windrow
