#include "sim/record/limit_watch.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace windrow {

namespace {

struct Named {
  std::string_view name{};
  LimitKind kind = LimitKind::not_measured;
  bool node = false;
};

constexpr std::array named{
    Named{"partition_size_max", LimitKind::partition_size_max},
    Named{"partition_size_p99", LimitKind::partition_size_p99},
    Named{"partition_rows_max", LimitKind::partition_rows_max},
    Named{"partition_cells_max", LimitKind::partition_cells_max},
    Named{"disk_used_share", LimitKind::disk_used_share, true},
    Named{"sstables_max", LimitKind::sstables_max},
    Named{"pending_compactions_max", LimitKind::pending_compactions_max},
    Named{"compaction_used_share", LimitKind::compaction_used_share, true},
    Named{"held_back_share", LimitKind::held_back_share},
    Named{"erasure_days_max", LimitKind::erasure_days_max},
};

bool of_node(LimitKind kind) {
  return std::ranges::any_of(named, [&](const Named& limit) { return limit.kind == kind && limit.node; });
}

}  // namespace

LimitKind limit_kind(std::string_view name) {
  const auto* found = std::ranges::find(named, name, &Named::name);
  return found == named.end() ? LimitKind::not_measured : found->kind;
}

LimitWatch::LimitWatch(const Scenario& scenario) : places_(static_cast<std::size_t>(LimitKind::not_measured) + 1) {
  for (const LimitSpec& limit : scenario.limits) {
    LimitKind kind = limit_kind(limit.name);
    // Without a disk or a throttle there is nothing to take a share of.
    if (kind == LimitKind::disk_used_share && scenario.node.disk_bytes == 0) kind = LimitKind::not_measured;
    if (kind == LimitKind::compaction_used_share && scenario.node.compaction_throughput_bytes_per_s <= 0)
      kind = LimitKind::not_measured;
    if (limit.table >= 0 || kind == LimitKind::not_measured || of_node(kind)) {
      watch(scenario, limit, kind, of_node(kind) ? -1 : limit.table);
      continue;
    }
    for (int table = 0; table < static_cast<int>(scenario.tables.size()); ++table) watch(scenario, limit, kind, table);
  }
}

void LimitWatch::watch(const Scenario& scenario, const LimitSpec& limit, LimitKind kind, int table) {
  places_[static_cast<std::size_t>(kind)].push_back({table, outcomes_.size()});
  outcomes_.push_back({.name = limit.name,
                       .table = table < 0 ? std::string() : scenario.tables[static_cast<std::size_t>(table)].name,
                       .measured = kind != LimitKind::not_measured,
                       .bound = limit.value,
                       .unit = limit.unit});
}

std::optional<double> LimitWatch::open_bound(LimitKind kind, int table) const {
  std::optional<double> bound;
  for (const Place& place : places_[static_cast<std::size_t>(kind)]) {
    const LimitOutcome& outcome = outcomes_[place.outcome];
    if (place.table == table && outcome.holds() && (!bound || outcome.bound < *bound)) bound = outcome.bound;
  }
  return bound;
}

void LimitWatch::see(LimitKind kind, int table, double value, Micros at_us) {
  for (const Place& place : places_[static_cast<std::size_t>(kind)]) {
    if (place.table != table) continue;
    LimitOutcome& outcome = outcomes_[place.outcome];
    outcome.value = std::max(outcome.value, value);
    if (value > outcome.bound) broken(outcome, at_us);
  }
}

void LimitWatch::see_lasting(LimitKind kind, int table, Seconds lasted_s, Micros at_us) {
  for (const Place& place : places_[static_cast<std::size_t>(kind)]) {
    if (place.table != table) continue;
    LimitOutcome& outcome = outcomes_[place.outcome];
    const auto lasted_us = static_cast<double>(lasted_s * us_per_s);
    const double bound_us = outcome.bound * static_cast<double>(seconds_per_day * us_per_s);
    outcome.value = std::max(outcome.value, static_cast<double>(lasted_s) / static_cast<double>(seconds_per_day));
    if (lasted_us > bound_us) broken(outcome, at_us - std::llround(lasted_us - bound_us));
  }
}

void LimitWatch::broken(LimitOutcome& outcome, Micros at_us) {
  any_broken_ = true;
  if (!outcome.first_breach_us || at_us < *outcome.first_breach_us) outcome.first_breach_us = at_us;
}

}  // namespace windrow
