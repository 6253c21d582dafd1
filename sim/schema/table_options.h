#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/schema/compaction_options.h"

namespace windrow {

/// The effective options of a table, as system_schema.tables holds them (TableParams, Cassandra 5.0.9).
struct TableOptions {
  std::string additional_write_policy = "99p";
  std::optional<bool> allow_auto_snapshot{};  // unset: true
  double bloom_filter_fp_chance = 0.01;       // 0.1 under LCS unless it was set
  OptionMap caching = {{"keys", "ALL"}, {"rows_per_partition", "NONE"}};
  std::optional<bool> cdc{};  // unset: false
  std::string comment{};
  OptionMap compaction = effective_compaction_map({{"class", "SizeTieredCompactionStrategy"}});
  CompactionOptions compaction_options = SizeTieredOptions{};  // the same, parsed
  OptionMap compression = {{"chunk_length_in_kb", "16"}, {"class", "org.apache.cassandra.io.compress.LZ4Compressor"}};
  double crc_check_chance = 1.0;
  std::int32_t default_time_to_live = 0;  // seconds; 0: none
  OptionMap extensions{};
  std::int32_t gc_grace_seconds = 864'000;
  std::optional<bool> incremental_backups{};  // unset: true
  std::int32_t max_index_interval = 2048;
  std::optional<std::string> memtable{};  // unset: 'default'
  std::int32_t memtable_flush_period_in_ms = 0;
  std::int32_t min_index_interval = 128;
  std::string read_repair = "BLOCKING";
  std::string speculative_retry = "99p";

  /// compression = {'enabled': 'false'} writes plain files.
  bool is_compressed() const;
  /// Uncompressed bytes of a chunk; 0: plain files.
  Bytes chunk_bytes() const;
};

}  // namespace windrow
