#include "sim/results/live_growth.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

constexpr double much = 0.05;        // a smaller difference of phases may be chance
constexpr double evenly = 0.15;      // how far the last phase's step may be from the first one's
constexpr double rates_alike = 0.1;  // how far the rows written in a phase may be from another's
constexpr int samples_to_tell = 8;
constexpr int windows_to_tell = 4;
constexpr double us_per_year = 365.0 * static_cast<double>(seconds_per_day) * 1e6;

/// What of a table's rows comes and goes, and when the last change of what is written was.
struct Turnover {
  Micros ttl_us = 0;     // the longest, of rows that expire
  Micros delete_us = 0;  // the longest age at which rows are deleted
  bool stays = false;    // some rows are never removed by time
  Micros changed_us = 0;
};

void see_writer(const WriterSpec& writer, const TableRecord& table, const Scenario& scenario, Turnover& all) {
  for (const Micros at_us : {writer.from_us, writer.until_us}) {
    if (at_us < scenario.end_us) all.changed_us = std::max(all.changed_us, at_us);
  }
  if (writer.op == WriteOp::remove) {
    all.delete_us = std::max(all.delete_us, writer.remove.age_us);
    return;
  }
  Micros late_us = writer.delay_us;
  for (const LateShare& late : writer.late) late_us = std::max(late_us, writer.delay_us + late.delay_us);
  for (const TtlShare& share : writer.ttl) {
    if (share.share_ppm == 0) continue;
    const Seconds ttl_s = share.ttl_s < 0 ? table.default_ttl_s : share.ttl_s;
    if (ttl_s == 0) all.stays = true;
    if (ttl_s > 0) all.ttl_us = std::max(all.ttl_us, ttl_s * us_per_s + late_us);
  }
}

bool rewrites(const ActionSpec& action) {
  using Kind = ActionSpec::Kind;
  return action.kind == Kind::compact || action.kind == Kind::truncate || action.kind == Kind::drop;
}

Turnover turnover(const Scenario& scenario, int number, const TableRecord& table) {
  Turnover all{.changed_us = scenario.start_us};
  for (const WriterSpec& writer : scenario.writers) {
    if (writer.table == number) see_writer(writer, table, scenario, all);
  }
  for (const ChangeSpec& change : scenario.changes) {
    if (change.table == number) all.changed_us = std::max(all.changed_us, change.at_us);
  }
  for (const ActionSpec& action : scenario.actions) {
    if (rewrites(action) && (action.table == number || action.table < 0))
      all.changed_us = std::max(all.changed_us, action.at_us);
  }
  return all;
}

bool none_has_gone(const DelaySummary& delay) { return delay.rows > 0 && delay.still_there == delay.rows; }

bool blocked_for_ever(const TableRecord& table) {
  return std::ranges::any_of(table.blocked, [](const BlockedFile& file) { return file.goes_at_s == no_deletion_time; });
}

/// How long a row is on disk at the most, of those that go; as the rules have it, and as this run saw it.
Micros longest_stay(const Turnover& rows, const TableRecord& table) {
  Micros stay_us = 0;
  // What is blocked for ever stays like a row without TTL.
  const Seconds overshoot_s = blocked_for_ever(table) ? 0 : table.retention_overshoot.max_s;
  if (rows.ttl_us > 0) stay_us = rows.ttl_us + std::max(table.gc_grace_s, overshoot_s) * us_per_s;
  if (rows.delete_us > 0)
    stay_us = std::max(stay_us, rows.delete_us + std::max(table.gc_grace_s, table.erasure_delay.max_s) * us_per_s);
  return stay_us;
}

/// Four phases of the same length, which end with the run.
struct Phases {
  std::array<double, 4> bytes{};  // on disk, on average
  std::array<double, 4> kept{};   // of them, what can be read or is blocked: only this can grow for ever
  std::array<double, 4> rows{};   // written
  double half_us = 0;

  double second_half() const { return (bytes[2] + bytes[3]) / 2; }
  double more() const { return second_half() - (bytes[0] + bytes[1]) / 2; }
  /// Garbage that waits for a compaction comes and goes: half of the growth at least is of what is kept.
  bool kept_grows() const { return kept[2] + kept[3] - kept[0] - kept[1] >= more(); }
  double step(std::size_t to) const { return bytes[to] - bytes[to - 1]; }
  bool same_rates() const {
    const auto [least, most] = std::ranges::minmax(rows);
    return most - least <= rates_alike * most;
  }
  bool steps_alike() const {
    const double most = std::max(step(1), step(3));
    return step(1) > 0 && step(2) > 0 && step(3) > 0 && std::abs(step(3) - step(1)) <= evenly * most;
  }
};

Phases phases_of(const std::vector<TableSample>& samples, Micros since_us) {
  Phases phases;
  std::array<double, 4> seen{};
  const Micros end_us = samples.back().at_us;
  const double length = static_cast<double>(end_us - since_us) / 4;
  const TableSample* before = nullptr;
  for (const TableSample& sample : samples) {
    if (sample.at_us > since_us) {
      const auto phase =
          std::min<std::size_t>(3, static_cast<std::size_t>(static_cast<double>(sample.at_us - 1 - since_us) / length));
      phases.bytes[phase] += static_cast<double>(sample.live_bytes);
      phases.kept[phase] += static_cast<double>(sample.readable_bytes + sample.blocked_bytes);
      phases.rows[phase] += static_cast<double>(sample.rows_written - (before == nullptr ? 0 : before->rows_written)) /
                            static_cast<double>(sample.at_us - (before == nullptr ? since_us : before->at_us));
      ++seen[phase];
    }
    before = &sample;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    phases.bytes[i] /= std::max(1.0, seen[i]);
    phases.kept[i] /= std::max(1.0, seen[i]);
    phases.rows[i] /= std::max(1.0, seen[i]);
  }
  phases.half_us = 2 * length;
  return phases;
}

Seconds whole_days(Micros length_us) {
  constexpr Micros day_us = seconds_per_day * us_per_s;
  return floor_div(length_us + day_us - 1, day_us) * seconds_per_day;
}

LiveGrowth not_known(std::string_view why, std::optional<Seconds> run_s) {
  return {.kind = LiveGrowth::Kind::not_known, .why = why, .run_s = run_s};
}

}  // namespace

LiveGrowth live_growth(const RunRecord& record, const TableRecord& table) {
  const Scenario& scenario = *record.scenario;
  if (!table.family.empty() || table.samples.empty() || table.samples.back().live_bytes == 0) return {};
  const auto spec = std::ranges::find(scenario.tables, table.name, &TableSpec::name);
  if (spec == scenario.tables.end()) return {};
  const Turnover rows = turnover(scenario, static_cast<int>(spec - scenario.tables.begin()), table);
  const bool stays_for_ever = rows.stays || blocked_for_ever(table);
  const Micros stay_us = longest_stay(rows, table);
  const Micros since_us = rows.changed_us + stay_us;
  const Micros window_us = table.window_length_s.value_or(0) * us_per_s;
  const Micros enough_us = std::max({samples_to_tell * scenario.sample_us, stay_us / 4, windows_to_tell * window_us});
  const Seconds at_least_s = whole_days(since_us + enough_us - scenario.start_us);
  if (!stays_for_ever && none_has_gone(table.retention_overshoot))
    return not_known("nothing that has expired is gone yet", at_least_s);
  if (none_has_gone(table.erasure_delay)) return not_known("nothing that was deleted is gone yet", at_least_s);
  if (scenario.end_us - since_us < enough_us)
    return not_known("rows of its beginning, which will go, are still there", at_least_s);
  const Phases phases = phases_of(table.samples, since_us);
  const double more = phases.more();
  LiveGrowth growth{.since_us = since_us, .share = phases.second_half() > 0 ? more / phases.second_half() : 0};
  if (!phases.same_rates()) {
    growth.kind = LiveGrowth::Kind::not_known;
    growth.why = "the rows written a day change";
  } else if (std::abs(growth.share) < much) {
    growth.kind = LiveGrowth::Kind::steady;
  } else if (stays_for_ever && phases.kept_grows() && phases.steps_alike()) {
    growth.kind = LiveGrowth::Kind::grows;
    growth.per_year = more / phases.half_us * us_per_year;
  } else {
    growth.kind = LiveGrowth::Kind::not_known;
    growth.why = "it goes up and down, or grows unevenly";
  }
  return growth;
}

std::string_view live_growth_name(LiveGrowth::Kind kind) {
  switch (kind) {
    case LiveGrowth::Kind::not_asked:
      return "not asked";
    case LiveGrowth::Kind::steady:
      return "steady";
    case LiveGrowth::Kind::grows:
      return "grows";
    case LiveGrowth::Kind::not_known:
      return "not known";
  }
  return "";
}

}  // namespace windrow
