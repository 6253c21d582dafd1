// Tables of other shapes than a plain year, in time per event against one: ten years; a table a month for ten years,
// each dropped after one; 1,000 live windows; a backlog of 5,000 SSTables. And 20 million row deletes, evenly over two
// years, in yardsticks. usage: bench_shapes [--tiny] [CASE]; --tiny takes a hundredth of the time.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "bench/year_case.h"
#include "sim/engine/node.h"

namespace {

using windrow::Micros;
using windrow::us_per_s;
using windrow_bench::YearCase;

constexpr double day_s = 86'400;
constexpr double year_s = 365 * day_s;
constexpr windrow::Seconds most_of_a_year = 364 * 86'400;

class Events final : public windrow::RunObserver {
 public:
  void flushed(const windrow::Node& node, const windrow::FlushEvent& event) override {
    see(node, event.table);
    flushed_rows += event.change->ledger.in;
  }
  void committed(const windrow::Node& node, const windrow::CommitEvent& event) override { see(node, event.job->table); }
  std::int64_t events = 0;
  std::size_t most_live = 0;
  windrow::Rows flushed_rows = 0;  // and deletes

 private:
  void see(const windrow::Node& node, int table) {
    ++events;
    most_live = std::max(most_live, node.table(table).live().size());
  }
};

windrow::Scenario plain(double seconds) {
  return windrow_bench::scenario_of(
      {.compaction = windrow::TimeWindowOptions{}, .megabytes_per_s = 0.1, .ttl_s = most_of_a_year}, seconds);
}

windrow::Scenario table_a_month(double seconds) {
  constexpr int months = 120;
  windrow::Scenario scenario = plain(seconds);
  const windrow::TableSpec table = scenario.tables.front();
  const windrow::WriterSpec writer = scenario.writers.front();
  const auto month_us = static_cast<Micros>(seconds / months * 1e6);
  scenario.tables.clear();
  scenario.writers.clear();
  for (int month = 0; month < months; ++month) {
    const Micros from_us = scenario.start_us + month * month_us;
    scenario.tables.push_back(table);
    scenario.tables.back().name = scenario.tables.back().schema.name = fmt::format("readings_{}", month);
    scenario.writers.push_back(writer);
    scenario.writers.back().table = scenario.writers.back().entity_group = month;
    scenario.writers.back().from_us = scenario.writers.back().rate.front().from_us = from_us;
    scenario.writers.back().until_us = std::min(from_us + month_us, scenario.end_us);
    const Micros dropped_us = from_us + 13 * month_us;
    if (dropped_us >= scenario.end_us) continue;
    scenario.actions.push_back({.name = fmt::format("drop {}", month),
                                .at_us = dropped_us,
                                .kind = windrow::ActionSpec::Kind::drop,
                                .table = month,
                                .told = false});
  }
  return scenario;
}

/// Windows of nine hours, of which a year has 971.
windrow::Scenario thousand_windows(double seconds) {
  windrow::Scenario scenario = plain(seconds);
  scenario.tables[0].schema.options.compaction_options =
      windrow::TimeWindowOptions{.window_unit_s = 3600, .window_size = 9};
  return scenario;
}

/// Size tiers that read a kilobyte a second: nearly all that is flushed in 38 days is there in the end.
windrow::Scenario backlog(double seconds) {
  windrow::Scenario scenario = plain(seconds);
  scenario.tables[0].schema.options.compaction_options = windrow::SizeTieredOptions{};
  scenario.node.compaction_throughput_bytes_per_s = 1000;
  return scenario;
}

/// Each of 20 million rows is deleted 30 days after it was written.
windrow::Scenario row_deletes(double seconds) {
  constexpr std::int64_t rows = 20'000'000;
  windrow::Scenario scenario = plain(seconds);
  windrow::WriterSpec& writer = scenario.writers.front();
  writer.rate = {{.from_us = scenario.start_us, .rows = rows, .period_us = static_cast<Micros>(2 * year_s * 1e6)}};
  scenario.tables[0].flush_size_bytes = 4'000'000;
  windrow::WriterSpec deletes = writer;
  deletes.stream = "deletes";
  deletes.op = windrow::WriteOp::remove;
  deletes.remove = {.kind = windrow::DeleteKind::row, .age_us = 30 * static_cast<Micros>(day_s) * us_per_s};
  deletes.columns.clear();
  scenario.writers.push_back(std::move(deletes));
  return scenario;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool tiny = std::ranges::find(arguments, "--tiny") != arguments.end();
  const std::string only = arguments.empty() || arguments.back() == "--tiny" ? "" : arguments.back();
  const double yardstick =
      windrow_bench::least_seconds_of([&] { windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); });
  fmt::print("yardstick {:.4f} s\n", yardstick);
  double plain_us = 0;
  const auto measure = [&](const std::string& name, const auto& scenario_of_seconds, double seconds) {
    if (!only.empty() && name != only && name != "plain-year") return;
    const windrow::Scenario scenario = scenario_of_seconds(tiny ? seconds / 100 : seconds);
    Events seen;
    const double took = windrow_bench::least_seconds_of([&] {
      seen = {};
      windrow::run_node(scenario, seen, {});
    });
    const double us = took / static_cast<double>(std::max<std::int64_t>(1, seen.events)) * 1e6;
    if (plain_us == 0) plain_us = us;
    fmt::print(
        "{:18} {:7} events {:7.3f} s {:7.2f} yardsticks {:7.3f} us/event, {:.2f} times the plain year's; {} "
        "live at most, {} rows flushed\n",
        name, seen.events, took, took / yardstick, us, us / plain_us, seen.most_live, seen.flushed_rows);
    std::fflush(stdout);
  };
  measure("plain-year", plain, year_s);
  measure("ten-years", plain, 10 * year_s);
  measure("table-a-month", table_a_month, 10 * year_s);
  measure("thousand-windows", thousand_windows, 2 * year_s);
  measure("backlog", backlog, 38 * day_s);
  measure("row-deletes", row_deletes, 2 * year_s);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} MB at most in memory\n", usage.ru_maxrss / 1000);
  return 0;
}
