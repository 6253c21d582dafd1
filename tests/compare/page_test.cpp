#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/compare/compared_facts.h"
#include "sim/compare/comparison_page.h"
#include "sim/compare/output.h"
#include "tests/support/says.h"

namespace windrow {
namespace {

using test::says;

ComparedRun run_with_samples(const std::string& window, Bytes disk_bytes, std::int64_t sstables) {
  ComparedRun run{.scenario = "fleet",
                  .version = "test",
                  .choices = {{"table.t.compaction.compaction_window_size", window}},
                  .end_us = 9 * 86'400 * us_per_s,
                  .peak_disk_bytes = disk_bytes};
  run.tables = {{.name = "t",
                 .strategy = "TimeWindowCompactionStrategy",
                 .numbers = {{"partition_bytes/p99", 1 << 16},
                             {"peak_disk_bytes", disk_bytes},
                             {"live_bytes", disk_bytes},
                             {"readable_bytes", 1 << 20},
                             {"live_sstables", sstables},
                             {"peak_sstables", sstables}},
                 .peak_readable_bytes = 1 << 20}};
  for (int day = 0; day < 9; ++day) {
    run.tables.front().samples.push_back({.at_us = day * 86'400 * us_per_s,
                                          .readable_bytes = 1 << 20,
                                          .disk_bytes_max = disk_bytes,
                                          .sstables = sstables,
                                          .sstables_max = sstables,
                                          .partitions = 1,
                                          .partition_bytes_p50 = 1 << 15,
                                          .partition_bytes_p99 = 1 << 16,
                                          .partition_bytes_max = 1 << 16});
  }
  run.limits = {{.name = "sstables_max", .table = "t", .value = static_cast<double>(sstables), .bound = 100}};
  if (sstables > 100) run.limits.front().first_breach_us = 3 * 86'400 * us_per_s;
  return run;
}

ResultTexts texts_of(const std::vector<ComparedRun>& runs) {
  return {{comparison_json_name, comparison_as_json(runs)}, {comparison_timeline_name, comparison_timeline_csv(runs)}};
}

using Caption = Sentence (*)(const ComparedFacts&, std::size_t);

std::string said(Caption caption, const std::vector<ComparedRun>& runs) {
  const auto json = nlohmann::json::parse(comparison_as_json(runs));
  return caption(ComparedFacts(json), 1).text();
}

std::string verdict_of(const std::vector<ComparedRun>& runs) {
  const auto json = nlohmann::json::parse(comparison_as_json(runs));
  return comparison_verdict(ComparedFacts(json)).text();
}

TEST_CASE("the verdict: who holds, and who of them needs the least disk") {
  CHECK(verdict_of({run_with_samples("1", 5 << 20, 120), run_with_samples("3", 6 << 20, 40),
                    run_with_samples("7", 8 << 20, 20)}) ==
        "2 of 3 choices hold every limit; of these compaction_window_size 3 needs the least disk, 6 MiB at its peak.");
  CHECK(verdict_of({run_with_samples("1", 5 << 20, 120), run_with_samples("7", 8 << 20, 20)}) ==
        "1 of 2 choices holds every limit: compaction_window_size 7 needs the least disk, 8 MiB at its peak.");
  CHECK(verdict_of({run_with_samples("1", 5 << 20, 12), run_with_samples("7", 5 << 20, 20)}) ==
        "Every choice holds every limit; their disk peaks at about 5 MiB alike.");
  CHECK(verdict_of({run_with_samples("1", 5 << 20, 120), run_with_samples("7", 5 << 20, 200)}) ==
        "No choice holds every limit; each breaks 1.");
  std::vector<ComparedRun> runs = {run_with_samples("1", 5 << 20, 120), run_with_samples("7", 5 << 20, 200)};
  runs[0].limits.push_back({.name = "partition_size_max", .table = "t", .value = 3, .bound = 2, .first_breach_us = 1});
  CHECK(verdict_of(runs) == "No choice holds every limit; compaction_window_size 7 breaks the fewest, 1.");
  for (ComparedRun& run : runs) run.limits.clear();
  runs[1].peak_disk_bytes = 4 << 20;
  CHECK(verdict_of(runs) ==
        "The scenarios set no limits that these runs measure; compaction_window_size 7 needs the least disk, 4 MiB at "
        "its peak.");
}

TEST_CASE("a baseline is in the table, and no choice") {
  std::vector<ComparedRun> runs = {run_with_samples("1", 5 << 20, 12), run_with_samples("7", 6 << 20, 20),
                                   run_with_samples("", 1 << 20, 90)};
  runs[2].baseline = true;
  runs[2].choices.clear();
  CHECK(verdict_of(runs) ==
        "Every choice holds every limit; compaction_window_size 1 needs the least disk, 5 MiB at its peak.");
  const std::string page = comparison_page(texts_of(runs));
  CHECK(says(page, "<th class=\"number\"><span>none</span></th>"));
  CHECK_FALSE(says(page, "\"choice\":[\"none\""));
  CHECK_FALSE(says(said(disk_comparison, runs), "none"));
}

TEST_CASE("captions name the choices at both ends, or that there are none") {
  std::vector<ComparedRun> runs = {run_with_samples("1", 5 << 20, 120), run_with_samples("7", 6 << 20, 20)};
  CHECK(said(disk_comparison, runs) ==
        "The peak of disk is lowest with compaction_window_size 1, 5 MiB, and highest with compaction_window_size 7, 6 "
        "MiB; the rows that can be read, written once, need 1 MiB.");
  CHECK(said(sstables_comparison, runs) ==
        "The highest number of SSTables is lowest with compaction_window_size 7, 20, and highest with "
        "compaction_window_size 1, 120.");
  CHECK(said(partitions_comparison, runs) ==
        "At the end the 99th percentile of partition sizes is about 64 KiB with every choice.");
  runs[1].tables.front().numbers["partition_bytes/p99"] = 1 << 20;
  CHECK(says(said(partitions_comparison, runs), "lowest with compaction_window_size 1, 64 KiB, and highest with"));
}

TEST_CASE("best and beyond its limit are marked in the page's table") {
  const std::string page =
      comparison_page(texts_of({run_with_samples("1", 5 << 20, 120), run_with_samples("7", 6 << 20, 20)}));
  CHECK(says(page,
             "<td class=\"number broken\"><data data-fact=\"/groups/0/measures/2/values/0/value\" "
             "value=\"120\">120</data>!</td>"));
  CHECK(says(page, ">20</data>*</td>"));
  CHECK(says(page, "<td>sstables_max \xe2\x89\xa4 100</td>"));
  for (const char* chart : {"t1-compare-disk", "t1-compare-partitions", "t1-compare-sstables"})
    CHECK(says(page, chart));
}

TEST_CASE("a grid of choices has the last key's values beside each other") {
  std::vector<ComparedRun> runs;
  for (int i = 0; i < 8; ++i) {
    runs.push_back(run_with_samples(std::to_string(i / 4), 5 << 20, 10));
    runs.back().choices.push_back({"stream.s.column.bucket", std::to_string(i % 4)});
  }
  CHECK(says(comparison_page(texts_of(runs)), "\"columns\":4"));
  CHECK(says(comparison_page(texts_of({runs[0], runs[4]})), "\"columns\":1"));
}

TEST_CASE("charts without data are absent") {
  std::vector<ComparedRun> runs = {run_with_samples("1", 5 << 20, 120), run_with_samples("7", 6 << 20, 20)};
  for (ComparedRun& run : runs) {
    for (TableSample& sample : run.tables.front().samples) sample.partitions.reset();
  }
  const std::string page = comparison_page(texts_of(runs));
  CHECK(says(page, "t1-compare-disk"));
  CHECK_FALSE(says(page, "t1-compare-partitions"));
}

TEST_CASE("names of choices, scenarios and tables stay text") {
  const std::string attack = "</script><script>x</script>\xe2\x80\xae";
  std::vector<ComparedRun> runs = {run_with_samples(attack, 5 << 20, 120), run_with_samples("=1+1", 6 << 20, 20)};
  for (ComparedRun& run : runs) {
    run.scenario = attack;
    run.tables.front().name = "@" + attack;
  }
  const ResultTexts texts = texts_of(runs);
  const std::string page = comparison_page(texts);
  CHECK_FALSE(says(page, attack));
  CHECK_FALSE(says(page, "</script><script>x"));
  CHECK_FALSE(says(page, "\xe2\x80\xae"));
  CHECK(says(page, "t1-compare-disk"));
  CHECK_FALSE(says(texts.at(comparison_timeline_name).text(), ",=1+1"));
  CHECK(comparison_page(texts) == page);
}

TEST_CASE("of very many choices the best are shown, and the page says so") {
  std::vector<ComparedRun> runs;
  for (int i = 1; i <= 60; ++i)
    runs.push_back(run_with_samples(std::to_string(i), (100 - i) << 20, i <= 50 ? 20 : 120));
  const std::string page = comparison_page(texts_of(runs));
  CHECK(says(page, "compare.csv beside it has every one"));
  CHECK(says(page, "<th class=\"number\"><span>50</span></th>"));
  CHECK(says(page, "<th class=\"number\"><span>27</span></th>"));
  CHECK_FALSE(says(page, "<th class=\"number\"><span>26</span></th>"));
  CHECK_FALSE(says(page, "<th class=\"number\"><span>51</span></th>"));
  CHECK(page.size() < 4'000'000);
}

TEST_CASE("what is no comparison is told") {
  CHECK_THROWS_WITH_AS(comparison_page({{comparison_json_name, "{}"}}),
                       "there is no compare-timeline.csv: compare again", PageError);
  CHECK_THROWS_AS(comparison_page({{comparison_json_name, "{"}, {comparison_timeline_name, ""}}), PageError);
  CHECK_THROWS_AS(comparison_page({{comparison_json_name, "{\"runs\": []}"}, {comparison_timeline_name, ""}}),
                  PageError);
}

TEST_CASE("runs are told apart") {
  std::vector<ComparedRun> runs = {run_with_samples("1", 1, 1), run_with_samples("1", 1, 1)};
  CHECK(run_labels(runs).plain == std::vector<std::string>{"1", "1 (2)"});
  CHECK(run_labels(runs).named[0] == "compaction_window_size 1");
  runs[1].scenario = "other";
  runs[1].choices.clear();
  CHECK(run_labels(runs).plain == std::vector<std::string>{"fleet: 1", "other"});
}

}  // namespace
}  // namespace windrow
