#include "sim/size/key_matrix.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/partition_sizes.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {
namespace {

constexpr const char* key_schema =
    "CREATE TABLE readings (device text, day date, at timestamp, value double, PRIMARY KEY ((device, day), at));";

KeyChoices choices_of(const std::string& stream, const std::string& more = {}) {
  const std::string ini =
      "[run]\nschema = s.cql\nstart = 2026-01-01\nlength = 90d\n[stream.s]\ntable = readings\n" + stream + "\n" + more;
  const auto read = [](const std::string&) -> std::optional<std::string> { return key_schema; };
  return key_choices(load_scenario("s.ini", ini, {}, read).scenario, 0);
}

const KeyChoice& at(const KeyChoices& choices, const std::string& bucket, std::int64_t shards) {
  for (const KeyChoice& choice : choices.cells) {
    if (choice.bucket == bucket && choice.shards == shards) return choice;
  }
  FAIL("no such cell");
  return choices.cells.front();
}

TEST_CASE("rows of a partition follow bucket and shards; the scenario's own is known") {
  const KeyChoices choices = choices_of("entities = 10\nrate = 1/s\ncolumn.day = day");
  CHECK(choices.cells.size() == 5 * 5);  // ninety days fill no year
  CHECK(at(choices, "day", 1).partition_rows_max == 86'400);
  CHECK(at(choices, "day", 1).own);
  CHECK_FALSE(at(choices, "day", 2).own);
  CHECK(at(choices, "hour", 1).partition_rows_max == 3'600);
  CHECK(at(choices, "week", 4).partition_rows_max == 7 * 86'400 / 4);
  CHECK(at(choices, "month", 1).partition_rows_max == 31 * 86'400);
  CHECK(at(choices, "day", 1).partitions_per_year == doctest::Approx(3650));
  CHECK(choices.own() == &at(choices, "day", 1));
}

TEST_CASE("limits of the scenario judge, and the coarsest that holds is found") {
  const KeyChoices free = choices_of("entities = 10\nrate = 1/s\ncolumn.day = day");
  CHECK(free.bytes_max == large_partition_bytes);
  CHECK(free.fewest_partitions() == &at(free, "month", 1));
  const KeyChoices bound =
      choices_of("entities = 10\nrate = 1/s\ncolumn.day = day", "[limits]\npartition_size_max = 10MB\n");
  CHECK(bound.bytes_max == 10'000'000);
  CHECK(at(bound, "month", 1).verdict == KeyChoice::Verdict::too_big);
  CHECK(at(bound, "hour", 1).verdict == KeyChoice::Verdict::too_small);
  CHECK(bound.fewest_partitions()->verdict != KeyChoice::Verdict::too_big);
  const KeyChoices rows =
      choices_of("entities = 10\nrate = 1/s\ncolumn.day = day", "[limits]\npartition_rows_max = 10\n");
  CHECK(rows.fewest_partitions() == nullptr);
}

TEST_CASE("a bucket is the fullest of the run: of its fastest time, of its busiest hour, and of the longest month") {
  const KeyChoices earlier = choices_of("entities = 10\nrate = 2/s then 1/s from 2026-03-01\ncolumn.day = day");
  CHECK(at(earlier, "day", 1).partition_rows_max == 2 * 86'400);
  CHECK(at(earlier, "month", 1).partition_rows_max == 2 * 31 * 86'400);
  const KeyChoices later = choices_of("entities = 10\nrate = 1/s then 2/s from 2026-03-01\ncolumn.day = day");
  CHECK(at(later, "day", 1).partition_rows_max == 2 * 86'400);
  const KeyChoices shaped = choices_of("entities = 10\nrate = 1/s\nshape = daily(peak 20:00, 3x)\ncolumn.day = day");
  CHECK(at(shaped, "hour", 1).partition_rows_max > 2 * 3'600);
  CHECK(at(shaped, "day", 1).partition_rows_max == doctest::Approx(86'400).epsilon(0.01));
}

TEST_CASE("a bucket that was another before: the matrix has each all along") {
  // A change of the bucket alone changes no row: what buckets of one length hold is what they would have held anyway.
  const KeyChoices raised = choices_of("entities = 10\nrate = 1/s then 4/s from 2026-03-10\ncolumn.day = day");
  const KeyChoices none =
      choices_of("entities = 10\nrate = 1/s then 4/s from 2026-03-10\ncolumn.day = day then week from 2026-03-10");
  CHECK_FALSE(raised.own_is_newer);
  CHECK(none.own_is_newer);
  CHECK(none.own()->bucket == "week");
  for (const char* bucket : {"10min", "hour", "day", "week"}) {
    CAPTURE(bucket);
    CHECK(at(none, bucket, 2).partition_rows_max == at(raised, bucket, 2).partition_rows_max);
  }
}

TEST_CASE("a bucket that was another before, of entities that all write at the same instant") {
  const std::string at_once = "entities = 10\nrate = 1/s\nstagger = none\ncolumn.day = day";
  const KeyChoices always = choices_of(at_once);
  const KeyChoices changed = choices_of(at_once + " then week from 2026-03-10");
  CHECK(changed.own()->bucket == "week");
  for (const char* bucket : {"10min", "hour", "day", "week"}) {
    CAPTURE(bucket);
    CHECK(at(changed, bucket, 2).partition_rows_max == at(always, bucket, 2).partition_rows_max);
  }
}

TEST_CASE("a choice of buckets that began later is left out, and so is what no bucket decides") {
  const KeyChoices late = choices_of("entities = 10\nrate = 1/s\nfrom = 2026-03-15\ncolumn.day = day");
  for (const KeyChoice& choice : late.cells) CHECK(choice.bucket != "month");
  CHECK(choices_of("entities = 10\nrate = 1/s\nuntil = 2026-02-01\ncolumn.day = day").cells.empty());
}

}  // namespace
}  // namespace windrow
