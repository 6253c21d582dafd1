#include "tests/witness/lib/sstable.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/arithmetic.h"

namespace windrow::witness {
namespace {

/// Statistics of rule 1.1, fed item by item in the engine's order.
class Collector {
 public:
  void deletion(const Deletion& deletion) {
    timestamp(deletion.timestamp_us);
    deletion_time(deletion.local_deletion_time_s);
  }
  void liveness(const Liveness& liveness) {
    timestamp(liveness.timestamp_us);
    ttl(liveness.ttl_s);
    deletion_time(liveness.expires_s);
  }
  void cell(const Cell& cell) {
    timestamp(cell.timestamp_us);
    ttl(cell.tombstone ? 0 : cell.ttl_s);
    deletion_time(cell.local_deletion_time_s);
    ++cells;
    ++columns_set;
  }
  void complex(const Complex& complex) {
    if (complex.deletion) deletion(*complex.deletion);
    const std::int64_t before = columns_set;
    for (const Cell& each : complex.cells) cell(each);
    columns_set = before + (complex.cells.empty() ? 0 : 1);
  }
  void row(const Row& row) {
    ++rows;
    if (row.liveness) liveness(*row.liveness);
    if (row.deletion) deletion(*row.deletion);
    for (const Cell& each : row.cells) cell(each);
    if (row.complex) complex(*row.complex);
  }

  void finish(TraceSSTable& fields) const {
    fields.rows = rows;
    fields.cells_set = columns_set;
    fields.min_timestamp_us = min_timestamp_us;
    fields.max_timestamp_us = max_timestamp_us;
    fields.min_local_deletion_time_s = min_deletion_s;
    fields.max_local_deletion_time_s = max_deletion_s;
    fields.min_ttl_s = saw_ttl ? min_ttl_s : 0;
    fields.max_ttl_s = max_ttl_s;
  }

  Rows rows = 0;
  std::int64_t cells = 0;
  std::int64_t columns_set = 0;
  DropTimesBuilder drop_times;

 private:
  void timestamp(Micros at_us) {
    min_timestamp_us = std::min(min_timestamp_us, at_us);
    max_timestamp_us = std::max(max_timestamp_us, at_us);
  }
  void ttl(Seconds ttl_s) {
    min_ttl_s = saw_ttl ? std::min(min_ttl_s, ttl_s) : ttl_s;
    max_ttl_s = std::max(max_ttl_s, ttl_s);
    saw_ttl = true;
  }
  void deletion_time(Seconds at_s) {
    min_deletion_s = std::min(min_deletion_s, at_s);
    max_deletion_s = std::max(max_deletion_s, at_s);
    if (at_s != no_deletion_time) drop_times.add(at_s);
  }

  Micros min_timestamp_us = std::numeric_limits<Micros>::max();
  Micros max_timestamp_us = std::numeric_limits<Micros>::min();
  Seconds min_deletion_s = no_deletion_time;
  Seconds max_deletion_s = std::numeric_limits<Seconds>::min();
  Seconds min_ttl_s = 0;
  Seconds max_ttl_s = 0;
  bool saw_ttl = false;
};

void collect(const Partition& partition, Collector& collector) {
  if (partition.deletion) collector.deletion(*partition.deletion);
  if (!partition.statics.empty()) collector.row(partition.statics);
  auto range = partition.ranges.begin();
  bool open = false;
  // Closing before opening at one place; each bound feeds its deletion once.
  const auto markers_until = [&](std::int64_t clustering) {
    while (range != partition.ranges.end() && (open ? range->to : range->from) <= clustering) {
      collector.deletion(range->deletion);
      if (open) ++range;
      open = !open;
    }
  };
  for (const Row& row : partition.rows) {
    markers_until(row.clustering);
    collector.row(row);
  }
  markers_until(std::numeric_limits<std::int64_t>::max());
}

std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>> filled(const EstimatedHistogram& histogram) {
  std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>> buckets;
  const std::span<const std::int64_t> counts = histogram.counts();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    if (i + 1 == counts.size())
      buckets.emplace_back(std::nullopt, counts[i]);
    else
      buckets.emplace_back(EstimatedHistogram::offsets()[i], counts[i]);
  }
  return buckets;
}

}  // namespace

FileFormat file_format(const OracleScenario& scenario) {
  if (scenario.format == "bti") return {.version = "da", .format = "bti"};
  return {.version = scenario.compat == "CASSANDRA_4" ? "nb" : "oa", .format = "big"};
}

SSTable::SSTable(FileFormat format, Header header, std::vector<Partition> partitions, std::int64_t filter_keys,
                 double fp_chance, std::int64_t min_index_interval)
    : format_(format),
      header_(std::move(header)),
      partitions_(std::move(partitions)),
      min_index_interval_(min_index_interval) {
  knows_its_keys_ = fp_chance == 0;
  if (fp_chance > 0 && fp_chance < 1) {
    filter_ = std::make_unique<BloomFilter>(filter_keys, bloom_spec(fp_chance));
    for (const Partition& partition : partitions_) filter_->add(partition.key->hash);
  }
  for (const Partition& partition : partitions_) key_sketch_.add(partition.key->text);
  key_sketch_.close();
  measure();
  fields.bytes_on_disk = bytes_on_disk(filter_keys, fp_chance);
}

bool SSTable::might_contain(const Key& key) const {
  if (filter_) return filter_->might_contain(key.hash);
  return !knows_its_keys_ || std::ranges::find(partitions_, &key, &Partition::key) != partitions_.end();
}

void SSTable::measure() {
  Collector collector;
  for (const Partition& partition : partitions_) {
    const std::int64_t cells_before = collector.cells;
    collect(partition, collector);
    cells_.add(collector.cells - cells_before);
    partition_bytes_.push_back(partition_size(format_, header_, partition));
    sizes_.add(partition_bytes_.back());
    fields.uncompressed_bytes += partition_bytes_.back();
  }
  collector.finish(fields);
  drop_times_ = collector.drop_times.build();
  for (const DropTimes::Bin& bin : drop_times_.bins()) fields.drop_times.emplace_back(bin.point_s, bin.count);
  fields.data_bytes = fields.uncompressed_bytes;
  fields.partitions = static_cast<std::int64_t>(partitions_.size());
  fields.cells_estimate = cells_.mean() * cells_.count();
  fields.first_token = partitions_.front().key->token;
  fields.last_token = partitions_.back().key->token;
  fields.partition_sizes = filled(sizes_);
  fields.cell_counts = filled(cells_);
  const std::int64_t m = min_index_interval_;
  fields.estimated_keys = format_.bti() ? fields.partitions : (ceil_div(fields.partitions, m) + 1) * m;
  fields.informative = format_.bti() || fields.partitions > 2 * m;
}

// A model, not the engine's bytes: the statistics component is not computed. Enough for averages of buckets (rule 6.5
// d).
Bytes SSTable::bytes_on_disk(std::int64_t filter_keys, double fp_chance) const {
  Bytes keys_bytes = 0;
  for (const Partition& partition : partitions_) keys_bytes += static_cast<Bytes>(partition.key->text.size());
  const Bytes index = format_.bti() ? 8 * fields.partitions + 100 : 8 * fields.partitions + keys_bytes;
  const Bytes filter = fp_chance > 0 && fp_chance < 1 ? bloom_filter_file_bytes(filter_keys, bloom_spec(fp_chance)) : 0;
  const Bytes statistics = 4850 + std::min<Bytes>(3 * fields.partitions, 6500);
  return fields.data_bytes + index + filter + statistics + 100;
}

SSTableView SSTable::view() const {
  SSTableView view;
  view.id = fields.id;
  view.hash = fields.hash;
  view.data_bytes = fields.data_bytes;
  view.bytes_on_disk = fields.bytes_on_disk;
  view.min_timestamp_us = fields.min_timestamp_us;
  view.max_timestamp_us = fields.max_timestamp_us;
  view.max_local_deletion_time_s = fields.max_local_deletion_time_s;
  view.created_ms = fields.created_ms;
  view.level = fields.level;
  if (fields.stored_coverage) view.stored_coverage = *fields.stored_coverage;
  view.estimates = this;
  return view;
}

double SSTable::droppable_tombstone_ratio(Seconds gc_before_s) const {
  const std::int64_t cells = cells_.mean() * cells_.count();
  return cells > 0 ? drop_times_.sum(gc_before_s) / static_cast<double>(cells) : 0.0;
}

Seconds SSTable::ratio_crosses_at(double threshold) const {
  if (drop_times_.bins().empty()) return no_deletion_time;
  Seconds above_s = drop_times_.bins().back().point_s;
  Seconds below_s = drop_times_.bins().front().point_s - 1;
  if (droppable_tombstone_ratio(above_s) <= threshold) return no_deletion_time;
  while (above_s - below_s > 1) {
    const Seconds middle_s = below_s + (above_s - below_s) / 2;
    (droppable_tombstone_ratio(middle_s) > threshold ? above_s : below_s) = middle_s;
  }
  return above_s;
}

std::int64_t SSTable::estimated_keys_for_ranges(std::span<const TokenRange> ranges) const {
  const auto whole_ring = [](const TokenRange& range) { return range.left == range.right; };
  if (!format_.bti()) {
    std::int64_t samples = 0;
    for (std::size_t i = 0; i < partitions_.size(); i += static_cast<std::size_t>(min_index_interval_)) {
      const Token token = partitions_[i].key->token;
      samples += std::ranges::any_of(ranges, [&](const TokenRange& range) {
        return whole_ring(range) || (range.left < token && token <= range.right);
      });
    }
    return std::max<std::int64_t>(1, samples * min_index_interval_);
  }
  // Rule 1.7: merged into disjoint ranges; (a, b] and (b, c] become one.
  std::vector<TokenRange> merged(ranges.begin(), ranges.end());
  std::ranges::sort(merged, {}, &TokenRange::left);
  std::vector<TokenRange> disjoint;
  for (const TokenRange& range : merged) {
    if (whole_ring(range)) return fields.partitions;
    if (!disjoint.empty() && range.left <= disjoint.back().right)
      disjoint.back().right = std::max(disjoint.back().right, range.right);
    else
      disjoint.push_back(range);
  }
  Bytes covered = 0;
  for (const TokenRange& range : disjoint) {
    if (range.left <= fields.first_token && range.right > fields.last_token) return fields.partitions;
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      const Token token = partitions_[i].key->token;
      if (range.left <= token && token < range.right) covered += partition_bytes_[i];
    }
  }
  return static_cast<std::int64_t>(std::floor(static_cast<double>(covered) / sizes_.raw_mean() + 0.5));
}

}  // namespace windrow::witness
