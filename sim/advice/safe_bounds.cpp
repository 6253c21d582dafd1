#include "sim/advice/safe_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <utility>

#include "sim/results/tried_fix.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr Seconds hour_s = 3'600;
constexpr Seconds day_s = 24 * hour_s;
constexpr Seconds by_the_hour_s = 2 * day_s;

std::string days_or_hours(Seconds span_s) {
  return span_s > 0 && span_s % day_s == 0 ? fmt::format("{}d", span_s / day_s) : fmt::format("{}h", span_s / hour_s);
}

std::string date_key(Micros at_us) { return iso_time(at_us).substr(0, std::string("2026-01-01T00:00:00").size()); }

const RepairSpec& repair_of(const Scenario& scenario, const std::string& name) {
  return *std::ranges::find(scenario.repairs, name, &RepairSpec::name);
}

bool has_missed_deletes(const FaultRecord& faults, int table) {
  return std::ranges::find(faults.suspects, table, &SuspectRows::table) != faults.suspects.end();
}

}  // namespace

std::vector<Seconds> safe_bound_grid(Seconds least_s, Seconds most_s) {
  std::vector<Seconds> grid;
  for (Seconds at_s = 0; at_s <= most_s; at_s += at_s < by_the_hour_s ? hour_s : day_s) {
    if (at_s >= least_s) grid.push_back(at_s);
  }
  return grid;
}

int BoundQuestion::most_runs() const {
  int runs = 2 + 3;  // both ends; beyond and before the border
  for (std::size_t between = 1; between + 1 < grid.size(); between *= 2) ++runs;
  return runs;
}

std::vector<BoundQuestion> bound_questions(const Scenario& scenario, const FaultRecord& faults) {
  const Seconds run_s = (scenario.end_us - scenario.start_us) / us_per_s;
  std::vector<BoundQuestion> questions;
  for (const RepairSpec& spec : scenario.repairs) {
    std::vector<int> tables = spec.tables;
    std::erase_if(tables, [&](int table) { return !has_missed_deletes(faults, table); });
    std::vector<Seconds> grid = safe_bound_grid(std::max(hour_s, faults.longest_repair_s(spec)), run_s);
    if (tables.empty() || grid.empty()) continue;
    questions.push_back({.tables = std::move(tables), .name = spec.name, .grid = std::move(grid)});
  }
  for (int t = 0; t < static_cast<int>(scenario.tables.size()); ++t) {
    if (!has_missed_deletes(faults, t)) continue;
    questions.push_back({.of = SafeBound::Of::gc_grace,
                         .tables = {t},
                         .name = scenario.tables[static_cast<std::size_t>(t)].name,
                         .grid = safe_bound_grid(0, run_s)});
  }
  return questions;
}

std::vector<std::string> bound_assignments(const Scenario& scenario, const BoundQuestion& question, Seconds value_s) {
  if (question.of == SafeBound::Of::gc_grace)
    return {fmt::format("table.{}.gc_grace_seconds={}", question.name, value_s)};
  const RepairSpec& spec = repair_of(scenario, question.name);
  const Micros first_us = std::min(spec.from_us, scenario.start_us + value_s * us_per_s);
  std::vector<std::string> all = {fmt::format("repair.{}.every={}", question.name, days_or_hours(value_s))};
  if (first_us < scenario.end_us) all.push_back(fmt::format("repair.{}.from={}", question.name, date_key(first_us)));
  return all;
}

BoundTrial bound_trial(const Scenario& scenario, const FaultRecord& faults, const std::vector<int>& tables) {
  BoundTrial trial{.in_time = true};
  for (const int table : tables) {
    trial.rows += faults.resurrected(table);
    const std::optional<Seconds> margin_s = faults.repair_margin_s(scenario, table);
    if (!margin_s || *margin_s < 0) trial.in_time = false;
  }
  trial.fell_out = std::ranges::any_of(faults.repairs, [&](const RepairStep& step) {
    return step.outcome != RepairStep::Outcome::done && std::ranges::find(tables, step.table) != tables.end();
  });
  return trial;
}

namespace {

/// Tries values of a grid, the safest first.
class Border {
 public:
  using Play = std::function<std::optional<BoundTrial>(std::size_t place)>;
  Border(std::size_t places, Play play, const AtOnce& at_once)
      : places_(places), play_(std::move(play)), at_once_(at_once) {}

  /// False if a run was stopped.
  bool search() {
    std::size_t safe = 0;
    std::size_t unsafe = places_ - 1;
    if (!play({safe, unsafe})) return false;
    const bool best = is_safe(safe);
    if (best && is_safe(unsafe)) return play({places_ / 3, places_ / 2, places_ * 2 / 3});
    while (best && unsafe - safe > 1) {
      const std::size_t middle = safe + (unsafe - safe) / 2;
      if (!play({middle})) return false;
      (is_safe(middle) ? safe : unsafe) = middle;
    }
    if (!best) unsafe = safe;
    return play({unsafe + 1, unsafe + (places_ - unsafe) / 2, safe / 2});
  }

  const std::map<std::size_t, BoundTrial>& trials() const { return trials_; }

 private:
  bool is_safe(std::size_t place) const { return trials_.at(place).safe(); }

  /// Those of the places that there are and that were not played yet. False if a run was stopped.
  bool play(std::initializer_list<std::size_t> places) {
    std::map<std::size_t, std::optional<BoundTrial>> played;
    for (const std::size_t place : places) {
      if (place < places_ && !trials_.contains(place)) played.try_emplace(place);
    }
    std::vector<std::pair<const std::size_t, std::optional<BoundTrial>>*> each;
    for (auto& one : played) each.push_back(&one);
    at_once_(each.size(), [&](std::size_t i) { each[i]->second = play_(each[i]->first); });
    for (const auto& [place, trial] : played) {
      if (!trial) return false;
      trials_[place] = *trial;
    }
    return true;
  }

  std::size_t places_;
  Play play_;
  const AtOnce& at_once_;
  std::map<std::size_t, BoundTrial> trials_{};  // by place
};

}  // namespace

std::optional<SafeBound> find_safe_bound(const Scenario& scenario, const BoundQuestion& question,
                                         const PlayBound& play_bound, const AtOnce& at_once) {
  const bool upwards = question.of == SafeBound::Of::repair_interval;  // towards what is less safe
  std::vector<Seconds> grid = question.grid;
  if (!upwards) std::ranges::reverse(grid);  // the safest first
  SafeBound bound{.of = question.of,
                  .table = question.tables.front(),
                  .key = upwards ? fmt::format("repair.{}.every", question.name)
                                 : fmt::format("table.{}.gc_grace_seconds", question.name),
                  .first_s = question.grid.front(),
                  .last_s = question.grid.back()};
  const auto play = [&](std::size_t place) {
    return play_bound(bound_assignments(scenario, question, grid[place]), question.tables);
  };
  Border border(grid.size(), play, at_once);
  if (!border.search()) return std::nullopt;
  bound.runs = static_cast<int>(border.trials().size());
  for (const auto& [place, trial] : border.trials()) {
    bound.tried.push_back({.value_s = grid[place], .safe = trial.safe()});
    if (bound.unsafe_s) {
      if (trial.safe()) bound.safe_beyond_s.push_back(grid[place]);
      continue;
    }
    if (trial.safe()) {
      bound.safe_s = grid[place];
      bound.assignments = settings_text(bound_assignments(scenario, question, grid[place]));
    } else {
      bound.unsafe_s = grid[place];
      bound.rows = trial.rows;
      bound.fell_out = trial.fell_out;
    }
  }
  std::ranges::sort(bound.tried, {}, &SafeBound::Tried::value_s);
  return bound;
}

}  // namespace windrow
