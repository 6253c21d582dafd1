#include "tests/witness/lib/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/arithmetic.h"
#include "tests/witness/lib/schedule.h"
#include "tests/witness/lib/table.h"

namespace windrow::witness {
namespace {

constexpr Seconds never_s = std::numeric_limits<Seconds>::max();

/// Place of each column v0, v1, ... among them in name order.
std::vector<int> name_order(int columns) {
  std::map<std::string, int> by_name;
  for (int column = 0; column < columns; ++column) by_name[fmt::format("v{}", column)] = column;
  std::vector<int> places(static_cast<std::size_t>(columns));
  int place = 0;
  for (const auto& [name, column] : by_name) places[static_cast<std::size_t>(column)] = place++;
  return places;
}

/// Compaction slots of a node, and how many are taken.
struct Slots {
  std::int64_t all = 1;
  std::int64_t taken = 0;
};

class Player {
 public:
  Player(const OracleScenario& scenario, const RecordedSizes* sizes, Slots& slots, const Look& look = {});

  bool ended() const { return ended_; }
  Seconds next_time_s() const;
  void second(Seconds now_s);
  std::vector<TraceEvent> events() { return std::move(events_); }

 private:
  struct Running {
    Task task{};
    Seconds commit_at_s = 0;
  };

  void end();
  void arrive(const Arrival& arrival);
  Seconds ttl_of(const OracleStream& stream, std::int64_t g) const;
  Row row_of(const OracleStream& stream, const Arrival& arrival, Micros timestamp_us) const;
  bool brings_statics(const OracleStream& stream, std::int64_t g) const;
  Row statics_of(const OracleStream& stream, const Arrival& arrival, Micros timestamp_us) const;
  bool flush(Seconds now_s, std::string_view reason);
  void pick_loop(Seconds now_s);
  void start(Task task, Seconds now_s);
  bool commit_due(Seconds now_s);
  void sample(Seconds now_s);
  void write_null_ticks();

  const OracleScenario& scenario_;
  Slots& slots_;
  Look look_;
  bool ended_ = false;
  std::vector<int> places_;
  Table table_;
  Keys keys_;
  std::vector<Arrival> arrivals_;
  std::vector<TraceEvent> events_;
  std::vector<Running> running_;
  std::size_t next_arrival_ = 0;
  std::size_t next_alter_ = 0;
  Seconds next_tick_s_ = 0;
  Seconds next_flush_s_ = never_s;
  Seconds next_sample_s_ = 0;
  std::int64_t since_flush_ = 0;
  std::int64_t null_ticks_ = 0;
  std::int64_t flushes_ = 0;
  std::int64_t picks_ = 0;
};

Player::Player(const OracleScenario& scenario, const RecordedSizes* sizes, Slots& slots, const Look& look)
    : scenario_(scenario),
      slots_(slots),
      look_(look),
      places_(name_order(scenario.columns)),
      table_(scenario, sizes),
      arrivals_(schedule(scenario)),
      next_tick_s_(scenario.start_s),
      next_sample_s_(scenario.start_s + scenario.sample_every_s) {
  if (scenario_.flush_every_s > 0)
    next_flush_s_ =
        scenario_.start_s + (scenario_.flush_phase_s > 0 ? scenario_.flush_phase_s : scenario_.flush_every_s);
}

void Player::end() {
  ended_ = true;
  for (const Running& running : running_) events_.emplace_back(table_.commit(running.task, scenario_.end_s));
  slots_.taken -= static_cast<std::int64_t>(running_.size());
  write_null_ticks();
  events_.emplace_back(TraceEnd{.t_s = scenario_.end_s,
                                .rows = static_cast<Rows>(next_arrival_),
                                .flushes = flushes_,
                                .picks = picks_,
                                .live = table_.live()});
}

Seconds Player::next_time_s() const {
  Seconds time_s = std::min({scenario_.end_s, next_tick_s_, next_flush_s_, next_sample_s_});
  if (next_alter_ < scenario_.alters.size()) time_s = std::min(time_s, scenario_.alters[next_alter_].at_s);
  if (next_arrival_ < arrivals_.size()) time_s = std::min(time_s, arrivals_[next_arrival_].at_s);
  for (const Running& running : running_) time_s = std::min(time_s, running.commit_at_s);
  return time_s;
}

void Player::second(Seconds now_s) {
  bool ask = false;
  for (; next_alter_ < scenario_.alters.size() && scenario_.alters[next_alter_].at_s == now_s; ++next_alter_) {
    const OracleAlter& alter = scenario_.alters[next_alter_];
    events_.emplace_back(TraceAlter{.t_s = now_s, .cql = scenario_.alter_table(alter)});
    table_.alter(alter.with, now_s);
    ask |= flush(now_s, "alter");
  }
  ask |= commit_due(now_s);
  while (next_arrival_ < arrivals_.size() && arrivals_[next_arrival_].at_s == now_s) {
    arrive(arrivals_[next_arrival_++]);
    if (scenario_.flush_every_rows <= 0 || ++since_flush_ < scenario_.flush_every_rows) continue;
    since_flush_ = 0;
    if (ask) pick_loop(now_s);
    ask = false;
    if (flush(now_s, "rows")) pick_loop(now_s);
  }
  if (now_s == next_flush_s_) {
    next_flush_s_ += scenario_.flush_every_s;
    since_flush_ = 0;
    ask |= flush(now_s, "timer");
  }
  if (now_s == next_tick_s_) {
    next_tick_s_ += scenario_.tick_s;
    ask = true;
  }
  if (ask) pick_loop(now_s);
  if (now_s == next_sample_s_) {
    next_sample_s_ += scenario_.sample_every_s;
    sample(now_s);
  }
  if (now_s >= scenario_.end_s) end();
}

void Player::arrive(const Arrival& arrival) {
  const OracleStream& stream = scenario_.streams[static_cast<std::size_t>(arrival.stream)];
  const Key* key = keys_.key(stream, arrival);
  const Micros delete_timestamp_us = arrival.at_s * us_per_s + arrival.number % 1000;
  const Deletion deletion{.timestamp_us = delete_timestamp_us, .local_deletion_time_s = arrival.at_s};
  if (!arrival.is_delete) {
    const Seconds base_s = stream.timestamp_from_event ? event_time_s(scenario_, stream, arrival.number) : arrival.at_s;
    const Micros timestamp_us = base_s * us_per_s + arrival.number % 1000 + stream.timestamp_offset_us;
    table_.memtable().write(key, row_of(stream, arrival, timestamp_us));
    if (brings_statics(stream, arrival.number))
      table_.memtable().write_statics(key, statics_of(stream, arrival, timestamp_us));
    return;
  }
  switch (stream.delete_kind) {
    case DeleteKind::row:
      table_.memtable().write(key,
                              {.clustering = clustering_of(scenario_, stream, arrival.number), .deletion = deletion});
      break;
    case DeleteKind::cell:
      table_.memtable().write(key, {.clustering = clustering_of(scenario_, stream, arrival.number),
                                    .cells = {{.place = places_[0],
                                               .timestamp_us = deletion.timestamp_us,
                                               .local_deletion_time_s = deletion.local_deletion_time_s,
                                               .tombstone = true}}});
      break;
    case DeleteKind::partition:
      table_.memtable().delete_partition(key, deletion);
      break;
    case DeleteKind::range: {
      const Seconds until_s = stream.delete_by_event ? arrival.at_s - stream.delete_age_s
                                                     : arrival.bucket + bucket_length_s(stream.bucket) / 2;
      const Seconds from_s = stream.delete_by_event ? bucket_begin_s(stream.bucket, until_s) : arrival.bucket;
      table_.memtable().delete_range(key, {.from = from_s * 1000, .to = until_s * 1000, .deletion = deletion});
      break;
    }
    case DeleteKind::none:
      break;
  }
}

Seconds Player::ttl_of(const OracleStream& stream, std::int64_t g) const {
  const bool alternative = stream.ttl_alt_every > 0 && g % stream.ttl_alt_every == stream.ttl_alt_every - 1;
  return (alternative ? stream.ttl_alt_s : stream.ttl_s).value_or(table_.settings().default_ttl_s);
}

Row Player::row_of(const OracleStream& stream, const Arrival& arrival, Micros timestamp_us) const {
  const std::int64_t g = arrival.number;
  const Seconds ttl_s = ttl_of(stream, g);
  const Seconds expires_s = ttl_s > 0 ? arrival.at_s + ttl_s : no_deletion_time;
  Row row{.clustering = clustering_of(scenario_, stream, g)};
  if (stream.op == OracleStream::Op::insert)
    row.liveness = Liveness{.timestamp_us = timestamp_us, .ttl_s = ttl_s, .expires_s = expires_s};
  for (int column = 0; column < stream.columns; ++column)
    row.cells.push_back({.place = places_[static_cast<std::size_t>(column)],
                         .timestamp_us = timestamp_us,
                         .ttl_s = ttl_s,
                         .local_deletion_time_s = expires_s,
                         .value = {.stream = &stream, .row = g, .column = column}});
  for (int column = stream.columns - stream.null_columns; column < stream.columns; ++column) {
    Cell& cell = row.cells[static_cast<std::size_t>(column)];
    cell.tombstone = true;
    cell.ttl_s = 0;
    cell.local_deletion_time_s = arrival.at_s;
  }
  std::ranges::sort(row.cells, {}, &Cell::place);
  if (stream.elements < 0) return row;
  row.complex = Complex{.place = scenario_.columns};
  if (!stream.append) row.complex->deletion = Deletion{timestamp_us - 1, arrival.at_s};
  for (std::int64_t i = 0; i < stream.elements; ++i)
    row.complex->cells.push_back({.place = scenario_.columns,
                                  .timestamp_us = timestamp_us,
                                  .ttl_s = ttl_s,
                                  .local_deletion_time_s = expires_s,
                                  .value = {.stream = &stream, .row = g * stream.elements + i, .column = 0}});
  return row;
}

/// `once`: the entity has no earlier row in this bucket and shard.
bool Player::brings_statics(const OracleStream& stream, std::int64_t g) const {
  if (stream.statics != OracleStream::Statics::once) return stream.statics == OracleStream::Statics::each;
  const std::int64_t before = g - stream.entities * stream.shards;
  return before < 0 || bucket_of(stream.bucket, event_time_s(scenario_, stream, before)) !=
                           bucket_of(stream.bucket, event_time_s(scenario_, stream, g));
}

Row Player::statics_of(const OracleStream& stream, const Arrival& arrival, Micros timestamp_us) const {
  const Seconds ttl_s = ttl_of(stream, arrival.number);
  Row row;
  for (int column = 0; column < scenario_.statics; ++column)
    row.cells.push_back({.place = column,
                         .timestamp_us = timestamp_us,
                         .ttl_s = ttl_s,
                         .local_deletion_time_s = ttl_s > 0 ? arrival.at_s + ttl_s : no_deletion_time,
                         .value = {.stream = &stream, .row = arrival.number, .column = 16'384 + column}});
  return row;
}

bool Player::flush(Seconds now_s, std::string_view reason) {
  std::optional<TraceFlush> event = table_.flush(now_s, reason);
  if (!event) return false;
  ++flushes_;
  events_.emplace_back(std::move(*event));
  return true;
}

void Player::pick_loop(Seconds now_s) {
  bool any = false;
  while (slots_.taken < slots_.all) {
    std::optional<Task> task = table_.next_task(now_s);
    for (const TraceLevelChange& change : table_.level_changes(now_s)) events_.emplace_back(change);
    if (!task) {
      if (!any) ++null_ticks_;
      return;
    }
    any = true;
    task->pick.pick = ++picks_;
    start(std::move(*task), now_s);
  }
}

void Player::start(Task task, Seconds now_s) {
  if (task.changes_level()) {
    events_.emplace_back(task.pick);
    table_.change_level(task);
    for (const TraceLevelChange& change : table_.level_changes(now_s)) events_.emplace_back(change);
    return;
  }
  if (!scenario_.delayed()) {
    events_.emplace_back(task.pick);
    events_.emplace_back(table_.commit(task, now_s));
    return;
  }
  Bytes read_bytes = 0;
  for (const auto& file : task.read) read_bytes += file->fields.data_bytes;
  Seconds commit_at_s = now_s + scenario_.compaction_delay_s;
  if (scenario_.compaction_bytes_per_s > 0) commit_at_s += ceil_div(read_bytes, scenario_.compaction_bytes_per_s);
  commit_at_s = std::max(commit_at_s, now_s + 1);
  task.pick.commit_at_s = commit_at_s;
  events_.emplace_back(task.pick);
  running_.push_back({.task = std::move(task), .commit_at_s = commit_at_s});
  ++slots_.taken;
}

bool Player::commit_due(Seconds now_s) {
  bool any = false;
  for (const Running& running : running_) {
    if (running.commit_at_s != now_s) continue;
    events_.emplace_back(table_.commit(running.task, now_s));
    any = true;
  }
  slots_.taken -= static_cast<std::int64_t>(
      std::erase_if(running_, [&](const Running& running) { return running.commit_at_s == now_s; }));
  return any;
}

void Player::sample(Seconds now_s) {
  if (look_) look_(now_s, table_);
  write_null_ticks();
  events_.emplace_back(TraceSample{.t_s = now_s,
                                   .live = table_.live(),
                                   .live_bytes = table_.live_bytes(),
                                   .live_bytes_on_disk = table_.live_bytes_on_disk()});
}

void Player::write_null_ticks() {
  if (null_ticks_ > 0) events_.emplace_back(TraceNullTicks{.count = null_ticks_});
  null_ticks_ = 0;
}

Trace trace_of(const OracleScenario& scenario, std::vector<TraceEvent> events) {
  Trace trace;
  trace.header = {.format = scenario.format,
                  .compat = scenario.compat,
                  .start_s = scenario.start_s,
                  .end_s = scenario.end_s,
                  .tick_s = scenario.tick_s,
                  .ddl = scenario.create_table()};
  trace.events = std::move(events);
  return trace;
}

}  // namespace

Trace play(const OracleScenario& scenario, const Trace* sizes_of, const Look& look) {
  RecordedSizes sizes;
  if (sizes_of != nullptr) {
    const auto remember = [&](const std::vector<TraceSSTable>& files) {
      for (const TraceSSTable& file : files) {
        const auto largest = file.partition_sizes.back().first;
        sizes[file.id] = {file.data_bytes, file.uncompressed_bytes, largest.value_or(file.uncompressed_bytes),
                          file.id != files.back().id};
      }
    };
    for (const TraceEvent& event : sizes_of->events) {
      if (const auto* flushed = std::get_if<TraceFlush>(&event)) remember(flushed->added);
      if (const auto* committed = std::get_if<TraceCommit>(&event)) remember(committed->added);
    }
  }
  Slots slots{.all = scenario.compaction_slots};
  Player player(scenario, sizes_of == nullptr ? nullptr : &sizes, slots, look);
  while (!player.ended()) player.second(player.next_time_s());
  return trace_of(scenario, player.events());
}

std::vector<Trace> play_together(std::span<const OracleScenario> scenarios) {
  Slots slots{.all = scenarios.front().compaction_slots};
  std::vector<Player> players;
  players.reserve(scenarios.size());
  for (const OracleScenario& scenario : scenarios) players.emplace_back(scenario, nullptr, slots);
  while (true) {
    Seconds now_s = never_s;
    for (const Player& player : players) {
      if (!player.ended()) now_s = std::min(now_s, player.next_time_s());
    }
    if (now_s == never_s) break;
    for (Player& player : players) {
      if (!player.ended() && player.next_time_s() == now_s) player.second(now_s);
    }
  }
  std::vector<Trace> traces;
  for (std::size_t i = 0; i < players.size(); ++i) traces.push_back(trace_of(scenarios[i], players[i].events()));
  return traces;
}

}  // namespace windrow::witness
