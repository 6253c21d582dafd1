#include "sim/size/closed_bucket.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/content/census_partitions.h"
#include "sim/content/measure.h"
#include "sim/content/static_rows.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

constexpr double seconds_per_year = 365.0 * seconds_per_day;

/// The bucket that is looked at, and its length.
struct Chosen {
  std::int64_t bucket = 0;
  double length_s = 0;
  double span_s = 0;  // of the rows that are held at once: shorter where they expire within the bucket
};

Chosen choose(const BucketRule& rule, Seconds start_s, Seconds end_s) {
  if (rule.single()) return {.bucket = 0, .length_s = static_cast<double>(end_s - start_s)};
  const std::int64_t last = rule.number(end_s) - 1;
  const std::int64_t bucket = std::max(last, rule.number(start_s));
  return {.bucket = bucket, .length_s = static_cast<double>(rule.begin(bucket + 1) - rule.begin(bucket))};
}

/// How long a row stays: its TTL, gc_grace, and the window that goes as a whole. 0: for ever.
Seconds held_s(Seconds ttl_s, const TableOptions& options) {
  return ttl_s == 0 ? 0 : ttl_s + options.gc_grace_seconds + time_window_s(options.compaction_options).value_or(0);
}

class Measurer {
 public:
  Measurer(const Scenario& scenario, int table, BucketOf which)
      : scenario_(scenario), which_(which), workload_(scenario_workload(scenario, table)), options_(options(table)) {
    int clustering_bytes = 0;
    for (const WriterSpec& writer : scenario.writers) {
      if (writer.table != table) continue;
      clustering_bytes = std::max(clustering_bytes, writer.clustering_bytes);
      rates_.push_back(writer.rates.get());
    }
    space_.emplace(workload_, clustering_bytes, scenario.node.format);
    take();
  }

  ClosedBucket run() {
    ClosedBucket closed;
    Content whole{.cohorts = {}, .keyed = nullptr, .bases = bases_};
    for (std::size_t w = 0; w < cohorts_.size(); ++w) {
      if (cohorts_[w].empty()) continue;
      const Writer& writer = workload_.writers()[w];
      const Content content{.cohorts = cohorts_[w], .keyed = statics_of(cohorts_[w]), .bases = bases_};
      const ClosedMeasure measure = measure_by_intervals(*space_, content);
      const FileExtremes& all = measure.extremes;
      closed.exact = closed.exact && measure.exact_bytes();
      closed.partitions += all.partitions;
      closed.bytes += all.uncompressed_bytes;
      const Rows rows = all.rows - all.static_rows;
      closed.rows += rows;
      const double a_year = static_cast<double>(all.partitions) * seconds_per_year / chosen_[w].length_s;
      // Who writes less often than once a bucket has a partition for each event.
      const bool sparse = rows == all.partitions * writer.rows_per_event;
      closed.partitions_per_year += sparse ? std::min(a_year, events_per_s(writer) * seconds_per_year) : a_year;
      closed.rows_per_s += static_cast<double>(rows) / chosen_[w].span_s;
      add_class(writer, all, partitions_of(content), closed);
      whole.cohorts.insert(whole.cohorts.end(), cohorts_[w].begin(), cohorts_[w].end());
    }
    whole.keyed = statics_of(whole.cohorts);
    const PartitionCensus partitions = partitions_of(whole);
    closed.partition_bytes = partitions.bytes;
    closed.partition_rows = partitions.rows;
    closed.partition_cells = partitions.cells;
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
      const BucketRule& rule = workload_.writers()[w].bucket;
      chosen_[w] = choose(rule, scenario_.start_us / us_per_s, scenario_.end_us / us_per_s);
      if (rule.single()) continue;
      if (which_ == BucketOf::most_rows) {
        chosen_[w].bucket = with_most_rows(w, chosen_[w].bucket);
        chosen_[w].length_s = static_cast<double>(rule.begin(chosen_[w].bucket + 1) - rule.begin(chosen_[w].bucket));
      } else {
        chosen_[w].bucket = with_data(w, chosen_[w].bucket);
      }
    }
    for (int s = 0; s < static_cast<int>(workload_.sub_streams().size()); ++s) {
      const SubStream& sub = workload_.sub_streams()[static_cast<std::size_t>(s)];
      const Writer& writer = sub.writer();
      const auto w = static_cast<std::size_t>(writer.index);
      const std::int64_t all = sub.rank(writer.rhythm.total());
      const bool whole = writer.bucket.single();
      std::int64_t from = whole ? 0 : std::min(all, sub.count_before_bucket(chosen_[w].bucket));
      const std::int64_t to = whole ? all : std::min(all, sub.count_before_bucket(chosen_[w].bucket + 1));
      if (from >= to) continue;
      const Seconds ttl_s = sub.ttl_s(options_.default_time_to_live);
      // What has gone when the last row arrives.
      const Seconds kept_s = held_s(ttl_s, options_);
      if (kept_s > 0 && static_cast<double>(kept_s) < chosen_[w].length_s)
        from = std::max(from, std::min(to - 1, sub.count_arrived_before_s(sub.arrival_s(to - 1) - kept_s)));
      const double span_s = static_cast<double>(kept_s == 0 ? INT64_MAX : kept_s);
      chosen_[w].span_s = std::max(chosen_[w].span_s, std::min(span_s, chosen_[w].length_s));
      cohorts_[w].push_back({.sub_stream = s, .ttl_s = static_cast<std::int32_t>(ttl_s), .from = from, .to = to});
      see(cohorts_[w].back());
    }
  }

  std::int64_t rows_before(std::size_t w, std::int64_t bucket) const {
    std::int64_t rows = 0;
    for (const SubStream& sub : workload_.sub_streams()) {
      if (static_cast<std::size_t>(sub.writer().index) == w)
        rows += std::min(sub.rank(sub.writer().rhythm.total()), sub.count_before_bucket(bucket));
    }
    return rows;
  }

  /// Buckets of a writer among which the fullest is: all, or of very many those beside the changes to its fastest
  /// paces, within which all buckets are alike.
  std::vector<std::int64_t> buckets_to_compare(const Writer& writer) const {
    constexpr std::int64_t many_buckets = 4'096;
    constexpr std::size_t paces_looked_at = 256;
    const auto bucket_at = [&](std::int64_t units) { return writer.bucket.number(units * writer.unit_us / us_per_s); };
    const std::int64_t first = bucket_at(writer.rhythm.begin());
    const std::int64_t last = bucket_at(std::max(writer.rhythm.begin(), writer.rhythm.end() - 1));
    std::set<std::int64_t> buckets;
    if (last - first < many_buckets) {
      for (std::int64_t bucket = first; bucket <= last; ++bucket) buckets.insert(bucket);
      return {buckets.begin(), buckets.end()};
    }
    struct Pace {
      double rows_a_unit = 0;
      std::int64_t from = 0;
      std::int64_t to = 0;
    };
    std::vector<Pace> paces;
    const std::vector<std::int64_t> changes = writer.rhythm.changes();
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const std::int64_t to = i + 1 < changes.size() ? changes[i + 1] : writer.rhythm.end();
      if (to <= changes[i]) continue;
      const std::int64_t rows = writer.rhythm.count_before(to) - writer.rhythm.count_before(changes[i]);
      paces.push_back({static_cast<double>(rows) / static_cast<double>(to - changes[i]), changes[i], to});
    }
    // The last of equals first: a steady writer's last buckets are those that are there.
    std::ranges::stable_sort(paces, [](const Pace& a, const Pace& b) {
      return std::pair(-a.rows_a_unit, -a.from) < std::pair(-b.rows_a_unit, -b.from);
    });
    if (paces.size() > paces_looked_at) paces.resize(paces_looked_at);
    for (const Pace& pace : paces) {
      for (const std::int64_t bucket :
           {bucket_at(pace.from), bucket_at(pace.from) + 1, bucket_at(pace.to) - 1, bucket_at(pace.to)})
        buckets.insert(std::clamp(bucket, first, last));
    }
    return {buckets.begin(), buckets.end()};
  }

  std::int64_t with_most_rows(std::size_t w, std::int64_t bucket) const {
    std::int64_t fullest = bucket;
    std::int64_t most = 0;
    for (const std::int64_t each : buckets_to_compare(workload_.writers()[w])) {
      const std::int64_t rows = rows_before(w, each + 1) - rows_before(w, each);
      if (rows < most) continue;
      most = rows;
      fullest = each;
    }
    return fullest;
  }

  /// The last bucket up to this one in which the writer has a row; this one if there is none, or not for so long that
  /// the writer has ended.
  std::int64_t with_data(std::size_t w, std::int64_t bucket) const {
    const std::int64_t all = rows_before(w, bucket + 1);
    if (all == 0) return bucket;
    std::int64_t low = workload_.writers()[w].bucket.number(scenario_.start_us / us_per_s);  // nothing before it
    std::int64_t high = bucket + 1;                                                          // everything before it
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (rows_before(w, middle) < all ? low : high) = middle;
    }
    const double gap_s = 1 / events_per_s(workload_.writers()[w]);
    const BucketRule& rule = workload_.writers()[w].bucket;
    const bool ended = static_cast<double>(rule.begin(bucket) - rule.begin(low + 1)) > 2 * gap_s;
    return ended ? bucket : low;
  }

  double events_per_s(const Writer& writer) const {
    return static_cast<double>(writer.rhythm.total()) * us_per_s /
           static_cast<double>(scenario_.end_us - scenario_.start_us);
  }

  std::shared_ptr<const KeyedContent> statics_of(const std::vector<Cohort>& cohorts) const {
    KeyedContent statics = static_rows_of(*space_, cohorts);
    return statics.empty() ? nullptr : std::make_shared<const KeyedContent>(std::move(statics));
  }

  /// As a flush of these rows would have it.
  void see(const Cohort& cohort) {
    const SubStream& sub = space_->sub_stream(cohort.sub_stream);
    const RowShape& shape = space_->shape(cohort.sub_stream, cohort.state);
    bases_.see(sub.timestamp_range(cohort.from, cohort.to).first - (shape.complex_deletions > 0 ? 1 : 0));
    bases_.columns |= shape.present;
    for (const ColumnWrite& write : sub.writer().statics) bases_.statics.add(write.column - first_static_column);
    if (shape.dated_at_write()) bases_.see_deletion(sub.arrival_s(cohort.from));
    if (cohort.ttl_s == 0) return;
    bases_.see_ttl(cohort.ttl_s);
    bases_.see_deletion(sub.arrival_s(cohort.from) + cohort.ttl_s);
  }

  const RateSpread* rates_of(const Writer& writer) const {
    const auto spec = static_cast<std::size_t>(writer.spec);
    return spec < rates_.size() ? rates_[spec] : nullptr;
  }

  /// Sizes as a run counts them: of the bucket alone, whatever else is beside it.
  PartitionCensus partitions_of(const Content& content) const {
    const Content* one = &content;
    return census_of_partitions(*space_, {&one, 1}, 1, rates_);
  }

  void add_class(const Writer& writer, const FileExtremes& all, const PartitionCensus& partitions,
                 ClosedBucket& closed) const {
    const LargestPartition largest = partitions.largest.empty() ? LargestPartition{} : partitions.largest.front();
    const bool alike = partitions.bytes.min == partitions.bytes.max && all.uncompressed_bytes % all.partitions == 0;
    closed.exact = closed.exact && rates_of(writer) == nullptr && alike;
    closed.classes.push_back(
        {.stream = writer.name,
         .partitions = all.partitions,
         .rows_per_s = static_cast<double>(largest.rows) / chosen_[static_cast<std::size_t>(writer.index)].span_s,
         .rows_per_event = writer.rows_per_event,
         .rows = largest.rows,
         .cells = largest.cells,
         .bytes = largest.bytes});
  }

  const Scenario& scenario_;
  BucketOf which_ = BucketOf::end;
  TableWorkload workload_;
  TableOptions options_{};
  std::optional<ContentSpace> space_{};
  std::vector<std::vector<Cohort>> cohorts_{};  // by writer
  std::vector<Chosen> chosen_{};
  std::vector<const RateSpread*> rates_{};  // by Writer::spec
  HeaderBases bases_{};
};

}  // namespace

ClosedBucket closed_bucket(const Scenario& scenario, int table, BucketOf which) {
  return Measurer(scenario, table, which).run();
}

}  // namespace windrow
