#include "sim/cli/prevention.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "sim/advice/advise.h"
#include "sim/base/arithmetic.h"
#include "sim/cli/command.h"
#include "sim/cluster/cluster.h"
#include "sim/limits/limits.h"
#include "sim/record/recorder.h"
#include "sim/results/faults.h"
#include "sim/results/tried_fix.h"
#include "sim/text/text.h"
#include "sim/words/scenario_error.h"

namespace windrow {
namespace {

constexpr Seconds hour_s = 3'600;

Seconds hours_up(Seconds s) { return ceil_div(s, hour_s) * hour_s; }

std::string hours_text(Seconds s) { return fmt::format("{}h", s / hour_s); }

std::vector<RunObserver*> nobody() { return std::vector<RunObserver*>(64, nullptr); }

/// Calls `play` with the scenario as it is with `over` over all its values. False if somebody asked to stop.
template <typename Play>
bool play_with(const PreparedRun& prepared, const std::vector<std::string>& over,
               const std::vector<std::string>& assignments, const Play& play) {
  std::vector<std::string> all = over;  // the first stands
  all.insert(all.end(), assignments.begin(), assignments.end());
  const PreparedRun changed = prepare_run(prepared.file, all);
  RunOptions options;
  options.go_on = [](Micros) { return !stop_requested(); };
  play(changed.scenario, options);
  return !stop_requested();
}

/// By how much gc_grace is too short for what came back: the least margin of the repairs, or else of the rows.
Seconds missing_gc_grace_s(const Scenario& scenario, const FaultRecord& faults, int table) {
  const std::optional<Seconds> margin_s = faults.repair_margin_s(scenario, table);
  if (margin_s && *margin_s < 0) return -*margin_s;
  Seconds missing_s = 0;
  for (const SuspectRows& line : faults.suspects) {
    if (line.table == table && line.state >= SuspectState::visible) missing_s = std::max(missing_s, -line.margin_s);
  }
  return missing_s;
}

TriedFix::Ending ending_of(Rows before, Rows rows) {
  if (rows == 0) return TriedFix::Ending::holds;
  if (rows == before) return TriedFix::Ending::nothing;
  return rows < before ? TriedFix::Ending::helps : TriedFix::Ending::worse;
}

}  // namespace

std::optional<FaultRecord> faults_with(const PreparedRun& prepared, const std::vector<std::string>& over,
                                       const std::vector<std::string>& assignments) {
  std::optional<FaultRecord> faults;
  const bool whole = play_with(prepared, over, assignments, [&](const Scenario& scenario, const RunOptions& options) {
    const std::vector<RunObserver*> observers = nobody();
    faults = play_cluster(scenario, observers, options);
  });
  return whole ? std::move(faults) : std::nullopt;
}

std::vector<Prevention> preventions(const Scenario& scenario, const FaultRecord& faults) {
  std::vector<Prevention> all;
  Prevention longer;
  Prevention repaired_only;
  std::set<int> tables;
  for (int t = 0; t < static_cast<int>(scenario.tables.size()); ++t) {
    if (faults.resurrected(t) == 0) continue;
    tables.insert(t);
    const std::string& name = scenario.tables[static_cast<std::size_t>(t)].name;
    const Seconds gc_grace_s = faults.gc_grace_s[static_cast<std::size_t>(t)];
    const Seconds enough_s = hours_up(gc_grace_s + missing_gc_grace_s(scenario, faults, t));
    longer.assignments.push_back(fmt::format("table.{}.gc_grace_seconds={}", name, enough_s));
    repaired_only.assignments.push_back(fmt::format("table.{}.compaction.only_purge_repaired_tombstones=true", name));
  }
  all.push_back(std::move(longer));
  for (const RepairSpec& spec : scenario.repairs) {
    Seconds least_s = INT64_MAX;
    for (const int t : spec.tables) {
      if (tables.contains(t)) least_s = std::min(least_s, faults.gc_grace_s[static_cast<std::size_t>(t)]);
    }
    const Seconds every_s = least_s == INT64_MAX ? 0 : (least_s - faults.longest_repair_s(spec)) / hour_s * hour_s;
    if (every_s <= 0 || every_s * us_per_s >= spec.every_us) continue;
    const Micros first_us = std::min(spec.from_us, scenario.start_us + every_s * us_per_s);
    all.push_back(
        {.assignments = {fmt::format("repair.{}.every={}", spec.name, hours_text(every_s)),
                         fmt::format("repair.{}.from={}", spec.name,
                                     iso_time(first_us).substr(0, std::string("2026-01-01T00:00:00").size()))},
         .remark = {}});
  }
  Micros longest_us = 0;
  for (const OutageTime& outage : faults.outages) longest_us = std::max(longest_us, outage.to_us - outage.from_us);
  const Seconds window_s = hours_up(ceil_div(longest_us, us_per_s));
  if (!scenario.node.hinted_handoff || scenario.node.max_hint_window_us < longest_us) {
    Prevention hints{.assignments = {fmt::format("node.max_hint_window={}", hours_text(window_s))}, .remark = {}};
    if (!scenario.node.hinted_handoff) hints.assignments.emplace_back("node.hinted_handoff=true");
    all.push_back(std::move(hints));
  }
  const bool any_marks = std::ranges::any_of(
      scenario.repairs, [](const RepairSpec& spec) { return spec.kind == RepairSpec::Kind::incremental; });
  if (!any_marks) repaired_only.remark = "with full repairs alone no tombstone is ever purged";
  all.push_back(std::move(repaired_only));
  return all;
}

namespace {

struct PreventionTrial {
  bool possible = false;
  Rows rows = 0;         // that come back
  std::string breaks{};  // a limit that held before
};

PreventionTrial played(const PreparedRun& prepared, const Prevention& change,
                       const std::vector<std::string>& assignments, const RunRecord& before) {
  try {
    PreventionTrial trial;
    play_with(prepared, change.assignments, assignments, [&](const Scenario& scenario, const RunOptions& options) {
      Recorder recorder(scenario, {}, {.all = false, .only_limits = true});
      auto faults = std::make_shared<const FaultRecord>(play_cluster(scenario, recorder, options));
      RunRecord record = recorder.take();
      record.faults = std::move(faults);
      judge_faults(record);
      trial = {.possible = true, .rows = record.faults->resurrected(), .breaks = breaks_another(before, record.limits)};
    });
    return trial;
  } catch (const ScenarioError&) {          // the schema gives an option as a map that --set cannot reach
  } catch (const std::invalid_argument&) {  // nobody can play it
  } catch (const std::length_error&) {
  }
  return {};
}

}  // namespace

void find_prevention(const PreparedRun& prepared, const std::vector<std::string>& assignments, const Advance& advance,
                     const Step& phase, RunRecord& record) {
  if (!record.faults || record.faults->resurrected() == 0) return;
  const Rows before = record.faults->resurrected();
  auto faults = std::make_shared<FaultRecord>(*record.faults);
  Advice advice{.limit = std::string(limit_row("resurrected_rows").key)};
  const std::vector<Prevention> changes = preventions(prepared.scenario, *faults);
  std::vector<PreventionTrial> trials(changes.size());
  TrialCount count(advance, phase, {"against deleted rows that come back"});
  count.expect(0, changes.size());
  tbb::parallel_for(std::size_t{0}, changes.size(), [&](std::size_t i) {
    trials[i] = played(prepared, changes[i], assignments, record);
    count.end_trial(0);
  });
  if (stop_requested()) return;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const PreventionTrial& trial = trials[i];
    if (!trial.possible) continue;
    TriedFix fix{.settings = changes[i].assignments,
                 .ending = ending_of(before, trial.rows),
                 .value = static_cast<double>(trial.rows),
                 .note = trial.breaks,
                 .remark = changes[i].remark};
    if (fix.ending == TriedFix::Ending::holds && !fix.note.empty()) fix.ending = TriedFix::Ending::breaks_another;
    if (fix.ending == TriedFix::Ending::holds && faults->prevented_by.empty())
      faults->prevented_by = settings_text(fix.settings);
    advice.tried.push_back(std::move(fix));
  }
  record.advice.insert(record.advice.begin(), std::move(advice));
  record.faults = std::move(faults);
}

std::string share_of_zombies(std::size_t with, std::size_t runs) {
  constexpr double z = 1.959964;
  const auto n = static_cast<double>(runs);
  const double share = static_cast<double>(with) / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return fmt::format("{} of {} seeds bring deleted rows back: {} (95 %: {} to {})", with, runs, human_share(share),
                     human_share(std::max(0.0, middle - half)), human_share(std::min(1.0, middle + half)));
}

std::optional<Rows> resurrected_with_seed(const PreparedRun& prepared, const std::vector<std::string>& assignments,
                                          std::uint64_t seed) {
  const std::optional<FaultRecord> faults = faults_with(prepared, {fmt::format("run.seed={}", seed)}, assignments);
  if (!faults) return std::nullopt;
  return faults->resurrected();
}

}  // namespace windrow
