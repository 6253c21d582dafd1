#include "sim/scenario/open_partitions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/resolve/load_scenario.h"

namespace windrow {
namespace {

constexpr Micros hour_us = 3600 * us_per_s;

std::vector<WriterSpec> shard_writers(const std::string& lines) {
  const std::string cql =
      "CREATE TABLE readings (device text, day text, shard int, at timestamp, value text, "
      "PRIMARY KEY ((device, day, shard), at));";
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 10d\n[stream.s]\ntable = readings\nentities = 10\nrate = 1/min\ncolumn.device = "
      "entity\n" +
      lines;
  return load_scenario("test.ini", ini, {}, [&](const std::string&) { return std::optional(cql); }).scenario.writers;
}

TEST_CASE("a change within a bucket makes two writers of that bucket, which share its partitions") {
  const auto specs = shard_writers(
      "column.day = day\ncolumn.shard = shard(4)\ncolumn.value = text(20)\nttl = 5d then 6d from 2026-01-03T06:00:00");
  REQUIRE(specs.size() == 4);
  const Micros start_us = specs[0].from_us;
  CHECK(specs[1].from_us == start_us + 48 * hour_us);
  CHECK(specs[2].from_us == start_us + 54 * hour_us);
  CHECK(specs[3].from_us == start_us + 72 * hour_us);
  CHECK(writers_of_open_partitions(specs) == std::vector<int>{-1, 1, 1, -1});
}

TEST_CASE("a change between two buckets shares nothing, and neither do keys of another bucket") {
  const auto between =
      shard_writers("column.day = day\ncolumn.shard = shard(4)\ncolumn.value = text(20) then text(30) from 2026-01-03");
  REQUIRE(between.size() == 2);
  CHECK(writers_of_open_partitions(between) == std::vector<int>{-1, -1});
  const auto other = shard_writers(
      "column.day = day then hour from 2026-01-03T06:00:00\ncolumn.shard = shard(4)\ncolumn.value = text(20)");
  REQUIRE(other.size() == 2);
  CHECK(writers_of_open_partitions(other) == std::vector<int>{-1, -1});
}

TEST_CASE("without a bucket all partitions are open, at every change") {
  const auto specs = shard_writers(
      "column.day = 'none'\ncolumn.shard = shard(2) then shard(4) from 2026-01-03\nttl = 5d then 6d from 2026-01-05\n"
      "column.value = text(20)");
  REQUIRE(specs.size() == 3);
  CHECK(writers_of_open_partitions(specs) == std::vector<int>{0, 0, 0});
}

}  // namespace
}  // namespace windrow
