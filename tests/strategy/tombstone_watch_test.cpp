#include "sim/strategy/tombstone_watch.h"

#include <doctest/doctest.h>

#include "tests/strategy/pick_text.h"

namespace windrow {
namespace {

constexpr Millis day_ms = 86'400'000;

SSTableView file_of(std::int64_t id, const Estimates& estimates) {
  return {.id = id, .created_ms = 1'000, .estimates = &estimates};
}

TEST_CASE("nobody waits for a file to come of age of which nothing can ever be dropped") {
  test::TextEstimates lasting;
  test::TextEstimates expiring;
  expiring.droppable = {{.from_s = 5'000'000, .ratio = 0.5}};
  const SSTableView stays = file_of(1, lasting);
  const SSTableView goes = file_of(2, expiring);
  TombstoneWatch watch(CommonCompactionOptions{});
  watch.add(stays);
  CHECK(watch.next_of_age_ms(2'000) == no_deletion_time);
  watch.add(goes);
  CHECK(watch.next_of_age_ms(2'000) == 1'000 + day_ms);
  const auto ripe = watch.ripe(2 * day_ms, 6'000'000);
  REQUIRE(ripe.begin() != ripe.end());
  CHECK(ripe.begin()->id == 2);
  CHECK(std::next(ripe.begin()) == ripe.end());
  watch.remove(stays);
  watch.remove(goes);
  const auto left = watch.ripe(2 * day_ms, 6'000'000);
  CHECK(left.begin() == left.end());
}

}  // namespace
}  // namespace windrow
