#include "sim/compare/grid.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

std::string complaint(const std::string& text) {
  try {
    read_variation(text);
  } catch (const CompareError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("a variation is a key and its values; commas in parentheses and quotes belong to a value") {
  const Variation plain = read_variation("stream.readings.column.bucket=hour, day,week");
  CHECK(plain.key == "stream.readings.column.bucket");
  CHECK(plain.values == std::vector<std::string>{"hour", "day", "week"});
  CHECK(read_variation("a.b=lognormal(4/day, 400/day),1/s").values ==
        std::vector<std::string>{"lognormal(4/day, 400/day)", "1/s"});
  CHECK(read_variation("a.b='x,y',z").values == std::vector<std::string>{"'x,y'", "z"});
  CHECK(read_variation("a.b=1=2").values == std::vector<std::string>{"1=2"});
  CHECK(complaint("run.length").find("accepts KEY=VALUE") != std::string::npos);
  CHECK(complaint("run.length=").find("accepts KEY=VALUE") != std::string::npos);
  CHECK(complaint("=1y").find("accepts KEY=VALUE") != std::string::npos);
  CHECK(complaint("run.length=1y,,2y").find("empty value") != std::string::npos);
  CHECK(complaint("run.length=1y,2y,1y").find("the value 1y twice") != std::string::npos);
}

TEST_CASE("several variations make every combination, the last one's values next to each other") {
  CHECK(grid_of({}) == std::vector<std::vector<Choice>>{{}});
  const auto grid = grid_of({{.key = "a", .values = {"1", "2"}}, {.key = "b", .values = {"x", "y", "z"}}});
  REQUIRE(grid.size() == 6);
  CHECK(grid[0] == std::vector<Choice>{{"a", "1"}, {"b", "x"}});
  CHECK(grid[1] == std::vector<Choice>{{"a", "1"}, {"b", "y"}});
  CHECK(grid[5] == std::vector<Choice>{{"a", "2"}, {"b", "z"}});
  CHECK_THROWS_AS(grid_of({{.key = "a", .values = {"1"}}, {.key = "a", .values = {"2"}}}), CompareError);
  const std::vector<std::string> many(40, "v");
  CHECK_THROWS_AS(grid_of({{.key = "a", .values = many}, {.key = "b", .values = many}}), CompareError);
}

TEST_CASE("keys are called by their last part, or by as many as tell them apart") {
  CHECK(short_keys({"table.t.compaction.compaction_window_size", "stream.s.column.bucket"}) ==
        std::vector<std::string>{"compaction_window_size", "bucket"});
  CHECK(short_keys({"stream.a.rate", "stream.b.rate", "run.seed"}) ==
        std::vector<std::string>{"a.rate", "b.rate", "seed"});
  CHECK(short_keys({"rate", "stream.b.rate"}) == std::vector<std::string>{"rate", "b.rate"});
}

}  // namespace
}  // namespace windrow
