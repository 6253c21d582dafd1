#include "sim/engine/memory.h"

#include <algorithm>
#include <cmath>

#include "sim/stats/vint.h"

namespace windrow {

namespace {

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

std::int64_t rows_between(const std::vector<std::int64_t>& earlier, const std::vector<std::int64_t>& later) {
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < earlier.size(); ++i) rows += later[i] - earlier[i];
  return rows;
}

/// Of a row in Data.db, roughly: MemtableWeight::flushed says how far off it is.
double data_bytes_of(const SubStream& sub, Seconds ttl_s) {
  const Writer& writer = sub.writer();
  double data = 1 + writer.clustering.bytes + 2 + 6 + (ttl_s == 0 ? 0 : 4);
  if (sub.brings() != Brings::rows) return data + 4;  // when it was deleted; a tombstone has no values
  for (const ColumnWrite& write : writer.columns) {
    const double mean = mean_of(write.sizes);
    if (write.elements) {
      const auto elements = static_cast<double>(write.elements->count);
      const std::int32_t path =
          write.elements->path_bytes + unsigned_vint_size(static_cast<std::uint64_t>(write.elements->path_bytes));
      data += 1 + elements * (2 + mean + path) + (write.elements->whole ? 10 : 0);
    } else {
      data += 1 + mean + (write.fixed_length ? 0 : 1) + (writer.insert ? 0 : 6);
    }
  }
  return data;
}

/// Partitions that `held` rows fall into, evenly spread over the events from `first` to `last`.
double partitions_of(const Writer& writer, std::int64_t first, std::int64_t last, std::int64_t held) {
  const std::int64_t first_bucket = writer.bucket_of(first);
  const std::int64_t buckets = writer.bucket_of(last) - first_bucket + 1;
  const auto in = [](double rows, std::int64_t slots) { return std::min(rows, static_cast<double>(slots)); };
  if (buckets == 1) return in(static_cast<double>(held), writer.slots(first_bucket));
  const auto events_before = [&](std::int64_t bucket) {
    return writer.rhythm.count_before(writer.bucket.begin(bucket) * us_per_s / writer.unit_us);
  };
  const double each = static_cast<double>(held) / static_cast<double>(last - first + 1);
  const double in_first = static_cast<double>(events_before(first_bucket + 1) - first) * each;
  const double in_last = static_cast<double>(last + 1 - events_before(first_bucket + buckets - 1)) * each;
  const double between = static_cast<double>(held) - in_first - in_last;
  return in(in_first, writer.slots(first_bucket)) + in(between, (buckets - 2) * writer.mean_slots()) +
         in(in_last, writer.slots(first_bucket + buckets - 1));
}

}  // namespace

MemtableWeight::MemtableWeight(const TableWorkload& workload, const Arrivals& arrivals, const NodeSettings& node,
                               Seconds default_ttl_s, Seconds written_s)
    : arrivals_(&arrivals) {
  for (const SubStream& sub : workload.sub_streams()) add(sub, node, default_ttl_s, written_s);
  for (const Writer& writer : workload.writers()) {
    const DeleteRule& deletes = workload.deletes_of(writer.index);
    if (!deletes.covering.empty()) add(writer, deletes, node, written_s);
  }
}

void MemtableWeight::add(const SubStream& sub, const NodeSettings& node, Seconds default_ttl_s, Seconds written_s) {
  const Writer& writer = sub.writer();
  const Seconds ttl_s = sub.brings() != Brings::rows                  ? 0
                        : sub.ttl_s() == SubStream::table_default_ttl ? default_ttl_s
                                                                      : sub.ttl_s();
  const RowWrite write{.writer = &writer, .brings = sub.brings(), .ttl_s = ttl_s};
  const auto each = static_cast<double>(writer.rows_per_event);
  const double data = data_bytes_of(sub, ttl_s);
  Stream stream{.sub = &sub,
                .number = static_cast<int>(streams_.size()),
                .row = row_memory(node.memtable_settings(), write) * each,
                .row_again = rewrite_memory(node.memtable_settings(), write) * each,
                .data_per_row = data * each,
                .logged_per_row = logged_row_bytes(write, written_s) * each,
                .reach = reach_of(sub, node.memtable_settings())};
  if (node.memtable_heap_per_byte > 0) {
    stream.row = stream.row_again = {.heap = data * node.memtable_heap_per_byte * each};
    reaches_[stream.reach].partition = {};
  }
  streams_.push_back(stream);
}

void MemtableWeight::add(const Writer& writer, const DeleteRule& deletes, const NodeSettings& node, Seconds written_s) {
  constexpr double partition_end = 15;  // beside its key: length, deletion, end
  const bool range = deletes.kind == DeleteKind::range;
  const auto key_bytes = static_cast<double>(writer.key_bytes);
  Stream stream{.covering = &deletes.covering,
                .row = deleted_partition_memory(node.memtable_settings(), key_bytes),
                .data_per_row = key_bytes + partition_end,
                .logged_per_row = logged_delete_bytes(writer, range, written_s)};
  if (range) stream.row += range_delete_memory(node.memtable_settings());
  if (node.memtable_heap_per_byte > 0) stream.row = {.heap = stream.data_per_row * node.memtable_heap_per_byte};
  streams_.push_back(stream);
}

std::size_t MemtableWeight::reach_of(const SubStream& sub, const MemtableSettings& settings) {
  const Writer& writer = sub.writer();
  const std::int64_t delay = sub.arrival(0) - writer.event_units(sub.row(0));
  const auto same = [&](const Reach& reach) {
    return reach.writer == &writer && reach.brings == sub.brings() && (reach.delay == delay || writer.arrivals);
  };
  const auto found = std::ranges::find_if(reaches_, same);
  if (found != reaches_.end()) return static_cast<std::size_t>(found - reaches_.begin());
  reaches_.push_back({.writer = &writer,
                      .brings = sub.brings(),
                      .delay = delay,
                      .partition = partition_memory(
                          settings, static_cast<double>(writer.key_bytes),
                          sub.brings() == Brings::row_tombstones ? 0 : static_cast<int>(writer.columns.size()))});
  return reaches_.size() - 1;
}

std::int64_t MemtableWeight::arrived(const Stream& stream, Micros at_us) const {
  const Micros before_us = std::min(at_us, closed_us_);
  if (stream.sub != nullptr) return arrivals_->count_before(stream.number, before_us);
  return std::ranges::lower_bound(*stream.covering, before_us, {}, &CoveringDelete::arrival) - stream.covering->begin();
}

std::span<const std::int64_t> MemtableWeight::arrived(Micros at_us) const {
  const Micros before_us = std::min(at_us, closed_us_);
  arrived_.clear();
  std::span<const std::int64_t> sent;
  if (!streams_.empty() && streams_.front().sub != nullptr) sent = arrivals_->sent_before(before_us);
  for (const Stream& stream : streams_) {
    arrived_.push_back(stream.sub == nullptr
                           ? arrived(stream, before_us)
                           : arrivals_->arrived_of(stream.number, sent[static_cast<std::size_t>(stream.number)]));
  }
  return arrived_;
}

std::int64_t MemtableWeight::member(const Stream& stream, std::int64_t n) const {
  return arrivals_->member(stream.number, stream.taken + n);
}

Micros MemtableWeight::arrival(const Stream& stream, std::int64_t n) const {
  if (stream.sub == nullptr) return (*stream.covering)[static_cast<std::size_t>(stream.taken + n)].arrival;
  return stream.sub->arrival(member(stream, n));
}

void MemtableWeight::flushed(Micros at_us, Bytes uncompressed_bytes) {
  const std::span<const std::int64_t> taken = arrived(at_us);
  const double estimated = data_of(taken);
  if (estimated > 0 && uncompressed_bytes > 0) correction_ *= static_cast<double>(uncompressed_bytes) / estimated;
  for (std::size_t s = 0; s < streams_.size(); ++s) streams_[s].taken = taken[s];
  filled_in_us_ = at_us - flushed_us_;
  flushed_us_ = at_us;
}

void MemtableWeight::close(Micros at_us) {
  const std::span<const std::int64_t> taken = arrived(at_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) streams_[s].taken = taken[s];
  closed_us_ = std::min(closed_us_, at_us);
}

MemoryBytes MemtableWeight::memory(Micros at_us) const {
  struct Span {
    std::int64_t first = INT64_MAX;
    std::int64_t last = 0;
    std::int64_t held = 0;
  };
  MemoryBytes sum;
  std::vector<Span> spans(reaches_.size());
  const std::span<const std::int64_t> all = arrived(at_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    const std::int64_t held = all[s] - stream.taken;
    if (held <= 0) continue;
    const std::int64_t keys =
        stream.sub != nullptr && stream.sub->writer().drawn_keys > 0 ? stream.sub->writer().different_keys(held) : held;
    sum += stream.row * static_cast<double>(keys);
    sum += stream.row_again * static_cast<double>(held - keys);
    if (stream.sub == nullptr) continue;
    Span& span = spans[stream.reach];
    span.first = std::min(span.first, stream.sub->row(member(stream, 0)));
    span.last = std::max(span.last, stream.sub->row(member(stream, held - 1)));
    span.held += stream.sub->writer().drawn_keys > 0 && stream.sub->writer().key_is_partition ? keys : held;
  }
  for (std::size_t r = 0; r < reaches_.size(); ++r) {
    if (spans[r].held == 0) continue;
    const Writer& writer = *reaches_[r].writer;
    const double partitions = writer.drawn_keys > 0 && writer.key_is_partition
                                  ? static_cast<double>(spans[r].held)
                                  : partitions_of(writer, spans[r].first, spans[r].last, spans[r].held);
    sum += reaches_[r].partition * partitions;
  }
  return sum;
}

MemoryBytes MemtableWeight::memory_at_most(Micros at_us) const {
  MemoryBytes sum;
  const std::span<const std::int64_t> all = arrived(at_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    const auto held = static_cast<double>(all[s] - stream.taken);
    if (held <= 0) continue;
    sum += stream.row * held;
    sum += stream.row_again * held;
    if (stream.sub != nullptr) sum += reaches_[stream.reach].partition * held;
  }
  return sum;
}

double MemtableWeight::data_of(std::span<const std::int64_t> arrived) const {
  double sum = 0;
  for (std::size_t s = 0; s < streams_.size(); ++s)
    sum += static_cast<double>(arrived[s] - streams_[s].taken) * streams_[s].data_per_row;
  return sum * correction_;
}

double MemtableWeight::data_bytes(Micros at_us) const { return data_of(arrived(at_us)); }

double MemtableWeight::logged_bytes(Micros at_us) const {
  double sum = 0;
  const std::span<const std::int64_t> all = arrived(at_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) sum += static_cast<double>(all[s]) * streams_[s].logged_per_row;
  return sum;
}

MemtableWeight::Side MemtableWeight::side(Micros at_us) const {
  const std::span<const std::int64_t> all = arrived(at_us);
  return {at_us, {all.begin(), all.end()}};
}

Micros MemtableWeight::data_reaches(double bytes, Micros from_us, Micros until_us) const {
  if (streams_.size() == 1 && streams_.front().sub != nullptr) {
    const Stream& only = streams_.front();
    const auto needed = static_cast<std::int64_t>(std::ceil(bytes / (only.data_per_row * correction_)));
    if (arrived(until_us)[0] - only.taken < needed) return until_us;
    return std::max(from_us, arrival(only, needed - 1) + 1);
  }
  Side reached = side(until_us);
  if (data_of(reached.arrived) < bytes) return until_us;
  const Side first = side(from_us);
  const double data_at_first = data_of(first.arrived);
  if (data_at_first >= bytes) return from_us;
  Side before = first;
  // Rows come about evenly: when the last memtable was full, then by what is missing and a few rows more, so that the
  // bracket closes from both ends.
  constexpr int most_looks = 24;
  constexpr std::int64_t few_rows = 16;
  constexpr double rows_beyond = 4;
  auto guess_us = static_cast<double>(from_us + filled_in_us_);
  for (int look = 0; look < most_looks && rows_between(before.arrived, reached.arrived) > few_rows &&
                     reached.at_us - before.at_us > 1;
       ++look) {
    const bool inside = guess_us > static_cast<double>(before.at_us) && guess_us < static_cast<double>(reached.at_us);
    const Micros at_us = inside ? std::clamp(static_cast<Micros>(guess_us), before.at_us + 1, reached.at_us - 1)
                                : before.at_us + (reached.at_us - before.at_us) / 2;
    const std::span<const std::int64_t> all = arrived(at_us);
    const double data = data_of(all);
    const bool below = data < bytes;
    Side& nearer = below ? before : reached;
    nearer.at_us = at_us;
    nearer.arrived.assign(all.begin(), all.end());
    const auto took_us = static_cast<double>(at_us - from_us);
    const auto rows = static_cast<double>(std::max<std::int64_t>(1, rows_between(first.arrived, nearer.arrived)));
    const double missing = data > data_at_first ? (bytes - data) / (data - data_at_first) * rows : 0;
    guess_us = static_cast<double>(at_us) + (missing + (below ? rows_beyond : -rows_beyond)) * took_us / rows;
  }
  return data_reaches_between(bytes, std::move(before), std::move(reached));
}

Micros MemtableWeight::data_reaches_between(double bytes, Side before, Side reached) const {
  while (reached.at_us - before.at_us > 1) {
    Side middle{.at_us = before.at_us + (reached.at_us - before.at_us) / 2, .arrived = before.arrived};
    std::size_t differ = 0;
    std::size_t s = 0;  // the last that does
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (before.arrived[i] == reached.arrived[i]) continue;
      ++differ;
      s = i;
    }
    if (differ == 1) {  // one of its rows is the last that was missing
      std::int64_t low = before.arrived[s];
      std::int64_t high = reached.arrived[s];
      while (high - low > 1) {
        middle.arrived[s] = low + (high - low) / 2;
        (data_of(middle.arrived) < bytes ? low : high) = middle.arrived[s];
      }
      return arrival(streams_[s], high - 1 - streams_[s].taken) + 1;
    }
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (before.arrived[i] != reached.arrived[i]) middle.arrived[i] = arrived(streams_[i], middle.at_us);
    }
    (data_of(middle.arrived) < bytes ? before : reached) = std::move(middle);
  }
  return reached.at_us;
}

Micros MemtableWeight::first_write(Micros until_us) const {
  Micros first = until_us;
  const std::span<const std::int64_t> all = arrived(until_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (all[s] > streams_[s].taken) first = std::min(first, arrival(streams_[s], 0));
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
    weights_.emplace_back(scenario.tables[t].flushes.empty() ? *workload : nothing, *arrivals, node,
                          scenario.tables[t].schema.options.default_time_to_live, scenario.start_us / us_per_s);
  }
  const Bytes quarter = node.heap_bytes / 4 / MiB(1) * MiB(1);
  const Bytes heap = node.memtable_heap_bytes > 0 ? node.memtable_heap_bytes : quarter;
  const Bytes offheap = node.memtable_offheap_bytes > 0 ? node.memtable_offheap_bytes : quarter;
  const float threshold = node.memtable_cleanup_threshold > 0
                              ? static_cast<float>(node.memtable_cleanup_threshold)
                              : 1.0F / (1.0F + static_cast<float>(node.memtable_flush_writers));
  heap_limit_bytes_ = std::floor(static_cast<double>(static_cast<float>(heap) * threshold));
  offheap_limit_bytes_ = std::floor(static_cast<double>(static_cast<float>(offheap) * threshold));
  Bytes log = node.commitlog_total_space_bytes;
  if (log == 0) log = node.disk_bytes > 0 ? std::min(GiB(8), node.disk_bytes / 4) : GiB(8);
  log_limit_bytes_ = static_cast<double>(std::max(log, 2 * segment_bytes));
}

double FlushPlanner::share_of(const MemoryBytes& bytes) const {
  return std::max(bytes.heap / heap_limit_bytes_, bytes.offheap / offheap_limit_bytes_);
}

double FlushPlanner::pool_share(Micros at_us) const {
  MemoryBytes sum;
  for (const MemtableWeight& weight : weights_) sum += weight.memory(at_us);
  return share_of(sum);
}

bool FlushPlanner::surely_below_limit(Micros at_us) const {
  constexpr double almost_all = 0.999;
  MemoryBytes sum;
  for (const MemtableWeight& weight : weights_) sum += weight.memory_at_most(at_us);
  return share_of(sum) < almost_all;
}

FlushPlanner::Due FlushPlanner::largest_of_pool(Micros at_us) const {
  Due due{.at_us = at_us, .table = 0, .reason = FlushReason::heap};
  double most = -1;
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    const double share = share_of(weights_[t].memory(at_us));
    if (share > most) {
      most = share;
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
  const Micros pool_us = surely_below_limit(due.at_us) ? due.at_us
                                                       : first_reach([this](Micros at_us) { return pool_share(at_us); },
                                                                     std::nextafter(1.0, 2.0), now_us, due.at_us);
  if (pool_us < due.at_us) {
    due = largest_of_pool(pool_us);
    any = true;
  }
  // The log: only a table whose oldest write lies too far back by then is worth a search.
  double logged = 0;  // by that time, of all tables: as many as are asked
  Micros logged_by_us = INT64_MIN;
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    if (!scenario_->tables[t].flushes.empty()) continue;
    const double limit = logged_at_flush_[t] + log_limit_bytes_;
    if (logged_by_us != due.at_us) logged = node_logged_bytes(logged_by_us = due.at_us);
    if (logged <= limit || weights_[t].data_bytes(due.at_us) <= 0) continue;
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
  return static_cast<Bytes>(weights_[static_cast<std::size_t>(table)].memory(at_us).heap);
}

}  // namespace windrow
