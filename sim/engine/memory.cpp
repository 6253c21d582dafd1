#include "sim/engine/memory.h"

#include <algorithm>
#include <cmath>

#include "sim/stats/vint.h"

namespace windrow {

namespace {

// Heap of skip-list memtables on a 64-bit JVM with compressed pointers: estimates, not constants of the source
// (rule 12.7).
constexpr double heap_per_partition = 400;
constexpr double heap_per_row_object = 200;
constexpr double heap_per_cell = 100;
// A mutation in the commit log beside its rows: sizes, checksum, table id (estimate).
constexpr double log_per_write = 50;
constexpr Bytes segment_bytes = MiB(32);

double mean_of(const std::vector<std::int32_t>& sizes) {
  double sum = 0;
  for (const std::int32_t size : sizes) sum += size;
  return sum / static_cast<double>(sizes.size());
}

/// Smallest time in (from, until] at which `weight` reaches `bytes`, else `until`. `weight` never falls.
template <typename Weight>
Micros first_reach(const Weight& weight, double bytes, Micros from_us, Micros until_us) {
  if (weight(until_us) < bytes) return until_us;
  Micros low = from_us;
  Micros high = until_us;
  double at_low = weight(low);
  if (at_low >= bytes) return low;
  double at_high = weight(high);
  for (int round = 0; high - low > 1; ++round) {
    Micros middle = low + (high - low) / 2;
    if (round < 12 && at_high > at_low) {
      const double share = (bytes - at_low) / (at_high - at_low);
      // Rounds alternate between both sides of the estimate, so that the bracket closes from both ends.
      const auto guess = low + static_cast<Micros>(share * static_cast<double>(high - low)) +
                         (round % 2 == 0 ? 0 : 1 + (high - low) / 1024);
      middle = std::clamp(guess, low + 1, high - 1);
    }
    const double at_middle = weight(middle);
    (at_middle < bytes ? low : high) = middle;
    (at_middle < bytes ? at_low : at_high) = at_middle;
  }
  return high;
}

}  // namespace

MemtableWeight::MemtableWeight(const TableWorkload& workload, const Arrivals& arrivals, const NodeSettings& node)
    : arrivals_(&arrivals) {
  for (const SubStream& sub : workload.sub_streams()) {
    const Writer& writer = sub.writer();
    double data = 1 + writer.clustering.bytes + 2 + 6 + (sub.ttl_s() == 0 ? 0 : 4);
    double heap = heap_per_row_object + writer.clustering.bytes;
    if (sub.brings() != Brings::rows) data += 4;  // when it was deleted; a tombstone has no values
    for (const ColumnWrite& write : sub.brings() == Brings::rows ? writer.columns : std::vector<ColumnWrite>{}) {
      const double mean = mean_of(write.sizes);
      if (write.elements) {
        const auto elements = static_cast<double>(write.elements->count);
        const std::int32_t path =
            write.elements->path_bytes + unsigned_vint_size(static_cast<std::uint64_t>(write.elements->path_bytes));
        data += 1 + elements * (2 + mean + path) + (write.elements->whole ? 10 : 0);
        heap += elements * (heap_per_cell + mean + path);
        continue;
      }
      data += 1 + mean + (write.fixed_length ? 0 : 1) + (writer.insert ? 0 : 6);
      heap += heap_per_cell + mean;
    }
    if (node.memtable_heap_per_byte > 0) heap = data * node.memtable_heap_per_byte;
    const auto each = static_cast<double>(writer.rows_per_event);
    streams_.push_back({.sub = &sub,
                        .number = static_cast<int>(streams_.size()),
                        .taken = 0,
                        .heap_per_row = heap * each,
                        .data_per_row = data * each,
                        .slots = node.memtable_heap_per_byte > 0 ? 0 : writer.slots()});
  }
}

void MemtableWeight::flushed(Micros at_us, Bytes uncompressed_bytes) {
  const double estimated = data_bytes(at_us);
  if (estimated > 0 && uncompressed_bytes > 0) correction_ *= static_cast<double>(uncompressed_bytes) / estimated;
  for (Stream& stream : streams_) stream.taken = arrived(stream, at_us);
}

void MemtableWeight::close(Micros at_us) {
  for (Stream& stream : streams_) stream.taken = arrived(stream, at_us);
  closed_us_ = std::min(closed_us_, at_us);
}

double MemtableWeight::heap_bytes(Micros at_us) const {
  double sum = 0;
  for (const Stream& stream : streams_) {
    const std::int64_t held = rows(stream, at_us);
    sum += static_cast<double>(held) * stream.heap_per_row +
           static_cast<double>(std::min(held, stream.slots)) * heap_per_partition;
  }
  return sum;
}

double MemtableWeight::data_bytes(Micros at_us) const {
  double sum = 0;
  for (const Stream& stream : streams_) sum += static_cast<double>(rows(stream, at_us)) * stream.data_per_row;
  return sum * correction_;
}

double MemtableWeight::logged_bytes(Micros at_us) const {
  double sum = 0;
  for (const Stream& stream : streams_) {
    sum += static_cast<double>(arrived(stream, at_us)) * (stream.data_per_row + log_per_write);
  }
  return sum;
}

Micros MemtableWeight::data_reaches(double bytes, Micros from_us, Micros until_us) const {
  if (streams_.size() == 1) {
    const Stream& only = streams_.front();
    const auto needed = static_cast<std::int64_t>(std::ceil(bytes / (only.data_per_row * correction_)));
    if (rows(only, until_us) < needed) return until_us;
    return std::max(from_us, arrival(only, needed - 1) + 1);
  }
  return first_reach([this](Micros at_us) { return data_bytes(at_us); }, bytes, from_us, until_us);
}

Micros MemtableWeight::heap_reaches(double bytes, Micros from_us, Micros until_us) const {
  if (streams_.size() == 1) {
    const Stream& only = streams_.front();
    const double with_partition = bytes / (only.heap_per_row + heap_per_partition);
    const auto slots = static_cast<double>(only.slots);
    const double rows_needed =
        with_partition <= slots ? with_partition : (bytes - slots * heap_per_partition) / only.heap_per_row;
    const auto needed = static_cast<std::int64_t>(std::ceil(rows_needed));
    if (rows(only, until_us) < needed) return until_us;
    return std::max(from_us, arrival(only, needed - 1) + 1);
  }
  return first_reach([this](Micros at_us) { return heap_bytes(at_us); }, bytes, from_us, until_us);
}

Micros MemtableWeight::first_write(Micros until_us) const {
  Micros first = until_us;
  for (const Stream& stream : streams_) {
    if (rows(stream, until_us) > 0) first = std::min(first, arrival(stream, 0));
  }
  return first;
}

FlushPlanner::FlushPlanner(const Scenario& scenario, const Tables& tables)
    : scenario_(&scenario), timer_start_us_(tables.size(), scenario.start_us), logged_at_flush_(tables.size(), 0.0) {
  const NodeSettings& node = scenario.node;
  // Tables whose flushes are recorded weigh nothing: they are flushed when the recording says so.
  static const TableWorkload nothing;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto& [workload, arrivals] = tables[t];
    weights_.emplace_back(scenario.tables[t].flushes.empty() ? *workload : nothing, *arrivals, node);
  }
  const Bytes limit = node.memtable_heap_bytes > 0 ? node.memtable_heap_bytes : node.heap_bytes / 4 / MiB(1) * MiB(1);
  const float threshold = node.memtable_cleanup_threshold > 0
                              ? static_cast<float>(node.memtable_cleanup_threshold)
                              : 1.0F / (1.0F + static_cast<float>(node.memtable_flush_writers));
  heap_limit_bytes_ = std::floor(static_cast<double>(static_cast<float>(limit) * threshold));
  Bytes log = node.commitlog_total_space_bytes;
  if (log == 0) log = node.disk_bytes > 0 ? std::min(GiB(8), node.disk_bytes / 4) : GiB(8);
  log_limit_bytes_ = static_cast<double>(std::max(log, 2 * segment_bytes));
}

double FlushPlanner::pool_bytes(Micros at_us) const {
  double sum = 0;
  for (const MemtableWeight& weight : weights_) sum += weight.heap_bytes(at_us);
  return sum;
}

FlushPlanner::Due FlushPlanner::largest_of_pool(Micros at_us) const {
  Due due{.at_us = at_us, .table = 0, .reason = FlushReason::heap};
  double most = -1;
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    const double heap = weights_[t].heap_bytes(at_us);
    if (heap > most) {
      most = heap;
      due.table = static_cast<int>(t);
    }
  }
  return due;
}

double FlushPlanner::node_logged_bytes(Micros at_us) const {
  double sum = scenario_->node.other_writes_bytes_per_s * static_cast<double>(at_us - scenario_->start_us) / 1e6;
  for (const MemtableWeight& weight : weights_) sum += weight.logged_bytes(at_us);
  return sum;
}

Micros FlushPlanner::pool_reaches(double bytes, Micros from_us, Micros until_us) const {
  if (weights_.size() == 1) return weights_.front().heap_reaches(bytes, from_us, until_us);
  return first_reach([this](Micros at_us) { return pool_bytes(at_us); }, bytes, from_us, until_us);
}

std::optional<FlushPlanner::Due> FlushPlanner::next(Micros now_us, Micros until_us,
                                                    const std::vector<Millis>& periods_ms) const {
  Due due{.at_us = until_us};
  bool any = false;
  const auto propose = [&](Micros at_us, int table, FlushReason reason) {
    if (at_us >= due.at_us) return;
    due = {at_us, table, reason};
    any = true;
  };
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    const auto table = static_cast<int>(t);
    const TableSpec& spec = scenario_->tables[t];
    if (!spec.flushes.empty()) continue;
    if (spec.flush_size_bytes > 0) {
      const double bytes = static_cast<double>(spec.flush_size_bytes) / spec.compression_ratio;
      propose(weights_[t].data_reaches(bytes, now_us, due.at_us), table, FlushReason::memtable_size);
    }
    if (periods_ms[t] > 0)
      propose(std::max(now_us, timer_start_us_[t] + periods_ms[t] * 1000), table, FlushReason::period);
  }
  const Micros pool_us = pool_reaches(std::nextafter(heap_limit_bytes_, 1e300), now_us, due.at_us);
  if (pool_us < due.at_us) {
    due = largest_of_pool(pool_us);
    any = true;
  }
  // The log: only a table whose oldest write lies too far back by then is worth a search.
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    if (!scenario_->tables[t].flushes.empty()) continue;
    const double limit = logged_at_flush_[t] + log_limit_bytes_;
    if (node_logged_bytes(due.at_us) <= limit || weights_[t].data_bytes(due.at_us) <= 0) continue;
    const Micros at_us = first_reach([this](Micros at) { return node_logged_bytes(at); }, limit, now_us, due.at_us);
    propose(std::max(at_us, weights_[t].first_write(due.at_us) + 1), static_cast<int>(t), FlushReason::commit_log);
  }
  if (!any) return std::nullopt;
  return due;
}

void FlushPlanner::flushed(int table, Micros at_us, Bytes uncompressed_bytes) {
  const auto t = static_cast<std::size_t>(table);
  weights_[t].flushed(at_us, uncompressed_bytes);
  timer_start_us_[t] = at_us;
  // Segments are given back whole: the oldest write lies in a segment that began a little earlier.
  const double position = node_logged_bytes(at_us);
  logged_at_flush_[t] = std::floor(position / static_cast<double>(segment_bytes)) * static_cast<double>(segment_bytes);
}

Bytes FlushPlanner::heap_bytes(int table, Micros at_us) const {
  return static_cast<Bytes>(weights_[static_cast<std::size_t>(table)].heap_bytes(at_us));
}

}  // namespace windrow
