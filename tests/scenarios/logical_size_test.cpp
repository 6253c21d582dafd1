#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/record/node_runs.h"
#include "sim/size/key_matrix.h"
#include "tests/scenarios/played.h"

namespace windrow {
namespace {

/// The largest partition of a table on any node, and the matrix's for the table's own bucket and shards; 0: it has
/// none.
struct Largest {
  std::string table{};
  Bytes of_run = 0;
  Bytes of_matrix = 0;
};

std::vector<Largest> largest_partitions(const std::string& scenario) {
  const test::Played run(scenario);
  std::vector<Largest> all;
  for (std::size_t t = 0; t < run.record().tables.size(); ++t) {
    Largest largest{.table = run.table(t).name};
    each_node_table(run.record(), [&](const RunRecord&, const TableRecord& table) {
      if (table.name == largest.table) largest.of_run = std::max(largest.of_run, table.partitions.bytes.max);
    });
    const KeyChoices choices = key_choices(*run.record().scenario, static_cast<int>(t));
    const auto own = std::ranges::find(choices.cells, true, &KeyChoice::own);
    if (own != choices.cells.end()) largest.of_matrix = own->partition_bytes_max;
    all.push_back(largest);
  }
  return all;
}

TEST_CASE("the decision matrix has the run's largest partition where bucket and shards are the run's own") {
  for (const char* name : {"ticks-by-month", "metrics-daily", "multi-resolution", "iot-sensors", "sensor-unbounded",
                           "gdpr-deletes", "hot-and-cold", "mixed-ttl"}) {
    CAPTURE(name);
    for (const Largest& largest : largest_partitions(name)) {
      CAPTURE(largest.table);
      CHECK(largest.of_matrix == largest.of_run);
    }
  }
}

TEST_CASE("where values or rows of buckets differ, the matrix has the last closed bucket and the run its largest") {
  // Sizes of values go around by row numbers, so that buckets of as many rows differ by a few bytes.
  for (const char* name : {"app-events", "events-hourly"}) {
    CAPTURE(name);
    const Largest largest = largest_partitions(name).front();
    CHECK(largest.of_matrix <= largest.of_run);
    CHECK(static_cast<double>(largest.of_matrix) == doctest::Approx(static_cast<double>(largest.of_run)).epsilon(1e-4));
  }
  // 40/s in one shard were more than 120/s in sixteen are: 16 / 3 times.
  const Largest raised = largest_partitions("splitting-factor").front();
  CHECK(static_cast<double>(raised.of_run) / static_cast<double>(raised.of_matrix) ==
        doctest::Approx(16.0 / 3).epsilon(1e-4));
}

}  // namespace
}  // namespace windrow
