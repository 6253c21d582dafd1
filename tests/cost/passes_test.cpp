#include "sim/cost/passes.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

TEST_CASE("sixteen flushes of size tiers are four compactions and one of their outputs") {
  const Passes passes = expected_passes(SizeTieredOptions{}, {.flush_bytes = 100e6, .flushes_live = 16});
  CHECK(16 * passes.compactions == doctest::Approx(5));
  CHECK(16 * passes.written == doctest::Approx(16 + 5));
  CHECK(16 * passes.read == doctest::Approx(20));
  CHECK(passes.of_a_row == doctest::Approx(3));
}

TEST_CASE("small SSTables are merged again with each three flushes that follow") {
  // Of 4, 7, 10, 13 and 16 flushes: five compactions, in which the mean row is written 50 / 16 times.
  const Passes passes = expected_passes(SizeTieredOptions{}, {.flush_bytes = 1e6, .flushes_live = 16});
  CHECK(16 * passes.compactions == doctest::Approx(5).epsilon(0.1));
  CHECK(passes.of_a_row - 1 == doctest::Approx(50.0 / 16).epsilon(0.2));
}

TEST_CASE("four flushes a window are merged when they are there, and once more when the window is over") {
  const Passes passes =
      expected_passes(TimeWindowOptions{}, {.flush_bytes = 100e6, .flushes_live = 400, .flushes_a_window = 4});
  CHECK(4 * passes.compactions == doctest::Approx(2));
  CHECK(passes.of_a_row == doctest::Approx(3));
}

TEST_CASE("what is never compacted is written once, and stays") {
  SizeTieredOptions off;
  off.common.enabled = false;
  for (const CompactionOptions& options : {CompactionOptions(NoCompactionOptions{}), CompactionOptions(off)}) {
    const Passes passes = expected_passes(options, {.flush_bytes = 1e6, .flushes_live = 77});
    CHECK(passes.compactions == 0);
    CHECK(passes.written == 1);
    CHECK(passes.live == 77);
  }
}

TEST_CASE("flushes of a unified table lie in shards also where nothing is compacted") {
  UnifiedOptions off;
  off.common.enabled = false;
  const double bytes = 64.0 * 1024 * 1024;
  const Passes passes = expected_passes(off, {.flush_bytes = bytes, .flushes_live = 10});
  CHECK(passes.compactions == 0);
  CHECK(passes.written == expected_passes(UnifiedOptions{}, {.flush_bytes = bytes, .flushes_live = 1}).written);
  CHECK(passes.waiting == 10 * passes.written);
}

TEST_CASE("a level ten times as large costs as much again") {
  const auto rewrites = [](double flushes) {
    constexpr double one_sstable = 160.0 * 1024 * 1024;
    return expected_passes(LeveledOptions{},
                           {.flush_bytes = one_sstable, .lasting_bytes = one_sstable, .flushes_live = flushes})
        .of_a_row;
  };
  CHECK(rewrites(1000) - rewrites(100) == doctest::Approx(rewrites(10'000) - rewrites(1000)));
  // The flush, and again with each of ten in level 1, which it meets by itself.
  CHECK(rewrites(10) == doctest::Approx(1 + 11));
  CHECK(rewrites(1000) > rewrites(100) + 4);
}

TEST_CASE(
    "a flush smaller than an SSTable of a leveled table is merged with what level 0 has, until that is as large") {
  // Of sixteen flushes the mean one is written once, with half of the others again, and once into level 1.
  constexpr double ten_mib = 10.0 * 1024 * 1024;
  const Passes passes =
      expected_passes(LeveledOptions{}, {.flush_bytes = ten_mib, .lasting_bytes = ten_mib, .flushes_live = 16});
  CHECK(passes.compactions >= 1);
  CHECK(passes.of_a_row == doctest::Approx(1 + 16 / 2 + 2).epsilon(0.1));
}

}  // namespace
}  // namespace windrow
