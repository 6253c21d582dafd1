#include <doctest/doctest.h>

#include "sim/results/catalog.h"
#include "sim/results/table_numbers.h"
#include "tests/record/made_scenario.h"
#include "tests/support/structure.h"

namespace windrow {
namespace {

/// Something of everything that a result file lists.
RunRecord made_record(const Scenario& scenario) {
  RunRecord record{.identity = {.version = "0.1", .scenario_hash = "abc"}, .scenario = &scenario};
  TableRecord table{.name = "t", .strategy = "TimeWindowCompactionStrategy"};
  table.samples = {{.at_us = scenario.start_us, .partitions = 1}};
  table.windows = WindowCount{};
  table.largest = {{.entity = "e", .bucket = "b", .has_bucket = true}};
  table.blockers = {{.id = 1}};
  table.compactions = {{.reason = "past window", .read_bytes = 1}};
  table.key_choices.cells = {{.bucket = "day", .own = true}};
  record.tables = {table};
  record.limits = {{.name = "sstables_max", .table = "t", .bound = 1}};
  record.incidents = {{.at_us = scenario.start_us, .what = "something"}};
  return record;
}

TEST_CASE("names of result files, of summary.json's keys and of CSV columns, and their order: shape.txt, a golden") {
  const Scenario scenario = test::made_scenario(2);
  TextSink sink;
  write_results(made_record(scenario), sink);
  std::string shape =
      "# A golden: UPDATE_GOLDEN=1 results_test makes it anew. Who reads results relies on these names.\n";
  for (const NamedText& file : sink.texts()) shape += test::shape_of(file);
  CHECK(test::golden("tests/results/shape.txt", shape) == shape);
}

/// A row for each meaning, with the names that it is said of.
std::string meanings() {
  std::string table = "| name | meaning |\n|---|---|\n";
  std::string names;
  std::string_view meaning;
  const auto end_row = [&] { table += names.empty() ? "" : "| " + names + " | " + std::string(meaning) + " |\n"; };
  for (const TableNumber& number : table_numbers()) {
    if (!number.meaning.empty()) {
      end_row();
      names.clear();
      meaning = number.meaning;
    }
    names += (names.empty() ? "`" : ", `") + std::string(number.name) + "`";
  }
  end_row();
  return table + "\n";
}

TEST_CASE("docs/results.md has the meaning of every headline number; UPDATE_GOLDEN=1 writes it there") {
  const std::string path = "docs/results.md";
  std::ostringstream page;
  page << std::ifstream(path).rdbuf();
  std::string now = page.str();
  const std::size_t begin = now.find("| name | meaning |");
  REQUIRE(begin != std::string::npos);
  now.replace(begin, now.find("\n\n", begin) + 2 - begin, meanings());
  CHECK(test::golden(path, now) == now);
}

}  // namespace
}  // namespace windrow
