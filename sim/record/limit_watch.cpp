#include "sim/record/limit_watch.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace windrow {

namespace {

bool is_read(const Scenario& scenario, int table) {
  return std::ranges::any_of(scenario.reads,
                             [table](const ReadSpec& read) { return table < 0 || read.table == table; });
}

/// Without a disk or a throttle there is nothing to take a share of. `table`: -1 for all.
bool can_be_measured(const Limit& limit, const Scenario& scenario, int table) {
  if (&limit == &limit_row("disk_used_share")) return scenario.node.disk_bytes > 0;
  if (&limit == &limit_row("compaction_used_share")) return scenario.node.compaction_throughput_bytes_per_s > 0;
  if (limit.of == Limit::Of::reads) return is_read(scenario, table);
  return limit.of == Limit::Of::table || limit.of == Limit::Of::node;
}

}  // namespace

LimitWatch::LimitWatch(const Scenario& scenario) {
  for (const LimitSpec& spec : scenario.limits) {
    const Limit* limit = find_limit(spec.name);
    SIM_CHECK(limit != nullptr, "a limit of the catalogue");
    const bool measured = can_be_measured(*limit, scenario, spec.table);
    if (spec.table >= 0 || !measured || limit->of == Limit::Of::node) {
      watch(scenario, spec, *limit, measured && limit->of == Limit::Of::node ? -1 : spec.table, measured);
      continue;
    }
    for (int table = 0; table < static_cast<int>(scenario.tables.size()); ++table) {
      if (limit->of != Limit::Of::reads || is_read(scenario, table)) watch(scenario, spec, *limit, table, true);
    }
  }
}

void LimitWatch::watch(const Scenario& scenario, const LimitSpec& spec, const Limit& limit, int table, bool measured) {
  if (measured) places_[static_cast<std::size_t>(&limit - all_limits.data())].push_back({table, outcomes_.size()});
  broken_since_us_.emplace_back();
  outcomes_.push_back({.name = spec.name,
                       .table = table < 0 ? std::string() : scenario.tables[static_cast<std::size_t>(table)].name,
                       .measured = measured,
                       .bound = spec.value});
}

std::optional<double> LimitWatch::open_bound(const Limit& limit, int table) const {
  std::optional<double> bound;
  for (const Place& place : places(limit)) {
    const LimitOutcome& outcome = outcomes_[place.outcome];
    if (place.table == table && outcome.holds() && (!bound || outcome.bound < *bound)) bound = outcome.bound;
  }
  return bound;
}

void LimitWatch::see(const Limit& limit, int table, double value, Micros at_us, std::optional<Micros> crossed_us) {
  for (const Place& place : places(limit)) {
    if (place.table == table) see_at(place, value, at_us, crossed_us.value_or(at_us));
  }
}

void LimitWatch::see_risen(const Limit& limit, int table, const Rise& rise, double value, Micros at_us) {
  for (const Place& place : places(limit)) {
    if (place.table != table) continue;
    const double bound = outcomes_[place.outcome].bound;
    Micros crossed_us = at_us;
    if (rise.from <= bound && bound < rise.to) {
      const double share = (bound - rise.from) / (rise.to - rise.from);
      const auto took_us = static_cast<double>(at_us - rise.from_us);
      crossed_us = std::min(at_us, rise.from_us + static_cast<Micros>(std::ceil(share * took_us)));
    }
    see_at(place, value, at_us, crossed_us);
  }
}

void LimitWatch::see_at(const Place& place, double value, Micros at_us, Micros crossed_us) {
  LimitOutcome& outcome = outcomes_[place.outcome];
  if (value > outcome.value || !outcome.worst_us) outcome.worst_us = at_us;
  outcome.value = std::max(outcome.value, value);
  outcome.end_value = value;
  std::optional<Micros>& since_us = broken_since_us_[place.outcome];
  if (value > outcome.bound) {
    broken(outcome, crossed_us);
    outcome.held_again_us.reset();
    if (!since_us) since_us = crossed_us;
  } else if (!outcome.holds() && !outcome.held_again_us) {
    outcome.held_again_us = at_us;
    if (since_us) outcome.broken_for_us = outcome.broken_for_us.value_or(0) + at_us - *since_us;
    since_us.reset();
  }
}

void LimitWatch::see_lasting(const Limit& limit, int table, Seconds lasted_s, Micros at_us) {
  for (const Place& place : places(limit)) {
    if (place.table != table) continue;
    LimitOutcome& outcome = outcomes_[place.outcome];
    const auto lasted_us = static_cast<double>(lasted_s * us_per_s);
    const double bound_us = outcome.bound * static_cast<double>(seconds_per_day * us_per_s);
    outcome.value = std::max(outcome.value, static_cast<double>(lasted_s) / static_cast<double>(seconds_per_day));
    if (lasted_us > bound_us) broken(outcome, at_us - std::llround(lasted_us - bound_us));
  }
}

void LimitWatch::end(Micros at_us) {
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    if (broken_since_us_[i])
      outcomes_[i].broken_for_us = outcomes_[i].broken_for_us.value_or(0) + at_us - *broken_since_us_[i];
    broken_since_us_[i].reset();
  }
}

void LimitWatch::partitions_go_on(int table, Micros at_us) {
  for (const Limit& limit : all_limits) {
    if (!limit.of_a_partition()) continue;
    for (const Place& place : places(limit)) {
      if (place.table == table) outcomes_[place.outcome].rises = outcomes_[place.outcome].worst_us == at_us;
    }
  }
}

void LimitWatch::broken(LimitOutcome& outcome, Micros at_us) {
  any_broken_ = true;
  if (!outcome.first_breach_us || at_us < *outcome.first_breach_us) outcome.first_breach_us = at_us;
}

}  // namespace windrow
