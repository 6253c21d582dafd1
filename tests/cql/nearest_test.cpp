#include "sim/base/nearest.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

namespace windrow {
namespace {

TEST_CASE("a swap of neighbours is one step") {
  CHECK(edit_distance("primray", "PRIMARY") == 1);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is near, or there is none") {
  const std::array<std::string_view, 3> names = {"gc_grace_seconds", "caching", "cdc"};
  CHECK(nearest_name("gc_grace_secods", names) == "gc_grace_seconds");
  CHECK(nearest_name("chacing", names) == "caching");
  CHECK(nearest_name("compression", names).empty());
  CHECK(nearest_name("w", std::array<std::string_view, 1>{"v"}).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name(std::string(10'000, 'x'), names).empty());
}

}  // namespace
}  // namespace windrow
