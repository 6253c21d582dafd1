#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "evidence/recordings/trace.h"
#include "sim/stats/bloom_filter.h"
#include "sim/stats/drop_times.h"
#include "sim/stats/estimated_histogram.h"
#include "sim/stats/key_sketch.h"
#include "sim/strategy/sstable_view.h"
#include "tests/witness/lib/memtable.h"
#include "tests/witness/lib/rows.h"

namespace windrow::witness {

/// Version and format of files: "nb" and "oa" are BIG, "da" is BTI.
struct FileFormat {
  std::string_view version = "oa";
  std::string_view format = "big";
  bool bti() const { return format == "bti"; }
};
FileFormat file_format(const OracleScenario& scenario);

/// A file with every row in it and its filter.
class SSTable final : public Estimates {
 public:
  /// `filter_keys`: what the writer's bloom filter was sized for. `fp_chance` 0: a filter that never errs, which the
  /// engine does not have, and scenarios assume.
  SSTable(FileFormat format, Header header, std::vector<Partition> partitions, std::int64_t filter_keys,
          double fp_chance, std::int64_t min_index_interval);

  /// What of the ring it covers, on a node that holds some of it.
  std::optional<double> held_share{};

  /// All fields of a recorded file; id, generation, hash, level and the times are set by the table.
  TraceSSTable fields{};

  const std::vector<Partition>& partitions() const { return partitions_; }
  const Header& header() const { return header_; }
  const DropTimes& drop_times() const { return drop_times_; }
  const KeySketch& key_sketch() const { return key_sketch_; }
  bool might_contain(const Key& key) const;
  bool spans(const Key& key) const { return fields.first_token <= key.token && key.token <= fields.last_token; }
  SSTableView view() const;

  double droppable_tombstone_ratio(Seconds gc_before_s) const override;
  Seconds ratio_crosses_at(double threshold) const override;
  std::int64_t estimated_keys() const override { return fields.estimated_keys; }
  bool estimation_informative() const override { return fields.informative; }
  std::int64_t estimated_keys_for_ranges(std::span<const TokenRange> ranges) const override;
  std::int64_t cells_mean() const override { return cells_.mean(); }
  std::int64_t cells_count() const override { return cells_.count(); }
  std::pair<Token, Token> token_span() const override { return {fields.first_token, fields.last_token}; }
  double spanned() const override { return held_share ? *held_share : Estimates::spanned(); }

 private:
  void measure();
  Bytes bytes_on_disk(std::int64_t filter_keys, double fp_chance) const;

  FileFormat format_{};
  Header header_{};
  std::vector<Partition> partitions_;
  std::vector<Bytes> partition_bytes_;
  std::int64_t min_index_interval_ = 128;
  std::unique_ptr<BloomFilter> filter_;  // null: fp chance 1 or 0
  bool knows_its_keys_ = false;
  KeySketch key_sketch_;
  DropTimes drop_times_;
  EstimatedHistogram sizes_{EstimatedHistogram::partition_size_offsets};
  EstimatedHistogram cells_{EstimatedHistogram::cell_count_offsets};
};

/// Serialized bytes of one partition in a file of this format and header (storage 1.3 to 1.9).
Bytes partition_size(const FileFormat& format, const Header& header, const Partition& partition);

}  // namespace windrow::witness
