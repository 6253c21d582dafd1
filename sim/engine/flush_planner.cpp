#include <algorithm>
#include <cmath>

#include "sim/engine/memory.h"

namespace windrow {

namespace {

constexpr Bytes segment_bytes = MiB(32);

/// Smallest time in (from, until] at which `weight` reaches `bytes`, else `until`. `weight` never falls, stays what it
/// is until `next_change`, and grows about evenly: first at the pace of the last time, without a look at the end; then
/// by the rule of false position, of which the end that stays counts half each time (Illinois). A bracket with few rows
/// is walked row by row.
template <typename Weight, typename NextChange>
Micros first_reach(const Weight& weight, const NextChange& next_change, double bytes, Micros from_us, Micros until_us,
                   FillPace& pace) {
  constexpr double few_rows = 1e-6;  // of the bytes of a memtable
  constexpr int most_guesses = 30;
  constexpr int guesses_by_pace = 4;
  constexpr int few_steps = 4;
  constexpr double lasts_looks = 4;  // what the pace is a mean of
  struct Side {
    Micros at_us = 0;
    double missing = 0;
    double counted = 0;
    void move(Micros to_us, double is_missing) { *this = {to_us, is_missing, is_missing}; }
  };
  Side low{.at_us = from_us};
  Side high{.at_us = until_us};
  bool ends = false;  // high has been looked at
  const auto look = [&](Micros at_us) {
    const double missing = bytes - weight(at_us);
    ends = ends || missing <= 0;
    (missing <= 0 ? high : low).move(at_us, missing);
  };
  if (pace.before_us > from_us && pace.before_us < until_us) {
    look(pace.before_us);
    const Micros earlier_us = pace.before_us - 2 * pace.step_us;
    if (ends && earlier_us > from_us) look(earlier_us);
  }
  if (low.at_us == from_us) low.move(from_us, bytes - weight(from_us));
  if (low.missing <= 0) return from_us;
  const Side first = low;
  bool moved_low = false;
  std::pair<Micros, Micros> change{INT64_MIN, 0};  // after the one comes the other
  for (int round = 0; high.at_us - low.at_us > 1; ++round) {
    const Micros apart = high.at_us - low.at_us;
    const bool by_pace = !ends && round < guesses_by_pace && pace.per_us > 0;
    // Between two rows, so that the next one is likely to be the one.
    const double rest_us = by_pace ? low.missing / pace.per_us - static_cast<double>(pace.step_us) / 2 : 0;
    Micros next_us = low.at_us + 1;
    if (!(rest_us > static_cast<double>(few_steps * pace.step_us))) {
      if (change.first != low.at_us) change = {low.at_us, next_change(low.at_us)};
      next_us = change.second;
      if (next_us >= high.at_us) break;
      pace.see_step(next_us - low.at_us);
    }
    Micros middle = high.at_us;
    if (by_pace) {
      if (rest_us < static_cast<double>(apart)) middle = std::max(next_us, low.at_us + static_cast<Micros>(rest_us));
      if (next_us > low.at_us + 1 && middle < next_us + pace.step_us) middle = next_us;
    } else if (ends) {
      middle = low.at_us + apart / 2;
      if (round < most_guesses && low.missing - high.missing > few_rows * bytes) {
        const double share = low.counted / (low.counted - high.counted);
        const auto guess = low.at_us + static_cast<Micros>(share * static_cast<double>(apart));
        middle = std::clamp(guess, low.at_us + 1, high.at_us - 1);
      }
      if (round > 0 && apart / few_steps <= next_us - low.at_us) middle = next_us;
    }
    const double missing = bytes - weight(middle);
    const bool below = missing > 0;
    if (below && middle == until_us) return until_us;
    if (ends && round > 0 && below == moved_low) (below ? high : low).counted /= 2;
    (below ? low : high).move(middle, missing);
    moved_low = below;
    ends = ends || !below;
  }
  constexpr Micros fewest_steps = 8;  // fewer say little of the pace
  if (ends && (pace.per_us <= 0 || high.at_us - first.at_us >= fewest_steps * pace.step_us)) {
    const double per_us = (first.missing - high.missing) / static_cast<double>(high.at_us - first.at_us);
    pace.per_us += (per_us - pace.per_us) / (pace.per_us > 0 ? lasts_looks : 1);
  }
  return high.at_us;
}

}  // namespace

FlushPlanner::FlushPlanner(const Scenario& scenario, const Tables& tables)
    : scenario_(&scenario),
      memtables_(tables.size()),
      filled_after_(tables.size()),
      timer_start_us_(tables.size(), scenario.start_us),
      logged_at_flush_(tables.size(), 0.0) {
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

MemoryBytes FlushPlanner::sum_memory(Micros at_us, MemoryBytes RestingMemtables::Weighed::*resting,
                                     MemoryAt moving) const {
  MemoryBytes sum = memtables_.sum_of_leading().*resting;
  for (const auto& entry : memtables_.entries().subspan(memtables_.leading()))
    sum += entry.rests ? entry.weighed.*resting : (weights_[entry.table].*moving)(at_us);
  return sum;
}

double FlushPlanner::sum_logged(Micros at_us, BytesAt moving) const {
  double sum = others_logged_bytes(at_us);
  std::size_t first = 0;
  if (sum == 0) {  // else what leads is no part of the sum
    first = memtables_.leading();
    sum = memtables_.sum_of_leading().logged_bytes;
  }
  for (const auto& entry : memtables_.entries().subspan(first))
    sum += entry.rests ? entry.weighed.logged_bytes : (weights_[entry.table].*moving)(at_us);
  return sum;
}

double FlushPlanner::pool_share(Micros at_us) const {
  return share_of(sum_memory(at_us, &RestingMemtables::Weighed::memory, &MemtableWeight::memory));
}

Micros FlushPlanner::next_change(Micros at_us) const {
  Micros first_us = INT64_MAX;
  for (const auto& entry : memtables_.entries()) {
    if (!entry.rests) first_us = std::min(first_us, weights_[entry.table].next_change(at_us));
  }
  return first_us;
}

bool FlushPlanner::surely_below_limit(Micros at_us) const {
  constexpr double almost_all = 0.999;
  const auto at_most = &RestingMemtables::Weighed::memory_at_most;
  return share_of(sum_memory(at_us, at_most, &MemtableWeight::memory_until_full)) < almost_all ||
         share_of(sum_memory(at_us, at_most, &MemtableWeight::memory_at_most)) < almost_all;
}

FlushPlanner::Due FlushPlanner::largest_of_pool(Micros at_us) const {
  Due due{.at_us = at_us, .table = 0, .reason = FlushReason::heap};
  double most = -1;
  for (const auto& entry : memtables_.entries()) {
    const double share = share_of(entry.rests ? entry.weighed.memory : weights_[entry.table].memory(at_us));
    if (share > most) {
      most = share;
      due.table = static_cast<int>(entry.table);
    }
  }
  return due;
}

double FlushPlanner::others_logged_bytes(Micros at_us) const {
  return scenario_->node.other_writes_bytes_per_s * static_cast<double>(at_us - scenario_->start_us) / 1e6;
}

Micros FlushPlanner::log_is_full_by(Micros until_us) const {
  const double others = scenario_->node.other_writes_bytes_per_s;
  Micros by_us = until_us;
  if (others <= 0 || others_logged_bytes(until_us) <= log_limit_bytes_) return by_us;
  for (const auto& entry : memtables_.entries()) {
    const std::size_t t = entry.table;
    if (!scenario_->tables[t].flushes.empty() || weights_[t].known_empty(by_us)) continue;
    const double full_s = (logged_at_flush_[t] + log_limit_bytes_) / others;
    if (full_s >= static_cast<double>(by_us - scenario_->start_us) / 1e6) continue;
    const Micros full_us = scenario_->start_us + static_cast<Micros>(std::ceil(full_s * 1e6)) + 1;
    by_us = std::min(by_us, std::max(full_us, weights_[t].first_write(by_us) + 1) + 1);
  }
  return by_us;
}

bool FlushPlanner::log_surely_holds_all(Micros at_us) const {
  const double sum = sum_logged(at_us, &MemtableWeight::logged_until_full);
  if (sum > memtables_.sum_of_leading().log_from + log_limit_bytes_) return false;
  return std::ranges::none_of(memtables_.entries().subspan(memtables_.leading()), [&](const auto& entry) {
    const double log_from = entry.rests ? entry.weighed.log_from : logged_at_flush_[entry.table];
    return sum > log_from + log_limit_bytes_ && (entry.rests || !weights_[entry.table].known_empty(at_us));
  });
}

FlushPlanner::Due FlushPlanner::due_alone(Micros now_us, Micros until_us, const std::vector<Millis>& periods_ms) const {
  Due due{.at_us = until_us};
  for (const auto& entry : memtables_.entries().subspan(memtables_.leading())) {
    const std::size_t t = entry.table;
    if (entry.rests || (periods_ms[t] == 0 && weights_[t].known_empty(due.at_us))) continue;
    const auto propose = [&](Micros at_us, FlushReason reason) {
      if (at_us < due.at_us) due = {at_us, static_cast<int>(t), reason};
    };
    const TableSpec& spec = scenario_->tables[t];
    if (!spec.flushes.empty()) continue;
    if (spec.flush_size_bytes > 0) {
      const double bytes = static_cast<double>(spec.flush_size_bytes) / spec.compression_ratio;
      propose(weights_[t].data_reaches(bytes, now_us, until_us), FlushReason::memtable_size);
    }
    if (periods_ms[t] > 0) propose(std::max(now_us, timer_start_us_[t] + periods_ms[t] * 1000), FlushReason::period);
  }
  return due;
}

void FlushPlanner::let_rest(Micros now_us, Micros due_us, const std::vector<Millis>& periods_ms) {
  constexpr std::size_t questions_a_look = 8;
  if (weights_.size() == 1 || memtables_.moving() == 0) return;
  if (++questions_ < questions_a_look * memtables_.moving()) return;
  questions_ = 0;
  std::vector<RestingMemtables::Rest> rests;
  for (const auto& entry : memtables_.entries().subspan(memtables_.leading())) {
    const std::size_t t = entry.table;
    const TableSpec& spec = scenario_->tables[t];
    if (entry.rests || (periods_ms[t] > 0 && spec.flushes.empty())) continue;
    const MemtableWeight& weight = weights_[t];
    const Micros until_us = weight.next_change(now_us);
    if (until_us <= due_us) continue;
    const double data = weight.data_bytes(now_us);
    if (spec.flush_size_bytes > 0 && data >= static_cast<double>(spec.flush_size_bytes) / spec.compression_ratio)
      continue;
    rests.push_back({.table = t,
                     .until_us = until_us,
                     .weighed = {.memory = weight.memory(now_us),
                                 .memory_at_most = weight.memory_at_most(now_us),
                                 .logged_bytes = weight.logged_bytes(now_us)}});
    if (data > 0) rests.back().weighed.log_from = logged_at_flush_[t];
  }
  if (!rests.empty()) memtables_.let_rest(rests);
}

Micros FlushPlanner::pool_likely_not_full_us() const {
  if (pool_flushed_ < 0) return 0;
  const auto& [in_us, before_in_us] = filled_after_[static_cast<std::size_t>(pool_flushed_)];
  // After the row before the last.
  if (std::abs(in_us - before_in_us) <= 2 * pool_pace_.step_us)
    return pool_was_full_us_ + std::min(in_us, before_in_us) - std::max<Micros>(1, pool_pace_.step_us / 2);
  return pool_was_full_us_ + pool_filled_in_us_ / 1000 * 999;
}

void FlushPlanner::pool_filled(int table, Micros at_us) {
  pool_filled_in_us_ = at_us - pool_was_full_us_;
  pool_was_full_us_ = at_us;
  if (pool_flushed_ >= 0) {
    Filled& after = filled_after_[static_cast<std::size_t>(pool_flushed_)];
    after = {.in_us = pool_filled_in_us_, .before_in_us = after.in_us};
  }
  pool_flushed_ = table;
}

std::optional<FlushPlanner::Due> FlushPlanner::next(Micros now_us, Micros until_us,
                                                    const std::vector<Millis>& periods_ms) {
  Due due = due_alone(now_us, until_us, periods_ms);
  while (memtables_.wake_until(due.at_us)) due = due_alone(now_us, until_us, periods_ms);
  bool any = due.at_us < until_us;
  let_rest(now_us, due.at_us, periods_ms);
  const Micros looked_until_us = std::min(due.at_us, std::max(now_us + 1, log_is_full_by(due.at_us)));
  pool_pace_.before_us = pool_likely_not_full_us();
  // Where the pool is likely to be full by then, nothing is gained by asking whether it may be.
  const bool likely_full = pool_pace_.before_us > now_us && pool_pace_.before_us < looked_until_us;
  const Micros pool_us = !likely_full && surely_below_limit(looked_until_us)
                             ? looked_until_us
                             : first_reach([this](Micros at_us) { return pool_share(at_us); },
                                           [this](Micros at_us) { return next_change(at_us); },
                                           std::nextafter(1.0, 2.0), now_us, looked_until_us, pool_pace_);
  if (pool_us < looked_until_us) {
    due = largest_of_pool(pool_us);
    any = true;
    pool_full_us_ = pool_us;
  }
  if (log_surely_holds_all(due.at_us)) return any ? std::optional(due) : std::nullopt;
  // The log: only a table whose oldest write lies too far back by then is worth a search.
  double logged = 0;  // by that time, of all tables: as many as are asked
  Micros logged_by_us = INT64_MIN;
  for (const auto& entry : memtables_.entries()) {
    const std::size_t t = entry.table;
    if (!scenario_->tables[t].flushes.empty()) continue;
    const double limit = logged_at_flush_[t] + log_limit_bytes_;
    if (logged_by_us != due.at_us) logged = node_logged_bytes(logged_by_us = due.at_us);
    if (logged <= limit || weights_[t].data_bytes(due.at_us) <= 0) continue;
    FillPace unknown;
    const Micros at_us = first_reach([this](Micros at) { return node_logged_bytes(at); },
                                     [](Micros at) { return at + 1; }, limit, now_us, due.at_us, unknown);
    const Micros flush_us = std::max(at_us, weights_[t].first_write(due.at_us) + 1);
    if (flush_us >= due.at_us) continue;
    due = {flush_us, static_cast<int>(t), FlushReason::commit_log};
    any = true;
  }
  return any ? std::optional(due) : std::nullopt;
}

void FlushPlanner::flushed(int table, Micros at_us, Bytes uncompressed_bytes) {
  const auto t = static_cast<std::size_t>(table);
  weights_[t].flushed(at_us, uncompressed_bytes);
  memtables_.wake(t);
  memtables_.wake_until(at_us);
  if (at_us == pool_full_us_) pool_filled(table, at_us);
  timer_start_us_[t] = at_us;
  // Segments are given back whole: the oldest write lies in a segment that began a little earlier.
  const double position = node_logged_bytes(at_us);
  logged_at_flush_[t] = std::floor(position / static_cast<double>(segment_bytes)) * static_cast<double>(segment_bytes);
}

void FlushPlanner::closed(int table, Micros at_us) {
  weights_[static_cast<std::size_t>(table)].close(at_us);
  memtables_.wake(static_cast<std::size_t>(table));
}

Bytes FlushPlanner::heap_bytes(int table, Micros at_us) const {
  return static_cast<Bytes>(weights_[static_cast<std::size_t>(table)].memory(at_us).heap);
}

}  // namespace windrow
