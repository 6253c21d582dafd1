#include "sim/engine/memory.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/engine/row_estimate.h"
#include "sim/workload/partition_weight.h"
#include "sim/workload/static_weight.h"

namespace windrow {

namespace {

/// Among successive writes: of keys drawn at random, written again in turn, or each its own.
std::int64_t different_keys(const Writer& writer, std::int64_t writes) {
  if (writer.drawn_keys > 0) return writer.different_keys(writes);
  const std::int64_t in_turn = writer.clustering.modulus * writer.entities;
  return in_turn > 0 ? std::min(writes, in_turn) : writes;
}

/// Where bytes on the heap are given for those of Data, partitions weigh nothing.
bool has_tree(const MemoryBytes& partition) { return partition.heap > 0; }

/// No less than so many rows that are written at once have of a partition's tree, whatever else is in it.
double most_places(double rows) { return std::max(rows_tree_memory(rows).heap, row_place_memory().heap * rows); }

struct HeldPartitions {
  double number = 0;
  double writes = 0;  // to all of them
};

FirstBucket bucket_from(const Writer& writer, std::int64_t event) {
  const std::int64_t number = writer.bucket_of(event);
  return {.event = event,
          .number = number,
          .end = writer.bucket.single() ? INT64_MAX : writer.rows_before_bucket(number + 1)};
}

/// Partitions that `held` writes fall into, evenly spread over the events from those of `begin` to `last`: of the first
/// bucket, of the last, of those between.
std::array<HeldPartitions, 3> partitions_of(const Writer& writer, const FirstBucket& begin, std::int64_t last,
                                            std::int64_t held) {
  const auto in = [](double rows, std::int64_t slots) {
    return HeldPartitions{.number = std::min(rows, static_cast<double>(slots)), .writes = rows};
  };
  const std::int64_t first = begin.event;
  const std::int64_t first_bucket = begin.number;
  if (last < begin.end) return {in(static_cast<double>(held), writer.slots(first_bucket)), {}, {}};
  const std::int64_t buckets = writer.bucket_of(last) - first_bucket + 1;
  if (buckets == 1) return {in(static_cast<double>(held), writer.slots(first_bucket)), {}, {}};
  const double each = static_cast<double>(held) / static_cast<double>(last - first + 1);
  const double in_first = static_cast<double>(begin.end - first) * each;
  const double in_last = static_cast<double>(last + 1 - writer.rows_before_bucket(first_bucket + buckets - 1)) * each;
  const double between = static_cast<double>(held) - in_first - in_last;
  return {in(in_first, writer.slots(first_bucket)), in(in_last, writer.slots(first_bucket + buckets - 1)),
          in(between, (buckets - 2) * writer.mean_slots())};
}

std::int64_t sent_before(const std::vector<CoveringDelete>& deletes, Micros at_us) {
  return std::ranges::lower_bound(deletes, at_us, {}, &CoveringDelete::arrival) - deletes.begin();
}

}  // namespace

MemtableWeight::MemtableWeight(const TableWorkload& workload, const Arrivals& arrivals, const NodeSettings& node,
                               Seconds default_ttl_s, Seconds written_s)
    : arrivals_(&arrivals) {
  // Where bytes on the heap are given for those of Data, partitions cost nothing of their own.
  if (node.memtable_heap_per_byte == 0) memtable_ = node.memtable_settings();
  for (const SubStream& sub : workload.sub_streams()) add(sub, node, default_ttl_s, written_s);
  for (const Writer& writer : workload.writers()) {
    const DeleteRule& deletes = workload.deletes_of(writer.index);
    if (!deletes.covering.empty()) add(writer, deletes, node, written_s);
  }
  for (const Stream& stream : streams_) {
    const Kind kind{alone_of(stream), stream.data_per_row, stream.logged_per_row};
    const auto known = std::ranges::find(kinds_, kind);
    kind_of_.push_back(static_cast<std::uint32_t>(known - kinds_.begin()));
    if (known == kinds_.end()) kinds_.push_back(kind);
  }
  sums_ = SumsByKind(kind_of_);
  take(std::vector<std::int64_t>(streams_.size(), 0), std::vector<std::int64_t>(kinds_.size(), 0));
}

void MemtableWeight::take(std::span<const std::int64_t> arrived, std::span<const std::int64_t> kinds) {
  taken_.assign(arrived.begin(), arrived.end());
  taken_by_kind_.assign(kinds.begin(), kinds.end());
}

MemoryBytes MemtableWeight::alone_of(const Stream& stream) const {
  MemoryBytes alone = stream.row;
  alone += stream.row_again;
  alone += trie_memory_at_most(memtable_, stream.key_bytes);
  if (stream.sub == nullptr) return alone;
  const Reach& reach = reaches_[stream.reach];
  alone += reach.partition;
  if (has_tree(reach.partition)) alone.heap += most_places(static_cast<double>(reach.writer->rows_per_event));
  return alone;
}

void MemtableWeight::add(const SubStream& sub, const NodeSettings& node, Seconds default_ttl_s, Seconds written_s) {
  const Writer& writer = sub.writer();
  const Seconds ttl_s = sub.brings() != Brings::rows ? 0 : sub.ttl_s(default_ttl_s);
  const RowWrite write{.writer = &writer, .brings = sub.brings(), .ttl_s = ttl_s};
  const auto each = static_cast<double>(writer.rows_per_event);
  const double data = data_bytes_of(sub, ttl_s);
  const StaticMemory statics = static_memory(node.memtable_settings(), write);
  Stream stream{.sub = &sub,
                .number = static_cast<int>(streams_.size()),
                .row = row_memory(node.memtable_settings(), write) * each,
                .row_again = rewrite_memory(node.memtable_settings(), write) * each,
                .data_per_row = data * each,
                .logged_per_row = logged_row_bytes(write, written_s) * each + logged_static_bytes(write),
                .reach = reach_of(sub, ttl_s, node.memtable_settings()),
                .key_bytes = static_cast<double>(writer.key_bytes),
                .members = sub.rank(writer.rhythm.total())};
  stream.row += statics.a_row;
  stream.row_again += statics.a_row;
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
                .number = static_cast<int>(streams_.size()),
                .row = range ? range_deleted_partition_memory(node.memtable_settings(), writer, 1)
                             : deleted_partition_memory(node.memtable_settings(), key_bytes),
                .data_per_row = key_bytes + partition_end,
                .logged_per_row = logged_delete_bytes(writer, range, written_s),
                .key_bytes = key_bytes};
  if (node.memtable_heap_per_byte > 0) stream.row = {.heap = stream.data_per_row * node.memtable_heap_per_byte};
  streams_.push_back(stream);
}

std::size_t MemtableWeight::reach_of(const SubStream& sub, Seconds ttl_s, const MemtableSettings& settings) {
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
  reaches_.back().partition +=
      static_memory(settings, {.writer = &writer, .brings = sub.brings(), .ttl_s = ttl_s}).a_partition;
  return reaches_.size() - 1;
}

std::int64_t MemtableWeight::arrived(const Stream& stream, Micros at_us) const {
  const Micros before_us = std::min(at_us, closed_us_);
  if (stream.sub != nullptr) return arrivals_->count_before(stream.number, before_us);
  std::int64_t count = sent_before(*stream.covering, before_us);
  for (const auto& [from_us, to_us] : arrivals_->away()) {
    if (from_us < before_us)
      count -= sent_before(*stream.covering, std::min(to_us, before_us)) - sent_before(*stream.covering, from_us);
  }
  return count;
}

std::span<const std::int64_t> MemtableWeight::arrived(Micros at_us) const {
  const Micros before_us = std::min(at_us, closed_us_);
  follow_arrivals();
  const auto known = std::ranges::find_if(arrived_, [&](const Arrived& arrived) { return arrived.holds(before_us); });
  if (known != arrived_.end()) return known->members;
  if (streams_.size() == 1) {  // nothing is counted together
    newest_arrived_ = 1 - newest_arrived_;
    Arrived& alone = arrived_[newest_arrived_];
    alone.from_us = alone.to_us = before_us;
    alone.members.resize(1);
    alone.members.front() = arrived(streams_.front(), before_us);
    return alone.members;
  }
  arriving_.clear();
  if (!streams_.empty() && streams_.front().sub != nullptr) {
    const std::span<const std::int64_t> sent = arrivals_->sent_before(before_us);
    arriving_.assign(sent.begin(), sent.end());
  }
  if (arrivals_->loses_some()) {
    for (std::size_t s = 0; s < arriving_.size(); ++s)
      arriving_[s] = arrivals_->arrived_of(static_cast<int>(s), arriving_[s]);
  }
  for (std::size_t s = arriving_.size(); s < streams_.size(); ++s) arriving_.push_back(arrived(streams_[s], before_us));
  for (Arrived& arrived : arrived_) {
    if (arrived.members != arriving_) continue;
    arrived.from_us = std::min(arrived.from_us, before_us);
    arrived.to_us = std::max(arrived.to_us, before_us);
    return arrived.members;
  }
  newest_arrived_ = 1 - newest_arrived_;
  Arrived& arrived = arrived_[newest_arrived_];
  arrived.from_us = arrived.to_us = before_us;
  arrived.members.swap(arriving_);
  return arrived.members;
}

void MemtableWeight::forget_arrivals() const {
  arrivals_stand_ = arrivals_->changes();
  arrived_ = {};
  empty_until_us_ = INT64_MIN;
  full_ = {};
  weighed_.at_us = INT64_MIN;
  searched_ = {};
}

bool MemtableWeight::known_empty(Micros at_us) const {
  follow_arrivals();
  return at_us <= empty_until_us_;
}

const MemtableWeight::Full* MemtableWeight::weighed_when_full(Micros at_us) const {
  follow_arrivals();
  if (full_.bytes < 0 || full_.at_us < at_us) return nullptr;
  if (!full_.weighed) {
    const std::span<const std::int64_t> all = by_kind(arrived(full_.at_us));
    full_.memory = memory_of_rows_alone(all);
    full_.logged = logged_of_kinds(all);
    full_.weighed = true;
  }
  return &full_;
}

void MemtableWeight::found_empty() const {
  empty_until_us_ = INT64_MAX;
  for (const Stream& stream : streams_) {
    if (comes(stream, 0)) empty_until_us_ = std::min(empty_until_us_, arrival(stream, 0));
  }
  if (empty_until_us_ >= closed_us_) empty_until_us_ = INT64_MAX;
}

std::int64_t MemtableWeight::member(const Stream& stream, std::int64_t n) const {
  return arrivals_->member(stream.number, taken(stream) + n);
}

Micros MemtableWeight::arrival(const Stream& stream, std::int64_t n) const {
  if (stream.sub == nullptr) {
    std::int64_t place = taken(stream) + n;
    for (const auto& [from_us, to_us] : arrivals_->away()) {
      const std::int64_t first = sent_before(*stream.covering, from_us);
      if (place < first) break;
      place += sent_before(*stream.covering, to_us) - first;
    }
    return (*stream.covering)[static_cast<std::size_t>(place)].arrival;
  }
  return stream.sub->arrival(member(stream, n));
}

bool MemtableWeight::comes(const Stream& stream, std::int64_t n) const {
  return stream.sub != nullptr ? member(stream, n) < stream.members : taken(stream) + n < arrived(stream, INT64_MAX);
}

Micros MemtableWeight::next_change(Micros at_us) const {
  follow_arrivals();
  if (weighed_.holds(at_us)) return weighed_.until_us;
  Micros first_us = INT64_MAX;
  const std::span<const std::int64_t> all = weighed_.at_us == at_us ? weighed_.arrived : arrived(at_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const std::int64_t n = all[s] - taken_[s];
    if (comes(streams_[s], n)) first_us = std::min(first_us, arrival(streams_[s], n));
  }
  const Micros change_us = first_us >= closed_us_ ? INT64_MAX : std::max(at_us, first_us) + 1;
  if (weighed_.at_us == at_us) weighed_.until_us = change_us;
  return change_us;
}

void MemtableWeight::flushed(Micros at_us, Bytes uncompressed_bytes) {
  const std::span<const std::int64_t> taken = arrived(at_us);
  const std::span<const std::int64_t> all = by_kind(taken);
  const double estimated = data_of_kinds(all);
  if (estimated > 0 && uncompressed_bytes > 0) correction_ *= static_cast<double>(uncompressed_bytes) / estimated;
  take(taken, all);
  full_ = {};
  weighed_.at_us = INT64_MIN;
  filled_in_us_ = at_us - flushed_us_;
  flushed_us_ = at_us;
}

void MemtableWeight::close(Micros at_us) {
  const std::span<const std::int64_t> taken = arrived(at_us);
  take(taken, by_kind(taken));
  full_ = {};
  weighed_.at_us = INT64_MIN;
  closed_us_ = std::min(closed_us_, at_us);
  searched_ = {};
  found_empty();
}

MemoryBytes MemtableWeight::memory(Micros at_us) const {
  if (known_empty(at_us)) return {};
  if (weighed_.at_us == at_us || weighed_.holds(at_us)) return weighed_.memory;
  const std::span<const std::int64_t> all = arrived(at_us);
  if (weighed_.at_us == INT64_MIN || !std::ranges::equal(all, weighed_.arrived)) {
    weighed_.arrived.assign(all.begin(), all.end());
    weighed_.memory = memory_of(all);
  }
  weighed_.at_us = weighed_.until_us = at_us;
  return weighed_.memory;
}

void MemtableWeight::add_rows(const Stream& stream, std::int64_t held, Span& span, MemoryBytes& sum) const {
  const std::int64_t keys = stream.sub != nullptr ? different_keys(stream.sub->writer(), held) : held;
  sum += stream.row * static_cast<double>(keys);
  sum += stream.row_again * static_cast<double>(held - keys);
  if (stream.sub == nullptr) return;
  span.first = std::min(span.first, stream.sub->row(member(stream, 0)));
  span.last = std::max(span.last, stream.sub->row(member(stream, held - 1)));
  span.held += held;
  span.rows += keys;
}

double MemtableWeight::add_partitions(const Reach& reach, const Span& span, MemoryBytes& sum) {
  const Writer& writer = *reach.writer;
  const auto rows = static_cast<double>(span.rows);
  std::array<HeldPartitions, 3> held{HeldPartitions{.number = rows, .writes = rows}};
  if (writer.drawn_keys == 0 || !writer.key_is_partition) {
    if (reach.first_bucket.event != span.first) reach.first_bucket = bucket_from(writer, span.first);
    held = partitions_of(writer, reach.first_bucket, span.last, span.held);
  }
  const double rows_a_write = rows / static_cast<double>(span.held) * static_cast<double>(writer.rows_per_event);
  double partitions = 0;
  for (const HeldPartitions& of : held) {
    if (of.number <= 0) continue;
    partitions += of.number;
    if (has_tree(reach.partition)) sum += reach.tree.memory(of.writes * rows_a_write / of.number) * of.number;
  }
  sum += reach.partition * partitions;
  return partitions;
}

MemoryBytes MemtableWeight::memory_of(std::span<const std::int64_t> all) const {
  MemoryBytes sum;
  if (streams_.size() == 1 && streams_.front().sub != nullptr) {
    const Stream& only = streams_.front();
    const std::int64_t held = all.front() - taken_.front();
    if (held <= 0) return sum;
    Span span;
    add_rows(only, held, span, sum);
    const double partitions = add_partitions(reaches_.front(), span, sum);
    sum += trie_memory(memtable_, only.key_bytes, partitions) * partitions;
    return sum;
  }
  spans_.assign(reaches_.size(), {});
  partitions_.clear();
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    const std::int64_t held = all[s] - taken_[s];
    if (held <= 0) continue;
    add_rows(stream, held, spans_[stream.reach], sum);
    if (stream.sub == nullptr) partitions_.push_back({stream.key_bytes, static_cast<double>(held)});
  }
  for (std::size_t r = 0; r < reaches_.size(); ++r) {
    if (spans_[r].held == 0) continue;
    const auto key_bytes = static_cast<double>(reaches_[r].writer->key_bytes);
    partitions_.push_back({key_bytes, add_partitions(reaches_[r], spans_[r], sum)});
  }
  double all_partitions = 0;
  for (const Partitions& some : partitions_) all_partitions += some.number;
  for (const Partitions& some : partitions_)
    sum += trie_memory(memtable_, some.key_bytes, all_partitions) * some.number;
  return sum;
}

MemoryBytes MemtableWeight::memory_at_most(Micros at_us) const {
  if (known_empty(at_us)) return {};
  const std::span<const std::int64_t> all = by_kind(arrived(at_us));
  bool any = false;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) any = any || held(all, kind) > 0;
  const MemoryBytes memory = memory_of_rows_alone(all);
  if (!any) found_empty();
  return memory;
}

MemoryBytes MemtableWeight::memory_until_full(Micros at_us) const {
  if (known_empty(at_us)) return {};
  const Full* full = weighed_when_full(at_us);
  return full != nullptr ? full->memory : memory_at_most(at_us);
}

MemoryBytes MemtableWeight::memory_of_rows_alone(std::span<const std::int64_t> kinds) const {
  MemoryBytes sum;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
    sum += kinds_[kind].alone * static_cast<double>(std::max<std::int64_t>(0, held(kinds, kind)));
  return sum;
}

std::span<const std::int64_t> MemtableWeight::by_kind(std::span<const std::int64_t> arrived) const {
  if (kinds_.size() == streams_.size()) return arrived;  // each is a kind of its own
  by_kind_.assign(kinds_.size(), 0);
  sums_.add(arrived.data(), by_kind_.data());
  return by_kind_;
}

double MemtableWeight::data_of_kinds(std::span<const std::int64_t> kinds) const {
  double sum = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
    sum += static_cast<double>(held(kinds, kind)) * kinds_[kind].data_per_row;
  return sum * correction_;
}

double MemtableWeight::data_bytes(Micros at_us) const { return known_empty(at_us) ? 0 : data_of(arrived(at_us)); }

double MemtableWeight::logged_of_kinds(std::span<const std::int64_t> kinds) const {
  double sum = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
    sum += static_cast<double>(kinds[kind]) * kinds_[kind].logged_per_row;
  return sum;
}

double MemtableWeight::logged_bytes(Micros at_us) const {
  if (at_us >= flushed_us_ && known_empty(at_us)) return logged_of_kinds(taken_by_kind_);
  return logged_of_kinds(by_kind(arrived(at_us)));
}

double MemtableWeight::logged_until_full(Micros at_us) const {
  if (known_empty(at_us)) return logged_bytes(at_us);
  const Full* full = weighed_when_full(at_us);
  return full != nullptr ? full->logged : logged_bytes(at_us);
}

MemtableWeight::Side MemtableWeight::side(Micros at_us) const {
  const std::span<const std::int64_t> all = arrived(at_us);
  return {at_us, {all.begin(), all.end()}};
}

Micros MemtableWeight::data_reaches(double bytes, Micros from_us, Micros until_us) const {
  if (known_empty(until_us)) return until_us;
  if (full_.bytes != bytes || (full_.before && full_.until_us < until_us)) {
    if (flushed_us_ == 0 && data_of(arrived(from_us)) == 0) found_empty();  // perhaps for years
    const Micros at_us = find_data_reaches(bytes, from_us, until_us);
    full_ = {.bytes = bytes, .until_us = until_us, .before = at_us == until_us, .at_us = at_us};
  }
  return std::min(until_us, std::max(from_us, full_.at_us));
}

Micros MemtableWeight::first_write(Micros until_us) const {
  Micros first = until_us;
  if (known_empty(until_us)) return first;
  const std::span<const std::int64_t> all = arrived(until_us);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (all[s] > taken_[s]) first = std::min(first, arrival(streams_[s], 0));
  }
  return first;
}

}  // namespace windrow
