#include "sim/compare/output.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/compare/measures.h"
#include "sim/text/text.h"
#include "tests/support/says.h"
#include "tests/support/structure.h"

namespace windrow {
namespace {

using test::says;

ComparedRun made_run(const std::string& window, Bytes disk_bytes, std::int64_t sstables) {
  ComparedRun run{.scenario = "fleet", .choices = {{"table.t.compaction.compaction_window_size", window}}};
  run.tables = {{.name = "t",
                 .strategy = "TimeWindowCompactionStrategy",
                 .numbers = {{"peak_disk_bytes", disk_bytes},
                             {"live_bytes", disk_bytes},
                             {"readable_bytes", 1 << 20},
                             {"live_sstables", sstables}},
                 .peak_readable_bytes = 1 << 20}};
  run.limits = {{.name = "sstables_max", .table = "t", .value = static_cast<double>(sstables), .bound = 100}};
  if (sstables > 100) run.limits.front().first_breach_us = 3 * 86'400 * us_per_s;
  return run;
}

std::string line_of(const std::string& text, const std::string& beginning) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(beginning)) return line;
  }
  return {};
}

TEST_CASE("the best of a line is marked, what breaks its limit is too, and baselines do not compete") {
  std::vector<ComparedRun> runs = {made_run("1", 5 << 20, 120), made_run("7", 6 << 20, 20), made_run("", 1 << 20, 900)};
  runs.back().baseline = true;
  runs.back().choices.clear();
  const std::string text = comparison_as_text(runs, {.width = 120});
  CHECK(line_of(text, "compaction_window_size") == "compaction_window_size        1      7   none   least");
  CHECK(line_of(text, "  limits broken") == "  limits broken               1!  none      1!");
  CHECK(line_of(text, "  first breach") == "  first breach after, days    3!     -      3!");
  CHECK(line_of(text, "  sstables_max") == "  sstables_max ≤ 100        120!    20*   900!");
  CHECK(line_of(text, "  disk peak") == "  disk peak, MiB              5*     6      1       1");
  CHECK(says(text, "none: the same writes"));
}

TEST_CASE("runs that are alike have no best") {
  const auto groups =
      measures_of({made_run("1", 1'000'000, 10), made_run("2", 1'001'000, 10), made_run("3", 2'000'000, 10)});
  const std::vector<bool> contender(3, true);
  for (const MeasureGroup& group : groups) {
    for (const Measure& measure : group.measures) {
      const bool disk = measure.name.starts_with("disk");
      CAPTURE(measure.name);
      CHECK(measure.is_best(0, contender) == disk);
      CHECK(measure.is_best(1, contender) == disk);
      CHECK_FALSE(measure.is_best(2, contender));
    }
  }
}

TEST_CASE("a choice is told by what it gives and takes against the first; equal lines are folded") {
  std::vector<ComparedRun> runs = {made_run("1", 100 << 20, 108), made_run("3", 105 << 20, 44)};
  for (ComparedRun& run : runs) run.tables.front().numbers["blocked_bytes"] = 0;
  runs[0].tables.front().numbers["peak_sstables"] = 108;
  runs[1].tables.front().numbers["peak_sstables"] = 44;
  runs[0].tables.front().numbers["sstables_per_partition"] = 7.7;
  runs[1].tables.front().numbers["sstables_per_partition"] = 2;
  const std::string text = comparison_as_text(runs, {.width = 200});
  CHECK(says(text,
             "3 instead of 1: 5.00 % more disk, 44 instead of 108 SSTables at most, 2 instead of 7.70 SSTables per "
             "partition\n"));
  CHECK(says(text, "the same in all: blocked at the end, B 0\n"));
  CHECK(line_of(text, "  blocked at the end").empty());
}

TEST_CASE("how long a delete takes, what waits for compaction and SSTables per partition have their lines") {
  std::vector<ComparedRun> runs = {made_run("1", 100 << 20, 10), made_run("3", 100 << 20, 10)};
  for (std::size_t run = 0; run < runs.size(); ++run) {
    auto& numbers = runs[run].tables.front().numbers;
    numbers["peak_pending_compactions"] = run == 0 ? 7 : 2;
    numbers["erasure_delay_s/p50"] = run == 0 ? 900'000 : 86'400;
    numbers["sstables_per_partition"] = run == 0 ? 1.2 : 7.7;
  }
  const std::string text = comparison_as_text(runs, {.width = 120});
  CHECK(line_of(text, "  pending peak") == "  pending peak                  7        2*");
  CHECK(line_of(text, "  erased after, s") == "  erased after, s         900,000   86,400*");
  CHECK(line_of(text, "  SSTables per partition") == "  SSTables per partition     1.20*    7.70");
}

TEST_CASE("far below a bound nothing is best") {
  const auto groups = measures_of({made_run("1", 1, 45), made_run("2", 1, 20)});
  const std::vector<bool> contender(2, true);
  for (const Measure& measure : groups.front().measures) CHECK_FALSE(measure.is_best(1, contender));
}

TEST_CASE("a narrow terminal has the runs below each other, no line wider than it") {
  std::vector<ComparedRun> runs;
  for (int i = 1; i <= 9; ++i) runs.push_back(made_run(std::to_string(i), i << 20, 10 * i));
  for (const std::size_t width : {40U, 60U, 100U, 200U}) {
    CAPTURE(width);
    const std::string text = comparison_as_text(runs, {.width = width});
    std::istringstream lines(text.substr(0, text.find("\n* best")));
    std::size_t blocks = 0;
    for (std::string line; std::getline(lines, line);) {
      CHECK(text_width(line) <= width);
      blocks += line.starts_with("compaction_window_size") ? 1U : 0U;
    }
    CHECK(blocks == (width == 40 ? 5 : width == 60 ? 2 : 1));
  }
}

TEST_CASE("tables are compared by name, but a single table with any other") {
  std::vector<ComparedRun> runs = {made_run("1", 1 << 20, 1), made_run("2", 2 << 20, 2)};
  runs[0].scenario = "a";
  runs[1].scenario = "b";
  runs[1].tables.front().name = "other";
  CHECK(measures_of(runs).at(1).title == "The table");
  CHECK_FALSE(measures_of(runs).at(1).measures.at(4).least.has_value());
  runs[1].tables.push_back(runs[0].tables.front());
  const auto groups = measures_of(runs);
  REQUIRE(groups.size() == 3);
  CHECK(groups[1].title == "t");
  CHECK(groups[2].title == "other");
  CHECK_FALSE(groups[2].measures.front().values[0].number.has_value());
}

TEST_CASE("files hold every run, table and limit") {
  const std::vector<ComparedRun> runs = {made_run("1", 5 << 20, 120), made_run("7", 6 << 20, 20)};
  const std::string csv = comparison_as_csv(runs);
  CHECK(csv.starts_with("scenario,choices,baseline,limits_measured,limits_broken,first_breach,"));
  CHECK(says(csv, "fleet,table.t.compaction.compaction_window_size = 1,,1,1,1970-01-04T00:00:00Z,,t,"));
  const auto json = nlohmann::json::parse(comparison_as_json(runs));
  REQUIRE(json.at("runs").size() == 2);
  CHECK(json["runs"][0]["choices"]["table.t.compaction.compaction_window_size"] == "1");
  CHECK(json["runs"][0]["limits"][0]["holds"] == false);
  CHECK(json["runs"][1]["limits"][0]["holds"] == true);
  CHECK(json["runs"][1]["tables"]["t"]["peak_disk_bytes"] == 6 << 20);
}

TEST_CASE("names of compare.json's keys and of the CSV columns, and their order: shape.txt, a golden") {
  std::vector<ComparedRun> runs = {made_run("1", 1, 120), made_run("7", 2, 20)};
  runs.front().tables.front().samples = {{.at_us = 0, .partitions = 1}};
  std::string shape =
      "# A golden: UPDATE_GOLDEN=1 compare_test makes it anew. Who reads results relies on these names.\n";
  shape += test::shape_of({.name = "compare.json", .text = comparison_as_json(runs)});
  shape += test::shape_of({.name = "compare.csv", .text = comparison_as_csv(runs)});
  shape += test::shape_of({.name = "compare-timeline.csv", .text = comparison_timeline_csv(runs)});
  CHECK(test::golden("tests/compare/shape.txt", shape) == shape);
}

}  // namespace
}  // namespace windrow
