#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "bench/row_files.h"
#include "sim/strategy/strategy.h"

namespace windrow_bench {

using windrow::Seconds;

/// Who picks, and by which bounds.
struct Setting {
  const char* name = "";
  int min_threshold = 4;
  int else_threshold = 0;       // asked with where min_threshold finds nothing; 0: not
  bool as_incremental = false;  // buckets of ScyllaDB's incremental compaction
  Seconds gc_grace_s = 0;
  double bucket_low = 0.5;
  double bucket_high = 1.5;
  Bytes min_sstable_size = 10'000;
};

/// The picks of ScyllaDB's incremental compaction without its goal for space: the average of a bucket may not leave
/// its smallest run behind, and of all buckets the one with most runs is taken.
inline std::vector<std::int64_t> incremental_pick(const windrow::SizeTieredOptions& options,
                                                  const windrow::LiveSet& live) {
  std::vector<std::int64_t> best;
  std::vector<std::int64_t> bucket;
  double sum = 0;
  double smallest = 0;
  const auto close = [&] {
    if (bucket.size() > static_cast<std::size_t>(options.common.max_threshold)) {
      bucket.resize(static_cast<std::size_t>(options.common.max_threshold));
    }
    if (bucket.size() >= static_cast<std::size_t>(options.common.min_threshold) && bucket.size() > best.size()) {
      best = bucket;
    }
    bucket.clear();
    sum = 0;
  };
  for (const auto& place : live.unrepaired().order<windrow::SizeOrder>().places()) {
    const auto size = static_cast<double>(place.file->data_bytes);
    const bool small = place.file->data_bytes < options.min_sstable_size_bytes;
    if (!bucket.empty()) {
      const double mean = sum / static_cast<double>(bucket.size());
      const double next_mean = (sum + size) / static_cast<double>(bucket.size() + 1);
      const bool similar = size > mean * options.bucket_low && size < mean * options.bucket_high;
      const bool both_small = small && mean < static_cast<double>(options.min_sstable_size_bytes);
      if (!(similar || both_small) || !(small || smallest > next_mean * options.bucket_low)) close();
    }
    if (bucket.empty()) smallest = size;
    bucket.push_back(place.file->id);
    sum += size;
  }
  close();
  return best;
}

/// Bytes written, of Data and of all components.
struct Written {
  Bytes data_bytes = 0;
  Bytes bytes_on_disk = 0;
  void operator+=(const File& file) {
    data_bytes += file.data_bytes;
    bytes_on_disk += file.bytes_on_disk;
  }
  void operator-=(const File& file) {
    data_bytes -= file.data_bytes;
    bytes_on_disk -= file.bytes_on_disk;
  }
  void operator+=(const Written& other) {
    data_bytes += other.data_bytes;
    bytes_on_disk += other.bytes_on_disk;
  }
};

struct Counts {
  Written flushed{};
  Written compacted{};
  Written kept{};         // outputs that are still there when nothing more is to be done after their flush
  Written replaced{};     // files of before that are not
  double most_space = 0;  // while a compaction's inputs and output are both there, over what is alive
  std::size_t most_inputs = 0;
};

/// The files of one table. A flush is followed at once by all compactions that are picked, each done before the next.
/// The picks are those of windrow's size-tiered strategy; no tombstone compaction is among them, for no file of a run
/// of minutes is tombstone_compaction_interval, a day, old.
class Table {
 public:
  explicit Table(const Setting& setting) : setting_(setting) {
    options_.min_sstable_size_bytes = setting.min_sstable_size;
    options_.bucket_low = setting.bucket_low;
    options_.bucket_high = setting.bucket_high;
    live_.use(options_);
  }

  /// `alive_on_disk`: bytes of one file of what is alive.
  void flush(RowsOfFile written, std::int32_t now, Bytes alive_on_disk, Counts& counts) {
    // Writes to one row meet in the memtable, in their order.
    std::ranges::stable_sort(written, {}, &Row::key);
    RowsOfFile rows;
    for (const Row& row : written) {
      if (!rows.empty() && rows.back().key == row.key) {
        rows.back() = reconciled(rows.back(), row);
      } else {
        rows.push_back(row);
      }
    }
    const File& file = add(file_of(std::move(rows)), {}, now);
    counts.flushed += file;
    const std::int64_t flushed = next_id_;
    Written before;
    for (const auto& [id, each] : files_) before += each;
    for (auto inputs = pick(now); !inputs.empty(); inputs = pick(now)) {
      compact(inputs, now, alive_on_disk, counts);
    }
    for (const auto& [id, each] : files_) {
      if (id > flushed) {
        counts.kept += each;
      } else {
        before -= each;
      }
    }
    counts.replaced += before;
  }

  Bytes bytes_on_disk() const {
    Bytes bytes = 0;
    for (const auto& [id, file] : files_) bytes += file.bytes_on_disk;
    return bytes;
  }
  const std::map<std::int64_t, File>& files() const { return files_; }

  /// Everything in one file: a major compaction that purges what is older than `gc_before_s`.
  File compacted_fully(Seconds gc_before_s) const {
    std::vector<const File*> all;
    for (const auto& [id, file] : files_) all.push_back(&file);
    return file_of(purged(merged(all), {}, gc_before_s));
  }
  Seconds gc_before(std::int32_t now) const { return now / 1'000 - setting_.gc_grace_s; }

 private:
  std::vector<std::int64_t> pick(std::int32_t now) {
    for (const int threshold : {setting_.min_threshold, setting_.else_threshold}) {
      if (threshold == 0) continue;
      options_.common.min_threshold = threshold;
      std::vector<std::int64_t> inputs = setting_.as_incremental
                                             ? incremental_pick(options_, live_)
                                             : windrow::new_strategy(options_)
                                                   ->next_task({}, {.now_ms = now,
                                                                    .gc_before_s = gc_before(now),
                                                                    .live = &live_,
                                                                    .memtable_min_timestamp_us = windrow::no_timestamp})
                                                   .pick.inputs;
      if (!inputs.empty()) return inputs;
    }
    return {};
  }

  const File& add(File file, const std::vector<std::int64_t>& removed, std::int32_t now) {
    const std::int64_t id = ++next_id_;
    const windrow::SSTableView view{.id = id,
                                    .data_bytes = file.data_bytes,
                                    .bytes_on_disk = file.bytes_on_disk,
                                    .min_timestamp_us = std::int64_t{1'000} * file.min_timestamp,
                                    .max_timestamp_us = std::int64_t{1'000} * now,
                                    .created_ms = now};
    if (removed.empty()) {
      live_.add({&view, 1});
    } else {
      live_.replace(removed, {&view, 1});
    }
    for (const std::int64_t input : removed) files_.erase(input);
    return files_.emplace(id, std::move(file)).first->second;
  }

  void compact(const std::vector<std::int64_t>& inputs, std::int32_t now, Bytes alive_on_disk, Counts& counts) {
    std::vector<const File*> sources;
    for (const std::int64_t id : inputs) sources.push_back(&files_.at(id));
    std::vector<const File*> others;
    for (const auto& [id, file] : files_) {
      if (std::ranges::find(inputs, id) == inputs.end()) others.push_back(&file);
    }
    File output = file_of(purged(merged(sources), others, gc_before(now)));
    const Bytes most = bytes_on_disk() + output.bytes_on_disk;
    if (!output.rows.empty()) counts.compacted += output;
    counts.most_space = std::max(counts.most_space, static_cast<double>(most) / static_cast<double>(alive_on_disk));
    counts.most_inputs = std::max(counts.most_inputs, inputs.size());
    if (output.rows.empty()) {
      live_.remove(inputs);
      for (const std::int64_t id : inputs) files_.erase(id);
    } else {
      add(std::move(output), inputs, now);
    }
  }

  /// Rule 3.7 without false positives of filters: a tombstone goes if it is older than gc_grace and than everything in
  /// each other file that holds its partition. The memtable is empty after a flush.
  static RowsOfFile purged(RowsOfFile rows, const std::vector<const File*>& others, Seconds gc_before_s) {
    for (Row& row : rows) {
      if (row.deleted == Row::never || row.deleted / 1'000 >= gc_before_s) continue;
      const bool kept = std::ranges::any_of(others, [&](const File* other) {
        return other->min_timestamp <= row.deleted && holds(*other, partition_of(row));
      });
      if (!kept) row.deleted = Row::never;
    }
    std::erase_if(rows, [](const Row& row) { return row.written == Row::never && row.deleted == Row::never; });
    return rows;
  }

  Setting setting_{};
  windrow::SizeTieredOptions options_{};
  windrow::LiveSet live_{};
  std::map<std::int64_t, File> files_{};
  std::int64_t next_id_ = 0;
};

}  // namespace windrow_bench
