#include "sim/results/live_growth.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/scenarios/played.h"
#include "tests/support/scenario_names.h"

// What a run says of the time after it, against a run of twice the length.

namespace windrow {
namespace {

using test::all_scenarios;
using test::Played;
using Kind = LiveGrowth::Kind;

double mean_of_last_half(const TableRecord& table) {
  double sum = 0;
  const std::size_t from = table.samples.size() / 2;
  for (std::size_t i = from; i < table.samples.size(); ++i) sum += static_cast<double>(table.samples[i].live_bytes);
  return sum / static_cast<double>(table.samples.size() - from);
}

double mean_since(const TableRecord& table, Micros since_us) {
  double sum = 0;
  double count = 0;
  for (const TableSample& sample : table.samples) {
    if (sample.at_us <= since_us) continue;
    sum += static_cast<double>(sample.live_bytes);
    ++count;
  }
  return sum / count;
}

/// From the end of the first run to the end of the second, per year.
double bytes_per_year_after(const TableRecord& once, const TableRecord& twice) {
  const TableSample& from = once.samples.back();
  const TableSample& to = twice.samples.back();
  return static_cast<double>(to.live_bytes - from.live_bytes) / static_cast<double>(to.at_us - from.at_us) * 1e6 *
         365.0 * static_cast<double>(seconds_per_day);
}

void check_scenario(const std::string& name) {
  const Played once(name);
  const RunRecord& record = once.record();
  const auto says_something = [&](const TableRecord& table) {
    const Kind kind = live_growth(record, table).kind;
    return kind == Kind::grows || kind == Kind::steady;
  };
  if (std::ranges::none_of(record.tables, says_something)) return;
  const Micros length_s = (record.scenario->end_us - record.scenario->start_us) / us_per_s;
  const Played twice(name, {fmt::format("run.length={}s", 2 * length_s)});
  REQUIRE(twice.record().tables.size() == record.tables.size());
  for (std::size_t i = 0; i < record.tables.size(); ++i) {
    const TableRecord& table = record.tables[i];
    CAPTURE(table.name);
    const LiveGrowth growth = live_growth(record, table);
    if (growth.kind == Kind::grows) {
      CHECK(*growth.per_year == doctest::Approx(bytes_per_year_after(table, twice.table(i))).epsilon(0.1));
    } else if (growth.kind == Kind::steady) {
      CHECK(mean_since(table, *growth.since_us) == doctest::Approx(mean_of_last_half(twice.table(i))).epsilon(0.1));
    }
  }
}

/// The length at which a run of it can tell at the earliest, if it says one.
std::optional<Seconds> length_needed(const RunRecord& record, std::size_t table) {
  const LiveGrowth growth = live_growth(record, record.tables[table]);
  return growth.kind == Kind::not_known ? growth.run_s : std::nullopt;
}

TEST_CASE(
    "no run that is shorter than the length that is said to be needed can tell, and that length is beyond the run") {
  constexpr Seconds hour_s = 3'600;
  int said = 0;
  for (const std::string& name : all_scenarios()) {
    CAPTURE(name);
    const Played run(name);
    const Seconds length_s = (run.record().scenario->end_us - run.record().scenario->start_us) / us_per_s;
    for (std::size_t i = 0; i < run.record().tables.size(); ++i) {
      const std::optional<Seconds> needed_s = length_needed(run.record(), i);
      if (!needed_s) continue;
      ++said;
      CHECK(*needed_s > length_s);
      const Seconds shorter_s = *needed_s - seconds_per_day;
      if (shorter_s <= length_s) continue;
      const Played shorter(name, {fmt::format("run.length={}h", shorter_s / hour_s)});
      CHECK(live_growth(shorter.record(), shorter.table(i)).kind == Kind::not_known);
      break;  // one a scenario
    }
  }
  CHECK(said > 10);
}

TEST_CASE("what still grows, and what is steady, is so in a run of twice the length") {
  for (const std::string& name : all_scenarios()) {
    CAPTURE(name);
    check_scenario(name);
  }
}

LiveGrowth growth_of(const std::string& name, const std::vector<std::string>& assignments = {}) {
  const Played run(name, assignments);
  return live_growth(run.record(), run.table());
}

TEST_CASE("rows that expire do not grow for ever: a run that is too short to see it says how long one must be") {
  const LiveGrowth early = growth_of("iot-sensors", {"run.length=80d"});
  CHECK(early.kind == Kind::not_known);
  CHECK(!early.per_year);
  REQUIRE(early.run_s);
  const LiveGrowth told =
      growth_of("iot-sensors", {fmt::format("run.length={}s", *early.run_s + 10 * seconds_per_day)});
  CHECK(told.kind == Kind::steady);
  CHECK(growth_of("variable-buckets").kind == Kind::not_known);  // 337 GiB a year, it said; 30 days of its TTL are left
}

TEST_CASE("rows that come faster and faster are not extrapolated") {
  const LiveGrowth faster = growth_of("sensor-by-day", {"stream.sensors.rate=1/min then 5/min from 2027-06-01"});
  CHECK(faster.kind == Kind::not_known);
  CHECK(!faster.per_year);
}

}  // namespace
}  // namespace windrow
