#include "sim/stats/key_sketch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace windrow::witness {
namespace {

TEST_CASE("keys hash as in the engine") {
  CHECK(static_cast<std::int64_t>(murmur2("a")) == 510903276987443985);
  CHECK(static_cast<std::int64_t>(murmur2("hello world")) == -3190198453633110066);
  CHECK(static_cast<std::int64_t>(murmur2("m1:1767225600")) == -8263045603899629466);
}

TEST_CASE("merged sketches estimate what the engine's do") {
  std::ifstream file("tests/data/witness/key_sketch.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  int lines = 0;
  while (std::getline(file, line)) {
    CAPTURE(line);
    std::istringstream fields(line);
    std::string prefix;
    std::string ranges;
    std::int64_t expected = 0;
    std::getline(fields, prefix, ',');
    std::getline(fields, ranges, ',');
    fields >> expected;
    std::istringstream parts(ranges);
    std::optional<KeySketch> all;
    std::int64_t from = 0;
    std::int64_t to = 0;
    char separator = ' ';
    while (parts >> from >> separator >> to) {
      parts >> separator;
      KeySketch one;
      for (std::int64_t i = from; i < to; ++i) one.add(fmt::format("{}{}", prefix, i));
      one.close();
      if (all)
        all->merge(one);
      else
        all = one;
    }
    REQUIRE(all);
    CHECK(all->estimate() == expected);
    ++lines;
  }
  CHECK(lines == 70);
}

}  // namespace
}  // namespace windrow::witness
