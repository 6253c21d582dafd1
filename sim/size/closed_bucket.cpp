#include "sim/size/closed_bucket.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/content/measure.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

namespace {

constexpr double seconds_per_year = 365.0 * seconds_per_day;

/// The bucket that is looked at, and its length.
struct Chosen {
  std::int64_t bucket = 0;
  double length_s = 0;
};

Chosen choose(const BucketRule& rule, Seconds start_s, Seconds end_s) {
  if (rule.single()) return {.bucket = 0, .length_s = static_cast<double>(end_s - start_s)};
  const std::int64_t last = rule.number(end_s) - 1;
  const std::int64_t bucket = std::max(last, rule.number(start_s));
  return {.bucket = bucket, .length_s = static_cast<double>(rule.begin(bucket + 1) - rule.begin(bucket))};
}

class Measurer {
 public:
  Measurer(const Scenario& scenario, int table)
      : scenario_(scenario),
        workload_(scenario_workload(scenario, table)),
        default_ttl_s_(options(table).default_time_to_live) {
    int clustering_bytes = 0;
    for (const WriterSpec& writer : scenario.writers) {
      if (writer.table == table) clustering_bytes = std::max(clustering_bytes, writer.clustering_bytes);
    }
    space_.emplace(workload_, clustering_bytes, scenario.node.format);
    take();
  }

  ClosedBucket run() {
    ClosedBucket closed;
    WeightedValues bytes;
    WeightedValues rows;
    WeightedValues cells;
    for (std::size_t w = 0; w < cohorts_.size(); ++w) {
      if (cohorts_[w].empty()) continue;
      const Writer& writer = workload_.writers()[w];
      const ClosedMeasure measure =
          measure_by_intervals(*space_, {.cohorts = cohorts_[w], .keyed = nullptr, .bases = bases_});
      const FileExtremes& all = measure.extremes;
      closed.exact = closed.exact && measure.exact_bytes;
      closed.partitions += all.partitions;
      closed.bytes += all.uncompressed_bytes;
      closed.rows += all.rows;
      closed.partitions_per_year += static_cast<double>(all.partitions) * seconds_per_year / chosen_[w].length_s;
      closed.rows_per_s += static_cast<double>(all.rows) / chosen_[w].length_s;
      add_partitions(writer, all, bytes, rows, cells, closed);
    }
    closed.partition_bytes = bytes.spread();
    closed.partition_rows = rows.spread();
    closed.partition_cells = cells.spread();
    return closed;
  }

 private:
  const TableOptions& options(int table) const {
    return scenario_.tables[static_cast<std::size_t>(table)].schema.options;
  }

  void take() {
    cohorts_.resize(workload_.writers().size());
    chosen_.resize(workload_.writers().size());
    for (std::size_t w = 0; w < chosen_.size(); ++w) {
      chosen_[w] = choose(workload_.writers()[w].bucket, scenario_.start_us / us_per_s, scenario_.end_us / us_per_s);
    }
    for (int s = 0; s < static_cast<int>(workload_.sub_streams().size()); ++s) {
      const SubStream& sub = workload_.sub_streams()[static_cast<std::size_t>(s)];
      const Writer& writer = sub.writer();
      const auto w = static_cast<std::size_t>(writer.index);
      const std::int64_t all = sub.rank(writer.rhythm.total());
      const bool whole = writer.bucket.single();
      const std::int64_t from = whole ? 0 : std::min(all, sub.count_before_bucket(chosen_[w].bucket));
      const std::int64_t to = whole ? all : std::min(all, sub.count_before_bucket(chosen_[w].bucket + 1));
      if (from >= to) continue;
      const Seconds ttl_s = sub.ttl_s() == SubStream::table_default_ttl ? default_ttl_s_ : sub.ttl_s();
      cohorts_[w].push_back({.sub_stream = s, .ttl_s = static_cast<std::int32_t>(ttl_s), .from = from, .to = to});
      see(cohorts_[w].back());
    }
  }

  /// As a flush of these rows would have it.
  void see(const Cohort& cohort) {
    const SubStream& sub = space_->sub_stream(cohort.sub_stream);
    bases_.see(sub.timestamp_range(cohort.from, cohort.to).first);
    for (const ColumnWrite& write : sub.writer().columns) bases_.columns |= std::uint64_t{1} << write.column;
    if (cohort.ttl_s == 0) return;
    bases_.see_ttl(cohort.ttl_s);
    bases_.see_deletion(sub.arrival_s(cohort.from) + cohort.ttl_s);
  }

  /// Entities of a writer take turns: their partitions differ by one row at most.
  void add_partitions(const Writer& writer, const FileExtremes& all, WeightedValues& bytes, WeightedValues& rows,
                      WeightedValues& cells, ClosedBucket& closed) const {
    const std::int64_t events = all.rows / writer.rows_per_event;
    const std::int64_t more = events % all.partitions;
    const auto columns = static_cast<std::int64_t>(writer.columns.size());
    const RowFormat format = space_->format(bases_);
    const auto key_bytes =
        static_cast<std::int64_t>(writer.key(0, chosen_[static_cast<std::size_t>(writer.index)].bucket).size());
    const Bytes header = format.partition_header(key_bytes) + 1;
    const double row_bytes =
        static_cast<double>(all.uncompressed_bytes - header * all.partitions) / static_cast<double>(all.rows);
    ClassPartitions largest{
        .stream = writer.name, .partitions = all.partitions, .rows_per_event = writer.rows_per_event};
    const auto put = [&](std::int64_t partitions, std::int64_t partition_events) {
      if (partitions == 0 || partition_events == 0) return;
      const Rows partition_rows = partition_events * writer.rows_per_event;
      const Bytes partition_bytes = more == 0 ? all.uncompressed_bytes / all.partitions
                                              : header + std::llround(static_cast<double>(partition_rows) * row_bytes);
      bytes.add(partition_bytes, partitions);
      rows.add(partition_rows, partitions);
      cells.add(partition_rows * columns, partitions);
      largest.rows = partition_rows;
      largest.cells = partition_rows * columns;
      largest.bytes = partition_bytes;
    };
    put(all.partitions - more, events / all.partitions);
    put(more, events / all.partitions + 1);
    largest.rows_per_s = static_cast<double>(largest.rows) / chosen_[static_cast<std::size_t>(writer.index)].length_s;
    closed.exact = closed.exact && (more == 0 || all.partitions == 1) && all.uncompressed_bytes % all.partitions == 0;
    closed.classes.push_back(std::move(largest));
  }

  const Scenario& scenario_;
  TableWorkload workload_;
  Seconds default_ttl_s_ = 0;
  std::optional<ContentSpace> space_{};
  std::vector<std::vector<Cohort>> cohorts_{};  // by writer
  std::vector<Chosen> chosen_{};
  HeaderBases bases_{};
};

}  // namespace

ClosedBucket closed_bucket(const Scenario& scenario, int table) { return Measurer(scenario, table).run(); }

}  // namespace windrow
