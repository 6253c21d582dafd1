// Write and space amplification of size-tiered picks on the workload of a published ScyllaDB table
// (docs/size-amplification.md): a model that holds every row, whose picks are windrow's own.
// usage: bench_space_amplification [--tiny]; about two minutes without

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "bench/row_table.h"
#include "sim/base/check.h"

namespace {

using namespace windrow_bench;

/// A quarter rewrites and a quarter deletes of a row that was once written; else a new row: of a new partition by even
/// odds as long as there may be more, or one more row of a partition.
class Workload {
 public:
  Workload(std::uint64_t seed, std::size_t most_partitions) : lots_(seed), most_partitions_(most_partitions) {}

  Row operation(std::int32_t now) {
    const double lot = rows_.empty() ? 1.0 : share_(lots_);
    if (lot >= 0.5) {
      std::size_t partition = rows_.size();
      if (rows_.empty() || (share_(lots_) < 0.5 && rows_.size() < most_partitions_)) {
        rows_.emplace_back();
      } else {
        partition = some_partition(rows_.size(), lots_);
      }
      rows_[partition].alive.push_back(false);
      return write(partition, rows_[partition].alive.size() - 1, now);
    }
    const std::size_t partition = some_partition(rows_.size(), lots_);
    const std::size_t row = std::uniform_int_distribution<std::size_t>(0, rows_[partition].alive.size() - 1)(lots_);
    if (lot < 0.25) return write(partition, row, now);
    set_alive(partition, row, false);
    return {.key = partition << 32 | row, .deleted = now};
  }

  /// Normal around the middle of the partitions there are, deviation a sixth of their number.
  static std::size_t some_partition(std::size_t partitions, std::mt19937_64& lots) {
    const auto count = static_cast<double>(partitions);
    const double lot = std::round(std::normal_distribution<double>(count / 2, std::max(count / 6, 1.0))(lots));
    return static_cast<std::size_t>(std::clamp(lot, 0.0, count - 1));
  }
  std::size_t flush_after() { return std::uniform_int_distribution<std::size_t>(100, 2'000)(lots_); }

  std::size_t partitions() const { return rows_.size(); }
  /// One file of what is alive.
  Bytes alive_data_bytes() const { return alive_ * bytes_per_live_row + partitions_alive_ * bytes_per_partition; }
  Bytes alive_on_disk() const { return alive_data_bytes() + other_components(partitions_alive_); }

 private:
  struct Partition {
    std::vector<bool> alive{};
    std::int64_t count = 0;
  };

  void set_alive(std::size_t partition, std::size_t row, bool alive) {
    Partition& rows = rows_[partition];
    if (rows.alive[row] == alive) return;
    rows.alive[row] = alive;
    const int change = alive ? 1 : -1;
    alive_ += change;
    rows.count += change;
    if (rows.count == (alive ? 1 : 0)) partitions_alive_ += change;
  }
  Row write(std::size_t partition, std::size_t row, std::int32_t now) {
    set_alive(partition, row, true);
    return {.key = partition << 32 | row, .written = now};
  }

  std::mt19937_64 lots_;
  std::size_t most_partitions_ = 0;
  std::uniform_real_distribution<double> share_{0.0, 1.0};
  std::vector<Partition> rows_{};
  std::int64_t alive_ = 0;
  std::int64_t partitions_alive_ = 0;
};

struct Length {
  int warm_up = 100'000;  // operations before anything written is counted
  int operations = 1'000'000;
  std::size_t most_partitions = 100'000;
  int seeds = 10;
};

/// Bytes are those of all components but for "WA data". Over what is flushed: what compactions write (WA), with the
/// flushes, of Data only, and what is left of it when nothing more is to be picked after a flush (WA kept). Gain: share
/// of the bytes of replaced files that is gone then. Bytes on disk at the end over those of a major compaction (SA
/// major), and over those of one file of what is alive: at the end, after every flush in the mean, and at most, with a
/// running compaction's output. Files at the end and in the mean; how many hold a partition that is read.
enum Column {
  wa,
  wa_with_flush,
  wa_data,
  wa_kept,
  gain,
  sa_major,
  sa_end,
  sa_mean,
  sa_most,
  files,
  files_mean,
  reads,
  inputs,
  mb,
  columns
};
constexpr std::array<const char*, columns> headings = {"WA",       "+flush", "WA data", "WA kept", "gain",
                                                       "SA major", "SA end", "SA mean", "SA most", "files",
                                                       "mean",     "reads",  "inputs",  "MB"};
using Figures = std::array<double, columns>;

double ratio(Bytes a, Bytes b) { return static_cast<double>(a) / static_cast<double>(b); }

Figures run(const Setting& setting, std::uint64_t seed, const Length& length) {
  Workload workload(seed, length.most_partitions);
  std::mt19937_64 probes(seed);
  Table table(setting);
  Counts counts;
  Figures sums{};
  double samples = 0;
  std::vector<Row> memtable;
  std::size_t flush_at = workload.flush_after();
  const int end = length.warm_up + length.operations;
  for (std::int32_t now = 0; now < end; ++now) {
    if (now == length.warm_up) counts = {};
    memtable.push_back(workload.operation(now));
    if (memtable.size() < flush_at && now + 1 < end) continue;
    table.flush(std::exchange(memtable, {}), now, workload.alive_on_disk(), counts);
    flush_at = workload.flush_after();
    if (now < length.warm_up) continue;
    const std::size_t partition = Workload::some_partition(workload.partitions(), probes);
    sums[sa_mean] += ratio(table.bytes_on_disk(), workload.alive_on_disk());
    sums[files_mean] += static_cast<double>(table.files().size());
    sums[reads] += static_cast<double>(
        std::ranges::count_if(table.files(), [&](const auto& file) { return holds(file.second, partition); }));
    ++samples;
  }
  SIM_CHECK(table.compacted_fully(windrow::no_deletion_time).data_bytes == workload.alive_data_bytes(),
            "merging all leaves what is alive");
  Figures figures{};
  for (const Column column : {sa_mean, files_mean, reads}) figures[column] = sums[column] / samples;
  figures[wa] = ratio(counts.compacted.bytes_on_disk, counts.flushed.bytes_on_disk);
  figures[wa_with_flush] = figures[wa] + 1;
  figures[wa_kept] = ratio(counts.kept.bytes_on_disk, counts.flushed.bytes_on_disk);
  figures[wa_data] = ratio(counts.compacted.data_bytes, counts.flushed.data_bytes);
  figures[sa_end] = ratio(table.bytes_on_disk(), workload.alive_on_disk());
  figures[sa_major] = ratio(table.bytes_on_disk(), table.compacted_fully(table.gc_before(end)).bytes_on_disk);
  figures[gain] = 1 - ratio(counts.kept.bytes_on_disk, counts.replaced.bytes_on_disk);
  figures[sa_most] = counts.most_space;
  figures[files] = static_cast<double>(table.files().size());
  figures[inputs] = static_cast<double>(counts.most_inputs);
  figures[mb] = ratio(table.bytes_on_disk(), windrow::MiB(1));
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  const Length length =
      tiny ? Length{.warm_up = 1'000, .operations = 10'000, .most_partitions = 1'000, .seeds = 1} : Length{};
  constexpr windrow::Seconds ten_days = 10 * windrow::seconds_per_day;
  const std::vector<Setting> settings = {
      {.name = "min_threshold 2", .min_threshold = 2},
      {.name = "min_threshold 4", .min_threshold = 4},
      {.name = "min_threshold 4, else 2", .min_threshold = 4, .else_threshold = 2},
      {.name = "buckets of ICS, 2", .min_threshold = 2, .as_incremental = true},
      {.name = "buckets of ICS, 4", .min_threshold = 4, .as_incremental = true},
      {.name = "buckets of ICS, 4, else 2", .min_threshold = 4, .else_threshold = 2, .as_incremental = true},
      {.name = "2, gc_grace 10 d", .min_threshold = 2, .gc_grace_s = ten_days},
      {.name = "4, gc_grace 10 d", .min_threshold = 4, .gc_grace_s = ten_days},
      {.name = "2, bounds 0.667..1.5", .min_threshold = 2, .bucket_low = 0.667},
      {.name = "2, bounds 0.707..1.414", .min_threshold = 2, .bucket_low = 0.7071, .bucket_high = 1.4142},
      {.name = "2, bounds 0.5..2", .min_threshold = 2, .bucket_high = 2},
      {.name = "2, gc_grace 10 d, bounds 0.707..1.414",
       .min_threshold = 2,
       .gc_grace_s = ten_days,
       .bucket_low = 0.7071,
       .bucket_high = 1.4142},
      {.name = "2, gc_grace 10 d, bounds 0.5..2", .min_threshold = 2, .gc_grace_s = ten_days, .bucket_high = 2},
      {.name = "2, min_sstable_size 0", .min_threshold = 2, .min_sstable_size = 0},
      {.name = "4, min_sstable_size 0", .min_threshold = 4, .min_sstable_size = 0},
      {.name = "2, min_sstable_size 50 MiB", .min_threshold = 2, .min_sstable_size = windrow::MiB(50)},
      {.name = "4, min_sstable_size 50 MiB", .min_threshold = 4, .min_sstable_size = windrow::MiB(50)},
  };
  fmt::print("{:40}", fmt::format("means of {} seeds", length.seeds));
  for (const char* heading : headings) fmt::print(" {:>8}", heading);
  fmt::print("  SA major from..to\n");
  for (const Setting& setting : settings) {
    Figures mean{};
    double least = 0;
    double most = 0;
    for (int seed = 1; seed <= length.seeds; ++seed) {
      const Figures figures = run(setting, static_cast<std::uint64_t>(seed), length);
      for (std::size_t i = 0; i < columns; ++i) mean[i] += figures[i] / length.seeds;
      least = seed == 1 ? figures[sa_major] : std::min(least, figures[sa_major]);
      most = std::max(most, figures[sa_major]);
    }
    fmt::print("{:40}", setting.name);
    for (const double figure : mean) fmt::print(" {:8.2f}", figure);
    fmt::print("  {:.2f}..{:.2f}\n", least, most);
    std::fflush(stdout);
  }
  return 0;
}
